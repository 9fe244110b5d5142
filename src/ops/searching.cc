// ops/searching.cc: searchsorted, digitize, bincount, histogram, interp, and conversions of flat
// and multiple indices.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/sorting.h"
#include "ops/ufunc.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// A C-contiguous array of a dtype that the value casts to safely.
NDArray safe_contiguous(NDArrayObj* a, DType d) {
  if (!can_cast(a->dt, d, Casting::kSafe)) {
    fail_type("Cannot cast array data from dtype('", name(a->dt), "') to dtype('", name(d),
              "') according to the rule 'safe'");
  }
  return a->dt == d ? ascontiguous(a) : astype(a, d);
}

void require_vector(const NDArrayObj* a) {
  if (a->ndim < 1) fail_value("object of too small depth for desired array");
  if (a->ndim > 1) fail_value("object too deep for desired array");
}

// ---- searchsorted, digitize ---------------------------------------------------------------------

// Where each key goes among `values`, through `order` when given. Starts each search where the last
// one ended, and takes the same steps as NumPy, which matters for values that are not sorted.
template <class T, bool kRight>
bool search_keys(const NDArrayObj* values, const int64_t* order, const T* keys, int64_t count,
                 int64_t* out) {
  const T* p = static_cast<const T*>(values->data);
  const int64_t n = values->shape[0], step = values->strides[0];
  auto before = [](T a, T b) {  // a stays on the left of the place for b
    if constexpr (kRight) return !sorts_before(b, a);
    else return sorts_before(a, b);
  };
  int64_t low = 0, high = n;
  for (int64_t i = 0; i < count; ++i) {
    const T key = keys[i];
    if (i > 0) {
      if (before(keys[i - 1], key)) {
        high = n;
      } else {
        low = 0;
        high = high < n ? high + 1 : n;
      }
    }
    while (low < high) {
      const int64_t middle = low + ((high - low) >> 1);
      int64_t at = middle;
      if (order) {
        at = order[middle];
        if (at < 0 || at >= n) return false;
      }
      if (before(p[at * step], key)) low = middle + 1;
      else high = middle;
    }
    out[i] = low;
  }
  return true;
}

NDArray searchsorted(NDArrayObj* values, NDArrayObj* keys, bool right, const int64_t* order) {
  const DType d = promote_types(values->dt, keys->dt);
  Converted x(values, d), k(keys, d);
  if (!k->c_contiguous()) k.replace(copy(k.get()));
  NDArray out = empty(keys->dims(), DType::kInt64);
  LongWork long_work(keys->size * 4);
  bool ok = dispatch(d, [&]<class T>() {
    auto* p = static_cast<const T*>(k->data);
    auto* to = static_cast<int64_t*>(out->data);
    return right ? search_keys<T, true>(x.get(), order, p, keys->size, to)
                 : search_keys<T, false>(x.get(), order, p, keys->size, to);
  });
  if (!ok) fail_value("Sorter index out of range.");
  return out;
}

// (a, v, side, sorter)
void searchsorted_body(Frame& f) {
  NDArrayObj *a = f.array(0), *v = f.array(1);
  const std::string_view side = f.str(2);
  if (side != "left" && side != "right")
    fail_value("search side must be 'left' or 'right' (got '", side, "')");
  require_vector(a);
  NDArray sorter;
  if (NDArrayObj* s = f.array_or_null(3)) {
    if (!is_integer(s->dt) && s->dt != DType::kBool) fail_type("sorter must only contain integers");
    require_vector(s);
    if (s->size != a->size) fail_value("sorter.size must equal a.size");
    NDArray wide = as_dtype(s, DType::kInt64);
    sorter = ascontiguous(wide.get());
  }
  f.ret(searchsorted(a, v, side == "right",
                     sorter ? static_cast<const int64_t*>(sorter->data) : nullptr));
}

// 1 when values never fall, -1 when they never rise, 0 otherwise.
int monotonicity(const double* p, int64_t n) {
  int64_t i = 1;
  while (i < n && p[i] == p[0]) ++i;
  if (i >= n) return 1;
  const bool rises = p[i - 1] < p[i];
  for (++i; i < n; ++i)
    if (rises ? p[i - 1] > p[i] : p[i - 1] < p[i]) return 0;
  return rises ? 1 : -1;
}

