// module.cc: isthmus._native: state, module functions, initialisation.
// SPDX-License-Identifier: Apache-2.0
#define ISTHMUS_IMPORTS_NUMPY
#include <cstring>

#include "ext.h"

namespace isthmus::py {

State g;

int ready_op_type();
int ready_bound_type();
int ready_array_types();
int ready_function_types();
int ready_device_type();
int ready_object_types();
PyObject* native_type_index(PyObject*, PyObject* key);
PyObject* native_type_info(PyObject*, PyObject* number);
PyObject* native_type_attr(PyObject*, PyObject* args);
PyObject* native_init_object(PyObject*, PyObject* args);
PyObject* native_object_address(PyObject*, PyObject* o);
PyObject* native_object_type_index(PyObject*, PyObject* o);
PyObject* native_op_from_loops(PyObject*, PyObject* args);

namespace {

// ---- array, asarray ----------------------------------------------------------------------------
struct ArrayArgs {
  PyObject* object = nullptr;
  PyObject* dtype = Py_None;
  PyObject* copy = nullptr;
  PyObject* order = nullptr;
  int64_t ndmin = 0;
};

bool parse_array_args(const char* function, PyObject* const* args, Py_ssize_t nargs,
                      PyObject* kwnames, ArrayArgs* out) {
  bool is_asarray = std::strcmp(function, "asarray") == 0;
  Py_ssize_t most = is_asarray ? 3 : 2;
  if (nargs > most)
    return PyErr_Format(PyExc_TypeError,
                        "%s() takes from 1 to %zd positional arguments but %zd were given",
                        function, most, nargs),
           false;
  if (nargs > 0) out->object = args[0];
  if (nargs > 1) out->dtype = args[1];
  if (nargs > 2) out->order = args[2];
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject *key = PyTuple_GET_ITEM(kwnames, k), *value = args[nargs + k];
    auto is = [&](const char* s) { return PyUnicode_CompareWithASCIIString(key, s) == 0; };
    if (is("dtype")) {
      out->dtype = value;
    } else if (is("copy")) {
      out->copy = value;
    } else if (is("order")) {
      out->order = value;
    } else if (is(is_asarray ? "a" : "object")) {
      out->object = value;
    } else if (is("ndmin") && !is_asarray) {
      out->ndmin = PyLong_AsLongLong(value);
      if (out->ndmin == -1 && PyErr_Occurred()) return false;
      if (out->ndmin > kMaxDims || out->ndmin < 0)
        return PyErr_Format(PyExc_ValueError, "ndmin must be between 0 and %d, got %R", kMaxDims,
                            value),
               false;
    } else if (is("subok") || is("like") || is("device") || is("ctx")) {
      if (is("device") && value != Py_None && Py_TYPE(value) != &device_type &&
          !(PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, "cpu") == 0))
        return PyErr_Format(PyExc_ValueError, "device must be 'cpu' or None, got %R", value), false;
    } else {
      return PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", function,
                          key),
             false;
    }
  }
  if (!out->object)
    return PyErr_Format(PyExc_TypeError, "%s() missing required argument 'object' (pos 0)",
                        function),
           false;
  if (out->order && out->order != Py_None) {
    const char* s = PyUnicode_Check(out->order) ? PyUnicode_AsUTF8(out->order) : nullptr;
    if (!s || !*s || s[1] || !std::strchr("CFAKcfak", *s)) {
      PyErr_Clear();
      return PyErr_Format(PyUnicode_Check(out->order) ? PyExc_ValueError : PyExc_TypeError,
                          "order must be one of 'C', 'F', 'A', or 'K' (got %R)", out->order),
             false;
    }
  } else {
    out->order = nullptr;
  }
  return true;
}

// Whether elements were copied from an array that is not in column-major order; order='A' of the
// copy is row-major then.
[[gnu::cold, gnu::noinline]] bool copied_from_rows(const NDArrayObj* a, PyObject* source) {
  if (is_array(source))
    return a->data != array_of(source)->data && !array_of(source)->f_contiguous();
  if (!PyArray_Check(source)) return false;
  auto* host = reinterpret_cast<PyArrayObject*>(source);
  return a->data != PyArray_DATA(host) && !PyArray_IS_F_CONTIGUOUS(host);
}

