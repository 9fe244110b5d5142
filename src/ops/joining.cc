// ops/joining.cc: several arrays made into one, and one divided into several views.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"

namespace isthmus {
namespace {

// The arrays to join; up to sixteen without a heap allocation.
class Parts {
 public:
  explicit Parts(size_t n) : n_(n) {
    if (n > 16) more_.resize(n);
    p_ = n > 16 ? more_.data() : few_;
  }
  Parts(const Parts&) = delete;
  size_t size() const { return n_; }
  NDArrayObj*& operator[](size_t i) { return p_[i]; }
  NDArrayObj* operator[](size_t i) const { return p_[i]; }
  NDArrayObj** begin() { return p_; }
  NDArrayObj** end() { return p_ + n_; }

 private:
  size_t n_;
  NDArrayObj** p_;
  NDArrayObj* few_[16];
  std::vector<NDArrayObj*> more_;
};

constexpr int64_t kChunkBytes = 1 << 16;

struct JoinCall {
  NDArrayObj* out = nullptr;
  bool has_dtype = false;
  DType dtype = DType::kFloat64;
  Casting casting = Casting::kSameKind;
};

JoinCall join_call(Frame& f, int out_at, int dtype_at) {
  JoinCall call;
  if (out_at >= 0) call.out = f.out(out_at);
  if (!f.is_none(dtype_at)) {
    call.has_dtype = true;
    call.dtype = f.dtype(dtype_at, DType::kFloat64);
    if (call.out)
      fail_type(f.op.def.name,
                "() only takes `out` or `dtype` as an argument, but both were provided.");
  }
  if (!casting_from_name(f.str(dtype_at + 1), &call.casting))
    fail_value("casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' (got '",
               f.str(dtype_at + 1), "')");
  return call;
}

DType common_dtype(const Parts& parts) {
  DType d = parts[0]->dt;
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i]->dt != d) d = promote_types(d, parts[i]->dt);
  return d;
}

// Copies `rows` blocks of `block` bytes: from one after another to places `dst_step` apart.
inline void copy_blocks(char* dst, int64_t dst_step, const char* src, int64_t block, int64_t rows) {
  auto run = [&]<int64_t kBlock>() {
    for (int64_t r = 0; r < rows; ++r, dst += dst_step, src += kBlock)
      std::memcpy(dst, src, kBlock);
  };
  if (rows > 1) {
    switch (block) {
      case 1: return run.template operator()<1>();
      case 2: return run.template operator()<2>();
      case 4: return run.template operator()<4>();
      case 8: return run.template operator()<8>();
      case 16: return run.template operator()<16>();
      case 24: return run.template operator()<24>();
      case 32: return run.template operator()<32>();
    }
  }
  for (int64_t r = 0; r < rows; ++r, dst += dst_step, src += block)
    std::memcpy(dst, src, static_cast<size_t>(block));
}

[[gnu::cold, gnu::noinline]] void fail_join_cast(DType from, DType to, Casting casting) {
  fail_type("Cannot cast array data from dtype('", name(from), "') to dtype('", name(to),
            "') according to the rule '", casting_name(casting), "'");
}

