// value.cc: Python values to Any by value, as plain functions of the registry receive them.
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/memory.h>

#include <algorithm>
#include <cstring>

#include "ext.h"
#include "ffi/objects.h"

namespace isthmus::py {
namespace {

// ---- Containers --------------------------------------------------------------------------------
// A tvm-ffi Array made by hand: its block comes from a free list, which makes a short tuple cost a
// few nanoseconds. The header's padding, which nobody else reads, tells what it was made from.
struct SmallArray {
  TVMFFIObject header;
  TVMFFISeqCell cell;
  TVMFFIAny items[];
};
constexpr int kSmallItems = 8;
constexpr int kMaxFree = 32;
SmallArray* free_arrays = nullptr;
int num_free_arrays = 0;

void drop_items(SmallArray* a) {
  auto* items = static_cast<TVMFFIAny*>(a->cell.data);
  for (int64_t i = 0; i < a->cell.size; ++i)
    if (items[i].type_index >= kTVMFFIStaticObjectBegin) object_decref(items[i].v_obj);
}

// Called from any thread, so it never touches the free list.
void small_array_deleter(void* self, int flags) {
  auto* a = static_cast<SmallArray*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) drop_items(a);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) std::free(a);
}

[[gnu::noinline]] SmallArray* allocate_array(Py_ssize_t n) {
  size_t room = static_cast<size_t>(std::max<Py_ssize_t>(n, kSmallItems));
  auto* a = static_cast<SmallArray*>(std::malloc(sizeof(SmallArray) + room * sizeof(TVMFFIAny)));
  if (!a) throw std::bad_alloc();
  a->header.type_index = kTVMFFIArray;
  a->header.deleter = small_array_deleter;
  a->cell.capacity = static_cast<int64_t>(room);
  a->cell.data_deleter = nullptr;
  return a;
}

inline SmallArray* new_array(Py_ssize_t n, uint32_t made_from) {
  SmallArray* a = free_arrays;
  if (kFreeLists && n <= kSmallItems && a) {
    free_arrays = static_cast<SmallArray*>(a->cell.data);
    --num_free_arrays;
  } else {
    a = allocate_array(n);
  }
  a->header.combined_ref_count = kSoleReference;
  a->header.__padding = made_from;
  a->cell.data = a->items;
  a->cell.size = 0;
  return a;
}

// The same for slices, which indices are full of.
struct SliceBlock {
  TVMFFIObject header;
  TVMFFIAny parts[3];
};
static_assert(sizeof(SliceBlock) == sizeof(SliceObj));
SliceBlock* free_slices = nullptr;
int num_free_slices = 0;

void drop_parts(SliceBlock* s) {
  for (TVMFFIAny& v : s->parts)
    if (v.type_index >= kTVMFFIStaticObjectBegin) object_decref(v.v_obj);
}

void slice_deleter(void* self, int flags) {
  auto* s = static_cast<SliceBlock*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) drop_parts(s);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) std::free(s);
}

SliceBlock* new_slice() {
  SliceBlock* s = free_slices;
  if (kFreeLists && s) {
    free_slices = static_cast<SliceBlock*>(s->parts[0].v_ptr);
    --num_free_slices;
  } else {
    s = static_cast<SliceBlock*>(std::malloc(sizeof(SliceBlock)));
    if (!s) throw std::bad_alloc();
    s->header.type_index = SliceObj::RuntimeTypeIndex();
    s->header.__padding = 0;
    s->header.deleter = slice_deleter;
  }
  s->header.combined_ref_count = kSoleReference;
  for (TVMFFIAny& v : s->parts) v = pod_any(kTVMFFINone, 0);
  return s;
}

// Drops a reference under the GIL.
void recycle(TVMFFIObject* o) {
  if (kFreeLists && o->deleter == slice_deleter && num_free_slices < kMaxFree &&
      __atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE) == kSoleReference) {
    auto* s = reinterpret_cast<SliceBlock*>(o);
    drop_parts(s);
    s->parts[0].v_ptr = free_slices;
    free_slices = s;
    ++num_free_slices;
    return;
  }
  object_decref(o);
}

