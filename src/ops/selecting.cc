// ops/selecting.cc: functions that pick elements: take, where, nonzero and their kin.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "engine/engine.h"
#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/index.h"

namespace isthmus {
namespace {

enum class BoundsMode { kRaise, kWrap, kClip };
BoundsMode bounds_mode(std::string_view mode) {
  if (mode == "raise") return BoundsMode::kRaise;
  if (mode == "wrap") return BoundsMode::kWrap;
  if (mode == "clip") return BoundsMode::kClip;
  fail_value("clipmode must be one of 'clip', 'raise', or 'wrap' (got '", mode, "')");
}

// (a, indices, axis, out, mode)
void take_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArrayObj* indices = f.array(1);
  BoundsMode mode = bounds_mode(f.str(4));
  // An empty list has no dtype of its own.
  if (indices->size == 0 && indices->dt == DType::kFloat64)
    indices = f.hold(empty(indices->dims(), DType::kInt64));
  if (!can_cast(indices->dt, DType::kInt64, Casting::kSameKind))
    fail_fallback("take() at floats");  // NumPy takes a list of them, but not an array
  NDArray index = as_dtype(indices, DType::kInt64);
  NDArray flat;
  int axis = 0;
  if (f.is_none(2)) {
    flat = ascontiguous(a);
    int64_t size = a->size;
    flat = view_contiguous(flat.get(), {&size, 1});
  } else {
    axis = normalize_axis(f.integer(2), a->ndim ? a->ndim : 1);
    flat = ascontiguous(a);
    if (a->ndim == 0) {
      int64_t one = 1;
      flat = view_contiguous(flat.get(), {&one, 1});
    }
  }
  NDArrayObj* x = flat.get();
  index = ascontiguous(index.get());
  ShapeBuf shape;
  int64_t outer = 1, inner = 1, size = x->shape[axis];
  for (int d = 0; d < axis; ++d) {
    shape.push(x->shape[d]);
    outer *= x->shape[d];
  }
  for (int d = 0; d < indices->ndim; ++d) shape.push(indices->shape[d]);
  for (int d = axis + 1; d < x->ndim; ++d) {
    shape.push(x->shape[d]);
    inner *= x->shape[d];
  }
  if (shape.ndim > kMaxDims) fail_value("too many dimensions");
  int64_t n = index->size;
  if (size == 0 && n > 0 && outer * inner > 0)
    fail_index("cannot do a non-empty take from an empty axes.");
  NDArray out = empty(shape, x->dt);
  auto* k = static_cast<const int64_t*>(index->data);
  auto resolve = [&](int64_t i) -> int64_t {
    int64_t v = k[i];
    if (static_cast<uint64_t>(v) < static_cast<uint64_t>(size)) return v;
    switch (mode) {
      case BoundsMode::kRaise: return wrap_index(v, size, axis);
      case BoundsMode::kWrap: v %= size; return v < 0 ? v + size : v;
      case BoundsMode::kClip: return v < 0 ? 0 : size - 1;
    }
    return 0;
  };
  if (out->size > 0) {
    LongWork long_work(out->size);
    if (inner == 1) {
      by_itemsize(x->isz(), [&]<class T>() {
        auto* in = static_cast<const T*>(x->data);
        auto* to = static_cast<T*>(out->data);
        for (int64_t o = 0; o < outer; ++o, in += size)
          for (int64_t i = 0; i < n; ++i) *to++ = in[resolve(i)];
      });
    } else {
      size_t bytes = static_cast<size_t>(inner * x->isz());
      char* to = out->bytes();
      const char* in = x->bytes();
      for (int64_t o = 0; o < outer; ++o, in += static_cast<size_t>(size) * bytes)
        for (int64_t i = 0; i < n; ++i, to += bytes)
          std::memcpy(to, in + static_cast<size_t>(resolve(i)) * bytes, bytes);
    }
  } else {
    for (int64_t i = 0; i < n && size > 0; ++i) resolve(i);
  }
  f.ret_or_write(std::move(out), f.out(3));
}

// (condition, x, y)
void where_body(Frame& f) {
  if (f.is_none(1) != f.is_none(2)) fail_value("either both or neither of x and y should be given");
  NDArrayObj* c = f.array(0);
  if (f.is_none(1)) {
    if (c->ndim == 0)
      fail_value(
          "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
          "instead.");
    return f.ret_list(nonzero_of(c));
  }
  DType d = result_type({f.args + 1, 2});
  NDArray arrays[3] = {as_dtype(c, DType::kBool), any_to_array(f.args[1], d),
                       any_to_array(f.args[2], d)};
  ShapeBuf shape;
  bool fits = true;
  for (NDArray& a : arrays) fits &= broadcast_into(&shape, a->dims());
  if (!fits) {
    fail_value("operands could not be broadcast together with shapes ",
               shape_str(c->shape, c->ndim), " ", shape_str(arrays[1]->shape, arrays[1]->ndim), " ",
               shape_str(arrays[2]->shape, arrays[2]->ndim));
  }
  NDArray out = empty(shape, d);
  int64_t strides[3][kMaxDims];
  LoopOperand ops[4];
  for (int k = 0; k < 3; ++k) {
    broadcast_strides(arrays[k]->dims(), arrays[k]->elem_strides(), shape, strides[k]);
    ops[k] = {arrays[k]->bytes(), strides[k], arrays[k]->dt, arrays[k]->dt};
  }
  ops[3] = {out->bytes(), out->strides, d, d};
  LoopFn fn = nullptr;
  by_itemsize(itemsize(d), [&]<class T>() {
    fn = [](char** args, const intptr_t* n, const intptr_t* s, void*) {
      const char *m = args[0], *x = args[1], *y = args[2];
      char* to = args[3];
      constexpr intptr_t kT = sizeof(T);
      if (s[0] == 1 && s[1] == kT && s[2] == kT && s[3] == kT) {
        for (intptr_t i = 0; i < *n; ++i)
          reinterpret_cast<T*>(to)[i] =
              m[i] ? reinterpret_cast<const T*>(x)[i] : reinterpret_cast<const T*>(y)[i];
        return;
      }
      for (intptr_t i = 0; i < *n; ++i, m += s[0], x += s[1], y += s[2], to += s[3])
        *reinterpret_cast<T*>(to) =
            *m ? *reinterpret_cast<const T*>(x) : *reinterpret_cast<const T*>(y);
    };
  });
  run_loop({fn, nullptr}, 3, 4, ops, shape);
  f.ret(std::move(out));
}

void nonzero_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0)
    fail_value(
        "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() "
        "instead.");
  f.ret_list(nonzero_of(a));
}

