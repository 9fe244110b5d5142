// array_methods.cc: the methods of ndarray that are no operators.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "array_type.h"

namespace isthmus::py {
namespace {

PyObject* no_keyword(const char* method, PyObject* key) {
  return PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", method, key);
}

PyObject* method_reshape(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (nargs > 0 && !kwnames) {
    // The common case here: a contiguous array and a plain shape become a view at once.
    NDArrayObj* a = array_of(o);
    int64_t dims[8];
    Py_ssize_t n = nargs;
    PyObject* const* items = args;
    if (nargs == 1 && PyTuple_CheckExact(args[0])) {
      n = PyTuple_GET_SIZE(args[0]);
      items = &PyTuple_GET_ITEM(args[0], 0);
    }
    if (a->c_contiguous() && n <= 8) {
      int64_t size = 1;
      bool plain = true;
      for (Py_ssize_t i = 0; i < n && plain; ++i) {
        plain = PyLong_CheckExact(items[i]) && compact_long(items[i], &dims[i]) && dims[i] > 0;
        if (plain) size *= dims[i];
      }
      if (plain && size == a->size) {
        int64_t strides[8], step = 1;
        for (Py_ssize_t i = n; i-- > 0;) {
          strides[i] = step;
          step *= dims[i];
        }
        return guarded([&] {
          size_t nd = static_cast<size_t>(n);
          return wrap(api().view(a, {dims, nd}, {strides, nd}, a->data));
        });
      }
    }
  }
  PyObject* f = PyDict_GetItemString(g.ops, "reshape");
  if (!f) return PyErr_Format(PyExc_NotImplementedError, "operator reshape");
  Py_ssize_t nk = kwnames ? PyTuple_GET_SIZE(kwnames) : 0;
  if (nargs == 1 && !PyLong_CheckExact(args[0])) {
    std::vector<PyObject*> all{o};
    all.insert(all.end(), args, args + nargs + nk);
    return PyObject_Vectorcall(f, all.data(), 2, kwnames);
  }
  if (nargs == 0) {
    PyErr_SetString(PyExc_TypeError, "reshape() takes at least 1 argument (0 given)");
    return nullptr;
  }
  Ref shape(PyTuple_New(nargs));
  if (!shape) return nullptr;
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(shape.get(), i, args[i]);
  }
  std::vector<PyObject*> all{o, shape.get()};
  all.insert(all.end(), args + nargs, args + nargs + nk);
  return PyObject_Vectorcall(f, all.data(), 2, kwnames);
}

PyObject* method_transpose(PyObject* o, PyObject* const* args, Py_ssize_t nargs) {
  if (nargs == 0 || (nargs == 1 && args[0] == Py_None)) return array_transposed(o);
  if (nargs == 1 && !PyLong_Check(args[0])) return call_method_op("transpose", o, args[0]);
  Ref axes(PyTuple_New(nargs));
  if (!axes) return nullptr;
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    Py_INCREF(args[i]);
    PyTuple_SET_ITEM(axes.get(), i, args[i]);
  }
  return call_method_op("transpose", o, axes.get());
}

NPY_ORDER order_of(PyObject* given, NPY_ORDER fallback) {
  NPY_ORDER order = fallback;
  if (given && !PyArray_OrderConverter(given, &order)) throw PythonError();
  return order;
}

NDArrayObj* ordered_copy(const NDArrayObj* a, NPY_ORDER order) {
  if (order == NPY_KEEPORDER) return api().copy_keep_order(a);
  bool fortran = order == NPY_FORTRANORDER ||
                 (order == NPY_ANYORDER && a->f_contiguous() && !a->c_contiguous());
  if (!fortran) return api().copy(a);
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) shape[i] = a->shape[a->ndim - 1 - i];
  size_t nd = static_cast<size_t>(a->ndim);
  NDArrayObj* block = api().empty({shape, nd}, a->dt);
  for (int i = 0; i < a->ndim; ++i) strides[i] = block->strides[a->ndim - 1 - i];
  NDArrayObj* out = api().view(block, a->dims(), {strides, nd}, block->data);
  object_decref(block->header());
  api().assign(out, a);
  return out;
}

