// ops/norms.cc: linalg.norm, vector_norm, matrix_norm.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <cmath>
#include <complex>

#include "engine/engine.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/lapack.h"
#include "ops/products.h"
#include "ops/reduce.h"
#include "ops/values.h"
#include "ops/views.h"

namespace isthmus {
namespace {

// The `ord` argument.
struct NormOrder {
  enum Kind { kDefault, kNumber, kText, kOther } kind;
  double number = 0;
  std::string_view text;

  explicit NormOrder(const TVMFFIAny& v) : kind(kOther) {
    if (v.type_index == kTVMFFINone) kind = kDefault;
    else if (as_string(v, &text)) kind = kText;
    else if (auto d = real_of(v)) kind = kNumber, number = *d;
  }
  bool is(double n) const { return kind == kNumber && number == n; }
  bool is_frobenius() const { return kind == kText && (text == "fro" || text == "f"); }
};

struct Used {
  const Ufunc& absolute = ufunc("absolute");
  const Ufunc& maximum = ufunc("maximum");
  const Ufunc& minimum = ufunc("minimum");
  const Ufunc& multiply = ufunc("multiply");
  const Ufunc& not_equal = ufunc("not_equal");
  const Ufunc& power = ufunc("power");
  const Ufunc& sqrt = ufunc("sqrt");
};
const Used& used() {
  static const Used* u = new Used;
  return *u;
}

// Square roots in place.
NDArray roots(NDArray a) {
  if (a->ndim == 0 && a->dt == DType::kFloat64) {
    double* p = static_cast<double*>(a->data);
    *p = std::sqrt(*p);
    return a;
  }
  return call_unary(used().sqrt, any_of(a.get()));
}

// |x|^2, real, in the order of the operand's memory.
NDArray squares(NDArrayObj* x) {
  if (!is_complex(x->dt)) return call_binary(used().multiply, any_of(x), any_of(x));
  NDArray flat = copy_keep_order(x);
  NDArray out = empty_keep_order(flat.get(), x->dims(), real_dtype(x->dt));
  auto run = [&]<class T>() {
    auto* in = static_cast<const std::complex<T>*>(flat->data);
    T* to = static_cast<T*>(out->data);
    for (int64_t i = 0; i < x->size; ++i)
      to[i] = in[i].real() * in[i].real() + in[i].imag() * in[i].imag();
  };
  if (x->dt == DType::kComplex64) run.operator()<float>();
  else run.operator()<double>();
  return out;
}

NDArray extreme(const Ufunc& u, NDArrayObj* a, uint64_t axes, bool keepdims, bool from_zero) {
  TVMFFIAny zero = any_of(int64_t{0});
  ReduceCall call;
  call.axes = axes;
  call.keepdims = keepdims;
  if (from_zero) call.initial = &zero;
  return reduce(u, a, call, nullptr);
}

// The norm of all elements as one vector: sqrt(x . x).
NDArray flat_norm(NDArrayObj* x) {
  NDArray held;
  if (!x->c_contiguous() && !x->f_contiguous()) {
    held = copy_keep_order(x);
    x = held.get();
  }
  const DType d = real_dtype(x->dt);
  const int64_t isz = x->isz();
  NDArray out = empty({}, d);
  const char* p = x->bytes();
  multiply_vectors(d, false, p, isz, p, isz, out->bytes(), x->size);
  if (is_complex(x->dt)) {
    NDArray imaginary = empty({}, d);
    p += isz / 2;
    multiply_vectors(d, false, p, isz, p, isz, imaginary->bytes(), x->size);
    static const Ufunc& add = ufunc("add");
    out = call_binary(add, any_of(out.get()), any_of(imaginary.get()));
  }
  return roots(std::move(out));
}

NDArray vector_norm(NDArrayObj* x, const NormOrder& order, uint64_t axes, bool keepdims) {
  const Used& u = used();
  const bool whole = std::popcount(axes) == x->ndim;
  if (order.kind == NormOrder::kDefault || order.is(2)) {
    if (whole && !keepdims && x->dt != DType::kFloat16) return flat_norm(x);
    NDArray s = squares(x);
    return roots(reduce_sum(s.get(), axes, keepdims));
  }
  if (order.kind == NormOrder::kText)
    fail_value("Invalid norm order '", order.text, "' for vectors");
  if (order.kind == NormOrder::kOther) fail_fallback("norm() of this order");
  if (order.number == 0) {
    NDArray nonzero = call_binary(u.not_equal, any_of(x), any_of(int64_t{0}));
    const DType d = real_dtype(x->dt);
    return reduce_sum(nonzero.get(), axes, keepdims, &d);
  }
  NDArray a = call_unary(u.absolute, any_of(x));
  if (order.number == INFINITY) return extreme(u.maximum, a.get(), axes, keepdims, true);
  if (order.number == -INFINITY) return extreme(u.minimum, a.get(), axes, keepdims, false);
  if (order.number == 1) return reduce_sum(a.get(), axes, keepdims);
  call_binary_out(u.power, any_of(a.get()), any_of(order.number), a.get());
  NDArray sum = reduce_sum(a.get(), axes, keepdims);
  // 1 / ord in the dtype of the sum.
  double inverse = 1 / order.number;
  if (sum->dt == DType::kFloat32) inverse = 1 / static_cast<float>(order.number);
  if (sum->dt == DType::kFloat16)
    inverse = half_to_float(float_to_half(1 / half_to_float(double_to_half(order.number))));
  call_binary_out(u.power, any_of(sum.get()), any_of(inverse), sum.get());
  return sum;
}

NDArray with_axes(NDArray a, int row, int col, bool keepdims) {
  if (!keepdims) return a;
  ShapeBuf shape;
  for (int d = 0, from = 0; d < a->ndim + 2; ++d)
    shape.push(d == row || d == col ? 1 : a->shape[from++]);
  return view_contiguous(a.get(), shape);
}

NDArray matrix_norm(NDArrayObj* x, const NormOrder& order, int row, int col, bool keepdims) {
  const Used& u = used();
  const uint64_t rows = uint64_t{1} << row, cols = uint64_t{1} << col;
  if (order.kind == NormOrder::kDefault || order.is_frobenius()) {
    NDArray s = squares(x);
    return roots(reduce_sum(s.get(), rows | cols, keepdims));
  }
  const bool nuclear = order.kind == NormOrder::kText && order.text == "nuc";
  if (nuclear || order.is(2) || order.is(-2)) {
    // Rows and columns to the end.
    NDArray y = moved_axis(x, row, x->ndim - 1);
    y = moved_axis(y.get(), col > row ? col - 1 : col, x->ndim - 1);
    NDArray s = singular_values(y.get());
    const uint64_t last = uint64_t{1} << (s->ndim - 1);
    NDArray r =
        nuclear ? reduce_sum(s.get(), last, false)
                : extreme(order.is(2) ? u.maximum : u.minimum, s.get(), last, false, order.is(2));
    return with_axes(std::move(r), row, col, keepdims);
  }
  const bool one = order.is(1) || order.is(-1),
             infinite = order.is(INFINITY) || order.is(-INFINITY);
  if (!one && !infinite) fail_value("Invalid norm order for matrices.");
  NDArray a = call_unary(u.absolute, any_of(x));
  NDArray sums = reduce_sum(a.get(), one ? rows : cols, true);
  const bool largest = order.number > 0;
  NDArray r =
      extreme(largest ? u.maximum : u.minimum, sums.get(), one ? cols : rows, true, largest);
  if (keepdims) return r;
  ShapeBuf shape = reduced_shape(x, rows | cols, false);
  return reshaped(r.get(), shape);
}

NDArrayObj* inexact_operand(Frame& f) {
  NDArrayObj* x = f.array(0);
  return is_inexact(x->dt) ? x : f.hold(as_dtype_keep_order(x, DType::kFloat64));
}

// (x, ord, axis, keepdims)
void norm_body(Frame& f) {
  NDArrayObj* x = inexact_operand(f);
  const NormOrder order(f.args[1]);
  const bool keepdims = f.boolean(3);
  if (f.is_none(2)) {
    if (order.kind == NormOrder::kDefault || (order.is_frobenius() && x->ndim == 2) ||
        (order.is(2) && x->ndim == 1)) {
      NDArray r = flat_norm(x);
      if (keepdims) {
        ShapeBuf shape;
        for (int d = 0; d < x->ndim; ++d) shape.push(1);
        r = view_contiguous(r.get(), shape);
      }
      return f.ret(std::move(r));
    }
    if (x->ndim == 1) return f.ret(vector_norm(x, order, 1, keepdims));
    if (x->ndim == 2) return f.ret(matrix_norm(x, order, 0, 1, keepdims));
    fail_value("Improper number of dimensions to norm.");
  }
  Dims axes = f.shape(2);
  if (axes.size() == 1) return f.ret(vector_norm(x, order, axes_mask(axes, x->ndim), keepdims));
  if (axes.size() != 2) fail_value("Improper number of dimensions to norm.");
  const int row = normalize_axis(axes[0], x->ndim), col = normalize_axis(axes[1], x->ndim);
  if (row == col) fail_value("Duplicate axes given.");
  f.ret(matrix_norm(x, order, row, col, keepdims));
}

// (x, *, axis, keepdims, ord)
void vector_norm_body(Frame& f) {
  NDArrayObj* x = inexact_operand(f);
  f.ret(vector_norm(x, NormOrder(f.args[3]), axes_argument(f, 1, x->ndim), f.boolean(2)));
}

// (x, *, keepdims, ord)
void matrix_norm_body(Frame& f) {
  NDArrayObj* x = inexact_operand(f);
  const int row = normalize_axis(-2, x->ndim), col = normalize_axis(-1, x->ndim);
  f.ret(matrix_norm(x, NormOrder(f.args[2]), row, col, f.boolean(1)));
}

}  // namespace

void register_norms(Registry& r) {
  r.def({.name = "linalg.norm",
         .signature = "(x: Array, ord: Any = None, axis: Axes = None, keepdims: bool = False)",
         .doc = "Norms of vectors (over one axis) or matrices (over two). `ord` is a number, inf, "
                "-inf, 'fro' or 'nuc'; without it and "
                "without axes, the root of the sum of squares of all elements.",
         .body = norm_body,
         .checks_fp = true});
  r.def({.name = "linalg.vector_norm",
         .signature = "(x: Array, /, *, axis: Axes = None, keepdims: bool = False, ord: Any = 2)",
         .doc = "Norms of vectors over any axes, by default of all elements.",
         .body = vector_norm_body,
         .checks_fp = true});
  r.def({.name = "linalg.matrix_norm",
         .signature = "(x: Array, /, *, keepdims: bool = False, ord: Any = 'fro')",
         .doc = "Norms of the matrices in the last two dimensions.",
         .body = matrix_norm_body,
         .checks_fp = true});
}

}  // namespace isthmus
