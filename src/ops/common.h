// ops/common.h: small things that several families of array operators share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "core/array.h"
#include "kernels/strided_loop.h"
#include "ops/op.h"

namespace isthmus {

// This form of the arguments is right but not native: the front end calls NumPy's function.
[[noreturn, gnu::cold, gnu::noinline]] inline void fail_fallback(const char* what) {
  fail_with("Fallback", what);
}

enum class Order : uint8_t { kC, kF, kA, kK };

// The order argument of parameter i; None stands for `fallback`.
inline Order order_argument(const Frame& f, int i, Order fallback) {
  if (f.is_none(i)) return fallback;
  const char* s = f.args[i].v_c_str;
  if (s[0] && !s[1]) {
    switch (s[0] | 0x20) {
      case 'c': return Order::kC;
      case 'f': return Order::kF;
      case 'a': return Order::kA;
      case 'k': return Order::kK;
    }
  }
  fail_value("order must be one of 'C', 'F', 'A', or 'K' (got '", s, "')");
}
// Orders of new arrays: C or F only.
inline bool fortran_argument(const Frame& f, int i) {
  Order o = order_argument(f, i, Order::kC);
  if (o >= Order::kA) fail_value("only 'C' or 'F' order is permitted");
  return o == Order::kF;
}

// Whether an Any is a string; *out receives it.
inline bool as_string(const TVMFFIAny& v, std::string_view* out) {
  if (v.type_index == kTVMFFIRawStr) return *out = v.v_c_str, true;
  if (v.type_index == kTVMFFISmallStr) return *out = {v.v_bytes, v.small_str_len}, true;
  if (v.type_index != kTVMFFIStr) return false;
  auto* b = cell_of<TVMFFIByteArray>(v.v_obj);
  return *out = {b->data, b->size}, true;
}

// Parameter i names a device: None or "cpu".
inline void check_device(const Frame& f, int i) {
  if (f.is_none(i)) return;
  std::string_view name;
  if (!as_string(f.args[i], &name)) fail_fallback("device");
  if (name != "cpu")
    fail_value("Device not understood. Only \"cpu\" is allowed, but received: ", name);
}
// Parameter i is `like`: None or an array of ours.
inline void check_like(const Frame& f, int i) {
  if (!f.is_none(i) && f.args[i].type_index != kTVMFFITensor) fail_fallback("like");
}

// The axes of an array from the largest steps in memory to the smallest.
inline void axes_by_stride(const NDArrayObj* a, int* axes) {
  for (int i = 0; i < a->ndim; ++i) {
    int j = i;
    for (; j > 0 && std::abs(a->strides[axes[j - 1]]) < std::abs(a->strides[i]); --j)
      axes[j] = axes[j - 1];
    axes[j] = i;
  }
}
// An uninitialised array of `shape` whose axes have the order in memory that those of `a` have
// (order='K').
inline NDArray empty_keep_order(const NDArrayObj* a, Dims shape, DType dtype) {
  if (a->c_contiguous() || a->ndim < 2 || shape.size() != static_cast<size_t>(a->ndim))
    return empty(shape, dtype);
  if (a->f_contiguous()) return empty_fortran(shape, dtype);
  int axes[kMaxDims];
  axes_by_stride(a, axes);
  NDArray out = empty(shape, dtype);
  int64_t step = 1;
  for (int i = a->ndim; i-- > 0;) {
    out->strides[axes[i]] = step;
    step *= std::max<int64_t>(shape[static_cast<size_t>(axes[i])], 1);
  }
  set_contiguity(out.get());
  return out;
}
inline NDArray empty_ordered(const NDArrayObj* a, Dims shape, DType dtype, Order order) {
  if (order == Order::kK) return empty_keep_order(a, shape, dtype);
  bool fortran =
      order == Order::kF || (order == Order::kA && a->f_contiguous() && !a->c_contiguous());
  return fortran ? empty_fortran(shape, dtype) : empty(shape, dtype);
}

// A converted copy, or the array itself; the order of the axes in memory stays.
inline NDArray as_dtype_keep_order(NDArrayObj* a, DType dtype) {
  if (a->dt == dtype) return NDArray::share(a);
  NDArray out = empty_keep_order(a, a->dims(), dtype);
  copy_into(out.get(), a);
  return out;
}

// An uninitialised result of some operands: in the order of the first unless another one of two or
// more dimensions is in C order.
inline NDArray empty_result(std::initializer_list<const NDArrayObj*> operands, Dims shape,
                            DType d) {
  const NDArrayObj* fortran = nullptr;
  for (const NDArrayObj* a : operands) {
    if (!a || a->ndim < 2) continue;
    if (a->c_contiguous()) return empty(shape, d);
    if (same_dims(a->dims(), shape) && !fortran) fortran = a;
  }
  return fortran ? empty_keep_order(fortran, shape, d) : empty(shape, d);
}

inline NDArray read_only(NDArray v) {
  v->flags &= static_cast<uint8_t>(~kWriteable);
  return v;
}

}  // namespace isthmus
