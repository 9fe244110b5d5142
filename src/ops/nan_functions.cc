// ops/nan_functions.cc: reductions that leave out NaN. Where NumPy warns (only NaN, no degrees of
// freedom), NumPy is called.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/reduce.h"
#include "ops/sorting.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// Whether elements are NaN, and a copy with a number in their place; the array itself when it has
// no NaN.
struct Replaced {
  NDArray values;
  NDArray mask;  // null when there is no NaN, else laid out in memory as `values` is
};

template <class T>
bool has_nan(const char* p, int64_t n, int64_t step) {
  constexpr int64_t kBlock = 512;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t end = std::min(i + kBlock, n);
    bool found = false;
    if (step == sizeof(T)) {
      for (int64_t k = i; k < end; ++k) found |= is_nan(reinterpret_cast<const T*>(p)[k]);
    } else {
      for (int64_t k = i; k < end; ++k) found |= is_nan(*reinterpret_cast<const T*>(p + k * step));
    }
    if (found) return true;
  }
  return false;
}

bool contains_nan(const NDArrayObj* a) {
  if (!is_inexact(a->dt)) return false;
  return dispatch(a->dt, [&]<class T>() {
    if (a->c_contiguous() || a->f_contiguous()) return has_nan<T>(a->bytes(), a->size, a->isz());
    bool found = false;
    const int last = a->ndim - 1;
    for_each_line(a, last, [&](char* p) {
      found = found || has_nan<T>(p, a->shape[last], a->strides[last] * a->isz());
    });
    return found;
  });
}

Replaced replace_nan(NDArrayObj* a, double number, bool want_mask) {
  Replaced r;
  r.values = NDArray::share(a);
  if (!contains_nan(a)) return r;
  NDArray dense = copy_keep_order(a);
  if (want_mask) r.mask = empty_keep_order(dense.get(), a->dims(), DType::kBool);
  bool* mask = want_mask ? static_cast<bool*>(r.mask->data) : nullptr;
  dispatch(a->dt, [&]<class T>() {
    T* p = static_cast<T*>(dense->data);
    const T put = [&] {
      if constexpr (is_complex_v<T>) return T(static_cast<typename T::value_type>(number));
      else return narrow<T>(number);
    }();
    if (mask)
      for (int64_t i = 0; i < a->size; ++i) mask[i] = is_nan(p[i]);
    for (int64_t i = 0; i < a->size; ++i) p[i] = is_nan(p[i]) ? put : p[i];
  });
  r.values = std::move(dense);
  return r;
}

// Calls the operator of the same parameters without "nan" on another array.
void delegate(Frame& f, const Op& op, NDArrayObj* a) {
  TVMFFIAny args[16];
  std::copy_n(f.args, op.schema.params.size(), args);
  args[0] = any_of(a);
  Frame inner(op, args, f.result);
  op.def.body(inner);
}

const Op& op_named(const char* name) {
  const Op* op = Registry::global().find(name);
  if (!op) fail_with("InternalError", cat("no operator named ", name));
  return *op;
}

template <const char* kName, int kNumber>
void replacing_body(Frame& f) {
  static const Op& op = op_named(kName);
  Replaced r = replace_nan(f.array(0), kNumber, false);
  delegate(f, op, r.values.get());
}
constexpr char kSum[] = "sum", kProd[] = "prod", kCumsum[] = "cumsum", kCumprod[] = "cumprod";

bool any_true(const NDArrayObj* a) {
  auto* p = static_cast<const bool*>(a->data);
  return std::any_of(p, p + a->size, [](bool b) { return b; });
}

bool any_nan(const NDArrayObj* a) {
  if (!is_inexact(a->dt)) return false;
  static const Ufunc& isnan = ufunc("isnan");
  NDArray nan = call_unary(isnan, any_of(a));
  return any_true(nan.get());
}

// nanmax and nanmin: (a, axis, out, keepdims, initial, where)
void extreme_body(Frame& f, const Ufunc& u) {
  NDArrayObj* a = f.array(0);
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.out = f.out(2);
  call.keepdims = f.boolean(3);
  TVMFFIAny initial = f.args[4];
  if (!f.is_none(4)) call.initial = &initial;
  const TVMFFIAny& where = f.args[5];
  if (!(where.type_index == kTVMFFIBool && where.v_int64)) call.where = f.to_array(where);
  NDArray result = reduce(u, a, call, nullptr);
  if (any_nan(result.get())) fail_fallback("a run of NaN only");
  f.ret(std::move(result));
}

// nanargmax and nanargmin: (a, axis, out, *, keepdims)
template <bool kMax>
void arg_body(Frame& f) {
  static const Op& op = op_named(kMax ? "argmax" : "argmin");
  NDArrayObj* a = f.array(0);
  Replaced r = replace_nan(a, kMax ? -INFINITY : INFINITY, true);
  if (r.mask && r.mask->size > 0) {
    static const Ufunc& logical_and = ufunc("logical_and");
    ReduceCall call;
    if (f.is_none(1)) {
      call.axes = (a->ndim >= 64 ? 0 : uint64_t{1} << a->ndim) - 1;
    } else if (a->ndim > 0) {
      call.axes = uint64_t{1} << normalize_axis(f.integer(1), a->ndim);
    }
    constexpr int64_t kTrue = 1;
    NDArray all = reduce(logical_and, r.mask.get(), call, &kTrue);
    if (any_true(all.get())) fail_value("All-NaN slice encountered");
  }
  delegate(f, op, r.values.get());
}

