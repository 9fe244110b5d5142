// ops/elementwise.cc: element-wise functions that are no ufuncs: clip and round, NaN and infinity,
// the parts of complex numbers.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"

namespace isthmus {
namespace {

struct Used {
  const Ufunc &arctan2 = ufunc("arctan2"), &divide = ufunc("divide"), &equal = ufunc("equal"),
              &maximum = ufunc("maximum"), &minimum = ufunc("minimum"),
              &multiply = ufunc("multiply"), &not_equal = ufunc("not_equal"),
              &positive = ufunc("positive"), &rint = ufunc("rint"), &sin = ufunc("sin"),
              &trunc = ufunc("trunc");
};
const Used& used() {
  static const Used u;
  return u;
}

NDArray run_unary(const Ufunc& u, const TVMFFIAny& x, NDArrayObj* out) {
  if (!out) return call_unary(u, x);
  UfuncCall call;
  call.out[0] = out;
  NDArray result;
  call_ufunc(u, &x, call, &result);
  return result;
}
NDArray run_binary(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2, NDArrayObj* out) {
  if (!out) return call_binary(u, x1, x2);
  call_binary_out(u, x1, x2, out);
  return NDArray::share(out);
}

// ---- clip
// -------------------------------------------------------------------------------------------- Of
// equal floats (zeros of either sign) fixed bounds keep the element and bounds from arrays replace
// it, as in NumPy.
template <bool kKeep, class T>
inline T clip_one(T x, T low, T high) {
  if constexpr (is_complex_v<T>) {
    auto before = [](T a, T b) {
      return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
    };
    auto nan = [](T a) { return a.real() != a.real() || a.imag() != a.imag(); };
    T v = nan(x) || before(low, x) ? x : low;
    return nan(v) || before(v, high) ? v : high;
  } else if constexpr (std::is_floating_point_v<T>) {
    // Written so that it becomes minimum and maximum instructions; fixed bounds are no NaN here.
    if constexpr (kKeep) {
      T v = low > x ? low : x;
      return high < v ? high : v;
    } else {
      T v = x > low ? x : low;
      v = x != x ? x : v;
      T w = v < high ? v : high;
      return v != v ? v : w;
    }
  } else {
    T v = x < low ? low : x;
    return v > high ? high : v;
  }
}

template <class T>
void clip_loop(char** args, const intptr_t* n_, const intptr_t* strides, void*) {
  const intptr_t n = *n_, sx = strides[0], sl = strides[1], sh = strides[2], so = strides[3];
  const char *x = args[0], *low = args[1], *high = args[2];
  char* out = args[3];
  constexpr intptr_t kSize = sizeof(T);
  auto load = [](const char* p) { return widen(*reinterpret_cast<const T*>(p)); };
  if (sl == 0 && sh == 0) {
    const auto lo = load(low), hi = load(high);
    if (lo != lo || hi != hi) {
      for (intptr_t i = 0; i < n; ++i, x += sx, out += so)
        *reinterpret_cast<T*>(out) = narrow<T>(clip_one<false>(load(x), lo, hi));
      return;
    }
    if (sx == kSize && so == kSize) {
      auto* in = reinterpret_cast<const T*>(x);
      auto* to = reinterpret_cast<T*>(out);
      for (intptr_t i = 0; i < n; ++i) to[i] = narrow<T>(clip_one<true>(widen(in[i]), lo, hi));
      return;
    }
    for (intptr_t i = 0; i < n; ++i, x += sx, out += so)
      *reinterpret_cast<T*>(out) = narrow<T>(clip_one<true>(load(x), lo, hi));
    return;
  }
  if (sx == kSize && sl == kSize && sh == kSize && so == kSize) {
    auto *in = reinterpret_cast<const T*>(x), *lo = reinterpret_cast<const T*>(low),
         *hi = reinterpret_cast<const T*>(high);
    auto* to = reinterpret_cast<T*>(out);
    for (intptr_t i = 0; i < n; ++i)
      to[i] = narrow<T>(clip_one<false>(widen(in[i]), widen(lo[i]), widen(hi[i])));
    return;
  }
  for (intptr_t i = 0; i < n; ++i, x += sx, low += sl, high += sh, out += so)
    *reinterpret_cast<T*>(out) = narrow<T>(clip_one<false>(load(x), load(low), load(high)));
}

LoopFn clip_loop_of(DType d) {
  return dispatch(d, []<class T>() -> LoopFn { return clip_loop<T>; });
}

// A Python integer that does not bound an integer dtype is no bound.
bool no_bound(const TVMFFIAny& v, DType d, bool low) {
  if (v.type_index != kTVMFFIInt || !is_integer(d)) return false;
  return dispatch(d, [&]<class T>() {
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      return low ? std::cmp_less_equal(v.v_int64, std::numeric_limits<T>::min())
                 : std::cmp_greater_equal(v.v_int64, std::numeric_limits<T>::max());
    else return false;
  });
}

// Any shapes, dtypes and `out`.
NDArray clip_general(NDArrayObj* a, const TVMFFIAny* in, NDArrayObj* out, DType d) {
  alignas(16) char scalars[2][16];
  LoopOperand ops[4];
  NDArray temporaries[3];
  const NDArrayObj* arrays[3] = {a, nullptr, nullptr};
  ShapeBuf shape;
  bool fits = true;
  for (int k = 0; k < 3; ++k) {
    ops[k].loop_dt = d;
    if (k > 0 && in[k].type_index != kTVMFFITensor) {
      weak_to(in[k], d, scalars[k - 1]);
      ops[k].data = scalars[k - 1];
      ops[k].dt = d;
      continue;
    }
    if (k > 0) arrays[k] = as_ndarray(in[k]);
    fits &= broadcast_into(&shape, arrays[k]->dims());
  }
  if (out) fits &= broadcast_into(&shape, out->dims());
  if (!fits) {
    std::string shapes;
    for (const NDArrayObj* x :
         {arrays[0], arrays[1], arrays[2], static_cast<const NDArrayObj*>(out)})
      if (x) shapes += cat(shapes.empty() ? "" : " ", shape_str(x->shape, x->ndim));
    fail_value("clip(): operands could not be broadcast together with shapes ", shapes);
  }
  NDArray result;
  if (out) {
    if (!same_dims(out->dims(), shape)) {
      fail_value("non-broadcastable output operand with shape ", shape_str(out->shape, out->ndim),
                 " doesn't match the broadcast shape ", shape_str(shape.dims, shape.ndim));
    }
    require_writeable(out, "output array");
    if (!can_cast(d, out->dt, Casting::kSameKind)) {
      fail_type("Cannot cast ufunc 'clip' output from dtype('", name(d), "') to dtype('",
                name(out->dt), "') with casting rule 'same_kind'");
    }
    result = NDArray::share(out);
  } else {
    result = empty_result({arrays[0], arrays[1], arrays[2]}, shape, d);
  }
  int64_t strides[3][kMaxDims];
  for (int k = 0; k < 3; ++k) {
    if (arrays[k]) {
      bool same = out && arrays[k]->data == out->data && arrays[k]->dt == out->dt &&
                  same_dims(arrays[k]->dims(), shape) &&
                  same_dims(arrays[k]->elem_strides(), out->elem_strides()) && d == out->dt;
      if (out && !same && may_overlap(arrays[k], out)) {
        temporaries[k] = copy(arrays[k]);
        arrays[k] = temporaries[k].get();
      }
      ops[k].data = arrays[k]->bytes();
      ops[k].dt = arrays[k]->dt;
      broadcast_strides(arrays[k]->dims(), arrays[k]->elem_strides(), shape, strides[k]);
    } else {
      std::fill_n(strides[k], shape.ndim, 0);
    }
    ops[k].strides = strides[k];
  }
  ops[3] = {result->bytes(), result->strides, result->dt, d};
  run_loop({clip_loop_of(d), nullptr}, 3, 4, ops, shape);
  return result;
}

void body_clip(Frame& f) {
  const TVMFFIAny *low = &f.args[1], *high = &f.args[2];
  if (!f.is_none(4) || !f.is_none(5)) {
    if (!f.is_none(1) || !f.is_none(2))
      fail_value(
          "Passing `min` or `max` keyword argument when `a_min` and `a_max` are provided is "
          "forbidden.");
    low = &f.args[4];
    high = &f.args[5];
  }
  NDArrayObj* a = f.array(0);
  NDArrayObj* out = f.out(3);
  bool has_low = low->type_index != kTVMFFINone && !no_bound(*low, a->dt, true);
  bool has_high = high->type_index != kTVMFFINone && !no_bound(*high, a->dt, false);
  if (!has_low && !has_high) return f.ret(run_unary(used().positive, any_of(a), out));
  if (!has_low) return f.ret(run_binary(used().minimum, any_of(a), *high, out));
  if (!has_high) return f.ret(run_binary(used().maximum, any_of(a), *low, out));
  TVMFFIAny in[3] = {any_of(a), *low, *high};
  DType d = result_type(in);
  bool numbers = low->type_index != kTVMFFITensor && high->type_index != kTVMFFITensor;
  if (numbers && d == a->dt && a->c_contiguous() && !out) {
    alignas(16) char bounds[2][16];
    weak_to(*low, d, bounds[0]);
    weak_to(*high, d, bounds[1]);
    NDArray result = empty(a->dims(), d);
    char* args[4] = {a->bytes(), bounds[0], bounds[1], result->bytes()};
    intptr_t n = a->size, strides[4] = {a->isz(), 0, 0, a->isz()};
    LongWork long_work(n);
    clip_loop_of(d)(args, &n, strides, nullptr);
    return f.ret(std::move(result));
  }
  f.ret(clip_general(a, in, out, d));
}

// ---- round -------------------------------------------------------------------------------------
double power_of_ten(int64_t n) {
  constexpr double kPowers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8};
  if (n < 9) return kPowers[n];
  double p = 1e9;
  while (n-- > 9 && p < std::numeric_limits<double>::infinity()) p *= 10;
  return p;
}

// A view of the real (0) or imaginary (1) parts.
NDArray part_view(const NDArrayObj* a, int part) {
  int64_t strides[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) strides[i] = a->strides[i] * 2;
  NDArray v =
      view(a, a->dims(), {strides, static_cast<size_t>(a->ndim)}, a->bytes() + part * a->isz() / 2);
  v->dt = real_dtype(a->dt);
  v->dtype = info(v->dt).dl;
  set_contiguity(v.get());
  return v;
}

NDArray round(NDArrayObj* a, int64_t decimals, NDArrayObj* out) {
  const Used& u = used();
  if (is_integer(a->dt) && decimals >= 0)
    return out ? run_unary(u.positive, any_of(a), out) : copy_keep_order(a);
  if (is_complex(a->dt)) {
    if (out) fail_fallback("round of complex numbers into out");
    NDArray result = empty_keep_order(a, a->dims(), a->dt);
    for (int part = 0; part < 2; ++part) {
      NDArray from = part_view(a, part), to = part_view(result.get(), part),
              rounded = round(from.get(), decimals, nullptr);
      copy_into(to.get(), rounded.get());
    }
    return result;
  }
  if (decimals == 0) return run_unary(u.rint, any_of(a), out);
  if (a->dt == DType::kBool)
    fail_type(
        "Cannot cast ufunc 'multiply' output from dtype('float64') to dtype('bool') with casting "
        "rule 'same_kind'");
  // Scale, round, scale back.
  TVMFFIAny scale =
      any_of(power_of_ten(std::abs(std::max(decimals, -std::numeric_limits<int64_t>::max()))));
  const Ufunc &up = decimals > 0 ? u.multiply : u.divide,
              &down = decimals > 0 ? u.divide : u.multiply;
  NDArray scaled = run_binary(up, any_of(a), scale, out);
  // In place when that saves memory; a few elements are faster in a new array.
  NDArray rounded = run_unary(u.rint, any_of(scaled.get()),
                              out                   ? out
                              : scaled->size > 1024 ? scaled.get()
                                                    : nullptr);
  call_binary_out(down, any_of(rounded.get()), scale, rounded.get());
  return is_integer(a->dt) && !out ? as_dtype_keep_order(rounded.get(), a->dt) : rounded;
}
void body_round(Frame& f) {
  NDArrayObj *a = f.array(0), *out = f.out(2);
  if (out && !same_dims(out->dims(), a->dims())) {
    fail_value("invalid output shape: it is ", shape_str(out->shape, out->ndim), ", expected ",
               shape_str(a->shape, a->ndim));
  }
  f.ret(round(a, f.integer(1), out));
}
void body_fix(Frame& f) { f.ret(run_unary(used().trunc, f.args[0], f.out(1))); }

// ---- NaN and infinity --------------------------------------------------------------------------
void body_nan_to_num(Frame& f) {
  NDArrayObj* x = f.array(0);
  bool in_place = !f.boolean(1) && f.is_array(0);
  if (!is_inexact(x->dt)) return in_place ? f.ret_borrowed(x) : f.ret(copy_keep_order(x));
  for (int k = 2; k < 5; ++k)
    if (f.is_array(k)) fail_fallback("nan_to_num with arrays of replacements");
  if (in_place) require_writeable(x, "assignment destination");
  NDArray y = copy_keep_order(x);
  dispatch(real_dtype(x->dt), [&]<class T>() {
    if constexpr (std::is_same_v<T, Half> || std::is_floating_point_v<T>) {
      T nan, high, low;
      constexpr bool kHalf = std::is_same_v<T, Half>;
      double largest = kHalf ? 65504.0
                             : static_cast<double>(
                                   std::numeric_limits<std::conditional_t<kHalf, float, T>>::max());
      auto value = [&](int k, double fallback, T* out) {
        if (f.is_none(k)) weak_to(any_of(fallback), dtype_of<T>(), out);
        else weak_to(f.args[k], dtype_of<T>(), out);
      };
      value(2, 0.0, &nan);
      value(3, largest, &high);
      value(4, -largest, &low);
      LongWork long_work(y->size);
      T* v = static_cast<T*>(y->data);
      int64_t n = y->size * (is_complex(x->dt) ? 2 : 1);
      for (int64_t i = 0; i < n; ++i) {
        auto w = widen(v[i]);
        if (std::isfinite(w)) continue;
        v[i] = std::isnan(w) ? nan : w > 0 ? high : low;
      }
    }
  });
  if (!in_place) return f.ret(std::move(y));
  copy_into(x, y.get());
  f.ret_borrowed(x);
}

// Infinities of one sign.
template <bool kNegative>
struct IsSignedInf {
  template <class T>
  bool operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>)
      return kNegative ? a == -std::numeric_limits<T>::infinity()
                       : a == std::numeric_limits<T>::infinity();
    else return false;
  }
};
template <bool kNegative>
void body_signed_inf(Frame& f) {
  NDArrayObj* x = f.array(0);
  if (is_complex(x->dt))
    fail_type("This operation is not supported for ", name(x->dt),
              " values because it would be ambiguous.");
  NDArray result = empty_keep_order(x, x->dims(), DType::kBool);
  LoopFn fn = dispatch(x->dt, []<class T>() -> LoopFn {
    if constexpr (is_complex_v<T>) return nullptr;
    else return unary_loop<IsSignedInf<kNegative>, T, bool>;
  });
  LoopOperand ops[2] = {{x->bytes(), x->strides, x->dt, x->dt},
                        {result->bytes(), result->strides, DType::kBool, DType::kBool}};
  run_loop({fn, nullptr}, 1, 2, ops, x->dims());
  f.ret_or_write(std::move(result), f.out(1));
}