PyObject* with_order(PyObject* array, const ArrayArgs& in) {
  Ref held(array);
  if (!array) return nullptr;
  NDArrayObj* a = array_of(array);
  char order = in.order ? PyUnicode_AsUTF8(in.order)[0] : 'K';
  bool wants_c =
      !a->c_contiguous() && (order == 'C' || order == 'c' ||
                             ((order == 'A' || order == 'a') && copied_from_rows(a, in.object)));
  bool wants_f = (order == 'F' || order == 'f') && !a->f_contiguous();
  if (wants_c || wants_f) {
    held = Ref(PyObject_CallMethod(array, "copy", "s", wants_c ? "C" : "F"));
    if (!held) return nullptr;
    a = array_of(held.get());
  }
  if (in.ndmin > a->ndim) {
    return guarded([&] {
      int64_t shape[kMaxDims], strides[kMaxDims];
      int grow = static_cast<int>(in.ndmin) - a->ndim;
      for (int i = 0; i < grow; ++i) {
        shape[i] = 1;
        strides[i] = a->size;
      }
      std::copy(a->shape, a->shape + a->ndim, shape + grow);
      std::copy(a->strides, a->strides + a->ndim, strides + grow);
      size_t nd = static_cast<size_t>(in.ndmin);
      return wrap(api().view(a, {shape, nd}, {strides, nd}, a->data));
    });
  }
  return held.release();
}

PyObject* native_array(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  ArrayArgs in;
  if (!parse_array_args("array", args, nargs, kwnames, &in)) return nullptr;
  return guarded([&]() -> PyObject* {
    DType d{};
    bool has_dtype = in.dtype != Py_None;
    if (has_dtype) d = dtype_from_object(in.dtype);
    bool copy = true, never = false;
    if (in.copy && in.copy != Py_True) {
      int truth = in.copy == Py_None ? 0 : PyObject_IsTrue(in.copy);
      if (truth < 0) return nullptr;
      copy = truth;
      never = !truth && in.copy != Py_None;
    }
    bool shares = is_array(in.object) || PyArray_Check(in.object);
    if (never && !shares && !PyObject_CheckBuffer(in.object)) {
      PyErr_SetString(PyExc_ValueError,
                      "Unable to avoid copy while creating an array as requested.");
      return nullptr;
    }
    if (!copy && is_array(in.object) && (!has_dtype || array_of(in.object)->dt == d) && !in.order &&
        in.ndmin == 0) {
      Py_INCREF(in.object);
      return in.object;
    }
    NDArrayObj* a = array_from_object(in.object, copy, has_dtype ? &d : nullptr);
    if (never && is_array(in.object) && a->data != array_of(in.object)->data) {
      object_decref(a->header());
      PyErr_SetString(PyExc_ValueError,
                      "Unable to avoid copy while creating an array as requested.");
      return nullptr;
    }
    if (never && PyArray_Check(in.object) &&
        a->data != PyArray_DATA(reinterpret_cast<PyArrayObject*>(in.object))) {
      object_decref(a->header());
      PyErr_SetString(PyExc_ValueError,
                      "Unable to avoid copy while creating an array as requested.");
      return nullptr;
    }
    return with_order(wrap(a), in);
  });
}

PyObject* native_asarray(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (nargs == 1 && !kwnames && is_array(args[0])) {
    Py_INCREF(args[0]);
    return args[0];
  }
  ArrayArgs in;
  if (!parse_array_args("asarray", args, nargs, kwnames, &in)) return nullptr;
  if (in.copy && in.copy != Py_None) {
    // Same meaning as in array(): True always copies, False never.
    PyObject* full[5] = {in.object, in.dtype, in.copy, in.order ? in.order : Py_None, nullptr};
    Ref names(Py_BuildValue("(ss)", "copy", "order"));
    return names ? native_array(nullptr, full, 2, names.get()) : nullptr;
  }
  return guarded([&]() -> PyObject* {
    DType d{};
    bool has_dtype = in.dtype != Py_None;
    if (has_dtype) d = dtype_from_object(in.dtype);
    if (is_array(in.object) && (!has_dtype || array_of(in.object)->dt == d) && !in.order) {
      Py_INCREF(in.object);
      return in.object;
    }
    return with_order(wrap(array_from_object(in.object, false, has_dtype ? &d : nullptr)), in);
  });
}

