// kernels/strided_loop.h: drives inner loops over strided operands: collapses dimensions, casts
// through small buffers, applies a mask. Kernels receive pointers, a count and byte strides only.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/array.h"

namespace isthmus {

// NumPy's inner-loop signature: args[k] is operand k's first element, strides[k] its step in bytes.
using LoopFn = void (*)(char** args, const intptr_t* n, const intptr_t* strides, void* data);
// Converts n elements; steps in bytes.
using CastFn = void (*)(const char* src, intptr_t src_stride, char* dst, intptr_t dst_stride,
                        intptr_t n);

CastFn get_cast(DType from, DType to);

inline constexpr int kMaxOperands = 8;

struct LoopOperand {
  char* data;
  const int64_t*
      strides;    // elements; one for each dimension of the common shape (0 where broadcast)
  DType dt;       // dtype in memory
  DType loop_dt;  // dtype that the inner loop takes
};

struct Loop {
  LoopFn fn;
  void* data;
  LoopFn small = nullptr;  // same results, starts faster; taken for short rows. May be null.
};
// Rows up to this long go to `small`.
inline constexpr int64_t kSmallRow = 16;

// Runs `loop` over `shape`. Operands [0, nin) are read, [nin, nop) written. With `mask` (bool
// elements, strides in elements) only where it is true.
void run_loop(const Loop& loop, int nin, int nop, const LoopOperand* operands, Dims shape,
              const char* mask = nullptr, const int64_t* mask_strides = nullptr);

// Accumulates: out = loop(out, in) for every element, where `out` has stride 0 along the reduced
// dimensions. Runs of the input that fall on one output element go to the loop in one call, as
// NumPy's reductions do. out.dt == out.loop_dt.
void run_reduce(const Loop& loop, const LoopOperand& out, const LoopOperand& in, Dims shape,
                const char* mask = nullptr, const int64_t* mask_strides = nullptr);

// Copies src into dst of the same shape, converting; the two must not overlap unless they are the
// same elements.
void copy_into(NDArrayObj* dst, const NDArrayObj* src);
// The same on bare operands.
void copy_strided(char* dst, const int64_t* dst_strides, DType dst_dt, const char* src,
                  const int64_t* src_strides, DType src_dt, Dims shape);
// Converts one element.
void cast_one(DType from, const void* src, DType to, void* dst);
// Sets every element of dst to the one at `value`, which has dst's dtype.
void fill(NDArrayObj* dst, const void* value);

}  // namespace isthmus
