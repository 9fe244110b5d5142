// ops/views.h: views that several families take of their operands.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/array.h"

namespace isthmus {

// The elements in C order as one dimension: a view where the strides allow it, else a copy.
inline NDArray ravel(NDArrayObj* a) {
  if (a->ndim == 1) return NDArray::share(a);
  int64_t size = a->size, step = 1;
  if (a->c_contiguous() || reshape_strides(a->dims(), a->elem_strides(), {&size, 1}, &step))
    return view(a, {&size, 1}, {&step, 1}, a->data);
  NDArray flat = copy(a);
  return view_contiguous(flat.get(), {&size, 1});
}

// The same elements in another shape of the same size.
inline NDArray reshaped(NDArrayObj* a, Dims shape) {
  int64_t strides[kMaxDims];
  if (a->c_contiguous()) return view_contiguous(a, shape);
  if (a->size > 0 && shape.size() <= kMaxDims &&
      reshape_strides(a->dims(), a->elem_strides(), shape, strides))
    return view(a, shape, {strides, shape.size()}, a->data);
  NDArray flat = copy(a);
  return view_contiguous(flat.get(), shape);
}

// Dimension `from` moved to position `to`; both in range.
inline NDArray moved_axis(const NDArrayObj* a, int from, int to) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0, next = 0; i < a->ndim; ++i) {
    if (next == from) ++next;
    int at = i == to ? from : next++;
    shape[i] = a->shape[at];
    strides[i] = a->strides[at];
  }
  size_t nd = static_cast<size_t>(a->ndim);
  return view(a, {shape, nd}, {strides, nd}, a->data);
}

// Elements [start, start + length) along an axis.
inline NDArray sliced(const NDArrayObj* a, int axis, int64_t start, int64_t length) {
  int64_t shape[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) shape[i] = a->shape[i];
  shape[axis] = length;
  // An empty slice keeps its start inside the array.
  char* data = a->bytes() + (length > 0 ? start * a->strides[axis] * a->isz() : 0);
  return view(a, {shape, static_cast<size_t>(a->ndim)}, a->elem_strides(), data);
}

// The elements at one index of an axis, which goes.
inline NDArray picked(const NDArrayObj* a, int axis, int64_t index) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  size_t nd = 0;
  for (int i = 0; i < a->ndim; ++i) {
    if (i == axis) continue;
    shape[nd] = a->shape[i];
    strides[nd++] = a->strides[i];
  }
  return view(a, {shape, nd}, {strides, nd}, a->bytes() + index * a->strides[axis] * a->isz());
}

// Calls each(p) with the address of the first element of every line along `axis`, in C order of the
// others.
template <class F>
void for_each_line(const NDArrayObj* a, int axis, F&& each) {
  if (a->size == 0) return;
  int64_t index[kMaxDims] = {};
  char* p = a->bytes();
  const int64_t isz = a->isz();
  for (int64_t count = a->size / a->shape[axis]; count > 0; --count) {
    each(p);
    for (int d = a->ndim; d-- > 0;) {
      if (d == axis) continue;
      p += a->strides[d] * isz;
      if (++index[d] < a->shape[d]) break;
      p -= a->strides[d] * isz * a->shape[d];
      index[d] = 0;
    }
  }
}

}  // namespace isthmus
