// ops/manipulation.cc: other shapes and orders of axes over the same memory. All results are views
// where they can be.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"

namespace isthmus {
namespace {

// A view with the axes of `a` in the given order.
NDArray permuted(const NDArrayObj* a, const int* axes) {
  int64_t shape[kMaxDims], strides[kMaxDims];
  size_t nd = static_cast<size_t>(a->ndim);
  for (size_t i = 0; i < nd; ++i) {
    shape[i] = a->shape[axes[i]];
    strides[i] = a->strides[axes[i]];
  }
  return view(a, {shape, nd}, {strides, nd}, a->data);
}
NDArray reversed_axes(const NDArrayObj* a) {
  int axes[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) axes[i] = a->ndim - 1 - i;
  return permuted(a, axes);
}
NDArray same_view(const NDArrayObj* a) { return view(a, a->dims(), a->elem_strides(), a->data); }

// ---- reshape, ravel
// ---------------------------------------------------------------------------------- Replaces the
// one negative dimension by what is left over.
void complete_shape(const NDArrayObj* a, Dims asked, ShapeBuf* shape) {
  if (asked.size() > kMaxDims)
    fail_value("maximum supported dimension for an array is currently ", kMaxDims, ", found ",
               asked.size());
  int unknown = -1;
  int64_t known = 1;
  bool overflow = false;
  for (size_t i = 0; i < asked.size(); ++i) {
    shape->push(asked[i]);
    if (asked[i] >= 0) {
      overflow |= __builtin_mul_overflow(known, asked[i], &known);
    } else {
      if (unknown >= 0)
        fail_value("can only specify one unknown dimension, got ",
                   shape_str(asked.data(), static_cast<int>(asked.size())));
      unknown = static_cast<int>(i);
    }
  }
  bool fits;
  if (unknown >= 0) {
    fits = !overflow && known != 0 && a->size % known == 0;
    if (fits) (*shape)[unknown] = a->size / known;
  } else {
    fits = known == a->size && !overflow;
    for (int64_t d : asked) fits |= d == 0 && a->size == 0;  // an overflow beside a zero
  }
  if (!fits)
    fail_value("cannot reshape array of size ", a->size, " into shape ",
               shape_str(asked.data(), static_cast<int>(asked.size())));
}

enum class CopyRule : uint8_t { kIfNeeded, kAlways, kNever };

// A C-ordered reshape of `a`, a view when its strides allow it.
NDArray reshape_c(NDArrayObj* a, Dims shape, CopyRule rule) {
  if (rule != CopyRule::kAlways) {
    if (a->c_contiguous()) return view_contiguous(a, shape);
    int64_t strides[kMaxDims];
    if (a->size == 0) return view_contiguous(a, shape);
    if (reshape_strides(a->dims(), a->elem_strides(), shape, strides))
      return view(a, shape, {strides, shape.size()}, a->data);
    if (rule == CopyRule::kNever) fail_value("Unable to avoid creating a copy while reshaping.");
  }
  NDArray c = copy(a);
  if (same_dims(c->dims(), shape)) return c;
  return view_contiguous(c.get(), shape);
}

NDArray reshape(NDArrayObj* a, Dims shape, bool fortran, CopyRule rule) {
  if (!fortran || (a->ndim < 2 && shape.size() < 2)) return reshape_c(a, shape, rule);
  // Column-major order is row-major order of the reversed axes.
  NDArray mirrored = reversed_axes(a);
  ShapeBuf back;
  for (size_t i = shape.size(); i-- > 0;) back.push(shape[i]);
  return reversed_axes(reshape_c(mirrored.get(), back, rule).get());
}

void body_reshape(Frame& f) {
  NDArrayObj* a = f.array(0);
  ShapeBuf shape;
  complete_shape(a, f.shape(1), &shape);
  Order order = order_argument(f, 2, Order::kC);
  if (order == Order::kK) fail_value("order 'K' is not permitted for reshaping");
  bool fortran =
      order == Order::kF || (order == Order::kA && a->f_contiguous() && !a->c_contiguous());
  CopyRule rule = CopyRule::kIfNeeded;
  if (!f.is_none(3)) rule = f.args[3].v_int64 ? CopyRule::kAlways : CopyRule::kNever;
  f.ret(reshape(a, shape, fortran, rule));
}

void body_ravel(Frame& f) {
  NDArrayObj* a = f.array(0);
  Order order = order_argument(f, 1, Order::kC);
  int64_t n = a->size;
  bool fortran =
      order == Order::kF || (order == Order::kA && a->f_contiguous() && !a->c_contiguous());
  if (fortran ? a->f_contiguous() : a->c_contiguous()) return f.ret(view_contiguous(a, {&n, 1}));
  // The axes in the order in which they are read: the result is contiguous, so most of the time a
  // copy.
  int axes[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) axes[i] = fortran ? a->ndim - 1 - i : i;
  if (order == Order::kK) axes_by_stride(a, axes);
  NDArray sorted = permuted(a, axes);
  if (!sorted->c_contiguous()) sorted = copy(sorted.get());
  f.ret(view_contiguous(sorted.get(), {&n, 1}));
}

// ---- Orders of axes ----------------------------------------------------------------------------
void body_transpose(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (f.is_none(1)) return f.ret(reversed_axes(a));
  Dims axes = f.shape(1);
  if (axes.size() != static_cast<size_t>(a->ndim))
    fail_value("axes don't match array: got ", axes.size(), " axes for ", a->ndim, " dimensions");
  int order[kMaxDims];
  uint64_t seen = 0;
  for (int i = 0; i < a->ndim; ++i) {
    order[i] = normalize_axis(axes[static_cast<size_t>(i)], a->ndim);
    if (seen >> order[i] & 1) fail_value("repeated axis in transpose");
    seen |= uint64_t{1} << order[i];
  }
  f.ret(permuted(a, order));
}

void body_matrix_transpose(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim < 2) fail_value("Input array must be at least 2-dimensional, but it is ", a->ndim);
  int order[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) order[i] = i < a->ndim - 2 ? i : 2 * a->ndim - 3 - i;
  f.ret(permuted(a, order));
}

void body_swapaxes(Frame& f) {
  NDArrayObj* a = f.array(0);
  int i = normalize_axis(f.integer(1), a->ndim), j = normalize_axis(f.integer(2), a->ndim);
  int order[kMaxDims];
  for (int d = 0; d < a->ndim; ++d) order[d] = d == i ? j : d == j ? i : d;
  f.ret(permuted(a, order));
}

void body_moveaxis(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims source = f.shape(1), destination = f.shape(2);
  auto normalized = [&](Dims given, const char* what, int* out) {
    uint64_t seen = 0;
    for (size_t i = 0; i < given.size(); ++i) {
      int axis = normalize_axis(given[i], a->ndim);
      if (seen >> axis & 1) fail_value("repeated axis in `", what, "` argument");
      seen |= uint64_t{1} << axis;
      out[i] = axis;
    }
    return seen;
  };
  int from[kMaxDims], to[kMaxDims], order[kMaxDims];
  uint64_t moved = normalized(source, "source", from);
  normalized(destination, "destination", to);
  if (source.size() != destination.size())
    fail_value("`source` and `destination` arguments must have the same number of elements");
  std::fill_n(order, a->ndim, -1);
  for (size_t i = 0; i < source.size(); ++i) order[to[i]] = from[i];
  int next = 0;
  for (int i = 0; i < a->ndim; ++i) {
    if (order[i] >= 0) continue;
    while (moved >> next & 1) ++next;
    order[i] = next++;
  }
  f.ret(permuted(a, order));
}

void body_rollaxis(Frame& f) {
  NDArrayObj* a = f.array(0);
  int axis = normalize_axis(f.integer(1), a->ndim);
  int64_t start = f.integer(2);
  if (start < -a->ndim || start > a->ndim) {
    fail_with("AxisError", cat("'start' arg requires ", -a->ndim, " <= start < ", a->ndim + 1,
                               ", but ", start, " was passed in"));
  }
  if (start < 0) start += a->ndim;
  if (axis < start) --start;
  int order[kMaxDims], at = 0;
  for (int i = 0; i < a->ndim; ++i)
    if (i != axis) order[at++] = i;
  std::copy_backward(order + start, order + at, order + at + 1);
  order[start] = axis;
  f.ret(permuted(a, order));
}

// ---- Axes of length one ------------------------------------------------------------------------
void body_squeeze(Frame& f) {
  NDArrayObj* a = f.array(0);
  uint64_t drop = 0;
  if (f.is_none(1)) {
    for (int i = 0; i < a->ndim; ++i) drop |= uint64_t{a->shape[i] == 1} << i;
  } else {
    Dims axes = f.shape(1);
    // A scalar may be squeezed along axis 0, as in NumPy.
    if (a->ndim == 0 && axes.size() == 1 && (axes[0] == 0 || axes[0] == -1))
      return f.ret(same_view(a));
    drop = axes_mask(axes, a->ndim);
    for (int i = 0; i < a->ndim; ++i) {
      if ((drop >> i & 1) && a->shape[i] != 1)
        fail_value("cannot select an axis to squeeze out which has size not equal to one: axis ", i,
                   " has size ", a->shape[i]);
    }
  }
  ShapeBuf shape, strides;
  for (int i = 0; i < a->ndim; ++i) {
    if (drop >> i & 1) continue;
    shape.push(a->shape[i]);
    strides.push(a->strides[i]);
  }
  f.ret(view(a, shape, strides, a->data));
}

void body_expand_dims(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims axes = f.shape(1);
  int nd = a->ndim + static_cast<int>(axes.size());
  if (nd > kMaxDims)
    fail_value("maximum supported dimension for an array is currently ", kMaxDims, ", found ", nd);
  uint64_t added = 0;
  for (int64_t axis : axes) {
    uint64_t bit = uint64_t{1} << normalize_axis(axis, nd);
    if (added & bit) fail_value("repeated axis");
    added |= bit;
  }
  ShapeBuf shape, strides;
  for (int i = 0, from = 0; i < nd; ++i) {
    if (added >> i & 1) {
      shape.push(1);
      strides.push(from < a->ndim ? a->strides[from] * a->shape[from] : 1);
    } else {
      shape.push(a->shape[from]);
      strides.push(a->strides[from++]);
    }
  }
  f.ret(view(a, shape, strides, a->data));
}

// The view of `a` with at least `nd` axes; where new ones stand follows NumPy.
NDArray at_least(NDArrayObj* a, int nd) {
  if (a->ndim >= nd) return NDArray::share(a);
  ShapeBuf shape, strides;
  int before =
      nd == 3 ? (a->ndim == 2 ? 0 : 1) : nd - a->ndim;  // (N,) becomes (1, N) and (1, N, 1)
  if (a->ndim == 0) before = nd;
  for (int i = 0; i < before; ++i) {
    shape.push(1);
    strides.push(a->ndim ? a->strides[0] * a->shape[0] : 1);
  }
  for (int i = 0; i < a->ndim; ++i) {
    shape.push(a->shape[i]);
    strides.push(a->strides[i]);
  }
  while (shape.ndim < nd) {
    shape.push(1);
    strides.push(1);
  }
  return view(a, shape, strides, a->data);
}

template <int kNd>
void body_at_least(Frame& f) {
  auto items = f.list(0);
  if (items.size() == 1) return f.ret(at_least(f.to_array(items[0]), kNd));
  std::vector<NDArray> results;
  results.reserve(items.size());
  for (const TVMFFIAny& item : items) results.push_back(at_least(f.to_array(item), kNd));
  f.ret_list(std::move(results));
}

// ---- Reversed directions
// ----------------------------------------------------------------------------- A view with the
// axes of the mask running backwards.
NDArray flipped(const NDArrayObj* a, uint64_t axes) {
  int64_t strides[kMaxDims], start = 0;
  for (int i = 0; i < a->ndim; ++i) {
    bool back = axes >> i & 1;
    strides[i] = back ? -a->strides[i] : a->strides[i];
    if (back && a->size > 0) start += (a->shape[i] - 1) * a->strides[i];
  }
  return view(a, a->dims(), {strides, static_cast<size_t>(a->ndim)}, a->bytes() + start * a->isz());
}
void body_flip(Frame& f) {
  NDArrayObj* a = f.array(0);
  f.ret(flipped(a, f.is_none(1) ? ~uint64_t{0} : axes_mask(f.shape(1), a->ndim)));
}
void body_flipud(Frame& f) {
  if (f.array(0)->ndim < 1) fail_value("Input must be >= 1-d.");
  f.ret(flipped(f.array(0), 1));
}
void body_fliplr(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim < 2) fail_value("Input must be >= 2-d., got ", a->ndim, "-d");
  f.ret(flipped(a, 2));
}

