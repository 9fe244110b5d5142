// dlpack.cc: one memory with every DLPack library, in both directions: capsules, and the exchange
// table on the type, which spares the call of a Python method.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>

#include "ext.h"

namespace isthmus::py {
namespace {

void release_export(NDArrayObj* a) { object_decref(a->header()); }

void versioned_deleter(DLManagedTensorVersioned* t) {
  release_export(static_cast<NDArrayObj*>(t->manager_ctx));
  delete t;
}
void legacy_deleter(DLManagedTensor* t) {
  release_export(static_cast<NDArrayObj*>(t->manager_ctx));
  delete t;
}

// Takes over the reference to `a`.
DLManagedTensorVersioned* managed_tensor(NDArrayObj* a, bool copied) {
  auto* m = new DLManagedTensorVersioned{};
  m->version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  m->manager_ctx = a;
  m->deleter = versioned_deleter;
  m->flags = (a->writeable() ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY) |
             (copied ? DLPACK_FLAG_BITMASK_IS_COPIED : 0);
  m->dl_tensor = *static_cast<DLTensor*>(a);
  return m;
}

// A capsule that nobody consumed still owns its tensor.
void versioned_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
  auto* t =
      static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
  if (t && t->deleter) t->deleter(t);
}
void legacy_capsule(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor")) return;
  auto* t = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
  if (t && t->deleter) t->deleter(t);
}

PyObject* method_dlpack(PyObject* o, PyObject* const* args, Py_ssize_t nargs, PyObject* kwnames) {
  PyObject *stream = Py_None, *max_version = Py_None, *dl_device = Py_None, *copy = Py_None;
  if (nargs > 1) return PyErr_Format(PyExc_TypeError, "__dlpack__() takes keyword arguments only");
  if (nargs == 1) stream = args[0];
  for (Py_ssize_t k = 0; kwnames && k < PyTuple_GET_SIZE(kwnames); ++k) {
    PyObject *key = PyTuple_GET_ITEM(kwnames, k), *value = args[nargs + k];
    if (PyUnicode_CompareWithASCIIString(key, "stream") == 0) stream = value;
    else if (PyUnicode_CompareWithASCIIString(key, "max_version") == 0) max_version = value;
    else if (PyUnicode_CompareWithASCIIString(key, "dl_device") == 0) dl_device = value;
    else if (PyUnicode_CompareWithASCIIString(key, "copy") == 0) copy = value;
    else
      return PyErr_Format(PyExc_TypeError, "__dlpack__() got an unexpected keyword argument '%U'",
                          key);
  }
  if (stream != Py_None) {
    PyErr_SetString(PyExc_RuntimeError,
                    "__dlpack__: stream must be None for arrays in host memory");
    return nullptr;
  }
  if (dl_device != Py_None) {
    long type, id;
    if (!PyTuple_Check(dl_device)) {
      PyErr_SetString(PyExc_TypeError, "__dlpack__: dl_device must be None or a tuple (type, id)");
      return nullptr;
    }
    if (!PyArg_ParseTuple(dl_device, "ll", &type, &id)) return nullptr;
    if (type != kDLCPU || id != 0) {
      PyErr_SetString(
          PyExc_BufferError,
          "__dlpack__: the array is in host memory and cannot be exported to another device");
      return nullptr;
    }
  }
  bool versioned = false;
  if (max_version != Py_None) {
    long major, minor;
    if (!PyTuple_Check(max_version)) {
      PyErr_SetString(PyExc_TypeError,
                      "__dlpack__: max_version must be None or a tuple (major, minor)");
      return nullptr;
    }
    if (!PyArg_ParseTuple(max_version, "ll", &major, &minor)) return nullptr;
    versioned = major >= 1;
  }
  return guarded([&]() -> PyObject* {
    int make_copy = copy == Py_None ? 0 : PyObject_IsTrue(copy);
    if (make_copy < 0) return nullptr;
    NDArrayObj* a = array_of(o);
    if (make_copy) {
      a = api().copy_keep_order(a);
    } else {
      if (!versioned && !a->writeable()) {
        PyErr_SetString(PyExc_BufferError,
                        "Cannot export readonly array since signalling readonly is unsupported by "
                        "DLPack (supported by newer DLPack version).");
        return nullptr;
      }
      object_incref(a->header());
      api().mark_shared(a);
    }
    PyObject* capsule;
    if (versioned) {
      DLManagedTensorVersioned* m = managed_tensor(a, make_copy);
      capsule = PyCapsule_New(m, "dltensor_versioned", versioned_capsule);
      if (!capsule) versioned_deleter(m);
    } else {
      auto* m = new DLManagedTensor{};
      m->dl_tensor = *static_cast<DLTensor*>(a);
      m->manager_ctx = a;
      m->deleter = legacy_deleter;
      capsule = PyCapsule_New(m, "dltensor", legacy_capsule);
      if (!capsule) legacy_deleter(m);
    }
    return capsule;
  });
}

PyObject* method_dlpack_device(PyObject* o, PyObject*) {
  DLDevice d = array_of(o)->device;
  return Py_BuildValue("(ii)", static_cast<int>(d.device_type), d.device_id);
}

[[gnu::cold]] void raise_buffer(const char* message) {
  PyErr_SetString(PyExc_BufferError, message);
  throw PythonError();
}

template <class Managed>
NDArrayObj* consume(Managed* m, bool writeable) {
  const DLTensor& t = m->dl_tensor;
  DType d;
  if (t.device.device_type != kDLCPU) raise_buffer("from_dlpack: the tensor is not in host memory");
  if (!dtype_from_dl(t.dtype, &d)) raise_buffer("from_dlpack: the tensor's dtype is not supported");
  if (t.ndim < 0 || t.ndim > kMaxDims)
    raise_buffer("from_dlpack: the tensor has an unsupported number of dimensions");
  if (t.ndim > 0 && !t.shape) raise_buffer("from_dlpack: the tensor has no shape");
  int64_t strides[kMaxDims], step = 1, size = 1;
  for (int i = t.ndim; i-- > 0;) {
    if (t.shape[i] < 0) raise_buffer("from_dlpack: the tensor has a negative dimension");
    if (__builtin_mul_overflow(size, t.shape[i], &size))
      raise_buffer("from_dlpack: the tensor's size overflows");
    strides[i] = t.strides && t.shape[i] > 1 ? t.strides[i] : step;
    int64_t reach;
    if (__builtin_mul_overflow(strides[i], t.shape[i], &reach) ||
        __builtin_mul_overflow(reach, int64_t{16}, &reach))
      raise_buffer("from_dlpack: the tensor's strides overflow");
    step *= t.shape[i] > 1 ? t.shape[i] : 1;
  }
  char* data = static_cast<char*>(t.data) + t.byte_offset;
  if (size > 0 && !t.data) raise_buffer("from_dlpack: the tensor has no data");
  int isz = itemsize(d);
  if (reinterpret_cast<uintptr_t>(data) % static_cast<uintptr_t>(isz > 8 ? 8 : isz) != 0)
    raise_buffer("from_dlpack: the tensor is not aligned to its element size");
  StorageObj* s = api().storage_borrow(
      data, static_cast<size_t>(size) * static_cast<size_t>(isz),
      [](void* p) {
        auto* managed = static_cast<Managed*>(p);
        if (managed->deleter) managed->deleter(managed);
      },
      m, Origin::kBorrowed);
  size_t nd = static_cast<size_t>(t.ndim);
  return api().from_storage(s, {t.shape, nd}, {strides, nd}, d, data, writeable);
}

NDArrayObj* consume_capsule(PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor_versioned")) {
    auto* m =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
    if (m->version.major > DLPACK_MAJOR_VERSION)
      raise_buffer("from_dlpack: the tensor has a newer major version of DLPack");
    NDArrayObj* a = consume(m, !(m->flags & DLPACK_FLAG_BITMASK_READ_ONLY));
    PyCapsule_SetName(capsule, "used_dltensor_versioned");
    return a;
  }
  if (PyCapsule_IsValid(capsule, "dltensor")) {
    auto* m = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule, "dltensor"));
    NDArrayObj* a = consume(m, true);
    PyCapsule_SetName(capsule, "used_dltensor");
    return a;
  }
  PyErr_SetString(PyExc_ValueError,
                  "from_dlpack: expected a capsule named 'dltensor' or 'dltensor_versioned' that "
                  "was not used before");
  throw PythonError();
}

