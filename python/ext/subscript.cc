// subscript.cc: turns a Python index expression into the core's form; everything is decided there.
// SPDX-License-Identifier: Apache-2.0
#include "ext.h"

namespace isthmus::py {
namespace {

struct Index {
  IndexItem items[kMaxDims + 8];
  int count = 0;
  Converter converter;
};

inline void set_int(IndexItem* item, int64_t i) {
  item->kind = IndexKind::kInt;
  item->start = i;
}

[[gnu::cold, gnu::noinline]] void fail_key(PyObject* key) {
  PyErr_Format(PyExc_IndexError,
               "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer "
               "or boolean arrays are "
               "valid indices, got %.200s",
               Py_TYPE(key)->tp_name);
  throw PythonError();
}

// A bound that is None or a small int; false for anything else.
inline bool plain_bound(PyObject* o, bool* given, int64_t* out) {
  *given = o != Py_None;
  return !*given || (PyLong_CheckExact(o) && compact_long(o, out));
}

inline void parse_slice(PyObject* o, IndexItem* item) {
  auto* s = reinterpret_cast<PySliceObject*>(o);
  item->kind = IndexKind::kSlice;
  bool has_step;
  item->step = 1;
  if (plain_bound(s->start, &item->has_start, &item->start) &&
      plain_bound(s->stop, &item->has_stop, &item->stop) &&
      plain_bound(s->step, &has_step, &item->step) && item->step != 0) {
    return;
  }
  Converting converting;
  Py_ssize_t start, stop, step;
  if (PySlice_Unpack(o, &start, &stop, &step) < 0) throw PythonError();
  item->has_start = item->has_stop = true;
  item->start = start;
  item->stop = stop;
  item->step = step;
}

void parse_array(NDArrayObj* a, IndexItem* item) {
  if (a->ndim == 0 && is_integer(a->dt)) {
    int64_t i;
    api().cast_one(a->dt, a->bytes(), DType::kInt64, &i);
    if (a->dt == DType::kUInt64 && i < 0)
      throw tvm::ffi::Error("OverflowError", "an index beyond 63 bits", "");
    return set_int(item, i);
  }
  item->kind = IndexKind::kArray;
  item->array = a;
}

[[gnu::noinline]] void parse_slow(PyObject* key, IndexItem* item, Converter* converter) {
  Converting converting;
  if (PyBool_Check(key)) {
    item->kind = IndexKind::kBool;
    item->start = key == Py_True;
    return;
  }
  if (PyArray_IsScalar(key, Bool)) {
    item->kind = IndexKind::kBool;
    item->start = PyArrayScalar_VAL(key, Bool);
    return;
  }
  if (PyLong_Check(key) || PyArray_IsScalar(key, Integer)) {
    Ref number(PyNumber_Index(key));
    if (!number) throw PythonError();
    int overflow = 0;
    long long v = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
    if (overflow) {
      // To NumPy, what fits 64 bits without a sign is an array that no index can be made of.
      bool fits = PyLong_AsUnsignedLongLong(number.get()) != ~0ULL || !PyErr_Occurred();
      PyErr_Clear();
      PyErr_SetString(fits ? PyExc_OverflowError : PyExc_IndexError,
                      "cannot fit 'int' into an index-sized integer");
      throw PythonError();
    }
    return set_int(item, v);
  }
  if (PyUnicode_Check(key) || PyFloat_Check(key) || PyComplex_Check(key) || PyDict_Check(key) ||
      PyBytes_Check(key))
    fail_key(key);
  if (PyArray_Check(key))
    return parse_array(converter->hold(borrow_numpy(reinterpret_cast<PyArrayObject*>(key))), item);
  if (PyList_Check(key) || PyTuple_Check(key)) {
    if (PySequence_Size(key) == 0) {
      int64_t zero = 0;
      item->kind = IndexKind::kArray;
      item->array = converter->hold(api().empty({&zero, 1}, DType::kInt64));
      return;
    }
    NDArrayObj* a;
    try {
      a = converter->hold(array_from_object(key, false, nullptr));
    } catch (const PythonError&) {
      if (PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        fail_key(key);
      }
      throw;
    }
    // Lists that hold no element have no dtype of their own.
    if (a->size == 0 && a->dt == DType::kFloat64)
      a = converter->hold(api().empty(a->dims(), DType::kInt64));
    return parse_array(a, item);
  }
  if (PyIndex_Check(key)) return set_int(item, index_value(key));
  if (has_attr(key, g.str_array) || has_attr(key, g.str_dlpack) || PySequence_Check(key))
    return parse_array(converter->hold(array_from_object(key, false, nullptr)), item);
  fail_key(key);
}

inline void parse_one(PyObject* key, IndexItem* item, Converter* converter) {
  int64_t i;
  if (PyLong_CheckExact(key) && compact_long(key, &i)) set_int(item, i);
  else if (PySlice_Check(key)) parse_slice(key, item);
  else if (key == Py_None) item->kind = IndexKind::kNewAxis;
  else if (key == Py_Ellipsis) item->kind = IndexKind::kEllipsis;
  else if (is_array(key)) parse_array(array_of(key), item);
  else parse_slow(key, item, converter);
}

inline void parse(PyObject* key, Index* index) {
  if (PyTuple_CheckExact(key) || PyTuple_Check(key)) {
    Py_ssize_t n = PyTuple_GET_SIZE(key);
    if (n > kMaxDims + 8) {
      PyErr_SetString(PyExc_IndexError, "too many indices for array");
      throw PythonError();
    }
    index->count = static_cast<int>(n);
    for (Py_ssize_t i = 0; i < n; ++i)
      parse_one(PyTuple_GET_ITEM(key, i), &index->items[i], &index->converter);
    return;
  }
  index->count = 1;
  parse_one(key, &index->items[0], &index->converter);
}

PyObject* array_mp_subscript(PyObject* o, PyObject* key) {
  NDArrayObj* a = array_of(o);
  try {
    int64_t i;
    if (PyLong_CheckExact(key) && compact_long(key, &i)) {
      IndexItem item;
      set_int(&item, i);
      return wrap(api().getitem(a, &item, 1));
    }
    Index index;
    parse(key, &index);
    return wrap(api().getitem(a, index.items, index.count));
  } catch (...) {
    set_error_from_exception();
    return nullptr;
  }
}

// A value that only the dtype of the array gives a meaning (None is NaN among floats): NumPy stores
// it, or says why not.
[[gnu::cold, gnu::noinline]] int assign_by_host(PyObject* o, PyObject* key, PyObject* value) {
  if (!PyErr_ExceptionMatches(PyExc_TypeError) || !array_of(o)->writeable()) return -1;
  PyErr_Clear();
  Ref host(numpy_view(o));
  return host ? PyObject_SetItem(host.get(), key, value) : -1;
}

int array_mp_ass_subscript(PyObject* o, PyObject* key, PyObject* value) {
  if (!value) {
    PyErr_SetString(PyExc_ValueError, "cannot delete array elements");
    return -1;
  }
  bool converted = false;
  int status = guarded_int([&] {
    Index index;
    parse(key, &index);
    TVMFFIAny v;
    index.converter.operand(value, &v);
    converted = true;
    api().setitem(array_of(o), index.items, index.count, v);
  });
  const bool unclear = !converted || PyComplex_CheckExact(value);  // of a complex number as a bool
  return status < 0 && unclear ? assign_by_host(o, key, value) : status;
}

Py_ssize_t array_length(PyObject* o) {
  NDArrayObj* a = array_of(o);
  if (a->ndim == 0) {
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
  }
  return a->shape[0];
}

PyObject* array_sq_item(PyObject* o, Py_ssize_t i) {
  return guarded([&] {
    IndexItem item;
    set_int(&item, i);
    return wrap(api().getitem(array_of(o), &item, 1));
  });
}

int array_sq_contains(PyObject* o, PyObject* value) {
  Ref equal(array_richcompare(o, value, Py_EQ));
  if (!equal) return -1;
  if (!is_array(equal.get())) return 0;
  Ref any(PyObject_CallMethod(equal.get(), "any", nullptr));
  return any ? PyObject_IsTrue(any.get()) : -1;
}

}  // namespace

PyMappingMethods array_mapping = {array_length, array_mp_subscript, array_mp_ass_subscript};
PySequenceMethods array_sequence = {
    .sq_length = array_length,
    .sq_concat = nullptr,
    .sq_repeat = nullptr,
    .sq_item = array_sq_item,
    .was_sq_slice = nullptr,
    .sq_ass_item = nullptr,
    .was_sq_ass_slice = nullptr,
    .sq_contains = array_sq_contains,
    .sq_inplace_concat = nullptr,
    .sq_inplace_repeat = nullptr,
};

}  // namespace isthmus::py
