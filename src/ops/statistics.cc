// ops/statistics.cc: median, average, quantile, percentile, cov, corrcoef.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/sorting.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// An array, or a copy of it, in which every run of `length` elements is what falls on one element
// of a reduction's result.
struct Lines {
  NDArray data;
  int64_t count;
  int64_t length;
};

Lines gather_lines(const NDArrayObj* a, uint64_t axes) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  Lines lines{{}, 1, 1};
  size_t nd = 0;
  for (int pass = 0; pass < 2; ++pass) {
    for (int d = 0; d < a->ndim; ++d) {
      if ((axes >> d & 1) != static_cast<uint64_t>(pass)) continue;
      shape[nd] = a->shape[d];
      strides[nd++] = a->strides[d];
      (pass ? lines.length : lines.count) *= a->shape[d];
    }
  }
  NDArray turned = view(a, {shape, nd}, {strides, nd}, a->data);
  lines.data = ascontiguous(turned.get());
  return lines;
}

template <class T>
bool has_nan(const T* p, int64_t n) {
  if constexpr (!std::is_integral_v<T>) {
    constexpr int64_t kBlock = 512;
    for (int64_t i = 0; i < n; i += kBlock) {
      bool found = false;
      for (int64_t k = i; k < std::min(i + kBlock, n); ++k) found |= is_nan(p[k]);
      if (found) return true;
    }
  }
  return false;
}
template <class T>
T first_nan(const T* p, int64_t n) {
  return *std::find_if(p, p + n, [](T v) { return is_nan(v); });
}

// ---- median -------------------------------------------------------------------------------------

// A sum over a count in the arithmetic of np.mean, in which a complex number is divided by another
// one (0 * inf is NaN).
template <class R>
R mean_of(R sum, int count) {
  if constexpr (is_complex_v<R>) {
    using P = typename R::value_type;
    const P zero = 0, scale = 1 / static_cast<P>(count);
    return {(sum.real() + sum.imag() * zero) * scale, (sum.imag() - sum.real() * zero) * scale};
  } else {
    return sum / static_cast<R>(count);
  }
}

// (a, axis, out, overwrite_input, keepdims)
void median_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  const uint64_t axes = axes_argument(f, 1, a->ndim);
  if (a->size == 0) fail_fallback("median() of nothing");  // which warns
  const ShapeBuf shape = reduced_shape(a, axes, f.boolean(4));
  Lines lines = gather_lines(a, axes);
  const int64_t n = lines.length, half = n / 2;
  const int64_t positions[2] = {n % 2 ? half : half - 1, half};
  const std::span<const int64_t> wanted(positions, n % 2 ? 1 : 2);
  NDArray out = empty(shape, is_inexact(a->dt) ? a->dt : DType::kFloat64);
  LongWork long_work(a->size * 4);
  dispatch(a->dt, [&]<class T>() {
    using Out = std::conditional_t<std::is_integral_v<T>, double, T>;
    using R = decltype(widen(Out()));
    const T* p = static_cast<const T*>(lines.data->data);
    Out* to = static_cast<Out*>(out->data);
    LineBuffer scratch(static_cast<size_t>(n) * sizeof(T));
    for (int64_t i = 0; i < lines.count; ++i, p += n) {
      if constexpr (!std::is_integral_v<T>) {
        if (has_nan(p, n)) {
          to[i] = first_nan(p, n);
          continue;
        }
      }
      T middle[2];
      read_order(a->dt, p, n, wanted, scratch.data(), middle);
      R sum = static_cast<R>(widen(middle[0]));
      if (n % 2 == 0) sum = sum + static_cast<R>(widen(middle[1]));
      to[i] = narrow<Out>(mean_of(sum, n % 2 ? 1 : 2));
    }
  });
  f.ret_or_write(std::move(out), f.out(2));
}

// ---- quantile, percentile -----------------------------------------------------------------------