// ---- Means and variances ------------------------------------------------------------------------

// a / b in place, whatever their dtypes.
void divide_into(NDArrayObj* a, NDArrayObj* b) {
  static const Ufunc& divide = ufunc("divide");
  TVMFFIAny in[2] = {any_of(a), any_of(b)};
  UfuncCall call;
  call.out[0] = a;
  call.casting = Casting::kUnsafe;
  NDArray result;
  call_ufunc(divide, in, call, &result);
}

// How many elements of each run are no NaN: one number for all runs when there is none.
NDArray count_of(const NDArrayObj* a, const Replaced& r, uint64_t axes, bool keepdims) {
  if (!r.mask) {
    const int64_t n = reduced_count(a, axes);
    return scalar_array(DType::kInt64, &n);
  }
  static const Ufunc& logical_not = ufunc("logical_not");
  NDArray good = call_unary(logical_not, any_of(r.mask.get()));
  return reduce_sum(good.get(), axes, keepdims);
}

bool all_positive(const NDArrayObj* counts, double minus) {
  auto* p = static_cast<const int64_t*>(counts->data);
  return std::all_of(p, p + counts->size,
                     [minus](int64_t n) { return static_cast<double>(n) - minus > 0; });
}

void require_inexact(const NDArrayObj* out, const DType* dtype) {
  if (dtype && !is_inexact(*dtype)) fail_type("If a is inexact, then dtype must be inexact");
  if (out && !is_inexact(out->dt)) fail_type("If a is inexact, then out must be inexact");
}

bool is_true(const TVMFFIAny& where) { return where.type_index == kTVMFFIBool && where.v_int64; }

// (a, axis, dtype, out, keepdims, *, where)
void nanmean_body(Frame& f) {
  static const Op& op = op_named("mean");
  NDArrayObj* a = f.array(0);
  if (!is_inexact(a->dt)) return delegate(f, op, a);
  if (!is_true(f.args[5])) fail_fallback("nanmean() with where");
  const DType d = f.dtype(2, a->dt);
  const DType* dtype = f.is_none(2) ? nullptr : &d;
  require_inexact(f.out(3), dtype);
  const uint64_t axes = axes_argument(f, 1, a->ndim);
  Replaced r = replace_nan(a, 0, true);
  NDArray counts = count_of(a, r, axes, f.boolean(4));
  if (!all_positive(counts.get(), 0)) fail_fallback("a run of NaN only");
  NDArray sum = reduce_sum(r.values.get(), axes, f.boolean(4), dtype, f.out(3));
  divide_into(sum.get(), counts.get());
  f.ret(std::move(sum));
}

// The squares |x|^2 of a contiguous array, in place for real numbers; zero where the mask is set.
NDArray squares(NDArray x, const NDArrayObj* mask) {
  auto* skip = mask ? static_cast<const bool*>(mask->data) : nullptr;
  NDArray out = is_complex(x->dt) ? empty_keep_order(x.get(), x->dims(), real_dtype(x->dt)) : x;
  dispatch(x->dt, [&]<class T>() {
    auto* p = static_cast<const T*>(x->data);
    for (int64_t i = 0; i < x->size; ++i) {
      if constexpr (is_complex_v<T>) {
        using R = typename T::value_type;
        static_cast<R*>(out->data)[i] =
            skip && skip[i] ? R(0) : p[i].real() * p[i].real() + p[i].imag() * p[i].imag();
      } else if constexpr (!std::is_integral_v<T>) {
        static_cast<T*>(out->data)[i] =
            skip && skip[i] ? narrow<T>(0.0) : narrow<T>(widen(p[i]) * widen(p[i]));
      }
    }
  });
  return out;
}

