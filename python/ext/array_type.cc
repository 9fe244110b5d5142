// array_type.cc: isthmus.ndarray: life, attributes, methods and iteration.
// SPDX-License-Identifier: Apache-2.0
#include "array_type.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace isthmus::py {

PyTypeObject ndarray_type = {PyVarObject_HEAD_INIT(nullptr, 0)};
PyTypeObject ndarray_iter_type = {PyVarObject_HEAD_INIT(nullptr, 0)};

namespace {

// ---- Life --------------------------------------------------------------------------------------
constexpr int kMaxFree = 256;
PyNDArray* free_list[kMaxFree];
int num_free = 0;

void array_dealloc(PyObject* o) {
  auto* self = reinterpret_cast<PyNDArray*>(o);
  if (self->weakrefs) PyObject_ClearWeakRefs(o);
  if (self->array) object_decref(self->array->header());
  if (kFreeLists && num_free < kMaxFree) {
    free_list[num_free++] = self;
    return;
  }
  PyObject_Free(o);
}

}  // namespace

PyObject* wrap(NDArrayObj* owned) {
  PyNDArray* self;
  if (kFreeLists && num_free > 0) {
    self = free_list[--num_free];  // still of our type
    Py_SET_REFCNT(reinterpret_cast<PyObject*>(self), 1);
  } else {
    self = PyObject_New(PyNDArray, &ndarray_type);
    if (!self) {
      object_decref(owned->header());
      return nullptr;
    }
  }
  self->array = owned;
  self->weakrefs = nullptr;
  return reinterpret_cast<PyObject*>(self);
}

namespace {
std::vector<Ref>& replaced_arrays() {
  static auto* replaced = new std::vector<Ref>;
  return *replaced;
}
bool release_scheduled = false;
}  // namespace

void Converting::release_when_done(Ref replaced) {
  if (depth_ == 0) return;
  replaced_arrays().push_back(std::move(replaced));
  depth_ |= kReplaced;
}

// A call that still holds a borrowed array has left its last scope, but not returned: the
// interpreter runs pending calls between instructions only.
void Converting::schedule_release() {
  if (!release_scheduled) release_scheduled = Py_AddPendingCall(release_replaced, nullptr) == 0;
}

int Converting::release_replaced(void*) {
  release_scheduled = false;
  if (depth_ != kReplaced) return 0;  // the end of the scope that runs now schedules it again
  std::vector<Ref> released = std::move(replaced_arrays());
  replaced_arrays().clear();
  depth_ = 0;
  return 0;
}

PyObject* call_method_op(const char* op, PyObject* self, PyObject* arg) {
  PyObject* f = PyDict_GetItemString(g.ops, op);
  if (!f) return PyErr_Format(PyExc_NotImplementedError, "operator %s", op);
  PyObject* args[2] = {self, arg};
  return PyObject_Vectorcall(f, args, arg ? 2 : 1, nullptr);
}

PyObject* array_transposed(PyObject* o) {
  NDArrayObj* a = array_of(o);
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) {
    shape[i] = a->shape[a->ndim - 1 - i];
    strides[i] = a->strides[a->ndim - 1 - i];
  }
  size_t nd = static_cast<size_t>(a->ndim);
  return guarded([&] { return wrap(api().view(a, {shape, nd}, {strides, nd}, a->data)); });
}

