// ops/tensor_products.cc: vdot, outer, tensordot, kron, cross, and numpy.linalg's names of
// products.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

const Ufunc& multiply() {
  static const Ufunc& u = ufunc("multiply");
  return u;
}

void vdot_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  if (a->size != b->size)
    fail_value("cannot reshape array of size ", b->size, " into shape (", a->size, ",)");
  const DType d = promote_types(a->dt, b->dt);
  Converted x(a, d), y(b, d);
  if (a->ndim != 1) x.replace(ravel(x.get()));
  if (b->ndim != 1) y.replace(ravel(y.get()));
  NDArray c = empty({}, d);
  multiply_vectors(d, true, x->bytes(), x->strides[0] * x->isz(), y->bytes(),
                   y->strides[0] * y->isz(), c->bytes(), x->size);
  f.ret(std::move(c));
}

// Two vectors of one dtype: a row for each element of the first. Null when they are not.
NDArray outer_of_vectors(const NDArrayObj* a, const NDArrayObj* b) {
  if (a->ndim != 1 || b->ndim != 1 || a->dt != b->dt) return {};
  const UfuncLoop* loop = multiply().exact(a->dt, a->dt);
  if (!loop || loop->types[2] != a->dt) return {};
  const int64_t shape[2] = {a->size, b->size}, isz = a->isz();
  NDArray c = empty(shape, a->dt);
  if (c->size == 0) return c;
  constexpr int64_t kSmallRun = 16;
  LongWork long_work(c->size);
  LoopFn fn = b->size <= kSmallRun && loop->small ? loop->small : loop->fn;
  const intptr_t n = b->size, strides[3] = {0, b->strides[0] * isz, isz};
  char* to = c->bytes();
  for (int64_t i = 0; i < a->size; ++i, to += n * isz) {
    char* args[3] = {a->bytes() + i * a->strides[0] * isz, b->bytes(), to};
    fn(args, &n, strides, loop->data);
  }
  return c;
}

// (a, b, out)
NDArray outer(NDArrayObj* a, NDArrayObj* b, NDArrayObj* out) {
  if (NDArray c = out ? NDArray() : outer_of_vectors(a, b)) return c;
  NDArray x = ravel(a), y = ravel(b);
  int64_t shape[2] = {x->size, 1}, strides[2] = {x->strides[0], 0};
  NDArray column = view(x.get(), shape, strides, x->data);
  TVMFFIAny in[2] = {any_of(column.get()), any_of(y.get())};
  UfuncCall call;
  call.out[0] = out;
  NDArray c;
  call_ufunc(multiply(), in, call, &c);
  return c;
}

// ---- tensordot, kron ----------------------------------------------------------------------------

// One side of tensordot's axes: an integer, or a sequence of them.
ShapeBuf axes_of(const TVMFFIAny& v) {
  ShapeBuf axes;
  if (v.type_index == kTVMFFIInt) {
    axes.push(v.v_int64);
    return axes;
  }
  if (v.type_index == kTVMFFITensor) {
    const NDArrayObj* a = as_ndarray(v);
    if (!is_integer(a->dt) || a->ndim > 1 || a->size > kMaxDims)
      fail_type("tensordot(): axes must be integers");
    NDArray flat = astype(a, DType::kInt64);
    for (int64_t i = 0; i < flat->size; ++i) axes.push(static_cast<const int64_t*>(flat->data)[i]);
    return axes;
  }
  auto items = items_of(v);
  if (!items) fail_fallback("tensordot(): axes of this kind");
  if (items->size() > kMaxDims) fail_value("shape-mismatch for sum");
  for (const TVMFFIAny& x : *items) {
    if (x.type_index != kTVMFFIInt) fail_type("tensordot(): axes must be integers");
    axes.push(x.v_int64);
  }
  return axes;
}

