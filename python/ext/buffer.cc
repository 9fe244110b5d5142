// buffer.cc: the buffer protocol, outwards.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ext.h"

namespace isthmus::py {
namespace {

const char* format_of(DType d) {
  switch (d) {
    case DType::kBool: return "?";
    case DType::kInt8: return "b";
    case DType::kUInt8: return "B";
    case DType::kInt16: return "h";
    case DType::kUInt16: return "H";
    case DType::kInt32: return "i";
    case DType::kUInt32: return "I";
    case DType::kInt64: return sizeof(long) == 8 ? "l" : "q";
    case DType::kUInt64: return sizeof(long) == 8 ? "L" : "Q";
    case DType::kFloat16: return "e";
    case DType::kFloat32: return "f";
    case DType::kFloat64: return "d";
    case DType::kComplex64: return "Zf";
    case DType::kComplex128: return "Zd";
  }
  return "B";
}

int array_getbuffer(PyObject* o, Py_buffer* view, int flags) {
  NDArrayObj* a = array_of(o);
  view->obj = nullptr;
  if ((flags & PyBUF_WRITABLE) && !a->writeable()) {
    PyErr_SetString(PyExc_BufferError, "the array is read-only");
    return -1;
  }
  bool c = a->c_contiguous(), f = a->f_contiguous();
  bool fits = (flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS       ? c
              : (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS     ? f
              : (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS ? c || f
              : (flags & PyBUF_STRIDES) == PyBUF_STRIDES               ? true
                                                                       : c;
  if (!fits) {
    PyErr_SetString(PyExc_BufferError, "the array is not contiguous in the requested order");
    return -1;
  }
  // Shape and byte strides live as long as the buffer.
  auto* dims = static_cast<Py_ssize_t*>(
      PyMem_Malloc(sizeof(Py_ssize_t) * 2 * static_cast<size_t>(a->ndim + 1)));
  if (!dims) {
    PyErr_NoMemory();
    return -1;
  }
  for (int i = 0; i < a->ndim; ++i) {
    dims[i] = a->shape[i];
    dims[a->ndim + i] = a->strides[i] * a->isz();
  }
  // Consumers judge contiguity by the strides, which are arbitrary where an axis has one element or
  // none.
  Py_ssize_t step = a->isz();
  for (int k = 0; (c || f) && k < a->ndim; ++k) {
    int i = c ? a->ndim - 1 - k : k;
    dims[a->ndim + i] = step;
    step *= std::max<Py_ssize_t>(dims[i], 1);
  }
  view->buf = a->data;
  view->len = static_cast<Py_ssize_t>(a->nbytes());
  view->readonly = !a->writeable();
  view->itemsize = a->isz();
  view->format = (flags & PyBUF_FORMAT) ? const_cast<char*>(format_of(a->dt)) : nullptr;
  view->ndim = a->ndim;
  view->shape = (flags & PyBUF_ND) ? dims : nullptr;
  view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? dims + a->ndim : nullptr;
  view->suboffsets = nullptr;
  view->internal = dims;
  Py_INCREF(o);
  view->obj = o;
  api().mark_shared(a);
  return 0;
}

void array_releasebuffer(PyObject*, Py_buffer* view) { PyMem_Free(view->internal); }

}  // namespace

PyBufferProcs array_buffer = {array_getbuffer, array_releasebuffer};

}  // namespace isthmus::py
