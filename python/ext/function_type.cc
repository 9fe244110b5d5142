// function_type.cc: Function, any function of the registry.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstring>

#include "ext.h"

namespace isthmus::py {

PyTypeObject function_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

constexpr Py_ssize_t kStack = 8;

PyObject* invoke(PyFunction* self, const TVMFFIAny* values, Py_ssize_t n) {
  TVMFFIAny result = pod_any(kTVMFFINone, 0);
  auto* cell = cell_of<TVMFFIFunctionCell>(self->function);
  int code;
  if (self->releases_gil) {
    Converting lent;  // other threads may reshape the arrays
    PyThreadState* state = PyEval_SaveThread();
    code = cell->safe_call(self->function, values, static_cast<int32_t>(n), &result);
    waiting_for_gil([&] { PyEval_RestoreThread(state); });
  } else {
    code = cell->safe_call(self->function, values, static_cast<int32_t>(n), &result);
  }
  if (code != 0) {
    set_error_from_ffi();
    return nullptr;
  }
  if (result.type_index == kTVMFFINone) Py_RETURN_NONE;
  if (result.type_index == kTVMFFITensor) return any_to_python(&result);
  PyObject* object = value_to_python(result);
  if (result.type_index >= kTVMFFIStaticObjectBegin) drop_value(result.v_obj);
  return object;
}

[[gnu::noinline]] PyObject* call_with_many(PyFunction* self, PyObject* const* args, Py_ssize_t n) {
  return guarded([&] {
    std::vector<TVMFFIAny> values(static_cast<size_t>(n));
    Converter converter;
    for (Py_ssize_t i = 0; i < n; ++i) converter.value(args[i], &values[static_cast<size_t>(i)]);
    return invoke(self, values.data(), n);
  });
}

PyObject* function_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  auto* self = reinterpret_cast<PyFunction*>(callable);
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (kwnames && PyTuple_GET_SIZE(kwnames) > 0) {
    PyErr_SetString(PyExc_TypeError, "functions of the registry take no keyword arguments");
    return nullptr;
  }
  if (n == 0) return invoke(self, nullptr, 0);
  if (n > kStack) return call_with_many(self, args, n);
  TVMFFIAny values[kStack];
  Converter converter;
  try {
    for (Py_ssize_t i = 0; i < n; ++i) converter.value(args[i], &values[i]);
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
  return invoke(self, values, n);
}

// Function(callable): a Python callable as C++ sees it.
PyObject* function_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  PyObject* callable;
  if (kwargs && PyDict_GET_SIZE(kwargs))
    return PyErr_Format(PyExc_TypeError, "Function() takes no keyword arguments");
  if (!PyArg_ParseTuple(args, "O:Function", &callable)) return nullptr;
  if (Py_TYPE(callable) == &function_type) return Py_NewRef(callable);
  if (!PyCallable_Check(callable))
    return PyErr_Format(PyExc_TypeError, "Function() expects a callable, not %.200s",
                        Py_TYPE(callable)->tp_name);
  return guarded([&] {
    Ref name(PyObject_GetAttrString(callable, "__name__"));
    if (!name) PyErr_Clear();
    return make_function(make_callback(callable),
                         name && PyUnicode_Check(name.get()) ? name.get() : nullptr);
  });
}

void function_dealloc(PyObject* o) {
  auto* self = reinterpret_cast<PyFunction*>(o);
  if (self->function) object_decref(self->function);
  Py_XDECREF(self->name);
  PyObject_Free(o);
}

PyObject* function_repr(PyObject* o) {
  auto* self = reinterpret_cast<PyFunction*>(o);
  return self->name ? PyUnicode_FromFormat("<isthmus function %R>", self->name)
                    : PyUnicode_FromFormat("<isthmus function at %p>", self->function);
}
PyObject* function_name(PyObject* o, void*) {
  auto* self = reinterpret_cast<PyFunction*>(o);
  return self->name ? Py_NewRef(self->name) : PyUnicode_FromString("<anonymous>");
}
// Documentation and signature come from the registry, through the package.
PyObject* from_package(PyObject* o, const char* what) {
  auto* self = reinterpret_cast<PyFunction*>(o);
  Ref module(PyImport_ImportModule("isthmus._signature"));
  return module ? PyObject_CallMethod(module.get(), "function_attribute", "sO", what,
                                      self->name ? self->name : Py_None)
                : nullptr;
}
PyObject* function_doc(PyObject* o, void*) { return from_package(o, "__doc__"); }
PyObject* function_signature(PyObject* o, void*) { return from_package(o, "__signature__"); }
PyObject* function_get_releases(PyObject* o, void*) {
  return PyBool_FromLong(reinterpret_cast<PyFunction*>(o)->releases_gil);
}
int function_set_releases(PyObject* o, PyObject* value, void*) {
  int truth = value ? PyObject_IsTrue(value) : -1;
  if (!value) PyErr_SetString(PyExc_AttributeError, "release_gil cannot be deleted");
  if (truth < 0) return -1;
  reinterpret_cast<PyFunction*>(o)->releases_gil = truth;
  return 0;
}
PyObject* function_compare(PyObject* a, PyObject* b, int op) {
  if ((op != Py_EQ && op != Py_NE) || Py_TYPE(a) != Py_TYPE(b)) Py_RETURN_NOTIMPLEMENTED;
  bool same =
      reinterpret_cast<PyFunction*>(a)->function == reinterpret_cast<PyFunction*>(b)->function;
  return PyBool_FromLong(same == (op == Py_EQ));
}
Py_hash_t function_hash(PyObject* o) {
  return static_cast<Py_hash_t>(
      reinterpret_cast<uintptr_t>(reinterpret_cast<PyFunction*>(o)->function) >> 4);
}
PyGetSetDef function_getset[] = {
    {"__name__", function_name, nullptr, nullptr, nullptr},
    {"__qualname__", function_name, nullptr, nullptr, nullptr},
    {"__doc__", function_doc, nullptr, nullptr, nullptr},
    {"__signature__", function_signature, nullptr, nullptr, nullptr},
    {"release_gil", function_get_releases, function_set_releases,
     "Whether other Python threads run during a call. False saves some 50 ns, and is right for a "
     "function that is short and waits for no other thread.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

PyObject* make_function(TVMFFIObject* owned, PyObject* name) {
  auto* self = PyObject_New(PyFunction, &function_type);
  if (!self) {
    object_decref(owned);
    return nullptr;
  }
  self->vectorcall = function_vectorcall;
  self->function = owned;
  Py_XINCREF(name);
  self->name = name;
  const char* s = name ? PyUnicode_AsUTF8(name) : nullptr;
  if (name && !s) PyErr_Clear();
  bool core = s && (std::strncmp(s, "isthmus.", 8) == 0 || std::strncmp(s, "ffi.", 4) == 0);
  self->releases_gil = !core && !callable_of(owned);
  return reinterpret_cast<PyObject*>(self);
}

int ready_function_types() {
  function_type.tp_name = "isthmus.ffi.Function";
  function_type.tp_basicsize = sizeof(PyFunction);
  function_type.tp_dealloc = function_dealloc;
  function_type.tp_repr = function_repr;
  function_type.tp_new = function_new;
  function_type.tp_call = PyVectorcall_Call;
  function_type.tp_richcompare = function_compare;
  function_type.tp_hash = function_hash;
  function_type.tp_vectorcall_offset = offsetof(PyFunction, vectorcall);
  function_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  function_type.tp_getset = function_getset;
  return PyType_Ready(&function_type);
}

}  // namespace isthmus::py
