// ops/lapack.cc: see the header. The built-in loops are an LU and a Cholesky decomposition, for
// programs without a host.
// SPDX-License-Identifier: Apache-2.0
#include "ops/lapack.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <cmath>
#include <complex>
#include <vector>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#include "engine/engine.h"
#include "ops/host.h"

namespace isthmus {
namespace {

// ---- Built-in loops -----------------------------------------------------------------------------

template <class T>
inline constexpr bool kComplex = !std::is_floating_point_v<T>;

template <class T>
auto magnitude(T v) {
  // What LAPACK chooses pivots by.
  if constexpr (kComplex<T>) return std::abs(v.real()) + std::abs(v.imag());
  else return std::abs(v);
}

template <class T>
inline T& at(char* p, int64_t offset) {
  return *reinterpret_cast<T*>(p + offset);
}

template <class T>
void read_matrix(std::vector<T>* m, char* p, int64_t rows, int64_t cols, int64_t row, int64_t col) {
  m->resize(static_cast<size_t>(rows * cols));
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      (*m)[static_cast<size_t>(i * cols + j)] = at<T>(p, i * row + j * col);
}
template <class T>
void write_matrix(const std::vector<T>& m, char* p, int64_t rows, int64_t cols, int64_t row,
                  int64_t col) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < cols; ++j)
      at<T>(p, i * row + j * col) = m[static_cast<size_t>(i * cols + j)];
}

// Row-major LU decomposition in place with partial pivoting; rows of `b` (width columns) are
// exchanged and reduced along. Returns the sign of the permutation, or 0 for a zero pivot.
template <class T>
int decompose(T* a, int64_t n, T* b, int64_t width) {
  int sign = 1;
  bool singular = false;
  for (int64_t k = 0; k < n; ++k) {
    int64_t pivot = k;
    for (int64_t i = k + 1; i < n; ++i)
      if (magnitude(a[i * n + k]) > magnitude(a[pivot * n + k])) pivot = i;
    if (a[pivot * n + k] == T(0)) {
      singular = true;
      continue;
    }
    if (pivot != k) {
      std::swap_ranges(a + k * n, a + (k + 1) * n, a + pivot * n);
      std::swap_ranges(b + k * width, b + (k + 1) * width, b + pivot * width);
      sign = -sign;
    }
    for (int64_t i = k + 1; i < n; ++i) {
      const T factor = a[i * n + k] / a[k * n + k];
      a[i * n + k] = factor;
      for (int64_t j = k + 1; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
      for (int64_t j = 0; j < width; ++j) b[i * width + j] -= factor * b[k * width + j];
    }
  }
  return singular ? 0 : sign;
}

// b = inverse of a, times b. False when a is singular.
template <class T>
bool solve_in_place(T* a, int64_t n, T* b, int64_t width) {
  if (n > 0 && decompose(a, n, b, width) == 0) return false;
  for (int64_t k = n; k-- > 0;) {
    for (int64_t j = 0; j < width; ++j) b[k * width + j] /= a[k * n + k];
    for (int64_t i = 0; i < k; ++i)
      for (int64_t j = 0; j < width; ++j) b[i * width + j] -= a[i * n + k] * b[k * width + j];
  }
  return true;
}

void report_failure() { std::feraiseexcept(FE_INVALID); }

template <class T>
void inv_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  std::vector<T> a, b;
  bool failed = false;
  const int64_t size = n[1];
  for (int64_t i = 0; i < n[0]; ++i) {
    read_matrix(&a, args[0] + i * s[0], size, size, s[2], s[3]);
    b.assign(static_cast<size_t>(size * size), T(0));
    for (int64_t k = 0; k < size; ++k) b[static_cast<size_t>(k * size + k)] = T(1);
    if (!solve_in_place(a.data(), size, b.data(), size)) {
      failed = true;
      std::fill(b.begin(), b.end(), T(NAN));
    }
    write_matrix(b, args[1] + i * s[1], size, size, s[4], s[5]);
  }
  if (failed) report_failure();
}

// (m,m),(m,n)->(m,n), and (m,m),(m)->(m) when kVector.
template <class T, bool kVector>
void solve_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  std::vector<T> a, b;
  bool failed = false;
  const int64_t size = n[1], width = kVector ? 1 : n[2];
  const int64_t b_row = s[5], b_col = kVector ? 0 : s[6], x_row = kVector ? s[6] : s[7],
                x_col = kVector ? 0 : s[8];
  for (int64_t i = 0; i < n[0]; ++i) {
    read_matrix(&a, args[0] + i * s[0], size, size, s[3], s[4]);
    read_matrix(&b, args[1] + i * s[1], size, width, b_row, b_col);
    if (!solve_in_place(a.data(), size, b.data(), width)) {
      failed = true;
      std::fill(b.begin(), b.end(), T(NAN));
    }
    write_matrix(b, args[2] + i * s[2], size, width, x_row, x_col);
  }
  if (failed) report_failure();
}

