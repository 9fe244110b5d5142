// device_type.cc: Device, where an array's elements are.
// SPDX-License-Identifier: Apache-2.0
#include "ext.h"

namespace isthmus::py {

PyTypeObject device_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

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

PyObject* make_device(DLDevice device) {
  auto* self = PyObject_New(PyDevice, &device_type);
  if (!self) return nullptr;
  self->device = device;
  return reinterpret_cast<PyObject*>(self);
}

int ready_device_type() {
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
