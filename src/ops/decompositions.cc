// ops/decompositions.cc: qr, svd, eigenvalues, and what follows from singular values: pinv,
// matrix_rank, cond.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/host.h"
#include "ops/lapack.h"
#include "ops/products.h"
#include "ops/sorting.h"
#include "ops/ufunc.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

constexpr const char* kSvdFailed = "SVD did not converge";
constexpr const char* kEigFailed = "Eigenvalues did not converge";

// ---- qr -----------------------------------------------------------------------------------------

// The upper triangles of the first `rows` rows of each matrix.
NDArray upper_triangle(const NDArrayObj* a, int64_t rows) {
  NDArray part = sliced(a, a->ndim - 2, 0, rows);
  NDArray out = copy(part.get());
  const int64_t cols = a->shape[a->ndim - 1], isz = a->isz();
  for (int64_t i = 0; i < out->size; i += rows * cols)
    for (int64_t k = 1; k < rows; ++k)
      std::fill_n(out->bytes() + (i + k * cols) * isz, std::min(k, cols) * isz, 0);
  return out;
}

// (a, mode)
void qr_body(Frame& f) {
  NDArrayObj* given = f.array(0);
  const std::string_view mode = f.str(1);
  const bool reduced = mode == "reduced", complete = mode == "complete", raw = mode == "raw";
  if (mode == "f" || mode == "full" || mode == "e" || mode == "economic")
    fail_fallback("qr() of a deprecated mode");
  if (!reduced && !complete && !raw && mode != "r") fail_value("Unrecognized mode '", mode, "'");
  require_stacked(given);
  const LinalgTypes t = linalg_types({given});
  const int64_t m = given->shape[given->ndim - 2], n = given->shape[given->ndim - 1],
                mn = std::min(m, n);
  const Dims stack = stack_of(given, 2);
  NDArray a = astype(given, t.compute());  // becomes R above the diagonal, reflectors below
  NDArray tau = empty(stack_shape(stack, {mn}), t.compute());
  constexpr const char* kFailed = "Incorrect argument found while performing QR factorization";
  if (run_stacks(lapack_loop(Lapack::kQrRaw, t.complex), {{a.get(), 2}, {tau.get(), 1}}, stack,
                 {m, n, mn}))
    fail_linalg(kFailed);
  if (mode == "r") return f.ret(finish_as(upper_triangle(a.get(), mn), t.result()));
  std::vector<NDArray> results;
  if (raw) {
    results.push_back(finish_as(matrix_transposed(a.get()), t.result()));
    results.push_back(finish_as(std::move(tau), t.result()));
    return f.ret_list(std::move(results));
  }
  const bool square = complete && m > n;
  const int64_t cols = square ? m : mn;
  NDArray q = empty(stack_shape(stack, {m, cols}), t.compute());
  const bool failed =
      square ? run_stacks(lapack_loop(Lapack::kQrComplete, t.complex),
                          {{a.get(), 2}, {tau.get(), 1}, {q.get(), 2}}, stack, {m, n})
             : run_stacks(lapack_loop(Lapack::kQrReduced, t.complex),
                          {{a.get(), 2}, {tau.get(), 1}, {q.get(), 2}}, stack, {m, n, mn});
  if (failed) fail_linalg(kFailed);
  results.push_back(finish_as(std::move(q), t.result()));
  results.push_back(finish_as(upper_triangle(a.get(), cols), t.result()));
  f.ret_list(std::move(results));
}

// ---- svd ----------------------------------------------------------------------------------------

struct Svd {
  NDArray u, s, vh;
};

Svd decompose(NDArrayObj* a, bool full) {
  require_stacked(a);
  const LinalgTypes t = linalg_types({a});
  const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], p = std::min(m, n);
  const Dims stack = stack_of(a, 2);
  Converted x(a, t.compute());
  Svd r;
  r.u = empty(stack_shape(stack, {m, full ? m : p}), t.compute());
  r.s = empty(stack_shape(stack, {p}), DType::kFloat64);
  r.vh = empty(stack_shape(stack, {full ? n : p, n}), t.compute());
  const Lapack which = full ? Lapack::kSvdFull : Lapack::kSvdReduced;
  if (run_stacks(lapack_loop(which, t.complex),
                 {{x.get(), 2}, {r.u.get(), 2}, {r.s.get(), 1}, {r.vh.get(), 2}}, stack, {m, n, p}))
    fail_linalg(kSvdFailed);
  r.u = finish_as(std::move(r.u), t.result());
  r.s = finish_as(std::move(r.s), t.result_real());
  r.vh = finish_as(std::move(r.vh), t.result());
  return r;
}