PyObject* method_copy(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* order = nargs > 0 ? args[0] : nullptr;
  if (kwnames) {
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(kwnames); ++k) {
      PyObject* key = PyTuple_GET_ITEM(kwnames, k);
      if (PyUnicode_CompareWithASCIIString(key, "order") != 0) return no_keyword("copy", key);
      order = args[nargs + k];
    }
  }
  return guarded([&] {
    NPY_ORDER wanted = order_of(order, NPY_CORDER);
    return wrap(ordered_copy(array_of(o), wanted));
  });
}

PyObject* method_flatten(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  Ref copy(method_copy(o, args, nargs, kwnames));
  if (!copy) return nullptr;
  return guarded([&] {
    // The copy is one block in the order that was asked for, whatever its axes.
    NDArrayObj* a = array_of(copy.get());
    int64_t n = a->size, one = 1;
    return wrap(api().view(a, {&n, 1}, {&one, 1}, a->data));
  });
}

PyObject* method_astype(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  static const char* kNames[] = {"dtype", "order", "casting", "subok", "copy"};
  PyObject* given[5] = {};
  if (nargs > 5)
    return PyErr_Format(PyExc_TypeError, "astype() takes at most 5 arguments (%zd given)", nargs);
  for (Py_ssize_t i = 0; i < nargs; ++i) given[i] = args[i];
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject* key = PyTuple_GET_ITEM(kwnames, k);
    int at = 0;
    while (at < 5 && PyUnicode_CompareWithASCIIString(key, kNames[at]) != 0) ++at;
    if (at == 5) return no_keyword("astype", key);
    if (given[at])
      return PyErr_Format(PyExc_TypeError, "astype() got multiple values for argument '%U'", key);
    given[at] = args[nargs + k];
  }
  if (!given[0]) {
    PyErr_SetString(PyExc_TypeError, "astype() missing required argument 'dtype' (pos 1)");
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    Converting converting;
    NDArrayObj* a = array_of(o);
    DType d = dtype_from_object(given[0]);
    NPY_ORDER order = order_of(given[1], NPY_KEEPORDER);
    Casting casting = Casting::kUnsafe;
    if (given[2]) {
      const char* s = PyUnicode_Check(given[2]) ? PyUnicode_AsUTF8(given[2]) : nullptr;
      if (!s || !casting_from_name(s, &casting)) {
        PyErr_Format(PyExc_ValueError,
                     "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got %R)",
                     given[2]);
        return nullptr;
      }
    }
    if (!can_cast(a->dt, d, casting)) {
      PyErr_Format(
          PyExc_TypeError,
          "Cannot cast array data from dtype('%s') to dtype('%s') according to the rule '%s'",
          name(a->dt), name(d), casting_name(casting));
      return nullptr;
    }
    int copy = given[4] ? PyObject_IsTrue(given[4]) : 1;
    if (copy < 0) return nullptr;
    if (a->dt == d) {
      if (!copy) {
        Py_INCREF(o);
        return o;
      }
      return wrap(ordered_copy(a, order));
    }
    if (is_complex(a->dt) && !is_complex(d) && d != DType::kBool) {
      Ref warnings(PyImport_ImportModule("numpy.exceptions"));
      Ref category(warnings ? PyObject_GetAttrString(warnings.get(), "ComplexWarning") : nullptr);
      if (!category ||
          PyErr_WarnEx(category.get(), "Casting complex values to real discards the imaginary part",
                       1) < 0)
        return nullptr;
    }
    fp_begin();
    // One copy in the wanted order of the old dtype gives the strides, where they are not C's.
    PyObject* result;
    if (order == NPY_CORDER || (order != NPY_FORTRANORDER && a->c_contiguous()) || a->ndim < 2) {
      result = wrap(api().astype(a, d));
    } else {
      Ref ordered(wrap(ordered_copy(a, order)));
      if (!ordered) return nullptr;
      const NDArrayObj* from = array_of(ordered.get());
      NDArrayObj* out = api().empty(from->dims(), d);
      std::copy(from->strides, from->strides + from->ndim, out->strides);
      api().set_contiguity(out);
      api().assign(out, from);
      result = wrap(out);
    }
    if (result && is_inexact(a->dt) && fp_end("cast") < 0) {
      Py_DECREF(result);
      return nullptr;
    }
    return result;
  });
}

