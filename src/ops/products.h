// ops/products.h: products of matrices and vectors, for the front end's @ and the families that
// build on them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/product.h"
#include "ops/op.h"

namespace isthmus {

// One product of two matrices of dtype d by the kernel that is fastest for its size: a built-in
// one, or the host's (BLAS).
void multiply_matrices(DType d, const MatrixProduct& p);
// The same for a stack: `p` is the first product, the strides (bytes) lead from one to the next.
void multiply_stacks(DType d, MatrixProduct p, Dims shape, const int64_t* a_strides,
                     const int64_t* b_strides, const int64_t* c_strides);
// *out = sum of a[i] * b[i], or of conj(a[i]) * b[i].
void multiply_vectors(DType d, bool conjugate, const char* a, int64_t a_step, const char* b,
                      int64_t b_step, char* out, int64_t n);

// x1 @ x2.
NDArray matmul(const TVMFFIAny& x1, const TVMFFIAny& x2);
// np.vecdot: products along the last dimension.
NDArray vecdot(NDArrayObj* x1, NDArrayObj* x2);
// np.dot. `out`, if given, must be what the result would be in shape, dtype and layout.
NDArray dot(NDArrayObj* a, NDArrayObj* b, NDArrayObj* out = nullptr);

// An array seen with another dtype: itself, or a converted copy that lives as long as this. Without
// the reference counting that as_dtype needs to return it.
class Converted {
 public:
  Converted(NDArrayObj* a, DType d) : p_(a) {
    if (a->dt == d) return;
    held_ = astype(a, d);
    p_ = held_.get();
  }
  NDArrayObj* get() const { return p_; }
  NDArrayObj* operator->() const { return p_; }
  // Takes another array in its place.
  void replace(NDArray a) {
    held_ = std::move(a);
    p_ = held_.get();
  }

 private:
  NDArrayObj* p_;
  NDArray held_;
};

}  // namespace isthmus
