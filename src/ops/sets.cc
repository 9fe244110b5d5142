// ops/sets.cc: unique and its kin, isin.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/sorting.h"
#include "ops/views.h"

namespace isthmus {
namespace {

struct UniqueCall {
  bool index = false, inverse = false, counts = false;
  bool equal_nan = true;
};

struct UniqueResult {
  NDArray values, index, inverse, counts;
};

// The first of every group of equal neighbours in a sorted run. NaN is last; with `equal_nan` all
// NaN are one group (of complex numbers all that have a NaN in either part).
template <class T>
std::vector<int64_t> group_starts(const T* sorted, int64_t n, bool equal_nan) {
  std::vector<int64_t> starts;
  bool in_nan = false;
  for (int64_t i = 0; i < n; ++i) {
    bool starts_group = i == 0 || !equals(sorted[i], sorted[i - 1]);
    if (equal_nan && !std::is_integral_v<T> && is_nan(sorted[i])) {
      starts_group = !in_nan;
      in_nan = true;
    }
    if (starts_group) starts.push_back(i);
  }
  return starts;
}

NDArray new_indices(int64_t n) { return empty({&n, 1}, DType::kInt64); }
int64_t* indices_of(const NDArray& a) { return static_cast<int64_t*>(a->data); }

// What groups of a sorted run say about the elements, where `order` sorts them (null: not asked
// for).
void describe_groups(const std::vector<int64_t>& starts, const int64_t* order, int64_t n,
                     const UniqueCall& call, UniqueResult* r) {
  const int64_t groups = static_cast<int64_t>(starts.size());
  auto end_of = [&](int64_t g) { return g + 1 < groups ? starts[static_cast<size_t>(g + 1)] : n; };
  if (call.index) {
    r->index = new_indices(groups);
    for (int64_t g = 0; g < groups; ++g)
      indices_of(r->index)[g] = order[starts[static_cast<size_t>(g)]];
  }
  if (call.inverse) {
    r->inverse = new_indices(n);
    for (int64_t g = 0; g < groups; ++g)
      for (int64_t i = starts[static_cast<size_t>(g)]; i < end_of(g); ++i)
        indices_of(r->inverse)[order[i]] = g;
  }
  if (call.counts) {
    r->counts = new_indices(groups);
    for (int64_t g = 0; g < groups; ++g)
      indices_of(r->counts)[g] = end_of(g) - starts[static_cast<size_t>(g)];
  }
}

// Of the flattened array; the inverse keeps its shape.
UniqueResult unique_flat(NDArrayObj* a, const UniqueCall& call) {
  const int64_t n = a->size;
  UniqueResult r;
  NDArray sorted = empty({&n, 1}, a->dt), order;
  LongWork long_work(n);
  if (call.index || call.inverse) {
    NDArray flat = ascontiguous(a);
    order = new_indices(n);
    argsort_run(a->dt, flat->data, indices_of(order), n, call.index);
    dispatch(a->dt, [&]<class T>() {
      auto* from = static_cast<const T*>(flat->data);
      T* to = static_cast<T*>(sorted->data);
      for (int64_t i = 0; i < n; ++i) to[i] = from[indices_of(order)[i]];
    });
  } else {
    NDArray shaped = view_contiguous(sorted.get(), a->dims());
    copy_into(shaped.get(), a);
    sort_run(a->dt, sorted->data, n, false);
  }
  dispatch(a->dt, [&]<class T>() {
    T* p = static_cast<T*>(sorted->data);
    const std::vector<int64_t> starts = group_starts(p, n, call.equal_nan);
    const int64_t groups = static_cast<int64_t>(starts.size());
    r.values = empty({&groups, 1}, a->dt);
    T* to = static_cast<T*>(r.values->data);
    for (int64_t g = 0; g < groups; ++g) to[g] = p[starts[static_cast<size_t>(g)]];
    describe_groups(starts, order ? indices_of(order) : nullptr, n, call, &r);
  });
  if (r.inverse && a->ndim != 1) r.inverse = view_contiguous(r.inverse.get(), a->dims());
  return r;
}

// Of the subarrays along an axis, compared element by element in C order (so that a NaN differs
// from every other).
UniqueResult unique_along(NDArrayObj* a, int axis, const UniqueCall& call) {
  if (a->dt == DType::kFloat16)
    fail_fallback("unique() of float16 along an axis");  // NumPy orders NaN otherwise there
  NDArray rows = moved_axis(a, axis, 0);
  rows = ascontiguous(rows.get());
  const int64_t n = rows->shape[0];
  int64_t width = 1;
  for (int d = 1; d < rows->ndim; ++d) width *= rows->shape[d];
  UniqueResult r;
  NDArray order = new_indices(n);
  for (int64_t i = 0; i < n; ++i) indices_of(order)[i] = i;
  LongWork long_work(rows->size);
  dispatch(a->dt, [&]<class T>() {
    auto* p = static_cast<const T*>(rows->data);
    int64_t* at = indices_of(order);
    std::stable_sort(at, at + n, [&](int64_t i, int64_t j) {
      const T *x = p + i * width, *y = p + j * width;
      for (int64_t k = 0; k < width; ++k) {
        if (sorts_before(x[k], y[k])) return true;
        if (sorts_before(y[k], x[k])) return false;
      }
      return false;
    });
    std::vector<int64_t> starts;
    for (int64_t i = 0; i < n; ++i) {
      bool same = i > 0;
      for (int64_t k = 0; same && k < width; ++k)
        same = equals(p[at[i] * width + k], p[at[i - 1] * width + k]);
      if (!same) starts.push_back(i);
    }
    ShapeBuf shape;
    shape.push(static_cast<int64_t>(starts.size()));
    for (int d = 1; d < rows->ndim; ++d) shape.push(rows->shape[d]);
    r.values = empty(shape, a->dt);
    T* to = static_cast<T*>(r.values->data);
    for (int64_t s : starts) to = std::copy_n(p + at[s] * width, width, to);
    describe_groups(starts, at, n, call, &r);
  });
  r.values = moved_axis(r.values.get(), 0, axis);
  return r;
}

void ret_unique(Frame& f, UniqueResult r) {
  if (!r.index && !r.inverse && !r.counts) return f.ret(std::move(r.values));
  std::vector<NDArray> results;
  results.push_back(std::move(r.values));
  for (NDArray* a : {&r.index, &r.inverse, &r.counts})
    if (*a) results.push_back(std::move(*a));
  f.ret_list(std::move(results));
}

// (ar, return_index, return_inverse, return_counts, axis, *, equal_nan, sorted)
void unique_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  UniqueCall call{f.boolean(1), f.boolean(2), f.boolean(3), f.boolean(5)};
  int axis = f.is_none(4) ? 0 : normalize_axis(f.integer(4), a->ndim);
  ret_unique(f, f.is_none(4) || a->ndim == 1 ? unique_flat(a, call) : unique_along(a, axis, call));
}

template <bool kIndex, bool kInverse, bool kCounts>
void unique_part_body(Frame& f) {
  ret_unique(f, unique_flat(f.array(0), {kIndex, kInverse, kCounts, false}));
}

// ---- isin ---------------------------------------------------------------------------------------

// Whether elements occur among sorted ones.
template <class T>
void find_sorted(const T* p, int64_t n, const T* sorted, int64_t count, bool found, bool* out) {
  for (int64_t i = 0; i < n; ++i) {
    const T* at = std::lower_bound(sorted, sorted + count, p[i], sorts_before<T>);
    out[i] = (at != sorted + count && equals(*at, p[i])) == found;
  }
}

// A few test elements: one pass over the elements for each of them.
template <class T>
void find_few(const T* p, int64_t n, const T* tests, int64_t count, bool found, bool* out) {
  std::fill_n(out, n, !found);
  for (int64_t k = 0; k < count; ++k) {
    const T t = tests[k];
    for (int64_t i = 0; i < n; ++i)
      if (equals(p[i], t)) out[i] = found;
  }
}

// Integers in a range that is not much longer than they are many: a table of which occur.
template <class T>
bool find_in_table(const T* p, int64_t n, const T* tests, int64_t count, bool found, bool* out) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const auto [low, high] = std::minmax_element(tests, tests + count);
    const uint64_t first = static_cast<uint64_t>(*low),
                   range = static_cast<uint64_t>(*high) - first;
    if (range > 6 * static_cast<uint64_t>(n + count)) return false;
    std::vector<uint8_t> table(range + 1, 0);
    for (int64_t k = 0; k < count; ++k) table[static_cast<uint64_t>(tests[k]) - first] = 1;
    for (int64_t i = 0; i < n; ++i) {
      const uint64_t at = static_cast<uint64_t>(p[i]) - first;
      out[i] = (at <= range && table[at]) == found;
    }
    return true;
  }
  return false;
}

