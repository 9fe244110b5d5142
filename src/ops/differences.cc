// ops/differences.cc: diff, ediff1d, trapezoid, polyval.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/views.h"

namespace isthmus {
namespace {

const Ufunc& subtract() {
  static const Ufunc& u = ufunc("subtract");
  return u;
}

// a[1:] - a[:-1] along an axis; of bools whether they differ.
NDArray difference(const NDArrayObj* a, int axis) {
  static const Ufunc& not_equal = ufunc("not_equal");
  const int64_t n = std::max<int64_t>(a->shape[axis] - 1, 0);
  NDArray later = sliced(a, axis, 1, n), earlier = sliced(a, axis, 0, n);
  return call_binary(a->dt == DType::kBool ? not_equal : subtract(), any_of(later.get()),
                     any_of(earlier.get()));
}

// a with what stands before and behind it along an axis; 0-d parts count as one element there.
NDArray extended(NDArrayObj* a, NDArrayObj* before, NDArrayObj* behind, int axis) {
  NDArrayObj* parts[3] = {before, a, behind};
  DType d = a->dt;
  ShapeBuf shape;
  for (int64_t n : a->dims()) shape.push(n);
  shape[axis] = 0;
  for (NDArrayObj* p : parts) {
    if (!p) continue;
    d = promote_types(d, p->dt);
    if (p->ndim != 0) {
      bool fits = p->ndim == a->ndim;
      for (int k = 0; fits && k < a->ndim; ++k) fits = k == axis || p->shape[k] == a->shape[k];
      if (!fits) {
        fail_value(
            "all the input array dimensions except for the concatenation axis must match exactly, "
            "but shapes are ",
            shape_str(a->shape, a->ndim), " and ", shape_str(p->shape, p->ndim));
      }
    }
    shape[axis] += p->ndim ? p->shape[axis] : 1;
  }
  NDArray out = empty(shape, d);
  int64_t at = 0;
  for (NDArrayObj* p : parts) {
    if (!p) continue;
    const int64_t n = p->ndim ? p->shape[axis] : 1;
    NDArray place = sliced(out.get(), axis, at, n);
    if (place->size > 0) assign(place.get(), p);
    at += n;
  }
  return out;
}

// (a, n, axis, prepend, append)
void diff_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  int64_t n = f.integer(1);
  if (n == 0) return f.ret_borrowed(a);
  if (n < 0) fail_value("order must be non-negative but got ", n);
  if (a->ndim == 0) fail_value("diff requires input that is at least one dimensional");
  const int axis = normalize_axis(f.integer(2), a->ndim);
  NDArrayObj *before = f.array_or_null(3), *behind = f.array_or_null(4);
  NDArray x = before || behind ? extended(a, before, behind, axis) : NDArray::share(a);
  for (; n > 0; --n) {
    const bool was_empty = x->shape[axis] == 0;
    x = difference(x.get(), axis);
    if (was_empty) break;  // and stays so
  }
  f.ret(std::move(x));
}

// (ary, to_end, to_begin)
void ediff1d_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArray flat = ravel(a);
  NDArrayObj* ends[2] = {f.array_or_null(2), f.array_or_null(1)};
  const int64_t n = std::max<int64_t>(flat->size - 1, 0);
  if (a->dt == DType::kBool) {
    fail_type(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
        "operator, or the logical_xor "
        "function instead.");
  }
  if (!ends[0] && !ends[1]) return f.ret(difference(flat.get(), 0));
  int64_t length = n;
  for (int k = 0; k < 2; ++k) {
    if (!ends[k]) continue;
    const bool fits = can_cast(ends[k]->dt, a->dt, Casting::kSameKind);
    if (!fits) {
      fail_type("dtype of `", k == 0 ? "to_begin" : "to_end",
                "` must be compatible with input `ary` under the `same_kind` rule.");
    }
    length += ends[k]->size;
  }
  NDArray out = empty({&length, 1}, a->dt);
  const int64_t head = ends[0] ? ends[0]->size : 0;
  NDArray middle = sliced(out.get(), 0, head, n);
  if (n > 0) {
    NDArray later = sliced(flat.get(), 0, 1, n), earlier = sliced(flat.get(), 0, 0, n);
    call_binary_out(subtract(), any_of(later.get()), any_of(earlier.get()), middle.get());
  }
  for (int k = 0; k < 2; ++k) {
    if (!ends[k] || ends[k]->size == 0) continue;
    NDArray place = sliced(out.get(), 0, k == 0 ? 0 : head + n, ends[k]->size),
            values = ravel(ends[k]);
    assign(place.get(), values.get());
  }
  f.ret(std::move(out));
}