// Drops a temporary array; recycles it when the callee kept nothing.
void release_array(SmallArray* a) {
  if (kFreeLists && num_free_arrays < kMaxFree && a->cell.capacity == kSmallItems &&
      __atomic_load_n(&a->header.combined_ref_count, __ATOMIC_ACQUIRE) == kSoleReference) {
    for (int64_t i = 0; i < a->cell.size; ++i)
      if (a->items[i].type_index >= kTVMFFIStaticObjectBegin) recycle(a->items[i].v_obj);
    a->cell.data = free_arrays;
    free_arrays = a;
    ++num_free_arrays;
    return;
  }
  object_decref(&a->header);
}

[[gnu::cold, gnu::noinline]] void fail_depth() {
  PyErr_Format(PyExc_RecursionError, "nested deeper than %d levels, or it contains itself",
               kMaxDepth);
  throw PythonError();
}

[[gnu::cold, gnu::noinline]] void fail_nested() {
  PyErr_SetString(PyExc_RecursionError,
                  "too many containers inside others; one that is held twice counts twice");
  throw PythonError();
}

// What is left for items inside containers in the conversion that runs: containers that are shared
// ([a, a] in [b, b] in ...) have many more items than there are objects. Under the GIL; a
// conversion that starts meanwhile makes the bound laxer, no more.
constexpr int64_t kNestedWork = int64_t{1} << 28;
int64_t nested_work = 0;

inline void check_depth(int depth) {
  if (depth >= kMaxDepth) fail_depth();
}

// Before items are converted that may be containers.
inline void count_items(int depth, Py_ssize_t n) {
  if (depth == 0) nested_work = kNestedWork;
  else if ((nested_work -= int64_t{depth} * depth * n) < 0) fail_nested();
}

inline bool plain_number(PyObject* o, TVMFFIAny* out) {
  int64_t small;
  if (PyLong_CheckExact(o) && compact_long(o, &small))
    return *out = pod_any(kTVMFFIInt, small), true;
  if (PyFloat_CheckExact(o)) return *out = float_any(PyFloat_AS_DOUBLE(o)), true;
  return false;
}

// A tuple or a list, exact or not.
SmallArray* sequence_value(PyObject* o, int depth) {
  check_depth(depth);
  Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
  SmallArray* a = new_array(n, PyTuple_Check(o) ? kFromTuple : kFromList);
  PyObject** items = PySequence_Fast_ITEMS(o);
  Py_ssize_t i = 0;
  for (int64_t number; i < n && PyLong_CheckExact(items[i]) && compact_long(items[i], &number); ++i)
    a->items[i] = pod_any(kTVMFFIInt, number);
  a->cell.size = i;
  if (i == n) return a;
  try {
    count_items(depth, n);
    // Converting may run Python code, which may shorten a list.
    for (; i < PySequence_Fast_GET_SIZE(o) && i < n; ++i) {
      Ref item = Ref::borrow(PySequence_Fast_GET_ITEM(o, i));
      owned_value(item.get(), &a->items[i], depth + 1);
      a->cell.size = i + 1;
    }
  } catch (...) {
    object_decref(&a->header);
    throw;
  }
  return a;
}

void dict_value(PyObject* o, TVMFFIAny* out, int depth) {
  check_depth(depth);
  tvm::ffi::Map<tvm::ffi::Any, tvm::ffi::Any> map;
  auto convert = [&](PyObject* item) {
    TVMFFIAny v;
    owned_value(item, &v, depth + 1);
    return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&v);
  };
  // Strings and numbers convert without running Python code; anything else could change the dict.
  auto inert = [](PyObject* x) {
    return PyUnicode_CheckExact(x) || PyLong_CheckExact(x) || PyFloat_CheckExact(x) || is_array(x);
  };
  count_items(depth, PyDict_GET_SIZE(o));
  Py_ssize_t at = 0;
  PyObject *key, *value;
  bool all_inert = true;
  while (all_inert && PyDict_Next(o, &at, &key, &value)) all_inert = inert(key) && inert(value);
  if (all_inert) {
    for (at = 0; PyDict_Next(o, &at, &key, &value);) map.Set(convert(key), convert(value));
  } else {
    Ref items(PyDict_Items(o));
    if (!items) throw PythonError();
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
      PyObject* pair = PyList_GET_ITEM(items.get(), i);
      auto k = convert(PyTuple_GET_ITEM(pair, 0));
      map.Set(k, convert(PyTuple_GET_ITEM(pair, 1)));
    }
  }
  *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(tvm::ffi::Any(std::move(map)));
  out->v_obj->__padding = kFromDict;
}