namespace {

PyObject* dims_tuple(const int64_t* dims, int n, int64_t scale) {
  PyObject* t = PyTuple_New(n);
  if (!t) return nullptr;
  for (int i = 0; i < n; ++i) PyTuple_SET_ITEM(t, i, PyLong_FromLongLong(dims[i] * scale));
  return t;
}

// ---- Attributes --------------------------------------------------------------------------------
PyObject* get_shape(PyObject* o, void*) {
  return dims_tuple(array_of(o)->shape, array_of(o)->ndim, 1);
}
PyObject* get_strides(PyObject* o, void*) {
  return dims_tuple(array_of(o)->strides, array_of(o)->ndim, array_of(o)->isz());
}
PyObject* get_ndim(PyObject* o, void*) { return PyLong_FromLong(array_of(o)->ndim); }
PyObject* get_size(PyObject* o, void*) { return PyLong_FromLongLong(array_of(o)->size); }
PyObject* get_itemsize(PyObject* o, void*) { return PyLong_FromLong(array_of(o)->isz()); }
PyObject* get_nbytes(PyObject* o, void*) { return PyLong_FromSize_t(array_of(o)->nbytes()); }
PyObject* get_dtype(PyObject* o, void*) {
  PyObject* d = g.descr[static_cast<int>(array_of(o)->dt)];
  Py_INCREF(d);
  return d;
}
PyObject* get_device(PyObject* o, void*) { return make_device(array_of(o)->device); }
PyObject* get_is_shared(PyObject* o, void*) {
  return PyBool_FromLong(api().is_shared(array_of(o)));
}

PyObject* get_T(PyObject* o, void*) { return array_transposed(o); }

PyObject* get_mT(PyObject* o, void*) {
  NDArrayObj* a = array_of(o);
  if (a->ndim < 2) {
    PyErr_SetString(PyExc_ValueError, "matrix transpose with ndim < 2 is undefined");
    return nullptr;
  }
  int64_t shape[kMaxDims], strides[kMaxDims];
  std::copy(a->shape, a->shape + a->ndim, shape);
  std::copy(a->strides, a->strides + a->ndim, strides);
  std::swap(shape[a->ndim - 1], shape[a->ndim - 2]);
  std::swap(strides[a->ndim - 1], strides[a->ndim - 2]);
  size_t nd = static_cast<size_t>(a->ndim);
  return guarded([&] { return wrap(api().view(a, {shape, nd}, {strides, nd}, a->data)); });
}

// Views of the real or imaginary parts: the real dtype at twice the stride.
PyObject* part_of(PyObject* o, int part) {
  NDArrayObj* a = array_of(o);
  if (!is_complex(a->dt)) {
    if (part == 0) {
      Py_INCREF(o);
      return o;
    }
    return guarded([&]() -> PyObject* {
      NDArrayObj* zero = api().empty(a->dims(), a->dt);
      std::memset(zero->data, 0, zero->nbytes());
      zero->flags &= static_cast<uint8_t>(~kWriteable);
      return wrap(zero);
    });
  }
  return guarded([&]() -> PyObject* {
    int64_t strides[kMaxDims];
    for (int i = 0; i < a->ndim; ++i) strides[i] = a->strides[i] * 2;
    size_t nd = static_cast<size_t>(a->ndim);
    NDArrayObj* v = api().view(a, a->dims(), {strides, nd}, a->bytes() + part * a->isz() / 2);
    v->dt = real_dtype(a->dt);
    v->dtype = info(v->dt).dl;
    api().set_contiguity(v);
    return wrap(v);
  });
}
PyObject* get_real(PyObject* o, void*) { return part_of(o, 0); }
PyObject* get_imag(PyObject* o, void*) { return part_of(o, 1); }

int assign_part(PyObject* part, PyObject* value) {
  if (!part) return -1;
  Ref held(part);
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "cannot delete array data");
    return -1;
  }
  return PyObject_SetItem(part, Py_Ellipsis, value);
}
int set_real(PyObject* o, PyObject* value, void*) { return assign_part(part_of(o, 0), value); }
int set_imag(PyObject* o, PyObject* value, void*) {
  if (!is_complex(array_of(o)->dt)) {
    PyErr_SetString(PyExc_TypeError, "array does not have imaginary part to set");
    return -1;
  }
  return assign_part(part_of(o, 1), value);
}

// The array a view looks into: NumPy's object for borrowed memory, else an ndarray over the whole
// storage.
PyObject* get_base(PyObject* o, void*) {
  NDArrayObj* a = array_of(o);
  if (!a->owner) Py_RETURN_NONE;
  if (a->owner->type_index == kTVMFFITensor) {
    object_incref(a->owner);
    return wrap(static_cast<NDArrayObj*>(static_cast<void*>(a->owner)));
  }
  auto* s = reinterpret_cast<StorageObj*>(a->owner);
  if (s->origin == Origin::kPool) {
    if (s->data == a->data && s->nbytes == a->nbytes()) Py_RETURN_NONE;
    return guarded([&] {
      int64_t n = static_cast<int64_t>(s->nbytes) / a->isz(), one = 1;
      object_incref(&s->header);
      return wrap(api().from_storage(s, {&n, 1}, {&one, 1}, a->dt, s->data, true));
    });
  }
  PyObject* owner = python_owner(s);
  if (!owner) Py_RETURN_NONE;
  Py_INCREF(owner);
  return owner;
}

