// op_type.cc: the Python object of an operator. Which entry point serves a call is chosen when the
// object is made.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cstddef>
#include <cstring>

#include "ext.h"

namespace isthmus::py {

int find_keyword(const PyOp* self, PyObject* key) {
  for (int i = 0; i < self->num_params; ++i)
    if (self->keywords[i] == key) return i;
  for (int i = 0; i < self->num_params; ++i) {
    int same = PyObject_RichCompareBool(self->keywords[i], key, Py_EQ);
    if (same < 0) return -2;
    if (same) return i;
  }
  return -1;
}

namespace {

// ---- Argument matching -------------------------------------------------------------------------
[[gnu::cold, gnu::noinline]] void fail_count(const PyOp* self, Py_ssize_t given) {
  const Schema& s = self->op->schema;
  PyErr_Format(PyExc_TypeError, "%s() takes from %d to %d positional arguments but %zd were given",
               self->op->def.name, s.num_required, s.num_positional, given);
}

[[gnu::cold, gnu::noinline]] void fail_missing(const PyOp* self, int param) {
  PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s' (pos %d)", self->op->def.name,
               self->op->schema.params[static_cast<size_t>(param)].name.c_str(), param + 1);
}

// ---- Results -----------------------------------------------------------------------------------
PyObject* wrap_results(const PyOp* self, TVMFFIAny* result) {
  // What a user's function returns stays what it is.
  if (self->op->def.function && result->type_index >= kTVMFFIStaticObjectBegin &&
      self->op->schema.returns == "Any") {
    PyObject* value = value_to_python(*result);
    drop_value(result->v_obj);
    return value;
  }
  Ref list(any_to_python(result));
  if (!list) return nullptr;
  if (self->op->schema.returns_list) return list.release();
  if (!PyList_Check(list.get())) return list.release();
  Ref tuple(PyList_AsTuple(list.get()));
  if (!tuple || !self->result_type) return tuple.release();
  return PyObject_CallObject(self->result_type, tuple.get());
}

// The Python object of a result. An array that the caller gave (`out`, or an argument that needed
// no change) comes back as the same object.
inline PyObject* wrap_result(const PyOp* self, TVMFFIAny* result, PyObject* const* args,
                             Py_ssize_t count) {
  if (result->type_index != kTVMFFITensor) return wrap_results(self, result);
  auto* a = static_cast<NDArrayObj*>(static_cast<void*>(result->v_obj));
  if (a->header()->combined_ref_count != kSoleReference) {
    for (Py_ssize_t i = 0; i < count; ++i) {
      PyObject* o = args[i];
      if (PyTuple_CheckExact(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
      if (is_array(o) && array_of(o) == a) {
        object_decref(a->header());
        Py_INCREF(o);
        return o;
      }
    }
  }
  return wrap(a);
}

// ---- Calls -------------------------------------------------------------------------------------
[[gnu::noinline]] PyObject* call_fallback(const PyOp* self, PyObject* const* args, Py_ssize_t nargs,
                                          PyObject* kwnames) {
  if (!g.fallback) {
    PyErr_Format(PyExc_NotImplementedError, "%s(): this form of call needs the fallback to NumPy",
                 self->op->def.name);
    return nullptr;
  }
  Ref positional(PyTuple_New(nargs)), keywords(PyDict_New());
  if (!positional || !keywords) return nullptr;
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(positional.get(), i, args[i]);
  }
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k)
    if (PyDict_SetItem(keywords.get(), PyTuple_GET_ITEM(kwnames, k), args[nargs + k]) < 0)
      return nullptr;
  return PyObject_CallFunctionObjArgs(g.fallback, self->name, positional.get(), keywords.get(),
                                      nullptr);
}

// With an error set: the call by NumPy. Of two errors of one type ours tells more, and ours stays
// when NumPy has no such function.
[[gnu::cold, gnu::noinline]] PyObject* call_fallback_or_fail(const PyOp* self,
                                                             PyObject* const* args,
                                                             Py_ssize_t nargs, PyObject* kwnames) {
  Ref ours(take_exception());
  PyObject* result = call_fallback(self, args, nargs, kwnames);
  if (result || !(PyErr_ExceptionMatches(reinterpret_cast<PyObject*>(Py_TYPE(ours.get()))) ||
                  PyErr_ExceptionMatches(PyExc_NotImplementedError)))
    return result;
  PyErr_Clear();
  raise_exception(ours.release());
  return nullptr;
}

// Handles the C++ exception in flight. The Fallback kind goes to official NumPy, and so do
// arguments that cannot be converted: it takes some of them, or has its own error.
[[gnu::cold, gnu::noinline]] PyObject* failed(const PyOp* self, PyObject* const* args,
                                              Py_ssize_t nargs, PyObject* kwnames) {
  try {
    throw;
  } catch (const ArgumentError& e) {
    set_error(e);
    return call_fallback_or_fail(self, args, nargs, kwnames);
  } catch (const tvm::ffi::Error& e) {
    if (std::string_view(e.kind()) == "Fallback") return call_fallback(self, args, nargs, kwnames);
    set_error(e);
  } catch (const PythonError&) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError))
      return call_fallback_or_fail(self, args, nargs, kwnames);
  } catch (...) {
    set_error_from_exception();
  }
  return nullptr;
}