// ---- Parts of complex numbers ------------------------------------------------------------------
void body_real(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (!is_complex(a->dt)) return f.ret_borrowed(a);
  f.ret(part_view(a, 0));
}
NDArray zeros_keep_order(const NDArrayObj* a, DType d) {
  NDArray z = empty_keep_order(a, a->dims(), d);
  if (z->size > 0) std::memset(z->data, 0, z->nbytes());
  return z;
}
void body_imag(Frame& f) {
  NDArrayObj* a = f.array(0);
  f.ret(is_complex(a->dt) ? part_view(a, 1) : read_only(zeros_keep_order(a, a->dt)));
}
void body_iscomplex(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (!is_complex(a->dt)) return f.ret(zeros(a->dims(), DType::kBool));
  NDArray imag = part_view(a, 1);
  f.ret(call_binary(used().not_equal, any_of(imag.get()), any_of(int64_t{0})));
}
void body_isreal(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArray imag = is_complex(a->dt) ? part_view(a, 1) : zeros_keep_order(a, a->dt);
  f.ret(call_binary(used().equal, any_of(imag.get()), any_of(int64_t{0})));
}
void body_iscomplexobj(Frame& f) { f.ret_bool(is_complex(f.array(0)->dt)); }
void body_isrealobj(Frame& f) { f.ret_bool(!is_complex(f.array(0)->dt)); }

