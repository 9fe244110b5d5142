// ops/statistics.cc: order statistics, weighted means, covariance, sums that skip NaN, polynomials.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/engine.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/ufunc.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// ---- Sorted runs --------------------------------------------------------------------------------------
// A float64 or float32 copy of `a` in which the reduced axes are one contiguous run for each output element.
NDArray runs_of(NDArrayObj* a, uint64_t axes, DType d) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  size_t at = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int k = 0; k < a->ndim; ++k) {
      if ((axes >> k & 1) != static_cast<uint64_t>(pass)) continue;
      shape[at] = a->shape[k];
      strides[at++] = a->strides[k];
    }
  }
  NDArray turned = view(a, {shape, at}, {strides, at}, a->data);
  return astype(turned.get(), d);
}

// Sorts a run with NaN last; short ones by insertion.
template <class T>
void sort_run(T* x, int64_t n) {
  auto before = [](T a, T b) { return a < b || (b != b && a == a); };
  if (n > 16) {
    std::sort(x, x + n, before);
    return;
  }
  for (int64_t i = 1; i < n; ++i) {
    T v = x[i];
    int64_t j = i;
    for (; j > 0 && before(v, x[j - 1]); --j) x[j] = x[j - 1];
    x[j] = v;
  }
}

template <class T>
T median_of(T* x, int64_t n) {
  if (n <= 64) {
    sort_run(x, n);
    if (x[n - 1] != x[n - 1]) return x[n - 1];
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / T(2);
  }
  for (int64_t i = 0; i < n; ++i)
    if (x[i] != x[i]) return x[i];
  std::nth_element(x, x + n / 2, x + n);
  if (n % 2) return x[n / 2];
  return (*std::max_element(x, x + n / 2) + x[n / 2]) / T(2);
}

// (a, axis, out, overwrite_input, keepdims)
void median_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (is_complex(a->dt)) fail_fallback("median of complex numbers");
  uint64_t axes = axes_argument(f, 1, a->ndim);
  DType d = is_float(a->dt) ? a->dt : DType::kFloat64;
  DType work = d == DType::kFloat16 ? DType::kFloat32 : d;
  int64_t n = reduced_count(a, axes);
  NDArray runs = runs_of(a, axes, work);
  NDArray out = empty(reduced_shape(a, axes, f.boolean(4)), work);
  LongWork long_work(a->size);
  auto run = [&]<class T>() {
    auto* x = static_cast<T*>(runs->data);
    auto* to = static_cast<T*>(out->data);
    for (int64_t i = 0; i < out->size; ++i, x += n)
      to[i] = n == 0 ? std::numeric_limits<T>::quiet_NaN() : median_of(x, n);
  };
  if (work == DType::kFloat64) run.operator()<double>();
  else run.operator()<float>();
  if (work != d) out = astype(out.get(), d);
  f.ret_or_write(std::move(out), f.out(2));
}

enum class QuantileMethod { kLinear, kLower, kHigher, kMidpoint, kNearest };

QuantileMethod quantile_method(std::string_view s) {
  if (s == "linear") return QuantileMethod::kLinear;
  if (s == "lower") return QuantileMethod::kLower;
  if (s == "higher") return QuantileMethod::kHigher;
  if (s == "midpoint") return QuantileMethod::kMidpoint;
  if (s == "nearest") return QuantileMethod::kNearest;
  fail_fallback("quantile method");
}

// The value at quantile q of a sorted run without NaN. Interpolates as a + (b - a) t from the nearer end.
double quantile_of(const double* x, int64_t n, double q, QuantileMethod method) {
  double at = static_cast<double>(n - 1) * q;
  if (method == QuantileMethod::kLower) at = std::floor(at);
  if (method == QuantileMethod::kHigher) at = std::ceil(at);
  if (method == QuantileMethod::kMidpoint) at = 0.5 * (std::floor(at) + std::ceil(at));
  double below = std::floor(at);
  if (at >= static_cast<double>(n - 1)) return x[n - 1];
  auto i = static_cast<int64_t>(below);
  double t = at - below;
  if (method == QuantileMethod::kNearest) return t < 0.5 || (t == 0.5 && i % 2 == 0) ? x[i] : x[i + 1];
  double a = x[i], b = x[i + 1], width = b - a;
  return t >= 0.5 ? b - width * (1 - t) : a + width * t;
}