void flatnonzero_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArray flat = ascontiguous(a);
  int64_t size = a->size;
  flat = view_contiguous(flat.get(), {&size, 1});
  f.ret(std::move(nonzero_of(flat.get())[0]));
}

void argwhere_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0) {
    bool truth = *static_cast<const bool*>(astype(a, DType::kBool)->data);
    int64_t shape[2] = {truth ? 1 : 0, 0};
    return f.ret(empty(shape, DType::kInt64));
  }
  std::vector<NDArray> parts = nonzero_of(a);
  int64_t count = parts[0]->size, nd = a->ndim;
  int64_t shape[2] = {count, nd};
  NDArray out = empty(shape, DType::kInt64);
  auto* to = static_cast<int64_t*>(out->data);
  for (int64_t d = 0; d < nd; ++d) {
    auto* from = static_cast<const int64_t*>(parts[static_cast<size_t>(d)]->data);
    for (int64_t i = 0; i < count; ++i) to[i * nd + d] = from[i];
  }
  f.ret(std::move(out));
}

// (arr, indices, axis)
void take_along_axis_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArrayObj* indices = f.array(1);
  if (!is_integer(indices->dt)) fail_index("`indices` must be an integer array");
  NDArray flat;
  int axis = 0;
  if (f.is_none(2)) {
    if (indices->ndim != 1) fail_value("when axis=None, `indices` must have a single dimension.");
    flat = ascontiguous(a);
    int64_t size = a->size;
    flat = view_contiguous(flat.get(), {&size, 1});
    a = flat.get();
  } else {
    axis = normalize_axis(f.integer(2), a->ndim);
  }
  if (indices->ndim != a->ndim)
    fail_value("`indices` and `arr` must have the same number of dimensions");
  NDArray index = as_dtype(indices, DType::kInt64);
  ShapeBuf shape;
  for (int d = 0; d < a->ndim; ++d) {
    int64_t x = a->shape[d], i = indices->shape[d];
    if (d != axis && x != i && x != 1 && i != 1)
      fail_index("shape mismatch: indexing arrays could not be broadcast together with shapes ",
                 shape_str(indices->shape, indices->ndim), " ", shape_str(a->shape, a->ndim));
    shape.push(d == axis ? i : x == 1 ? i : x);
  }
  NDArray out = empty(shape, a->dt);
  int64_t a_strides[kMaxDims], i_strides[kMaxDims];
  for (int d = 0; d < a->ndim; ++d) {
    a_strides[d] = d == axis ? 0 : a->shape[d] == 1 ? 0 : a->strides[d];
    i_strides[d] = indices->shape[d] == 1 && shape[d] != 1 ? 0 : index->strides[d];
  }
  const int64_t size = a->shape[axis], step = a->strides[axis], total = out->size;
  LongWork long_work(total);
  by_itemsize(a->isz(), [&]<class T>() {
    auto* in = static_cast<const T*>(a->data);
    auto* k = static_cast<const int64_t*>(index->data);
    auto* to = static_cast<T*>(out->data);
    int64_t at[kMaxDims] = {}, ao = 0, io = 0;
    for (int64_t i = 0; i < total; ++i) {
      to[i] = in[ao + wrap_index(k[io], size, axis) * step];
      for (int d = shape.ndim; d-- > 0;) {
        ao += a_strides[d];
        io += i_strides[d];
        if (++at[d] < shape[d]) break;
        ao -= a_strides[d] * shape[d];
        io -= i_strides[d] * shape[d];
        at[d] = 0;
      }
    }
  });
  f.ret(std::move(out));
}

}  // namespace