template <class T>
void det_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  std::vector<T> a;
  const int64_t size = n[1];
  for (int64_t i = 0; i < n[0]; ++i) {
    read_matrix(&a, args[0] + i * s[0], size, size, s[2], s[3]);
    T det = static_cast<T>(size > 0 ? decompose<T>(a.data(), size, nullptr, 0) : 1);
    for (int64_t k = 0; k < size && det != T(0); ++k) det *= a[static_cast<size_t>(k * size + k)];
    at<T>(args[1], i * s[1]) = det;
  }
}

template <class T>
void slogdet_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  std::vector<T> a;
  const int64_t size = n[1];
  for (int64_t i = 0; i < n[0]; ++i) {
    read_matrix(&a, args[0] + i * s[0], size, size, s[3], s[4]);
    T sign = static_cast<T>(size > 0 ? decompose<T>(a.data(), size, nullptr, 0) : 1);
    double log = sign == T(0) ? -INFINITY : 0;
    for (int64_t k = 0; k < size && sign != T(0); ++k) {
      const T pivot = a[static_cast<size_t>(k * size + k)];
      sign *= pivot / static_cast<T>(std::abs(pivot));
      log += std::log(std::abs(pivot));
    }
    at<T>(args[1], i * s[1]) = sign;
    at<double>(args[2], i * s[2]) = log;
  }
}

template <class T, bool kUpper>
void cholesky_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  std::vector<T> a;
  bool failed = false;
  const int64_t size = n[1];
  auto conj = [](T v) {
    if constexpr (kComplex<T>) return std::conj(v);
    else return v;
  };
  for (int64_t i = 0; i < n[0]; ++i) {
    // The lower triangle of a, or of the conjugate transpose of the upper one.
    read_matrix(&a, args[0] + i * s[0], size, size, kUpper ? s[3] : s[2], kUpper ? s[2] : s[3]);
    if (kUpper) std::transform(a.begin(), a.end(), a.begin(), conj);
    T* p = a.data();
    bool positive = true;
    for (int64_t j = 0; j < size && positive; ++j) {
      double diagonal = std::real(p[j * size + j]);
      for (int64_t k = 0; k < j; ++k) diagonal -= std::norm(p[j * size + k]);
      positive = diagonal > 0;
      if (!positive) break;
      const double root = std::sqrt(diagonal);
      p[j * size + j] = root;
      for (int64_t r = j + 1; r < size; ++r) {
        T v = p[r * size + j];
        for (int64_t k = 0; k < j; ++k) v -= p[r * size + k] * conj(p[j * size + k]);
        p[r * size + j] = v / root;
      }
      for (int64_t c = j + 1; c < size; ++c) p[j * size + c] = T(0);
    }
    if (!positive) {
      failed = true;
      std::fill(a.begin(), a.end(), T(NAN));
    }
    if (kUpper) std::transform(a.begin(), a.end(), a.begin(), conj);
    write_matrix(a, args[1] + i * s[1], size, size, kUpper ? s[5] : s[4], kUpper ? s[4] : s[5]);
  }
  if (failed) report_failure();
}

template <class T>
LoopFn built_in(Lapack which) {
  switch (which) {
    case Lapack::kInv: return inv_loop<T>;
    case Lapack::kSolve: return solve_loop<T, false>;
    case Lapack::kSolve1: return solve_loop<T, true>;
    case Lapack::kDet: return det_loop<T>;
    case Lapack::kSlogdet: return slogdet_loop<T>;
    case Lapack::kCholeskyLower: return cholesky_loop<T, false>;
    case Lapack::kCholeskyUpper: return cholesky_loop<T, true>;
    default: return nullptr;
  }
}

// ---- Choosing and running -----------------------------------------------------------------------

constexpr const char* kNames[] = {"inv",        "solve",       "solve1",      "det",
                                  "slogdet",    "cholesky_lo", "cholesky_up", "qr_r_raw",
                                  "qr_reduced", "qr_complete", "svd",         "svd_f",
                                  "svd_s",      "eig",         "eigvals",     "eigh_lo",
                                  "eigh_up",    "eigvalsh_lo", "eigvalsh_up", "lstsq"};
constexpr size_t kCount = static_cast<size_t>(Lapack::kCount);
static_assert(std::size(kNames) == kCount);

// A loop of the host once it was found; `fn` is written last.
struct Slot {
  std::atomic<LoopFn> fn{nullptr};
  void* data = nullptr;
};

// The flags of floating-point arithmetic. C's functions save the state of the x87 unit too, which
// takes longer than a small determinant.
#if defined(__SSE2__)
inline void clear_flags() { _mm_setcsr(_mm_getcsr() & ~0x3fu); }
inline bool invalid_flag() { return _mm_getcsr() & 1u; }
#else
inline void clear_flags() { std::feclearexcept(FE_ALL_EXCEPT); }
inline bool invalid_flag() { return std::fetestexcept(FE_INVALID) != 0; }
#endif

}  // namespace