// (a, q, axis, out, overwrite_input, method, keepdims, *, weights); q in [0, kScale]
template <int kScale>
void quantile_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (!f.is_none(7)) fail_fallback("weights");
  bool exact = a->dt == DType::kFloat64 || (is_integer(a->dt) && itemsize(a->dt) < 8) || a->dt == DType::kInt64;
  QuantileMethod method = quantile_method(f.str(5));
  bool picks = method == QuantileMethod::kLower || method == QuantileMethod::kHigher || method == QuantileMethod::kNearest;
  if (!exact || (picks && a->dt != DType::kFloat64)) fail_fallback("dtype of a");
  NDArrayObj* given = f.array(1);
  if (is_complex(given->dt) || given->ndim > 2) fail_fallback("q");
  if (given->dt == DType::kFloat32 || given->dt == DType::kFloat16) fail_fallback("dtype of q");
  NDArray quantiles = astype(given, DType::kFloat64);
  auto* q = static_cast<double*>(quantiles->data);
  for (int64_t k = 0; k < quantiles->size; ++k) {
    if (kScale != 1) q[k] /= kScale;
    if (!(q[k] >= 0 && q[k] <= 1)) fail_value(kScale == 1 ? "Quantiles must be in the range [0, 1]" : "Percentiles must be in the range [0, 100]");
  }
  uint64_t axes = axes_argument(f, 2, a->ndim);
  int64_t n = reduced_count(a, axes);
  if (n == 0) fail_fallback("empty input");
  NDArray runs = runs_of(a, axes, DType::kFloat64);
  ShapeBuf left = reduced_shape(a, axes, f.boolean(6)), shape;
  for (int64_t d : quantiles->dims()) shape.push(d);
  for (int d = 0; d < left.ndim; ++d) shape.push(left[d]);
  NDArray out = empty(shape, DType::kFloat64);
  auto* to = static_cast<double*>(out->data);
  auto* x = static_cast<double*>(runs->data);
  const int64_t count = product(left);
  LongWork long_work(a->size);
  for (int64_t i = 0; i < count; ++i, x += n) {
    sort_run(x, n);
    bool has_nan = x[n - 1] != x[n - 1];
    for (int64_t k = 0; k < quantiles->size; ++k) to[k * count + i] = has_nan ? x[n - 1] : quantile_of(x, n, q[k], method);
  }
  f.ret_or_write(std::move(out), f.out(3));
}

// ---- Weighted mean, covariance ----------------------------------------------------------------------------
const Ufunc& multiply() {
  static const Ufunc& u = ufunc("multiply");
  return u;
}
const Ufunc& divide() {
  static const Ufunc& u = ufunc("divide");
  return u;
}
const Ufunc& subtract() {
  static const Ufunc& u = ufunc("subtract");
  return u;
}
const Ufunc& add() {
  static const Ufunc& u = ufunc("add");
  return u;
}

// a broadcast to a shape, as a copy that may be written.
NDArray filled_like(const NDArrayObj* a, const NDArrayObj* shape_of) {
  NDArray out = empty(shape_of->dims(), a->dt);
  assign(out.get(), a);
  return out;
}

