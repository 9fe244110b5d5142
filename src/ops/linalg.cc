// ops/linalg.cc: inverses, solvers, determinants, powers and chains of matrices.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/lapack.h"
#include "ops/products.h"
#include "ops/ufunc.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {

NDArray inverse(NDArrayObj* a) {
  require_square(a);
  const LinalgTypes t = linalg_types({a});
  const int64_t n = a->shape[a->ndim - 1];
  Converted x(a, t.compute());
  NDArray out = empty(a->dims(), t.compute());
  if (run_stacks(lapack_loop(Lapack::kInv, t.complex), {{x.get(), 2}, {out.get(), 2}},
                 stack_of(a, 2), {n}))
    fail_linalg("Singular matrix");
  return finish_as(std::move(out), t.result());
}

NDArray solve(NDArrayObj* a, NDArrayObj* b) {
  require_square(a);
  const LinalgTypes t = linalg_types({a, b});
  const int64_t n = a->shape[a->ndim - 1];
  const bool vector = b->ndim == 1;
  const int core = vector ? 1 : 2;
  const char* form = vector ? "solve1: Input operand 1" : "solve: Input operand 1";
  const char* signature = vector ? "(m,m),(m)->(m)" : "(m,m),(m,n)->(m,n)";
  if (b->ndim < core) {
    fail_value(form, " does not have enough dimensions (has ", b->ndim,
               ", gufunc core with signature ", signature, " requires ", core, ")");
  }
  const int64_t rows = b->shape[b->ndim - core];
  if (rows != n) {
    fail_value(form, " has a mismatch in its core dimension 0, with gufunc signature ", signature,
               " (size ", rows, " is different from ", n, ")");
  }
  ShapeBuf shape;
  if (!broadcast_into(&shape, stack_of(a, 2)) || !broadcast_into(&shape, stack_of(b, core))) {
    fail_value("solve: operands could not be broadcast together with shapes ",
               shape_str(a->shape, a->ndim), " ", shape_str(b->shape, b->ndim));
  }
  const ShapeBuf stack = shape;
  for (int d = b->ndim - core; d < b->ndim; ++d) shape.push(b->shape[d]);
  Converted x(a, t.compute()), y(b, t.compute());
  NDArray out = empty(shape, t.compute());
  const bool failed = vector ? run_stacks(lapack_loop(Lapack::kSolve1, t.complex),
                                          {{x.get(), 2}, {y.get(), 1}, {out.get(), 1}}, stack, {n})
                             : run_stacks(lapack_loop(Lapack::kSolve, t.complex),
                                          {{x.get(), 2}, {y.get(), 2}, {out.get(), 2}}, stack,
                                          {n, b->shape[b->ndim - 1]});
  if (failed) fail_linalg("Singular matrix");
  return finish_as(std::move(out), t.result());
}

namespace {

void det_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  require_square(a);
  const LinalgTypes t = linalg_types({a});
  Converted x(a, t.compute());
  NDArray out = empty(stack_of(a, 2), t.compute());
  run_stacks(lapack_loop(Lapack::kDet, t.complex), {{x.get(), 2}, {out.get(), 0}}, stack_of(a, 2),
             {a->shape[a->ndim - 1]}, true);
  f.ret(finish_as(std::move(out), t.result()));
}

void slogdet_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  require_square(a);
  const LinalgTypes t = linalg_types({a});
  Converted x(a, t.compute());
  NDArray sign = empty(stack_of(a, 2), t.compute()), log = empty(stack_of(a, 2), DType::kFloat64);
  run_stacks(lapack_loop(Lapack::kSlogdet, t.complex),
             {{x.get(), 2}, {sign.get(), 0}, {log.get(), 0}}, stack_of(a, 2),
             {a->shape[a->ndim - 1]}, true);
  std::vector<NDArray> results;
  results.push_back(finish_as(std::move(sign), t.result()));
  results.push_back(finish_as(std::move(log), t.result_real()));
  f.ret_list(std::move(results));
}

// (a, *, upper)
void cholesky_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  require_square(a);
  const LinalgTypes t = linalg_types({a});
  Converted x(a, t.compute());
  NDArray out = empty(a->dims(), t.compute());
  const Lapack which = f.boolean(1) ? Lapack::kCholeskyUpper : Lapack::kCholeskyLower;
  if (run_stacks(lapack_loop(which, t.complex), {{x.get(), 2}, {out.get(), 2}}, stack_of(a, 2),
                 {a->shape[a->ndim - 1]}))
    fail_linalg("Matrix is not positive definite");
  f.ret(finish_as(std::move(out), t.result()));
}

