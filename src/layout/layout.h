// layout/layout.h: shapes and strides, free of dtypes and devices.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace isthmus {

using Dims = std::span<const int64_t>;

[[noreturn, gnu::cold]] void fail_too_many_dims();

// A shape on the stack.
struct ShapeBuf {
  int ndim = 0;
  int64_t dims[64];
  operator Dims() const { return {dims, static_cast<size_t>(ndim)}; }
  // ValueError for more dimensions than an array may have.
  void push(int64_t d) {
    if (ndim == 64) [[unlikely]]
      fail_too_many_dims();
    dims[ndim++] = d;
  }
  int64_t& operator[](int i) { return dims[i]; }
  int64_t operator[](int i) const { return dims[i]; }
  int64_t* begin() { return dims; }
  int64_t* end() { return dims + ndim; }
};

// Grows `acc` to the broadcast of itself and `shape`; false when they do not broadcast together.
bool broadcast_into(ShapeBuf* acc, Dims shape);
// Element strides of an array of `shape`/`strides` seen with the (broadcast) shape `to`. The caller
// has checked that it broadcasts.
void broadcast_strides(Dims shape, Dims strides, Dims to, int64_t* out);
// axis in [-ndim, ndim) made non-negative; AxisError otherwise.
int normalize_axis(int64_t axis, int ndim);
// Bit mask of axes (negative ones allowed); AxisError, or ValueError for a duplicate.
uint64_t axes_mask(Dims axes, int ndim);
// Strides that view an array of `shape`/`strides` as `to` (same size) without a copy; false when
// impossible.
bool reshape_strides(Dims shape, Dims strides, Dims to, int64_t* out);

inline bool same_dims(Dims a, Dims b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i]) return false;
  return true;
}

inline int64_t product(Dims d) {
  int64_t n = 1;
  for (int64_t x : d) n *= x;
  return n;
}

}  // namespace isthmus
