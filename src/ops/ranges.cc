// ops/ranges.cc: arrays of evenly spaced numbers, windows, and the indices of grids and triangles.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"

namespace isthmus {
namespace {

// ---- arange
// ------------------------------------------------------------------------------------------ A
// number given as start, stop or step.
struct Number {
  DType dt = DType::kInt64;
  bool exact = true;  // an integer, in `i`
  int64_t i = 0;
  std::complex<double> z = 0;
};

Number number_of(const TVMFFIAny& v) {
  Number n;
  switch (v.type_index) {
    case kTVMFFIBool: n.dt = DType::kBool; [[fallthrough]];
    case kTVMFFIInt: n.i = v.v_int64; break;
    case kTVMFFIFloat: n = {DType::kFloat64, false, 0, v.v_float64}; break;
    case kTVMFFIOpaquePtr:
      n = {DType::kComplex128, false, 0, *static_cast<std::complex<double>*>(v.v_ptr)};
      break;
    default: {
      NDArrayObj* a = as_ndarray(v);
      if (a->ndim != 0 || a->dt == DType::kUInt64) fail_fallback("arange of arrays");
      n.dt = a->dt;
      n.exact = !is_inexact(a->dt);
      if (n.exact) cast_one(a->dt, a->data, DType::kInt64, &n.i);
      else if (a->dt == DType::kFloat64) n.z = *static_cast<double*>(a->data);
      else if (a->dt == DType::kComplex128) n.z = *static_cast<std::complex<double>*>(a->data);
      else fail_fallback("arange of narrow floats");  // their sums are rounded to their width
    }
  }
  if (n.exact) n.z = static_cast<double>(n.i);
  return n;
}

int64_t ceil_length(double value) {
  value = std::ceil(value);
  if (std::isnan(value)) fail_value("arange: cannot compute length");
  if (value >= 0x1p63 || value < -0x1p63) fail_value("arange: Maximum allowed size exceeded");
  return std::max<int64_t>(static_cast<int64_t>(value), 0);
}

int64_t arange_length(const Number& start, const Number& stop, const Number& step) {
  if (step.z == 0.0) fail_with("ZeroDivisionError", "arange(): step must not be zero");
  if (start.exact && stop.exact && step.exact) {
    int64_t span;
    if (!__builtin_sub_overflow(stop.i, start.i, &span)) {
      constexpr int64_t kExact = int64_t{1} << 53;
      if (std::max(span, step.i) < kExact && std::min(span, step.i) > -kExact)
        return ceil_length(static_cast<double>(span) / static_cast<double>(step.i));
    }
    long double wide = static_cast<long double>(stop.i) - static_cast<long double>(start.i);
    return ceil_length(static_cast<double>(wide / static_cast<long double>(step.i)));
  }
  if (is_complex(start.dt) || is_complex(stop.dt) || is_complex(step.dt)) {
    std::complex<double> steps = (stop.z - start.z) / step.z;
    return std::min(ceil_length(steps.real()), ceil_length(steps.imag()));
  }
  double span = stop.z.real() - start.z.real(), value = span / step.z.real();
  if (value == 0 && span != 0) return std::signbit(value) ? 0 : 1;  // the quotient underflowed
  return ceil_length(value);
}

// start and start + step, converted to T; all others follow from these two, as NumPy fills.
template <class T>
void fill_range(T* out, int64_t n, T first, T second) {
  auto run = [&]<class I>(I count) {
    if constexpr (std::is_same_v<T, bool>) {
      if (count > 0) out[0] = first;
      if (count > 1) out[1] = second;
    } else if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;
      U delta = static_cast<U>(static_cast<U>(second) - static_cast<U>(first)),
        v = static_cast<U>(first);
      for (I i = 0; i < count; ++i, v = static_cast<U>(v + delta)) out[i] = static_cast<T>(v);
    } else {
      auto start = widen(first), delta = widen(second) - start;
      if constexpr (is_complex_v<T>) {
        using R = typename T::value_type;
        for (I i = 0; i < count; ++i)
          out[i] = T(start.real() + static_cast<R>(i) * delta.real(),
                     start.imag() + static_cast<R>(i) * delta.imag());
      } else {
        for (I i = 0; i < count; ++i)
          out[i] = narrow<T>(start + static_cast<decltype(start)>(i) * delta);
      }
      if (count > 0) out[0] = first;
      if (count > 1) out[1] = second;
    }
  };
  // 32-bit counters convert to floats in vectors.
  if (n < INT32_MAX) run(static_cast<int32_t>(n));
  else run(n);
}

TVMFFIAny any_of_number(const Number& n) {
  if (n.exact) return any_of(n.i);
  TVMFFIAny v = any_of(n.z.real());
  if (is_complex(n.dt)) {
    v.type_index = kTVMFFIOpaquePtr;
    v.v_ptr = const_cast<std::complex<double>*>(&n.z);
  }
  return v;
}

NDArray arange(const Number& start, const Number& stop, const Number& step, const DType* dtype) {
  DType d = dtype ? *dtype
                  : promote_types(promote_types(DType::kInt64, start.dt),
                                  promote_types(stop.dt, step.dt));
  int64_t n = arange_length(start, stop, step);
  if (d == DType::kBool && n > 2)
    fail_type("arange() is only supported for booleans when the result has at most length 2.");
  NDArray out = empty({&n, 1}, d);
  if (n == 0) return out;
  Number next = start;
  if (start.exact && step.exact) {
    // The sum is only used when there is a second element; it may be out of range then as in NumPy.
    if (__builtin_add_overflow(start.i, step.i, &next.i)) {
      if (n > 1) fail_with("OverflowError", "arange(): the second value does not fit in int64");
      next.i = start.i;
    }
  } else {
    next.exact = false;
    next.z = start.z + step.z;
    next.dt = promote_types(start.dt, step.dt);
  }
  dispatch(d, [&]<class T>() {
    T first, second;
    weak_to(any_of_number(start), d, &first);
    second = first;
    if (n > 1) weak_to(any_of_number(next), d, &second);
    fill_range(static_cast<T*>(out->data), n, first, second);
  });
  return out;
}

void body_arange(Frame& f) {
  check_device(f, 4);
  check_like(f, 5);
  if (f.is_none(0) && f.is_none(1)) fail_type("arange() requires stop to be specified.");
  DType dtype = f.dtype(3, DType::kInt64);
  Number start, stop, step;
  step.i = 1;
  step.z = 1;
  if (f.is_none(1)) {
    stop = number_of(f.args[0]);
  } else {
    if (!f.is_none(0)) start = number_of(f.args[0]);
    stop = number_of(f.args[1]);
  }
  if (!f.is_none(2)) step = number_of(f.args[2]);
  f.ret(arange(start, stop, step, f.is_none(3) ? nullptr : &dtype));
}

// ---- linspace and its kin ----------------------------------------------------------------------
struct Spaced {
  NDArray values;
  NDArray step;
};

template <class T>
Spaced linspace_of_numbers(T start, T stop, int64_t num, bool endpoint) {
  Spaced s;
  s.values = empty({&num, 1}, dtype_of<T>());
  T* y = static_cast<T*>(s.values->data);
  int64_t div = endpoint ? num - 1 : num;
  T delta = stop - start, step = 0;
  auto run = [&]<class I>(I n) {
    if (div <= 0) {
      for (I i = 0; i < n; ++i) y[i] = static_cast<T>(i) * delta + start;
      return;
    }
    step = delta / static_cast<T>(div);
    if (step == 0) {  // also where it underflowed
      for (I i = 0; i < n; ++i) y[i] = static_cast<T>(i) / static_cast<T>(div) * delta + start;
    } else {
      for (I i = 0; i < n; ++i) y[i] = static_cast<T>(i) * step + start;
    }
  };
  if (num < INT32_MAX) run(static_cast<int32_t>(num));
  else run(num);
  if (endpoint && num > 1) y[num - 1] = stop;
  double nan = std::numeric_limits<double>::quiet_NaN();
  s.step = div > 0 ? scalar_array(dtype_of<T>(), &step) : scalar_array(DType::kFloat64, &nan);
  return s;
}

const Ufunc& divide_ufunc() {
  static const Ufunc& u = ufunc("divide");
  return u;
}
const Ufunc& multiply_ufunc() {
  static const Ufunc& u = ufunc("multiply");
  return u;
}

// The general form: the same steps on arrays, the samples along a new first axis.
Spaced linspace_of_arrays(NDArray start, NDArray stop, int64_t num, bool endpoint, DType d) {
  static const Ufunc &add = ufunc("add"), &subtract = ufunc("subtract"), &equal = ufunc("equal");
  Spaced s;
  int64_t div = endpoint ? num - 1 : num;
  NDArray delta = call_binary(subtract, any_of(stop.get()), any_of(start.get()));
  Number zero, one, count;
  one.i = 1;
  one.z = 1;
  count.i = num;
  count.z = static_cast<double>(num);
  NDArray y = arange(zero, count, one, &d);
  ShapeBuf column;
  column.push(num);
  for (int i = 0; i < delta->ndim; ++i) column.push(1);
  y = view_contiguous(y.get(), column);
  if (div > 0) {
    s.step = call_binary(divide_ufunc(), any_of(delta.get()), any_of(div));
    NDArray zeros =
        ascontiguous(call_binary(equal, any_of(s.step.get()), any_of(int64_t{0})).get());
    bool any_zero = false;
    for (int64_t i = 0; i < zeros->size; ++i) any_zero |= static_cast<bool*>(zeros->data)[i];
    if (any_zero) {
      y = call_binary(divide_ufunc(), any_of(y.get()), any_of(div));
      y = call_binary(multiply_ufunc(), any_of(y.get()), any_of(delta.get()));
    } else {
      y = call_binary(multiply_ufunc(), any_of(y.get()), any_of(s.step.get()));
    }
  } else {
    double nan = std::numeric_limits<double>::quiet_NaN();
    s.step = scalar_array(DType::kFloat64, &nan);
    y = call_binary(multiply_ufunc(), any_of(y.get()), any_of(delta.get()));
  }
  y = call_binary(add, any_of(y.get()), any_of(start.get()));
  if (endpoint && num > 1) {
    int64_t last = (num - 1) * y->strides[0];
    assign(view(y.get(), y->dims().subspan(1), y->elem_strides().subspan(1),
                y->bytes() + last * y->isz())
               .get(),
           stop.get());
  }
  s.values = std::move(y);
  return s;
}

// A view with the first axis moved to `axis`.
NDArray first_axis_to(const NDArray& a, int64_t axis) {
  int to = normalize_axis(axis, a->ndim);
  if (to == 0) return a;
  ShapeBuf shape, strides;
  for (int i = 1; i < a->ndim; ++i) {
    if (i - 1 == to) break;
    shape.push(a->shape[i]);
    strides.push(a->strides[i]);
  }
  shape.push(a->shape[0]);
  strides.push(a->strides[0]);
  for (int i = shape.ndim; i < a->ndim; ++i) {
    shape.push(a->shape[i]);
    strides.push(a->strides[i]);
  }
  return view(a.get(), shape, strides, a->data);
}

Spaced linspace(const TVMFFIAny& start, const TVMFFIAny& stop, int64_t num, bool endpoint,
                int64_t axis) {
  if (num < 0) fail_value("Number of samples, ", num, ", must be non-negative.");
  TVMFFIAny ends[2] = {start, stop};
  DType d = promote_weak(result_type(ends), WeakKind::kFloat);
  auto scalar = [](const TVMFFIAny& v) {
    return v.type_index != kTVMFFITensor || as_ndarray(v)->ndim == 0;
  };
  auto value = [&](const TVMFFIAny& v, void* out) {
    if (v.type_index == kTVMFFITensor) cast_one(as_ndarray(v)->dt, as_ndarray(v)->data, d, out);
    else weak_to(v, d, out);
  };
  Spaced s;
  if (scalar(start) && scalar(stop) && (d == DType::kFloat64 || d == DType::kFloat32)) {
    auto run = [&]<class T>(T) {
      T first, last;
      value(start, &first);
      value(stop, &last);
      s = linspace_of_numbers(first, last, num, endpoint);
    };
    if (d == DType::kFloat64) run(double{});
    else run(float{});
  } else {
    s = linspace_of_arrays(any_to_array(start, d), any_to_array(stop, d), num, endpoint, d);
  }
  s.values = first_axis_to(s.values, axis);
  return s;
}

void body_linspace(Frame& f) {
  check_device(f, 7);
  Spaced s = linspace(f.args[0], f.args[1], f.integer(2), f.boolean(3), f.integer(6));
  if (!f.is_none(5)) {
    DType d = f.dtype(5, DType::kFloat64);
    static const Ufunc& floor = ufunc("floor");
    if (is_integer(d)) s.values = call_unary(floor, any_of(s.values.get()));
    s.values = as_dtype(s.values.get(), d);
  }
  if (!f.boolean(4)) return f.ret(std::move(s.values));
  f.ret_list({std::move(s.values), std::move(s.step)});
}

void body_logspace(Frame& f) {
  static const Ufunc& power = ufunc("power");
  if (f.is_array(4) && f.array(4)->ndim > 0) fail_fallback("several bases");
  Spaced s = linspace(f.args[0], f.args[1], f.integer(2), f.boolean(3), f.integer(6));
  NDArray y = call_binary(power, f.args[4], any_of(s.values.get()));
  f.ret(as_dtype(y.get(), f.dtype(5, y->dt)));
}

void body_geomspace(Frame& f) {
  static const Ufunc &log10 = ufunc("log10"), &sign = ufunc("sign"), &power = ufunc("power");
  DType given = f.dtype(4, DType::kFloat64);
  NDArray strong = zeros({}, given);
  TVMFFIAny all[4] = {any_of(f.array(0)), any_of(f.array(1)), any_of(0.0), any_of(strong.get())};
  DType d = result_type(all);
  if (is_complex(d) || (f.is_array(0) && f.array(0)->ndim) || (f.is_array(1) && f.array(1)->ndim))
    fail_fallback("complex or several ends");
  NDArray start = any_to_array(f.args[0], d), stop = any_to_array(f.args[1], d);
  double first, last;
  cast_one(d, start->data, DType::kFloat64, &first);
  cast_one(d, stop->data, DType::kFloat64, &last);
  if (first == 0 || last == 0) fail_value("Geometric sequence cannot include zero");
  int64_t num = f.integer(2);
  NDArray s = call_unary(sign, any_of(start.get()));
  start = call_binary(divide_ufunc(), any_of(start.get()), any_of(s.get()));
  stop = call_binary(divide_ufunc(), any_of(stop.get()), any_of(s.get()));
  NDArray from = call_unary(log10, any_of(start.get())), to = call_unary(log10, any_of(stop.get()));
  NDArray y = linspace(any_of(from.get()), any_of(to.get()), num, f.boolean(3), 0).values;
  y = call_binary(power, any_of(10.0), any_of(y.get()));
  y = as_dtype(y.get(), d);
  size_t isz = static_cast<size_t>(y->isz());
  if (num > 0) std::memcpy(y->data, start->data, isz);
  if (num > 1 && f.boolean(3))
    std::memcpy(y->bytes() + static_cast<size_t>(num - 1) * isz, stop->data, isz);
  y = call_binary(multiply_ufunc(), any_of(y.get()), any_of(s.get()));
  y = first_axis_to(y, f.integer(5));
  f.ret(as_dtype(y.get(), f.is_none(4) ? d : given));
}

// ---- Windows: weights on m points, the sums of cosines
// ------------------------------------------------ a + b * cos(pi * n / (m - 1)) + c * cos(2 * pi *
// n / (m - 1)) with n from 1 - m by twos.
NDArray cosine_window(double m, double a, double b, double c) {
  static const Ufunc& cos = ufunc("cos");
  int64_t none = 0, single = 1;
  if (m < 1) return empty({&none, 1}, DType::kFloat64);
  NDArray one = empty({&single, 1}, DType::kFloat64);
  if (m == 1) return *static_cast<double*>(one->data) = 1, one;
  Number first{DType::kFloat64, false, 0, 1 - m}, last{DType::kFloat64, false, 0, m},
      two{DType::kInt64, true, 2, 2.0};
  NDArray n = arange(first, last, two, nullptr);
  NDArray angles = empty(n->dims(), DType::kFloat64), result;
  auto term = [&](double factor, double weight) {
    auto* x = static_cast<double*>(n->data);
    auto* t = static_cast<double*>(angles->data);
    for (int64_t i = 0; i < n->size; ++i) t[i] = factor * x[i] / (m - 1);
    NDArray wave = call_unary(cos, any_of(angles.get()));
    auto* w = static_cast<double*>(wave->data);
    if (!result) {
      for (int64_t i = 0; i < n->size; ++i) w[i] = a + weight * w[i];
      result = std::move(wave);
    } else {
      auto* r = static_cast<double*>(result->data);
      for (int64_t i = 0; i < n->size; ++i) r[i] = r[i] + weight * w[i];
    }
  };
  term(std::numbers::pi, b);
  if (c != 0) term(2 * std::numbers::pi, c);
  return result;
}
void body_hanning(Frame& f) { f.ret(cosine_window(f.real(0), 0.5, 0.5, 0)); }
void body_hamming(Frame& f) { f.ret(cosine_window(f.real(0), 0.54, 0.46, 0)); }
void body_blackman(Frame& f) { f.ret(cosine_window(f.real(0), 0.42, 0.5, 0.08)); }

// ---- Indices -----------------------------------------------------------------------------------
void body_indices(Frame& f) {
  Dims dims = f.shape(0);
  DType d = f.dtype(1, DType::kInt64);
  checked_size(dims, d);
  Number zero, one;
  one.i = 1;
  one.z = 1;
  std::vector<NDArray> open;
  int64_t nd = static_cast<int64_t>(dims.size());
  for (int64_t i = 0; i < nd; ++i) {
    Number n;
    n.i = dims[static_cast<size_t>(i)];
    n.z = static_cast<double>(n.i);
    NDArray line = arange(zero, n, one, &d);
    ShapeBuf shape;
    for (int64_t k = 0; k < nd; ++k) shape.push(k == i ? n.i : 1);
    open.push_back(view_contiguous(line.get(), shape));
  }
  if (f.boolean(2)) return f.ret_list(std::move(open));  // sparse
  ShapeBuf shape;
  shape.push(nd);
  for (int64_t n : dims) shape.push(n);
  NDArray grid = empty(shape, d);
  if (grid->size == 0) return f.ret(std::move(grid));
  LongWork long_work(grid->size);
  dispatch(d, [&]<class T>() {
    T* to = static_cast<T*>(grid->data);
    int64_t outer = 1, inner = grid->size / nd;
    for (int64_t i = 0; i < nd; ++i) {
      int64_t n = dims[static_cast<size_t>(i)];
      inner /= n;
      auto* line = static_cast<const T*>(open[static_cast<size_t>(i)]->data);
      for (int64_t o = 0; o < outer; ++o) {
        if (inner == 1) to = std::copy(line, line + n, to);
        else
          for (int64_t k = 0; k < n; ++k) to = std::fill_n(to, inner, line[k]);
      }
      outer *= n;
    }
  });
  f.ret(std::move(grid));
}

// Rows and columns of the elements of a (rows, cols) matrix on one side of the k-th diagonal.
void triangle_indices(Frame& f, int64_t rows, int64_t cols, int64_t k, bool lower) {
  rows = std::max<int64_t>(rows, 0);
  cols = std::max<int64_t>(cols, 0);
  // Columns [begin, end) of a row.
  auto begin = [&](int64_t r) {
    return lower ? 0 : std::clamp<__int128>(static_cast<__int128>(r) + k, 0, cols);
  };
  auto end = [&](int64_t r) {
    return lower ? std::clamp<__int128>(static_cast<__int128>(r) + k + 1, 0, cols) : cols;
  };
  // Only rows that have columns; each adds an element, so too many of them fit no memory.
  int64_t first = 0, last = rows;
  if (lower) first = static_cast<int64_t>(std::clamp<__int128>(-static_cast<__int128>(k), 0, rows));
  else last = static_cast<int64_t>(std::clamp<__int128>(static_cast<__int128>(cols) - k, 0, rows));
  if (last - first > int64_t{1} << 36) throw std::bad_alloc();
  int64_t n = 0;
  for (int64_t r = first; r < last; ++r) n += static_cast<int64_t>(end(r) - begin(r));
  NDArray row_index = empty({&n, 1}, DType::kInt64), col_index = empty({&n, 1}, DType::kInt64);
  auto *ri = static_cast<int64_t*>(row_index->data), *ci = static_cast<int64_t*>(col_index->data);
  for (int64_t r = first; r < last; ++r) {
    for (int64_t c = static_cast<int64_t>(begin(r)), e = static_cast<int64_t>(end(r)); c < e; ++c) {
      *ri++ = r;
      *ci++ = c;
    }
  }
  f.ret_list({std::move(row_index), std::move(col_index)});
}
template <bool kLower>
void body_triangle_indices(Frame& f) {
  triangle_indices(f, f.integer(0), f.is_none(2) ? f.integer(0) : f.integer(2), f.integer(1),
                   kLower);
}
template <bool kLower>
void body_triangle_indices_from(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim != 2) fail_value("input array must be 2-d, got ", a->ndim, " dimensions");
  triangle_indices(f, a->shape[0], a->shape[1], f.integer(1), kLower);
}