// (a, ind)
void tensorinv_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  const int64_t ind = f.integer(1);
  if (ind <= 0) fail_value("Invalid ind argument.");
  const int split = static_cast<int>(std::min<int64_t>(ind, a->ndim));
  ShapeBuf shape;
  int64_t rows = 1;
  for (int d = split; d < a->ndim; ++d) {
    shape.push(a->shape[d]);
    rows *= a->shape[d];
  }
  for (int d = 0; d < split; ++d) shape.push(a->shape[d]);
  if (rows == 0 || a->size % rows != 0)
    fail_value("cannot reshape array of size ", a->size, " into shape (", rows, ", -1)");
  int64_t matrix[2] = {rows, a->size / rows};
  NDArray x = reshaped(a, matrix);
  NDArray result = inverse(x.get());
  f.ret(view_contiguous(result.get(), shape));
}

// (a, b, axes)
void tensorsolve_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  NDArray turned;
  if (!f.is_none(2)) {
    // Each axis moves to the end in turn.
    std::vector<int64_t> order(static_cast<size_t>(a->ndim));
    for (size_t d = 0; d < order.size(); ++d) order[d] = static_cast<int64_t>(d);
    for (int64_t axis : f.shape(2)) {
      auto found = std::find(order.begin(), order.end(), axis);
      if (found == order.end()) fail_value("list.remove(x): x not in list");
      order.erase(found);
      order.push_back(axis);
    }
    int64_t shape[kMaxDims], strides[kMaxDims];
    for (size_t d = 0; d < order.size(); ++d) {
      shape[d] = a->shape[order[d]];
      strides[d] = a->strides[order[d]];
    }
    turned = view(a, {shape, order.size()}, {strides, order.size()}, a->data);
    a = turned.get();
  }
  // a.shape[-(an - bn):], which is all of it when both have as many dimensions, as a slice from -0
  // is.
  const int extra = a->ndim - b->ndim;
  ShapeBuf shape;
  int64_t n = 1;
  for (int d = extra > 0 ? a->ndim - extra : std::min(-extra, a->ndim); d < a->ndim; ++d) {
    shape.push(a->shape[d]);
    n *= a->shape[d];
  }
  if (a->size != n * n) {
    fail_linalg(
        "Input arrays must satisfy the requirement prod(a.shape[b.ndim:]) == "
        "prod(a.shape[:b.ndim])");
  }
  int64_t matrix[2] = {n, n};
  NDArray x = reshaped(a, matrix), y = ravel(b);
  NDArray result = solve(x.get(), y.get());
  f.ret(view_contiguous(result.get(), shape));
}

// (a, n)
void matrix_power_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  require_square(a);
  int64_t n = f.integer(1);
  if (n == 0) {
    NDArray out = zeros(a->dims(), a->dt);
    const int64_t size = a->shape[a->ndim - 1];
    const int64_t one = 1;
    alignas(16) char value[16];
    cast_one(DType::kInt64, &one, a->dt, value);
    for (int64_t i = 0; i < out->size; i += size * size)
      for (int64_t k = 0; k < size; ++k)
        std::copy_n(value, a->isz(), out->bytes() + (i + k * (size + 1)) * a->isz());
    return f.ret(std::move(out));
  }
  NDArray base = n < 0 ? inverse(a) : NDArray::share(a);
  auto times = [](const NDArray& x, const NDArray& y) {
    return matmul(any_of(x.get()), any_of(y.get()));
  };
  uint64_t rest = n < 0 ? 0 - static_cast<uint64_t>(n) : static_cast<uint64_t>(n);
  if (rest == 3) return f.ret(times(times(base, base), base));
  NDArray result;
  for (; rest > 0; rest >>= 1) {
    if (rest & 1) result = result ? times(result, base) : base;
    if (rest > 1) base = times(base, base);
  }
  f.ret(std::move(result));
}