// Writes the parts one after another along `axis` of a new array of `shape` (or of call.out). With
// `new_axis` that axis is not in the parts.
NDArray join(Parts& parts, Dims shape, int axis, bool new_axis, DType dtype, const JoinCall& call) {
  std::vector<NDArray> copies;  // of parts that the output overlaps
  DType d = call.has_dtype ? call.dtype : call.out ? call.out->dt : dtype;
  bool same_dtype = true, all_c = true, all_f = !new_axis;
  for (NDArrayObj* p : parts) {
    same_dtype &= p->dt == d;
    all_c &= p->c_contiguous();
    all_f &= p->f_contiguous();
  }
  if (!same_dtype && (call.has_dtype || call.out)) {
    for (NDArrayObj* p : parts)
      if (!can_cast(p->dt, d, call.casting)) fail_join_cast(p->dt, d, call.casting);
  }
  NDArray out;
  if (call.out) {
    if (!same_dims(call.out->dims(), shape)) {
      fail_value("Output array is the wrong shape: it is ",
                 shape_str(call.out->shape, call.out->ndim), ", expected ",
                 shape_str(shape.data(), static_cast<int>(shape.size())));
    }
    require_writeable(call.out, "output array");
    out = NDArray::share(call.out);
    for (NDArrayObj*& p : parts) {
      if (!may_overlap(p, call.out)) continue;
      copies.push_back(copy(p));
      p = copies.back().get();
    }
  } else {
    out = all_f && !all_c ? empty_fortran(shape, d) : empty(shape, d);
  }
  if (out->size == 0) return out;
  LongWork long_work(out->size);
  const int64_t isz = itemsize(d);
  int64_t rows = 1;
  for (int i = 0; i < axis; ++i) rows *= shape[static_cast<size_t>(i)];
  const int64_t row_bytes = out->size / rows * isz;
  char* at = out->bytes();
  if (same_dtype && all_c && out->c_contiguous()) {
    // Some rows of every part at a time, so that the lines of the output are complete while they
    // are in the cache.
    const int64_t step = std::clamp<int64_t>(kChunkBytes / row_bytes, 1, rows);
    for (int64_t r = 0; r < rows; r += step) {
      char* to = at + r * row_bytes;
      for (const NDArrayObj* p : parts) {
        const int64_t block = p->size / rows * isz;
        copy_blocks(to, row_bytes, p->bytes() + r * block, block, std::min(step, rows - r));
        to += block;
      }
    }
    return out;
  }
  // Strides of the output without the new axis.
  ShapeBuf strides;
  for (int i = 0; i < out->ndim; ++i)
    if (!new_axis || i != axis) strides.push(out->strides[i]);
  for (const NDArrayObj* p : parts) {
    if (p->size == 0) continue;
    copy_strided(at, strides.dims, d, p->bytes(), p->strides, p->dt, p->dims());
    at += (new_axis ? 1 : p->shape[axis]) * out->strides[axis] * isz;
  }
  return out;
}

[[gnu::cold, gnu::noinline]] void fail_ndims(const Parts& parts, size_t i) {
  fail_value(
      "all the input arrays must have same number of dimensions, but the array at index 0 has ",
      parts[0]->ndim, " dimension(s) and the array at index ", i, " has ", parts[i]->ndim,
      " dimension(s)");
}
[[gnu::cold, gnu::noinline]] void fail_sides(const Parts& parts, size_t i, int d) {
  fail_value(
      "all the input array dimensions except for the concatenation axis must match exactly, but "
      "along dimension ",
      d, ", the array at index 0 has size ", parts[0]->shape[d], " and the array at index ", i,
      " has size ", parts[i]->shape[d]);
}

NDArray concatenate(Parts& parts, int64_t axis_given, const JoinCall& call) {
  if (parts.size() == 0) fail_value("need at least one array to concatenate");
  const NDArrayObj* first = parts[0];
  if (first->ndim == 0) fail_value("zero-dimensional arrays cannot be concatenated");
  int axis = normalize_axis(axis_given, first->ndim);
  ShapeBuf shape;
  for (int d = 0; d < first->ndim; ++d) shape.push(first->shape[d]);
  for (size_t i = 1; i < parts.size(); ++i) {
    const NDArrayObj* p = parts[i];
    if (p->ndim != first->ndim) fail_ndims(parts, i);
    for (int d = 0; d < first->ndim; ++d) {
      if (d == axis) {
        if (__builtin_add_overflow(shape[d], p->shape[d], &shape[d]))
          fail_value("array is too big");
      } else if (p->shape[d] != first->shape[d]) {
        fail_sides(parts, i, d);
      }
    }
  }
  return join(parts, shape, axis, false, common_dtype(parts), call);
}

// All elements of the parts in one dimension. Numbers are weak, as in promotion.
NDArray concatenate_flat(Frame& f, std::span<const TVMFFIAny> items, Parts& parts,
                         const JoinCall& call) {
  if (items.empty()) fail_value("need at least one array to concatenate");
  int64_t total = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    WeakKind w;
    if (is_weak(items[i], &w)) {
      DType to = call.has_dtype ? call.dtype : call.out ? call.out->dt : result_type(items);
      if (can_cast(default_dtype(w), to, Casting::kSameKind))
        parts[i] = f.hold(any_to_array(items[i], to));
    }
    int64_t n = parts[i]->size;
    total += n;
    parts[i] = f.hold(view_contiguous(f.hold(ascontiguous(parts[i])), {&n, 1}));
  }
  return join(parts, {&total, 1}, 0, false, common_dtype(parts), call);
}