// ---- The registry ------------------------------------------------------------------------------
PyObject* native_get_global_func(PyObject*, PyObject* const* args, Py_ssize_t nargs,
                                 PyObject* kwnames) {
  PyObject *name = nargs > 0 ? args[0] : nullptr, *allow = nargs > 1 ? args[1] : Py_False;
  if (kwnames && PyTuple_GET_SIZE(kwnames) == 1 &&
      PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, 0), "allow_missing") == 0)
    allow = args[nargs];
  else if (kwnames && PyTuple_GET_SIZE(kwnames))
    return PyErr_Format(PyExc_TypeError, "get_global_func() got an unexpected keyword argument");
  if (!name || nargs > 2 || !PyUnicode_Check(name))
    return PyErr_Format(PyExc_TypeError, "get_global_func() expects the name of a function");
  Py_ssize_t n;
  const char* s = PyUnicode_AsUTF8AndSize(name, &n);
  if (!s) return nullptr;
  TVMFFIByteArray bytes{s, static_cast<size_t>(n)};
  TVMFFIObjectHandle handle = nullptr;
  if (TVMFFIFunctionGetGlobal(&bytes, &handle) != 0) return set_error_from_ffi(), nullptr;
  if (handle) return make_function(static_cast<TVMFFIObject*>(handle), name);
  int missing_ok = PyObject_IsTrue(allow);
  if (missing_ok < 0) return nullptr;
  if (missing_ok) Py_RETURN_NONE;
  return PyErr_Format(PyExc_ValueError, "no function named %R in the registry", name);
}

// set_global_func(name, function, override)
PyObject* native_set_global_func(PyObject*, PyObject* args) {
  const char* name;
  Py_ssize_t n;
  PyObject* function;
  int override;
  if (!PyArg_ParseTuple(args, "s#O!p", &name, &n, &function_type, &function, &override))
    return nullptr;
  TVMFFIByteArray bytes{name, static_cast<size_t>(n)};
  if (TVMFFIFunctionSetGlobal(&bytes, reinterpret_cast<PyFunction*>(function)->function,
                              override) != 0)
    return set_error_from_ffi(), nullptr;
  Py_RETURN_NONE;
}

// set_error_class(kind, class): exceptions of that kind arrive as instances of the class.
PyObject* native_set_error_class(PyObject*, PyObject* args) {
  PyObject *kind, *type;
  if (!PyArg_ParseTuple(args, "UO", &kind, &type)) return nullptr;
  if (!PyExceptionClass_Check(type))
    return PyErr_Format(PyExc_TypeError, "expected an exception class, not %R", type);
  if (PyDict_SetItem(g.error_classes, kind, type) < 0) return nullptr;
  Py_RETURN_NONE;
}

// set_object_class(type_index, class)
PyObject* native_set_object_class(PyObject*, PyObject* args) {
  PyObject *index, *type;
  if (!PyArg_ParseTuple(args, "O!O!", &PyLong_Type, &index, &PyType_Type, &type)) return nullptr;
  if (!PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(type), &object_type))
    return PyErr_Format(PyExc_TypeError, "%R does not derive from isthmus.ffi.Object", type);
  if (PyDict_SetItem(g.object_classes, index, type) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* native_get_op(PyObject*, PyObject* name) {
  PyObject* op = PyDict_GetItemWithError(g.ops, name);
  if (op) return Py_NewRef(op);
  if (PyErr_Occurred()) return nullptr;
  // One that a user's library added since.
  Py_ssize_t n = 0;
  const char* s = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &n) : nullptr;
  bool whole = s && std::strlen(s) == static_cast<size_t>(n);  // no NUL inside
  const Op* added = whole ? api().find_op(s) : nullptr;
  if (PyErr_Occurred()) return nullptr;
  if (!added) return PyErr_Format(PyExc_ValueError, "no operator named %R", name);
  Ref made(make_op(added));
  if (!made || PyDict_SetItem(g.ops, name, made.get()) < 0) return nullptr;
  return made.release();
}
PyObject* native_ops(PyObject*, PyObject*) { return PyDict_Copy(g.ops); }

