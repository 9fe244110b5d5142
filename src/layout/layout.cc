// layout/layout.cc: broadcasting, axes and reshaping of strides.
// SPDX-License-Identifier: Apache-2.0
#include "layout/layout.h"

#include "core/error.h"

namespace isthmus {

void fail_too_many_dims() {
  fail_value("maximum supported dimension for an array is currently 64, found more");
}

bool broadcast_into(ShapeBuf* acc, Dims shape) {
  int nd = static_cast<int>(shape.size());
  if (nd > acc->ndim) {
    int grow = nd - acc->ndim;
    for (int i = acc->ndim; i-- > 0;) acc->dims[i + grow] = acc->dims[i];
    for (int i = 0; i < grow; ++i) acc->dims[i] = 1;
    acc->ndim = nd;
  }
  int offset = acc->ndim - nd;
  for (int i = 0; i < nd; ++i) {
    int64_t& have = acc->dims[i + offset];
    if (shape[i] == have || shape[i] == 1) continue;
    if (have != 1) return false;
    have = shape[i];
  }
  return true;
}

void broadcast_strides(Dims shape, Dims strides, Dims to, int64_t* out) {
  size_t offset = to.size() - shape.size();
  for (size_t i = 0; i < offset; ++i) out[i] = 0;
  for (size_t i = 0; i < shape.size(); ++i) {
    out[i + offset] = shape[i] == 1 && to[i + offset] != 1 ? 0 : strides[i];
  }
}

int normalize_axis(int64_t axis, int ndim) {
  if (axis < -ndim || axis >= ndim) fail_axis(axis, ndim);
  return static_cast<int>(axis < 0 ? axis + ndim : axis);
}

uint64_t axes_mask(Dims axes, int ndim) {
  uint64_t mask = 0;
  for (int64_t axis : axes) {
    uint64_t bit = uint64_t{1} << normalize_axis(axis, ndim);
    if (mask & bit)
      fail_value("duplicate value in 'axis': ",
                 shape_str(axes.data(), static_cast<int>(axes.size())));
    mask |= bit;
  }
  return mask;
}

bool reshape_strides(Dims shape, Dims strides, Dims to, int64_t* out) {
  // Match groups of old axes with groups of new axes of the same size; each group of old axes must
  // be uniformly strided.
  size_t oi = 0, ni = 0;
  while (oi < shape.size() && shape[oi] == 1) ++oi;
  while (ni < to.size()) {
    if (to[ni] == 1) {
      out[ni++] = 0;
      continue;
    }
    if (oi >= shape.size()) return false;
    int64_t old_n = shape[oi], new_n = to[ni];
    size_t oj = oi + 1, nj = ni + 1;
    while (old_n != new_n) {
      if (old_n < new_n) {
        if (oj >= shape.size()) return false;
        old_n *= shape[oj++];
      } else {
        if (nj >= to.size()) return false;
        new_n *= to[nj++];
      }
    }
    size_t last = oi;
    for (size_t k = oi + 1; k < oj; ++k) {
      if (shape[k] == 1) continue;
      if (strides[last] != shape[k] * strides[k]) return false;
      last = k;
    }
    int64_t step = strides[last];
    for (size_t k = nj; k-- > ni;) {
      out[k] = step;
      step *= to[k];
    }
    oi = oj;
    while (oi < shape.size() && shape[oi] == 1) ++oi;
    ni = nj;
  }
  // Unit axes take the stride that keeps the row-major pattern.
  int64_t step = 1;
  for (size_t k = to.size(); k-- > 0;) {
    if (to[k] == 1) out[k] = step;
    else step = out[k] * to[k];
  }
  return true;
}

}  // namespace isthmus