inline PyObject* run(const PyOp* self, TVMFFIAny* values, PyObject* const* args, Py_ssize_t nargs,
                     PyObject* kwnames) {
  const Op& op = *self->op;
  TVMFFIAny result = pod_any(kTVMFFINone, 0);
  try {
    Frame frame(op, values, &result);
    if (op.def.checks_fp) fp_begin();
    op.def.body(frame);
  } catch (...) {
    return failed(self, args, nargs, kwnames);
  }
  PyObject* object =
      wrap_result(self, &result, args, nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0));
  if (op.def.checks_fp && fp_end(op.def.name) < 0) {
    Py_XDECREF(object);
    return nullptr;
  }
  return object;
}

// Converts keyword arguments into their places; false with an exception set.
bool match_keywords(const PyOp* self, PyObject* const* values, PyObject* kwnames, uint32_t* given,
                    Converter* converter, TVMFFIAny* out) {
  const Schema& schema = self->op->schema;
  Py_ssize_t n = PyTuple_GET_SIZE(kwnames);
  for (Py_ssize_t k = 0; k < n; ++k) {
    PyObject* key = PyTuple_GET_ITEM(kwnames, k);
    int at = find_keyword(self, key);
    if (at == -2) return false;
    if (at < 0) {  // NumPy takes more rare ones, such as the `signature` of a ufunc
      const char* text = PyUnicode_AsUTF8(key);
      if (!text) return false;
      throw ArgumentError(
          cat(self->op->def.name, "() got an unexpected keyword argument '", text, "'"));
    }
    if (schema.params[static_cast<size_t>(at)].positional_only || (schema.variadic && at == 0)) {
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                   self->op->def.name, key);
      return false;
    }
    if (*given >> at & 1) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                   self->op->def.name, key);
      return false;
    }
    *given |= 1u << at;
    converter->convert(*self->op, at, values[k], &out[at]);
  }
  return true;
}

// Any operator.
PyObject* op_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                        PyObject* kwnames) {
  auto* self = reinterpret_cast<PyOp*>(callable);
  Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  const Op& op = *self->op;
  if (nargs > op.schema.num_positional) return fail_count(self, nargs), nullptr;
  TVMFFIAny values[kMaxParams];
  for (int i = static_cast<int>(nargs); i < self->num_params; ++i) values[i] = self->defaults[i];
  Converter converter;
  try {
    for (Py_ssize_t i = 0; i < nargs; ++i)
      converter.convert(op, static_cast<int>(i), args[i], &values[i]);
    uint32_t given = (1u << nargs) - 1;
    if (kwnames && !match_keywords(self, args + nargs, kwnames, &given, &converter, values))
      return nullptr;
    if ((given & self->required) != self->required)
      return fail_missing(self, std::countr_zero(self->required & ~given)), nullptr;
  } catch (...) {
    return failed(self, args, nargs, kwnames);
  }
  return run(self, values, args, nargs, kwnames);
}

// `*arrays` first, the rest by keyword.
PyObject* op_vectorcall_variadic(PyObject* callable, PyObject* const* args, size_t nargsf,
                                 PyObject* kwnames) {
  auto* self = reinterpret_cast<PyOp*>(callable);
  Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  TVMFFIAny values[kMaxParams];
  for (int i = 1; i < self->num_params; ++i) values[i] = self->defaults[i];
  Converter converter;
  try {
    converter.sequence({args, static_cast<size_t>(nargs)}, &values[0]);
    uint32_t given = 1;
    if (kwnames && !match_keywords(self, args + nargs, kwnames, &given, &converter, values))
      return nullptr;
  } catch (...) {
    return failed(self, args, nargs, kwnames);
  }
  return run(self, values, args, nargs, kwnames);
}

