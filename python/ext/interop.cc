// interop.cc: one memory with NumPy, in both directions.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "ext.h"

namespace isthmus::py {
namespace {

// Drops a Python owner from any thread.
void decref_owner(void* owner) {
  if (is_finalizing()) return;  // the interpreter is going away and takes the object with it
  if (PyGILState_Check()) {
    Py_DECREF(static_cast<PyObject*>(owner));
    return;
  }
  GilAcquire gil;
  Py_DECREF(static_cast<PyObject*>(owner));
}

[[gnu::cold]] void raise_value(const char* format, PyObject* o) {
  PyErr_Format(PyExc_ValueError, format, o);
  throw PythonError();
}

}  // namespace

PyObject* python_owner(const StorageObj* s) {
  return s->origin == Origin::kBorrowed && s->deleter == decref_owner
             ? static_cast<PyObject*>(s->context)
             : nullptr;
}

NDArrayObj* borrow_numpy(PyArrayObject* a) {
  PyArray_Descr* descr = PyArray_DESCR(a);
  DType d;
  if (!dtype_from_descr(descr, &d)) {
    PyErr_Format(PyArray_ISNBO(descr->byteorder) ? PyExc_TypeError : PyExc_ValueError,
                 "cannot share a NumPy array of dtype %R: %s", descr,
                 PyArray_ISNBO(descr->byteorder)
                     ? "only bool, integer, float16/32/64 and complex64/128 elements are supported"
                     : "its byte order is not the machine's (zero_copy=False converts it)");
    throw PythonError();
  }
  int nd = PyArray_NDIM(a);
  const int isz = itemsize(d);
  const auto address = reinterpret_cast<uintptr_t>(PyArray_DATA(a));
  if (PyArray_SIZE(a) > 0 &&
      (address % static_cast<uintptr_t>(isz > 8 ? 8 : isz) != 0 || !PyArray_ISALIGNED(a)))
    raise_value(
        "cannot share a NumPy array of dtype %R that is not aligned to its element size "
        "(zero_copy=False copies it)",
        reinterpret_cast<PyObject*>(descr));
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < nd; ++i) {
    shape[i] = PyArray_DIM(a, i);
    int64_t s = PyArray_STRIDE(a, i);
    if (s % isz != 0) {
      // The stride of an axis that is never stepped along does not matter.
      if (shape[i] > 1)
        raise_value(
            "cannot share a NumPy array of dtype %R whose strides are no multiple of the element "
            "size (zero_copy=False copies it)",
            reinterpret_cast<PyObject*>(descr));
      s = isz;
    }
    strides[i] = s / isz;
  }
  Py_INCREF(a);
  StorageObj* s;
  try {
    s = api().storage_borrow(PyArray_DATA(a), static_cast<size_t>(PyArray_NBYTES(a)), decref_owner,
                             a, Origin::kBorrowed);
  } catch (...) {
    Py_DECREF(a);
    throw;
  }
  size_t n = static_cast<size_t>(nd);
  return api().from_storage(s, {shape, n}, {strides, n}, d, PyArray_DATA(a),
                            PyArray_ISWRITEABLE(a));
}

PyObject* numpy_view(PyObject* o) {
  NDArrayObj* a = array_of(o);
  npy_intp dims[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) {
    dims[i] = a->shape[i];
    strides[i] = a->strides[i] * a->isz();
  }
  auto* descr = reinterpret_cast<PyArray_Descr*>(g.descr[static_cast<int>(a->dt)]);
  Py_INCREF(descr);
  PyObject* view = PyArray_NewFromDescr(&PyArray_Type, descr, a->ndim, dims, strides, a->data,
                                        a->writeable() ? NPY_ARRAY_WRITEABLE : 0, nullptr);
  if (!view) return nullptr;
  Py_INCREF(o);
  if (PyArray_SetBaseObject(reinterpret_cast<PyArrayObject*>(view), o) < 0) {
    Py_DECREF(view);
    return nullptr;
  }
  api().mark_shared(a);
  return view;
}