void register_selecting(Registry& r) {
  r.def({.name = "take",
         .signature =
             "(a: Array, indices: Array, axis: int? = None, out: Out = None, mode: str = 'raise')",
         .doc = "Elements of an array at the given indices along an axis (of the flattened array "
                "for None). "
                "`mode` says what happens out of bounds: 'raise', 'wrap' or 'clip'.",
         .body = take_body});
  r.def({.name = "where",
         .signature = "(condition: Array, x: Array? = None, y: Array? = None, /) -> Array",
         .doc = "Elements of x where the condition holds, of y elsewhere; with the condition "
                "alone, as nonzero.",
         .body = where_body});
  r.def({.name = "nonzero",
         .signature = "(a: Array) -> tuple[Array, ...]",
         .doc = "Indices of the non-zero elements, one int64 array for each dimension.",
         .body = nonzero_body});
  r.def({.name = "flatnonzero",
         .signature = "(a: Array)",
         .doc = "Indices of the non-zero elements of the flattened array.",
         .body = flatnonzero_body});
  r.def({.name = "argwhere",
         .signature = "(a: Array)",
         .doc = "Indices of the non-zero elements, grouped by element: shape (count, ndim).",
         .body = argwhere_body});
  r.def({.name = "take_along_axis",
         .signature = "(arr: Array, indices: Array, axis: int? = -1)",
         .doc = "Picks along an axis by an index array of the same number of dimensions, as "
                "argsort returns.",
         .body = take_along_axis_body});
}

}  // namespace isthmus