LapackLoop lapack_loop(Lapack which, bool complex) {
  static Slot slots[kCount][2];
  Slot& slot = slots[static_cast<size_t>(which)][complex];
  if (LoopFn fn = slot.fn.load(std::memory_order_acquire)) return {fn, slot.data};
  const char* name = kNames[static_cast<size_t>(which)];
  if (const Gufunc* g = find_gufunc(std::string("umath_linalg.") + name)) {
    for (const GufuncLoop& l : g->loops) {
      if (l.types[0] != (complex ? DType::kComplex128 : DType::kFloat64)) continue;
      slot.data = l.data;
      slot.fn.store(l.fn, std::memory_order_release);
      return {l.fn, l.data};
    }
  }
  LoopFn fn = complex ? built_in<std::complex<double>>(which) : built_in<double>(which);
  if (!fn)
    fail_with("NotImplementedError",
              cat("linalg: ", name, " needs a LAPACK provider, and no host has lent one"));
  return {fn, nullptr};
}

bool run_stacks(const LapackLoop& loop, std::initializer_list<StackOperand> operands, Dims stack,
                std::initializer_list<int64_t> core_dims, bool keep_flags) {
  const int nop = static_cast<int>(operands.size());
  const int outer = std::max(static_cast<int>(stack.size()) - 1, 0);
  int64_t strides[kMaxOperands][kMaxDims];
  char* args[kMaxOperands];
  intptr_t steps[kMaxOperands * 3];
  intptr_t n[8];
  n[0] = stack.empty() ? 1 : stack.back();
  int at = nop, k = 0;
  double work = static_cast<double>(product(stack));
  if (work == 0) return false;
  for (const StackOperand& o : operands) {
    const NDArrayObj* a = o.array;
    broadcast_strides(stack_of(a, o.core), {a->strides, static_cast<size_t>(a->ndim - o.core)},
                      stack, strides[k]);
    for (size_t d = 0; d < stack.size(); ++d) strides[k][d] *= a->isz();
    args[k] = a->bytes();
    steps[k] = stack.empty() ? 0 : strides[k][outer];
    for (int d = a->ndim - o.core; d < a->ndim; ++d) steps[at++] = a->strides[d] * a->isz();
    ++k;
  }
  k = 1;
  for (int64_t d : core_dims) {
    n[k++] = d;
    work *= static_cast<double>(std::max<int64_t>(d, 1));
  }
  LongWork long_work(static_cast<int64_t>(std::min(work, 1e15)));
  clear_flags();
  int64_t index[kMaxDims] = {};
  bool failed = false;
  while (true) {
    char* call[kMaxOperands];
    std::copy(args, args + nop, call);
    loop.fn(call, n, steps, loop.data);
    failed |= invalid_flag();
    int d = outer;
    while (d-- > 0) {
      const int64_t length = stack[static_cast<size_t>(d)];
      for (int i = 0; i < nop; ++i) args[i] += strides[i][d];
      if (++index[d] < length) break;
      for (int i = 0; i < nop; ++i) args[i] -= strides[i][d] * length;
      index[d] = 0;
    }
    if (d < 0) break;
  }
  if (!keep_flags) clear_flags();
  return failed;
}

LinalgTypes linalg_types(std::initializer_list<const NDArrayObj*> arrays) {
  LinalgTypes t;
  for (const NDArrayObj* a : arrays) {
    if (a->dt == DType::kFloat16) fail_type("array type float16 is unsupported in linalg");
    t.complex |= is_complex(a->dt);
    t.is_double |= real_dtype(a->dt) != DType::kFloat32;
  }
  return t;
}

void fail_linalg(const char* message) { fail_with("LinAlgError", message); }

void require_stacked(const NDArrayObj* a) {
  if (a->ndim < 2)
    fail_with("LinAlgError",
              cat(a->ndim, "-dimensional array given. Array must be at least two-dimensional"));
}
void require_square(const NDArrayObj* a) {
  require_stacked(a);
  if (a->shape[a->ndim - 1] != a->shape[a->ndim - 2])
    fail_linalg("Last 2 dimensions of the array must be square");
}
void require_matrix(const NDArrayObj* a) {
  if (a->ndim != 2)
    fail_with("LinAlgError",
              cat(a->ndim, "-dimensional array given. Array must be two-dimensional"));
}

NDArray matrix_transposed(const NDArrayObj* a) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  std::copy_n(a->shape, a->ndim, shape);
  std::copy_n(a->strides, a->ndim, strides);
  std::swap(shape[a->ndim - 1], shape[a->ndim - 2]);
  std::swap(strides[a->ndim - 1], strides[a->ndim - 2]);
  const size_t nd = static_cast<size_t>(a->ndim);
  return view(a, {shape, nd}, {strides, nd}, a->data);
}

}  // namespace isthmus