// (a, full_matrices, compute_uv, hermitian)
void svd_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (f.boolean(3)) fail_fallback("svd() of Hermitian matrices");
  if (!f.boolean(2)) return f.ret(singular_values(a));
  Svd r = decompose(a, f.boolean(1));
  std::vector<NDArray> results;
  results.push_back(std::move(r.u));
  results.push_back(std::move(r.s));
  results.push_back(std::move(r.vh));
  f.ret_list(std::move(results));
}

// ---- Eigenvalues --------------------------------------------------------------------------------

void require_finite(const NDArrayObj* a) {
  if (!is_inexact(a->dt)) return;
  NDArray x = as_dtype(const_cast<NDArrayObj*>(a),
                       is_complex(a->dt) ? DType::kComplex128 : DType::kFloat64);
  x = ascontiguous(x.get());
  auto* p = static_cast<const double*>(x->data);
  const int64_t count = x->size * (is_complex(a->dt) ? 2 : 1);
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(p[i])) fail_linalg("Array must not contain infs or NaNs");
}

bool all_real(const NDArrayObj* w) {
  auto* p = static_cast<const std::complex<double>*>(w->data);
  return std::all_of(p, p + w->size, [](std::complex<double> v) { return v.imag() == 0; });
}

// The real parts of a contiguous complex128 array, in dtype d.
NDArray real_parts(const NDArrayObj* a, DType d) {
  NDArray out = empty(a->dims(), DType::kFloat64);
  auto* p = static_cast<const std::complex<double>*>(a->data);
  double* to = static_cast<double*>(out->data);
  for (int64_t i = 0; i < a->size; ++i) to[i] = p[i].real();
  return finish_as(std::move(out), d);
}

// eig when kVectors, else eigvals: computed in complex128; real numbers are returned where the host
// wants them.
template <bool kVectors>
void eig_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  require_square(a);
  require_finite(a);
  const LinalgTypes t = linalg_types({a});
  const int64_t n = a->shape[a->ndim - 1];
  const Dims stack = stack_of(a, 2);
  Converted x(a, t.compute());
  NDArray w = empty(stack_shape(stack, {n}), DType::kComplex128), v;
  bool failed;
  if (kVectors) {
    v = empty(a->dims(), DType::kComplex128);
    failed = run_stacks(lapack_loop(Lapack::kEig, t.complex),
                        {{x.get(), 2}, {w.get(), 1}, {v.get(), 2}}, stack, {n});
  } else {
    failed = run_stacks(lapack_loop(Lapack::kEigvals, t.complex), {{x.get(), 2}, {w.get(), 1}},
                        stack, {n});
  }
  if (failed) fail_linalg(kEigFailed);
  const bool real = !eigenvalues_are_complex() && !t.complex && all_real(w.get());
  auto as_result = [&](NDArray r) {
    return real ? real_parts(r.get(), t.result_real())
                : finish_as(std::move(r), t.result_complex());
  };
  if (!kVectors) return f.ret(as_result(std::move(w)));
  std::vector<NDArray> results;
  results.push_back(as_result(std::move(w)));
  results.push_back(as_result(std::move(v)));
  f.ret_list(std::move(results));
}

// eigh when kVectors, else eigvalsh: (a, UPLO)
template <bool kVectors>
void eigh_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  std::string_view triangle;
  if (!as_string(f.args[1], &triangle)) fail_fallback("UPLO of this kind");
  const bool lower = triangle == "L" || triangle == "l";
  if (!lower && triangle != "U" && triangle != "u") fail_value("UPLO argument must be 'L' or 'U'");
  require_square(a);
  const LinalgTypes t = linalg_types({a});
  const int64_t n = a->shape[a->ndim - 1];
  const Dims stack = stack_of(a, 2);
  Converted x(a, t.compute());
  NDArray w = empty(stack_shape(stack, {n}), DType::kFloat64), v;
  bool failed;
  if (kVectors) {
    v = empty(a->dims(), t.compute());
    failed = run_stacks(lapack_loop(lower ? Lapack::kEighLower : Lapack::kEighUpper, t.complex),
                        {{x.get(), 2}, {w.get(), 1}, {v.get(), 2}}, stack, {n});
  } else {
    failed =
        run_stacks(lapack_loop(lower ? Lapack::kEigvalshLower : Lapack::kEigvalshUpper, t.complex),
                   {{x.get(), 2}, {w.get(), 1}}, stack, {n});
  }
  if (failed) fail_linalg(kEigFailed);
  w = finish_as(std::move(w), t.result_real());
  if (!kVectors) return f.ret(std::move(w));
  std::vector<NDArray> results;
  results.push_back(std::move(w));
  results.push_back(finish_as(std::move(v), t.result()));
  f.ret_list(std::move(results));
}

// ---- What follows from singular values ----------------------------------------------------------

