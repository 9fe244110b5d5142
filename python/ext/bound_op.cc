// bound_op.cc: an operator with some arguments fixed, which were converted once (two-phase calls).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>

#include "ext.h"

namespace isthmus::py {
namespace {

PyTypeObject bound_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

// A Function to Python; C++ sees a callback.
struct PyBound {
  PyFunction base;
  PyObject* op;         // owned
  PyObject* constants;  // dict; owns what the converted values refer to
  Converter* converter;
  TVMFFIAny values[kMaxParams];  // constants and defaults
  uint32_t fixed;                // bit mask of the bound parameters
  int num_open;
  uint8_t open[kMaxParams];  // parameters that a call may give by position, in order
};
PyBound* as_bound(PyObject* o) { return reinterpret_cast<PyBound*>(o); }
const PyOp* op_of(const PyBound* b) { return reinterpret_cast<const PyOp*>(b->op); }

// The same call without binding: what needs official NumPy goes through the operator itself.
PyObject* call_unbound(PyBound* self, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  const PyOp* op = op_of(self);
  Ref keywords(PyDict_Copy(self->constants));
  if (!keywords) return nullptr;
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k)
    if (PyDict_SetItem(keywords.get(), PyTuple_GET_ITEM(kwnames, k), args[nargs + k]) < 0)
      return nullptr;
  Py_ssize_t leading = 0;  // arguments whose place is the same in the whole call
  while (leading < nargs && self->open[leading] == leading) ++leading;
  for (Py_ssize_t i = leading; i < nargs; ++i)
    if (PyDict_SetItem(keywords.get(), op->keywords[self->open[i]], args[i]) < 0) return nullptr;
  Ref positional(PyTuple_New(leading));
  for (Py_ssize_t i = 0; positional && i < leading; ++i)
    PyTuple_SET_ITEM(positional.get(), i, Py_NewRef(args[i]));
  return positional ? PyObject_Call(self->op, positional.get(), keywords.get()) : nullptr;
}

PyObject* bound_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                           PyObject* kwnames) {
  PyBound* self = as_bound(callable);
  const PyOp* op = op_of(self);
  Py_ssize_t nargs = PyVectorcall_NARGS(nargsf);
  if (nargs > self->num_open)
    return PyErr_Format(
        PyExc_TypeError,
        "%s() takes at most %d positional arguments beside the bound ones (%zd given)",
        op->op->def.name, self->num_open, nargs);
  if (kwnames && PyTuple_GET_SIZE(kwnames)) return call_unbound(self, args, nargs, kwnames);
  TVMFFIAny values[kMaxParams];
  std::copy(self->values, self->values + op->num_params, values);
  uint32_t given = self->fixed;
  Converter converter;
  try {
    for (Py_ssize_t i = 0; i < nargs; ++i) {
      int at = self->open[i];
      converter.convert(*op->op, at, args[i], &values[at]);
      given |= 1u << at;
    }
    // A missing argument, or one that only official NumPy takes.
    if ((given & op->required) != op->required) return call_unbound(self, args, nargs, kwnames);
    return run_op(op, values, args, nargs, nullptr);
  } catch (const ArgumentError&) {
    return call_unbound(self, args, nargs, kwnames);
  } catch (const tvm::ffi::Error& e) {
    if (e.kind() == "Fallback") return call_unbound(self, args, nargs, kwnames);
    set_error(e);
  } catch (...) {
    set_error_from_exception();
  }
  return nullptr;
}