void gather(Frame& f, std::span<const TVMFFIAny> items, Parts& parts) {
  for (size_t i = 0; i < items.size(); ++i)
    parts[i] = items[i].type_index == kTVMFFITensor ? as_ndarray(items[i]) : f.to_array(items[i]);
}

void body_concatenate(Frame& f) {
  auto items = f.list(0);
  Parts parts(items.size());
  gather(f, items, parts);
  JoinCall call = join_call(f, 2, 3);
  NDArray out = f.is_none(1) ? concatenate_flat(f, items, parts, call)
                             : concatenate(parts, f.integer(1), call);
  f.ret(std::move(out));
}

void body_append(Frame& f) {
  Parts parts(2);
  parts[0] = f.array(0);
  parts[1] = f.array(1);
  if (!f.is_none(2)) return f.ret(concatenate(parts, f.integer(2), {}));
  TVMFFIAny items[2];
  for (int i = 0; i < 2; ++i) {
    items[i].type_index = kTVMFFITensor;
    items[i].v_obj = parts[static_cast<size_t>(i)]->header();
  }
  f.ret(concatenate_flat(f, items, parts, {}));
}

void body_stack(Frame& f) {
  auto items = f.list(0);
  if (items.empty()) fail_value("need at least one array to stack");
  Parts parts(items.size());
  gather(f, items, parts);
  JoinCall call = join_call(f, 2, 3);
  const NDArrayObj* first = parts[0];
  for (size_t i = 1; i < parts.size(); ++i) {
    if (!same_dims(parts[i]->dims(), first->dims()))
      fail_value("all input arrays must have the same shape: the array at index 0 has shape ",
                 shape_str(first->shape, first->ndim), " and the array at index ", i, " has shape ",
                 shape_str(parts[i]->shape, parts[i]->ndim));
  }
  int axis = normalize_axis(f.integer(1), first->ndim + 1);
  if (first->ndim + 1 > kMaxDims)
    fail_value("maximum supported dimension for an array is currently ", kMaxDims);
  ShapeBuf shape;
  for (int d = 0; d <= first->ndim; ++d)
    shape.push(d == axis ? static_cast<int64_t>(items.size()) : first->shape[d < axis ? d : d - 1]);
  f.ret(join(parts, shape, axis, true, common_dtype(parts), call));
}

// A contiguous or strided view of `a` with more axes of length one: `before` in front, `after` at
// the end.
NDArrayObj* padded_axes(Frame& f, NDArrayObj* a, int before, int after) {
  if (before + after == 0) return a;
  ShapeBuf shape, strides;
  for (int i = 0; i < before; ++i) {
    shape.push(1);
    strides.push(a->size);
  }
  for (int i = 0; i < a->ndim; ++i) {
    shape.push(a->shape[i]);
    strides.push(a->strides[i]);
  }
  for (int i = 0; i < after; ++i) {
    shape.push(1);
    strides.push(1);
  }
  return f.hold(view(a, shape, strides, a->data));
}

void body_vstack(Frame& f) {
  auto items = f.list(0);
  Parts parts(items.size());
  gather(f, items, parts);
  for (NDArrayObj*& p : parts)
    if (p->ndim < 2) p = padded_axes(f, p, 2 - p->ndim, 0);
  f.ret(concatenate(parts, 0, join_call(f, -1, 1)));
}
void body_hstack(Frame& f) {
  auto items = f.list(0);
  Parts parts(items.size());
  gather(f, items, parts);
  for (NDArrayObj*& p : parts)
    if (p->ndim < 1) p = padded_axes(f, p, 1, 0);
  f.ret(concatenate(parts, parts.size() && parts[0]->ndim > 1 ? 1 : 0, join_call(f, -1, 1)));
}
void body_dstack(Frame& f) {
  auto items = f.list(0);
  Parts parts(items.size());
  gather(f, items, parts);
  for (NDArrayObj*& p : parts)
    if (p->ndim < 3) p = padded_axes(f, p, p->ndim == 2 ? 0 : 2 - p->ndim, 1);
  f.ret(concatenate(parts, 2, {}));
}
void body_column_stack(Frame& f) {
  auto items = f.list(0);
  Parts parts(items.size());
  gather(f, items, parts);
  for (NDArrayObj*& p : parts)
    if (p->ndim < 2) p = padded_axes(f, p, 1 - p->ndim, 1);
  f.ret(concatenate(parts, 1, {}));
}