// Moves the summed axes of one operand to its end (or front) and returns it as a matrix; `kept`
// receives the others.
NDArray as_matrix(NDArrayObj* a, const ShapeBuf& axes, bool sum_last, ShapeBuf* kept) {
  ShapeBuf shape;
  int64_t strides[kMaxDims], matrix[2] = {1, 1}, step[2];
  uint64_t summed = 0;
  for (int i = 0; i < axes.ndim; ++i) summed |= uint64_t{1} << axes[i];
  auto push = [&](int64_t d) {
    strides[shape.ndim] = a->strides[d];
    shape.push(a->shape[d]);
  };
  auto push_kept = [&] {
    for (int d = 0; d < a->ndim; ++d) {
      if (summed >> d & 1) continue;
      push(d);
      kept->push(a->shape[d]);
      matrix[sum_last ? 0 : 1] *= a->shape[d];
    }
  };
  if (sum_last) push_kept();
  for (int i = 0; i < axes.ndim; ++i) {
    push(axes[i]);
    matrix[sum_last ? 1 : 0] *= a->shape[axes[i]];
  }
  if (!sum_last) push_kept();
  if (reshape_strides(shape, {strides, static_cast<size_t>(shape.ndim)}, matrix, step))
    return view(a, matrix, step, a->data);
  NDArray turned = view(a, shape, {strides, static_cast<size_t>(shape.ndim)}, a->data);
  turned = copy(turned.get());
  return view_contiguous(turned.get(), matrix);
}

NDArray tensordot(NDArrayObj* a, NDArrayObj* b, const TVMFFIAny& axes) {
  ShapeBuf ax, bx;
  if (axes.type_index == kTVMFFIInt) {
    if (axes.v_int64 > kMaxDims) fail_index("tuple index out of range");
    for (int64_t i = 0; i < axes.v_int64; ++i) {
      ax.push(i - axes.v_int64);
      bx.push(i);
    }
  } else {
    auto pair = items_of(axes);
    if (!pair) fail_fallback("tensordot(): axes of this kind");
    if (pair->size() != 2)
      fail_value("tensordot(): axes must be two sequences, got ", pair->size());
    ax = axes_of((*pair)[0]);
    bx = axes_of((*pair)[1]);
  }
  bool equal = ax.ndim == bx.ndim;
  for (int i = 0; equal && i < ax.ndim; ++i) {
    if (ax[i] < -a->ndim || ax[i] >= a->ndim || bx[i] < -b->ndim || bx[i] >= b->ndim)
      fail_index("tuple index out of range");
    if (ax[i] < 0) ax[i] += a->ndim;
    if (bx[i] < 0) bx[i] += b->ndim;
    for (int j = 0; j < i; ++j)
      if (ax[j] == ax[i] || bx[j] == bx[i])
        fail_value("duplicate axes are not allowed in tensordot");
    equal = a->shape[ax[i]] == b->shape[bx[i]];
  }
  if (!equal) fail_value("shape-mismatch for sum");
  ShapeBuf shape, rest;
  NDArray x = as_matrix(a, ax, true, &shape), y = as_matrix(b, bx, false, &rest);
  if (shape.ndim + rest.ndim > kMaxDims) fail_value("tensordot: too many dimensions");
  for (int i = 0; i < rest.ndim; ++i) shape.push(rest[i]);
  NDArray c = dot(x.get(), y.get());
  if (shape.ndim == 2) return c;
  return view_contiguous(c.get(), shape);
}