void body_angle(Frame& f) {
  NDArrayObj* z = f.array(0);
  NDArray a;
  if (is_complex(z->dt)) {
    NDArray re = part_view(z, 0), im = part_view(z, 1);
    a = call_binary(used().arctan2, any_of(im.get()), any_of(re.get()));
  } else {
    a = call_binary(used().arctan2, any_of(int64_t{0}), any_of(z));
  }
  if (f.boolean(1))
    call_binary_out(used().multiply, any_of(a.get()), any_of(180 / std::numbers::pi), a.get());
  f.ret(std::move(a));
}

void body_sinc(Frame& f) {
  NDArrayObj* x = f.array(0);
  NDArray y = ascontiguous(call_binary(used().multiply, any_of(std::numbers::pi), any_of(x)).get());
  dispatch(y->dt, [&]<class T>() {
    // At zero the limit is taken a little beside it.
    double eps = y->dt == DType::kFloat64   ? 0x1p-52
                 : y->dt == DType::kFloat32 ? 0x1p-23
                 : y->dt == DType::kFloat16 ? 0x1p-10
                                            : 1e-20;
    T small;
    weak_to(any_of(eps), y->dt, &small);
    T* v = static_cast<T*>(y->data);
    for (int64_t i = 0; i < y->size; ++i)
      if (widen(v[i]) == decltype(widen(small))(0)) v[i] = small;
  });
  NDArray s = call_unary(used().sin, any_of(y.get()));
  f.ret(call_binary(used().divide, any_of(s.get()), any_of(y.get())));
}

}  // namespace

