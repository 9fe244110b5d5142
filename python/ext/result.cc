// result.cc: Any to Python values.
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/map.h>

#include "ext.h"

namespace isthmus::py {
namespace {
constexpr int kMaxDepth = 100;
}  // namespace

PyObject* element_to_python(DType d, const char* p) {
  switch (d) {
    case DType::kBool: return PyBool_FromLong(*reinterpret_cast<const uint8_t*>(p) != 0);
    case DType::kInt8: return PyLong_FromLong(*reinterpret_cast<const int8_t*>(p));
    case DType::kUInt8: return PyLong_FromLong(*reinterpret_cast<const uint8_t*>(p));
    case DType::kInt16: return PyLong_FromLong(*reinterpret_cast<const int16_t*>(p));
    case DType::kUInt16: return PyLong_FromLong(*reinterpret_cast<const uint16_t*>(p));
    case DType::kInt32: return PyLong_FromLong(*reinterpret_cast<const int32_t*>(p));
    case DType::kUInt32: return PyLong_FromUnsignedLong(*reinterpret_cast<const uint32_t*>(p));
    case DType::kInt64: return PyLong_FromLongLong(*reinterpret_cast<const int64_t*>(p));
    case DType::kUInt64: return PyLong_FromUnsignedLongLong(*reinterpret_cast<const uint64_t*>(p));
    case DType::kFloat16:
      return PyFloat_FromDouble(half_to_float(*reinterpret_cast<const Half*>(p)));
    case DType::kFloat32: return PyFloat_FromDouble(*reinterpret_cast<const float*>(p));
    case DType::kFloat64: return PyFloat_FromDouble(*reinterpret_cast<const double*>(p));
    case DType::kComplex64: {
      auto* c = reinterpret_cast<const float*>(p);
      return PyComplex_FromDoubles(c[0], c[1]);
    }
    case DType::kComplex128: {
      auto* c = reinterpret_cast<const double*>(p);
      return PyComplex_FromDoubles(c[0], c[1]);
    }
  }
  return nullptr;
}

PyObject* array_to_list(const NDArrayObj* a, int dim, const char* p) {
  if (dim == a->ndim) return element_to_python(a->dt, p);
  PyObject* list = PyList_New(a->shape[dim]);
  if (!list) return nullptr;
  int64_t step = a->strides[dim] * a->isz();
  for (int64_t i = 0; i < a->shape[dim]; ++i, p += step) {
    PyObject* item = array_to_list(a, dim + 1, p);
    if (!item) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SET_ITEM(list, i, item);
  }
  return list;
}

namespace {

PyObject* string_to_python(const TVMFFIAny& v) {
  if (v.type_index == kTVMFFISmallStr)
    return PyUnicode_DecodeUTF8(v.v_bytes, v.small_str_len, "surrogatepass");
  if (v.type_index == kTVMFFISmallBytes)
    return PyBytes_FromStringAndSize(v.v_bytes, v.small_str_len);
  auto* b = reinterpret_cast<const TVMFFIByteArray*>(reinterpret_cast<const char*>(v.v_obj) +
                                                     sizeof(TVMFFIObject));
  if (v.type_index == kTVMFFIBytes)
    return PyBytes_FromStringAndSize(b->data, static_cast<Py_ssize_t>(b->size));
  return PyUnicode_DecodeUTF8(b->data, static_cast<Py_ssize_t>(b->size), "surrogatepass");
}

PyObject* tensor_to_python(TVMFFIObject* o) {
  if (is_isthmus(o)) {
    object_incref(o);
    return wrap(static_cast<NDArrayObj*>(static_cast<void*>(o)));
  }
  // Another library's tensor: a view that keeps it alive.
  auto* t = static_cast<tvm::ffi::TensorObj*>(static_cast<void*>(o));
  DType d;
  if (!dtype_from_dl(t->dtype, &d) || t->device.device_type != kDLCPU || t->ndim > kMaxDims) {
    PyErr_SetString(PyExc_TypeError,
                    "the tensor has a dtype or device that Isthmus does not support");
    return nullptr;
  }
  int64_t strides[kMaxDims], step = 1;
  for (int i = t->ndim; i-- > 0;) {
    strides[i] = t->strides ? t->strides[i] : step;
    step *= t->shape[i];
  }
  object_incref(o);
  StorageObj* s = api().storage_borrow(
      t->data, 0, [](void* p) { object_decref(static_cast<TVMFFIObject*>(p)); }, o,
      Origin::kBorrowed);
  size_t nd = static_cast<size_t>(t->ndim);
  return wrap(api().from_storage(s, {t->shape, nd}, {strides, nd}, d,
                                 static_cast<char*>(t->data) + t->byte_offset, true));
}

PyObject* borrowed_to_python(const TVMFFIAny& v, int depth);

PyObject* sequence_to_python(const TVMFFIAny& v, int depth) {
  auto* cell = reinterpret_cast<const TVMFFISeqCell*>(reinterpret_cast<const char*>(v.v_obj) +
                                                      sizeof(TVMFFIObject));
  PyObject* list = PyList_New(cell->size);
  if (!list) return nullptr;
  for (int64_t i = 0; i < cell->size; ++i) {
    PyObject* item = borrowed_to_python(static_cast<const TVMFFIAny*>(cell->data)[i], depth + 1);
    if (!item) {
      Py_DECREF(list);
      return nullptr;
    }
    PyList_SET_ITEM(list, i, item);
  }
  return list;
}

PyObject* borrowed_to_python(const TVMFFIAny& v, int depth) {
  if (depth > kMaxDepth) {
    PyErr_SetString(PyExc_RecursionError, "the result is nested too deeply");
    return nullptr;
  }
  switch (v.type_index) {
    case kTVMFFINone: Py_RETURN_NONE;
    case kTVMFFIInt: return PyLong_FromLongLong(v.v_int64);
    case kTVMFFIBool: return PyBool_FromLong(v.v_int64 != 0);
    case kTVMFFIFloat: return PyFloat_FromDouble(v.v_float64);
    case kTVMFFIDevice: return make_device(v.v_device);
    case kTVMFFIRawStr: return PyUnicode_FromString(v.v_c_str);
    case kTVMFFISmallStr:
    case kTVMFFISmallBytes:
    case kTVMFFIStr:
    case kTVMFFIBytes: return string_to_python(v);
    case kTVMFFITensor: return tensor_to_python(v.v_obj);
    case kTVMFFIArray:
    case kTVMFFIList: return sequence_to_python(v, depth);
    case kTVMFFIOpaquePtr: return PyLong_FromVoidPtr(v.v_ptr);
    case kTVMFFIDataType: {
      DType d;
      if (dtype_from_dl(v.v_dtype, &d)) {
        Py_INCREF(g.descr[static_cast<int>(d)]);
        return g.descr[static_cast<int>(d)];
      }
      break;
    }
    case kTVMFFIShape: {
      auto* cell = reinterpret_cast<const TVMFFIShapeCell*>(reinterpret_cast<const char*>(v.v_obj) +
                                                            sizeof(TVMFFIObject));
      PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(cell->size));
      for (size_t i = 0; tuple && i < cell->size; ++i)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(cell->data[i]));
      return tuple;
    }
    case kTVMFFIFunction: object_incref(v.v_obj); return make_function(v.v_obj, nullptr);
    case kTVMFFIOpaquePyObject: {
      auto* cell = reinterpret_cast<const TVMFFIOpaqueObjectCell*>(
          reinterpret_cast<const char*>(v.v_obj) + sizeof(TVMFFIObject));
      Py_INCREF(static_cast<PyObject*>(cell->handle));
      return static_cast<PyObject*>(cell->handle);
    }
    case kTVMFFIBigInt: {
      TVMFFIByteArray bytes = TVMFFIBigIntGetContentByteArray(&v);
      Ref type(Py_BuildValue("y#", bytes.data, static_cast<Py_ssize_t>(bytes.size)));
      Ref method(
          type ? PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes")
               : nullptr);
      Ref args(method ? Py_BuildValue("(Os)", type.get(), "little") : nullptr),
          kwargs(Py_BuildValue("{s:O}", "signed", Py_True));
      return args && kwargs ? PyObject_Call(method.get(), args.get(), kwargs.get()) : nullptr;
    }
    case kTVMFFIMap: {
      Ref dict(PyDict_New());
      if (!dict) return nullptr;
      TVMFFIAny copy = v;
      object_incref(v.v_obj);
      auto map = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&copy)
                     .cast<tvm::ffi::Map<tvm::ffi::Any, tvm::ffi::Any>>();
      for (auto kv : map) {
        Ref key(borrowed_to_python(*reinterpret_cast<const TVMFFIAny*>(&kv.first), depth + 1));
        Ref value(
            key ? borrowed_to_python(*reinterpret_cast<const TVMFFIAny*>(&kv.second), depth + 1)
                : nullptr);
        if (!value || PyDict_SetItem(dict.get(), key.get(), value.get()) < 0) return nullptr;
      }
      return dict.release();
    }
    default: break;
  }
  PyErr_Format(PyExc_TypeError, "a result of FFI type index %d has no Python form", v.type_index);
  return nullptr;
}

}  // namespace

PyObject* any_to_python(TVMFFIAny* owned) {
  if (owned->type_index == kTVMFFITensor && is_isthmus(owned->v_obj))
    return wrap(static_cast<NDArrayObj*>(static_cast<void*>(owned->v_obj)));
  PyObject* result = guarded([&] { return borrowed_to_python(*owned, 0); });
  if (owned->type_index >= kTVMFFIStaticObjectBegin) object_decref(owned->v_obj);
  return result;
}

}  // namespace isthmus::py