enum class Method : uint8_t { kLower, kHigher, kNearest, kMidpoint, kContinuous };
struct MethodRow {
  std::string_view name;
  Method method;
  double alpha,
      beta;  // of the continuous ones: n*q + (alpha + q*(1 - alpha - beta)) - 1 is the index
};
constexpr MethodRow kMethods[] = {
    {"linear", Method::kContinuous, 1, 1},
    {"lower", Method::kLower, 0, 0},
    {"higher", Method::kHigher, 0, 0},
    {"midpoint", Method::kMidpoint, 0, 0},
    {"nearest", Method::kNearest, 0, 0},
    {"hazen", Method::kContinuous, 0.5, 0.5},
    {"weibull", Method::kContinuous, 0, 0},
    {"interpolated_inverted_cdf", Method::kContinuous, 0, 1},
    {"median_unbiased", Method::kContinuous, 1 / 3.0, 1 / 3.0},
    {"normal_unbiased", Method::kContinuous, 3 / 8.0, 3 / 8.0},
};

const MethodRow& method_of(std::string_view name) {
  for (const MethodRow& row : kMethods)
    if (row.name == name) return row;
  for (std::string_view other : {"inverted_cdf", "averaged_inverted_cdf", "closest_observation"})
    if (other == name) fail_fallback("quantile() by a discontinuous method");
  fail_value("'", name,
             "' is not a valid method. Use one of: linear, lower, higher, midpoint, nearest, "
             "inverted_cdf, averaged_inverted_cdf, "
             "closest_observation, interpolated_inverted_cdf, hazen, weibull, median_unbiased, "
             "normal_unbiased");
}

// Where one quantile is read: between two sorted elements, or at `low` alone.
struct Place {
  int64_t low, high;
  double gamma;
};

Place place_of(const MethodRow& m, double q, int64_t n) {
  const double last = static_cast<double>(n - 1), at = last * q;
  double index = 0;
  switch (m.method) {
    case Method::kLower: return {static_cast<int64_t>(std::floor(at)), 0, 0};
    case Method::kHigher: return {static_cast<int64_t>(std::ceil(at)), 0, 0};
    case Method::kNearest: return {static_cast<int64_t>(std::nearbyint(at)), 0, 0};
    case Method::kMidpoint: index = 0.5 * (std::floor(at) + std::ceil(at)); break;
    case Method::kContinuous:
      // `linear` in this form rounds less.
      index = m.alpha == 1
                  ? at
                  : static_cast<double>(n) * q + (m.alpha + q * (1 - m.alpha - m.beta)) - 1;
  }
  // Beyond the ends NumPy reads the last (as index -1) or first element for both neighbours.
  const double low = index >= last ? -1 : index < 0 ? 0 : std::floor(index);
  Place p{static_cast<int64_t>(low), static_cast<int64_t>(low), index - low};
  if (index < last && index >= 0) ++p.high;
  if (p.low < 0) p.low = p.high = n - 1;
  if (m.method == Method::kMidpoint) p.gamma = std::fmod(index, 1.0) == 0 ? 0.0 : 0.5;
  return p;
}

// Between a and b, rounded after each step as NumPy's expressions on arrays of R are.
template <class R, class T>
R lerp(T a, T b, double t) {
  T difference;
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    difference = static_cast<T>(static_cast<U>(static_cast<U>(b) - static_cast<U>(a)));
  } else {
    difference = narrow<T>(widen(b) - widen(a));
  }
  auto as_r = [](auto v) { return widen(narrow<R>(widen(v))); };
  auto round = [](auto v) { return widen(narrow<R>(v)); };
  if (t >= 0.5) return narrow<R>(as_r(b) - round(as_r(difference) * as_r(1 - t)));
  return narrow<R>(as_r(a) + round(as_r(difference) * as_r(t)));
}

struct QuantileCall {
  std::vector<double> q;
  Dims q_shape;
  bool weak;      // q is a Python number
  bool integral;  // q are integers: `linear` reads elements as they are
};