// A tolerance given as one number; others are NumPy's to broadcast.
double number_argument(const TVMFFIAny& v, const char* what) {
  std::optional<double> d = real_of(v);
  if (!d) fail_fallback(what);
  return *d;
}

double epsilon_of(DType real) {
  return real == DType::kFloat32 ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                 : std::numeric_limits<double>::epsilon();
}

int64_t longer_side(const NDArrayObj* a) {
  return std::max(a->shape[a->ndim - 2], a->shape[a->ndim - 1]);
}

template <class F>
void dispatch_real(DType d, F&& f) {
  if (d == DType::kFloat32) f.template operator()<float>();
  else f.template operator()<double>();
}

// (a, rcond, hermitian, *, rtol)
void pinv_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  // rtol's default is False, since None has a meaning of its own.
  const bool has_rtol = f.args[3].type_index != kTVMFFIBool;
  if (!f.is_none(1) && has_rtol) fail_value("`rtol` and `rcond` can't be both set.");
  if (f.boolean(2)) fail_fallback("pinv() of Hermitian matrices");
  require_stacked(a);
  const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1];
  double rcond = 1e-15;
  if (!f.is_none(1)) {
    rcond = number_argument(f.args[1], "pinv() with several rcond");
  } else if (has_rtol && f.is_none(3)) {
    if (!is_inexact(a->dt)) fail_fallback("pinv() of integers with rtol=None");
    rcond = static_cast<double>(longer_side(a)) * epsilon_of(real_dtype(a->dt));
  } else if (has_rtol) {
    rcond = number_argument(f.args[3], "pinv() with several rtol");
  }
  if (m == 0 || n == 0) return f.ret(empty(stack_shape(stack_of(a, 2), {n, m}), a->dt));
  static const Ufunc &conjugate = ufunc("conjugate"), &multiply = ufunc("multiply");
  NDArray x = is_complex(a->dt) ? call_unary(conjugate, any_of(a)) : NDArray::share(a);
  Svd d = decompose(x.get(), false);
  const int64_t p = std::min(m, n);
  dispatch_real(d.s->dt, [&]<class T>() {
    T* s = static_cast<T*>(d.s->data);
    for (int64_t i = 0; i < d.s->size; i += p) {
      const double cutoff = rcond * static_cast<double>(*std::max_element(s + i, s + i + p));
      for (int64_t k = i; k < i + p; ++k)
        s[k] = static_cast<double>(s[k]) > cutoff ? T(1) / s[k] : T(0);
    }
  });
  NDArray column = view_contiguous(d.s.get(), stack_shape(stack_of(a, 2), {p, 1}));
  NDArray ut = matrix_transposed(d.u.get()), v = matrix_transposed(d.vh.get());
  NDArray scaled = call_binary(multiply, any_of(column.get()), any_of(ut.get()));
  f.ret(matmul(any_of(v.get()), any_of(scaled.get())));
}

// (A, tol, hermitian, *, rtol)
void matrix_rank_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (!f.is_none(1) && !f.is_none(3)) fail_value("`tol` and `rtol` can't be both set.");
  if (a->ndim < 2) {
    NDArray truth = astype(a, DType::kBool);
    auto* p = static_cast<const bool*>(truth->data);
    return f.ret_int(std::any_of(p, p + truth->size, [](bool b) { return b; }));
  }
  if (f.boolean(2)) fail_fallback("matrix_rank() of Hermitian matrices");
  double tol = f.is_none(1) ? 0 : number_argument(f.args[1], "matrix_rank() with several tol");
  double rtol = f.is_none(3) ? 0 : number_argument(f.args[3], "matrix_rank() with several rtol");
  NDArray s = singular_values(a);
  if (f.is_none(3)) rtol = static_cast<double>(longer_side(a)) * epsilon_of(s->dt);
  NDArray out = zeros(stack_of(a, 2), DType::kInt64);
  const int64_t p = s->shape[s->ndim - 1];
  dispatch_real(s->dt, [&]<class T>() {
    auto* v = static_cast<const T*>(s->data);
    auto* count = static_cast<int64_t*>(out->data);
    for (int64_t i = 0; i < out->size; ++i, v += p) {
      T largest = 0;
      for (int64_t k = 0; k < p; ++k) largest = v[k] > largest || v[k] != v[k] ? v[k] : largest;
      const double limit = f.is_none(1) ? static_cast<double>(largest) * rtol : tol;
      for (int64_t k = 0; k < p; ++k) count[i] += static_cast<double>(v[k]) > limit;
    }
  });
  f.ret(std::move(out));
}

