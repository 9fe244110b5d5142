// ops/sorting.cc: sort, argsort, partition, argpartition.
// SPDX-License-Identifier: Apache-2.0
#include "ops/sorting.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "core/storage.h"
#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/families.h"
#include "ops/host.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// Up to this length insertion sort is faster than a call of the host's kernel.
constexpr int64_t kSmallRun = 16;

template <class T>
void insertion_sort(T* p, int64_t n, int64_t step) {
  for (int64_t i = 1; i < n; ++i) {
    const T v = p[i * step];
    int64_t j = i;
    for (; j > 0 && sorts_before(v, p[(j - 1) * step]); --j) p[j * step] = p[(j - 1) * step];
    p[j * step] = v;
  }
}

template <class T>
void insertion_argsort(const T* p, int64_t* order, int64_t n, int64_t step) {
  for (int64_t i = 0; i < n; ++i) {
    const T v = p[i * step];
    int64_t j = i;
    for (; j > 0 && sorts_before(v, p[order[j - 1] * step]); --j) order[j] = order[j - 1];
    order[j] = i;
  }
}

// Puts the elements of every position in `at` where a sort would, smaller ones before and larger
// ones after.
template <class It, class Less>
void partition_positions(It first, int64_t n, std::span<const int64_t> at, Less less) {
  int64_t begin = 0;
  for (int64_t k : at) {
    std::nth_element(first + begin, first + k, first + n, less);
    begin = k + 1;
  }
}

[[gnu::cold]] void fail_host_sort() {
  fail_with("MemoryError", "sorting needs more memory than there is");
}

template <class T>
void gather(const T* from, int64_t step, T* to, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i] = from[i * step];
}
template <class T>
void scatter(const T* from, T* to, int64_t step, int64_t n) {
  for (int64_t i = 0; i < n; ++i) to[i * step] = from[i];
}

}  // namespace

void sort_run(DType d, void* data, int64_t n, bool stable) {
  if (n > kSmallRun) {
    const SortKernels& host = sort_kernels(d);
    if (SortFn fn = host.sort[static_cast<int>(stable ? SortKind::kStable : SortKind::kQuick)]) {
      if (fn(data, n, host.descr) != 0) fail_host_sort();
      return;
    }
  }
  dispatch(d, [&]<class T>() {
    T* p = static_cast<T*>(data);
    if (n <= kSmallRun) insertion_sort(p, n, 1);
    else if (stable) std::stable_sort(p, p + n, sorts_before<T>);
    else std::sort(p, p + n, sorts_before<T>);
  });
}

void argsort_run(DType d, const void* data, int64_t* order, int64_t n, bool stable) {
  if (n > kSmallRun) {
    const SortKernels& host = sort_kernels(d);
    std::iota(order, order + n, int64_t{0});
    if (ArgsortFn fn =
            host.argsort[static_cast<int>(stable ? SortKind::kStable : SortKind::kQuick)]) {
      if (fn(const_cast<void*>(data), order, n, host.descr) != 0) fail_host_sort();
      return;
    }
  }
  dispatch(d, [&]<class T>() {
    const T* p = static_cast<const T*>(data);
    if (n <= kSmallRun) return insertion_argsort(p, order, n, 1);
    std::stable_sort(order, order + n,
                     [p](int64_t i, int64_t j) { return sorts_before(p[i], p[j]); });
  });
}

namespace {

// A sample tells between which two values the wanted elements lie; one pass over all elements then
// counts those below and collects those between. False when the sample misled: there are too many
// between, or the wanted ones are not among them.
template <class T>
bool read_by_sample(const T* p, int64_t n, const T* sample, int64_t size,
                    std::span<const int64_t> positions, T* between, int64_t room, T* values) {
  const double scale = static_cast<double>(size) / static_cast<double>(n);
  const int64_t first = positions.front(), last = positions.back();
  const int64_t margin = static_cast<int64_t>(3 * std::sqrt(static_cast<double>(size)));
  const int64_t from = static_cast<int64_t>(static_cast<double>(first) * scale) - margin;
  const int64_t to = static_cast<int64_t>(static_cast<double>(last) * scale) + margin;
  const T low = sample[std::max<int64_t>(from, 0)], high = sample[std::min(to, size - 1)];
  const bool no_low = from < 0, no_high = to >= size;
  constexpr int64_t kBlock = 1024;
  int64_t below = 0, count = 0;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t end = std::min(i + kBlock, n);
    if (count + kBlock > room) return false;
    for (int64_t k = i; k < end; ++k) {
      const T v = p[k];
      const bool under = !no_low & (v < low), over = !no_high & (v > high);
      between[count] = v;
      count += !(under | over);
      below += under;
    }
  }
  if (first < below || last >= below + count) return false;
  int64_t begin = 0;
  for (size_t k = 0; k < positions.size(); ++k) {
    const int64_t at = positions[k] - below;
    std::nth_element(between + begin, between + at, between + count);
    values[k] = between[at];
    begin = at + 1;
  }
  return true;
}