// ---- Strings and numbers -----------------------------------------------------------------------
const char* utf8(PyObject* o, Py_ssize_t* n) {
  if (PyUnicode_IS_COMPACT_ASCII(o)) {
    *n = PyUnicode_GET_LENGTH(o);
    return reinterpret_cast<const char*>(reinterpret_cast<PyASCIIObject*>(o) + 1);
  }
  const char* s = PyUnicode_AsUTF8AndSize(o, n);
  if (!s) throw PythonError();
  return s;
}

void check(int code) {
  if (code == 0) return;
  set_error_from_ffi();
  throw PythonError();
}

void string_value(PyObject* o, TVMFFIAny* out) {
  Py_ssize_t n;
  const char* s = utf8(o, &n);
  if (n <= 7) {
    *out = pod_any(kTVMFFISmallStr, 0);
    out->small_str_len = static_cast<uint32_t>(n);
    std::memcpy(out->v_bytes, s, static_cast<size_t>(n));
    return;
  }
  TVMFFIByteArray bytes{s, static_cast<size_t>(n)};
  check(TVMFFIStringFromByteArray(&bytes, out));
}

void bytes_value(const char* data, Py_ssize_t n, TVMFFIAny* out) {
  TVMFFIByteArray bytes{data, static_cast<size_t>(n)};
  check(TVMFFIBytesFromByteArray(&bytes, out));
}

// An int beyond 64 bits is the ABI's big integer: two's-complement words of 64 bits, lowest first.
void wide_value(PyObject* o, TVMFFIAny* out) {
  Ref bits(PyObject_CallMethod(o, "bit_length", nullptr));
  if (!bits) throw PythonError();
  long words = PyLong_AsLong(bits.get()) / 64 + 1;
  Ref method(PyObject_GetAttrString(o, "to_bytes"));
  Ref args(Py_BuildValue("(ls)", words * 8, "little")),
      kwargs(Py_BuildValue("{s:O}", "signed", Py_True));
  Ref bytes(method && args && kwargs ? PyObject_Call(method.get(), args.get(), kwargs.get())
                                     : nullptr);
  if (!bytes) throw PythonError();
  TVMFFIByteArray array{PyBytes_AS_STRING(bytes.get()),
                        static_cast<size_t>(PyBytes_GET_SIZE(bytes.get()))};
  check(TVMFFIBigIntFromByteArray(&array, out));
}

void int_value(PyObject* o, TVMFFIAny* out) {
  int overflow = 0;
  long long v = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (!overflow) {
    *out = pod_any(kTVMFFIInt, v);
    return;
  }
  // Subclasses may override what conversion calls.
  Ref exact(PyLong_CheckExact(o) ? Py_NewRef(o) : PyNumber_Index(o));
  if (!exact) throw PythonError();
  if (!PyLong_CheckExact(exact.get()))
    exact = Ref(PyNumber_Add(exact.get(), Ref(PyLong_FromLong(0)).get()));
  if (!exact || !PyLong_CheckExact(exact.get())) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "an int of a subclass did not convert");
    throw PythonError();
  }
  wide_value(exact.get(), out);
}

template <class T>
void object_value(tvm::ffi::ObjectPtr<T> object, TVMFFIAny* out) {
  *out = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(
      tvm::ffi::Any(tvm::ffi::ObjectRef(std::move(object))));
}

void complex_value(double real, double imag, TVMFFIAny* out) {
  auto c = tvm::ffi::make_object<ComplexObj>();
  c->real = real;
  c->imag = imag;
  object_value(std::move(c), out);
}

// NumPy's scalars lose their width: C++ parameters are int64 and double. Here those that programs
// pass most, by their exact types.
inline bool common_scalar(PyObject* o, TVMFFIAny* out) {
  PyTypeObject* t = Py_TYPE(o);
  if (t == &PyFloatArrType_Type)
    return *out = float_any(static_cast<double>(PyArrayScalar_VAL(o, Float))), true;
  if (t == &PyDoubleArrType_Type) return *out = float_any(PyArrayScalar_VAL(o, Double)), true;
  if (t == &PyLongArrType_Type) return *out = pod_any(kTVMFFIInt, PyArrayScalar_VAL(o, Long)), true;
  if (t == &PyBoolArrType_Type)
    return *out = pod_any(kTVMFFIBool, PyArrayScalar_VAL(o, Bool) != 0), true;
  return false;
}