void register_elementwise(Registry& r) {
  r.def({.name = "clip",
         .signature = "(a: Array, a_min: Array? = None, a_max: Array? = None, out: Out = None, *, "
                      "min: Array? = None, "
                      "max: Array? = None)",
         .doc = "The elements, moved into the interval from a_min (or min) to a_max (or max); "
                "either end may be open.",
         .body = body_clip});
  r.def({.name = "round",
         .signature = "(a: Array, decimals: int = 0, out: Out = None)",
         .doc = "Elements rounded to a number of decimals, halves to the even digit; tens and "
                "hundreds when it is negative.",
         .body = body_round,
         .checks_fp = true});
  r.def({.name = "around",
         .signature = "(a: Array, decimals: int = 0, out: Out = None)",
         .doc = "The same as round.",
         .body = body_round,
         .checks_fp = true});
  r.def({.name = "fix",
         .signature = "(x: Array, out: Out = None)",
         .doc = "Elements rounded towards zero.",
         .body = body_fix,
         .checks_fp = true});
  r.def({.name = "nan_to_num",
         .signature = "(x: Array, copy: bool = True, nan: Array = 0.0, posinf: Array? = None, "
                      "neginf: Array? = None)",
         .doc = "Numbers in place of NaN and infinities: zero and the largest finite ones unless "
                "others are given.",
         .body = body_nan_to_num});
  r.def({.name = "isposinf",
         .signature = "(x: Array, out: Out = None)",
         .doc = "Whether each element is positive infinity.",
         .body = body_signed_inf<false>});
  r.def({.name = "isneginf",
         .signature = "(x: Array, out: Out = None)",
         .doc = "Whether each element is negative infinity.",
         .body = body_signed_inf<true>});
  r.def({.name = "real",
         .signature = "(val: Array)",
         .doc = "The real parts: a view of a complex array, any other array itself.",
         .body = body_real});
  r.def({.name = "imag",
         .signature = "(val: Array)",
         .doc = "The imaginary parts: a view of a complex array, read-only zeros for any other.",
         .body = body_imag});
  r.def({.name = "iscomplex",
         .signature = "(x: Array)",
         .doc = "Whether each element has an imaginary part that is not zero.",
         .body = body_iscomplex});
  r.def({.name = "isreal",
         .signature = "(x: Array)",
         .doc = "Whether each element has no imaginary part.",
         .body = body_isreal});
  r.def({.name = "iscomplexobj",
         .signature = "(x: Array) -> bool",
         .doc = "Whether the dtype of x is complex.",
         .body = body_iscomplexobj});
  r.def({.name = "isrealobj",
         .signature = "(x: Array) -> bool",
         .doc = "Whether the dtype of x is not complex.",
         .body = body_isrealobj});
  r.def({.name = "angle",
         .signature = "(z: Array, deg: bool = False)",
         .doc = "Angles of complex numbers from the positive real axis, in radians or degrees.",
         .body = body_angle,
         .checks_fp = true});
  r.def({.name = "sinc",
         .signature = "(x: Array)",
         .doc = "sin(pi x) / (pi x), with 1 at zero.",
         .body = body_sinc,
         .checks_fp = true});
}

}  // namespace isthmus