void body_rot90(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims axes = f.shape(2);
  if (axes.size() != 2) fail_value("len(axes) must be 2.");
  auto in_range = [&](int64_t axis) { return axis >= -a->ndim && axis < a->ndim; };
  if (axes[0] == axes[1] || axes[0] - axes[1] == a->ndim || axes[1] - axes[0] == a->ndim)
    fail_value("Axes must be different.");
  if (!in_range(axes[0]) || !in_range(axes[1]))
    fail_value("Axes=(", axes[0], ", ", axes[1], ") out of range for array of ndim=", a->ndim, ".");
  int i = normalize_axis(axes[0], a->ndim), j = normalize_axis(axes[1], a->ndim);
  int64_t k = ((f.integer(1) % 4) + 4) % 4;
  if (k == 0) return f.ret(same_view(a));
  uint64_t bi = uint64_t{1} << i, bj = uint64_t{1} << j;
  if (k == 2) return f.ret(flipped(a, bi | bj));
  int order[kMaxDims];
  for (int d = 0; d < a->ndim; ++d) order[d] = d == i ? j : d == j ? i : d;
  NDArray turned = permuted(a, order);
  f.ret(flipped(turned.get(), k == 1 ? bi : bj));
}

// ---- Broadcasting ------------------------------------------------------------------------------
NDArray broadcast(NDArrayObj* a, Dims shape) {
  int64_t strides[kMaxDims];
  broadcast_strides(a->dims(), a->elem_strides(), shape, strides);
  return view(a, shape, {strides, shape.size()}, a->data);
}