// (x, p)
void cond_body(Frame& f) {
  NDArrayObj* x = f.array(0);
  if (x->ndim < 2 || !(f.is_none(1) || f.args[1].type_index == kTVMFFIInt))
    fail_fallback("cond() by a norm of this kind");
  if (x->size == 0 && x->shape[x->ndim - 1] * x->shape[x->ndim - 2] == 0)
    fail_linalg("cond is not defined on empty arrays");
  const int64_t order = f.is_none(1) ? 2 : f.integer(1);
  if (order != 2 && order != -2) fail_fallback("cond() by a norm of this kind");
  NDArray s = singular_values(x);
  NDArray out = empty(stack_of(x, 2), s->dt);
  const int64_t p = s->shape[s->ndim - 1];
  // A NaN here comes from 0/0: with a NaN in x there are no singular values.
  dispatch_real(s->dt, [&]<class T>() {
    auto* v = static_cast<const T*>(s->data);
    T* to = static_cast<T*>(out->data);
    for (int64_t i = 0; i < out->size; ++i, v += p) {
      to[i] = order == 2 ? v[0] / v[p - 1] : v[p - 1] / v[0];
      if (to[i] != to[i]) to[i] = std::numeric_limits<T>::infinity();
    }
  });
  f.ret(std::move(out));
}

}  // namespace

NDArray singular_values(NDArrayObj* a) {
  require_stacked(a);
  const LinalgTypes t = linalg_types({a});
  const int64_t m = a->shape[a->ndim - 2], n = a->shape[a->ndim - 1], p = std::min(m, n);
  const Dims stack = stack_of(a, 2);
  Converted x(a, t.compute());
  NDArray s = empty(stack_shape(stack, {p}), DType::kFloat64);
  if (run_stacks(lapack_loop(Lapack::kSvd, t.complex), {{x.get(), 2}, {s.get(), 1}}, stack,
                 {m, n, p}))
    fail_linalg(kSvdFailed);
  return finish_as(std::move(s), t.result_real());
}

void register_decompositions(Registry& r) {
  r.def({.name = "linalg.qr",
         .signature = "(a: Array, mode: str = 'reduced') -> tuple[Array, Array]",
         .doc = "a = Q @ R with orthonormal columns of Q and an upper triangular R. `mode` is "
                "'reduced', 'complete', 'r' (R only) or "
                "'raw' (what LAPACK returns).",
         .body = qr_body});
  r.def({.name = "linalg.svd",
         .signature = "(a: Array, full_matrices: bool = True, compute_uv: bool = True, hermitian: "
                      "bool = False) -> tuple[Array, Array, Array]",
         .doc = "Singular value decompositions: U, the singular values in falling order, and the "
                "conjugate transpose of V; or the "
                "values only.",
         .body = svd_body});
  r.def({.name = "linalg.svdvals",
         .signature = "(x: Array, /)",
         .doc = "Singular values of a stack of matrices, in falling order.",
         .body = [](Frame& f) { f.ret(singular_values(f.array(0))); }});
  r.def({.name = "linalg.eig",
         .signature = "(a: Array) -> tuple[Array, Array]",
         .doc = "Eigenvalues and right eigenvectors (as columns) of square matrices; before NumPy "
                "2.5 complex only if they need to be.",
         .body = eig_body<true>});
  r.def({.name = "linalg.eigvals",
         .signature = "(a: Array)",
         .doc = "Eigenvalues of square matrices; before NumPy 2.5 complex only if they need to be.",
         .body = eig_body<false>});
  r.def({.name = "linalg.eigh",
         .signature = "(a: Array, UPLO: Any = 'L') -> tuple[Array, Array]",
         .doc = "Eigenvalues, rising, and eigenvectors of symmetric or Hermitian matrices, of "
                "which one triangle is read.",
         .body = eigh_body<true>});
  r.def({.name = "linalg.eigvalsh",
         .signature = "(a: Array, UPLO: Any = 'L')",
         .doc = "Eigenvalues, rising, of symmetric or Hermitian matrices, of which one triangle is "
                "read.",
         .body = eigh_body<false>});
  r.def(
      {.name = "linalg.pinv",
       .signature = "(a: Array, rcond: Any = None, hermitian: bool = False, *, rtol: Any = False)",
       .doc = "Pseudo-inverses by singular values; those not above `rcond` times the largest count "
              "as zero.",
       .body = pinv_body,
       .checks_fp = true});
  r.def({.name = "linalg.matrix_rank",
         .signature = "(A: Array, tol: Any = None, hermitian: bool = False, *, rtol: Any = None)",
         .doc = "Numbers of singular values above `tol`, or above `rtol` times the largest.",
         .body = matrix_rank_body});
  r.def({.name = "linalg.cond",
         .signature = "(x: Array, p: Any = None)",
         .doc =
             "Condition numbers: the largest singular value over the smallest, or by another norm.",
         .body = cond_body});
}

}  // namespace isthmus