void kron_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  if (a->ndim == 0 || b->ndim == 0) return f.ret(call_binary(multiply(), any_of(a), any_of(b)));
  const int nd = std::max(a->ndim, b->ndim);
  if (2 * nd > kMaxDims) fail_fallback("kron(): more than 32 dimensions");
  // a has the even dimensions of one array of twice the dimensions, b the odd ones.
  int64_t shapes[2][kMaxDims], strides[2][kMaxDims];
  ShapeBuf shape;
  for (int d = 0; d < nd; ++d) {
    int i = d - (nd - a->ndim), j = d - (nd - b->ndim);
    shapes[0][2 * d] = i < 0 ? 1 : a->shape[i];
    strides[0][2 * d] = i < 0 ? 0 : a->strides[i];
    shapes[1][2 * d + 1] = j < 0 ? 1 : b->shape[j];
    strides[1][2 * d + 1] = j < 0 ? 0 : b->strides[j];
    shapes[0][2 * d + 1] = shapes[1][2 * d] = 1;
    strides[0][2 * d + 1] = strides[1][2 * d] = 0;
    shape.push(shapes[0][2 * d] * shapes[1][2 * d + 1]);
  }
  const size_t wide = static_cast<size_t>(2 * nd);
  NDArray x = view(a, {shapes[0], wide}, {strides[0], wide}, a->data);
  NDArray y = view(b, {shapes[1], wide}, {strides[1], wide}, b->data);
  NDArray c = call_binary(multiply(), any_of(x.get()), any_of(y.get()));
  c = ascontiguous(c.get());
  f.ret(view_contiguous(c.get(), shape));
}

// ---- cross --------------------------------------------------------------------------------------

// x1*y2 - x2*y1, rounded after each step as element-wise operators round.
template <class T>
T minor(T x1, T y2, T x2, T y1) {
  auto times = [](T x, T y) -> T {
    if constexpr (is_complex_v<T>)
      return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<uint64_t>(x) * static_cast<uint64_t>(y));
    else return narrow<T>(widen(x) * widen(y));
  };
  T first = times(x1, y2), second = times(x2, y1);
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<uint64_t>(first) - static_cast<uint64_t>(second));
  else return narrow<T>(widen(first) - widen(second));
}

NDArray cross(NDArrayObj* a, NDArrayObj* b, int64_t axis_a, int64_t axis_b, int64_t axis_c) {
  if (a->ndim < 1 || b->ndim < 1) fail_value("At least one array has zero dimension");
  const int ai = normalize_axis(axis_a, a->ndim), bi = normalize_axis(axis_b, b->ndim);
  const int64_t la = a->shape[ai], lb = b->shape[bi];
  if ((la != 2 && la != 3) || (lb != 2 && lb != 3))
    fail_value("incompatible dimensions for cross product\n(dimension must be 2 or 3)");
  if (la == 2 || lb == 2) fail_fallback("cross(): vectors of two dimensions");
  const DType d = promote_types(a->dt, b->dt);
  Converted x(a, d), y(b, d);
  // What is left without the vectors' dimension.
  struct Rest {
    ShapeBuf shape;
    int64_t strides[kMaxDims];
    Rest(const NDArrayObj* v, int axis) {
      for (int i = 0; i < v->ndim; ++i) {
        if (i == axis) continue;
        strides[shape.ndim] = v->strides[i];
        shape.push(v->shape[i]);
      }
    }
  } xr(x.get(), ai), yr(y.get(), bi);
  ShapeBuf stack;
  if (!broadcast_into(&stack, xr.shape) || !broadcast_into(&stack, yr.shape)) {
    fail_value(
        "shape mismatch: objects cannot be broadcast to a single shape.  Mismatch is between arg 0 "
        "with shape ",
        shape_str(xr.shape.dims, xr.shape.ndim), " and arg 1 with shape ",
        shape_str(yr.shape.dims, yr.shape.ndim), ".");
  }
  const int ci = normalize_axis(axis_c, stack.ndim + 1);
  if (d == DType::kBool) {
    fail_type(
        "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
        "operator, or the logical_xor "
        "function instead.");
  }
  ShapeBuf shape = stack;
  shape.push(3);
  NDArray c = empty(shape, d);
  int64_t sx[kMaxDims], sy[kMaxDims];
  broadcast_strides(xr.shape, {xr.strides, static_cast<size_t>(xr.shape.ndim)}, stack, sx);
  broadcast_strides(yr.shape, {yr.strides, static_cast<size_t>(yr.shape.ndim)}, stack, sy);
  const int64_t vx = x->strides[ai], vy = y->strides[bi];
  LongWork long_work(c->size);
  dispatch(d, [&]<class T>() {
    if constexpr (!std::is_same_v<T, bool>) {
      auto *p = static_cast<const T*>(x->data), *q = static_cast<const T*>(y->data);
      T* out = static_cast<T*>(c->data);
      int64_t index[kMaxDims] = {};
      for (int64_t i = c->size / 3; i > 0; --i, out += 3) {
        const T x0 = p[0], x1 = p[vx], x2 = p[2 * vx], y0 = q[0], y1 = q[vy], y2 = q[2 * vy];
        out[0] = minor(x1, y2, x2, y1);
        out[1] = minor(x2, y0, x0, y2);
        out[2] = minor(x0, y1, x1, y0);
        for (int k = stack.ndim; k-- > 0;) {
          p += sx[k], q += sy[k];
          if (++index[k] < stack[k]) break;
          p -= sx[k] * stack[k], q -= sy[k] * stack[k];
          index[k] = 0;
        }
      }
    }
  });
  if (ci == stack.ndim) return c;
  return moved_axis(c.get(), stack.ndim, ci);
}