void body_broadcast_to(Frame& f) {
  NDArrayObj* a = f.array(0);
  Dims shape = f.shape(1);
  for (int64_t d : shape)
    if (d < 0)
      fail_value("all elements of broadcast shape must be non-negative, got ",
                 shape_str(shape.data(), static_cast<int>(shape.size())));
  checked_size(shape, DType::kBool);  // the number of elements must fit; their bytes need not
  bool fits = shape.size() >= static_cast<size_t>(a->ndim) && shape.size() <= kMaxDims;
  for (int i = 0; fits && i < a->ndim; ++i) {
    int64_t to = shape[shape.size() - static_cast<size_t>(a->ndim - i)];
    fits = a->shape[i] == to || a->shape[i] == 1;
  }
  if (!fits) {
    fail_value(
        "operands could not be broadcast together with remapped shapes [original->remapped]: ",
        shape_str(a->shape, a->ndim), " and requested shape ",
        shape_str(shape.data(), static_cast<int>(shape.size())));
  }
  f.ret(read_only(broadcast(a, shape)));
}

void body_broadcast_arrays(Frame& f) {
  auto items = f.list(0);
  std::vector<NDArrayObj*> arrays;
  arrays.reserve(items.size());
  ShapeBuf shape;
  for (size_t i = 0; i < items.size(); ++i) {
    NDArrayObj* a = f.to_array(items[i]);
    arrays.push_back(a);
    if (!broadcast_into(&shape, a->dims())) {
      std::string shapes;
      for (const TVMFFIAny& item : items)
        shapes += cat(shapes.empty() ? "" : " ",
                      shape_str(f.to_array(item)->shape, f.to_array(item)->ndim));
      fail_value("shape mismatch: objects cannot be broadcast to a single shape: ", shapes);
    }
  }
  std::vector<NDArray> results;
  results.reserve(items.size());
  for (NDArrayObj* a : arrays)
    results.push_back(same_dims(a->dims(), shape) ? NDArray::share(a) : broadcast(a, shape));
  f.ret_list(std::move(results));
}

}  // namespace