// (element, test_elements, assume_unique, invert, *, kind)
void isin_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  const bool found = !f.boolean(3);
  bool integers = !is_inexact(a->dt) && !is_inexact(b->dt);
  if (!f.is_none(4)) {
    const std::string_view kind = f.str(4);
    if (kind != "sort" && kind != "table")
      fail_value("Invalid kind: '", kind, "'. Please use None, 'sort' or 'table'.");
    if (kind == "table" && !integers)
      fail_value(
          "The 'table' method is only supported for boolean or integer arrays. Please select "
          "'sort' or None for kind.");
    if (kind == "table") fail_fallback("isin() by a table of any size");
  }
  NDArray out = empty(a->dims(), DType::kBool);
  bool* to = static_cast<bool*>(out->data);
  if (b->size == 0) {
    std::fill_n(to, a->size, !found);
    return f.ret(std::move(out));
  }
  DType d = promote_types(a->dt, b->dt);
  if (integers && is_inexact(d)) {
    // uint64 with a signed dtype: equal numbers are those that both hold, which float64 would blur.
    fail_fallback("isin() of uint64 among signed integers");
  }
  Converted x(a, d), y(b, d);
  if (!x->c_contiguous()) x.replace(copy(x.get()));
  NDArray tests = copy(y.get());
  LongWork long_work(a->size + b->size);
  dispatch(d, [&]<class T>() {
    auto* p = static_cast<const T*>(x->data);
    T* t = static_cast<T*>(tests->data);
    const int64_t n = a->size, count = b->size;
    constexpr int64_t kFew = 8;
    if (count <= kFew) return find_few(p, n, t, count, found, to);
    if (find_in_table(p, n, t, count, found, to)) return;
    sort_run(d, t, count, false);
    find_sorted(p, n, t, count, found, to);
  });
  f.ret(std::move(out));
}

}  // namespace