// (a, b, axisa, axisb, axisc, axis)
void cross_body(Frame& f) {
  int64_t axes[3];
  for (int i = 0; i < 3; ++i) axes[i] = f.is_none(5) ? f.integer(2 + i) : f.integer(5);
  f.ret(cross(f.array(0), f.array(1), axes[0], axes[1], axes[2]));
}

// ---- numpy.linalg's names -----------------------------------------------------------------------

// (x1, x2, axis)
void linalg_cross_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  const int64_t axis = f.integer(2);
  for (const NDArrayObj* x : {a, b})
    if (axis < -x->ndim || axis >= x->ndim) fail_index("tuple index out of range");
  const int64_t la = a->shape[normalize_axis(axis, a->ndim)],
                lb = b->shape[normalize_axis(axis, b->ndim)];
  if (la != 3 || lb != 3) {
    fail_value("Both input arrays must be (arrays of) 3-dimensional vectors, but they are ", la,
               " and ", lb, " dimensional instead.");
  }
  f.ret(cross(a, b, axis, axis, axis));
}

void linalg_outer_body(Frame& f) {
  NDArrayObj *a = f.array(0), *b = f.array(1);
  if (a->ndim != 1 || b->ndim != 1) {
    fail_value("Input arrays must be one-dimensional, but they are x1.ndim=", a->ndim,
               " and x2.ndim=", b->ndim, ".");
  }
  f.ret(outer(a, b, nullptr));
}

// (x1, x2, axis)
void linalg_vecdot_body(Frame& f) {
  NDArrayObj* operands[2] = {f.array(0), f.array(1)};
  for (NDArrayObj*& x : operands) {
    if (x->ndim == 0) vecdot(operands[0], operands[1]);  // throws
    const int axis = normalize_axis(f.integer(2), x->ndim);
    if (axis == x->ndim - 1) continue;
    x = f.hold(moved_axis(x, axis, x->ndim - 1));
  }
  f.ret(vecdot(operands[0], operands[1]));
}

// The diagonals of the last two dimensions, as a view.
NDArray last_diagonal(NDArrayObj* a, int64_t offset) {
  if (a->ndim < 2) fail_value("diag requires an array of at least two dimensions");
  const int nd = a->ndim;
  const int64_t rows = a->shape[nd - 2], cols = a->shape[nd - 1], rs = a->strides[nd - 2],
                cs = a->strides[nd - 1];
  const int64_t first_row = offset < 0 ? std::min(-offset, rows) : 0,
                first_col = offset > 0 ? std::min(offset, cols) : 0;
  const int64_t length = std::min(rows - first_row, cols - first_col);
  int64_t shape[kMaxDims], strides[kMaxDims];
  std::copy_n(a->shape, nd - 2, shape);
  std::copy_n(a->strides, nd - 2, strides);
  shape[nd - 2] = length;
  strides[nd - 2] = rs + cs;
  const size_t n = static_cast<size_t>(nd - 1);
  char* data = length > 0 ? a->bytes() + (first_row * rs + first_col * cs) * a->isz() : a->bytes();
  return view(a, {shape, n}, {strides, n}, data);
}

