// kernels/product.h: built-in kernels for products of matrices and vectors of one dtype.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/dtype.h"

namespace isthmus {

// c = a @ b for one pair of matrices: a has shape (n, k), b (k, m). Strides count bytes and may be
// of any sign; the elements of a row of c are neighbours. c touches neither a nor b.
struct MatrixProduct {
  const char* a;
  const char* b;
  char* c;
  int64_t n, k, m;
  int64_t a_row, a_col;
  int64_t b_row, b_col;
  int64_t c_row;
};

using ProductFn = void (*)(const MatrixProduct& p);
// Takes any sizes and strides. float16 is summed in float32; bool takes "or" for + and "and" for *.
ProductFn product_kernel(DType d);

// *out = sum of a[i] * b[i], or of conj(a[i]) * b[i]; strides in bytes.
using VectorProductFn = void (*)(const char* a, int64_t a_step, const char* b, int64_t b_step,
                                 char* out, int64_t n);
VectorProductFn vector_product_kernel(DType d, bool conjugate);

}  // namespace isthmus