namespace {

// A list or tuple of plain floats or small ints; null when there is anything else in it.
NDArrayObj* flat_numbers(PyObject* o) {
  Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
  if (n == 0) return nullptr;
  PyObject** items = PySequence_Fast_ITEMS(o);
  bool floats = false, plain = true;
  int64_t small = 0;
  for (Py_ssize_t i = 0; i < n && plain; ++i) {
    if (PyFloat_CheckExact(items[i])) floats = true;
    else plain = PyLong_CheckExact(items[i]) && compact_long(items[i], &small);
  }
  if (!plain) return nullptr;
  int64_t size = n;
  NDArrayObj* a = api().empty({&size, 1}, floats ? DType::kFloat64 : DType::kInt64);
  for (Py_ssize_t i = 0; i < n; ++i) {
    bool is_float = PyFloat_CheckExact(items[i]);
    if (!is_float) compact_long(items[i], &small);
    if (floats)
      static_cast<double*>(a->data)[i] =
          is_float ? PyFloat_AS_DOUBLE(items[i]) : static_cast<double>(small);
    else static_cast<int64_t*>(a->data)[i] = small;
  }
  return a;
}

NDArrayObj* convert_dtype(NDArrayObj* owned, bool copy, const DType* dtype) {
  if (dtype && owned->dt != *dtype) {
    Ref held(wrap(owned));
    if (!held) throw PythonError();
    return api().astype(owned, *dtype);
  }
  if (copy) {
    Ref held(wrap(owned));
    if (!held) throw PythonError();
    return api().copy_keep_order(owned);
  }
  return owned;
}

// ---- Nests of lists ----------------------------------------------------------------------------
// NumPy reads the items of a list while it converts them, and crashes when that changes the list.
struct Nest {
  PyObject* list;
  const Nest* outer;
};

bool is_nest(PyObject* o, int depth) {
  return depth < kMaxDims && (PyList_CheckExact(o) || PyTuple_CheckExact(o));
}

// Whether all that is in a nest converts without running Python code. Throws for a list that
// contains itself: NumPy may follow it in circles for ever.
bool converts_quietly(PyObject* o, const Nest* outer, int depth) {
  if (!is_nest(o, depth))
    return PyFloat_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o) ||
           PyComplex_CheckExact(o) || is_array(o) || PyArray_CheckExact(o) ||
           PyUnicode_CheckExact(o) || PyArray_CheckAnyScalarExact(o);
  for (const Nest* n = outer; n; n = n->outer) {
    if (n->list != o) continue;
    PyErr_SetString(PyExc_ValueError, "cannot make an array of a list that contains itself");
    throw PythonError();
  }
  const Nest here{o, outer};
  bool quiet = true;
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); ++i)
    quiet &= converts_quietly(PySequence_Fast_GET_ITEM(o, i), &here, depth + 1);
  return quiet;
}

// The same nest of tuples, which nobody can change.
Ref frozen(PyObject* o, int depth) {
  if (!is_nest(o, depth)) return Ref::borrow(o);
  const Ref held(PyList_CheckExact(o) ? PyList_AsTuple(o) : Py_NewRef(o));
  const Py_ssize_t n = held ? PyTuple_GET_SIZE(held.get()) : 0;
  Ref copy(held ? PyTuple_New(n) : nullptr);
  if (!copy) throw PythonError();
  for (Py_ssize_t i = 0; i < n; ++i)
    PyTuple_SET_ITEM(copy.get(), i, frozen(PyTuple_GET_ITEM(held.get(), i), depth + 1).release());
  return copy;
}

}  // namespace