template <class T>
void read_order_of(DType d, const T* p, int64_t n, std::span<const int64_t> positions, T* scratch,
                   T* values) {
  constexpr int64_t kSample = 4096;
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
    if (n >= 8 * kSample) {
      std::vector<T> sample(kSample);
      for (int64_t i = 0; i < kSample; ++i) sample[static_cast<size_t>(i)] = p[i * n / kSample];
      sort_run(d, sample.data(), kSample, false);
      // Positions close together are read in one pass.
      size_t k = 0;
      while (k < positions.size()) {
        size_t end = k + 1;
        while (end < positions.size() && positions[end] - positions[k] < n / 64) ++end;
        if (!read_by_sample(p, n, sample.data(), kSample, positions.subspan(k, end - k), scratch, n,
                            values + k))
          break;
        k = end;
      }
      if (k == positions.size()) return;
    }
  }
  std::copy_n(p, n, scratch);
  // Sorting short runs costs less than selecting in them.
  if (n <= 256 || positions.size() > 8) sort_run(d, scratch, n, false);
  else partition_positions(scratch, n, positions, sorts_before<T>);
  for (size_t k = 0; k < positions.size(); ++k) values[k] = scratch[positions[k]];
}

}  // namespace

void read_order(DType d, const void* data, int64_t n, std::span<const int64_t> positions,
                void* scratch, void* values) {
  dispatch(d, [&]<class T>() {
    read_order_of(d, static_cast<const T*>(data), n, positions, static_cast<T*>(scratch),
                  static_cast<T*>(values));
  });
}

void sort_inplace(NDArrayObj* a, int axis, bool stable) {
  const int64_t n = a->shape[axis], step = a->strides[axis];
  if (n < 2 || a->size == 0) return;
  LongWork long_work(a->size);
  if (n <= kSmallRun) {
    dispatch(a->dt, [&]<class T>() {
      for_each_line(a, axis, [&](char* p) { insertion_sort(reinterpret_cast<T*>(p), n, step); });
    });
    return;
  }
  if (step == 1) {
    for_each_line(a, axis, [&](char* p) { sort_run(a->dt, p, n, stable); });
    return;
  }
  LineBuffer buffer(static_cast<size_t>(n) << shift(a->dt));
  dispatch(a->dt, [&]<class T>() {
    T* line = static_cast<T*>(buffer.data());
    for_each_line(a, axis, [&](char* p) {
      gather(reinterpret_cast<const T*>(p), step, line, n);
      sort_run(a->dt, line, n, stable);
      scatter(line, reinterpret_cast<T*>(p), step, n);
    });
  });
}

namespace {

struct SortArguments {
  bool stable = false;
  // From (kind, order, stable) at parameters i, i + 1, i + 2.
  SortArguments(const Frame& f, int i) {
    if (!f.is_none(i)) {
      if (!f.is_none(i + 2))
        fail_value(
            "`kind` and keyword parameters can't be provided at the same time. Use only one of "
            "them.");
      std::string_view kind = f.str(i);
      switch (kind.empty() ? 0 : kind[0] | 0x20) {
        case 'q':
        case 'h': break;
        case 's':
        case 'm': stable = true; break;
        default:
          fail_value("sort kind must be one of 'quick', 'heap', or 'stable' (got '", kind, "')");
      }
    }
    if (!f.is_none(i + 1)) fail_value("Cannot specify order when the array has no fields.");
    const TVMFFIAny& flag = f.args[i + 2];
    if (flag.type_index == kTVMFFIBool || flag.type_index == kTVMFFIInt)
      stable |= flag.v_int64 != 0;
    else if (flag.type_index != kTVMFFINone) stable = true;
  }
};

// (a, axis, kind, order, *, stable)
void sort_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  SortArguments how(f, 2);
  NDArray result;
  int axis = 0;
  if (f.is_none(1)) {
    result = copy(a);
    result = ravel(result.get());
  } else {
    axis = normalize_axis(f.integer(1), a->ndim);
    result = copy_keep_order(a);
  }
  sort_inplace(result.get(), axis, how.stable);
  f.ret(std::move(result));
}