// ---- The exchange table -------------------------------------------------------------------------
constexpr const char* kExchangeName = "dlpack_exchange_api";

// The table of a type, of the major version that this file knows; null when it has none.
const DLPackExchangeAPI* exchange_of(PyTypeObject* type) {
  PyObject* capsule = _PyType_Lookup(type, g.str_exchange);
  if (!capsule || !PyCapsule_IsValid(capsule, kExchangeName)) return nullptr;
  auto* header =
      static_cast<DLPackExchangeAPIHeader*>(PyCapsule_GetPointer(capsule, kExchangeName));
  while (header && header->version.major > DLPACK_MAJOR_VERSION) header = header->prev_api;
  if (!header || header->version.major != DLPACK_MAJOR_VERSION) return nullptr;
  return reinterpret_cast<const DLPackExchangeAPI*>(header);
}

NDArrayObj* import_exchanged(const DLPackExchangeAPI* exchange, PyObject* producer) {
  DLManagedTensorVersioned* m = nullptr;
  if (exchange->managed_tensor_from_py_object_no_sync(producer, &m) != 0 || !m) {
    if (!PyErr_Occurred())
      PyErr_Format(PyExc_BufferError, "from_dlpack: %.200s handed out no tensor",
                   Py_TYPE(producer)->tp_name);
    throw PythonError();
  }
  try {
    return consume(m, !(m->flags & DLPACK_FLAG_BITMASK_READ_ONLY));
  } catch (...) {
    if (m->deleter) m->deleter(m);
    throw;
  }
}