// f(shape) of operators that make arrays; anything more goes the general way.
PyObject* op_vectorcall_shape(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  auto* self = reinterpret_cast<PyOp*>(callable);
  constexpr Py_ssize_t kShort = 8;
  if (PyVectorcall_NARGS(nargsf) == 1 && !kwnames) {
    PyObject* const* items = args;
    Py_ssize_t n = 0, size = 1;
    if (PyTuple_CheckExact(args[0])) {
      items = &PyTuple_GET_ITEM(args[0], 0);
      size = PyTuple_GET_SIZE(args[0]);
    }
    int64_t dims[kShort];
    if (size <= kShort)
      while (n < size && PyLong_CheckExact(items[n]) && compact_long(items[n], &dims[n])) ++n;
    if (n == size) {
      try {
        return wrap(self->op->def.of_shape({dims, static_cast<size_t>(n)}));
      } catch (...) {
        return failed(self, args, 1, nullptr);
      }
    }
  }
  return op_vectorcall(callable, args, nargsf, kwnames);
}

// f(x) and f(x1, x2) of element-wise operators; anything more goes the general way.
PyObject* op_vectorcall_unary(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  auto* self = reinterpret_cast<PyOp*>(callable);
  if (PyVectorcall_NARGS(nargsf) != 1 || kwnames || !is_array(args[0]))
    return op_vectorcall(callable, args, nargsf, kwnames);
  try {
    fp_begin();
    return finish(self->op->def.name,
                  api().call_unary(*self->ufunc, tensor_any(array_of(args[0]))));
  } catch (...) {
    return failed(self, args, 1, nullptr);
  }
}

PyObject* op_vectorcall_binary(PyObject* callable, PyObject* const* args, size_t nargsf,
                               PyObject* kwnames) {
  auto* self = reinterpret_cast<PyOp*>(callable);
  Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  if (nargs == 2 && !kwnames) {
    Converter converter;
    try {
      TVMFFIAny x1, x2;
      converter.operand(args[0], &x1);
      converter.operand(args[1], &x2);
      fp_begin();
      return finish(self->op->def.name, api().call_binary(*self->ufunc, x1, x2));
    } catch (...) {
      return failed(self, args, nargs, kwnames);
    }
  }
  // f(x1, x2, out) and f(x1, x2, out=out)
  bool out_only = kwnames ? nargs == 2 && PyTuple_GET_SIZE(kwnames) == 1 &&
                                PyTuple_GET_ITEM(kwnames, 0) == self->keywords[2]
                          : nargs == 3;
  if (out_only && is_array(args[2])) {
    Converter converter;
    try {
      TVMFFIAny x1, x2;
      converter.operand(args[0], &x1);
      converter.operand(args[1], &x2);
      fp_begin();
      api().call_binary_out(*self->ufunc, x1, x2, array_of(args[2]));
      if (fp_end(self->op->def.name) < 0) return nullptr;
    } catch (...) {
      return failed(self, args, nargs, kwnames);
    }
    Py_INCREF(args[2]);
    return args[2];
  }
  return op_vectorcall(callable, args, nargsf, kwnames);
}

// ---- The type ----------------------------------------------------------------------------------
void op_dealloc(PyObject* o) {
  auto* self = reinterpret_cast<PyOp*>(o);
  if (self->weakrefs) PyObject_ClearWeakRefs(o);
  for (int i = 0; i < self->num_params; ++i) Py_XDECREF(self->keywords[i]);
  PyMem_Free(self->keywords);
  PyMem_Free(self->defaults);
  Py_XDECREF(self->name);
  Py_XDECREF(self->result_type);
  Py_XDECREF(self->dict);
  PyObject_Free(o);
}

PyObject* op_repr(PyObject* o) {
  return PyUnicode_FromFormat("<isthmus operator '%s'>", reinterpret_cast<PyOp*>(o)->op->def.name);
}

// Operators in a class body behave as functions do: a.sum() passes a first.
PyObject* op_descr_get(PyObject* self, PyObject* instance, PyObject*) {
  if (!instance || instance == Py_None) {
    Py_INCREF(self);
    return self;
  }
  return PyMethod_New(self, instance);
}

