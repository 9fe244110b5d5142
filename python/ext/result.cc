// result.cc: Any to Python values.
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/map.h>

#include "ext.h"
#include "ffi/objects.h"
#include "ops/values.h"

namespace isthmus::py {

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
  auto* b = cell_of<TVMFFIByteArray>(v.v_obj);
  if (v.type_index == kTVMFFIBytes)
    return PyBytes_FromStringAndSize(b->data, static_cast<Py_ssize_t>(b->size));
  return PyUnicode_DecodeUTF8(b->data, static_cast<Py_ssize_t>(b->size), "surrogatepass");
}

PyObject* tensor_to_python(TVMFFIObject* o) {
  if (!is_isthmus(o)) return wrap(api().import_tensor(o));
  object_incref(o);
  return wrap(static_cast<NDArrayObj*>(static_cast<void*>(o)));
}

// A bare DLTensor lives only as long as the call that lends it, so its elements are copied.
PyObject* dltensor_to_python(const DLTensor* t) {
  auto tensor = tvm::ffi::Tensor::FromDLPack(
      new DLManagedTensor{*t, nullptr, [](DLManagedTensor* self) { delete self; }});
  TVMFFIAny any = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(tvm::ffi::Any(std::move(tensor)));
  Ref view(tensor_to_python(any.v_obj));
  object_decref(any.v_obj);
  return view ? wrap(api().copy_keep_order(array_of(view.get()))) : nullptr;
}

template <bool kTuple>
PyObject* convert_sequence(const TVMFFIAny& v, int depth) {
  auto items = *items_of(v);
  auto n = static_cast<Py_ssize_t>(items.size());
  Ref result(kTuple ? PyTuple_New(n) : PyList_New(n));
  if (!result) return nullptr;
  for (Py_ssize_t i = 0; i < n; ++i) {
    PyObject* item = value_to_python(items[static_cast<size_t>(i)], depth + 1);
    if (!item) return nullptr;
    if constexpr (kTuple) PyTuple_SET_ITEM(result.get(), i, item);
    else PyList_SET_ITEM(result.get(), i, item);
  }
  return result.release();
}

PyObject* map_to_dict(const TVMFFIAny& v, int depth) {
  Ref dict(PyDict_New());
  if (!dict) return nullptr;
  TVMFFIAny copy = v;
  object_incref(v.v_obj);
  auto map = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&copy)
                 .cast<tvm::ffi::Map<tvm::ffi::Any, tvm::ffi::Any>>();
  for (auto kv : map) {
    Ref key(value_to_python(*reinterpret_cast<const TVMFFIAny*>(&kv.first), depth + 1));
    Ref value(key ? value_to_python(*reinterpret_cast<const TVMFFIAny*>(&kv.second), depth + 1)
                  : nullptr);
    if (!value || PyDict_SetItem(dict.get(), key.get(), value.get()) < 0) return nullptr;
  }
  return dict.release();
}

PyObject* big_int_to_python(const TVMFFIAny& v) {
  TVMFFIByteArray bytes = TVMFFIBigIntGetContentByteArray(&v);
  Ref words(Py_BuildValue("(y#s)", bytes.data, static_cast<Py_ssize_t>(bytes.size), "little"));
  Ref method(PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyLong_Type), "from_bytes"));
  Ref kwargs(Py_BuildValue("{s:O}", "signed", Py_True));
  return words && method && kwargs ? PyObject_Call(method.get(), words.get(), kwargs.get())
                                   : nullptr;
}

PyObject* dtype_to_python(DLDataType v) {
  DType d;
  if (dtype_from_dl(v, &d)) return Py_NewRef(g.descr[static_cast<int>(d)]);
  TVMFFIAny text{};
  if (TVMFFIDataTypeToString(&v, &text) != 0) return set_error_from_ffi(), nullptr;
  Ref name(value_to_python(text));
  if (text.type_index >= kTVMFFIStaticObjectBegin) object_decref(text.v_obj);
  // A dtype that NumPy has only with an extension (bfloat16) is known by its name there.
  PyArray_Descr* descr = nullptr;
  if (name && PyArray_DescrConverter(name.get(), &descr)) return reinterpret_cast<PyObject*>(descr);
  if (!name) return nullptr;
  PyErr_Clear();
  return name.release();
}

PyObject* pointer_to_python(void* p) {
  Ref module(PyImport_ImportModule("ctypes"));
  return module ? PyObject_CallMethod(module.get(), "c_void_p", "N", PyLong_FromVoidPtr(p))
                : nullptr;
}

template <class T>
const T* object_as(const TVMFFIAny& v) {
  return static_cast<const T*>(static_cast<const void*>(v.v_obj));
}