PyObject* method_item(PyObject* o, PyObject* const* args, Py_ssize_t nargs) {
  Converting converting;
  NDArrayObj* a = array_of(o);
  if (nargs == 0) {
    if (a->size == 1) return element_to_python(a->dt, a->bytes());
    PyErr_SetString(PyExc_ValueError, "can only convert an array of size 1 to a Python scalar");
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    int64_t index[kMaxDims];
    PyObject* const* items = args;
    if (nargs == 1 && PyTuple_Check(args[0])) {
      nargs = PyTuple_GET_SIZE(args[0]);
      items = &PyTuple_GET_ITEM(args[0], 0);
    } else if (nargs == 1 && a->ndim != 1) {
      // One index counts along the flattened array.
      int64_t flat = index_value(args[0]);
      if (flat < -a->size || flat >= a->size) {
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for size %lld",
                     static_cast<long long>(flat), static_cast<long long>(a->size));
        return nullptr;
      }
      if (flat < 0) flat += a->size;
      const char* p = a->bytes();
      for (int d = a->ndim; d-- > 0;) {
        p += flat % a->shape[d] * a->strides[d] * a->isz();
        flat /= a->shape[d];
      }
      return element_to_python(a->dt, p);
    }
    if (nargs != a->ndim) {
      PyErr_SetString(PyExc_ValueError, "incorrect number of indices for array");
      return nullptr;
    }
    const char* p = a->bytes();
    for (int d = 0; d < a->ndim; ++d) {
      index[d] = index_value(items[d]);
      if (index[d] < -a->shape[d] || index[d] >= a->shape[d]) {
        PyErr_Format(PyExc_IndexError, "index %lld is out of bounds for axis %d with size %lld",
                     static_cast<long long>(index[d]), d, static_cast<long long>(a->shape[d]));
        return nullptr;
      }
      p += (index[d] < 0 ? index[d] + a->shape[d] : index[d]) * a->strides[d] * a->isz();
    }
    return element_to_python(a->dt, p);
  });
}

PyObject* method_tolist(PyObject* o, PyObject*) {
  Converting converting;  // new lists may start the garbage collector, which runs finalizers
  NDArrayObj* a = array_of(o);
  return array_to_list(a, 0, a->bytes());
}

PyObject* method_fill(PyObject* o, PyObject* value) {
  if (PyObject_SetItem(o, Py_Ellipsis, value) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* method_asnumpy(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject* shared = nargs > 0 ? args[0] : nullptr;
  if (nargs > 1)
    return PyErr_Format(PyExc_TypeError, "asnumpy() takes at most 1 argument (%zd given)", nargs);
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject* key = PyTuple_GET_ITEM(kwnames, k);
    if (PyUnicode_CompareWithASCIIString(key, "shared") != 0) return no_keyword("asnumpy", key);
    shared = args[nargs + k];
  }
  int share = shared ? PyObject_IsTrue(shared) : 0;
  if (share < 0) return nullptr;
  if (share) return numpy_view(o);
  Ref copy(guarded([&] { return wrap(api().copy_keep_order(array_of(o))); }));
  return copy ? numpy_view(copy.get()) : nullptr;
}

PyObject* method_array(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject *dtype = nargs > 0 ? args[0] : Py_None, *copy = Py_None;
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject* key = PyTuple_GET_ITEM(kwnames, k);
    if (PyUnicode_CompareWithASCIIString(key, "dtype") == 0) dtype = args[nargs + k];
    else if (PyUnicode_CompareWithASCIIString(key, "copy") == 0) copy = args[nargs + k];
    else return no_keyword("__array__", key);
  }
  Ref view(numpy_view(o));
  if (!view) return nullptr;
  bool convert = false;
  if (dtype != Py_None) {
    PyArray_Descr* d = nullptr;
    if (!PyArray_DescrConverter(dtype, &d)) return nullptr;
    convert = !PyArray_EquivTypes(d, PyArray_DESCR(reinterpret_cast<PyArrayObject*>(view.get())));
    Py_DECREF(d);
  }
  if (convert) {
    if (copy == Py_False) {
      PyErr_SetString(PyExc_ValueError,
                      "Unable to avoid copy while creating an array as requested.");
      return nullptr;
    }
    return PyObject_CallMethod(view.get(), "astype", "O", dtype);
  }
  if (copy == Py_True) return PyObject_CallMethod(view.get(), "copy", nullptr);
  return view.release();
}