// (y, x, dx, axis)
void trapezoid_body(Frame& f) {
  static const Ufunc &add = ufunc("add"), &multiply = ufunc("multiply"), &divide = ufunc("divide");
  NDArrayObj* y = f.array(0);
  const int axis = normalize_axis(f.integer(3), y->ndim);
  TVMFFIAny width = f.args[2];
  NDArray steps;
  if (NDArrayObj* x = f.array_or_null(1)) {
    if (x->ndim == 0) fail_value("diff requires input that is at least one dimensional");
    if (x->ndim == 1) {
      steps = difference(x, 0);
      int64_t shape[kMaxDims], strides[kMaxDims];
      std::fill_n(shape, y->ndim, 1);
      std::fill_n(strides, y->ndim, 0);
      shape[axis] = steps->size;
      strides[axis] = steps->strides[0];
      const size_t nd = static_cast<size_t>(y->ndim);
      steps = view(steps.get(), {shape, nd}, {strides, nd}, steps->data);
    } else {
      steps = difference(x, normalize_axis(f.integer(3), x->ndim));
    }
    width = any_of(steps.get());
  }
  const int64_t n = std::max<int64_t>(y->shape[axis] - 1, 0);
  NDArray later = sliced(y, axis, 1, n), earlier = sliced(y, axis, 0, n);
  NDArray area = call_binary(add, any_of(later.get()), any_of(earlier.get()));
  WeakKind weak;
  if (is_inexact(area->dt) && is_weak(width, &weak) && promote_weak(area->dt, weak) == area->dt) {
    call_binary_out(multiply, width, any_of(area.get()), area.get());
    call_binary_out(divide, any_of(area.get()), any_of(2.0), area.get());
  } else {
    area = call_binary(multiply, width, any_of(area.get()));
    area = call_binary(divide, any_of(area.get()), any_of(2.0));
  }
  f.ret(reduce_sum(area.get(), uint64_t{1} << normalize_axis(f.integer(3), area->ndim), false));
}

// (p, x)
void polyval_body(Frame& f) {
  NDArrayObj *p = f.array(0), *x = f.array(1);
  if (p->ndim != 1) fail_fallback("polyval() of coefficients that are no vector");
  const DType d = p->size ? promote_types(x->dt, p->dt) : x->dt;
  if (d == DType::kBool || d == DType::kFloat16) fail_fallback("polyval() in this dtype");
  NDArray out = empty(x->dims(), d);
  Converted at(x, d), coefficients(p, d);
  if (!at->c_contiguous()) at.replace(copy(at.get()));
  LongWork long_work(x->size * std::max<int64_t>(p->size, 1));
  dispatch(d, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, Half>) {
      auto *in = static_cast<const T*>(at->data), *c = static_cast<const T*>(coefficients->data);
      T* to = static_cast<T*>(out->data);
      const int64_t step = coefficients->strides[0], count = p->size;
      auto next = [](T y, T v, T pv) -> T {  // y * v + pv
        if constexpr (is_complex_v<T>)
          return {y.real() * v.real() - y.imag() * v.imag() + pv.real(),
                  y.real() * v.imag() + y.imag() * v.real() + pv.imag()};
        else if constexpr (std::is_integral_v<T>)
          return static_cast<T>(static_cast<uint64_t>(y) * static_cast<uint64_t>(v) +
                                static_cast<uint64_t>(pv));
        else return y * v + pv;
      };
      for (int64_t i = 0; i < x->size; ++i) {
        T y(0);
        for (int64_t k = 0; k < count; ++k) y = next(y, in[i], c[k * step]);
        to[i] = y;
      }
    }
  });
  f.ret(std::move(out));
}

}  // namespace

void register_differences(Registry& r) {
  r.def(
      {.name = "diff",
       .signature =
           "(a: Array, n: int = 1, axis: int = -1, prepend: Array? = None, append: Array? = None)",
       .doc = "Differences of neighbours along an axis, taken n times. What is prepended and "
              "appended counts as part of the array.",
       .body = diff_body,
       .checks_fp = true});
  r.def({.name = "ediff1d",
         .signature = "(ary: Array, to_end: Array? = None, to_begin: Array? = None)",
         .doc =
             "Differences of neighbours in the flattened array, between what is put at either end.",
         .body = ediff1d_body,
         .checks_fp = true});
  r.def({.name = "trapezoid",
         .signature = "(y: Array, x: Array? = None, dx: Array = 1.0, axis: int = -1)",
         .doc = "The integral of y along an axis by the trapezoidal rule, at the points x or `dx` "
                "apart.",
         .body = trapezoid_body,
         .checks_fp = true});
  r.def(
      {.name = "polyval",
       .signature = "(p: Array, x: Array)",
       .doc = "The polynomial with coefficients p, the highest power first, at each element of x.",
       .body = polyval_body,
       .checks_fp = true});
}

}  // namespace isthmus