PyObject* native_cpu(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs > 1)
    return PyErr_Format(PyExc_TypeError, "cpu() takes at most 1 argument (%zd given)", nargs);
  return guarded([&]() -> PyObject* {
    int64_t id = nargs ? index_value(args[0]) : 0;
    if (id < 0 || id > INT32_MAX)
      return PyErr_Format(PyExc_ValueError, "device id out of range: %lld",
                          static_cast<long long>(id));
    return make_device({kDLCPU, static_cast<int32_t>(id)});
  });
}
PyObject* native_gpu(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  return guarded([&]() -> PyObject* {
    int64_t id = nargs ? index_value(args[0]) : 0;
    if (id < 0 || id > INT32_MAX)
      return PyErr_Format(PyExc_ValueError, "device id out of range: %lld",
                          static_cast<long long>(id));
    return make_device({kDLCUDA, static_cast<int32_t>(id)});
  });
}

PyObject* native_may_share_memory(PyObject*, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs < 2)
    return PyErr_Format(PyExc_TypeError, "may_share_memory() missing required arguments");
  return guarded([&] {
    Converter converter;
    TVMFFIAny a, b;
    converter.operand(args[0], &a);
    converter.operand(args[1], &b);
    if (a.type_index != kTVMFFITensor || b.type_index != kTVMFFITensor) Py_RETURN_FALSE;
    return PyBool_FromLong(api().may_overlap(as_ndarray(a), as_ndarray(b)));
  });
}

PyObject* native_result_dtype(PyObject*, PyObject* o) {
  return guarded([&] {
    PyObject* d = g.descr[static_cast<int>(dtype_from_object(o))];
    Py_INCREF(d);
    return d;
  });
}

PyObject* native_set_writeable(PyObject*, PyObject* args) {
  PyObject* o;
  int value;
  if (!PyArg_ParseTuple(args, "O!p", &ndarray_type, &o, &value)) return nullptr;
  NDArrayObj* a = array_of(o);
  if (!value) {
    a->flags &= static_cast<uint8_t>(~kWriteable);
    Py_RETURN_NONE;
  }
  // Memory that others own read-only, or that a read-only array lends, stays read-only.
  bool own = !a->owner ||
             (a->owner->type_index == kTVMFFITensor &&
              (static_cast<NDArrayObj*>(static_cast<void*>(a->owner))->flags & kWriteable)) ||
             (a->owner->type_index != kTVMFFITensor &&
              reinterpret_cast<StorageObj*>(a->owner)->origin == Origin::kPool);
  if (!own && !a->writeable()) {
    PyErr_SetString(PyExc_ValueError, "cannot set WRITEABLE flag to True of this array");
    return nullptr;
  }
  a->flags |= kWriteable;
  Py_RETURN_NONE;
}

PyObject* native_setup(PyObject*, PyObject* args, PyObject* kwargs) {
  struct Slot {
    const char* name;
    PyObject** to;
  } slots[] = {{"fallback", &g.fallback},
               {"fp_handler", &g.fp_handler},
               {"array_repr", &g.array_repr},
               {"array_str", &g.array_str},
               {"array_function", &g.array_function},
               {"array_ufunc", &g.array_ufunc_slow},
               {"rebuild", &g.rebuild},
               {"class_of_type", &g.class_of_type},
               {"errstate_var", &g.errstate_var},
               {"errstate_default", &g.errstate_default}};
  if (PyTuple_GET_SIZE(args) != 0)
    return PyErr_Format(PyExc_TypeError, "_setup() takes keyword arguments only");
  for (Slot& s : slots) {
    PyObject* value = kwargs ? PyDict_GetItemString(kwargs, s.name) : nullptr;
    if (!value || value == Py_None) continue;
    Py_INCREF(value);
    Py_XSETREF(*s.to, value);
  }
  Py_RETURN_NONE;
}