// (x, bins, right)
void digitize_body(Frame& f) {
  NDArrayObj *x = f.array(0), *bins = f.array(1);
  if (is_complex(x->dt)) fail_type("x may not be complex");
  NDArray numbers = safe_contiguous(bins, DType::kFloat64);
  require_vector(bins);
  const int order = monotonicity(static_cast<const double*>(numbers->data), bins->size);
  if (order == 0) fail_value("bins must be monotonically increasing or decreasing");
  const bool right = !f.boolean(2);
  if (order > 0) return f.ret(searchsorted(bins, x, right, nullptr));
  const int64_t n = bins->size, back = -bins->strides[0];
  NDArray reversed =
      view(bins, {&n, 1}, {&back, 1}, bins->bytes() + (n - 1) * bins->strides[0] * bins->isz());
  NDArray out = searchsorted(reversed.get(), x, right, nullptr);
  auto* p = static_cast<int64_t*>(out->data);
  for (int64_t i = 0; i < out->size; ++i) p[i] = n - p[i];
  f.ret(std::move(out));
}

// ---- bincount -----------------------------------------------------------------------------------

// (x, weights, minlength)
void bincount_body(Frame& f) {
  NDArrayObj* x = f.array(0);
  NDArrayObj* weights = f.array_or_null(1);
  const int64_t shortest = f.integer(2);
  // Floats are deprecated; an empty list arrives as an empty array of them.
  if (is_inexact(x->dt) && (x->size > 0 || x->dt != DType::kFloat64))
    fail_fallback("bincount() of floats");
  NDArray values = as_dtype(x, DType::kInt64);
  values = ascontiguous(values.get());
  require_vector(x);
  if (shortest < 0) fail_value("'minlength' must not be negative");
  auto* p = static_cast<const int64_t*>(values->data);
  const int64_t n = values->size;
  int64_t low = 0, high = -1;
  for (int64_t i = 0; i < n; ++i) {
    low = std::min(low, p[i]);
    high = std::max(high, p[i]);
  }
  if (low < 0) fail_value("'list' argument must have no negative elements");
  const int64_t length = std::max(high + 1, shortest);
  LongWork long_work(n);
  if (!weights) {
    NDArray out = zeros({&length, 1}, DType::kInt64);
    auto* to = static_cast<int64_t*>(out->data);
    for (int64_t i = 0; i < n; ++i) ++to[p[i]];
    return f.ret(std::move(out));
  }
  NDArray w = safe_contiguous(weights, DType::kFloat64);
  require_vector(weights);
  if (weights->size != n) fail_value("The weights and list don't have the same length.");
  NDArray out = zeros({&length, 1}, DType::kFloat64);
  auto* to = static_cast<double*>(out->data);
  auto* by = static_cast<const double*>(w->data);
  for (int64_t i = 0; i < n; ++i) to[p[i]] += by[i];
  f.ret(std::move(out));
}

// ---- histogram ----------------------------------------------------------------------------------

// An outer edge: its value, and the number that keeps elements in range is compared with.
struct Edges {
  double first, last;
  double width;       // last - first, in the arithmetic of the edges' own dtype
  bool width_single;  // `width` is float32: both edges are elements of a float32 array
};

// np.histogram's range: given, or that of the data.
template <class T>
Edges outer_edges(const T* p, int64_t n, const TVMFFIAny& range) {
  Edges e{0, 1, 1, false};
  if (range.type_index != kTVMFFINone) {
    auto pair = items_of(range);
    if (!pair || pair->size() != 2) fail_fallback("range of this kind");
    auto first = real_of((*pair)[0]), last = real_of((*pair)[1]);
    if (!first || !last || (*pair)[0].type_index == kTVMFFITensor ||
        (*pair)[1].type_index == kTVMFFITensor)
      fail_fallback("range of this kind");
    e.first = *first;
    e.last = *last;
    if (e.first > e.last) fail_value("max must be larger than min in range parameter.");
    if (!std::isfinite(e.first) || !std::isfinite(e.last))
      fail_value("supplied range of [", e.first, ", ", e.last, "] is not finite");
    e.width = e.last - e.first;
  } else if (n > 0) {
    T low = p[0], high = p[0];
    bool nan = is_nan(p[0]);
    for (int64_t i = 1; i < n; ++i) {
      low = p[i] < low ? p[i] : low;
      high = p[i] > high ? p[i] : high;
      nan |= is_nan(p[i]);
    }
    e.first = static_cast<double>(low);
    e.last = static_cast<double>(high);
    if (nan || !std::isfinite(e.first) || !std::isfinite(e.last))
      fail_value("autodetected range of [", nan ? NAN : e.first, ", ", nan ? NAN : e.last,
                 "] is not finite");
    if constexpr (std::is_integral_v<T>) {
      e.width = static_cast<double>(static_cast<std::make_unsigned_t<T>>(
          static_cast<std::make_unsigned_t<T>>(high) - static_cast<std::make_unsigned_t<T>>(low)));
    } else {
      e.width = static_cast<double>(static_cast<T>(high - low));
      e.width_single = std::is_same_v<T, float>;
    }
  }
  if (e.first == e.last) {
    if (e.width_single) {
      e.first = static_cast<float>(e.first) - 0.5f;
      e.last = static_cast<float>(e.last) + 0.5f;
      e.width = static_cast<float>(e.last) - static_cast<float>(e.first);
    } else {
      e.first -= 0.5;
      e.last += 0.5;
      e.width = e.last - e.first;
    }
  }
  if (std::abs(e.first) >= 0x1p53 || std::abs(e.last) >= 0x1p53) {
    if (std::is_integral_v<T>) fail_fallback("integers past 2**53");
  }
  return e;
}