// (a, b, rcond)
void lstsq_body(Frame& f) {
  NDArrayObj *a = f.array(0), *given = f.array(1);
  NDArray column;
  const bool vector = given->ndim == 1;
  NDArrayObj* b = given;
  if (vector) {
    int64_t shape[2] = {given->size, 1}, strides[2] = {given->strides[0], 1};
    column = view(given, shape, strides, given->data);
    b = column.get();
  }
  require_matrix(a);
  require_matrix(b);
  const int64_t m = a->shape[0], n = a->shape[1], asked = b->shape[1];
  if (b->shape[0] != m) fail_linalg("Incompatible dimensions");
  const LinalgTypes t = linalg_types({a, b});
  double rcond = std::numeric_limits<double>::epsilon() * static_cast<double>(std::max(n, m));
  if (!f.is_none(2)) {
    std::optional<double> v = real_of(f.args[2]);
    if (!v) fail_type("lstsq(): rcond must be a real number");
    rcond = *v;
  }
  const int64_t width = std::max<int64_t>(asked, 1),
                rank_of = std::min(m, n);  // LAPACK takes no empty right side
  Converted x(a, t.compute()), y(b, t.compute());
  if (asked == 0) {
    int64_t shape[2] = {m, 1};
    y.replace(zeros(shape, t.compute()));
  }
  int64_t solution_shape[2] = {n, width};
  NDArray threshold = scalar_array(DType::kFloat64, &rcond);
  NDArray solution = empty(solution_shape, t.compute()),
          residuals = empty({&width, 1}, DType::kFloat64);
  NDArray rank = empty({}, DType::kInt32), values = empty({&rank_of, 1}, DType::kFloat64);
  if (run_stacks(lapack_loop(Lapack::kLstsq, t.complex),
                 {{x.get(), 2},
                  {y.get(), 2},
                  {threshold.get(), 0},
                  {solution.get(), 2},
                  {residuals.get(), 1},
                  {rank.get(), 0},
                  {values.get(), 1}},
                 {}, {m, n, width, rank_of}))
    fail_linalg("SVD did not converge in Linear Least Squares");
  if (m == 0) solution = zeros(solution_shape, t.compute());
  const int64_t zero = 0;
  if (*static_cast<int32_t*>(rank->data) != n || m <= n)
    residuals = empty({&zero, 1}, t.result_real());
  else if (asked == 0) residuals = empty({&zero, 1}, DType::kFloat64);
  if (asked == 0) {
    int64_t shape[2] = {n, 0};
    solution = empty(shape, t.compute());
  }
  if (vector) solution = view_contiguous(solution.get(), {&n, 1});
  std::vector<NDArray> results;
  results.push_back(finish_as(std::move(solution), t.result()));
  results.push_back(finish_as(std::move(residuals), t.result_real()));
  results.push_back(std::move(rank));
  results.push_back(finish_as(std::move(values), t.result_real()));
  f.ret_list(std::move(results));
}

// The product of matrices [i, j] in the order that a table of splits gives.
NDArray multiply_chain(const std::vector<NDArray>& arrays, const std::vector<size_t>& split,
                       size_t i, size_t j) {
  if (i == j) return arrays[i];
  const size_t k = split[i * arrays.size() + j];
  NDArray left = multiply_chain(arrays, split, i, k),
          right = multiply_chain(arrays, split, k + 1, j);
  return dot(left.get(), right.get());
}

// (arrays, *, out)
void multi_dot_body(Frame& f) {
  auto given = f.list(0);
  const size_t n = given.size();
  if (n < 2) fail_value("Expecting at least two arrays.");
  if (n == 2) return f.ret(dot(f.to_array(given[0]), f.to_array(given[1]), f.out(1)));
  std::vector<NDArray> arrays;
  for (const TVMFFIAny& v : given) arrays.push_back(NDArray::share(f.to_array(v)));
  const bool row = arrays.front()->ndim == 1, column = arrays.back()->ndim == 1;
  if (row) {
    int64_t shape[2] = {1, arrays[0]->size}, strides[2] = {1, arrays[0]->strides[0]};
    arrays[0] = view(arrays[0].get(), shape, strides, arrays[0]->data);
  }
  if (column) {
    NDArray& last = arrays.back();
    int64_t shape[2] = {last->size, 1}, strides[2] = {last->strides[0], 1};
    last = view(last.get(), shape, strides, last->data);
  }
  for (const NDArray& a : arrays) require_matrix(a.get());
  // The cheapest order, by dynamic programming over the sizes p: matrix i is p[i] x p[i + 1].
  std::vector<double> p(n + 1), cost(n * n, 0.0);
  std::vector<size_t> split(n * n, 0);
  for (size_t i = 0; i < n; ++i) p[i] = static_cast<double>(arrays[i]->shape[0]);
  p[n] = static_cast<double>(arrays.back()->shape[1]);
  for (size_t length = 1; length < n; ++length) {
    for (size_t i = 0; i + length < n; ++i) {
      const size_t j = i + length;
      double best = INFINITY;
      for (size_t k = i; k < j; ++k) {
        const double q = cost[i * n + k] + cost[(k + 1) * n + j] + p[i] * p[k + 1] * p[j + 1];
        if (q < best) {
          best = q;
          split[i * n + j] = k;
        }
      }
      cost[i * n + j] = best;
    }
  }
  NDArray result = multiply_chain(arrays, split, 0, n - 1);
  if (NDArrayObj* out = f.out(1)) {
    // NumPy gives `out` to the last product of matrices.
    if (out->dt != result->dt || !out->c_contiguous() || !same_dims(out->dims(), result->dims())) {
      fail_value(
          "output array is not acceptable (must have the right datatype, number of dimensions, and "
          "be a C-Array)");
    }
    require_writeable(out, "output array");
    assign(out, result.get());
    result = NDArray::share(out);
  }
  if (row && column) return f.ret(view_contiguous(result.get(), {}));
  if (row || column) {
    const int64_t size = result->size;
    return f.ret(view_contiguous(result.get(), {&size, 1}));
  }
  f.ret(std::move(result));
}