// (a, axis, weights, returned, *, keepdims)
void average_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  uint64_t axes = axes_argument(f, 1, a->ndim);
  bool keepdims = f.boolean(4), returned = f.boolean(3);
  NDArray mean, scale;
  if (f.is_none(2)) {
    mean = reduce_mean(a, axes, keepdims);
    if (returned) {
      double count = static_cast<double>(reduced_count(a, axes));
      NDArray one = any_to_array(any_of(count), mean->dt);
      scale = filled_like(one.get(), mean.get());
    }
  } else {
    NDArrayObj* w = f.array(2);
    DType d = promote_types(a->dt, w->dt);
    if (!is_inexact(a->dt)) d = promote_types(d, DType::kFloat64);
    NDArray weights;
    if (same_dims(a->dims(), w->dims())) {
      weights = NDArray::share(w);
    } else {
      if (f.is_none(1)) fail_type("Axis must be specified when shapes of a and weights differ.");
      if (f.shape(1).size() != 1) fail_fallback("weights along several axes");
      int axis = normalize_axis(f.shape(1)[0], a->ndim);
      if (w->ndim != 1 || w->shape[0] != a->shape[axis])
        fail_value("Shape of weights must be consistent with shape of a along specified axis.");
      int64_t shape[kMaxDims], strides[kMaxDims];
      for (int k = 0; k < a->ndim; ++k) {
        shape[k] = k == axis ? w->shape[0] : 1;
        strides[k] = k == axis ? w->strides[0] : 0;
      }
      size_t nd = static_cast<size_t>(a->ndim);
      weights = view(w, {shape, nd}, {strides, nd}, w->data);
    }
    uint64_t along = weights->ndim == a->ndim ? axes : 0;
    scale = reduce_sum(weights.get(), along, keepdims, &d);
    NDArray truth = astype(scale.get(), DType::kBool);
    for (int64_t i = 0; i < truth->size; ++i)
      if (!static_cast<const bool*>(truth->data)[i]) fail_with("ZeroDivisionError", "Weights sum to zero, can't be normalized");
    UfuncCall call;
    call.has_dtype = true;
    call.dtype = d;
    TVMFFIAny in[2] = {any_of(a), any_of(weights.get())};
    NDArray product;
    call_ufunc(multiply(), in, call, &product);
    NDArray sum = reduce_sum(product.get(), axes, keepdims);
    mean = call_binary(divide(), any_of(sum.get()), any_of(scale.get()));
    if (returned && !same_dims(scale->dims(), mean->dims())) scale = filled_like(scale.get(), mean.get());
  }
  if (!returned) return f.ret(std::move(mean));
  f.ret_list({std::move(mean), std::move(scale)});
}

NDArray transposed(const NDArrayObj* a) {
  int64_t shape[2] = {a->shape[1], a->shape[0]}, strides[2] = {a->strides[1], a->strides[0]};
  return view(a, shape, strides, a->data);
}

NDArray column(const NDArrayObj* a) {
  int64_t shape[2] = {a->shape[0], 1}, strides[2] = {a->strides[0], 0};
  return view(a, shape, strides, a->data);
}

// The covariance matrix of the rows of m (of its columns for rowvar=False), always two-dimensional.
NDArray covariance(Frame& f, NDArrayObj* m, bool rowvar, double ddof) {
  if (is_complex(m->dt) || m->ndim > 2) fail_fallback("complex or high-dimensional observations");
  DType d = promote_types(m->dt, DType::kFloat64);
  NDArray x = astype(m, d);
  int64_t one_row[2] = {1, m->size};
  if (m->ndim < 2) x = view_contiguous(x.get(), one_row);
  if (!rowvar && m->ndim == 2) {
    NDArray turned = transposed(x.get());
    x = copy(turned.get());
  }
  if (x->shape[0] == 0) fail_fallback("no observations");
  NDArray mean = reduce_mean(x.get(), 2, false);
  double freedom = static_cast<double>(x->shape[1]) - ddof;
  if (freedom <= 0) fail_fallback("no degrees of freedom");
  NDArray centred = call_binary(subtract(), any_of(x.get()), any_of(column(mean.get()).get()));
  NDArray turned = transposed(centred.get());
  NDArray c = dot(centred.get(), turned.get());
  (void)f;
  return call_binary(multiply(), any_of(c.get()), any_of(1.0 / freedom));
}

NDArray squeezed(NDArray c) {
  if (c->shape[0] != 1) return c;
  return view(c.get(), {}, {}, c->data);
}

// (m, y, rowvar, bias, ddof, fweights, aweights, *, dtype)
void cov_body(Frame& f) {
  for (int i : {1, 5, 6, 7})
    if (!f.is_none(i)) fail_fallback("y, weights and dtype");
  double ddof = f.boolean(3) ? 0 : 1;
  if (!f.is_none(4)) {
    if (f.args[4].type_index != kTVMFFIInt) fail_value("ddof must be integer");
    ddof = static_cast<double>(f.integer(4));
  }
  f.ret(squeezed(covariance(f, f.array(0), f.boolean(2), ddof)));
}

