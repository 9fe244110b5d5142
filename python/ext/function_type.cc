// function_type.cc: Function (any function of the registry) and Device.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "ext.h"

namespace isthmus::py {

PyTypeObject function_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject device_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

PyObject* function_vectorcall(PyObject* callable, PyObject* const* args, size_t nargsf,
                              PyObject* kwnames) {
  auto* self = reinterpret_cast<PyFunction*>(callable);
  Py_ssize_t n = PyVectorcall_NARGS(nargsf);
  if (kwnames && PyTuple_GET_SIZE(kwnames) > 0) {
    PyErr_SetString(PyExc_TypeError, "functions of the registry take no keyword arguments");
    return nullptr;
  }
  constexpr Py_ssize_t kStack = 8;
  TVMFFIAny few[kStack];
  std::vector<TVMFFIAny> many;
  TVMFFIAny* values = few;
  Converter converter;
  TVMFFIAny result = pod_any(kTVMFFINone, 0);
  try {
    if (n > kStack) {
      many.resize(static_cast<size_t>(n));
      values = many.data();
    }
    for (Py_ssize_t i = 0; i < n; ++i) converter.value(args[i], &values[i]);
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
  auto* cell = reinterpret_cast<const TVMFFIFunctionCell*>(
      reinterpret_cast<const char*>(self->function) + sizeof(TVMFFIObject));
  if (cell->safe_call(self->function, values, static_cast<int32_t>(n), &result) != 0) {
    set_error_from_ffi();
    return nullptr;
  }
  if (result.type_index == kTVMFFINone) Py_RETURN_NONE;
  return any_to_python(&result);
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
  if (!self->name) return PyUnicode_FromString("<anonymous>");
  Py_INCREF(self->name);
  return self->name;
}
PyGetSetDef function_getset[] = {{"__name__", function_name, nullptr, nullptr, nullptr},
                                 {"__qualname__", function_name, nullptr, nullptr, nullptr},
                                 {nullptr, nullptr, nullptr, nullptr, nullptr}};

// ---- Device ------------------------------------------------------------------------------------
const char* device_name(int type) {
  switch (type) {
    case kDLCPU: return "cpu";
    case kDLCUDA: return "gpu";
    case kDLCUDAHost: return "cpu_pinned";
    default: return "device";
  }
}
PyObject* device_repr(PyObject* o) {
  DLDevice d = reinterpret_cast<PyDevice*>(o)->device;
  return PyUnicode_FromFormat("%s(%d)", device_name(d.device_type), d.device_id);
}
PyObject* device_compare(PyObject* a, PyObject* b, int op) {
  if ((op != Py_EQ && op != Py_NE)) Py_RETURN_NOTIMPLEMENTED;
  bool same;
  if (Py_TYPE(b) == &device_type) {
    DLDevice x = reinterpret_cast<PyDevice*>(a)->device, y = reinterpret_cast<PyDevice*>(b)->device;
    same = x.device_type == y.device_type && x.device_id == y.device_id;
  } else if (PyUnicode_Check(b)) {
    // The array API spells devices as strings: "cpu".
    DLDevice x = reinterpret_cast<PyDevice*>(a)->device;
    same = PyUnicode_CompareWithASCIIString(b, device_name(x.device_type)) == 0 && x.device_id == 0;
  } else {
    Py_RETURN_NOTIMPLEMENTED;
  }
  return PyBool_FromLong(same == (op == Py_EQ));
}
Py_hash_t device_hash(PyObject* o) {
  DLDevice d = reinterpret_cast<PyDevice*>(o)->device;
  return d.device_type * 1000003 + d.device_id;
}
PyObject* device_get_type(PyObject* o, void*) {
  return PyUnicode_FromString(device_name(reinterpret_cast<PyDevice*>(o)->device.device_type));
}
PyObject* device_get_id(PyObject* o, void*) {
  return PyLong_FromLong(reinterpret_cast<PyDevice*>(o)->device.device_id);
}
PyGetSetDef device_getset[] = {
    {"device_type", device_get_type, nullptr, "Kind of device, such as 'cpu'.", nullptr},
    {"device_id", device_get_id, nullptr, "Index among devices of the kind.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyObject* device_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* kNames[] = {"device_type", "device_id", nullptr};
  const char* type = nullptr;
  int id = 0;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|i", const_cast<char**>(kNames), &type, &id))
    return nullptr;
  std::string_view name(type);
  DLDevice d{name == "cpu" ? kDLCPU : kDLCUDA, id};
  if (name != "cpu" && name != "gpu")
    return PyErr_Format(PyExc_ValueError, "unknown device type '%s', expected 'cpu' or 'gpu'",
                        type);
  return make_device(d);
}
PyObject* device_reduce(PyObject* o, PyObject*) {
  DLDevice d = reinterpret_cast<PyDevice*>(o)->device;
  return Py_BuildValue("(O(si))", &device_type, device_name(d.device_type), d.device_id);
}
PyMethodDef device_methods[] = {{"__reduce__", device_reduce, METH_NOARGS, nullptr},
                                {nullptr, nullptr, 0, nullptr}};

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
  return reinterpret_cast<PyObject*>(self);
}

PyObject* make_device(DLDevice device) {
  auto* self = PyObject_New(PyDevice, &device_type);
  if (!self) return nullptr;
  self->device = device;
  return reinterpret_cast<PyObject*>(self);
}

int ready_function_types() {
  function_type.tp_name = "isthmus.ffi.Function";
  function_type.tp_basicsize = sizeof(PyFunction);
  function_type.tp_dealloc = function_dealloc;
  function_type.tp_repr = function_repr;
  function_type.tp_call = PyVectorcall_Call;
  function_type.tp_vectorcall_offset = offsetof(PyFunction, vectorcall);
  function_type.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  function_type.tp_getset = function_getset;
  if (PyType_Ready(&function_type) < 0) return -1;
  device_type.tp_name = "isthmus.Device";
  device_type.tp_doc =
      PyDoc_STR("Device(device_type, device_id=0): where an array's elements are.");
  device_type.tp_basicsize = sizeof(PyDevice);
  device_type.tp_repr = device_repr;
  device_type.tp_richcompare = device_compare;
  device_type.tp_hash = device_hash;
  device_type.tp_getset = device_getset;
  device_type.tp_methods = device_methods;
  device_type.tp_new = device_new;
  device_type.tp_flags = Py_TPFLAGS_DEFAULT;
  return PyType_Ready(&device_type);
}

}  // namespace isthmus::py
