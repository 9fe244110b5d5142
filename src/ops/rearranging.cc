// ops/rearranging.cc: copies with elements moved, repeated, added or left out.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/values.h"

namespace isthmus {
namespace {

// The elements [begin, end) of an axis.
NDArray part(const NDArrayObj* a, int axis, int64_t begin, int64_t end) {
  ShapeBuf shape;
  for (int d = 0; d < a->ndim; ++d) shape.push(d == axis ? end - begin : a->shape[d]);
  return view(a, shape, a->elem_strides(), a->bytes() + begin * a->strides[axis] * a->isz());
}

// An array seen as rows of an axis: `outer` blocks of `n` rows of `row` bytes. Only for
// C-contiguous arrays.
struct Rows {
  int64_t outer = 1, n = 0, row = 0;
  Rows(const NDArrayObj* a, int axis) : n(a->shape[axis]), row(a->isz()) {
    for (int d = 0; d < axis; ++d) outer *= a->shape[d];
    for (int d = axis + 1; d < a->ndim; ++d) row *= a->shape[d];
  }
};

ShapeBuf with_side(const NDArrayObj* a, int axis, int64_t n) {
  ShapeBuf shape;
  for (int d = 0; d < a->ndim; ++d) shape.push(d == axis ? n : a->shape[d]);
  return shape;
}

// The array to work along `axis` of: itself, or a flat one when the axis is None (*axis receives 0
// then).
NDArrayObj* along(Frame& f, int array_at, int axis_at, int* axis) {
  NDArrayObj* a = f.array(array_at);
  if (!f.is_none(axis_at)) {
    *axis = normalize_axis(f.integer(axis_at), a->ndim);
    return a;
  }
  *axis = 0;
  if (a->ndim == 1) return a;
  int64_t n = a->size;
  return f.hold(view_contiguous(f.hold(ascontiguous(a)), {&n, 1}));
}

// ---- roll --------------------------------------------------------------------------------------
int64_t wrapped(int64_t shift, int64_t n) {
  if (n == 0) return 0;
  shift %= n;
  return shift < 0 ? shift + n : shift;
}

// One axis of a contiguous array: each block of rows is two pieces that change places.
void roll_rows(char* dst, const char* src, const Rows& r, int64_t shift) {
  size_t head = static_cast<size_t>((r.n - shift) * r.row),
         tail = static_cast<size_t>(shift * r.row);
  for (int64_t o = 0; o < r.outer; ++o, dst += head + tail, src += head + tail) {
    std::memcpy(dst + tail, src, head);
    std::memcpy(dst, src + head, tail);
  }
}

void body_roll(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims shifts = f.shape(1);
  if (f.is_none(2)) {
    int64_t sum = 0;
    for (int64_t s : shifts) sum += wrapped(s, a->size);
    NDArrayObj* c = f.hold(ascontiguous(a));
    NDArray out = empty(a->dims(), a->dt);
    if (a->size > 0) {
      LongWork long_work(a->size);
      int64_t shift = wrapped(sum, a->size);
      size_t head = static_cast<size_t>((a->size - shift) * a->isz()),
             tail = static_cast<size_t>(shift * a->isz());
      std::memcpy(out->bytes() + tail, c->data, head);
      std::memcpy(out->data, c->bytes() + head, tail);
    }
    return f.ret(std::move(out));
  }
  Dims axes = f.shape(2);
  size_t n = shifts.size() == 1 ? axes.size() : shifts.size();
  if (axes.size() != n && axes.size() != 1) {
    fail_value("shape mismatch: objects cannot be broadcast to a single shape: ", shifts.size(),
               " shifts for ", axes.size(), " axes");
  }
  int64_t shift[kMaxDims] = {};
  int moving = 0, last = 0;
  for (size_t i = 0; i < n; ++i) {
    int axis = normalize_axis(axes[axes.size() == 1 ? 0 : i], a->ndim);
    shift[axis] = wrapped(shift[axis] + wrapped(shifts[shifts.size() == 1 ? 0 : i], a->shape[axis]),
                          a->shape[axis]);
  }
  for (int d = 0; d < a->ndim; ++d) {
    if (shift[d] == 0) continue;
    ++moving;
    last = d;
  }
  NDArray out = empty_keep_order(a, a->dims(), a->dt);
  if (a->size == 0) return f.ret(std::move(out));
  if (moving == 0) {
    copy_into(out.get(), a);
  } else if (moving == 1 && a->c_contiguous()) {
    LongWork long_work(a->size);
    roll_rows(out->bytes(), a->bytes(), Rows(a, last), shift[last]);
  } else {
    // Every combination of the two pieces of each moving axis.
    for (uint64_t corner = 0; corner < uint64_t{1} << moving; ++corner) {
      NDArray from = NDArray::share(a), to = out;
      for (int d = 0, bit = 0; d < a->ndim; ++d) {
        if (shift[d] == 0) continue;
        int64_t n_d = a->shape[d], s = shift[d];
        bool tail = corner >> bit++ & 1;
        from = part(from.get(), d, tail ? n_d - s : 0, tail ? n_d : n_d - s);
        to = part(to.get(), d, tail ? 0 : s, tail ? s : n_d);
      }
      copy_into(to.get(), from.get());
    }
  }
  f.ret(std::move(out));
}

// ---- repeat, tile
// ------------------------------------------------------------------------------------ Every row
// `times` times.
template <class T>
void repeat_rows(char* dst, const char* src, int64_t rows, int64_t times) {
  auto* out = reinterpret_cast<T*>(dst);
  auto* in = reinterpret_cast<const T*>(src);
  auto run = [&]<int64_t kTimes>() {
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t k = 0; k < kTimes; ++k) *out++ = in[i];
  };
  switch (times) {
    case 2: return run.template operator()<2>();
    case 3: return run.template operator()<3>();
    case 4: return run.template operator()<4>();
  }
  for (int64_t i = 0; i < rows; ++i) out = std::fill_n(out, times, in[i]);
}
void repeat_each(char* dst, const char* src, int64_t row, int64_t rows, int64_t times) {
  switch (row) {
    case 1: return repeat_rows<uint8_t>(dst, src, rows, times);
    case 2: return repeat_rows<uint16_t>(dst, src, rows, times);
    case 4: return repeat_rows<uint32_t>(dst, src, rows, times);
    case 8: return repeat_rows<uint64_t>(dst, src, rows, times);
  }
  size_t bytes = static_cast<size_t>(row);
  for (int64_t i = 0; i < rows; ++i, src += bytes)
    for (int64_t k = 0; k < times; ++k, dst += bytes) std::memcpy(dst, src, bytes);
}
// Row i of each block counts[i] times.
void repeat_counts(char* dst, const char* src, const Rows& r, const int64_t* counts) {
  size_t row = static_cast<size_t>(r.row);
  for (int64_t o = 0; o < r.outer; ++o) {
    for (int64_t i = 0; i < r.n; ++i, src += row) {
      for (int64_t k = 0; k < counts[i]; ++k, dst += row) {
        if (row == 8) std::memcpy(dst, src, 8);
        else std::memcpy(dst, src, row);
      }
    }
  }
}

void body_repeat(Frame& f) {
  int axis = 0;
  NDArrayObj* a = f.array(0);
  int64_t one = 1;
  if (a->ndim == 0 && !f.is_none(2) && (f.integer(2) == 0 || f.integer(2) == -1))
    a = f.hold(view_contiguous(a, {&one, 1}));
  else a = along(f, 0, 2, &axis);
  NDArrayObj* counts = f.array(1);
  if (is_float(counts->dt)) fail_fallback("repeats that are no integers");
  if (!can_cast(counts->dt, DType::kInt64, Casting::kSafe)) {
    fail_type("Cannot cast array data from dtype('", name(counts->dt),
              "') to dtype('int64') according to the rule 'safe'");
  }
  if (counts->ndim > 1)
    fail_value("object too deep for desired array: repeats has ", counts->ndim, " dimensions");
  NDArray as_int = astype(counts, DType::kInt64);
  auto* count = static_cast<const int64_t*>(as_int->data);
  int64_t n = a->shape[axis], total = 0;
  bool each = counts->ndim == 0 || counts->size == 1;
  if (!each && counts->size != n) {
    fail_value("operands could not be broadcast together with shape (", n, ",) ",
               shape_str(counts->shape, counts->ndim));
  }
  if (each) {
    if (count[0] < 0) fail_value("repeats may not contain negative values, got ", count[0]);
    if (__builtin_mul_overflow(n, count[0], &total)) fail_value("array is too big");
  } else {
    for (int64_t i = 0; i < n; ++i) {
      if (count[i] < 0) fail_value("repeats may not contain negative values, got ", count[i]);
      if (__builtin_add_overflow(total, count[i], &total)) fail_value("array is too big");
    }
  }
  NDArrayObj* c = f.hold(ascontiguous(a));
  NDArray out = empty(with_side(a, axis, total), a->dt);
  if (out->size == 0) return f.ret(std::move(out));
  LongWork long_work(out->size);
  Rows rows(c, axis);
  if (each) repeat_each(out->bytes(), c->bytes(), rows.row, rows.outer * n, count[0]);
  else repeat_counts(out->bytes(), c->bytes(), rows, count);
  f.ret(std::move(out));
}

// Writes the first `block` bytes at dst `times` times in a row, doubling what is there.
void multiply_block(char* dst, int64_t block, int64_t times) {
  int64_t have = block, want = block * times;
  for (; have < want; have *= 2)
    std::memcpy(dst + have, dst, static_cast<size_t>(std::min(have, want - have)));
}

void body_tile(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims reps = f.shape(1);
  int nd = std::max(a->ndim, static_cast<int>(reps.size()));
  if (nd > kMaxDims)
    fail_value("maximum supported dimension for an array is currently ", kMaxDims, ", found ", nd);
  if (nd == a->ndim && std::all_of(reps.begin(), reps.end(), [](int64_t n) { return n == 1; }))
    return f.ret(copy_keep_order(a));
  ShapeBuf sides, times, shape;  // of the input with as many axes, and of the output
  for (int d = 0; d < nd; ++d) {
    int from = d - (nd - a->ndim), at = d - (nd - static_cast<int>(reps.size()));
    sides.push(from >= 0 ? a->shape[from] : 1);
    times.push(at >= 0 ? reps[static_cast<size_t>(at)] : 1);
    if (times[d] < 0)
      fail_value("negative dimensions are not allowed: reps is ",
                 shape_str(reps.data(), static_cast<int>(reps.size())));
    shape.push(0);
    if (__builtin_mul_overflow(sides[d], times[d], &shape[d])) fail_value("array is too big");
  }
  NDArray out = empty(shape, a->dt);
  if (out->size == 0) return f.ret(std::move(out));
  LongWork long_work(out->size);
  copy_strided(out->bytes(), out->strides + (nd - a->ndim), a->dt, a->bytes(), a->strides, a->dt,
               a->dims());
  // From the last axis to the first: each row of what is there is complete in the axes behind and
  // repeated along this one.
  for (int d = nd; d-- > 0;) {
    if (times[d] == 1) continue;
    int64_t block = sides[d] * out->strides[d] * out->isz();
    int64_t index[kMaxDims] = {};
    char* at = out->bytes();
    for (int k = d; k >= 0;) {
      multiply_block(at, block, times[d]);
      for (k = d - 1; k >= 0; --k) {
        at += out->strides[k] * out->isz();
        if (++index[k] < sides[k]) break;
        at -= index[k] * out->strides[k] * out->isz();
        index[k] = 0;
      }
    }
  }
  f.ret(std::move(out));
}

// ---- pad ----------------------------------------------------------------------------------------

// pad_width as an array: an integer, an array, or sequences of integers or of such sequences of
// one length.
NDArrayObj* pad_widths(Frame& f, int i) {
  const TVMFFIAny& v = f.args[i];
  if (v.type_index == kTVMFFITensor) return as_ndarray(v);
  std::vector<int64_t> values;
  ShapeBuf shape;
  auto add = [&](const TVMFFIAny& x) {
    if (x.type_index != kTVMFFIInt) fail_fallback("pad_width of this kind");
    values.push_back(x.v_int64);
  };
  if (auto rows = items_of(v)) {
    if (rows->empty()) fail_fallback("pad_width of this kind");
    shape.push(static_cast<int64_t>(rows->size()));
    for (const TVMFFIAny& row : *rows) {
      auto pair = items_of(row);
      const int64_t width = pair ? static_cast<int64_t>(pair->size()) : -1;
      if (&row == rows->data() && pair) shape.push(width);
      if (width != (shape.ndim > 1 ? shape[1] : -1)) fail_fallback("pad_width of this kind");
      if (!pair) add(row);
      else
        for (const TVMFFIAny& x : *pair) add(x);
    }
  } else {
    add(v);
  }
  NDArray widths = empty(shape, DType::kInt64);
  std::copy(values.begin(), values.end(), static_cast<int64_t*>(widths->data));
  return f.hold(std::move(widths));
}

// The pair for each axis that an argument of pad stands for: one value, one pair, or a pair for
// each axis.
template <class T>
void axis_pairs(Frame& f, NDArrayObj* given, int ndim, DType dtype, std::vector<T>* pairs) {
  NDArrayObj* x = f.hold(astype(given, dtype));
  size_t count = 2 * static_cast<size_t>(ndim);
  pairs->resize(count);
  auto* v = static_cast<const T*>(x->data);
  if (x->size == 1) {
    for (size_t i = 0; i < count; ++i) (*pairs)[i] = v[0];
  } else if (x->size == 2 && !(x->ndim == 2 && x->shape[1] == 1)) {
    for (size_t i = 0; i < count; ++i) (*pairs)[i] = v[i & 1];
  } else {
    bool per_axis = x->ndim == 2 && x->shape[0] == ndim && (x->shape[1] == 2 || x->shape[1] == 1);
    if (!per_axis) {
      fail_value(
          "operands could not be broadcast together with remapped shapes [original->remapped]: ",
          shape_str(x->shape, x->ndim), " and requested shape (", ndim, ",2)");
    }
    for (size_t i = 0; i < count; ++i) (*pairs)[i] = v[x->shape[1] == 2 ? i : i / 2];
  }
}

void body_pad(Frame& f) {
  NDArrayObj* a = f.array(0);
  std::string_view mode, reflect;
  if (!as_string(f.args[2], &mode) || mode != "constant") fail_fallback("pad mode");
  bool plain = f.args[4].type_index == kTVMFFIInt && f.args[4].v_int64 == 0 && f.is_none(5) &&
               as_string(f.args[6], &reflect) && reflect == "even";
  if (!plain) fail_fallback("options of other modes");
  NDArrayObj* widths = pad_widths(f, 1);
  if (!is_integer(widths->dt))
    fail_type("`pad_width` must be of integral type, got ", name(widths->dt));
  std::vector<int64_t> width;
  NDArrayObj* checked = f.hold(astype(widths, DType::kInt64));
  for (int64_t i = 0; i < checked->size; ++i) {
    int64_t w = static_cast<const int64_t*>(checked->data)[i];
    if (w < 0) fail_value("index can't contain negative values, got ", w);
  }
  axis_pairs(f, widths, a->ndim, DType::kInt64, &width);
  ShapeBuf shape;
  int64_t origin = 0;
  for (int d = 0; d < a->ndim; ++d) {
    int64_t before = width[static_cast<size_t>(2 * d)],
            after = width[static_cast<size_t>(2 * d + 1)], side;
    if (__builtin_add_overflow(before, after, &side) ||
        __builtin_add_overflow(side, a->shape[d], &side))
      fail_value("array is too big");
    shape.push(side);
  }
  NDArrayObj* constants = f.array(3);
  NDArray out =
      a->f_contiguous() && !a->c_contiguous() ? empty_fortran(shape, a->dt) : empty(shape, a->dt);
  for (int d = 0; d < a->ndim; ++d) origin += width[static_cast<size_t>(2 * d)] * out->strides[d];
  int isz = a->isz();
  if (constants->size == 1 && out->size < 4096) {
    alignas(16) char value[16];
    cast_one(constants->dt, constants->data, a->dt, value);
    if (out->size != a->size) fill(out.get(), value);
  } else {
    NDArrayObj* values = f.hold(astype(constants, a->dt));
    dispatch(a->dt, [&]<class T>() {
      // std::vector<bool> has no elements to point to: bool goes as bytes.
      using E = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
      std::vector<E> pairs;
      axis_pairs(f, values, a->ndim, a->dt, &pairs);
      // Later axes also fill the corners.
      for (int d = 0; d < a->ndim; ++d) {
        NDArray region = out;
        for (int k = d + 1; k < a->ndim; ++k) {
          int64_t begin = width[static_cast<size_t>(2 * k)];
          region = part(region.get(), k, begin, begin + a->shape[k]);
        }
        int64_t before = width[static_cast<size_t>(2 * d)], end = before + a->shape[d];
        fill(part(region.get(), d, 0, before).get(), &pairs[static_cast<size_t>(2 * d)]);
        fill(part(region.get(), d, end, shape[d]).get(), &pairs[static_cast<size_t>(2 * d + 1)]);
      }
    });
  }
  if (a->size > 0)
    copy_strided(out->bytes() + origin * isz, out->strides, a->dt, a->bytes(), a->strides, a->dt,
                 a->dims());
  f.ret(std::move(out));
}

// ---- delete, insert ----------------------------------------------------------------------------
int64_t checked_index(int64_t i, int64_t n, int axis, bool end_allowed) {
  if (i < -n || i >= n + end_allowed)
    fail_index("index ", i, " is out of bounds for axis ", axis, " with size ", n);
  return i < 0 ? i + n : i;
}

// The positions that an argument of any kind names, as an array; what is neither integers nor bools
// (a slice, say) goes to NumPy.
NDArrayObj* positions(Frame& f, int i) {
  const TVMFFIAny& v = f.args[i];
  if (v.type_index == kTVMFFITensor || v.type_index == kTVMFFIInt || v.type_index == kTVMFFIBool)
    return f.to_array(v);
  if (v.type_index != kTVMFFIArray) fail_fallback("positions that are no integers");
  auto items = f.list(i);
  int32_t kind = items.empty() ? static_cast<int32_t>(kTVMFFIInt) : items[0].type_index;
  if (kind != kTVMFFIInt && kind != kTVMFFIBool) fail_fallback("positions that are no integers");
  int64_t n = static_cast<int64_t>(items.size());
  NDArray a = empty({&n, 1}, kind == kTVMFFIInt ? DType::kInt64 : DType::kBool);
  for (size_t k = 0; k < items.size(); ++k) {
    if (items[k].type_index != kind) fail_fallback("positions that are no integers");
    if (kind == kTVMFFIInt) static_cast<int64_t*>(a->data)[k] = items[k].v_int64;
    else static_cast<bool*>(a->data)[k] = items[k].v_int64 != 0;
  }
  return f.hold(std::move(a));
}

NDArray new_like(const NDArrayObj* a, int axis, int64_t n) {
  ShapeBuf shape = with_side(a, axis, n);
  return a->f_contiguous() && !a->c_contiguous() ? empty_fortran(shape, a->dt)
                                                 : empty(shape, a->dt);
}

// Runs of positions: [begin, begin + length).
struct Run {
  int64_t begin, length;
};
std::vector<Run> runs_of(const std::vector<uint8_t>& wanted) {
  std::vector<Run> runs;
  int64_t n = static_cast<int64_t>(wanted.size());
  for (int64_t i = 0; i < n;) {
    while (i < n && !wanted[static_cast<size_t>(i)]) ++i;
    int64_t begin = i;
    while (i < n && wanted[static_cast<size_t>(i)]) ++i;
    if (i > begin) runs.push_back({begin, i - begin});
  }
  return runs;
}

// memcpy without its call for short runs of whole words.
inline void copy_run(char* dst, const char* src, int64_t bytes) {
  if (bytes > 128 || (bytes & 7)) {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
    return;
  }
  for (int64_t i = 0; i < bytes; i += 8) std::memcpy(dst + i, src + i, 8);
}

// Copies runs of positions along an axis: those of `src` one after another from its first position
// on when `gather`, else into the runs of `dst`.
void copy_runs(NDArrayObj* dst, const NDArrayObj* src, int axis, const std::vector<Run>& runs,
               bool gather) {
  if (dst->size == 0 || src->size == 0) return;
  LongWork long_work(dst->size);
  if (dst->c_contiguous() && src->c_contiguous()) {
    Rows to(dst, axis), from(src, axis);
    for (int64_t o = 0; o < to.outer; ++o) {
      int64_t done = 0;
      for (const Run& r : runs) {
        int64_t at_dst = o * to.n + (gather ? done : r.begin),
                at_src = o * from.n + (gather ? r.begin : done);
        copy_run(dst->bytes() + at_dst * to.row, src->bytes() + at_src * to.row, r.length * to.row);
        done += r.length;
      }
    }
    return;
  }
  int64_t done = 0;
  for (const Run& r : runs) {
    int64_t at_dst = gather ? done : r.begin, at_src = gather ? r.begin : done;
    copy_into(part(dst, axis, at_dst, at_dst + r.length).get(),
              part(src, axis, at_src, at_src + r.length).get());
    done += r.length;
  }
}

void body_delete(Frame& f) {
  int axis;
  NDArrayObj* a = along(f, 0, 2, &axis);
  NDArrayObj* where = positions(f, 1);
  int64_t n = a->shape[axis];
  bool mask = where->dt == DType::kBool;
  if (mask && (where->ndim != 1 || where->size != n)) {
    fail_value(
        "boolean array argument obj to delete must be one dimensional and match the axis length "
        "of ",
        n);
  }
  if (!mask && !is_integer(where->dt) && where->size > 0)
    fail_index("arrays used as indices must be of integer (or boolean) type, got ",
               name(where->dt));
  if (where->ndim > 1) fail_fallback("indices of several dimensions");
  std::vector<Run> runs;
  if (!mask && where->size == 1) {
    int64_t i;
    cast_one(where->dt, where->data, DType::kInt64, &i);
    i = checked_index(i, n, axis, false);
    if (i > 0) runs.push_back({0, i});
    if (i + 1 < n) runs.push_back({i + 1, n - i - 1});
    NDArray out = new_like(a, axis, n - 1);
    copy_runs(out.get(), a, axis, runs, true);
    return f.ret(std::move(out));
  }
  std::vector<uint8_t> keep(static_cast<size_t>(n), 1);
  int64_t kept = n;
  NDArray indices = astype(where, mask ? DType::kBool : DType::kInt64);
  for (int64_t i = 0; i < where->size; ++i) {
    int64_t at = i;
    if (mask) {
      if (!static_cast<const bool*>(indices->data)[i]) continue;
    } else {
      at = checked_index(static_cast<const int64_t*>(indices->data)[i], n, axis, false);
    }
    kept -= keep[static_cast<size_t>(at)];
    keep[static_cast<size_t>(at)] = 0;
  }
  NDArray out = empty(with_side(a, axis, kept), a->dt);
  copy_runs(out.get(), a, axis, runs_of(keep), true);
  f.ret(std::move(out));
}

// The values to insert in the array's dtype, with at least its dimensions.
NDArrayObj* values_for(Frame& f, const NDArrayObj* a, int at) {
  NDArrayObj* v = f.hold(any_to_array(f.args[at], a->dt));
  if (v->ndim >= a->ndim) return v;
  ShapeBuf shape, strides;
  for (int i = v->ndim; i < a->ndim; ++i) {
    shape.push(1);
    strides.push(v->size);
  }
  for (int i = 0; i < v->ndim; ++i) {
    shape.push(v->shape[i]);
    strides.push(v->strides[i]);
  }
  return f.hold(view(v, shape, strides, v->data));
}

// Puts values before one position.
NDArray insert_at(Frame& f, NDArrayObj* a, int axis, int64_t index, NDArrayObj* values,
                  bool scalar_index) {
  if (scalar_index) {  // the first axis of the values goes to `axis`
    ShapeBuf shape, strides;
    int order[kMaxDims];
    for (int d = 0; d < values->ndim; ++d) order[d] = d < axis ? d + 1 : d == axis ? 0 : d;
    for (int d = 0; d < values->ndim; ++d) {
      shape.push(values->shape[order[d]]);
      strides.push(values->strides[order[d]]);
    }
    values = f.hold(view(values, shape, strides, values->data));
  }
  if (values->ndim > a->ndim) fail_fallback("values with more dimensions");
  int64_t added = values->shape[axis], n = a->shape[axis];
  NDArray out = new_like(a, axis, n + added);
  copy_into(part(out.get(), axis, 0, index).get(), part(a, axis, 0, index).get());
  assign(part(out.get(), axis, index, index + added).get(), values);
  copy_into(part(out.get(), axis, index + added, n + added).get(), part(a, axis, index, n).get());
  return out;
}

void body_insert(Frame& f) {
  int axis;
  NDArrayObj* a = along(f, 0, 3, &axis);
  NDArrayObj* where = positions(f, 1);
  int64_t n = a->shape[axis];
  if (where->ndim > 1 || (!is_integer(where->dt) && where->size > 0))
    fail_fallback("insert with other indices");
  NDArrayObj* values = values_for(f, a, 2);
  NDArray indices = astype(where, DType::kInt64);
  auto* at = static_cast<int64_t*>(indices->data);
  if (where->size == 1) {
    int64_t index = checked_index(at[0], n, axis, true);
    return f.ret(insert_at(f, a, axis, index, values, where->ndim == 0));
  }
  // Several positions: where the new elements stand in the result, in the order of the values.
  int64_t m = where->size, total = n + m;
  std::vector<int64_t> order(static_cast<size_t>(m));
  for (int64_t i = 0; i < m; ++i) {
    order[static_cast<size_t>(i)] = i;
    if (at[i] < 0) at[i] += n;
  }
  std::stable_sort(order.begin(), order.end(), [&](int64_t x, int64_t y) { return at[x] < at[y]; });
  std::vector<uint8_t> old(static_cast<size_t>(total), 1);
  for (int64_t i = 0; i < m; ++i) {
    int64_t& position = at[order[static_cast<size_t>(i)]];
    position += i;
    if (position < 0 || position >= total)
      fail_index("index ", position, " is out of bounds for axis ", axis, " with size ", total);
    old[static_cast<size_t>(position)] = 0;
  }
  NDArray out = new_like(a, axis, total);
  if (values->ndim > a->ndim) fail_fallback("values with more dimensions");
  if (values->shape[axis] != 1 && values->shape[axis] != m) {
    fail_value("shape mismatch: value array of shape ", shape_str(values->shape, values->ndim),
               " could not be broadcast to indexing result: ", m, " elements along axis ", axis);
  }
  if (m == 0) assign(part(out.get(), axis, 0, 0).get(), values);  // for its check of shapes
  for (int64_t i = 0; i < m; ++i) {
    int64_t v = values->shape[axis] == 1 ? 0 : i;
    assign(part(out.get(), axis, at[i], at[i] + 1).get(), part(values, axis, v, v + 1).get());
  }
  copy_runs(out.get(), a, axis, runs_of(old), false);
  f.ret(std::move(out));
}

}  // namespace