// (a, q, axis, out, overwrite_input, method, keepdims, *, weights)
void quantile(Frame& f, bool percent) {
  NDArrayObj* a = f.array(0);
  if (is_complex(a->dt)) fail_type("a must be an array of real numbers");
  NDArrayObj* given = f.array(1);
  if (!f.is_none(7)) fail_fallback("quantile() with weights");
  if (is_complex(given->dt) || given->dt == DType::kFloat16 || given->dt == DType::kFloat32)
    fail_fallback("quantile() for q of this dtype");
  QuantileCall call;
  call.q_shape = given->dims();
  call.weak = f.args[1].type_index == kTVMFFIInt || f.args[1].type_index == kTVMFFIFloat;
  call.integral = !percent && !is_inexact(given->dt);
  NDArray q = astype(given, DType::kFloat64);
  for (int64_t i = 0; i < q->size; ++i) {
    const double v = static_cast<const double*>(q->data)[i] / (percent ? 100 : 1);
    if (!(v >= 0 && v <= 1))
      fail_value(percent ? "Percentiles must be in the range [0, 100]"
                         : "Quantiles must be in the range [0, 1]");
    call.q.push_back(v);
  }
  if (given->ndim > 2) fail_value("q must be a scalar or 1d");
  const MethodRow& method = method_of(f.str(5));
  const uint64_t axes = axes_argument(f, 2, a->ndim);
  if (a->size == 0) fail_fallback("quantile() of nothing");
  if (call.integral && !call.weak &&
      (method.name == "weibull" || method.name == "interpolated_inverted_cdf"))
    fail_fallback("quantile() for integer q by this method");  // NumPy interpolates integers there

  const bool interpolates =
      method.method >= Method::kMidpoint && !(call.integral && method.name == "linear");
  if (interpolates && a->dt == DType::kBool) {
    fail_type(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
        "operator, or the logical_xor "
        "function instead.");
  }
  DType result = a->dt;
  if (interpolates)
    result =
        call.weak ? promote_weak(a->dt, WeakKind::kFloat) : promote_types(a->dt, DType::kFloat64);
  Lines lines = gather_lines(a, axes);
  const int64_t n = lines.length;
  std::vector<Place> places;
  std::vector<int64_t> wanted;
  for (double v : call.q) {
    Place p = place_of(method, v, n);
    if (!interpolates) p.high = p.low;
    places.push_back(p);
    wanted.push_back(p.low);
    wanted.push_back(p.high);
  }
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  // From here on a place names what it reads by its rank among the wanted positions.
  auto rank = [&](int64_t at) {
    return std::lower_bound(wanted.begin(), wanted.end(), at) - wanted.begin();
  };
  for (Place& p : places) {
    p.low = rank(p.low);
    p.high = rank(p.high);
  }

  ShapeBuf shape;
  for (int64_t d : call.q_shape) shape.push(d);
  const ShapeBuf rest = reduced_shape(a, axes, f.boolean(6));
  for (int64_t d : Dims(rest)) shape.push(d);
  NDArray out = empty(shape, result);
  bool found_nan = false;
  LongWork long_work(a->size * 4);
  dispatch(a->dt, [&]<class T>() {
    const T* p = static_cast<const T*>(lines.data->data);
    LineBuffer scratch(static_cast<size_t>(n) * sizeof(T));
    LineBuffer read_room(wanted.size() * sizeof(T) + 1);
    T* values = static_cast<T*>(read_room.data());
    auto each = [&]<class R>(auto&& read) {
      for (int64_t i = 0; i < lines.count; ++i, p += n) {
        R* to = static_cast<R*>(out->data) + i;
        if constexpr (!std::is_integral_v<T>) {
          if (has_nan(p, n)) {
            found_nan = true;
            const R nan = narrow<R>(widen(first_nan(p, n)));
            for (size_t k = 0; k < places.size(); ++k)
              to[static_cast<int64_t>(k) * lines.count] = nan;
            continue;
          }
        }
        read_order(a->dt, p, n, wanted, scratch.data(), values);
        for (size_t k = 0; k < places.size(); ++k)
          to[static_cast<int64_t>(k) * lines.count] = read(places[k]);
      }
    };
    if (!interpolates) {
      each.template operator()<T>([&](const Place& at) { return values[at.low]; });
    } else if constexpr (!std::is_same_v<T, bool> && !is_complex_v<T>) {
      if (result == DType::kFloat64)
        each.template operator()<double>([&](const Place& at) {
          return lerp<double>(values[at.low], values[at.high], at.gamma);
        });
      else if constexpr (!std::is_integral_v<T>)
        each.template operator()<T>(
            [&](const Place& at) { return lerp<T>(values[at.low], values[at.high], at.gamma); });
    }
  });
  const bool whole = call.q_shape.empty() && std::popcount(axes) == a->ndim;
  // In place of one number NumPy returns the NaN that it found as it is.
  if (found_nan && whole && f.is_none(3) && result != a->dt) out = astype(out.get(), a->dt);
  f.ret_or_write(std::move(out), f.out(3));
}