// The array that argsort and argpartition look at: flattened for None; a 0-d array counts as a
// vector of one.
NDArray indexed_operand(const Frame& f, NDArrayObj* a, int axis_param, int* axis) {
  *axis = 0;
  if (f.is_none(axis_param)) return ravel(a);
  if (a->ndim == 0) {
    normalize_axis(f.integer(axis_param), 1);
    return ravel(a);
  }
  *axis = normalize_axis(f.integer(axis_param), a->ndim);
  return NDArray::share(a);
}

// Calls each(line, order) for every line along the axis: n contiguous elements and where their
// indices go, contiguous too.
template <class T, class F>
void for_each_order(const NDArrayObj* a, int axis, NDArrayObj* result, F&& each) {
  const int64_t n = a->shape[axis], step = a->strides[axis], out_step = result->strides[axis];
  LineBuffer line(step == 1 ? 1 : static_cast<size_t>(n) * sizeof(T));
  LineBuffer order(out_step == 1 ? 1 : static_cast<size_t>(n) * sizeof(int64_t));
  int64_t index[kMaxDims] = {};
  char* out = result->bytes();
  for_each_line(a, axis, [&](char* p) {
    const T* in = reinterpret_cast<const T*>(p);
    int64_t* to = reinterpret_cast<int64_t*>(out);
    if (step != 1) {
      gather(in, step, static_cast<T*>(line.data()), n);
      in = static_cast<const T*>(line.data());
    }
    if (out_step == 1) {
      each(in, to);
    } else {
      each(in, static_cast<int64_t*>(order.data()));
      scatter(static_cast<const int64_t*>(order.data()), to, out_step, n);
    }
    for (int d = result->ndim; d-- > 0;) {
      if (d == axis) continue;
      out += result->strides[d] * 8;
      if (++index[d] < result->shape[d]) break;
      out -= result->strides[d] * 8 * result->shape[d];
      index[d] = 0;
    }
  });
}

// (a, axis, kind, order, *, stable)
void argsort_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  SortArguments how(f, 2);
  int axis;
  NDArray x = indexed_operand(f, a, 1, &axis);
  NDArray result = empty(x->dims(), DType::kInt64);
  if (result->size == 0) return f.ret(std::move(result));
  const int64_t n = x->shape[axis];
  LongWork long_work(x->size);
  dispatch(x->dt, [&]<class T>() {
    if (x->ndim == 1 && n <= kSmallRun) {
      return insertion_argsort(reinterpret_cast<const T*>(x->data),
                               static_cast<int64_t*>(result->data), n, x->strides[0]);
    }
    for_each_order<T>(x.get(), axis, result.get(), [&](const T* line, int64_t* order) {
      argsort_run(x->dt, line, order, n, how.stable);
    });
  });
  f.ret(std::move(result));
}

// ---- Partition ----------------------------------------------------------------------------------

