// ops/index.h: an index expression as front ends hand it to the core.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/array.h"
#include "ops/op.h"

namespace isthmus {

enum class IndexKind : uint8_t {
  kInt,      // start
  kSlice,    // start, stop (when given), step
  kNewAxis,
  kEllipsis,
  kBool,     // a lone True or False: start
  kArray,    // integer or bool array
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

// How many of n bytes are not zero.
int64_t count_true(const uint8_t* bytes, int64_t n);

}  // namespace isthmus