// ---- average ------------------------------------------------------------------------------------

// The weights seen with the dimensions of `a`: of the same shape, or of the shape of the averaged
// axes in the order given.
NDArray aligned_weights(const Frame& f, const NDArrayObj* a, NDArrayObj* w) {
  if (same_dims(a->dims(), w->dims())) return NDArray::share(w);
  if (f.is_none(1)) fail_type("Axis must be specified when shapes of a and weights differ.");
  Dims axes = f.shape(1);
  bool fits = axes.size() == static_cast<size_t>(w->ndim);
  int64_t shape[kMaxDims], strides[kMaxDims];
  std::fill_n(shape, a->ndim, 1);
  std::fill_n(strides, a->ndim, 0);
  for (size_t i = 0; fits && i < axes.size(); ++i) {
    const int axis = normalize_axis(axes[i], a->ndim);
    fits = w->shape[i] == a->shape[axis];
    shape[axis] = w->shape[i];
    strides[axis] = w->strides[i];
  }
  if (!fits)
    fail_value("Shape of weights must be consistent with shape of a along specified axis.");
  const size_t nd = static_cast<size_t>(a->ndim);
  return view(w, {shape, nd}, {strides, nd}, w->data);
}

void ret_average(Frame& f, NDArray average, NDArray scale) {
  if (!f.boolean(3)) return f.ret(std::move(average));
  if (!same_dims(scale->dims(), average->dims())) {
    NDArray wide = empty(average->dims(), scale->dt);
    assign(wide.get(), scale.get());
    scale = std::move(wide);
  }
  std::vector<NDArray> results;
  results.push_back(std::move(average));
  results.push_back(std::move(scale));
  f.ret_list(std::move(results));
}

// (a, axis, weights, returned, *, keepdims)
void average_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0 && !f.is_none(1)) axes_mask(f.shape(1), 0);
  const uint64_t axes = axes_argument(f, 1, a->ndim);
  const bool keepdims = f.boolean(4);
  if (f.is_none(2)) {
    if (a->size == 0) fail_fallback("average() of nothing");
    NDArray average = reduce_mean(a, axes, keepdims), scale;
    if (f.boolean(3)) {
      const double count = static_cast<double>(a->size) / static_cast<double>(average->size);
      alignas(16) char value[16];
      cast_one(DType::kFloat64, &count, average->dt, value);
      scale = scalar_array(average->dt, value);
    }
    return ret_average(f, std::move(average), std::move(scale));
  }
  NDArrayObj* w = f.array(2);
  NDArray weights = aligned_weights(f, a, w);
  DType d = promote_types(a->dt, w->dt);
  if (!is_inexact(a->dt)) d = promote_types(d, DType::kFloat64);
  NDArray scale = reduce_sum(weights.get(), axes, keepdims, &d);
  NDArray truth = astype(scale.get(), DType::kBool);
  auto* p = static_cast<const bool*>(truth->data);
  if (!std::all_of(p, p + truth->size, [](bool b) { return b; })) {
    fail_with("ZeroDivisionError", "Weights sum to zero, can't be normalized");
  }
  static const Ufunc &multiply = ufunc("multiply"), &divide = ufunc("divide");
  TVMFFIAny in[2] = {any_of(a), any_of(weights.get())};
  UfuncCall call;
  call.has_dtype = true;
  call.dtype = d;
  NDArray products;
  call_ufunc(multiply, in, call, &products);
  NDArray sum = reduce_sum(products.get(), axes, keepdims);
  NDArray average = call_binary(divide, any_of(sum.get()), any_of(scale.get()));
  ret_average(f, std::move(average), std::move(scale));
}