int exchange_export(void* o, DLManagedTensorVersioned** out) {
  return guarded_int([&] {
    NDArrayObj* a = array_of(static_cast<PyObject*>(o));
    *out = managed_tensor(a, false);
    object_incref(a->header());
    api().mark_shared(a);
  });
}

// For the time of a call only. What writes through a bare DLTensor cannot see that it must not.
int exchange_lend(void* o, DLTensor* out) {
  NDArrayObj* a = array_of(static_cast<PyObject*>(o));
  if (!a->writeable()) {
    PyErr_SetString(PyExc_BufferError, "a read-only array cannot be lent as a bare DLTensor");
    return -1;
  }
  api().mark_shared(a);
  *out = *static_cast<DLTensor*>(a);
  return 0;
}

int exchange_import(DLManagedTensorVersioned* m, void** out) {
  int code = guarded_int([&] {
    PyObject* made = wrap(consume(m, !(m->flags & DLPACK_FLAG_BITMASK_READ_ONLY)));
    if (!made) throw PythonError();
    *out = made;
  });
  if (code != 0 && m->deleter) m->deleter(m);  // it is ours whatever happens
  return code;
}

int exchange_allocate(DLTensor* prototype, DLManagedTensorVersioned** out, void* context,
                      void (*set_error)(void*, const char*, const char*)) {
  try {
    DType d;
    if (prototype->device.device_type != kDLCPU || !dtype_from_dl(prototype->dtype, &d)) {
      set_error(context, "BufferError", "Isthmus has no such dtype, or not on that device");
      return -1;
    }
    NDArrayObj* a = api().empty({prototype->shape, static_cast<size_t>(prototype->ndim)}, d);
    *out = managed_tensor(a, false);
    api().mark_shared(a);
    return 0;
  } catch (const tvm::ffi::Error& e) {
    set_error(context, std::string(e.kind()).c_str(), std::string(e.message()).c_str());
  } catch (const std::exception& e) {
    set_error(context, "MemoryError", e.what());
  }
  return -1;
}

int exchange_stream(DLDeviceType, int32_t, void** out) {
  *out = nullptr;  // there are none on the host
  return 0;
}

DLPackExchangeAPI exchange_table = {{{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, nullptr},
                                    exchange_allocate,
                                    exchange_export,
                                    exchange_import,
                                    exchange_lend,
                                    exchange_stream};

}  // namespace

int add_exchange_table(PyTypeObject* type) {
  Ref capsule(PyCapsule_New(&exchange_table, kExchangeName, nullptr));
  if (!capsule) return -1;
  return PyDict_SetItemString(type->tp_dict, "__dlpack_c_exchange_api__", capsule.get());
}

bool has_exchange_table(PyObject* o) { return exchange_of(Py_TYPE(o)) != nullptr; }

NDArrayObj* array_from_dlpack(PyObject* producer) {
  if (PyCapsule_CheckExact(producer)) return consume_capsule(producer);
  if (const DLPackExchangeAPI* exchange = exchange_of(Py_TYPE(producer)))
    return import_exchanged(exchange, producer);
  Ref method(PyObject_GetAttr(producer, g.str_dlpack));
  if (!method) {
    if (!PyErr_ExceptionMatches(PyExc_AttributeError)) throw PythonError();
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "from_dlpack: %.200s has no __dlpack__ method",
                 Py_TYPE(producer)->tp_name);
    throw PythonError();
  }
  Ref kwargs(
      Py_BuildValue("{O:(ii)}", g.str_max_version, DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION));
  Ref empty(PyTuple_New(0));
  if (!kwargs || !empty) throw PythonError();
  Ref capsule(PyObject_Call(method.get(), empty.get(), kwargs.get()));
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {  // a producer from before max_version
    PyErr_Clear();
    capsule = Ref(PyObject_CallNoArgs(method.get()));
  }
  if (!capsule) throw PythonError();
  if (!PyCapsule_CheckExact(capsule.get())) {
    PyErr_Format(PyExc_TypeError, "from_dlpack: __dlpack__ returned %.200s, not a capsule",
                 Py_TYPE(capsule.get())->tp_name);
    throw PythonError();
  }
  return consume_capsule(capsule.get());
}

PyObject* native_from_dlpack(PyObject*, PyObject* o) {
  return guarded([&] { return wrap(array_from_dlpack(o)); });
}

PyMethodDef array_interop_methods[] = {
    {"__dlpack__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(method_dlpack)),
     METH_FASTCALL | METH_KEYWORDS, nullptr},
    {"__dlpack_device__", method_dlpack_device, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace isthmus::py