// np.linspace(first, last, bins + 1) in E, the dtype of the edges. `exact_single`: computed in
// float32 throughout.
template <class E>
NDArray make_edges(const Edges& e, int64_t bins) {
  const int64_t length = bins + 1;
  NDArray edges = empty({&length, 1}, dtype_of<E>());
  E* to = static_cast<E*>(edges->data);
  auto fill = [&]<class C>(C first, C last) {
    const C delta = last - first, step = delta / static_cast<C>(bins);
    for (int64_t i = 0; i <= bins; ++i) {
      const C y = static_cast<C>(i);
      to[i] = static_cast<E>((step != 0 ? y * step : y / static_cast<C>(bins) * delta) + first);
    }
    to[bins] = static_cast<E>(last);
  };
  if (e.width_single) fill(static_cast<float>(e.first), static_cast<float>(e.last));
  else fill(e.first, e.last);
  for (int64_t i = 0; i < bins; ++i) {
    if (to[i] >= to[i + 1])
      fail_value("Too many bins for data range. Cannot create ", bins, " finite-sized bins.");
  }
  return edges;
}

// Calls add(i, bin) for each element that is in range. C: what the bin is computed in, as NumPy's
// promotion has it.
template <class T, class E, class C, class Add>
void for_each_bin(const T* p, int64_t n, const Edges& e, const E* edges, int64_t bins, Add&& add) {
  const E first = static_cast<E>(e.first), last = static_cast<E>(e.last);
  const C width = static_cast<C>(e.width), count = static_cast<C>(bins);
  for (int64_t i = 0; i < n; ++i) {
    const E v = static_cast<E>(p[i]);
    if (!(v >= first && v <= last)) continue;
    int64_t bin = static_cast<int64_t>(static_cast<C>(v - first) / width * count);
    if (bin == bins) --bin;
    // Rounding may leave an element one bin off.
    if (v < edges[bin]) --bin;
    else if (v >= edges[bin + 1] && bin != bins - 1) ++bin;
    add(i, bin);
  }
}

template <class T, class E, class Add>
void for_each_bin(const T* p, int64_t n, const Edges& e, const E* edges, int64_t bins, Add&& add) {
  if (e.width_single) for_each_bin<T, E, float>(p, n, e, edges, bins, add);
  else for_each_bin<T, E, double>(p, n, e, edges, bins, add);
}

int64_t bins_argument(const TVMFFIAny& v) {
  if (v.type_index == kTVMFFIFloat) fail_type("`bins` must be an integer, a string, or an array");
  if (v.type_index != kTVMFFIInt) fail_fallback("bins of this kind");
  if (v.v_int64 < 1) fail_value("`bins` must be positive, when an integer");
  return v.v_int64;
}

template <class F>
void for_histogram_dtype(DType d, F&& f) {
  dispatch(d, [&]<class T>() {
    if constexpr (std::is_same_v<T, float>) f.template operator()<float, float>();
    else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
      f.template operator()<T, double>();
    else if constexpr (std::is_same_v<T, double>) f.template operator()<double, double>();
    else fail_fallback("histogram() of this dtype");
  });
}