void register_sets(Registry& r) {
  r.def({.name = "unique",
         .signature = "(ar: Array, return_index: bool = False, return_inverse: bool = False, "
                      "return_counts: bool = False, "
                      "axis: int? = None, *, equal_nan: bool = True, sorted: bool = True)",
         .doc = "The sorted unique elements, or subarrays along an axis; also, if asked for, where "
                "each occurs first, the indices "
                "that rebuild the array, and how often each occurs.",
         .body = unique_body});
  r.def({.name = "unique_values",
         .signature = "(x: Array, /)",
         .doc = "The unique elements, sorted. Every NaN counts.",
         .body = unique_part_body<false, false, false>});
  r.def({.name = "unique_counts",
         .signature = "(x: Array, /) -> tuple[Array, Array]",
         .doc = "The sorted unique elements and how often each occurs.",
         .body = unique_part_body<false, false, true>});
  r.def({.name = "unique_inverse",
         .signature = "(x: Array, /) -> tuple[Array, Array]",
         .doc = "The sorted unique elements and the indices that rebuild the array from them.",
         .body = unique_part_body<false, true, false>});
  r.def({.name = "unique_all",
         .signature = "(x: Array, /) -> tuple[Array, Array, Array, Array]",
         .doc = "The sorted unique elements, where each occurs first, the indices that rebuild the "
                "array, and how often each occurs.",
         .body = unique_part_body<true, true, true>});
  r.def({.name = "isin",
         .signature = "(element: Array, test_elements: Array, assume_unique: bool = False, invert: "
                      "bool = False, *, kind: str? = None)",
         .doc = "Whether each element occurs among the test elements (with `invert`: whether it "
                "does not).",
         .body = isin_body});
}

}  // namespace isthmus