// The positions that partition must put in order, made non-negative and ascending.
std::vector<int64_t> kth_positions(const TVMFFIAny& kth, int64_t n) {
  constexpr const char* kNotInteger = "Partition index must be integer";
  std::vector<int64_t> at;
  auto add = [&](const TVMFFIAny& v) {
    if (v.type_index == kTVMFFIBool) fail_value("Booleans unacceptable as partition index");
    std::optional<int64_t> i = integer_of(v);
    if (!i) fail_type(kNotInteger);
    at.push_back(*i);
  };
  if (auto items = items_of(kth)) {
    if (items->empty()) fail_type(kNotInteger);
    for (const TVMFFIAny& v : *items) {
      if (items_of(v)) fail_value("object too deep for desired array");
      add(v);
    }
  } else if (kth.type_index == kTVMFFITensor && as_ndarray(kth)->ndim > 0) {
    const NDArrayObj* a = as_ndarray(kth);
    if (a->ndim > 1) fail_value("object too deep for desired array");
    if (a->dt == DType::kBool) fail_value("Booleans unacceptable as partition index");
    if (!is_integer(a->dt)) fail_type(kNotInteger);
    NDArray flat = astype(a, DType::kInt64);
    at.assign(static_cast<const int64_t*>(flat->data),
              static_cast<const int64_t*>(flat->data) + flat->size);
  } else {
    add(kth);
  }
  for (int64_t& k : at) {
    if (k < -n || k >= n) fail_value("kth(=", k, ") out of bounds (", n, ")");
    if (k < 0) k += n;
  }
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  return at;
}

// (a, kth, axis, kind, order)
void check_partition(const Frame& f) {
  if (f.str(3) != "introselect")
    fail_value("select kind must be 'introselect' (got '", f.str(3), "')");
  if (!f.is_none(4)) fail_value("Cannot specify order when the array has no fields.");
}

void partition_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  check_partition(f);
  NDArray result;
  int axis = 0;
  if (f.is_none(2)) {
    result = copy(a);
    result = ravel(result.get());
  } else {
    axis = normalize_axis(f.integer(2), a->ndim);
    result = copy_keep_order(a);
  }
  if (result->size == 0) return f.ret(std::move(result));
  const int64_t n = result->shape[axis], step = result->strides[axis];
  const std::vector<int64_t> at = kth_positions(f.args[1], n);
  LongWork long_work(result->size);
  dispatch(result->dt, [&]<class T>() {
    LineBuffer buffer(step == 1 ? 1 : static_cast<size_t>(n) * sizeof(T));
    for_each_line(result.get(), axis, [&](char* p) {
      T* line = reinterpret_cast<T*>(p);
      if (step == 1) return partition_positions(line, n, at, sorts_before<T>);
      T* copied = static_cast<T*>(buffer.data());
      gather(line, step, copied, n);
      partition_positions(copied, n, at, sorts_before<T>);
      scatter(copied, line, step, n);
    });
  });
  f.ret(std::move(result));
}

void argpartition_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  check_partition(f);
  int axis;
  NDArray x = indexed_operand(f, a, 2, &axis);
  NDArray result = empty(x->dims(), DType::kInt64);
  if (result->size == 0) return f.ret(std::move(result));
  const int64_t n = x->shape[axis];
  const std::vector<int64_t> at = kth_positions(f.args[1], n);
  LongWork long_work(x->size);
  dispatch(x->dt, [&]<class T>() {
    for_each_order<T>(x.get(), axis, result.get(), [&](const T* line, int64_t* order) {
      std::iota(order, order + n, int64_t{0});
      partition_positions(order, n, at,
                          [line](int64_t i, int64_t j) { return sorts_before(line[i], line[j]); });
    });
  });
  f.ret(std::move(result));
}

}  // namespace

void register_sorting(Registry& r) {
  constexpr const char* kSort =
      "(a: Array, axis: int? = -1, kind: str? = None, order: Any = None, *, stable: Any = None)";
  r.def({.name = "sort",
         .signature = kSort,
         .doc = "A sorted copy along an axis (of the flattened array for None). NaN goes last.",
         .body = sort_body});
  r.def({.name = "argsort",
         .signature = kSort,
         .doc = "The indices that sort an array along an axis. Equal elements keep their order "
                "when `stable` is true.",
         .body = argsort_body});
  constexpr const char* kPartition =
      "(a: Array, kth: Any, axis: int? = -1, kind: str = 'introselect', order: Any = None)";
  r.def({.name = "partition",
         .signature = kPartition,
         .doc = "A copy in which the elements at the positions `kth` are where sorting would put "
                "them, with none that is larger "
                "before and none that is smaller behind.",
         .body = partition_body});
  r.def({.name = "argpartition",
         .signature = kPartition,
         .doc = "The indices that partition an array along an axis.",
         .body = argpartition_body});
}

}  // namespace isthmus