// (a, bins, range, density, weights)
void histogram_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArrayObj* weights = f.array_or_null(4);
  if (weights && !same_dims(weights->dims(), a->dims()))
    fail_value("weights should have the same shape as a.");
  const int64_t bins = bins_argument(f.args[1]);
  if (weights &&
      (weights->dt == DType::kBool || weights->dt == DType::kFloat16 || is_complex(weights->dt)))
    fail_fallback("histogram with weights of this dtype");
  bool density = f.args[3].type_index != kTVMFFINone &&
                 !(f.args[3].type_index == kTVMFFIBool && !f.args[3].v_int64);
  NDArray x = ascontiguous(a), w, counts, edges;
  const DType count_dtype = weights ? weights->dt : DType::kInt64;
  if (weights) {
    w = as_dtype(weights, DType::kFloat64);
    w = ascontiguous(w.get());
  }
  for_histogram_dtype(a->dt, [&]<class T, class E>() {
    auto* p = static_cast<const T*>(x->data);
    const Edges e = outer_edges(p, x->size, f.args[2]);
    edges = make_edges<E>(e, bins);
    auto* limits = static_cast<const E*>(edges->data);
    LongWork long_work(x->size * 4);
    counts = zeros({&bins, 1}, count_dtype);
    if (!weights) {
      auto* to = static_cast<int64_t*>(counts->data);
      return for_each_bin(p, x->size, e, limits, bins, [to](int64_t, int64_t bin) { ++to[bin]; });
    }
    // Sums of weights are rounded to their dtype once for every block, as NumPy rounds them.
    constexpr int64_t kBlock = 65536;
    NDArray sums = empty({&bins, 1}, DType::kFloat64);
    auto* to = static_cast<double*>(sums->data);
    for (int64_t at = 0; at < x->size; at += kBlock) {
      std::fill_n(to, bins, 0.0);
      auto* by = static_cast<const double*>(w->data) + at;
      for_each_bin(p + at, std::min(kBlock, x->size - at), e, limits, bins,
                   [to, by](int64_t i, int64_t bin) { to[bin] += by[i]; });
      NDArray part = as_dtype(sums.get(), count_dtype);
      static const Ufunc& add = ufunc("add");
      call_binary_out(add, any_of(counts.get()), any_of(part.get()), counts.get());
    }
  });
  if (density) {
    NDArray n = astype(counts.get(), DType::kFloat64), limits = as_dtype(edges.get(), edges->dt);
    auto* to = static_cast<double*>(n->data);
    double total = 0;
    for (int64_t i = 0; i < bins; ++i) total += to[i];
    for (int64_t i = 0; i < bins; ++i) {
      double width = edges->dt == DType::kFloat32
                         ? static_cast<double>(static_cast<const float*>(edges->data)[i + 1] -
                                               static_cast<const float*>(edges->data)[i])
                         : static_cast<const double*>(edges->data)[i + 1] -
                               static_cast<const double*>(edges->data)[i];
      to[i] = to[i] / width / total;
    }
    counts = std::move(n);
  }
  std::vector<NDArray> results;
  results.push_back(std::move(counts));
  results.push_back(std::move(edges));
  f.ret_list(std::move(results));
}

// (a, bins, range, weights)
void histogram_bin_edges_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArrayObj* weights = f.array_or_null(3);
  if (weights && !same_dims(weights->dims(), a->dims()))
    fail_value("weights should have the same shape as a.");
  const int64_t bins = bins_argument(f.args[1]);
  NDArray x = ascontiguous(a);
  for_histogram_dtype(a->dt, [&]<class T, class E>() {
    f.ret(make_edges<E>(outer_edges(static_cast<const T*>(x->data), x->size, f.args[2]), bins));
  });
}

// ---- interp -------------------------------------------------------------------------------------