PyObject* op_get_name(PyObject* o, void*) {
  // The public name: "inv" for "linalg.inv".
  const char* name = reinterpret_cast<PyOp*>(o)->op->def.name;
  const char* dot = std::strrchr(name, '.');
  return PyUnicode_FromString(dot ? dot + 1 : name);
}
PyObject* op_get_module(PyObject* o, void*) {
  const OpDef& def = reinterpret_cast<PyOp*>(o)->op->def;
  const char* name = def.name;
  std::string_view module(name);
  size_t dot = module.rfind('.');
  module = module.substr(0, dot == std::string_view::npos ? 0 : dot);
  // Operators of users are named in full.
  std::string text = def.function ? std::string() : "isthmus.np";
  if (!module.empty()) text += (text.empty() ? "" : ".") + std::string(module);
  return PyUnicode_FromString(text.c_str());
}
PyObject* op_get_doc(PyObject* o, void*) {
  const OpDef& d = reinterpret_cast<PyOp*>(o)->op->def;
  const char* dot = std::strrchr(d.name, '.');
  return PyUnicode_FromFormat("%s%s\n\n%s", dot ? dot + 1 : d.name, d.signature, d.doc);
}
PyObject* op_get_schema(PyObject* o, void*) {
  return PyUnicode_FromString(reinterpret_cast<PyOp*>(o)->op->def.signature);
}
// (name, type, default text or None, kind) for each parameter; the package makes __signature__ of
// it.
PyObject* op_get_parameters(PyObject* o, void*) {
  const Schema& s = reinterpret_cast<PyOp*>(o)->op->schema;
  Ref list(PyList_New(0));
  for (size_t i = 0; list && i < s.params.size(); ++i) {
    const Param& p = s.params[i];
    const char* kind = s.variadic && i == 0 ? "*"
                       : p.positional_only  ? "/"
                       : p.keyword_only     ? "kw"
                                            : "";
    Ref row(p.required || (s.variadic && i == 0)
                ? Py_BuildValue("(sOs)", p.name.c_str(), Py_None, kind)
                : Py_BuildValue("(sss)", p.name.c_str(), p.default_text.c_str(), kind));
    if (!row || PyList_Append(list.get(), row.get()) < 0) return nullptr;
  }
  return list.release();
}
PyObject* op_get_signature(PyObject* o, void*) {
  Ref module(PyImport_ImportModule("isthmus._signature"));
  if (!module) {
    if (PyErr_ExceptionMatches(PyExc_ImportError)) {
      PyErr_Clear();
      PyErr_SetString(PyExc_AttributeError, "__signature__");
    }
    return nullptr;
  }
  return PyObject_CallMethod(module.get(), "signature_of", "O", o);
}
PyObject* op_get_nin(PyObject* o, void*) {
  const Ufunc* u = reinterpret_cast<PyOp*>(o)->op->def.ufunc;
  if (!u) return PyErr_SetString(PyExc_AttributeError, "nin"), nullptr;
  return PyLong_FromLong(u->nin);
}
PyObject* op_get_nout(PyObject* o, void*) {
  const Ufunc* u = reinterpret_cast<PyOp*>(o)->op->def.ufunc;
  if (!u) return PyErr_SetString(PyExc_AttributeError, "nout"), nullptr;
  return PyLong_FromLong(u->nout);
}
int op_set_result_type(PyObject* o, PyObject* value, void*) {
  auto* self = reinterpret_cast<PyOp*>(o);
  Py_XINCREF(value);
  Py_XSETREF(self->result_type, value);
  return 0;
}
PyObject* op_reduce(PyObject* o, PyObject*) {
  return PyUnicode_FromFormat("%s", reinterpret_cast<PyOp*>(o)->op->def.name);
}
PyObject* op_pickle(PyObject* o, PyObject*) {
  Ref module(PyImport_ImportModule("isthmus._native"));
  if (!module) return nullptr;
  Ref get(PyObject_GetAttrString(module.get(), "get_op"));
  if (!get) return nullptr;
  return Py_BuildValue("(O(O))", get.get(), reinterpret_cast<PyOp*>(o)->name);
}

// What NumPy's ufuncs have beside the call (reduce, accumulate, outer, at, types, identity, ...)
// comes from theirs.
PyObject* op_getattro(PyObject* o, PyObject* name) {
  PyObject* found = PyObject_GenericGetAttr(o, name);
  if (found || !reinterpret_cast<PyOp*>(o)->op->def.ufunc ||
      !PyErr_ExceptionMatches(PyExc_AttributeError))
    return found;
  PyErr_Clear();
  Ref module(PyImport_ImportModule("isthmus._fallback"));
  return module ? PyObject_CallMethod(module.get(), "ufunc_attribute", "OO",
                                      reinterpret_cast<PyOp*>(o)->name, name)
                : nullptr;
}