// ---- cov, corrcoef ------------------------------------------------------------------------------

// Rows of variables, columns of observations, as dtype d; appended to `rows`.
void append_variables(std::vector<NDArray>* rows, NDArrayObj* m, bool rowvar, DType d,
                      bool is_second) {
  if (m->ndim > 2) fail_value(is_second ? "y" : "m", " has more than 2 dimensions");
  int64_t shape[2] = {1, m->size}, strides[2] = {0, m->ndim ? m->strides[0] : 1};
  NDArray x = m->ndim == 2 ? NDArray::share(m) : view(m, shape, strides, m->data);
  const bool turns = !rowvar && (is_second ? x->shape[0] != 1 : m->ndim != 1);
  if (turns) x = moved_axis(x.get(), 0, 1);
  rows->push_back(astype(x.get(), d));
}

struct CovCall {
  bool rowvar = true;
  double ddof = 1;
  const DType* dtype = nullptr;
};

NDArray covariance(NDArrayObj* m, NDArrayObj* y, const CovCall& call) {
  DType d = promote_types(m->dt, DType::kFloat64);
  if (y) d = promote_types(d, y->dt);
  if (call.dtype) d = *call.dtype;
  if (!is_inexact(d) || d == DType::kFloat16) fail_fallback("cov() in this dtype");
  std::vector<NDArray> parts;
  append_variables(&parts, m, call.rowvar, d, false);
  const int64_t zero_shape[2] = {0, 0};
  if (parts[0]->shape[0] == 0) return empty(zero_shape, DType::kFloat64);
  if (y) append_variables(&parts, y, call.rowvar, d, true);
  NDArray x = parts[0];
  const int64_t n = x->shape[1];
  if (y) {
    if (parts[1]->shape[1] != n) {
      fail_value(
          "all the input array dimensions except for the concatenation axis must match exactly, "
          "but along dimension 1, the array at "
          "index 0 has size ",
          n, " and the array at index 1 has size ", parts[1]->shape[1]);
    }
    const int64_t shape[2] = {x->shape[0] + parts[1]->shape[0], n};
    x = empty(shape, d);
    std::copy_n(parts[0]->bytes(), parts[0]->nbytes(), x->bytes());
    std::copy_n(parts[1]->bytes(), parts[1]->nbytes(), x->bytes() + parts[0]->nbytes());
  }
  const double freedom = static_cast<double>(n) - call.ddof;
  if (n == 0 || freedom <= 0) fail_fallback("cov() with no degrees of freedom");  // which warns
  static const Ufunc &subtract = ufunc("subtract"), &multiply = ufunc("multiply"),
                     &conjugate = ufunc("conjugate");
  NDArray mean = reduce_mean(x.get(), 2, true);
  call_binary_out(subtract, any_of(x.get()), any_of(mean.get()), x.get());
  NDArray turned = moved_axis(x.get(), 0, 1);
  if (is_complex(d)) turned = call_unary(conjugate, any_of(turned.get()));
  NDArray c = dot(x.get(), turned.get());
  call_binary_out(multiply, any_of(c.get()), any_of(1 / freedom), c.get());
  if (c->shape[0] == 1) return view_contiguous(c.get(), {});
  return c;
}

CovCall cov_arguments(const Frame& f, int rowvar, int dtype, DType* d) {
  CovCall call;
  call.rowvar = f.boolean(rowvar);
  if (!f.is_none(dtype)) {
    *d = f.dtype(dtype, DType::kFloat64);
    call.dtype = d;
  }
  return call;
}

// (m, y, rowvar, bias, ddof, fweights, aweights, *, dtype)
void cov_body(Frame& f) {
  if (!f.is_none(5) || !f.is_none(6)) fail_fallback("cov() with weights");
  DType d;
  CovCall call = cov_arguments(f, 2, 7, &d);
  call.ddof = f.boolean(3) ? 0 : 1;
  if (!f.is_none(4)) {
    std::optional<double> ddof = real_of(f.args[4]);
    if (!ddof || *ddof != std::trunc(*ddof)) fail_value("ddof must be integer");
    call.ddof = *ddof;
  }
  f.ret(covariance(f.array(0), f.array_or_null(1), call));
}