PyObject* get_flags(PyObject* o, void*) {
  NDArrayObj* a = array_of(o);
  Ref module(PyImport_ImportModule("isthmus._flags"));
  if (!module) return nullptr;
  return PyObject_CallMethod(
      module.get(), "Flags", "OOOO", o, a->c_contiguous() ? Py_True : Py_False,
      a->f_contiguous() ? Py_True : Py_False, a->writeable() ? Py_True : Py_False);
}

PyObject* get_flat(PyObject* o, void*) {
  Ref module(PyImport_ImportModule("isthmus._flat"));
  return module ? PyObject_CallMethod(module.get(), "FlatIter", "O", o) : nullptr;
}
int set_flat(PyObject* o, PyObject* value, void*) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "Cannot delete flat iterator");
    return -1;
  }
  Ref flat(get_flat(o, nullptr));
  return flat ? PyObject_SetItem(flat.get(), Py_Ellipsis, value) : -1;
}
int set_shape(PyObject* o, PyObject* value, void*) {
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "Cannot delete array shape");
    return -1;
  }
  Ref view(call_method_op("reshape", o, value));
  if (!view) return -1;
  if (array_of(view.get())->data != array_of(o)->data) {
    PyErr_SetString(PyExc_AttributeError,
                    "Incompatible shape for in-place modification. Use `.reshape()` to make a copy "
                    "with the desired shape.");
    return -1;
  }
  std::swap(reinterpret_cast<PyNDArray*>(o)->array,
            reinterpret_cast<PyNDArray*>(view.get())->array);
  Converting::release_when_done(std::move(view));
  return 0;
}

PyObject* get_array_interface(PyObject* o, void*) {
  Ref view(numpy_view(o));
  return view ? PyObject_GetAttrString(view.get(), "__array_interface__") : nullptr;
}