// (x, y, rowvar, *, dtype)
void corrcoef_body(Frame& f) {
  if (!f.is_none(1) || !f.is_none(3)) fail_fallback("y and dtype");
  NDArray c = covariance(f, f.array(0), f.boolean(2), 1);
  int64_t n = c->shape[0], step = c->strides[0] + c->strides[1];
  NDArray diagonal = view(c.get(), {&n, 1}, {&step, 1}, c->data);
  static const Ufunc& root = ufunc("sqrt");
  if (n == 1) return f.ret(squeezed(call_binary(divide(), any_of(c.get()), any_of(c.get()))));
  NDArray deviation = call_unary(root, any_of(diagonal.get()));
  c = call_binary(divide(), any_of(c.get()), any_of(column(deviation.get()).get()));
  c = call_binary(divide(), any_of(c.get()), any_of(deviation.get()));
  auto* p = static_cast<double*>(c->data);
  for (int64_t i = 0; i < c->size; ++i) p[i] = p[i] > 1 ? 1 : p[i] < -1 ? -1 : p[i];
  f.ret(std::move(c));
}

// ---- Without NaN ----------------------------------------------------------------------------------------------
bool may_hold_nan(DType d) { return is_inexact(d); }

// A copy with NaN replaced; *kept, if given, receives which elements were numbers.
NDArray replace_nan(NDArrayObj* a, double value, NDArray* kept) {
  NDArray x = copy(a);
  if (kept) *kept = empty(a->dims(), DType::kBool);
  dispatch(a->dt, [&]<class T>() {
    auto* p = static_cast<T*>(x->data);
    for (int64_t i = 0; i < x->size; ++i) {
      bool nan;
      if constexpr (std::is_same_v<T, Half>) nan = std::isnan(half_to_float(p[i]));
      else nan = p[i] != p[i];
      if (kept) static_cast<bool*>((*kept)->data)[i] = !nan;
      if (!nan) continue;
      if constexpr (std::is_same_v<T, Half>) p[i] = double_to_half(value);
      else p[i] = static_cast<T>(value);
    }
  });
  return x;
}

ReduceCall reduce_call(Frame& f, NDArrayObj* a, int out, int keepdims, int initial, int where, TVMFFIAny* holder) {
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.out = f.out(out);
  call.keepdims = f.boolean(keepdims);
  *holder = f.args[initial];
  if (!f.is_none(initial)) call.initial = holder;
  const TVMFFIAny& w = f.args[where];
  if (!(w.type_index == kTVMFFIBool && w.v_int64)) call.where = f.to_array(w);
  return call;
}

DType accumulated(DType d) {
  if (d == DType::kBool) return DType::kInt64;
  if (is_integer(d) && itemsize(d) < 8) return kind(d) == DKind::kInt ? DType::kInt64 : DType::kUInt64;
  return d;
}

// nansum and nanprod: (a, axis, dtype, out, keepdims, initial, where)
template <int kIdentity>
void nansum_body(Frame& f) {
  static const Ufunc& u = ufunc(kIdentity == 0 ? "add" : "multiply");
  static constexpr int64_t identity = kIdentity;
  NDArrayObj* a = f.array(0);
  TVMFFIAny initial;
  ReduceCall call = reduce_call(f, a, 3, 4, 5, 6, &initial);
  call.has_dtype = true;
  call.dtype = f.dtype(2, accumulated(a->dt));
  NDArray x = may_hold_nan(a->dt) ? replace_nan(a, kIdentity, nullptr) : NDArray::share(a);
  f.ret(reduce(u, x.get(), call, &identity));
}

// nanmax and nanmin: (a, axis, out, keepdims, initial, where)
template <bool kMax>
void nanmax_body(Frame& f) {
  static const Ufunc& u = ufunc(kMax ? "fmax" : "fmin");
  NDArrayObj* a = f.array(0);
  TVMFFIAny initial;
  ReduceCall call = reduce_call(f, a, 2, 3, 4, 5, &initial);
  NDArray result = reduce(u, a, call, nullptr);
  if (may_hold_nan(a->dt) && !call.out) {
    // NumPy warns of slices without a number; let it.
    NDArray kept;
    replace_nan(result.get(), 0, &kept);
    for (int64_t i = 0; i < kept->size; ++i)
      if (!static_cast<const bool*>(kept->data)[i]) fail_fallback("all-NaN slice");
  }
  f.ret(std::move(result));
}

