// ops/closeness.cc: whether elements, and whole arrays, are equal or nearly so.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>

#include "engine/engine.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/ufunc.h"

namespace isthmus {
namespace {

struct Used {
  const Ufunc &absolute = ufunc("absolute"), &add = ufunc("add"),
              &bitwise_and = ufunc("bitwise_and"), &bitwise_or = ufunc("bitwise_or"),
              &equal = ufunc("equal"), &isfinite = ufunc("isfinite"), &isnan = ufunc("isnan"),
              &less_equal = ufunc("less_equal"), &multiply = ufunc("multiply"),
              &subtract = ufunc("subtract");
};
const Used& used() {
  static const Used u;
  return u;
}

struct Tolerance {
  double relative, absolute;
};

// |x - y| <= absolute + relative * |y| in the order of operations of NumPy.
template <class T, bool kEqualNan>
struct IsClose {
  T relative, absolute;
  bool operator()(T x, T y) const {
    // Bitwise, so that there are no branches to guess.
    bool near = (std::fabs(x - y) <= absolute + relative * std::fabs(y)) &
                (std::fabs(y) < std::numeric_limits<T>::infinity());
    near |= x == y;
    if constexpr (kEqualNan) near |= (x != x) & (y != y);
    return near;
  }
};
template <class T, bool kEqualNan>
void isclose_loop(char** args, const intptr_t* n, const intptr_t* s, void* data) {
  auto* t = static_cast<const Tolerance*>(data);
  IsClose<T, kEqualNan> close{static_cast<T>(t->relative), static_cast<T>(t->absolute)};
  const char *x = args[0], *y = args[1];
  char* out = args[2];
  constexpr intptr_t kSize = sizeof(T);
  if (s[0] == kSize && (s[1] == kSize || s[1] == 0) && s[2] == 1) {
    // Through integers as wide as the floats: compilers have no vectors from doubles straight to
    // bytes.
    constexpr intptr_t kBlock = 64;
    std::conditional_t<sizeof(T) == 8, int64_t, int32_t> wide[kBlock];
    auto* xs = reinterpret_cast<const T*>(x);
    auto* ys = reinterpret_cast<const T*>(y);
    auto* to = reinterpret_cast<uint8_t*>(out);
    const T fixed = *ys;
    for (intptr_t i = 0; i < *n; i += kBlock) {
      const intptr_t m = std::min(kBlock, *n - i);
      if (s[1] == 0) {
        for (intptr_t k = 0; k < m; ++k) wide[k] = close(xs[i + k], fixed);
      } else {
        for (intptr_t k = 0; k < m; ++k) wide[k] = close(xs[i + k], ys[i + k]);
      }
      for (intptr_t k = 0; k < m; ++k) to[i + k] = static_cast<uint8_t>(wide[k]);
    }
    return;
  }
  for (intptr_t i = 0; i < *n; ++i, x += s[0], y += s[1], out += s[2])
    *reinterpret_cast<bool*>(out) =
        close(*reinterpret_cast<const T*>(x), *reinterpret_cast<const T*>(y));
}

// The steps of NumPy on arrays, for tolerances from arrays and for complex or mixed dtypes.
NDArray isclose_by_steps(const TVMFFIAny& x, const TVMFFIAny& y, const TVMFFIAny& rtol,
                         const TVMFFIAny& atol, bool equal_nan) {
  const Used& u = used();
  auto any = [](const NDArray& a) { return any_of(a.get()); };
  NDArray finite = call_unary(u.isfinite, rtol), finite2 = call_unary(u.isfinite, atol);
  for (const NDArray& t : {finite, finite2}) {
    NDArray c = ascontiguous(t.get());
    for (int64_t i = 0; i < c->size; ++i)
      if (!static_cast<const bool*>(c->data)[i]) fail_fallback("tolerances that are not finite");
  }
  NDArray size = call_unary(u.absolute, y);
  NDArray margin = call_binary(u.multiply, rtol, any(size));
  margin = call_binary(u.add, atol, any(margin));
  NDArray distance = call_binary(u.subtract, x, y);
  distance = call_unary(u.absolute, any(distance));
  NDArray near = call_binary(u.less_equal, any(distance), any(margin));
  NDArray ok = call_unary(u.isfinite, y);
  near = call_binary(u.bitwise_and, any(near), any(ok));
  NDArray same = call_binary(u.equal, x, y);
  near = call_binary(u.bitwise_or, any(near), any(same));
  if (equal_nan) {
    NDArray nx = call_unary(u.isnan, x), ny = call_unary(u.isnan, y);
    nx = call_binary(u.bitwise_and, any(nx), any(ny));
    near = call_binary(u.bitwise_or, any(near), any(nx));
  }
  std::feclearexcept(FE_INVALID);
  return near;
}

NDArray isclose(Frame& f) {
  bool equal_nan = f.boolean(4);
  TVMFFIAny y = f.args[1];
  // y is inexact, so that abs() of the lowest integer is right.
  if (y.type_index == kTVMFFITensor) {
    DType d = promote_weak(as_ndarray(y)->dt, WeakKind::kFloat);
    if (d != as_ndarray(y)->dt) y = any_of(f.hold(as_dtype_keep_order(as_ndarray(y), d)));
  } else if (y.type_index == kTVMFFIInt || y.type_index == kTVMFFIBool) {
    y = any_of(static_cast<double>(y.v_int64));
  }
  WeakKind wr, wa;
  bool fixed = is_weak(f.args[2], &wr) && is_weak(f.args[3], &wa) && wr != WeakKind::kComplex &&
               wa != WeakKind::kComplex;
  TVMFFIAny pair[2] = {f.args[0], y};
  DType d = result_type(pair);
  bool plain = fixed && (d == DType::kFloat64 || d == DType::kFloat32) &&
               (y.type_index != kTVMFFITensor || as_ndarray(y)->dt == d);
  if (!plain) {
    TVMFFIAny rtol = f.args[2], atol = f.args[3];
    return isclose_by_steps(f.args[0], y, rtol, atol, equal_nan);
  }
  auto real = [](const TVMFFIAny& v) {
    return v.type_index == kTVMFFIFloat ? v.v_float64 : static_cast<double>(v.v_int64);
  };
  Tolerance t{real(f.args[2]), real(f.args[3])};
  if (!std::isfinite(t.relative) || !std::isfinite(t.absolute))
    fail_fallback("tolerances that are not finite");
  auto operand = [&](const TVMFFIAny& v) {
    return v.type_index == kTVMFFITensor ? as_dtype_keep_order(as_ndarray(v), d)
                                         : any_to_array(v, d);
  };
  NDArray xs[2] = {operand(f.args[0]), operand(y)};
  ShapeBuf shape;
  if (!broadcast_into(&shape, xs[0]->dims()) || !broadcast_into(&shape, xs[1]->dims())) {
    fail_value("operands could not be broadcast together with shapes ",
               shape_str(xs[0]->shape, xs[0]->ndim), " ", shape_str(xs[1]->shape, xs[1]->ndim));
  }
  NDArray out = empty_result({xs[0].get(), xs[1].get()}, shape, DType::kBool);
  LoopFn fn = d == DType::kFloat64
                  ? (equal_nan ? isclose_loop<double, true> : isclose_loop<double, false>)
                  : (equal_nan ? isclose_loop<float, true> : isclose_loop<float, false>);
  LoopOperand ops[3];
  int64_t strides[2][kMaxDims];
  for (int k = 0; k < 2; ++k) {
    broadcast_strides(xs[k]->dims(), xs[k]->elem_strides(), shape, strides[k]);
    ops[k] = {xs[k]->bytes(), strides[k], d, d};
  }
  ops[2] = {out->bytes(), out->strides, DType::kBool, DType::kBool};
  run_loop({fn, &t}, 2, 3, ops, shape);
  std::feclearexcept(FE_INVALID);
  return out;
}
bool all_true(const NDArray& bools) {
  NDArray c = ascontiguous(bools.get());
  return c->size == 0 || !std::memchr(c->data, 0, static_cast<size_t>(c->size));
}
void body_isclose(Frame& f) { f.ret(isclose(f)); }
void body_allclose(Frame& f) { f.ret_bool(all_true(isclose(f))); }

bool all_equal(NDArrayObj* a, NDArrayObj* b) {
  if (a->dt == b->dt && a->c_contiguous() && b->c_contiguous() && same_dims(a->dims(), b->dims())) {
    LongWork long_work(a->size);
    if (!is_inexact(a->dt)) return a->size == 0 || std::memcmp(a->data, b->data, a->nbytes()) == 0;
    // A block at a time: the first that differs ends the comparison.
    const UfuncLoop* loop = used().equal.exact(a->dt, a->dt);
    constexpr int64_t kBlock = 4096;
    bool same[kBlock];
    for (int64_t i = 0; i < a->size; i += kBlock) {
      intptr_t n = std::min(kBlock, a->size - i), strides[3] = {a->isz(), a->isz(), 1};
      char* args[3] = {a->bytes() + i * a->isz(), b->bytes() + i * a->isz(),
                       reinterpret_cast<char*>(same)};
      loop->fn(args, &n, strides, loop->data);
      if (std::memchr(same, 0, static_cast<size_t>(n))) return false;
    }
    return true;
  }
  return all_true(call_binary(used().equal, any_of(a), any_of(b)));
}
void body_array_equal(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  if (!same_dims(a->dims(), b->dims())) return f.ret_bool(false);
  if (!f.boolean(2) || !(is_inexact(a->dt) || is_inexact(b->dt)))
    return f.ret_bool(all_equal(a, b));
  const Used& u = used();
  NDArray same = call_binary(u.equal, any_of(a), any_of(b));
  NDArray na = call_unary(u.isnan, any_of(a)), nb = call_unary(u.isnan, any_of(b));
  na = call_binary(u.bitwise_and, any_of(na.get()), any_of(nb.get()));
  f.ret_bool(all_true(call_binary(u.bitwise_or, any_of(same.get()), any_of(na.get()))));
}
void body_array_equiv(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  ShapeBuf shape;
  if (!broadcast_into(&shape, a->dims()) || !broadcast_into(&shape, b->dims()))
    return f.ret_bool(false);
  f.ret_bool(all_true(call_binary(used().equal, any_of(a), any_of(b))));
}

constexpr const char* kCloseSignature =
    "(a: Array, b: Array, rtol: Array = 1e-05, atol: Array = 1e-08, equal_nan: bool = False)";
constexpr const char* kAllCloseSignature =
    "(a: Array, b: Array, rtol: Array = 1e-05, atol: Array = 1e-08, equal_nan: bool = False) -> "
    "bool";

}  // namespace

void register_closeness(Registry& r) {
  r.def({.name = "isclose",
         .signature = kCloseSignature,
         .doc = "Whether |a - b| <= atol + rtol * |b| for each pair of elements.",
         .body = body_isclose,
         .checks_fp = true});
  r.def({.name = "allclose",
         .signature = kAllCloseSignature,
         .doc = "Whether |a - b| <= atol + rtol * |b| for all pairs of elements.",
         .body = body_allclose,
         .checks_fp = true});
  r.def({.name = "array_equal",
         .signature = "(a1: Array, a2: Array, equal_nan: bool = False) -> bool",
         .doc = "Whether two arrays have the same shape and equal elements.",
         .body = body_array_equal});
  r.def({.name = "array_equiv",
         .signature = "(a1: Array, a2: Array) -> bool",
         .doc = "Whether two arrays broadcast together and have equal elements then.",
         .body = body_array_equiv});
}

}  // namespace isthmus