PyGetSetDef array_getset[] = {
    {"shape", get_shape, set_shape, "Tuple of dimensions.", nullptr},
    {"strides", get_strides, nullptr, "Tuple of steps in bytes.", nullptr},
    {"ndim", get_ndim, nullptr, "Number of dimensions.", nullptr},
    {"size", get_size, nullptr, "Number of elements.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of one element.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of all elements.", nullptr},
    {"dtype", get_dtype, nullptr, "Element type, a numpy.dtype.", nullptr},
    {"device", get_device, nullptr, "Device that holds the elements.", nullptr},
    {"ctx", get_device, nullptr, "Same as device.", nullptr},
    {"context", get_device, nullptr, "Same as device.", nullptr},
    {"T", get_T, nullptr, "View with the axes reversed.", nullptr},
    {"mT", get_mT, nullptr, "View with the last two axes swapped.", nullptr},
    {"real", get_real, set_real, "Real part (a view for complex dtypes).", nullptr},
    {"imag", get_imag, set_imag, "Imaginary part (a view for complex dtypes).", nullptr},
    {"base", get_base, nullptr, "What owns the memory when this array does not.", nullptr},
    {"flags", get_flags, nullptr, "Memory layout and whether the array may be written.", nullptr},
    {"flat", get_flat, set_flat, "Iterator over the elements in row-major order.", nullptr},
    {"is_shared", get_is_shared, nullptr, "Whether code outside Isthmus can see this memory.",
     nullptr},
    {"__array_interface__", get_array_interface, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyObject* array_repr(PyObject* o) {
  return g.array_repr ? PyObject_CallOneArg(g.array_repr, o)
                      : PyUnicode_FromFormat("<isthmus.ndarray at %p>", o);
}
PyObject* array_str(PyObject* o) {
  return g.array_str ? PyObject_CallOneArg(g.array_str, o) : array_repr(o);
}

// ---- Iteration ---------------------------------------------------------------------------------
struct Iter {
  PyObject_HEAD PyObject* array;
  int64_t index;
};

PyObject* array_iter(PyObject* o) {
  if (array_of(o)->ndim == 0) {
    PyErr_SetString(PyExc_TypeError, "iteration over a 0-d array");
    return nullptr;
  }
  auto* it = PyObject_New(Iter, &ndarray_iter_type);
  if (!it) return nullptr;
  Py_INCREF(o);
  it->array = o;
  it->index = 0;
  return reinterpret_cast<PyObject*>(it);
}

void iter_dealloc(PyObject* o) {
  Py_XDECREF(reinterpret_cast<Iter*>(o)->array);
  PyObject_Free(o);
}

PyObject* iter_next(PyObject* o) {
  auto* it = reinterpret_cast<Iter*>(o);
  if (!it->array) return nullptr;
  NDArrayObj* a = array_of(it->array);
  // The shape may have been set since the iterator was made.
  if (a->ndim == 0 || it->index >= a->shape[0]) {
    Py_CLEAR(it->array);
    return nullptr;
  }
  return guarded([&] {
    IndexItem item;
    item.kind = IndexKind::kInt;
    item.start = it->index++;
    return wrap(api().getitem(a, &item, 1));
  });
}

PyObject* iter_length_hint(PyObject* o, PyObject*) {
  auto* it = reinterpret_cast<Iter*>(o);
  const NDArrayObj* a = it->array ? array_of(it->array) : nullptr;
  int64_t left = a && a->ndim > 0 ? a->shape[0] - it->index : 0;
  return PyLong_FromLongLong(left > 0 ? left : 0);
}
PyMethodDef iter_methods[] = {{"__length_hint__", iter_length_hint, METH_NOARGS, nullptr},
                              {nullptr, nullptr, 0, nullptr}};

PyObject* array_new(PyTypeObject*, PyObject* args, PyObject* kwargs) {
  static const char* kNames[] = {"shape", "dtype", nullptr};
  PyObject *shape = nullptr, *dtype = nullptr;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|O", const_cast<char**>(kNames), &shape, &dtype))
    return nullptr;
  PyObject* f = PyDict_GetItemString(g.ops, "empty");
  return dtype ? PyObject_CallFunctionObjArgs(f, shape, dtype, nullptr)
               : PyObject_CallFunctionObjArgs(f, shape, nullptr);
}

}  // namespace

int ready_array_types() {
  ndarray_type.tp_name = "isthmus.ndarray";
  ndarray_type.tp_doc = PyDoc_STR(
      "ndarray(shape, dtype=float64)\n\nN-dimensional array of numbers; NumPy's ndarray in "
      "behaviour.");
  ndarray_type.tp_basicsize = sizeof(PyNDArray);
  ndarray_type.tp_dealloc = array_dealloc;
  ndarray_type.tp_repr = array_repr;
  ndarray_type.tp_str = array_str;
  ndarray_type.tp_as_number = &array_number;
  ndarray_type.tp_as_mapping = &array_mapping;
  ndarray_type.tp_as_sequence = &array_sequence;
  ndarray_type.tp_as_buffer = &array_buffer;
  ndarray_type.tp_hash = PyObject_HashNotImplemented;
  ndarray_type.tp_richcompare = array_richcompare;
  ndarray_type.tp_iter = array_iter;
  ndarray_type.tp_methods = array_methods;
  ndarray_type.tp_getset = array_getset;
  ndarray_type.tp_weaklistoffset = offsetof(PyNDArray, weakrefs);
  ndarray_type.tp_flags = Py_TPFLAGS_DEFAULT;
  ndarray_type.tp_new = array_new;
  if (PyType_Ready(&ndarray_type) < 0) return -1;
  for (PyMethodDef* m = array_interop_methods; m->ml_name; ++m) {
    Ref f(PyDescr_NewMethod(&ndarray_type, m));
    if (!f || PyDict_SetItemString(ndarray_type.tp_dict, m->ml_name, f.get()) < 0) return -1;
  }
  if (add_exchange_table(&ndarray_type) < 0) return -1;
  ndarray_iter_type.tp_name = "isthmus.ndarray_iterator";
  ndarray_iter_type.tp_basicsize = sizeof(Iter);
  ndarray_iter_type.tp_dealloc = iter_dealloc;
  ndarray_iter_type.tp_iter = PyObject_SelfIter;
  ndarray_iter_type.tp_iternext = iter_next;
  ndarray_iter_type.tp_methods = iter_methods;
  ndarray_iter_type.tp_flags = Py_TPFLAGS_DEFAULT;
  return PyType_Ready(&ndarray_iter_type);
}

}  // namespace isthmus::py