void diagonal_indices(Frame& f, int64_t n, int64_t ndim) {
  Number zero, one, stop;
  one.i = 1;
  one.z = 1;
  stop.i = n;
  stop.z = static_cast<double>(n);
  NDArray line = arange(zero, stop, one, nullptr);
  f.ret_list(std::vector<NDArray>(static_cast<size_t>(std::max<int64_t>(ndim, 0)), line));
}
void body_diag_indices(Frame& f) { diagonal_indices(f, f.integer(0), f.integer(1)); }
void body_diag_indices_from(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim < 2) fail_value("input array must be at least 2-d, got ", a->ndim, " dimensions");
  for (int64_t n : a->dims())
    if (n != a->shape[0])
      fail_value("All dimensions of input must be of equal length, got ",
                 shape_str(a->shape, a->ndim));
  diagonal_indices(f, a->shape[0], a->ndim);
}

}  // namespace

void register_ranges(Registry& r) {
  r.def(
      {.name = "arange",
       .signature =
           "(start: Array? = None, stop: Array? = None, step: Array? = 1, dtype: DType = None, *, "
           "device: Any = None, like: Any = None)",
       .doc = "Numbers from start (0 when only one is given) up to but not including stop, step "
              "apart.",
       .body = body_arange});
  r.def(
      {.name = "linspace",
       .signature = "(start: Array, stop: Array, num: int = 50, endpoint: bool = True, retstep: "
                    "bool = False, "
                    "dtype: DType = None, axis: int = 0, *, device: Any = None)",
       .doc = "num numbers at equal distances from start to stop; with retstep also the distance.",
       .body = body_linspace});
  r.def(
      {.name = "logspace",
       .signature =
           "(start: Array, stop: Array, num: int = 50, endpoint: bool = True, base: Array = 10.0, "
           "dtype: DType = None, axis: int = 0)",
       .doc = "base raised to num evenly spaced exponents from start to stop.",
       .body = body_logspace,
       .checks_fp = true});
  r.def({.name = "geomspace",
         .signature = "(start: Array, stop: Array, num: int = 50, endpoint: bool = True, dtype: "
                      "DType = None, axis: int = 0)",
         .doc = "num numbers from start to stop, each the same multiple of the one before.",
         .body = body_geomspace,
         .checks_fp = true});
  r.def({.name = "hanning",
         .signature = "(M: float)",
         .doc = "The Hann window of M points: a raised cosine.",
         .body = body_hanning});
  r.def({.name = "hamming",
         .signature = "(M: float)",
         .doc = "The Hamming window of M points: a raised cosine whose ends are not zero.",
         .body = body_hamming});
  r.def({.name = "blackman",
         .signature = "(M: float)",
         .doc = "The Blackman window of M points: a sum of two cosines.",
         .body = body_blackman});
  r.def({.name = "indices",
         .signature = "(dimensions: Shape, dtype: DType = None, sparse: bool = False)",
         .doc = "For each axis of a grid the indices of its points: one array, or with sparse a "
                "tuple that broadcasts.",
         .body = body_indices});
  r.def({.name = "tril_indices",
         .signature = "(n: int, k: int = 0, m: int? = None) -> tuple[Array, ...]",
         .doc = "Row and column indices of the elements at and below the k-th diagonal of an n by "
                "m matrix.",
         .body = body_triangle_indices<true>});
  r.def({.name = "triu_indices",
         .signature = "(n: int, k: int = 0, m: int? = None) -> tuple[Array, ...]",
         .doc = "Row and column indices of the elements at and above the k-th diagonal of an n by "
                "m matrix.",
         .body = body_triangle_indices<false>});
  r.def({.name = "tril_indices_from",
         .signature = "(arr: Array, k: int = 0) -> tuple[Array, ...]",
         .doc = "tril_indices for the shape of a matrix.",
         .body = body_triangle_indices_from<true>});
  r.def({.name = "triu_indices_from",
         .signature = "(arr: Array, k: int = 0) -> tuple[Array, ...]",
         .doc = "triu_indices for the shape of a matrix.",
         .body = body_triangle_indices_from<false>});
  r.def({.name = "diag_indices",
         .signature = "(n: int, ndim: int = 2) -> tuple[Array, ...]",
         .doc = "Indices of the main diagonal of an array of ndim axes of length n.",
         .body = body_diag_indices});
  r.def({.name = "diag_indices_from",
         .signature = "(arr: Array) -> tuple[Array, ...]",
         .doc = "Indices of the main diagonal of arr, whose axes are equally long.",
         .body = body_diag_indices_from});
}

}  // namespace isthmus