bool scalar_value(PyObject* o, TVMFFIAny* out) {
  DType d;
  alignas(16) char value[16];
  if (!numpy_scalar(o, &d, value)) return false;
  if (is_complex(d)) {
    double c[2];
    api().cast_one(d, value, DType::kComplex128, c);
    return complex_value(c[0], c[1], out), true;
  }
  if (is_float(d)) {
    double v;
    api().cast_one(d, value, DType::kFloat64, &v);
    return *out = float_any(v), true;
  }
  if (d == DType::kUInt64) {
    uint64_t v;
    std::memcpy(&v, value, sizeof v);
    Ref number(PyLong_FromUnsignedLongLong(v));
    if (!number) throw PythonError();
    return int_value(number.get(), out), true;
  }
  int64_t v;
  api().cast_one(d, value, DType::kInt64, &v);
  return *out = pod_any(kTVMFFIInt, v), true;
}

// ---- Objects -----------------------------------------------------------------------------------
void slice_value(PyObject* o, TVMFFIAny* out, int depth) {
  check_depth(depth);
  auto* from = reinterpret_cast<PySliceObject*>(o);
  SliceBlock* s = new_slice();
  PyObject* parts[3] = {from->start, from->stop, from->step};
  try {
    for (int i = 0; i < 3; ++i) {
      if (parts[i] == Py_None || plain_number(parts[i], &s->parts[i])) continue;
      count_items(depth, 1);
      owned_value(parts[i], &s->parts[i], depth + 1);
    }
  } catch (...) {
    object_decref(&s->header);
    throw;
  }
  *out = pod_any(s->header.type_index, 0);
  out->v_obj = &s->header;
}

void range_value(PyObject* o, TVMFFIAny* out) {
  auto object = tvm::ffi::make_object<RangeObj>();
  auto part = [&](const char* name) {
    Ref v(PyObject_GetAttrString(o, name));
    if (!v) throw PythonError();
    return index_value(v.get());
  };
  object->start = part("start");
  object->stop = part("stop");
  object->step = part("step");
  object_value(std::move(object), out);
}

void opaque_deleter(void* handle) {
  if (is_finalizing()) return;
  GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(handle));
}

void give(TVMFFIObject* owned, TVMFFIAny* out) {
  *out = pod_any(owned->type_index, 0);
  out->v_obj = owned;
}

// The object behind one of tvm_ffi's own Python objects.
bool chandle_value(PyObject* o, TVMFFIAny* out) {
  // Classes that follow directly on object cannot have its base, and need no look at the modules.
  PyTypeObject* t = Py_TYPE(o);
  if (t->tp_base == &PyBaseObject_Type && std::strcmp(t->tp_name, "tvm_ffi.core.CObject") != 0)
    return false;
  Ref module(PyImport_GetModule(g.str_tvm_ffi_core));
  if (!module) return PyErr_Clear(), false;  // nobody imported tvm_ffi
  Ref type(PyObject_GetAttrString(module.get(), "CObject"));
  if (!type) return PyErr_Clear(), false;
  // Neither __class__ nor an override of __chandle__ may make up a pointer.
  if (!PyType_Check(type.get()) ||
      !PyObject_TypeCheck(o, reinterpret_cast<PyTypeObject*>(type.get())))
    return false;
  Ref method(PyObject_GetAttrString(type.get(), "__chandle__"));
  Ref number(method ? PyObject_CallOneArg(method.get(), o) : nullptr);
  void* handle = number ? PyLong_AsVoidPtr(number.get()) : nullptr;
  if (PyErr_Occurred()) throw PythonError();
  if (!handle) return *out = pod_any(kTVMFFINone, 0), true;
  auto* object = static_cast<TVMFFIObject*>(handle);
  object_incref(object);
  return give(object, out), true;
}

// tvm_ffi's dtypes are strings and its devices plain objects.
bool tvm_ffi_value(PyObject* o, TVMFFIAny* out) {
  if (PyUnicode_Check(o)) {
    if (std::strcmp(Py_TYPE(o)->tp_name, "dtype") != 0) return false;
    Py_ssize_t n;
    const char* s = utf8(o, &n);
    TVMFFIByteArray text{s, static_cast<size_t>(n)};
    DLDataType d;
    if (TVMFFIDataTypeFromString(&text, &d) != 0) return set_error_from_ffi(), PyErr_Clear(), false;
    *out = pod_any(kTVMFFIDataType, 0);
    out->v_dtype = d;
    return true;
  }
  if (std::strcmp(Py_TYPE(o)->tp_name, "tvm_ffi.core.Device") != 0) return false;
  Ref type(PyObject_CallMethod(o, "dlpack_device_type", nullptr));
  Ref index(type ? PyObject_GetAttrString(o, "index") : nullptr);
  if (!index) throw PythonError();
  int64_t id = index_value(index.get());
  *out = pod_any(kTVMFFIDevice, 0);
  out->v_device = {static_cast<DLDeviceType>(index_value(type.get())), static_cast<int32_t>(id)};
  return true;
}