PyObject* object_to_python(const TVMFFIAny& v, int depth) {
  switch (v.type_index) {
    case kTVMFFIStr:
    case kTVMFFIBytes: return string_to_python(v);
    case kTVMFFITensor: return tensor_to_python(v.v_obj);
    case kTVMFFIArray:
      if (v.v_obj->__padding == kFromTuple) return convert_sequence<true>(v, depth);
      if (v.v_obj->__padding == kFromList) return sequence_to_list(v, depth);
      break;
    case kTVMFFIMap:
      if (v.v_obj->__padding == kFromDict) return map_to_dict(v, depth);
      break;
    case kTVMFFIShape: {
      auto* cell = cell_of<TVMFFIShapeCell>(v.v_obj);
      PyObject* tuple = PyTuple_New(static_cast<Py_ssize_t>(cell->size));
      for (size_t i = 0; tuple && i < cell->size; ++i)
        PyTuple_SET_ITEM(tuple, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(cell->data[i]));
      return tuple;
    }
    case kTVMFFIFunction:
      if (PyObject* callable = callable_of(v.v_obj)) return Py_NewRef(callable);
      object_incref(v.v_obj);
      return make_function(v.v_obj, nullptr);
    case kTVMFFIOpaquePyObject: {
      auto* cell = cell_of<TVMFFIOpaqueObjectCell>(v.v_obj);
      return Py_NewRef(static_cast<PyObject*>(cell->handle));
    }
    case kTVMFFIBigInt: return big_int_to_python(v);
    case kTVMFFIError: object_incref(v.v_obj); return exception_from_error(error_from(v.v_obj));
    default: break;
  }
  // Types that Isthmus itself defines.
  if (v.type_index == EllipsisObj::RuntimeTypeIndex()) return Py_NewRef(Py_Ellipsis);
  if (v.type_index == SliceObj::RuntimeTypeIndex()) {
    auto* s = object_as<SliceObj>(v);
    auto part = [&](const tvm::ffi::Any& x) {
      return value_to_python(*reinterpret_cast<const TVMFFIAny*>(&x), depth + 1);
    };
    Ref start(part(s->start)), stop(start ? part(s->stop) : nullptr),
        step(stop ? part(s->step) : nullptr);
    return step ? PySlice_New(start.get(), stop.get(), step.get()) : nullptr;
  }
  if (v.type_index == ComplexObj::RuntimeTypeIndex()) {
    auto* c = object_as<ComplexObj>(v);
    return PyComplex_FromDoubles(c->real, c->imag);
  }
  if (v.type_index == RangeObj::RuntimeTypeIndex()) {
    auto* r = object_as<RangeObj>(v);
    return PyObject_CallFunction(reinterpret_cast<PyObject*>(&PyRange_Type), "LLL",
                                 static_cast<long long>(r->start), static_cast<long long>(r->stop),
                                 static_cast<long long>(r->step));
  }
  object_incref(v.v_obj);
  return make_object(v.v_obj);
}

}  // namespace

PyObject* sequence_to_list(const TVMFFIAny& v, int depth) {
  return convert_sequence<false>(v, depth);
}

PyObject* value_to_python(const TVMFFIAny& v, int depth) {
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
    case kTVMFFISmallBytes: return string_to_python(v);
    case kTVMFFIByteArrayPtr: {
      auto* b = static_cast<const TVMFFIByteArray*>(v.v_ptr);
      return PyBytes_FromStringAndSize(b->data, static_cast<Py_ssize_t>(b->size));
    }
    case kTVMFFIOpaquePtr: return pointer_to_python(v.v_ptr);
    case kTVMFFIDataType: return dtype_to_python(v.v_dtype);
    case kTVMFFIDLTensorPtr:
      return guarded([&] { return dltensor_to_python(static_cast<const DLTensor*>(v.v_ptr)); });
    case kTVMFFIObjectRValueRef: {
      TVMFFIAny owned{};
      if (TVMFFIAnyViewToOwnedAny(&v, &owned) != 0) return set_error_from_ffi(), nullptr;
      PyObject* object = value_to_python(owned, depth);
      if (owned.type_index >= kTVMFFIStaticObjectBegin) object_decref(owned.v_obj);
      return object;
    }
    default: break;
  }
  if (v.type_index >= kTVMFFIStaticObjectBegin)
    return guarded([&] { return object_to_python(v, depth); });
  PyErr_Format(PyExc_TypeError, "a value of FFI type index %d has no Python form", v.type_index);
  return nullptr;
}

PyObject* any_to_python(TVMFFIAny* owned) {
  if (owned->type_index == kTVMFFITensor && is_isthmus(owned->v_obj))
    return wrap(static_cast<NDArrayObj*>(static_cast<void*>(owned->v_obj)));
  PyObject* result = owned->type_index == kTVMFFIArray || owned->type_index == kTVMFFIList
                         ? sequence_to_list(*owned)
                         : value_to_python(*owned);
  if (owned->type_index >= kTVMFFIStaticObjectBegin) object_decref(owned->v_obj);
  return result;
}

}  // namespace isthmus::py
