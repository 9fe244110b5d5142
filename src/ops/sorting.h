// ops/sorting.h: the order of elements and sorts of runs, for the families that build on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <complex>
#include <span>
#include <type_traits>

#include "core/array.h"
#include "core/storage.h"

namespace isthmus {

// Whether a comes before b in sorted order: NaN is last; complex numbers go by their real parts,
// then by the imaginary ones, those with a NaN last.
template <class T>
inline bool sorts_before(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) {
    return sorts_before(half_to_float(a), half_to_float(b));
  } else if constexpr (std::is_floating_point_v<T>) {
    return a < b || (b != b && a == a);
  } else if constexpr (std::is_integral_v<T>) {
    return a < b;
  } else {
    if (a.real() < b.real()) return a.imag() == a.imag() || b.imag() != b.imag();
    if (a.real() > b.real()) return b.imag() != b.imag() && a.imag() == a.imag();
    if (a.real() == b.real() || (a.real() != a.real() && b.real() != b.real()))
      return a.imag() < b.imag() || (b.imag() != b.imag() && a.imag() == a.imag());
    return b.real() != b.real();
  }
}

template <class T>
inline bool is_nan(T v) {
  if constexpr (std::is_same_v<T, Half>) return (v.bits & 0x7fff) > 0x7c00;
  else if constexpr (std::is_floating_point_v<T>) return v != v;
  else if constexpr (std::is_integral_v<T>) return false;
  else return v.real() != v.real() || v.imag() != v.imag();
}

// a == b as the operator compares: NaN differs from everything.
template <class T>
inline bool equals(T a, T b) {
  if constexpr (std::is_same_v<T, Half>) return half_to_float(a) == half_to_float(b);
  else return a == b;
}

// Sorts n contiguous elements.
void sort_run(DType d, void* data, int64_t n, bool stable);
// Writes the permutation that sorts n contiguous elements.
void argsort_run(DType d, const void* data, int64_t* order, int64_t n, bool stable);
// Reads the elements that sorting n contiguous ones would put at the given positions (ascending,
// none twice). None of them may be NaN. `scratch` has room for n elements.
void read_order(DType d, const void* data, int64_t n, std::span<const int64_t> positions,
                void* scratch, void* values);
// Sorts every line along an axis in place. The array must be writeable.
void sort_inplace(NDArrayObj* a, int axis, bool stable);

// Room for one line of an array, from the pool.
class LineBuffer {
 public:
  explicit LineBuffer(size_t bytes) : block_(pool_alloc(bytes, &size_class_)) {}
  ~LineBuffer() { pool_free(block_, size_class_); }
  LineBuffer(const LineBuffer&) = delete;
  void* data() const { return block_; }

 private:
  uint8_t size_class_;
  void* block_;
};

}  // namespace isthmus
