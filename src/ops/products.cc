// ops/products.cc: matmul and its kin, dot, inner, and which kernel takes them.
// SPDX-License-Identifier: Apache-2.0
#include "ops/products.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/host.h"
#include "ops/ufunc.h"

namespace isthmus {

// ---- Choosing kernels ---------------------------------------------------------------------------
namespace {

// The host's loops of one gufunc by dtype. Filled when the host lends them, which is before the
// first large product.
struct HostLoops {
  LoopFn fn[kNumDTypes] = {};
  void* data[kNumDTypes] = {};
};

const HostLoops* find_loops(const char* name, std::atomic<const HostLoops*>* cache) {
  const HostLoops* loops = cache->load(std::memory_order_acquire);
  if (loops) return loops;
  const Gufunc* g = find_gufunc(name);
  if (!g) return nullptr;
  auto* made = new HostLoops;
  for (const GufuncLoop& l : g->loops) {
    if (l.types[0] != l.types[1] || l.types[0] != l.types[2]) continue;
    int at = static_cast<int>(l.types[0]);
    if (made->fn[at]) continue;
    made->fn[at] = l.fn;
    made->data[at] = l.data;
  }
  if (!cache->compare_exchange_strong(loops, made, std::memory_order_acq_rel)) {
    delete made;
    return loops;
  }
  return made;
}

const HostLoops* host_matmul() {
  static std::atomic<const HostLoops*> cache{nullptr};
  return find_loops("matmul", &cache);
}
const HostLoops* host_vecdot() {
  static std::atomic<const HostLoops*> cache{nullptr};
  return find_loops("vecdot", &cache);
}

constexpr bool has_blas(DType d) { return is_inexact(d) && d != DType::kFloat16; }

// Multiply-adds up to which the built-in kernels are faster than a call of BLAS; of float16, than
// the way through float32.
constexpr double small_product(DType d) {
  switch (d) {
    case DType::kFloat16: return 48;
    case DType::kFloat32: return 343;
    case DType::kFloat64: return 700;
    case DType::kComplex64: return 64;
    case DType::kComplex128: return 216;
    default: return 4096;  // there is only the built-in kernel; larger work lets other threads run
  }
}
constexpr int64_t kSmallVector = 32;

// Multiply-adds that take about as long as one element of element-wise work.
constexpr double kWorkRatio = 16;
int64_t work_of(double multiply_adds) {
  return static_cast<int64_t>(std::min(multiply_adds / kWorkRatio, 1e15));
}

// Whether BLAS takes a matrix of rows x cols with these strides, in either order.
bool blas_takes(int64_t rows, int64_t cols, int64_t row, int64_t col, int64_t isz) {
  auto ordered = [&](int64_t outer, int64_t inner, int64_t length) {
    return inner == isz && outer % isz == 0 && outer / isz >= length && outer / isz < INT32_MAX;
  };
  return ordered(row, col, cols) || ordered(col, row, rows);
}

// A contiguous copy of a strided matrix, possibly of another dtype.
NDArray pack(const char* data, int64_t rows, int64_t cols, int64_t row, int64_t col, DType from,
             DType to) {
  int64_t shape[2] = {rows, cols}, strides[2] = {row / itemsize(from), col / itemsize(from)};
  NDArray out = empty(shape, to);
  copy_strided(out->bytes(), out->strides, to, data, strides, from, shape);
  return out;
}

// float16 through float32, where BLAS is.
void multiply_halves(const MatrixProduct& p) {
  constexpr DType kHalf = DType::kFloat16, kSingle = DType::kFloat32;
  NDArray a = pack(p.a, p.n, p.k, p.a_row, p.a_col, kHalf, kSingle);
  NDArray b = pack(p.b, p.k, p.m, p.b_row, p.b_col, kHalf, kSingle);
  int64_t shape[2] = {p.n, p.m}, strides[2] = {p.c_row / 2, 1};
  NDArray c = empty(shape, kSingle);
  multiply_matrices(kSingle, {a->bytes(), b->bytes(), c->bytes(), p.n, p.k, p.m, 4 * p.k, 4,
                              4 * p.m, 4, 4 * p.m});
  copy_strided(p.c, strides, kHalf, c->bytes(), c->strides, kSingle, shape);
}

[[gnu::noinline]] void multiply_large(DType d, MatrixProduct p) {
  if (d == DType::kFloat16) return multiply_halves(p);
  const int64_t isz = itemsize(d);
  const HostLoops* host = has_blas(d) && p.k > 0 ? host_matmul() : nullptr;
  LoopFn fn = host ? host->fn[static_cast<int>(d)] : nullptr;
  LongWork long_work(
      work_of(static_cast<double>(p.n) * static_cast<double>(p.m) * static_cast<double>(p.k)));
  if (!fn) return product_kernel(d)(p);
  // Strides along dimensions of length one are free; these are the ones that BLAS understands.
  if (p.n == 1) p.a_row = p.a_col == isz ? p.k * isz : isz;
  if (p.k == 1) p.a_col = isz, p.b_row = p.m * isz;
  if (p.m == 1) p.b_col = p.b_row == isz ? p.k * isz : isz;
  NDArray a, b;
  if (!blas_takes(p.n, p.k, p.a_row, p.a_col, isz)) {
    a = pack(p.a, p.n, p.k, p.a_row, p.a_col, d, d);
    p.a = a->bytes(), p.a_row = p.k * isz, p.a_col = isz;
  }
  if (!blas_takes(p.k, p.m, p.b_row, p.b_col, isz)) {
    b = pack(p.b, p.k, p.m, p.b_row, p.b_col, d, d);
    p.b = b->bytes(), p.b_row = p.m * isz, p.b_col = isz;
  }
  char* args[3] = {const_cast<char*>(p.a), const_cast<char*>(p.b), p.c};
  const intptr_t n[4] = {1, p.n, p.k, p.m};
  const intptr_t strides[9] = {0, 0, 0, p.a_row, p.a_col, p.b_row, p.b_col, p.c_row, isz};
  fn(args, n, strides, host->data[static_cast<int>(d)]);
}

}  // namespace

void multiply_vectors(DType d, bool conjugate, const char* a, int64_t a_step, const char* b,
                      int64_t b_step, char* out, int64_t n) {
  conjugate &= is_complex(d);
  if (n > kSmallVector) {
    LongWork long_work(n);
    if (conjugate) {
      if (const HostLoops* host = host_vecdot(); host && host->fn[static_cast<int>(d)]) {
        char* args[3] = {const_cast<char*>(a), const_cast<char*>(b), out};
        const intptr_t count[2] = {1, n}, strides[5] = {0, 0, 0, a_step, b_step};
        return host->fn[static_cast<int>(d)](args, count, strides, host->data[static_cast<int>(d)]);
      }
    } else if (has_blas(d) && dot_kernel(d).fn) {
      return dot_kernel(d).fn(const_cast<char*>(a), a_step, const_cast<char*>(b), b_step, out, n,
                              dot_kernel(d).descr);
    }
    return vector_product_kernel(d, conjugate)(a, a_step, b, b_step, out, n);
  }
  vector_product_kernel(d, conjugate)(a, a_step, b, b_step, out, n);
}

void multiply_matrices(DType d, const MatrixProduct& p) {
  const double work =
      static_cast<double>(p.n) * static_cast<double>(p.k) * static_cast<double>(p.m);
  if (work <= small_product(d)) return product_kernel(d)(p);
  if (p.n == 1 && p.m == 1) return multiply_vectors(d, false, p.a, p.a_col, p.b, p.b_row, p.c, p.k);
  multiply_large(d, p);
}

void multiply_stacks(DType d, MatrixProduct p, Dims shape, const int64_t* a_strides,
                     const int64_t* b_strides, const int64_t* c_strides) {
  int nd = static_cast<int>(shape.size());
  // A stack of a times one b is one tall a times b, when the rows of a and of c go on from one to
  // the next.
  while (nd > 0 && b_strides[nd - 1] == 0 && a_strides[nd - 1] == p.n * p.a_row &&
         c_strides[nd - 1] == p.n * p.c_row) {
    p.n *= shape[static_cast<size_t>(--nd)];
  }
  if (nd == 0) return multiply_matrices(d, p);
  int64_t count = product(shape.first(static_cast<size_t>(nd)));
  LongWork long_work(work_of(static_cast<double>(p.n) * static_cast<double>(p.k) *
                             static_cast<double>(p.m) * static_cast<double>(count)));
  int64_t index[kMaxDims];
  std::fill_n(index, nd, 0);
  for (; count > 0; --count) {
    multiply_matrices(d, p);
    for (int i = nd; i-- > 0;) {
      p.a += a_strides[i];
      p.b += b_strides[i];
      p.c += c_strides[i];
      int64_t length = shape[static_cast<size_t>(i)];
      if (++index[i] < length) break;
      p.a -= a_strides[i] * length;
      p.b -= b_strides[i] * length;
      p.c -= c_strides[i] * length;
      index[i] = 0;
    }
  }
}

// ---- matmul, vecdot, matvec, vecmat -------------------------------------------------------------
namespace {

// What tells the four generalised products apart. Dimensions beyond the core ones are stacks and
// broadcast.
struct Form {
  const char* name;
  const char* signature;
  int a_core, b_core;  // number of core dimensions; 0 for matmul: two, or one for a vector
  bool conjugate;      // of x1
};
constexpr Form kMatmul = {"matmul", "(n?,k),(k,m?)->(n?,m?)", 0, 0, false};
constexpr Form kVecdot = {"vecdot", "(n),(n)->()", 1, 1, true};
constexpr Form kMatvec = {"matvec", "(m,n),(n)->(m)", 2, 1, false};
constexpr Form kVecmat = {"vecmat", "(n),(n,m)->(m)", 1, 2, true};

[[gnu::cold]] void fail_core_ndim(const Form& form, int operand, int has, int needs) {
  fail_value(form.name, ": Input operand ", operand, " does not have enough dimensions (has ", has,
             ", gufunc core with signature ", form.signature, " requires ", needs, ")");
}
[[gnu::cold]] void fail_core_size(const Form& form, const char* which, int operand, int dim,
                                  int64_t size, int64_t expected) {
  fail_value(form.name, ": ", which, " operand ", operand, " has a mismatch in its core dimension ",
             dim, ", with gufunc signature ", form.signature, " (size ", size,
             " is different from ", expected, ")");
}
[[gnu::cold]] void fail_cast(const Form& form, const char* what, DType from, DType to,
                             Casting casting) {
  fail_type("Cannot cast ufunc '", form.name, "' ", what, " from dtype('", name(from),
            "') to dtype('", name(to), "') with casting rule '", casting_name(casting), "'");
}

// Core dimensions of the operands of one generalised product.
struct Cores {
  int a, b;  // core dimensions of each
  int64_t n, k, m;
  int c() const { return a + b - 2; }
};

Cores cores_of(const Form& form, const NDArrayObj* a, const NDArrayObj* b) {
  Cores s;
  s.a = form.a_core ? form.a_core : std::min(a->ndim, 2);
  s.b = form.b_core ? form.b_core : std::min(b->ndim, 2);
  if (a->ndim < std::max(s.a, 1)) fail_core_ndim(form, 0, a->ndim, std::max(s.a, 1));
  if (b->ndim < std::max(s.b, 1)) fail_core_ndim(form, 1, b->ndim, std::max(s.b, 1));
  s.k = a->shape[a->ndim - 1];
  s.n = s.a == 2 ? a->shape[a->ndim - 2] : 1;
  s.m = s.b == 2 ? b->shape[b->ndim - 1] : 1;
  int64_t bk = b->shape[b->ndim - s.b];
  if (bk != s.k) fail_core_size(form, "Input", 1, 0, bk, s.k);
  return s;
}

// The first product of the operands' stacks.
MatrixProduct first_product(const Cores& s, const NDArrayObj* a, const NDArrayObj* b,
                            const NDArrayObj* c) {
  const int64_t isz = a->isz();
  MatrixProduct p;
  p.a = a->bytes();
  p.b = b->bytes();
  p.c = c->bytes();
  p.n = s.n;
  p.k = s.k;
  p.m = s.m;
  p.a_col = a->strides[a->ndim - 1] * isz;
  p.a_row = s.a == 2 ? a->strides[a->ndim - 2] * isz : s.k * isz;
  p.b_row = b->strides[b->ndim - s.b] * isz;
  p.b_col = s.b == 2 ? b->strides[b->ndim - 1] * isz : isz;
  p.c_row = s.m * isz;
  return p;
}

void byte_strides(const NDArrayObj* a, int core, Dims stack, int64_t* out) {
  size_t nd = static_cast<size_t>(a->ndim - core);
  broadcast_strides({a->shape, nd}, {a->strides, nd}, stack, out);
  for (size_t i = 0; i < stack.size(); ++i) out[i] *= a->isz();
}

// Two arrays of one dtype into a C-contiguous result of that dtype.
void multiply_into(const Form& form, const Cores& s, const NDArrayObj* a, const NDArrayObj* b,
                   const NDArrayObj* c, Dims stack) {
  if (c->size == 0) return;
  int64_t strides[3][kMaxDims];
  byte_strides(a, s.a, stack, strides[0]);
  byte_strides(b, s.b, stack, strides[1]);
  byte_strides(c, s.c(), stack, strides[2]);
  MatrixProduct p = first_product(s, a, b, c);
  if (!form.conjugate || !is_complex(a->dt))
    return multiply_stacks(a->dt, p, stack, strides[0], strides[1], strides[2]);
  if (s.m != 1 || s.b == 2) {
    static const Ufunc& conjugate = ufunc("conjugate");
    NDArray turned = call_unary(conjugate, any_of(a));
    byte_strides(turned.get(), s.a, stack, strides[0]);
    return multiply_stacks(a->dt, first_product(s, turned.get(), b, c), stack, strides[0],
                           strides[1], strides[2]);
  }
  int64_t index[kMaxDims] = {};
  for (int64_t i = c->size; i > 0; --i) {
    multiply_vectors(a->dt, true, p.a, p.a_col, p.b, p.b_row, p.c, p.k);
    for (size_t d = stack.size(); d-- > 0;) {
      p.a += strides[0][d], p.b += strides[1][d], p.c += strides[2][d];
      if (++index[d] < stack[d]) break;
      p.a -= strides[0][d] * stack[d], p.b -= strides[1][d] * stack[d],
          p.c -= strides[2][d] * stack[d];
      index[d] = 0;
    }
  }
}

struct ProductCall {
  NDArrayObj* out = nullptr;
  const DType* dtype = nullptr;
  Casting casting = Casting::kSameKind;
};

NDArray general_product(const Form& form, NDArrayObj* a, NDArrayObj* b, const ProductCall& call) {
  const Cores s = cores_of(form, a, b);
  const DType d = call.dtype ? *call.dtype : promote_types(a->dt, b->dt);
  if (!can_cast(a->dt, d, call.casting)) fail_cast(form, "input 0", a->dt, d, call.casting);
  if (!can_cast(b->dt, d, call.casting)) fail_cast(form, "input 1", b->dt, d, call.casting);

  NDArrayObj* out = call.out;
  Dims a_stack{a->shape, static_cast<size_t>(a->ndim - s.a)},
      b_stack{b->shape, static_cast<size_t>(b->ndim - s.b)};
  ShapeBuf shape;
  bool fits = broadcast_into(&shape, a_stack) && broadcast_into(&shape, b_stack);
  if (out) {
    if (out->ndim < s.c()) {
      fail_value(form.name, ": Output operand 0 does not have enough dimensions (has ", out->ndim,
                 ", gufunc core with signature ", form.signature, " requires ", s.c(), ")");
    }
    const int64_t* core = out->shape + (out->ndim - s.c());
    if (s.a == 2 && core[0] != s.n) fail_core_size(form, "Output", 0, 0, core[0], s.n);
    if (s.b == 2 && core[s.c() - 1] != s.m)
      fail_core_size(form, "Output", 0, s.c() - 1, core[s.c() - 1], s.m);
    fits &= broadcast_into(&shape, {out->shape, static_cast<size_t>(out->ndim - s.c())});
  }
  if (!fits) {
    fail_value(form.name, ": operands could not be broadcast together with shapes ",
               shape_str(a->shape, a->ndim), " ", shape_str(b->shape, b->ndim), out ? " " : "",
               out ? shape_str(out->shape, out->ndim) : "");
  }
  const ShapeBuf stack = shape;
  if (shape.ndim + s.c() > kMaxDims) fail_value(form.name, ": too many dimensions");
  if (s.a == 2) shape.push(s.n);
  if (s.b == 2) shape.push(s.m);
  if (out) {
    if (!same_dims(out->dims(), shape)) {
      fail_value("non-broadcastable output operand with shape ", shape_str(out->shape, out->ndim),
                 " doesn't match the broadcast shape ", shape_str(shape.dims, shape.ndim));
    }
    require_writeable(out, "output array");
    if (!can_cast(d, out->dt, call.casting)) fail_cast(form, "output", d, out->dt, call.casting);
  }
  bool direct =
      out && out->dt == d && out->c_contiguous() && !may_overlap(out, a) && !may_overlap(out, b);
  Converted x1(a, d), x2(b, d);
  NDArray c = direct ? NDArray::share(out) : empty(shape, d);
  multiply_into(form, s, x1.get(), x2.get(), c.get(), stack);
  if (!out || direct) return c;
  assign(out, c.get());
  return NDArray::share(out);
}

// (x1, x2, out, axes, axis, keepdims, casting, order, dtype, subok, signature)
void product_body(Frame& f, const Form& form) {
  if (!f.is_none(3) || !f.is_none(4) || f.boolean(5) || !f.is_none(10))
    fail_fallback("axes, axis, keepdims and signature");
  ProductCall call;
  call.out = f.out(2);
  if (!casting_from_name(f.str(6), &call.casting)) {
    fail_value("casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '",
               f.str(6), "')");
  }
  DType d = f.dtype(8, DType::kFloat64);
  if (!f.is_none(8)) call.dtype = &d;
  f.ret(general_product(form, f.array(0), f.array(1), call));
}

}  // namespace

NDArray matmul(const TVMFFIAny& x1, const TVMFFIAny& x2) {
  if (x1.type_index == kTVMFFITensor && x2.type_index == kTVMFFITensor) {
    NDArrayObj *a = as_ndarray(x1), *b = as_ndarray(x2);
    if (a->dt == b->dt && a->ndim <= 2 && b->ndim <= 2) {
      const Cores s = cores_of(kMatmul, a, b);
      int64_t shape[2];
      size_t nd = 0;
      if (s.a == 2) shape[nd++] = s.n;
      if (s.b == 2) shape[nd++] = s.m;
      NDArray c = empty({shape, nd}, a->dt);
      if (c->size != 0) multiply_matrices(a->dt, first_product(s, a, b, c.get()));
      return c;
    }
    return general_product(kMatmul, a, b, {});
  }
  fail_core_ndim(kMatmul, x1.type_index == kTVMFFITensor ? 1 : 0, 0, 1);
  return {};
}

NDArray vecdot(NDArrayObj* x1, NDArrayObj* x2) { return general_product(kVecdot, x1, x2, {}); }

// ---- dot, inner ---------------------------------------------------------------------------------
namespace {

[[gnu::cold]] void fail_aligned(const NDArrayObj* a, int a_axis, const NDArrayObj* b, int b_axis) {
  auto text = [](const NDArrayObj* x) {
    std::string s = "(";
    for (int d = 0; d < x->ndim; ++d) s += cat(d ? "," : "", x->shape[d]);
    return s + (x->ndim == 1 ? ",)" : ")");
  };
  fail_value("shapes ", text(a), " and ", text(b), " not aligned: ", a->shape[a_axis], " (dim ",
             a_axis, ") != ", b->shape[b_axis], " (dim ", b_axis, ")");
}

// The dimensions of `a` but its last one, as rows at equal distances: their number and distance in
// bytes. When the strides do not allow it *a becomes a copy.
void as_rows(Converted* a, int64_t* rows, int64_t* step) {
  NDArrayObj* x = a->get();
  size_t lead = static_cast<size_t>(x->ndim - 1);
  *rows = product({x->shape, lead});
  if (!reshape_strides({x->shape, lead}, {x->strides, lead}, {rows, 1}, step)) {
    a->replace(copy(x));
    *step = a->get()->strides[x->ndim - 2];
  }
  *step *= x->isz();
}

// The result of dot and its kin: `out` when it is what the result would be, else a ValueError; a
// new array without.
NDArray result_array(const ShapeBuf& shape, DType d, NDArrayObj* out) {
  if (!out) return empty(shape, d);
  if (out->dt != d || out->ndim != shape.ndim || !out->c_contiguous()) {
    fail_value(
        "output array is not acceptable (must have the right datatype, number of dimensions, and "
        "be a C-Array)");
  }
  if (!same_dims(out->dims(), shape)) {
    fail_value("output array has wrong dimensions: ", shape_str(out->shape, out->ndim),
               ", expected ", shape_str(shape.dims, shape.ndim));
  }
  require_writeable(out, "output array");
  return NDArray::share(out);
}

NDArray finish(NDArray c, NDArrayObj* out) {
  if (!out || c.get() == out) return c;
  assign(out, c.get());
  return NDArray::share(out);
}

}  // namespace

NDArray dot(NDArrayObj* a, NDArrayObj* b, NDArrayObj* out) {
  const DType d = promote_types(a->dt, b->dt);
  if (a->ndim == 0 || b->ndim == 0) {
    ShapeBuf shape;
    for (int64_t n : a->ndim ? a->dims() : b->dims()) shape.push(n);
    if (out) result_array(shape, d, out);
    TVMFFIAny in[2] = {any_of(a), any_of(b)};
    UfuncCall call;
    call.out[0] = out;
    static const Ufunc& multiply = ufunc("multiply");
    NDArray c;
    call_ufunc(multiply, in, call, &c);
    return c;
  }
  const int b_axis = std::max(b->ndim - 2, 0);
  const int64_t k = a->shape[a->ndim - 1];
  if (b->shape[b_axis] != k) fail_aligned(a, a->ndim - 1, b, b_axis);
  Converted x(a, d), y(b, d);
  const int64_t isz = itemsize(d);
  ShapeBuf shape, stack;
  if (a->ndim + b->ndim - 2 > kMaxDims) fail_value("dot: too many dimensions");
  for (int i = 0; i + 1 < a->ndim; ++i) shape.push(a->shape[i]);
  for (int i = 0; i < b->ndim; ++i) {
    if (i != b_axis) shape.push(b->shape[i]);
    if (i + 2 < b->ndim) stack.push(b->shape[i]);
  }
  NDArray c = result_array(shape, d, out);
  if (out && (may_overlap(out, a) || may_overlap(out, b))) c = empty(shape, d);
  if (c->size == 0) return finish(std::move(c), out);
  if (a->ndim == 1 && b->ndim == 1) {
    multiply_vectors(d, false, x->bytes(), x->strides[0] * isz, y->bytes(), y->strides[0] * isz,
                     c->bytes(), k);
    return finish(std::move(c), out);
  }
  MatrixProduct p;
  as_rows(&x, &p.n, &p.a_row);
  p.a = x->bytes();
  p.a_col = x->strides[x->ndim - 1] * isz;
  p.b = y->bytes();
  p.k = k;
  p.m = b->ndim > 1 ? b->shape[b->ndim - 1] : 1;
  p.b_row = y->strides[b_axis] * isz;
  p.b_col = b->ndim > 1 ? y->strides[b->ndim - 1] * isz : isz;
  p.c = c->bytes();
  p.c_row = p.m * isz * product(stack);
  int64_t strides[3][kMaxDims], step = p.m * isz;
  for (int i = stack.ndim; i-- > 0;) {
    strides[0][i] = 0;
    strides[1][i] = y->strides[i] * isz;
    strides[2][i] = step;
    step *= stack[i];
  }
  multiply_stacks(d, p, stack, strides[0], strides[1], strides[2]);
  return finish(std::move(c), out);
}

namespace {

void dot_body(Frame& f) { f.ret(dot(f.array(0), f.array(1), f.out(2))); }

NDArray inner(NDArrayObj* a, NDArrayObj* b) {
  if (a->ndim == 0 || b->ndim == 0 || (a->ndim == 1 && b->ndim == 1)) return dot(a, b);
  const int64_t k = a->shape[a->ndim - 1];
  if (b->shape[b->ndim - 1] != k) fail_aligned(a, a->ndim - 1, b, b->ndim - 1);
  const DType d = promote_types(a->dt, b->dt);
  Converted x(a, d), y(b, d);
  const int64_t isz = itemsize(d);
  ShapeBuf shape;
  if (a->ndim + b->ndim - 2 > kMaxDims) fail_value("inner: too many dimensions");
  for (int i = 0; i + 1 < a->ndim; ++i) shape.push(a->shape[i]);
  for (int i = 0; i + 1 < b->ndim; ++i) shape.push(b->shape[i]);
  NDArray c = empty(shape, d);
  if (c->size == 0) return c;
  MatrixProduct p;
  p.k = k;
  as_rows(&x, &p.n, &p.a_row);
  as_rows(&y, &p.m, &p.b_col);
  p.a = x->bytes();
  p.b = y->bytes();
  p.c = c->bytes();
  p.a_col = x->strides[x->ndim - 1] * isz;
  p.b_row = y->strides[y->ndim - 1] * isz;
  p.c_row = p.m * isz;
  multiply_matrices(d, p);
  return c;
}

}  // namespace

void register_products(Registry& r) {
  constexpr const char* kProduct =
      "(x1: Array, x2: Array, /, out: Out = None, *, axes: Any = None, axis: Any = None, keepdims: "
      "bool = False, "
      "casting: str = 'same_kind', order: str = 'K', dtype: DType = None, subok: bool = True, "
      "signature: Any = None)";
  r.def({.name = "matmul",
         .signature = kProduct,
         .doc = "Matrix product, the @ operator. A vector is a row on the left and a column on the "
                "right; dimensions before the last "
                "two are stacks of matrices, which broadcast.",
         .body =
             [](Frame& f) {
               bool plain = f.is_none(2) && f.is_none(3) && f.is_none(4) && !f.boolean(5) &&
                            f.is_none(8) && f.is_none(10) && f.str(6) == "same_kind";
               if (plain) f.ret(matmul(f.args[0], f.args[1]));
               else product_body(f, kMatmul);
             },
         .checks_fp = true});
  r.def({.name = "vecdot",
         .signature = kProduct,
         .doc = "Sum of products along the last dimension, with the complex conjugate of x1; the "
                "other dimensions broadcast.",
         .body = [](Frame& f) { product_body(f, kVecdot); },
         .checks_fp = true});
  r.def({.name = "matvec",
         .signature = kProduct,
         .doc = "Products of matrices and column vectors; stacks of either broadcast.",
         .body = [](Frame& f) { product_body(f, kMatvec); },
         .checks_fp = true});
  r.def(
      {.name = "vecmat",
       .signature = kProduct,
       .doc =
           "Products of row vectors, complex conjugated, and matrices; stacks of either broadcast.",
       .body = [](Frame& f) { product_body(f, kVecmat); },
       .checks_fp = true});
  r.def({.name = "dot",
         .signature = "(a: Array, b: Array, out: Out = None)",
         .doc = "Sum of products over the last dimension of a and the last but one of b (its only "
                "one for a vector). No stacks "
                "broadcast: the result has all other dimensions of a, then those of b.",
         .body = dot_body,
         .checks_fp = true});
  r.def({.name = "inner",
         .signature = "(a: Array, b: Array, /)",
         .doc = "Sum of products over the last dimensions of both arrays.",
         .body = [](Frame& f) { f.ret(inner(f.array(0), f.array(1))); },
         .checks_fp = true});
}

}  // namespace isthmus