void linalg_diagonal_body(Frame& f) {
  NDArray d = last_diagonal(f.array(0), f.integer(1));
  d->flags &= static_cast<uint8_t>(~kWriteable);  // as NumPy's
  f.ret(std::move(d));
}

// (x, offset, dtype)
void linalg_trace_body(Frame& f) {
  NDArray d = last_diagonal(f.array(0), f.integer(1));
  DType dtype = f.dtype(2, d->dt);
  f.ret(reduce_sum(d.get(), uint64_t{1} << (d->ndim - 1), false, f.is_none(2) ? nullptr : &dtype));
}

}  // namespace

void register_tensor_products(Registry& r) {
  r.def({.name = "vdot",
         .signature = "(a: Array, b: Array, /)",
         .doc = "Sum of products of the elements of two arrays in C order, with the complex "
                "conjugate of a.",
         .body = vdot_body,
         .checks_fp = true});
  r.def({.name = "outer",
         .signature = "(a: Array, b: Array, out: Out = None)",
         .doc = "Products of every element of a with every element of b, both flattened.",
         .body = [](Frame& f) { f.ret(outer(f.array(0), f.array(1), f.out(2))); },
         .checks_fp = true});
  constexpr const char* kTensordot =
      "Sum of products over pairs of axes: the last n of a with the first n of b, or the axes that "
      "two sequences name.";
  r.def({.name = "tensordot",
         .signature = "(a: Array, b: Array, axes: Any = 2)",
         .doc = kTensordot,
         .body = [](Frame& f) { f.ret(tensordot(f.array(0), f.array(1), f.args[2])); },
         .checks_fp = true});
  r.def({.name = "kron",
         .signature = "(a: Array, b: Array)",
         .doc = "Kronecker product: blocks of b, each scaled by one element of a.",
         .body = kron_body,
         .checks_fp = true});
  r.def({.name = "cross",
         .signature = "(a: Array, b: Array, axisa: int = -1, axisb: int = -1, axisc: int = -1, "
                      "axis: int? = None)",
         .doc = "Cross products of vectors of three dimensions; `axis` names their dimension in "
                "both arrays and the result at once.",
         .body = cross_body,
         .checks_fp = true});
  r.def({.name = "linalg.matmul",
         .signature = "(x1: Array, x2: Array, /)",
         .doc = "Matrix product, as matmul.",
         .body = [](Frame& f) { f.ret(matmul(f.args[0], f.args[1])); },
         .checks_fp = true});
  r.def({.name = "linalg.outer",
         .signature = "(x1: Array, x2: Array, /)",
         .doc = "Products of every element of one vector with every element of another.",
         .body = linalg_outer_body,
         .checks_fp = true});
  r.def({.name = "linalg.tensordot",
         .signature = "(x1: Array, x2: Array, /, *, axes: Any = 2)",
         .doc = kTensordot,
         .body = [](Frame& f) { f.ret(tensordot(f.array(0), f.array(1), f.args[2])); },
         .checks_fp = true});
  r.def({.name = "linalg.vecdot",
         .signature = "(x1: Array, x2: Array, /, *, axis: int = -1)",
         .doc = "Sum of products along an axis, with the complex conjugate of x1.",
         .body = linalg_vecdot_body,
         .checks_fp = true});
  r.def({.name = "linalg.cross",
         .signature = "(x1: Array, x2: Array, /, *, axis: int = -1)",
         .doc = "Cross products of vectors of three dimensions along an axis.",
         .body = linalg_cross_body,
         .checks_fp = true});
  r.def({.name = "linalg.diagonal",
         .signature = "(x: Array, /, *, offset: int = 0)",
         .doc = "Diagonals of the matrices in the last two dimensions, as a read-only view.",
         .body = linalg_diagonal_body});
  r.def({.name = "linalg.trace",
         .signature = "(x: Array, /, *, offset: int = 0, dtype: DType = None)",
         .doc = "Sums of the diagonals of the matrices in the last two dimensions.",
         .body = linalg_trace_body,
         .checks_fp = true});
}

}  // namespace isthmus