// (a, axis, dtype, out, keepdims, *, where)
void nanmean_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  const TVMFFIAny& w = f.args[5];
  if (!(w.type_index == kTVMFFIBool && w.v_int64) || !f.is_none(2) || !f.is_none(3) || a->dt == DType::kFloat16) fail_fallback("where, dtype, out");
  uint64_t axes = axes_argument(f, 1, a->ndim);
  if (!may_hold_nan(a->dt)) return f.ret(reduce_mean(a, axes, f.boolean(4)));
  NDArray kept;
  NDArray x = replace_nan(a, 0, &kept);
  NDArray count = reduce_sum(kept.get(), axes, f.boolean(4));
  for (int64_t i = 0; i < count->size; ++i)
    if (static_cast<const int64_t*>(count->data)[i] == 0) fail_fallback("all-NaN slice");
  NDArray sum = reduce_sum(x.get(), axes, f.boolean(4));
  TVMFFIAny in[2] = {any_of(sum.get()), any_of(count.get())};
  UfuncCall call;
  call.out[0] = sum.get();
  call.casting = Casting::kUnsafe;
  NDArray result;
  call_ufunc(divide(), in, call, &result);
  f.ret(std::move(result));
}

// ---- Differences ------------------------------------------------------------------------------------------------
// Neighbouring elements along an axis, the later minus the earlier; bool compares them.
NDArray difference(const NDArrayObj* a, int axis) {
  static const Ufunc& differ = ufunc("not_equal");
  const int64_t n = std::max<int64_t>(a->shape[axis] - 1, 0);
  NDArray early = sliced(a, axis, 0, n), late = sliced(a, axis, a->shape[axis] - n, n);
  return call_binary(a->dt == DType::kBool ? differ : subtract(), any_of(late.get()), any_of(early.get()));
}

// (a, n, axis, prepend, append)
void diff_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  int64_t n = f.integer(1);
  if (n < 0) fail_value("order must be non-negative but got ", n);
  if (n == 0) return f.ret_borrowed(a);
  if (a->ndim == 0) fail_value("diff requires input that is at least one dimensional");
  int axis = normalize_axis(f.integer(2), a->ndim);
  if (!f.is_none(3) || !f.is_none(4)) fail_fallback("prepend and append");
  NDArray d = difference(a, axis);
  while (--n > 0 && d->shape[axis] > 0) d = difference(d.get(), axis);
  f.ret(std::move(d));
}

// (ary, to_end, to_begin)
void ediff1d_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->dt == DType::kBool) fail_type("numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, or the logical_xor function instead.");
  NDArray flat = ravel(a), parts[2];
  for (int k = 0; k < 2; ++k) {  // to_end, to_begin
    if (f.is_none(1 + k)) continue;
    if (!can_cast(result_type({f.args + 1 + k, 1}), a->dt, Casting::kSameKind) && f.args[1 + k].type_index == kTVMFFITensor)
      fail_type("dtype of `", k ? "to_begin" : "to_end", "` must be compatible with input `ary` under the `same_kind` rule.");
    NDArray part = any_to_array(f.args[1 + k], a->dt);
    parts[k] = ravel(part.get());
  }
  int64_t n = std::max<int64_t>(flat->size - 1, 0), head = parts[1] ? parts[1]->size : 0, tail = parts[0] ? parts[0]->size : 0;
  int64_t total = head + n + tail;
  NDArray out = empty({&total, 1}, a->dt);
  if (head) {
    NDArray to = sliced(out.get(), 0, 0, head);
    assign(to.get(), parts[1].get());
  }
  if (n) {
    NDArray to = sliced(out.get(), 0, head, n), late = sliced(flat.get(), 0, 1, n), early = sliced(flat.get(), 0, 0, n);
    call_binary_out(subtract(), any_of(late.get()), any_of(early.get()), to.get());
  }
  if (tail) {
    NDArray to = sliced(out.get(), 0, head + n, tail);
    assign(to.get(), parts[0].get());
  }
  f.ret(std::move(out));
}

// ---- Polynomials ----------------------------------------------------------------------------------------------
// (p, x): Horner's rule
void polyval_body(Frame& f) {
  NDArrayObj *p = f.array(0), *x = f.array(1);
  if (p->ndim != 1) fail_fallback("p");
  DType d = promote_types(p->dt, x->dt);
  if (d == DType::kBool) fail_fallback("bool");
  NDArray y = zeros(x->dims(), x->dt);
  if (d == DType::kFloat64 && x->dt == d && p->dt == d && x->c_contiguous()) {
    auto* in = static_cast<const double*>(x->data);
    auto* out = static_cast<double*>(y->data);
    for (int64_t k = 0; k < p->shape[0]; ++k) {
      double c = static_cast<const double*>(p->data)[k * p->strides[0]];
      for (int64_t i = 0; i < y->size; ++i) out[i] = out[i] * in[i] + c;
    }
    return f.ret(std::move(y));
  }
  for (int64_t k = 0; k < p->shape[0]; ++k) {
    NDArray c = scalar_array(p->dt, p->bytes() + k * p->strides[0] * p->isz());
    y = call_binary(multiply(), any_of(y.get()), any_of(x));
    y = call_binary(add(), any_of(y.get()), any_of(c.get()));
  }
  f.ret(std::move(y));
}

}  // namespace

