// ops/reduce.h: reductions over axes, for the families that build on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/ufunc.h"

namespace isthmus {

struct ReduceCall {
  uint64_t axes = 0;  // bit mask of reduced axes
  bool keepdims = false;
  NDArrayObj* out = nullptr;
  NDArrayObj* where = nullptr;         // bool mask that broadcasts to the input
  const TVMFFIAny* initial = nullptr;  // array (one element) or weak scalar
  bool has_dtype = false;
  DType dtype = DType::kFloat64;  // of the accumulation and the result
};

// Reduces with a binary ufunc. `identity` is the value of an empty reduction, or null when there is
// none (then an empty reduction without `initial` is a ValueError).
NDArray reduce(const Ufunc& u, NDArrayObj* a, const ReduceCall& call, const int64_t* identity);
// Sum over axes in `dtype` (defaults as np.sum).
NDArray reduce_sum(NDArrayObj* a, uint64_t axes, bool keepdims, const DType* dtype = nullptr,
                   NDArrayObj* out = nullptr, NDArrayObj* where = nullptr);
// np.mean's steps.
NDArray reduce_mean(NDArrayObj* a, uint64_t axes, bool keepdims);
// The mask of an Axes argument: all axes for None.
uint64_t axes_argument(const Frame& f, int i, int ndim);
// Number of elements that fall on one output element.
int64_t reduced_count(const NDArrayObj* a, uint64_t axes);
// The shape that is left.
ShapeBuf reduced_shape(const NDArrayObj* a, uint64_t axes, bool keepdims);

}  // namespace isthmus