PyObject* method_copy_protocol(PyObject* o, PyObject*) {
  return guarded([&] { return wrap(api().copy_keep_order(array_of(o))); });
}

PyObject* method_reduce_ex(PyObject* o, PyObject* protocol) {
  if (!g.rebuild) {
    PyErr_SetString(PyExc_RuntimeError, "isthmus._native is not set up");
    return nullptr;
  }
  Ref view(numpy_view(o));
  if (!view) return nullptr;
  (void)protocol;
  return Py_BuildValue("(O(O))", g.rebuild, view.get());
}

PyObject* method_sizeof(PyObject* o, PyObject*) {
  NDArrayObj* a = array_of(o);
  size_t own = sizeof(PyNDArray) + sizeof(NDArrayObj) + 16 * static_cast<size_t>(a->ndim);
  bool owns = !a->owner || (a->owner->type_index != kTVMFFITensor &&
                            reinterpret_cast<StorageObj*>(a->owner)->origin == Origin::kPool);
  return PyLong_FromSize_t(own + (owns ? a->nbytes() : 0));
}

PyObject* method_wait(PyObject*, PyObject*) { Py_RETURN_NONE; }

PyObject* method_sort(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  if (!array_of(o)->writeable()) {
    PyErr_SetString(PyExc_ValueError, "sort array is read-only");
    return nullptr;
  }
  PyObject* f = PyDict_GetItemString(g.ops, "sort");
  if (!f) return PyErr_Format(PyExc_NotImplementedError, "operator sort");
  std::vector<PyObject*> all{o};
  all.insert(all.end(), args, args + nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0));
  Ref sorted(PyObject_Vectorcall(f, all.data(), static_cast<size_t>(nargs) + 1, kwnames));
  if (!sorted) return nullptr;
  if (guarded_int([&] { api().assign(array_of(o), array_of(sorted.get())); }) < 0) return nullptr;
  Py_RETURN_NONE;
}

PyObject* method_array_function(PyObject* o, PyObject* args) {
  (void)o;
  return g.array_function ? PyObject_CallObject(g.array_function, args)
                          : PyErr_Format(PyExc_RuntimeError, "isthmus._native is not set up");
}

// numpy.ufunc(..., isthmus_array): the operator of the same name takes the call.
PyObject* method_array_ufunc(PyObject* o, PyObject* const* args, Py_ssize_t nargs,
                             PyObject* kwnames) {
  if (nargs < 2) {
    PyErr_SetString(PyExc_TypeError, "__array_ufunc__ expects a ufunc and a method");
    return nullptr;
  }
  if (PyObject_TypeCheck(args[0], &PyUFunc_Type) && PyUnicode_Check(args[1]) &&
      PyUnicode_CompareWithASCIIString(args[1], "__call__") == 0) {
    PyObject* op = PyDict_GetItemString(g.ops, reinterpret_cast<PyUFuncObject*>(args[0])->name);
    if (op) {
      // An official array as `out` of the operator must be returned itself, which the slow way
      // does.
      bool plain = true;
      for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k)
        plain &= PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(kwnames, k), "out") != 0;
      if (plain) return PyObject_Vectorcall(op, args + 2, static_cast<size_t>(nargs - 2), kwnames);
    }
  }
  if (!g.array_ufunc_slow) return PyErr_Format(PyExc_RuntimeError, "isthmus._native is not set up");
  std::vector<PyObject*> all{o};
  all.insert(all.end(), args, args + nargs + (kwnames ? PyTuple_GET_SIZE(kwnames) : 0));
  return PyObject_Vectorcall(g.array_ufunc_slow, all.data(), static_cast<size_t>(nargs) + 1,
                             kwnames);
}