PyGetSetDef op_getset[] = {
    {"__name__", op_get_name, nullptr, nullptr, nullptr},
    {"__qualname__", op_get_name, nullptr, nullptr, nullptr},
    {"__module__", op_get_module, nullptr, nullptr, nullptr},
    {"__doc__", op_get_doc, nullptr, nullptr, nullptr},
    {"__signature__", op_get_signature, nullptr, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
    {"schema", op_get_schema, nullptr, "The operator's signature as registered.", nullptr},
    {"parameters", op_get_parameters, nullptr, "Rows (name, default text or None, kind).", nullptr},
    {"nin", op_get_nin, nullptr, "Number of inputs of an element-wise operator.", nullptr},
    {"nout", op_get_nout, nullptr, "Number of outputs of an element-wise operator.", nullptr},
    {"_result_type", nullptr, op_set_result_type, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef op_methods[] = {
    {"__reduce__", op_pickle, METH_NOARGS, nullptr},
    {"_full_name", op_reduce, METH_NOARGS, nullptr},
    {"bind", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(op_bind)),
     METH_FASTCALL | METH_KEYWORDS,
     "bind(**constants)\n--\n\nA function with these arguments converted "
     "once; calls give the others, by position or keyword."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

PyTypeObject op_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

PyObject* run_op(const PyOp* op, TVMFFIAny* values, PyObject* const* args, Py_ssize_t nargs,
                 PyObject* kwnames) {
  return run(op, values, args, nargs, kwnames);
}

int ready_op_type() {
  op_type.tp_name = "isthmus.Op";
  op_type.tp_basicsize = sizeof(PyOp);
  op_type.tp_dealloc = op_dealloc;
  op_type.tp_repr = op_repr;
  op_type.tp_call = PyVectorcall_Call;
  op_type.tp_vectorcall_offset = offsetof(PyOp, vectorcall);
  op_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR;
  op_type.tp_descr_get = op_descr_get;
  op_type.tp_getset = op_getset;
  op_type.tp_methods = op_methods;
  op_type.tp_dictoffset = offsetof(PyOp, dict);
  op_type.tp_weaklistoffset = offsetof(PyOp, weakrefs);
  op_type.tp_getattro = op_getattro;
  op_type.tp_setattro = PyObject_GenericSetAttr;
  return PyType_Ready(&op_type);
}

PyObject* make_op(const Op* op) {
  int n = static_cast<int>(op->schema.params.size());
  auto* self = PyObject_New(PyOp, &op_type);
  if (!self) return nullptr;
  self->op = op;
  const Ufunc* u = op->def.ufunc;
  self->ufunc = u && u->nout == 1 ? u : nullptr;
  self->vectorcall = op->schema.variadic                    ? op_vectorcall_variadic
                     : self->ufunc && self->ufunc->nin == 1 ? op_vectorcall_unary
                     : self->ufunc && self->ufunc->nin == 2 ? op_vectorcall_binary
                     : op->def.of_shape                     ? op_vectorcall_shape
                                                            : op_vectorcall;
  self->name = PyUnicode_InternFromString(op->def.name);
  self->num_params = n;
  self->result_type = nullptr;
  self->dict = nullptr;
  self->weakrefs = nullptr;
  self->keywords =
      static_cast<PyObject**>(PyMem_Calloc(static_cast<size_t>(n) + 1, sizeof(PyObject*)));
  self->defaults =
      static_cast<TVMFFIAny*>(PyMem_Calloc(static_cast<size_t>(n) + 1, sizeof(TVMFFIAny)));
  self->required = 0;
  if (!self->keywords || !self->defaults || !self->name) {
    self->num_params = 0;
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  for (int i = 0; i < n; ++i) {
    const Param& p = op->schema.params[static_cast<size_t>(i)];
    self->keywords[i] = PyUnicode_InternFromString(p.name.c_str());
    self->defaults[i] = p.default_value;
    if (p.required && !(op->schema.variadic && i == 0)) self->required |= 1u << i;
  }
  return reinterpret_cast<PyObject*>(self);
}

}  // namespace isthmus::py