// (x, xp, fp, left, right, period)
void interp_body(Frame& f) {
  NDArrayObj *x = f.array(0), *xp = f.array(1), *fp = f.array(2);
  if (is_complex(fp->dt) || !f.is_none(5))
    fail_fallback("interp() of complex numbers or with a period");
  auto outside = [&](int i, double otherwise) {
    if (f.is_none(i)) return otherwise;
    std::optional<double> v = real_of(f.args[i]);
    if (!v)
      fail_type("interp(): '", f.op.schema.params[static_cast<size_t>(i)].name,
                "' must be a real number");
    return *v;
  };
  NDArray where = safe_contiguous(x, DType::kFloat64), at = safe_contiguous(xp, DType::kFloat64),
          values = safe_contiguous(fp, DType::kFloat64);
  require_vector(xp);
  require_vector(fp);
  const int64_t n = xp->size, count = x->size;
  if (n == 0) fail_value("array of sample points is empty");
  if (fp->size != n) fail_value("fp and xp are not of the same length.");
  auto *dx = static_cast<const double*>(at->data), *dy = static_cast<const double*>(values->data),
       *in = static_cast<const double*>(where->data);
  const double left = outside(3, dy[0]), right = outside(4, dy[n - 1]);
  NDArray result = empty(x->dims(), DType::kFloat64);
  double* out = static_cast<double*>(result->data);
  LongWork long_work(count * 4);
  int64_t j = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double v = in[i];
    if (n == 1) {
      out[i] = v < dx[0] ? left : v > dx[0] ? right : dy[0];
      continue;
    }
    if (std::isnan(v)) {
      out[i] = v;
    } else if (v > dx[n - 1]) {
      out[i] = right;
    } else if (v < dx[0]) {
      out[i] = left;
    } else {
      // The last interval first: neighbours often share it.
      if (!(dx[j] <= v && (j + 1 == n || v < dx[j + 1])))
        j = std::max<int64_t>(std::upper_bound(dx, dx + n, v) - dx - 1, 0);
      if (j == n - 1 || dx[j] == v) {
        out[i] = dy[j];
        continue;
      }
      const double slope = (dy[j + 1] - dy[j]) / (dx[j + 1] - dx[j]);
      double y = slope * (v - dx[j]) + dy[j];
      if (std::isnan(y)) {  // infinite values: try from the other end
        y = slope * (v - dx[j + 1]) + dy[j + 1];
        if (std::isnan(y) && dy[j] == dy[j + 1]) y = dy[j];
      }
      out[i] = y;
    }
  }
  f.ret(std::move(result));
}

// ---- Flat and multiple indices ------------------------------------------------------------------

bool fortran_order(std::string_view order) {
  if (order == "C") return false;
  if (order == "F") return true;
  fail_value("only 'C' or 'F' order is permitted, got '", order, "'");
}

NDArray index_operand(NDArrayObj* a) {
  if (!is_integer(a->dt) || a->dt == DType::kUInt64) fail_type("only int indices permitted");
  NDArray wide = as_dtype(a, DType::kInt64);
  return ascontiguous(wide.get());
}

// (indices, shape, order)
void unravel_index_body(Frame& f) {
  Dims shape = f.shape(1);
  const bool fortran = fortran_order(f.str(2));
  NDArrayObj* a = f.array(0);
  NDArray indices = index_operand(a);
  const int64_t total = checked_size(shape, DType::kInt64);
  auto* in = static_cast<const int64_t*>(indices->data);
  if (shape.empty()) {
    for (int64_t i = 0; i < a->size; ++i)
      if (in[i] != 0) fail_value("index ", in[i], " is out of bounds for array with size 1");
    if (a->ndim > 0) fail_value("multiple indices are not supported for 0d array");
  }
  std::vector<NDArray> results;
  for (size_t d = 0; d < shape.size(); ++d) results.push_back(empty(a->dims(), DType::kInt64));
  for (int64_t i = 0; i < a->size; ++i) {
    int64_t rest = in[i];
    if (rest < 0 || rest >= total)
      fail_value("index ", rest, " is out of bounds for array with size ", total);
    for (size_t k = 0; k < shape.size(); ++k) {
      const size_t d = fortran ? k : shape.size() - 1 - k;
      static_cast<int64_t*>(results[d]->data)[i] = rest % shape[d];
      rest /= shape[d];
    }
  }
  f.ret_list(std::move(results));
}