void register_rearranging(Registry& r) {
  r.def({.name = "roll",
         .signature = "(a: Array, shift: Shape, axis: Axes = None)",
         .doc = "A copy with elements moved along axes; what leaves one end comes in at the other.",
         .body = body_roll});
  r.def(
      {.name = "repeat",
       .signature = "(a: Array, repeats: Array, axis: int? = None)",
       .doc = "Each element of an axis (of the flattened array by default) several times in a row.",
       .body = body_repeat});
  r.def({.name = "tile",
         .signature = "(A: Array, reps: Shape)",
         .doc = "The whole array several times along each axis.",
         .body = body_tile});
  r.def(
      {.name = "pad",
       .signature = "(array: Array, pad_width: Any, mode: Any = 'constant', *, constant_values: "
                    "Array = 0, end_values: Any = 0, "
                    "stat_length: Any = None, reflect_type: Any = 'even')",
       .doc =
           "A larger copy with values around it: a constant, or what the mode makes of the edges.",
       .body = body_pad});
  r.def({.name = "delete",
         .signature = "(arr: Array, obj: Any, axis: int? = None)",
         .doc = "A copy without the given positions of an axis.",
         .body = body_delete});
  r.def({.name = "insert",
         .signature = "(arr: Array, obj: Any, values: Array, axis: int? = None)",
         .doc = "A copy with values put in before the given positions of an axis.",
         .body = body_insert});
}

}  // namespace isthmus
