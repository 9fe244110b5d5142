// ops/lapack.h: inner loops of linear algebra, the host's (LAPACK) or built-in ones, and how they
// are run over stacks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <span>

#include "kernels/strided_loop.h"
#include "ops/op.h"

namespace isthmus {

enum class Lapack : uint8_t {
  kInv,
  kSolve,
  kSolve1,
  kDet,
  kSlogdet,
  kCholeskyLower,
  kCholeskyUpper,
  kQrRaw,
  kQrReduced,
  kQrComplete,
  kSvd,
  kSvdFull,
  kSvdReduced,
  kEig,
  kEigvals,
  kEighLower,
  kEighUpper,
  kEigvalshLower,
  kEigvalshUpper,
  kLstsq,
  kCount,
};

struct LapackLoop {
  LoopFn fn;
  void* data;
};
// The loop that computes in float64 or complex128; NotImplementedError when neither the host nor we
// have one.
LapackLoop lapack_loop(Lapack which, bool complex);

// One operand of a loop: an array of the loop's dtype whose last `core` dimensions are a matrix or
// vector.
struct StackOperand {
  const NDArrayObj* array;
  int core;
};
// Runs a loop over a stack that all operands broadcast to. `core_dims` are the sizes of the core
// dimensions in the order in which the gufunc's signature names them. Returns whether the loop
// reported that it failed somewhere, which it does by the invalid flag of floating-point
// arithmetic; no flag is left behind when `keep_flags` is false.
bool run_stacks(const LapackLoop& loop, std::initializer_list<StackOperand> operands, Dims stack,
                std::initializer_list<int64_t> core_dims, bool keep_flags = false);

// What linear algebra computes in and returns for operands of some dtypes: always float64 or
// complex128, and a float32 or complex64 result only when all operands are of single precision.
struct LinalgTypes {
  bool complex = false;
  bool is_double = false;
  DType compute() const { return complex ? DType::kComplex128 : DType::kFloat64; }
  DType result() const {
    return !complex ? result_real() : is_double ? DType::kComplex128 : DType::kComplex64;
  }
  DType result_real() const { return is_double ? DType::kFloat64 : DType::kFloat32; }
  DType result_complex() const { return is_double ? DType::kComplex128 : DType::kComplex64; }
};
LinalgTypes linalg_types(std::initializer_list<const NDArrayObj*> arrays);

// LinAlgError unless an array is a stack of (square) matrices, or exactly one matrix.
void require_stacked(const NDArrayObj* a);
void require_square(const NDArrayObj* a);
void require_matrix(const NDArrayObj* a);
[[noreturn, gnu::cold]] void fail_linalg(const char* message);

// The dimensions before the last `core` ones, with others appended: the shape of a result over the
// same stack.
inline Dims stack_of(const NDArrayObj* a, int core) {
  return {a->shape, static_cast<size_t>(a->ndim - core)};
}
inline ShapeBuf stack_shape(Dims stack, std::initializer_list<int64_t> core) {
  ShapeBuf s;
  for (int64_t d : stack) s.push(d);
  for (int64_t d : core) s.push(d);
  return s;
}
// The result as its dtype; no copy when it has it already.
inline NDArray finish_as(NDArray a, DType d) {
  return a->dt == d ? std::move(a) : astype(a.get(), d);
}
// Matrices of the last two dimensions transposed, as a view.
NDArray matrix_transposed(const NDArrayObj* a);

// Singular values of a stack of matrices.
NDArray singular_values(NDArrayObj* a);
NDArray inverse(NDArrayObj* a);
NDArray solve(NDArrayObj* a, NDArrayObj* b);

}  // namespace isthmus
