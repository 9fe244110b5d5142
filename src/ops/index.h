// ops/index.h: an index expression as front ends hand it to the core.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/array.h"
#include "ops/op.h"

namespace isthmus {

enum class IndexKind : uint8_t {
  kInt,    // start
  kSlice,  // start, stop (when given), step
  kNewAxis,
  kEllipsis,
  kBool,   // a lone True or False: start
  kArray,  // integer or bool array
};

struct IndexItem {
  IndexKind kind;
  bool has_start;
  bool has_stop;
  int64_t start;
  int64_t stop;
  int64_t step;
  NDArrayObj* array;  // borrowed
};

// a[index]: a view for basic indices, a copy for advanced ones. IndexError as NumPy's.
NDArray getitem(NDArrayObj* a, const IndexItem* items, int count);
// a[index] = value; value is an array or a Python number.
void setitem(NDArrayObj* a, const IndexItem* items, int count, const TVMFFIAny& value);

[[noreturn, gnu::cold, gnu::noinline]] void fail_index_bounds(int64_t index, int axis,
                                                              int64_t size);
// A valid index made non-negative; IndexError naming the axis otherwise.
inline int64_t wrap_index(int64_t index, int64_t size, int axis) {
  if (index < -size || index >= size) fail_index_bounds(index, axis, size);
  return index < 0 ? index + size : index;
}

// Calls f.template operator()<T>() with an unsigned type of that many bytes, for moving elements of
// any dtype.
template <class F>
void by_itemsize(int isz, F&& f) {
  struct Wide {
    uint64_t lo, hi;
  };
  switch (isz) {
    case 1: return f.template operator()<uint8_t>();
    case 2: return f.template operator()<uint16_t>();
    case 4: return f.template operator()<uint32_t>();
    case 8: return f.template operator()<uint64_t>();
    default: return f.template operator()<Wide>();
  }
}

// Positions of the true elements of a mask, one int64 array for each dimension.
std::vector<NDArray> nonzero_of(const NDArrayObj* a);
// How many of n bytes are not zero.
int64_t count_true(const uint8_t* bytes, int64_t n);

}  // namespace isthmus
