// ops/indexing.cc: a[...] and a[...] = v for every index form, and the functions that select by
// index.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/index.h"
#include "ops/ufunc.h"

namespace isthmus {

void fail_index_bounds(int64_t index, int axis, int64_t size) {
  fail_index("index ", index, " is out of bounds for axis ", axis, " with size ", size);
}

namespace {

[[gnu::cold, gnu::noinline]] void fail_too_many(int ndim, int64_t given) {
  fail_index("too many indices for array: array is ", ndim, "-dimensional, but ", given,
             " were indexed");
}

struct SliceRange {
  int64_t start, step, length;
};

// How many steps fit into a distance of at least one; a 32-bit division takes a fraction of the
// time of a 64-bit one.
inline int64_t steps_in(int64_t distance, int64_t step) {
  auto n = static_cast<uint64_t>(distance - 1), by = static_cast<uint64_t>(step);
  return static_cast<int64_t>(
             (n | by) >> 32 ? n / by : static_cast<uint32_t>(n) / static_cast<uint32_t>(by)) +
         1;
}

// Python's slice.indices for a dimension of `size`.
inline SliceRange resolve_slice(const IndexItem& s, int64_t size) {
  int64_t step = s.step, start, stop;
  if (step > 0) {
    start = s.has_start
                ? (s.start < 0 ? std::max<int64_t>(s.start + size, 0) : std::min(s.start, size))
                : 0;
    stop = s.has_stop ? (s.stop < 0 ? std::max<int64_t>(s.stop + size, 0) : std::min(s.stop, size))
                      : size;
    int64_t length = stop <= start ? 0 : step == 1 ? stop - start : steps_in(stop - start, step);
    return {start, step, length};
  }
  if (step == 0) fail_value("slice step cannot be zero");
  start = s.has_start
              ? (s.start < 0 ? std::max<int64_t>(s.start + size, -1) : std::min(s.start, size - 1))
              : size - 1;
  stop = s.has_stop
             ? (s.stop < 0 ? std::max<int64_t>(s.stop + size, -1) : std::min(s.stop, size - 1))
             : -1;
  int64_t length = 0;
  if (start > stop) {
    // -step of the most negative integer overflows; a step that long takes one element.
    length = step == INT64_MIN ? 1 : (start - stop - 1) / -step + 1;
  }
  return {start, step, length};
}

// The basic part of an index: a view's shape and strides and its first element.
struct BasicView {
  ShapeBuf shape;
  int64_t strides[kMaxDims];
  char* data;
  void push(int64_t d, int64_t s) {
    if (shape.ndim >= kMaxDims)
      fail_index("number of dimensions must be within [0, ", kMaxDims,
                 "], indexing result would have more");
    strides[shape.ndim] = s;
    shape.push(d);
  }
};

// How many dimensions an item takes from the array.
int64_t dims_taken(const IndexItem& item) {
  switch (item.kind) {
    case IndexKind::kInt:
    case IndexKind::kSlice: return 1;
    case IndexKind::kArray: return item.array->dt == DType::kBool ? item.array->ndim : 1;
    default: return 0;
  }
}

void apply_slice(const NDArrayObj* a, int d, const IndexItem& item, BasicView* v) {
  SliceRange r = resolve_slice(item, a->shape[d]);
  // An empty slice keeps its start inside the array, so that no pointer leaves the block.
  if (r.length > 0) v->data += r.start * a->strides[d] * a->isz();
  v->push(r.length, r.length > 1 ? a->strides[d] * r.step : a->strides[d]);
}

// Basic indices only.
void basic_view(const NDArrayObj* a, const IndexItem* items, int count, BasicView* v) {
  int64_t taken = 0;
  int ellipses = 0;
  for (int i = 0; i < count; ++i) {
    taken += items[i].kind <= IndexKind::kSlice;
    ellipses += items[i].kind == IndexKind::kEllipsis;
  }
  if (ellipses > 1) fail_index("an index can only have a single ellipsis ('...')");
  if (taken > a->ndim) fail_too_many(a->ndim, taken);
  v->data = a->bytes();
  int d = 0;
  for (int i = 0; i < count; ++i) {
    const IndexItem& item = items[i];
    switch (item.kind) {
      case IndexKind::kInt:
        v->data += wrap_index(item.start, a->shape[d], d) * a->strides[d] * a->isz();
        ++d;
        break;
      case IndexKind::kSlice: apply_slice(a, d++, item, v); break;
      case IndexKind::kNewAxis: v->push(1, 0); break;
      default:  // the ellipsis
        for (int64_t k = a->ndim - taken; k > 0; --k, ++d) v->push(a->shape[d], a->strides[d]);
    }
  }
  for (; d < a->ndim; ++d) v->push(a->shape[d], a->strides[d]);
}

bool is_basic(const IndexItem* items, int count) {
  for (int i = 0; i < count; ++i)
    if (items[i].kind >= IndexKind::kBool) return false;
  return true;
}

bool has_ellipsis(const IndexItem* items, int count) {
  for (int i = 0; i < count; ++i)
    if (items[i].kind == IndexKind::kEllipsis) return true;
  return false;
}

// ---- Advanced ----------------------------------------------------------------------------------

// A resolved advanced index: for each position of the broadcast index shape, an offset (bytes) into
// `base`; what is left of the array at each position is `sub`.
struct Advanced {
  ShapeBuf index_shape;           // B
  std::vector<int64_t> offsets;   // |B| byte offsets
  ShapeBuf sub;                   // remaining dimensions, in order
  int64_t sub_strides[kMaxDims];  // elements
  int insert_at = 0;              // dimensions of `sub` that stand before B in the result
  char* data = nullptr;