void register_manipulation(Registry& r) {
  r.def({.name = "reshape",
         .signature = "(a: Array, /, shape: Shape, order: str? = 'C', *, copy: Any = None)",
         .doc = "The same elements in another shape: a view when the strides allow it. One "
                "dimension may be -1.",
         .body = body_reshape});
  r.def({.name = "ravel",
         .signature = "(a: Array, order: str? = 'C')",
         .doc = "All elements in one dimension: a view when they are contiguous, else a copy.",
         .body = body_ravel});
  r.def({.name = "transpose",
         .signature = "(a: Array, axes: Axes = None)",
         .doc = "A view with the axes in another order, reversed by default.",
         .body = body_transpose});
  r.def({.name = "permute_dims",
         .signature = "(a: Array, axes: Axes = None)",
         .doc = "A view with the axes in another order, reversed by default.",
         .body = body_transpose});
  r.def({.name = "matrix_transpose",
         .signature = "(x: Array, /)",
         .doc = "A view with the last two axes exchanged.",
         .body = body_matrix_transpose});
  r.def({.name = "swapaxes",
         .signature = "(a: Array, axis1: int, axis2: int)",
         .doc = "A view with two axes exchanged.",
         .body = body_swapaxes});
  r.def({.name = "moveaxis",
         .signature = "(a: Array, source: Shape, destination: Shape)",
         .doc = "A view with the axes `source` moved to the places `destination`; the others keep "
                "their order.",
         .body = body_moveaxis});
  r.def({.name = "rollaxis",
         .signature = "(a: Array, axis: int, start: int = 0)",
         .doc = "A view with one axis moved in front of the axis `start`.",
         .body = body_rollaxis});
  r.def({.name = "squeeze",
         .signature = "(a: Array, axis: Axes = None)",
         .doc = "A view without the axes of length one, or without those named.",
         .body = body_squeeze});
  r.def({.name = "expand_dims",
         .signature = "(a: Array, axis: Shape)",
         .doc = "A view with new axes of length one at the places named.",
         .body = body_expand_dims});
  r.def({.name = "atleast_1d",
         .signature = "(*arys: Arrays)",
         .doc = "The arrays with at least one dimension.",
         .body = body_at_least<1>});
  r.def({.name = "atleast_2d",
         .signature = "(*arys: Arrays)",
         .doc = "The arrays with at least two dimensions; new ones come first.",
         .body = body_at_least<2>});
  r.def({.name = "atleast_3d",
         .signature = "(*arys: Arrays)",
         .doc = "The arrays with at least three dimensions: (N,) becomes (1, N, 1) and (M, N) "
                "becomes (M, N, 1).",
         .body = body_at_least<3>});
  r.def({.name = "flip",
         .signature = "(m: Array, axis: Axes = None)",
         .doc = "A view with axes reversed, all of them by default.",
         .body = body_flip});
  r.def({.name = "flipud",
         .signature = "(m: Array)",
         .doc = "A view with the first axis reversed.",
         .body = body_flipud});
  r.def({.name = "fliplr",
         .signature = "(m: Array)",
         .doc = "A view with the second axis reversed.",
         .body = body_fliplr});
  r.def({.name = "rot90",
         .signature = "(m: Array, k: int = 1, axes: Shape = (0, 1))",
         .doc = "A view turned by k quarter turns from the first of two axes towards the second.",
         .body = body_rot90});
  r.def({.name = "broadcast_to",
         .signature = "(array: Array, shape: Shape, subok: bool = False)",
         .doc = "A read-only view stretched to a shape, without copying.",
         .body = body_broadcast_to});
  r.def({.name = "broadcast_arrays",
         .signature = "(*args: Arrays, subok: bool = False) -> tuple[Array, ...]",
         .doc = "The arrays stretched to their common shape, as views.",
         .body = body_broadcast_arrays});
}

}  // namespace isthmus