// (x, y, rowvar, *, dtype)
void corrcoef_body(Frame& f) {
  DType d;
  CovCall call = cov_arguments(f, 2, 3, &d);
  NDArray c = covariance(f.array(0), f.array_or_null(1), call);
  if (c->ndim == 0) {
    static const Ufunc& divide = ufunc("divide");
    return f.ret(call_binary(divide, any_of(c.get()), any_of(c.get())));
  }
  const int64_t n = c->shape[0];
  auto normalise = [&]<class T, class R>() {
    T* p = static_cast<T*>(c->data);
    std::vector<R> deviation(static_cast<size_t>(n));
    for (int64_t i = 0; i < n; ++i)
      deviation[static_cast<size_t>(i)] = std::sqrt(std::real(p[i * n + i]));
    auto bound = [](R v) { return v < -1 ? R(-1) : v > 1 ? R(1) : v; };
    for (int64_t i = 0; i < n; ++i) {
      for (int64_t j = 0; j < n; ++j) {
        const R si = deviation[static_cast<size_t>(i)], sj = deviation[static_cast<size_t>(j)];
        T& v = p[i * n + j];
        if constexpr (is_complex_v<T>) v = {bound(v.real() / si / sj), bound(v.imag() / si / sj)};
        else v = bound(v / si / sj);
      }
    }
  };
  switch (c->dt) {
    case DType::kFloat32: normalise.operator()<float, float>(); break;
    case DType::kFloat64: normalise.operator()<double, double>(); break;
    case DType::kComplex64: normalise.operator()<std::complex<float>, float>(); break;
    default: normalise.operator()<std::complex<double>, double>();
  }
  f.ret(std::move(c));
}

}  // namespace

void register_statistics(Registry& r) {
  r.def({.name = "median",
         .signature = "(a: Array, axis: Axes = None, out: Out = None, overwrite_input: bool = "
                      "False, keepdims: bool = False)",
         .doc = "Middle elements over the given axes, or the means of the two middle ones. NaN "
                "where any element is NaN.",
         .body = median_body,
         .checks_fp = true});
  r.def({.name = "average",
         .signature = "(a: Array, axis: Axes = None, weights: Array? = None, returned: bool = "
                      "False, *, keepdims: bool = False)",
         .doc =
             "Weighted averages over the given axes; with `returned` also the sums of the weights.",
         .body = average_body,
         .checks_fp = true});
  constexpr const char* kQuantile =
      "(a: Array, q: Array, axis: Axes = None, out: Out = None, overwrite_input: bool = False, "
      "method: str = 'linear', "
      "keepdims: bool = False, *, weights: Any = None)";
  r.def({.name = "quantile",
         .signature = kQuantile,
         .doc = "Quantiles q, between 0 and 1, of the elements over the given axes. `method` says "
                "how neighbours are combined.",
         .body = [](Frame& f) { quantile(f, false); },
         .checks_fp = true});
  r.def({.name = "percentile",
         .signature = kQuantile,
         .doc = "Percentiles q, between 0 and 100, of the elements over the given axes. `method` "
                "says how neighbours are combined.",
         .body = [](Frame& f) { quantile(f, true); },
         .checks_fp = true});
  r.def({.name = "cov",
         .signature = "(m: Array, y: Array? = None, rowvar: bool = True, bias: bool = False, ddof: "
                      "Any = None, fweights: Any = None, "
                      "aweights: Any = None, *, dtype: DType = None)",
         .doc = "Covariances of variables, which are rows (or columns) of observations.",
         .body = cov_body,
         .checks_fp = true});
  r.def(
      {.name = "corrcoef",
       .signature = "(x: Array, y: Array? = None, rowvar: bool = True, *, dtype: DType = None)",
       .doc = "Correlation coefficients of variables, which are rows (or columns) of observations.",
       .body = corrcoef_body,
       .checks_fp = true});
}

}  // namespace isthmus