void matrix_transpose_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim < 2) fail_value("Input array must be at least 2-dimensional, but it is ", a->ndim);
  f.ret(matrix_transposed(a));
}

}  // namespace

void register_linalg(Registry& r) {
  r.def({.name = "linalg.inv",
         .signature = "(a: Array)",
         .doc = "Inverses of a stack of square matrices. LinAlgError for a singular one.",
         .body = [](Frame& f) { f.ret(inverse(f.array(0))); }});
  r.def({.name = "linalg.solve",
         .signature = "(a: Array, b: Array)",
         .doc = "The x of a @ x = b for a stack of square matrices a; b is a vector, or a stack of "
                "matrices.",
         .body = [](Frame& f) { f.ret(solve(f.array(0), f.array(1))); }});
  r.def({.name = "linalg.det",
         .signature = "(a: Array)",
         .doc = "Determinants of a stack of square matrices.",
         .body = det_body,
         .checks_fp = true});
  r.def({.name = "linalg.slogdet",
         .signature = "(a: Array) -> tuple[Array, Array]",
         .doc = "Signs of determinants and logarithms of their absolute values, which overflow "
                "later than det does.",
         .body = slogdet_body,
         .checks_fp = true});
  r.def({.name = "linalg.cholesky",
         .signature = "(a: Array, /, *, upper: bool = False)",
         .doc = "The triangular L with a = L @ L.conj().T for positive definite matrices, or its "
                "conjugate transpose.",
         .body = cholesky_body});
  r.def({.name = "linalg.tensorinv",
         .signature = "(a: Array, ind: int = 2)",
         .doc = "The inverse of an array taken as the matrix whose columns are indexed by the "
                "dimensions from `ind` on.",
         .body = tensorinv_body});
  r.def({.name = "linalg.tensorsolve",
         .signature = "(a: Array, b: Array, axes: Axes = None)",
         .doc = "The x of tensordot(a, x, x.ndim) == b. `axes` of a move to its end first.",
         .body = tensorsolve_body});
  r.def({.name = "linalg.matrix_power",
         .signature = "(a: Array, n: int)",
         .doc =
             "A stack of square matrices to an integer power; negative powers are of the inverses.",
         .body = matrix_power_body,
         .checks_fp = true});
  r.def(
      {.name = "linalg.lstsq",
       .signature = "(a: Array, b: Array, rcond: Any = None) -> tuple[Array, Array, Array, Array]",
       .doc = "The x with the least sum of squares of b - a @ x, these sums, the rank of a and its "
              "singular values.",
       .body = lstsq_body});
  r.def(
      {.name = "linalg.multi_dot",
       .signature = "(arrays: Arrays, *, out: Out = None)",
       .doc = "The product of several matrices in the order that takes the fewest multiplications.",
       .body = multi_dot_body,
       .checks_fp = true});
  r.def({.name = "linalg.matrix_transpose",
         .signature = "(x: Array, /)",
         .doc = "The matrices of the last two dimensions transposed, as a view.",
         .body = matrix_transpose_body});
}

}  // namespace isthmus