// ---- Dividing
// ---------------------------------------------------------------------------------------- A view
// of [begin, end) along an axis, with the meaning of a Python slice.
NDArray slice_of(const NDArrayObj* a, int axis, int64_t begin, int64_t end) {
  int64_t n = a->shape[axis];
  auto clamp = [n](int64_t i) { return i < 0 ? std::max<int64_t>(i + n, 0) : std::min(i, n); };
  begin = clamp(begin);
  end = clamp(end);
  ShapeBuf shape;
  for (int d = 0; d < a->ndim; ++d)
    shape.push(d == axis ? std::max<int64_t>(end - begin, 0) : a->shape[d]);
  int64_t start = shape[axis] > 0 ? begin * a->strides[axis] * a->isz() : 0;
  return view(a, shape, a->elem_strides(), a->bytes() + start);
}

// Parts of equal length, or with one more for the first ones. `must_divide`: unequal parts are an
// error.
std::vector<NDArray> split_evenly(const NDArrayObj* a, int axis, int64_t sections,
                                  bool must_divide) {
  int64_t n = a->shape[axis];
  if (must_divide) {
    if (sections == 0)
      fail_with("ZeroDivisionError",
                "integer modulo by zero: an array cannot be split into 0 sections");
    if (n % sections != 0)
      fail_value("array split does not result in an equal division: ", n, " elements along axis ",
                 axis, " into ", sections);
  }
  if (sections <= 0) fail_value("number sections must be larger than 0., got ", sections);
  int64_t each = n / sections, extra = n % sections, at = 0;
  std::vector<NDArray> parts;
  parts.reserve(static_cast<size_t>(sections));
  for (int64_t i = 0; i < sections; ++i) {
    int64_t end = at + each + (i < extra ? 1 : 0);
    parts.push_back(slice_of(a, axis, at, end));
    at = end;
  }
  return parts;
}

// `where`: how many parts, or the indices at which new ones begin.
void split(Frame& f, NDArrayObj* a, const TVMFFIAny& where, int64_t axis_given, bool must_divide) {
  int axis = normalize_axis(axis_given, a->ndim);
  if (where.type_index == kTVMFFIInt || where.type_index == kTVMFFIBool)
    return f.ret_list(split_evenly(a, axis, where.v_int64, must_divide));
  if (where.type_index != kTVMFFITensor) fail_fallback("sections that are no integer");
  const NDArrayObj* points = as_ndarray(where);
  if (points->ndim > 1 || (!is_integer(points->dt) && points->size > 0))
    fail_fallback("sections that are no integers");
  NDArray indices = astype(points, DType::kInt64);
  auto* at = static_cast<int64_t*>(indices->data);
  if (points->ndim == 0) return f.ret_list(split_evenly(a, axis, *at, must_divide));
  std::vector<NDArray> parts;
  parts.reserve(static_cast<size_t>(indices->size) + 1);
  for (int64_t i = 0; i <= indices->size; ++i)
    parts.push_back(
        slice_of(a, axis, i ? at[i - 1] : 0, i < indices->size ? at[i] : a->shape[axis]));
  f.ret_list(std::move(parts));
}

void body_split(Frame& f) { split(f, f.array(0), f.args[1], f.integer(2), true); }
void body_array_split(Frame& f) { split(f, f.array(0), f.args[1], f.integer(2), false); }

// hsplit, vsplit and dsplit want at least this many dimensions and divide this axis.
template <int kNeeded, int kAxis>
void body_split_along(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim < kNeeded)
    fail_value(f.op.def.name, " only works on arrays of ", kNeeded, " or more dimensions");
  split(f, a, f.args[1], kAxis == 1 && a->ndim == 1 ? 0 : kAxis, true);
}