// nanvar and nanstd: (a, axis, dtype, out, ddof, keepdims, *, where, mean, correction)
template <bool kRoot>
void nanvar_body(Frame& f) {
  static const Op& op = op_named(kRoot ? "std" : "var");
  NDArrayObj* a = f.array(0);
  if (!is_inexact(a->dt)) return delegate(f, op, a);
  if (!is_true(f.args[6]) || !f.is_none(7)) fail_fallback("nanvar() with where or mean");
  const DType d = f.dtype(2, a->dt);
  const DType* dtype = f.is_none(2) ? nullptr : &d;
  require_inexact(f.out(3), dtype);
  double ddof = f.real(4);
  if (!f.is_none(8)) {
    if (ddof != 0) fail_value("ddof and correction can't be provided simultaneously.");
    const TVMFFIAny& v = f.args[8];
    ddof = v.type_index == kTVMFFIInt ? static_cast<double>(v.v_int64) : v.v_float64;
  }
  const uint64_t axes = axes_argument(f, 1, a->ndim);
  Replaced r = replace_nan(a, 0, true);
  NDArray counts = count_of(a, r, axes, true);
  if (!all_positive(counts.get(), std::max(ddof, 0.0))) fail_fallback("no degrees of freedom");
  NDArray mean = reduce_sum(r.values.get(), axes, true, dtype);
  divide_into(mean.get(), counts.get());
  static const Ufunc& subtract = ufunc("subtract");
  TVMFFIAny in[2] = {any_of(r.values.get()), any_of(mean.get())};
  UfuncCall call;
  // In the dtype of the array: in place where it is a copy.
  NDArray centred = r.mask ? r.values : empty_keep_order(a, a->dims(), a->dt);
  call.out[0] = centred.get();
  call.casting = Casting::kUnsafe;
  NDArray written;
  call_ufunc(subtract, in, call, &written);
  NDArray sqr = squares(std::move(centred), r.mask.get());
  NDArray var = reduce_sum(sqr.get(), axes, f.boolean(5), dtype, f.out(3));
  NDArray freedom = astype(counts.get(), DType::kFloat64);
  for (int64_t i = 0; i < freedom->size; ++i) static_cast<double*>(freedom->data)[i] -= ddof;
  if (!f.boolean(5) && r.mask) freedom = view_contiguous(freedom.get(), var->dims());
  divide_into(var.get(), freedom.get());
  if (kRoot) {
    static const Ufunc& root = ufunc("sqrt");
    TVMFFIAny x = any_of(var.get());
    UfuncCall out;
    out.out[0] = var.get();
    NDArray result;
    call_ufunc(root, &x, out, &result);
  }
  f.ret(std::move(var));
}

}  // namespace

void register_nan_functions(Registry& r) {
  r.def({.name = "nansum",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, initial: Array? = 0, where: Array = True)",
         .doc = "Sum of elements over the given axes, with NaN as zero.",
         .body = replacing_body<kSum, 0>,
         .checks_fp = true});
  r.def({.name = "nanprod",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, initial: Array? = 1, where: Array = True)",
         .doc = "Product of elements over the given axes, with NaN as one.",
         .body = replacing_body<kProd, 1>,
         .checks_fp = true});
  constexpr const char* kCumulative =
      "(a: Array, axis: int? = None, dtype: DType = None, out: Out = None)";
  r.def({.name = "nancumsum",
         .signature = kCumulative,
         .doc = "Running sum along an axis, with NaN as zero.",
         .body = replacing_body<kCumsum, 0>,
         .checks_fp = true});
  r.def({.name = "nancumprod",
         .signature = kCumulative,
         .doc = "Running product along an axis, with NaN as one.",
         .body = replacing_body<kCumprod, 1>,
         .checks_fp = true});
  constexpr const char* kExtreme =
      "(a: Array, axis: Axes = None, out: Out = None, keepdims: bool = False, initial: Array? = "
      "None, where: Array = True)";
  r.def({.name = "nanmax",
         .signature = kExtreme,
         .doc = "Largest element over the given axes, leaving out NaN.",
         .body =
             [](Frame& f) {
               static const Ufunc& fmax = ufunc("fmax");
               extreme_body(f, fmax);
             },
         .checks_fp = true});
  r.def({.name = "nanmin",
         .signature = kExtreme,
         .doc = "Smallest element over the given axes, leaving out NaN.",
         .body =
             [](Frame& f) {
               static const Ufunc& fmin = ufunc("fmin");
               extreme_body(f, fmin);
             },
         .checks_fp = true});
  constexpr const char* kArg =
      "(a: Array, axis: int? = None, out: Out = None, *, keepdims: bool = False)";
  r.def({.name = "nanargmax",
         .signature = kArg,
         .doc = "Index of the first largest element along an axis, leaving out NaN.",
         .body = arg_body<true>});
  r.def({.name = "nanargmin",
         .signature = kArg,
         .doc = "Index of the first smallest element along an axis, leaving out NaN.",
         .body = arg_body<false>});
  r.def({.name = "nanmean",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, *, where: Array = True)",
         .doc = "Arithmetic mean over the given axes, leaving out NaN.",
         .body = nanmean_body,
         .checks_fp = true});
  constexpr const char* kVar =
      "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, ddof: float = 0, "
      "keepdims: bool = False, *, "
      "where: Array = True, mean: Array? = None, correction: Any = None)";
  r.def({.name = "nanvar",
         .signature = kVar,
         .doc = "Variance over the given axes, leaving out NaN, with divisor N - ddof.",
         .body = nanvar_body<false>,
         .checks_fp = true});
  r.def({.name = "nanstd",
         .signature = kVar,
         .doc = "Standard deviation over the given axes, leaving out NaN, with divisor N - ddof.",
         .body = nanvar_body<true>,
         .checks_fp = true});
}

}  // namespace isthmus