bool is_numpy_scalar_type(PyObject* o) {
  return PyType_Check(o) &&
         PyType_IsSubtype(reinterpret_cast<PyTypeObject*>(o), &PyGenericArrType_Type);
}

bool dtype_value(PyObject* o, TVMFFIAny* out) {
  DType d;
  if (PyArray_DescrCheck(o)) {
    if (!dtype_from_descr(reinterpret_cast<PyArray_Descr*>(o), &d)) return false;
  } else {
    Ref descr(reinterpret_cast<PyObject*>(PyArray_DescrFromTypeObject(o)));
    if (!descr) return PyErr_Clear(), false;
    if (!dtype_from_descr(reinterpret_cast<PyArray_Descr*>(descr.get()), &d)) return false;
  }
  *out = pod_any(kTVMFFIDataType, 0);
  out->v_dtype = info(d).dl;
  return true;
}

// The dtype objects that NumPy hands out most are told by their identity.
bool singleton_dtype(PyObject* o, TVMFFIAny* out) {
  for (int i = 0; i < kNumDTypes; ++i) {
    if (o != g.descr[i]) continue;
    *out = pod_any(kTVMFFIDataType, 0);
    out->v_dtype = info(static_cast<DType>(i)).dl;
    return true;
  }
  return false;
}

bool array_value(PyObject* o, TVMFFIAny* out) {
  DType d;
  auto* a = reinterpret_cast<PyArrayObject*>(o);
  if (!dtype_from_descr(PyArray_DESCR(a), &d) || !PyArray_ISALIGNED(a)) return false;
  give(borrow_numpy(a)->header(), out);
  return true;
}

// Kinds that are told by their exact type or their base; false for all others.
bool known_value(PyObject* o, TVMFFIAny* out, int depth) {
  PyTypeObject* t = Py_TYPE(o);
  if (t == &PyEllipsis_Type) {
    object_incref(g.ellipsis);
    return give(g.ellipsis, out), true;
  }
  if (t == &PySlice_Type) return slice_value(o, out, depth), true;
  if (common_scalar(o, out) || singleton_dtype(o, out)) return true;
  if (t == &device_type) {
    *out = pod_any(kTVMFFIDevice, 0);
    out->v_device = reinterpret_cast<PyDevice*>(o)->device;
    return true;
  }
  if (t == &PyArray_Type && array_value(o, out)) return true;
  if (PyArray_CheckScalar(o) && !PyArray_Check(o) && scalar_value(o, out)) return true;
  if (PyLong_Check(o)) return int_value(o, out), true;
  if (PyFloat_Check(o)) return *out = float_any(PyFloat_AS_DOUBLE(o)), true;
  if (PyUnicode_Check(o)) {
    if (t == &PyUnicode_Type || !tvm_ffi_value(o, out)) string_value(o, out);
    return true;
  }
  if (PyBytes_Check(o)) return bytes_value(PyBytes_AS_STRING(o), PyBytes_GET_SIZE(o), out), true;
  if (PyByteArray_Check(o))
    return bytes_value(PyByteArray_AS_STRING(o), PyByteArray_GET_SIZE(o), out), true;
  if (PyDict_Check(o)) return dict_value(o, out, depth), true;
  if (PyTuple_Check(o) || PyList_Check(o))
    return give(&sequence_value(o, depth)->header, out), true;
  if (PyComplex_Check(o)) {
    Py_complex c = PyComplex_AsCComplex(o);
    return complex_value(c.real, c.imag, out), true;
  }
  if (t == &PyRange_Type) return range_value(o, out), true;
  if (PyArray_DescrCheck(o) || is_numpy_scalar_type(o)) return dtype_value(o, out);
  if (t == &function_type) {
    TVMFFIObject* f = reinterpret_cast<PyFunction*>(o)->function;
    object_incref(f);
    return give(f, out), true;
  }
  if (t == &PyFunction_Type || t == &PyMethod_Type || t == &PyCFunction_Type)
    return give(make_callback(o), out), true;
  if (PyObject_TypeCheck(o, &object_type)) {
    TVMFFIObject* object = reinterpret_cast<PyFFIObject*>(o)->object;
    if (!object) {
      // Not None: functions of tvm-ffi follow the null pointer that None is to them.
      PyErr_Format(PyExc_TypeError, "an object of type %.200s that was not initialised",
                   Py_TYPE(o)->tp_name);
      throw PythonError();
    }
    object_incref(object);
    return give(object, out), true;
  }
  if (PyArray_Check(o)) return array_value(o, out);
  return false;
}