NDArrayObj* array_from_object(PyObject* o, bool copy, const DType* dtype) {
  if (is_array(o)) {
    NDArrayObj* a = array_of(o);
    if (dtype && a->dt != *dtype) return api().astype(a, *dtype);
    if (copy) return api().copy_keep_order(a);
    object_incref(a->header());
    return a;
  }
  if (PyFloat_CheckExact(o) && !dtype) {
    double v = PyFloat_AS_DOUBLE(o);
    return api().scalar_array(DType::kFloat64, &v);
  }
  if ((PyList_CheckExact(o) || PyTuple_CheckExact(o)) && (!dtype || *dtype == DType::kFloat64)) {
    if (NDArrayObj* a = flat_numbers(o)) return convert_dtype(a, false, dtype);
  }
  bool fresh = !PyArray_Check(o);
  if (!fresh) {
    // What cannot be shared as it is may still convert through NumPy.
    auto* array = reinterpret_cast<PyArrayObject*>(o);
    DType d;
    if (dtype_from_descr(PyArray_DESCR(array), &d) && PyArray_ISALIGNED(array)) {
      NDArrayObj* a = borrow_numpy(array);
      return convert_dtype(a, copy, dtype);
    }
  }
  Ref nest;
  if (is_nest(o, 0) && !converts_quietly(o, nullptr, 0)) {
    nest = frozen(o, 0);
    o = nest.get();
  }
  PyArray_Descr* want = nullptr;
  if (dtype) {
    want = reinterpret_cast<PyArray_Descr*>(g.descr[static_cast<int>(*dtype)]);
    Py_INCREF(want);
  }
  Ref array(PyArray_CheckFromAny(
      o, want, 0, 0, NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED | (want ? NPY_ARRAY_FORCECAST : 0),
      nullptr));
  if (!array) throw PythonError();
  if (!PyArray_ISNOTSWAPPED(reinterpret_cast<PyArrayObject*>(array.get()))) {
    // An object's __array__ may hand out foreign byte order.
    array = Ref(PyArray_CheckFromAny(array.get(), nullptr, 0, 0,
                                     NPY_ARRAY_ALIGNED | NPY_ARRAY_NOTSWAPPED, nullptr));
    if (!array) throw PythonError();
  }
  DType d;
  if (!dtype_from_descr(PyArray_DESCR(reinterpret_cast<PyArrayObject*>(array.get())), &d)) {
    PyErr_Format(
        PyExc_TypeError,
        "cannot make an array of %.200s: its dtype would be %R, and Isthmus has numbers only",
        Py_TYPE(o)->tp_name, PyArray_DESCR(reinterpret_cast<PyArrayObject*>(array.get())));
    throw PythonError();
  }
  NDArrayObj* a = borrow_numpy(reinterpret_cast<PyArrayObject*>(array.get()));
  // NumPy may have handed out somebody's memory (a buffer); only an array of its own making may be
  // kept as it is.
  bool own = PyArray_CHKFLAGS(reinterpret_cast<PyArrayObject*>(array.get()), NPY_ARRAY_OWNDATA) &&
             array.get() != o;
  return copy && !own ? convert_dtype(a, true, nullptr) : a;
}

PyObject* native_from_numpy(PyObject*, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject *a = nargs > 0 ? args[0] : nullptr, *zero_copy = nargs > 1 ? args[1] : Py_True;
  if (nargs > 2)
    return PyErr_Format(PyExc_TypeError, "from_numpy() takes at most 2 arguments (%zd given)",
                        nargs);
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject* key = PyTuple_GET_ITEM(kwnames, k);
    if (PyUnicode_CompareWithASCIIString(key, "zero_copy") == 0) zero_copy = args[nargs + k];
    else if (PyUnicode_CompareWithASCIIString(key, "a") == 0) a = args[nargs + k];
    else
      return PyErr_Format(PyExc_TypeError, "from_numpy() got an unexpected keyword argument '%U'",
                          key);
  }
  if (!a || !PyArray_Check(a))
    return PyErr_Format(PyExc_TypeError, "from_numpy() expects a numpy.ndarray, not %.200s",
                        a ? Py_TYPE(a)->tp_name : "nothing");
  int share = PyObject_IsTrue(zero_copy);
  if (share < 0) return nullptr;
  return guarded([&] {
    return wrap(share ? borrow_numpy(reinterpret_cast<PyArrayObject*>(a))
                      : array_from_object(a, true, nullptr));
  });
}

}  // namespace isthmus::py