// Puts an operator or a function into ndarray's namespace.
PyObject* native_set_method(PyObject*, PyObject* args) {
  PyObject *name, *value;
  if (!PyArg_ParseTuple(args, "UO", &name, &value)) return nullptr;
  if (PyDict_SetItem(ndarray_type.tp_dict, name, value) < 0) return nullptr;
  PyType_Modified(&ndarray_type);
  Py_RETURN_NONE;
}

template <class F>
PyCFunction as_cfunction(F f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}

PyMethodDef module_methods[] = {
    {"array", as_cfunction(native_array), METH_FASTCALL | METH_KEYWORDS,
     "array(object, dtype=None, *, copy=True, order='K', subok=False, ndmin=0, like=None)\n--\n\nA "
     "new array with the values of an array or of nested sequences."},
    {"asarray", as_cfunction(native_asarray), METH_FASTCALL | METH_KEYWORDS,
     "asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None)\n--\n\nThe argument "
     "as an array, sharing its memory where it has any."},
    {"from_numpy", as_cfunction(native_from_numpy), METH_FASTCALL | METH_KEYWORDS,
     "from_numpy(a, zero_copy=True)\n--\n\nAn array over the memory of a numpy.ndarray (a copy "
     "with zero_copy=False)."},
    {"from_dlpack", native_from_dlpack, METH_O,
     "from_dlpack(x)\n--\n\nAn array over the memory of a DLPack producer or capsule."},
    {"get_global_func", as_cfunction(native_get_global_func), METH_FASTCALL | METH_KEYWORDS,
     "get_global_func(name, allow_missing=False)\n--\n\nThe function of that name in the registry; "
     "ValueError (or None) when there is none."},
    {"get_op", native_get_op, METH_O, "get_op(name)\n--\n\nThe operator of that name."},
    {"ops", native_ops, METH_NOARGS, "ops()\n--\n\nDict of all native operators by name."},
    {"cpu", as_cfunction(native_cpu), METH_FASTCALL,
     "cpu(device_id=0, /)\n--\n\nThe host as a device."},
    {"gpu", as_cfunction(native_gpu), METH_FASTCALL,
     "gpu(device_id=0, /)\n--\n\nA graphics processor as a device."},
    {"may_share_memory", as_cfunction(native_may_share_memory), METH_FASTCALL, nullptr},
    {"as_dtype", native_result_dtype, METH_O, nullptr},
    {"_set_global_func", native_set_global_func, METH_VARARGS, nullptr},
    {"_set_error_class", native_set_error_class, METH_VARARGS, nullptr},
    {"_set_object_class", native_set_object_class, METH_VARARGS, nullptr},
    {"_op_from_loops", native_op_from_loops, METH_VARARGS, nullptr},
    {"_type_index", native_type_index, METH_O, nullptr},
    {"_type_info", native_type_info, METH_O, nullptr},
    {"_type_attr", native_type_attr, METH_VARARGS, nullptr},
    {"_init_object", native_init_object, METH_VARARGS, nullptr},
    {"_object_address", native_object_address, METH_O, nullptr},
    {"_object_type_index", native_object_type_index, METH_O, nullptr},
    {"_set_writeable", native_set_writeable, METH_VARARGS, nullptr},
    {"_setup", as_cfunction(native_setup), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"_set_method", native_set_method, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module_def = {PyModuleDef_HEAD_INIT,
                          "isthmus._native",
                          "The native front end of Isthmus.",
                          -1,
                          module_methods,
                          nullptr,
                          nullptr,
                          nullptr,
                          nullptr};

int check_ffi_version() {
  TVMFFIVersion v{};
  TVMFFIGetVersion(&v);
  if (v.major == TVM_FFI_VERSION_MAJOR && v.minor == TVM_FFI_VERSION_MINOR) return 0;
  PyErr_Format(PyExc_ImportError,
               "isthmus was built for tvm-ffi %d.%d, but version %u.%u.%u is loaded",
               TVM_FFI_VERSION_MAJOR, TVM_FFI_VERSION_MINOR, v.major, v.minor, v.patch);
  return -1;
}

int init_state() {
  // Errors are looked up in the second from here on.
  g.object_classes = PyDict_New();
  g.error_classes = PyDict_New();
  if (!g.object_classes || !g.error_classes) return -1;
  const void* table = IsthmusInit(kCoreApiVersion);
  if (!table) return set_error_from_ffi(), -1;
  g.api = static_cast<const CoreApi*>(table);
  if (g.api->size != sizeof(CoreApi)) {
    PyErr_SetString(PyExc_ImportError, "isthmus._native and libisthmus come from different builds");
    return -1;
  }
  constexpr int kTypeNums[kNumDTypes] = {NPY_BOOL,  NPY_BYTE,   NPY_UBYTE,  NPY_SHORT,  NPY_USHORT,
                                         NPY_INT,   NPY_UINT,   NPY_INT64,  NPY_UINT64, NPY_HALF,
                                         NPY_FLOAT, NPY_DOUBLE, NPY_CFLOAT, NPY_CDOUBLE};
  for (int i = 0; i < kNumDTypes; ++i) {
    g.descr[i] = reinterpret_cast<PyObject*>(PyArray_DescrFromType(kTypeNums[i]));
    if (!g.descr[i]) return -1;
  }
  g.str_array_ufunc = PyUnicode_InternFromString("__array_ufunc__");
  g.str_dlpack = PyUnicode_InternFromString("__dlpack__");
  g.str_exchange = PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  g.str_array = PyUnicode_InternFromString("__array__");
  g.str_max_version = PyUnicode_InternFromString("max_version");
  g.str_tvm_ffi_object = PyUnicode_InternFromString("__tvm_ffi_object__");
  g.str_tvm_ffi_core = PyUnicode_InternFromString("tvm_ffi.core");
  g.ellipsis = g.api->ellipsis;
  g.ops = PyDict_New();
  if (!g.str_array_ufunc || !g.str_dlpack || !g.str_exchange || !g.str_array ||
      !g.str_max_version || !g.ops || !g.str_tvm_ffi_object || !g.str_tvm_ffi_core)
    return -1;
  Ref exceptions(PyImport_ImportModule("numpy.exceptions"));
  g.axis_error = exceptions ? PyObject_GetAttrString(exceptions.get(), "AxisError") : nullptr;
  Ref linalg(PyImport_ImportModule("numpy.linalg"));
  g.linalg_error = linalg ? PyObject_GetAttrString(linalg.get(), "LinAlgError") : nullptr;
  if (!g.axis_error || !g.linalg_error) return -1;
  bool failed = false;
  g.api->each_op(
      [](const Op* op, void* context) {
        Ref object(make_op(op));
        if (!object || PyDict_SetItemString(g.ops, op->def.name, object.get()) < 0)
          *static_cast<bool*>(context) = true;
      },
      &failed);
  return failed ? -1 : 0;
}

PyObject* init_module() {
  if (_import_array() < 0 || _import_umath() < 0) return nullptr;
  if (check_ffi_version() < 0) return nullptr;
  if (ready_op_type() < 0 || ready_array_types() < 0 || ready_function_types() < 0 ||
      ready_device_type() < 0 || ready_object_types() < 0 || ready_bound_type() < 0)
    return nullptr;
  if (!g.api && (init_state() < 0 || find_number_ufuncs() < 0 || install_numpy_provider() < 0))
    return nullptr;
  Ref module(PyModule_Create(&module_def));
  if (!module) return nullptr;
  if (PyModule_AddObjectRef(module.get(), "ndarray", reinterpret_cast<PyObject*>(&ndarray_type)) <
          0 ||
      PyModule_AddObjectRef(module.get(), "Op", reinterpret_cast<PyObject*>(&op_type)) < 0 ||
      PyModule_AddObjectRef(module.get(), "Function", reinterpret_cast<PyObject*>(&function_type)) <
          0 ||
      PyModule_AddObjectRef(module.get(), "Device", reinterpret_cast<PyObject*>(&device_type)) <
          0 ||
      PyModule_AddObjectRef(module.get(), "ObjectBase", reinterpret_cast<PyObject*>(&object_type)) <
          0 ||
      PyModule_AddObjectRef(module.get(), "Field", reinterpret_cast<PyObject*>(&field_type)) < 0)
    return nullptr;
  return module.release();
}

}  // namespace
}  // namespace isthmus::py

PyMODINIT_FUNC PyInit__native() { return isthmus::py::init_module(); }