int bound_traverse(PyObject* o, visitproc visit, void* arg) {
  Py_VISIT(as_bound(o)->op);
  Py_VISIT(as_bound(o)->constants);
  return 0;
}
void bound_dealloc(PyObject* o) {
  PyObject_GC_UnTrack(o);
  PyBound* self = as_bound(o);
  delete self->converter;
  Py_XDECREF(self->op);
  Py_XDECREF(self->constants);
  Py_XDECREF(self->base.name);
  PyObject_GC_Del(o);
}
PyObject* bound_repr(PyObject* o) {
  return PyUnicode_FromFormat("<isthmus operator '%s' with %R bound>",
                              op_of(as_bound(o))->op->def.name, as_bound(o)->constants);
}
PyObject* bound_doc(PyObject* o, void*) {
  return PyObject_GetAttrString(as_bound(o)->op, "__doc__");
}
PyObject* bound_signature(PyObject* o, void*) {
  Ref module(PyImport_ImportModule("isthmus._signature"));
  return module ? PyObject_CallMethod(module.get(), "bound_signature", "OO", as_bound(o)->op,
                                      as_bound(o)->constants)
                : nullptr;
}
PyObject* bound_constants(PyObject* o, void*) { return PyDict_Copy(as_bound(o)->constants); }
PyObject* bound_get_op(PyObject* o, void*) { return Py_NewRef(as_bound(o)->op); }
PyObject* bound_compare(PyObject*, PyObject*, int) { Py_RETURN_NOTIMPLEMENTED; }
PyObject* bound_false(PyObject*, void*) { Py_RETURN_FALSE; }
PyGetSetDef bound_getset[] = {
    {"__doc__", bound_doc, nullptr, nullptr, nullptr},
    {"__signature__", bound_signature, nullptr, nullptr, nullptr},
    {"release_gil", bound_false, nullptr, nullptr, nullptr},
    {"op", bound_get_op, nullptr, "The operator.", nullptr},
    {"constants", bound_constants, nullptr, "Copy of the bound arguments.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyObject* op_bind(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  auto* op = reinterpret_cast<const PyOp*>(o);
  if (nargs) return PyErr_Format(PyExc_TypeError, "bind() takes keyword arguments only");
  if (op->op->schema.variadic)
    return PyErr_Format(PyExc_TypeError, "%s() takes any number of arrays and cannot be bound",
                        op->op->def.name);
  PyBound* self = PyObject_GC_New(PyBound, &bound_type);
  if (!self) return nullptr;
  self->base.vectorcall = bound_vectorcall;
  self->base.function = nullptr;
  self->base.name = Py_NewRef(op->name);
  self->base.releases_gil = false;
  self->op = Py_NewRef(o);
  self->constants = PyDict_New();
  self->converter = new (std::nothrow) Converter;
  self->fixed = 0;
  self->num_open = 0;
  Ref held(reinterpret_cast<PyObject*>(self));
  PyObject_GC_Track(self);
  if (!self->constants || !self->converter) return PyErr_NoMemory();
  std::copy(op->defaults, op->defaults + op->num_params, self->values);
  bool convertible = true;
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject *key = PyTuple_GET_ITEM(kwnames, k), *value = args[k];
    int at = find_keyword(op, key);
    if (at == -2) return nullptr;
    if (at < 0)
      return PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                          op->op->def.name, key);
    if (PyDict_SetItem(self->constants, key, value) < 0) return nullptr;
    try {
      self->converter->convert(*op->op, at, value, &self->values[at]);
    } catch (const tvm::ffi::Error& e) {
      if (e.kind() != "Fallback") return set_error(e), nullptr;
      convertible = false;
    } catch (...) {
      return set_error_from_exception(), nullptr;
    }
    self->fixed |= 1u << at;
  }
  // With a constant that only official NumPy takes, every call goes there.
  if (!convertible) self->fixed = 0;
  for (int i = 0; i < op->op->schema.num_positional; ++i) {
    bool bound = PyDict_Contains(self->constants, op->keywords[i]) == 1;
    if (!bound) self->open[self->num_open++] = static_cast<uint8_t>(i);
  }
  return held.release();
}

int ready_bound_type() {
  bound_type.tp_name = "isthmus.ffi.BoundOp";
  bound_type.tp_doc = PyDoc_STR("An operator with some arguments bound; see Op.bind.");
  bound_type.tp_base = &function_type;
  bound_type.tp_basicsize = sizeof(PyBound);
  bound_type.tp_dealloc = bound_dealloc;
  bound_type.tp_traverse = bound_traverse;
  bound_type.tp_repr = bound_repr;
  bound_type.tp_call = PyVectorcall_Call;
  bound_type.tp_richcompare = bound_compare;
  bound_type.tp_hash = PyBaseObject_Type.tp_hash;
  bound_type.tp_vectorcall_offset = offsetof(PyFunction, vectorcall);
  bound_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_HAVE_GC;
  bound_type.tp_getset = bound_getset;
  bound_type.tp_free = PyObject_GC_Del;
  return PyType_Ready(&bound_type);
}

}  // namespace isthmus::py