// Kinds that an object declares by attributes of its class. No code of the class runs to find them.
void protocol_value(PyObject* o, TVMFFIAny* out) {
  PyTypeObject* type = Py_TYPE(o);
  if (!PyType_Check(o)) {
    if (chandle_value(o, out) || tvm_ffi_value(o, out)) return;
    if (_PyType_Lookup(type, g.str_tvm_ffi_object)) {
      Ref inner(PyObject_CallMethodNoArgs(o, g.str_tvm_ffi_object));
      if (!inner) throw PythonError();
      if (chandle_value(inner.get(), out)) return;
      PyErr_Format(PyExc_TypeError,
                   "%.200s.__tvm_ffi_object__() must return an object of tvm_ffi, not %.200s",
                   Py_TYPE(o)->tp_name, Py_TYPE(inner.get())->tp_name);
      throw PythonError();
    }
    if (has_exchange_table(o) || (_PyType_Lookup(type, g.str_dlpack) && !PyArray_Check(o)))
      return give(array_from_dlpack(o)->header(), out);
  }
  if (PyCallable_Check(o)) return give(make_callback(o), out);
  opaque_value(o, out);
}

}  // namespace

void opaque_value(PyObject* o, TVMFFIAny* out) {
  TVMFFIObjectHandle handle = nullptr;
  Py_INCREF(o);
  int code = TVMFFIObjectCreateOpaque(o, kTVMFFIOpaquePyObject, opaque_deleter, &handle);
  if (code != 0) Py_DECREF(o);
  check(code);
  give(static_cast<TVMFFIObject*>(handle), out);
}

void drop_value(TVMFFIObject* o) {
  if (o->type_index == kTVMFFIArray && o->deleter == small_array_deleter)
    release_array(reinterpret_cast<SmallArray*>(o));
  else recycle(o);
}

void owned_value(PyObject* o, TVMFFIAny* out, int depth) {
  PyTypeObject* t = Py_TYPE(o);
  if (plain_number(o, out)) return;
  if (t == &ndarray_type) {
    *out = tensor_any(array_of(o));
    return object_incref(out->v_obj);
  }
  if (t == &PyUnicode_Type) return string_value(o, out);
  if (o == Py_None) return void(*out = pod_any(kTVMFFINone, 0));
  if (t == &PyBool_Type) return void(*out = pod_any(kTVMFFIBool, o == Py_True));
  if (t == &PyTuple_Type || t == &PyList_Type) return give(&sequence_value(o, depth)->header, out);
  Converting converting;
  if (!known_value(o, out, depth)) protocol_value(o, out);
}

void Converter::value(PyObject* o, TVMFFIAny* out) {
  PyTypeObject* t = Py_TYPE(o);
  if (t == &ndarray_type) {
    *out = tensor_any(array_of(o));
    return;
  }
  if (plain_number(o, out)) return;
  if (t == &PyTuple_Type || t == &PyList_Type) {
    SmallArray* a = sequence_value(o, 0);
    *out = pod_any(kTVMFFIArray, 0);
    out->v_obj = &a->header;
    return own(&a->header);
  }
  if (t == &PyUnicode_Type) {
    Py_ssize_t n;
    const char* s = utf8(o, &n);
    // The characters of a longer string are lent; one with a NUL inside needs its length with it.
    if (n > 7 && std::memchr(s, 0, static_cast<size_t>(n)) == nullptr) {
      *out = pod_any(kTVMFFIRawStr, 0);
      out->v_c_str = s;
      return;
    }
  }
  owned_value(o, out, 0);
  if (out->type_index >= kTVMFFIStaticObjectBegin) own(out->v_obj);
}

}  // namespace isthmus::py