// (multi_index, dims, mode, order)
void ravel_multi_index_body(Frame& f) {
  auto given = f.list(0);
  Dims shape = f.shape(1);
  const bool fortran = fortran_order(f.str(3));
  enum Mode { kRaise, kWrap, kClip };
  std::vector<Mode> modes(shape.size());
  auto mode_of = [](const TVMFFIAny& v) {
    std::string_view text;
    if (!as_string(v, &text) || text.empty()) fail_type("clipmode must be a string");
    switch (text[0] | 0x20) {
      case 'r': return kRaise;
      case 'w': return kWrap;
      case 'c': return kClip;
      default: fail_value("clipmode must be one of 'clip', 'raise', or 'wrap' (got '", text, "')");
    }
  };
  if (auto items = items_of(f.args[2])) {
    if (items->size() != shape.size())
      fail_value("need ", shape.size(), " modes, got ", items->size());
    for (size_t d = 0; d < shape.size(); ++d) modes[d] = mode_of((*items)[d]);
  } else {
    std::fill(modes.begin(), modes.end(), mode_of(f.args[2]));
  }
  if (given.size() != shape.size())
    fail_value("parameter multi_index must be a sequence of length ", shape.size());
  checked_size(shape, DType::kInt64);
  std::vector<NDArray> indices;
  ShapeBuf common;
  bool fits = true;
  for (const TVMFFIAny& v : given) {
    indices.push_back(index_operand(f.to_array(v)));
    fits &= broadcast_into(&common, indices.back()->dims());
  }
  if (!fits) fail_value("operands could not be broadcast together");
  NDArray result = zeros(common, DType::kInt64);
  auto* to = static_cast<int64_t*>(result->data);
  int64_t step = 1;
  for (size_t k = 0; k < shape.size(); ++k) {
    const size_t d = fortran ? k : shape.size() - 1 - k;
    const int64_t size = shape[d];
    int64_t strides[kMaxDims], index[kMaxDims] = {}, at = 0;
    broadcast_strides(indices[d]->dims(), indices[d]->elem_strides(), common, strides);
    for (int64_t i = 0; i < result->size; ++i) {
      int64_t v = static_cast<const int64_t*>(indices[d]->data)[at];
      if (v < 0 || v >= size) {
        if (modes[d] == kRaise || size == 0) fail_value("invalid entry in coordinates array");
        v = modes[d] == kClip ? std::clamp<int64_t>(v, 0, size - 1) : ((v % size) + size) % size;
      }
      to[i] += v * step;
      for (int j = common.ndim; j-- > 0;) {
        at += strides[j];
        if (++index[j] < common[j]) break;
        at -= strides[j] * common[j];
        index[j] = 0;
      }
    }
    step *= size;
  }
  f.ret(std::move(result));
}

}  // namespace

void register_searching(Registry& r) {
  r.def({.name = "searchsorted",
         .signature = "(a: Array, v: Array, side: str = 'left', sorter: Array? = None)",
         .doc = "Where to insert the elements of v into the sorted vector a to keep it sorted: "
                "before equal elements ('left') or "
                "behind them ('right'). `sorter` holds indices that sort a.",
         .body = searchsorted_body});
  r.def({.name = "digitize",
         .signature = "(x: Array, bins: Array, right: bool = False)",
         .doc = "The bin of each element of x, by the edges in `bins`, which rise or fall. `right` "
                "closes bins on the right.",
         .body = digitize_body});
  r.def({.name = "bincount",
         .signature = "(x: Array, /, weights: Array? = None, minlength: int = 0)",
         .doc = "How often each integer from 0 to the largest one occurs in x, or the sum of its "
                "weights.",
         .body = bincount_body});
  r.def({.name = "histogram",
         .signature = "(a: Array, bins: Any = 10, range: Any = None, density: Any = None, weights: "
                      "Array? = None) -> tuple[Array, Array]",
         .doc = "How many elements fall into each bin, and the edges of the bins. The last bin "
                "includes its right edge.",
         .body = histogram_body,
         .checks_fp = true});
  r.def({.name = "histogram_bin_edges",
         .signature = "(a: Array, bins: Any = 10, range: Any = None, weights: Array? = None)",
         .doc = "The edges of the bins that histogram would use.",
         .body = histogram_bin_edges_body});
  r.def({.name = "interp",
         .signature = "(x: Array, xp: Array, fp: Array, left: Any = None, right: Any = None, "
                      "period: Any = None)",
         .doc = "Values at x of the line through the points (xp, fp), whose xp rise; beyond them "
                "`left` and `right`.",
         .body = interp_body});
  r.def(
      {.name = "unravel_index",
       .signature = "(indices: Array, shape: Shape, order: str = 'C') -> tuple[Array, ...]",
       .doc = "Indices into the flattened array of a shape as indices into each of its dimensions.",
       .body = unravel_index_body});
  r.def({.name = "ravel_multi_index",
         .signature = "(multi_index: Arrays, dims: Shape, mode: Any = 'raise', order: str = 'C')",
         .doc = "Indices into each dimension of a shape as indices into its flattened array. "
                "`mode` says what happens out of "
                "bounds: 'raise', 'wrap' or 'clip'.",
         .body = ravel_multi_index_body});
}

}  // namespace isthmus