  ShapeBuf result_shape() const {
    ShapeBuf s;
    for (int d = 0; d < insert_at; ++d) s.push(sub[d]);
    for (int d = 0; d < index_shape.ndim; ++d) s.push(index_shape[d]);
    for (int d = insert_at; d < sub.ndim; ++d) s.push(sub[d]);
    return s;
  }
};

[[gnu::cold]] void fail_index_dtype() {
  fail_index("arrays used as indices must be of integer (or boolean) type");
}

void resolve_advanced(const NDArrayObj* a, const IndexItem* items, int count, Advanced* out) {
  struct Pick {
    NDArray index;  // int64
    int axis;       // of a; -1 for a lone bool
  };
  std::vector<Pick> picks;
  int64_t taken = 0;
  bool ellipsis = false;
  for (int i = 0; i < count; ++i) {
    taken += dims_taken(items[i]);
    if (items[i].kind == IndexKind::kEllipsis) {
      if (ellipsis) fail_index("an index can only have a single ellipsis ('...')");
      ellipsis = true;
    }
  }
  if (taken > a->ndim) fail_too_many(a->ndim, taken);

  BasicView v;
  v.data = a->bytes();
  int d = 0;
  int first_at = -1;  // dimensions of the basic part before the first advanced index
  bool separated = false, in_run = false, run_ended = false;
  auto begin_pick = [&] {
    if (first_at < 0) first_at = v.shape.ndim;
    if (run_ended) separated = true;
    in_run = true;
  };
  auto end_run = [&] {
    if (in_run) run_ended = true;
    in_run = false;
  };
  for (int i = 0; i < count; ++i) {
    const IndexItem& item = items[i];
    switch (item.kind) {
      case IndexKind::kInt: {
        begin_pick();
        int64_t value = wrap_index(item.start, a->shape[d], d);
        picks.push_back({scalar_array(DType::kInt64, &value), d++});
        break;
      }
      case IndexKind::kSlice:
        end_run();
        apply_slice(a, d++, item, &v);
        break;
      case IndexKind::kNewAxis:
        end_run();
        v.push(1, 0);
        break;
      case IndexKind::kEllipsis:
        end_run();
        for (int64_t k = a->ndim - taken; k > 0; --k, ++d) v.push(a->shape[d], a->strides[d]);
        break;
      case IndexKind::kBool: {
        begin_pick();
        int64_t n = item.start ? 1 : 0;
        NDArray zero = zeros({&n, 1}, DType::kInt64);
        picks.push_back({std::move(zero), -1});
        break;
      }
      case IndexKind::kArray: {
        begin_pick();
        NDArrayObj* x = item.array;
        if (x->dt == DType::kBool) {
          for (int k = 0; k < x->ndim; ++k) {
            if (x->shape[k] != a->shape[d + k]) {
              fail_index("boolean index did not match indexed array along axis ", d + k,
                         "; size of axis is ", a->shape[d + k],
                         " but size of corresponding boolean axis is ", x->shape[k]);
            }
          }
          if (x->ndim == 0) {
            int64_t n = *static_cast<const bool*>(x->data) ? 1 : 0;
            picks.push_back({zeros({&n, 1}, DType::kInt64), -1});
          } else {
            for (NDArray& part : nonzero_of(x)) picks.push_back({std::move(part), d++});
          }
        } else {
          if (!is_integer(x->dt)) fail_index_dtype();
          picks.push_back({as_dtype(x, DType::kInt64), d++});
        }
        break;
      }
    }
  }
  for (; d < a->ndim; ++d) v.push(a->shape[d], a->strides[d]);

  for (Pick& p : picks) {
    if (!broadcast_into(&out->index_shape, p.index->dims())) {
      std::string shapes;
      for (Pick& q : picks)
        shapes += cat(shapes.empty() ? "" : " ", shape_str(q.index->shape, q.index->ndim));
      fail_index("shape mismatch: indexing arrays could not be broadcast together with shapes ",
                 shapes);
    }
  }
  out->sub = v.shape;
  std::copy(v.strides, v.strides + v.shape.ndim, out->sub_strides);
  out->data = v.data;
  out->insert_at = separated ? 0 : first_at;

  int64_t n = product(out->index_shape);
  out->offsets.assign(static_cast<size_t>(n), 0);
  if (n == 0) return;  // nothing is read, and as in NumPy no array of indices is checked
  for (Pick& p : picks) {
    if (p.axis < 0) continue;
    const int64_t size = a->shape[p.axis], step = a->strides[p.axis] * a->isz();
    NDArray whole;
    const int64_t* index;
    if (p.index->c_contiguous() && p.index->size == n) {
      index = static_cast<const int64_t*>(p.index->data);
    } else if (p.index->size == 1) {
      int64_t offset = wrap_index(*static_cast<const int64_t*>(p.index->data), size, p.axis) * step;
      for (int64_t& o : out->offsets) o += offset;
      continue;
    } else {
      int64_t strides[kMaxDims];
      broadcast_strides(p.index->dims(), p.index->elem_strides(), out->index_shape, strides);
      whole = empty(out->index_shape, DType::kInt64);
      copy_strided(whole->bytes(), whole->strides, DType::kInt64, p.index->bytes(), strides,
                   DType::kInt64, out->index_shape);
      index = static_cast<const int64_t*>(whole->data);
    }
    for (int64_t i = 0; i < n; ++i) {
      int64_t k = index[i];
      if (static_cast<uint64_t>(k) >= static_cast<uint64_t>(size)) k = wrap_index(k, size, p.axis);
      out->offsets[static_cast<size_t>(i)] += k * step;
    }
  }
}

// Whether dimensions are one contiguous run.
bool is_run(const ShapeBuf& shape, const int64_t* strides) {
  int64_t step = 1;
  for (int d = shape.ndim; d-- > 0;) {
    if (shape[d] == 1) continue;
    if (strides[d] != step) return false;
    step *= shape[d];
  }
  return true;
}

// Strides of the result array split into those of B and those of the remaining dimensions.
void split_strides(const Advanced& adv, const int64_t* strides, int64_t* index, int64_t* sub) {
  int b = adv.index_shape.ndim;
  for (int d = 0; d < adv.insert_at; ++d) sub[d] = strides[d];
  for (int d = 0; d < b; ++d) index[d] = strides[adv.insert_at + d];
  for (int d = adv.insert_at; d < adv.sub.ndim; ++d) sub[d] = strides[d + b];
}

// Calls each(i, offset) for every position i of B with its offset in elements under `strides`.
template <class F>
void for_index(const ShapeBuf& shape, const int64_t* strides, F&& each) {
  int64_t n = product(shape), offset = 0;
  int64_t index[kMaxDims];
  std::fill_n(index, shape.ndim, 0);
  for (int64_t i = 0; i < n; ++i) {
    each(i, offset);
    for (int d = shape.ndim; d-- > 0;) {
      offset += strides[d];
      if (++index[d] < shape[d]) break;
      offset -= strides[d] * shape[d];
      index[d] = 0;
    }
  }
}

// a[mask] with a mask over the leading dimensions of a contiguous array.
NDArray get_masked(const NDArrayObj* a, const NDArrayObj* mask) {
  auto* m = static_cast<const uint8_t*>(mask->data);
  int64_t count = count_true(m, mask->size);
  ShapeBuf shape;
  shape.push(count);
  int64_t block = 1;
  for (int d = mask->ndim; d < a->ndim; ++d) {
    shape.push(a->shape[d]);
    block *= a->shape[d];
  }
  NDArray out = empty(shape, a->dt);
  if (out->size == 0) return out;
  LongWork long_work(a->size);
  if (block == 1) {
    by_itemsize(a->isz(), [&]<class T>() {
      auto* in = static_cast<const T*>(a->data);
      auto* to = static_cast<T*>(out->data);
      T* const end = to + count;
      // Without a branch on the mask: the slot is overwritten until the mask moves on.
      for (int64_t i = 0; to != end; ++i) {
        *to = in[i];
        to += m[i] != 0;
      }
    });
    return out;
  }
  size_t bytes = static_cast<size_t>(block * a->isz());
  char* to = out->bytes();
  for (int64_t i = 0; i < mask->size; ++i) {
    if (!m[i]) continue;
    std::memcpy(to, a->bytes() + static_cast<size_t>(i) * bytes, bytes);
    to += bytes;
  }
  return out;
}

// The mask when the index is one bool array over leading dimensions and both are contiguous, else
// null.
const NDArrayObj* lone_mask(const NDArrayObj* a, const IndexItem* items, int count) {
  if (count != 1 || items[0].kind != IndexKind::kArray || items[0].array->dt != DType::kBool)
    return nullptr;
  const NDArrayObj* mask = items[0].array;
  if (mask->ndim == 0 || mask->ndim > a->ndim || !a->c_contiguous() || !mask->c_contiguous())
    return nullptr;
  for (int d = 0; d < mask->ndim; ++d)
    if (mask->shape[d] != a->shape[d]) return nullptr;
  return mask;
}

NDArray gather(const NDArrayObj* a, const Advanced& adv) {
  NDArray out = empty(adv.result_shape(), a->dt);
  if (out->size == 0) return out;
  LongWork long_work(out->size);
  const int isz = a->isz();
  const int64_t n = static_cast<int64_t>(adv.offsets.size());
  const int64_t block = product(adv.sub);
  if (adv.insert_at == 0 && is_run(adv.sub, adv.sub_strides)) {
    if (block == 1) {
      by_itemsize(isz, [&]<class T>() {
        auto* to = static_cast<T*>(out->data);
        for (int64_t i = 0; i < n; ++i)
          std::memcpy(&to[i], adv.data + adv.offsets[static_cast<size_t>(i)], sizeof(T));
      });
      return out;
    }
    size_t bytes = static_cast<size_t>(block * isz);
    for (int64_t i = 0; i < n; ++i)
      std::memcpy(out->bytes() + static_cast<size_t>(i) * bytes,
                  adv.data + adv.offsets[static_cast<size_t>(i)], bytes);
    return out;
  }
  int64_t index_strides[kMaxDims], sub_strides[kMaxDims];
  split_strides(adv, out->strides, index_strides, sub_strides);
  for_index(adv.index_shape, index_strides, [&](int64_t i, int64_t offset) {
    copy_strided(out->bytes() + offset * isz, sub_strides, a->dt,
                 adv.data + adv.offsets[static_cast<size_t>(i)], adv.sub_strides, a->dt, adv.sub);
  });
  return out;
}

// Converts an assigned value: numbers that the dtype cannot hold fail as in NumPy.
void scalar_value(const TVMFFIAny& v, DType d, void* out) {
  if (v.type_index == kTVMFFIFloat && is_integer(d) && !std::isfinite(v.v_float64)) {
    if (std::isnan(v.v_float64)) fail_value("cannot convert float NaN to integer");
    fail_with("OverflowError", "cannot convert float infinity to integer");
  }
  weak_to(v, d, out);
}

void scatter(NDArrayObj* a, const Advanced& adv, const TVMFFIAny& value) {
  const int isz = a->isz();
  ShapeBuf shape = adv.result_shape();
  int64_t total = product(shape);
  const int64_t n = static_cast<int64_t>(adv.offsets.size());
  alignas(16) char number[16];
  NDArray holder;
  const char* from;
  DType from_dt = a->dt;
  int64_t strides[kMaxDims];
  if (value.type_index != kTVMFFITensor) {
    scalar_value(value, a->dt, number);
    from = number;
    std::fill_n(strides, shape.ndim, 0);
  } else {
    NDArrayObj* v = as_ndarray(value);
    if (may_overlap(v, a)) {
      holder = copy(v);
      v = holder.get();
    }
    Dims dims = v->dims();
    const int64_t* vs = v->strides;
    while (dims.size() > static_cast<size_t>(shape.ndim) && dims[0] == 1) {
      dims = dims.subspan(1);
      ++vs;
    }
    ShapeBuf common = shape;
    if (dims.size() > static_cast<size_t>(shape.ndim) || !broadcast_into(&common, dims) ||
        !same_dims(common, shape)) {
      fail_value("shape mismatch: value array of shape ", shape_str(v->shape, v->ndim),
                 " could not be broadcast to indexing result of shape ",
                 shape_str(shape.dims, shape.ndim));
    }
    broadcast_strides(dims, {vs, dims.size()}, shape, strides);
    from = v->bytes();
    from_dt = v->dt;
  }
  if (total == 0) return;
  LongWork long_work(total);
  int64_t index_strides[kMaxDims], sub_strides[kMaxDims];
  split_strides(adv, strides, index_strides, sub_strides);
  const int fsz = itemsize(from_dt);
  if (product(adv.sub) == 1 && from_dt == a->dt) {
    by_itemsize(isz, [&]<class T>() {
      if (value.type_index != kTVMFFITensor) {
        for (int64_t i = 0; i < n; ++i)
          std::memcpy(adv.data + adv.offsets[static_cast<size_t>(i)], from, sizeof(T));
      } else {
        for_index(adv.index_shape, index_strides, [&](int64_t i, int64_t offset) {
          std::memcpy(adv.data + adv.offsets[static_cast<size_t>(i)], from + offset * fsz,
                      sizeof(T));
        });
      }
    });
    return;
  }
  for_index(adv.index_shape, index_strides, [&](int64_t i, int64_t offset) {
    copy_strided(adv.data + adv.offsets[static_cast<size_t>(i)], adv.sub_strides, a->dt,
                 from + offset * fsz, sub_strides, from_dt, adv.sub);
  });
}

// The address of the element that a full set of integers picks; null for any other index.
inline char* picked_element(const NDArrayObj* a, const IndexItem* items, int count) {
  if (count != a->ndim) return nullptr;
  char* p = a->bytes();
  for (int i = 0; i < count; ++i) {
    if (items[i].kind != IndexKind::kInt) return nullptr;
    int64_t k = items[i].start, size = a->shape[i];
    if (static_cast<uint64_t>(k) >= static_cast<uint64_t>(size)) k = wrap_index(k, size, i);
    p += (k * a->strides[i]) << shift(a->dt);
  }
  return p;
}

}  // namespace

// Positions of the true elements of a mask, one int64 array for each dimension.
std::vector<NDArray> nonzero_of(const NDArrayObj* a) {
  NDArray mask = a->dt == DType::kBool && a->c_contiguous()
                     ? NDArray::share(const_cast<NDArrayObj*>(a))
                     : astype(a, DType::kBool);
  auto* m = static_cast<const uint8_t*>(mask->data);
  int64_t count = count_true(m, mask->size);
  std::vector<NDArray> result;
  int nd = a->ndim;
  for (int d = 0; d < nd; ++d) result.push_back(empty({&count, 1}, DType::kInt64));
  if (count == 0) return result;
  if (nd == 1) {
    auto* out = static_cast<int64_t*>(result[0]->data);
    int64_t* const end = out + count;
    for (int64_t i = 0; out != end; ++i) {
      *out = i;
      out += m[i] != 0;
    }
    return result;
  }
  int64_t index[kMaxDims] = {}, at = 0;
  for (int64_t i = 0; i < mask->size; ++i) {
    if (m[i]) {
      for (int d = 0; d < nd; ++d)
        static_cast<int64_t*>(result[static_cast<size_t>(d)]->data)[at] = index[d];
      ++at;
    }
    for (int d = nd; d-- > 0;) {
      if (++index[d] < a->shape[d]) break;
      index[d] = 0;
    }
  }
  return result;
}

int64_t count_true(const uint8_t* m, int64_t n) {
  int64_t count = 0, i = 0;
  for (; i + 8 <= n; i += 8) {
    uint64_t v;
    std::memcpy(&v, m + i, 8);
    // Any set bit of a byte moves down to its lowest.
    v |= v >> 4;
    v |= v >> 2;
    v |= v >> 1;
    count += std::popcount(v & 0x0101010101010101u);
  }
  for (; i < n; ++i) count += m[i] != 0;
  return count;
}

NDArray getitem(NDArrayObj* a, const IndexItem* items, int count) {
  // Such an index gives the element's value, as NumPy's scalar is; an Ellipsis asks for a view.
  if (char* p = picked_element(a, items, count)) return scalar_array(a->dt, p);
  if (is_basic(items, count)) {
    BasicView v;
    basic_view(a, items, count, &v);
    if (v.shape.ndim == 0 && !has_ellipsis(items, count)) return scalar_array(a->dt, v.data);
    return view(a, v.shape, {v.strides, static_cast<size_t>(v.shape.ndim)}, v.data);
  }
  if (const NDArrayObj* mask = lone_mask(a, items, count)) return get_masked(a, mask);
  Advanced adv;
  resolve_advanced(a, items, count, &adv);
  return gather(a, adv);
}

void setitem(NDArrayObj* a, const IndexItem* items, int count, const TVMFFIAny& value) {
  if (!a->writeable()) fail_value("assignment destination is read-only");
  if (char* p = value.type_index != kTVMFFITensor ? picked_element(a, items, count) : nullptr)
    return scalar_value(value, a->dt, p);
  if (is_basic(items, count)) {
    BasicView v;
    basic_view(a, items, count, &v);
    int64_t total = product(v.shape);
    if (value.type_index != kTVMFFITensor) {
      alignas(16) char number[16];
      scalar_value(value, a->dt, number);
      if (total == 1) {
        std::memcpy(v.data, number, static_cast<size_t>(a->isz()));
        return;
      }
      int64_t zero[kMaxDims];
      std::fill_n(zero, v.shape.ndim, 0);
      copy_strided(v.data, v.strides, a->dt, number, zero, a->dt, v.shape);
      return;
    }
    NDArrayObj* from = as_ndarray(value);
    if (total == 1 && from->size == 1 && v.shape.ndim == 0 && from->ndim == 0)
      return cast_one(from->dt, from->data, a->dt, v.data);
    NDArray target = view(a, v.shape, {v.strides, static_cast<size_t>(v.shape.ndim)}, v.data);
    return assign(target.get(), from);
  }
  const NDArrayObj* mask = lone_mask(a, items, count);
  if (mask && mask->ndim == a->ndim && !may_overlap(mask, a)) {
    alignas(16) char number[16];
    bool scalar = value.type_index != kTVMFFITensor;
    if (scalar) {
      scalar_value(value, a->dt, number);
    } else if (as_ndarray(value)->size == 1 && as_ndarray(value)->ndim <= 1) {
      cast_one(as_ndarray(value)->dt, as_ndarray(value)->data, a->dt, number);
      scalar = true;
    }
    if (scalar) {
      auto* m = static_cast<const uint8_t*>(mask->data);
      LongWork long_work(a->size);
      by_itemsize(a->isz(), [&]<class T>() {
        T v;
        std::memcpy(&v, number, sizeof(T));
        auto* p = static_cast<T*>(a->data);
        for (int64_t i = 0; i < mask->size; ++i)
          if (m[i]) p[i] = v;
      });
      return;
    }
  }
  const bool whole_mask = count == 1 && items[0].kind == IndexKind::kArray &&
                          items[0].array->dt == DType::kBool && items[0].array->ndim == a->ndim;
  if (whole_mask && value.type_index == kTVMFFITensor && as_ndarray(value)->ndim > 1)
    fail_type("assignment by a mask takes a scalar or a vector, got shape ",
              shape_str(as_ndarray(value)->shape, as_ndarray(value)->ndim));
  Advanced adv;
  resolve_advanced(a, items, count, &adv);
  scatter(a, adv, value);
}

}  // namespace isthmus