PyObject* method_complex(PyObject* o, PyObject*) {
  NDArrayObj* a = array_of(o);
  if (a->ndim != 0) {
    PyErr_SetString(PyExc_TypeError,
                    "only 0-dimensional arrays can be converted to Python scalars");
    return nullptr;
  }
  return guarded([&]() -> PyObject* {
    double c[2];
    api().cast_one(a->dt, a->bytes(), DType::kComplex128, c);
    return PyComplex_FromDoubles(c[0], c[1]);
  });
}

PyObject* method_round(PyObject* o, PyObject* const* args, Py_ssize_t nargs) {
  NDArrayObj* a = array_of(o);
  // round(x) of one real number is an int, as in Python; with digits it stays an array.
  if (nargs == 0 && a->ndim == 0 && !is_complex(a->dt)) {
    Ref value(element_to_python(a->dt, a->bytes()));
    return value ? PyObject_CallMethod(value.get(), "__round__", nullptr) : nullptr;
  }
  return call_method_op("round", o, nargs > 0 && args[0] != Py_None ? args[0] : nullptr);
}

PyObject* method_format(PyObject* o, PyObject* spec) {
  NDArrayObj* a = array_of(o);
  if (a->ndim == 0) {
    Ref value(element_to_python(a->dt, a->bytes()));
    return value ? PyObject_Format(value.get(), spec) : nullptr;
  }
  if (PyUnicode_GET_LENGTH(spec) == 0) return PyObject_Str(o);
  PyErr_SetString(PyExc_TypeError,
                  "unsupported format string passed to isthmus.ndarray.__format__");
  return nullptr;
}

template <class F>
PyCFunction as_cfunction(F f) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(f));
}
constexpr int kFast = METH_FASTCALL | METH_KEYWORDS;

}  // namespace

PyMethodDef array_methods[] = {
    {"reshape", as_cfunction(method_reshape), kFast,
     "reshape(shape, order='C'): a view with another shape where possible, else a copy."},
    {"transpose", as_cfunction(method_transpose), METH_FASTCALL,
     "transpose(*axes): a view with its axes permuted."},
    {"copy", as_cfunction(method_copy), kFast,
     "copy(order='C'): a new array with the same elements."},
    {"flatten", as_cfunction(method_flatten), kFast, "flatten(order='C'): a one-dimensional copy."},
    {"astype", as_cfunction(method_astype), kFast,
     "astype(dtype, order='K', casting='unsafe', subok=True, copy=True): converted copy."},
    {"item", as_cfunction(method_item), METH_FASTCALL,
     "item(*index): one element as a Python number."},
    {"tolist", method_tolist, METH_NOARGS, "tolist(): nested lists of Python numbers."},
    {"fill", method_fill, METH_O, "fill(value): sets every element."},
    {"sort", as_cfunction(method_sort), kFast,
     "sort(axis=-1, kind=None, order=None): sorts in place."},
    {"asnumpy", as_cfunction(method_asnumpy), kFast,
     "asnumpy(shared=False): a numpy.ndarray with a copy of the elements, or over the same "
     "memory."},
    {"wait_to_read", method_wait, METH_NOARGS,
     "wait_to_read(): returns when pending writes to the array are done."},
    {"wait_to_write", method_wait, METH_NOARGS,
     "wait_to_write(): returns when pending reads and writes are done."},
    {"__array__", as_cfunction(method_array), kFast, nullptr},
    {"__copy__", method_copy_protocol, METH_NOARGS, nullptr},
    {"__deepcopy__", method_copy_protocol, METH_O, nullptr},
    {"__reduce_ex__", method_reduce_ex, METH_O, nullptr},
    {"__sizeof__", method_sizeof, METH_NOARGS, nullptr},
    {"__complex__", method_complex, METH_NOARGS, nullptr},
    {"__round__", as_cfunction(method_round), METH_FASTCALL, nullptr},
    {"__format__", method_format, METH_O, nullptr},
    {"__array_function__", method_array_function, METH_VARARGS, nullptr},
    {"__array_ufunc__", as_cfunction(method_array_ufunc), kFast, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace isthmus::py