void body_unstack(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0) fail_value("Input array must be at least 1-d.");
  int axis = normalize_axis(f.integer(1), a->ndim);
  ShapeBuf shape, strides;
  for (int d = 0; d < a->ndim; ++d) {
    if (d == axis) continue;
    shape.push(a->shape[d]);
    strides.push(a->strides[d]);
  }
  std::vector<NDArray> parts;
  parts.reserve(static_cast<size_t>(a->shape[axis]));
  for (int64_t i = 0; i < a->shape[axis]; ++i)
    parts.push_back(view(a, shape, strides, a->bytes() + i * a->strides[axis] * a->isz()));
  f.ret_list(std::move(parts));
}

constexpr const char* kConcatenateSignature =
    "(arrays: Arrays, /, axis: int? = 0, out: Out = None, *, dtype: DType = None, casting: str = "
    "'same_kind')";
constexpr const char* kStackSignature =
    "(tup: Arrays, *, dtype: DType = None, casting: str = 'same_kind')";
constexpr const char* kSplitSignature =
    "(ary: Array, indices_or_sections: Array, axis: int = 0) -> list[Array]";
constexpr const char* kSplitAlongSignature =
    "(ary: Array, indices_or_sections: Array) -> list[Array]";

}  // namespace

void register_joining(Registry& r) {
  r.def({.name = "concatenate",
         .signature = kConcatenateSignature,
         .doc = "The arrays one after another along an axis, or flattened with axis=None.",
         .body = body_concatenate});
  r.def({.name = "concat",
         .signature = kConcatenateSignature,
         .doc = "The arrays one after another along an axis, or flattened with axis=None.",
         .body = body_concatenate});
  r.def({.name = "stack",
         .signature = "(arrays: Arrays, axis: int = 0, out: Out = None, *, dtype: DType = None, "
                      "casting: str = 'same_kind')",
         .doc = "Arrays of one shape side by side along a new axis.",
         .body = body_stack});
  r.def({.name = "vstack",
         .signature = kStackSignature,
         .doc = "Arrays one below another; vectors count as rows.",
         .body = body_vstack});
  r.def({.name = "row_stack",
         .signature = kStackSignature,
         .doc = "Arrays one below another; vectors count as rows. The old name of vstack.",
         .body = body_vstack});
  r.def({.name = "hstack",
         .signature = kStackSignature,
         .doc = "Arrays side by side: along the second axis, vectors along their only one.",
         .body = body_hstack});
  r.def({.name = "dstack",
         .signature = "(tup: Arrays)",
         .doc = "Arrays one behind another along the third axis.",
         .body = body_dstack});
  r.def({.name = "column_stack",
         .signature = "(tup: Arrays)",
         .doc = "Vectors and matrices side by side as columns of a matrix.",
         .body = body_column_stack});
  r.def({.name = "append",
         .signature = "(arr: Array, values: Array, axis: int? = None)",
         .doc = "A copy of arr with values after it along an axis; both are flattened by default.",
         .body = body_append});
  r.def({.name = "split",
         .signature = kSplitSignature,
         .doc = "Views of equal parts along an axis, or of the parts between given indices.",
         .body = body_split});
  r.def({.name = "array_split",
         .signature = kSplitSignature,
         .doc = "Views of nearly equal parts along an axis: the first ones may be one longer.",
         .body = body_array_split});
  r.def({.name = "hsplit",
         .signature = kSplitAlongSignature,
         .doc = "split along the second axis; along the only one of a vector.",
         .body = body_split_along<1, 1>});
  r.def({.name = "vsplit",
         .signature = kSplitAlongSignature,
         .doc = "split along the first axis.",
         .body = body_split_along<2, 0>});
  r.def({.name = "dsplit",
         .signature = kSplitAlongSignature,
         .doc = "split along the third axis.",
         .body = body_split_along<3, 2>});
  r.def({.name = "unstack",
         .signature = "(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]",
         .doc = "Views of the array at every position along an axis.",
         .body = body_unstack});
}

}  // namespace isthmus