void register_statistics(Registry& r) {
  r.def({.name = "median",
         .signature = "(a: Array, axis: Axes = None, out: Out = None, overwrite_input: bool = False, keepdims: bool = False)",
         .doc = "Middle value over the given axes; the mean of the two middle ones of an even number. NaN if any element is.",
         .body = median_body});
  constexpr const char* kQuantile =
      "(a: Array, q: Array, axis: Axes = None, out: Out = None, overwrite_input: bool = False, method: str = 'linear', "
      "keepdims: bool = False, *, weights: Array? = None)";
  r.def({.name = "quantile", .signature = kQuantile,
         .doc = "Values below which the fractions q of the elements lie; the shape of q comes first in the result.",
         .body = quantile_body<1>, .checks_fp = true});
  r.def({.name = "percentile", .signature = kQuantile,
         .doc = "Values below which q percent of the elements lie; the shape of q comes first in the result.",
         .body = quantile_body<100>, .checks_fp = true});
  r.def({.name = "average",
         .signature = "(a: Array, axis: Axes = None, weights: Array? = None, returned: bool = False, *, keepdims: bool = False)",
         .doc = "Weighted mean over the given axes; with returned=True also the sum of the weights.",
         .body = average_body, .checks_fp = true});
  r.def({.name = "cov",
         .signature = "(m: Array, y: Array? = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, "
                      "fweights: Array? = None, aweights: Array? = None, *, dtype: DType = None)",
         .doc = "Covariance matrix of variables given as rows (as columns for rowvar=False).", .body = cov_body, .checks_fp = true});
  r.def({.name = "corrcoef",
         .signature = "(x: Array, y: Array? = None, rowvar: bool = True, *, dtype: DType = None)",
         .doc = "Correlation coefficients of variables given as rows (as columns for rowvar=False).",
         .body = corrcoef_body, .checks_fp = true});
  constexpr const char* kNanSum =
      "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, keepdims: bool = False, "
      "initial: Array? = None, where: Array = True)";
  r.def({.name = "nansum", .signature = kNanSum, .doc = "Sum over the given axes with NaN taken as zero.", .body = nansum_body<0>, .checks_fp = true});
  r.def({.name = "nanprod", .signature = kNanSum, .doc = "Product over the given axes with NaN taken as one.", .body = nansum_body<1>, .checks_fp = true});
  constexpr const char* kNanMax =
      "(a: Array, axis: Axes = None, out: Out = None, keepdims: bool = False, initial: Array? = None, where: Array = True)";
  r.def({.name = "nanmax", .signature = kNanMax, .doc = "Largest element over the given axes that is not NaN.", .body = nanmax_body<true>});
  r.def({.name = "nanmin", .signature = kNanMax, .doc = "Smallest element over the given axes that is not NaN.", .body = nanmax_body<false>});
  r.def({.name = "nanmean",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, keepdims: bool = False, *, "
                      "where: Array = True)",
         .doc = "Mean over the given axes of the elements that are not NaN.", .body = nanmean_body, .checks_fp = true});
  r.def({.name = "diff",
         .signature = "(a: Array, n: int = 1, axis: int = -1, prepend: Array? = None, append: Array? = None)",
         .doc = "n-th difference of neighbours along an axis.", .body = diff_body, .checks_fp = true});
  r.def({.name = "ediff1d",
         .signature = "(ary: Array, to_end: Array? = None, to_begin: Array? = None)",
         .doc = "Differences of neighbours of the flattened array, between optional extra values.",
         .body = ediff1d_body, .checks_fp = true});
  r.def({.name = "polyval", .signature = "(p: Array, x: Array)",
         .doc = "Value at x of the polynomial with coefficients p, highest power first.", .body = polyval_body, .checks_fp = true});
}

}  // namespace isthmus
