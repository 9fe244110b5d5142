// ops/creation.cc: new arrays of one value, of triangles and diagonals, and copies.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include "kernels/strided_loop.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/reduce.h"

namespace isthmus {
namespace {

// A 1 of any dtype.
struct One {
  alignas(16) char bytes[16] = {};
  explicit One(DType d) {
    int64_t one = 1;
    cast_one(DType::kInt64, &one, d, bytes);
  }
};

NDArray new_array(Dims shape, DType d, bool fortran) {
  return fortran ? empty_fortran(shape, d) : empty(shape, d);
}

NDArray zeros_ordered(Dims shape, DType d, bool fortran) {
  NDArray a = zeros(shape, d);
  if (!fortran || a->ndim < 2) return a;
  int64_t step = 1;
  for (int i = 0; i < a->ndim; ++i) {
    a->strides[i] = step;
    step *= std::max<int64_t>(a->shape[i], 1);
  }
  set_contiguity(a.get());
  return a;
}

// Sets all of `dst` to an array or a number, converted without a check of the kind.
void fill_with(NDArrayObj* dst, const TVMFFIAny& value) {
  if (value.type_index == kTVMFFITensor) return assign(dst, as_ndarray(value));
  if (value.type_index == kWeakComplex && !is_complex(dst->dt))
    fail_fallback("a complex value as a real one");  // which warns
  alignas(16) char v[16];
  if (value.type_index == kTVMFFINone) {
    // None is NaN among floats and false among bools, as in NumPy.
    if (is_integer(dst->dt)) fail_type("full(): fill_value must be a number, got None");
    double nan[2] = {NAN, NAN}, zero[2] = {0, 0};
    cast_one(DType::kComplex128, dst->dt == DType::kBool ? zero : nan, dst->dt, v);
  } else {
    weak_to(value, dst->dt, v);
  }
  fill(dst, v);
}

// ---- Of one value: (shape, dtype, order, *, device, like) --------------------------------------
template <int kAt>
void check_new(const Frame& f) {
  check_device(f, kAt);
  check_like(f, kAt + 1);
}
void body_empty(Frame& f) {
  check_new<3>(f);
  f.ret(new_array(f.shape(0), f.dtype(1, DType::kFloat64), fortran_argument(f, 2)));
}
void body_zeros(Frame& f) {
  check_new<3>(f);
  f.ret(zeros_ordered(f.shape(0), f.dtype(1, DType::kFloat64), fortran_argument(f, 2)));
}
void body_ones(Frame& f) {
  check_new<3>(f);
  NDArray a = new_array(f.shape(0), f.dtype(1, DType::kFloat64), fortran_argument(f, 2));
  fill(a.get(), One(a->dt).bytes);
  f.ret(std::move(a));
}
void body_full(Frame& f) {
  check_new<4>(f);
  if (f.is_none(1) && f.is_none(2)) fail_type("full(): fill_value must be a number, got None");
  DType d = f.is_none(2) ? result_type({&f.args[1], 1}) : f.dtype(2, DType::kFloat64);
  NDArray a = new_array(f.shape(0), d, fortran_argument(f, 3));
  fill_with(a.get(), f.args[1]);
  f.ret(std::move(a));
}

// ---- Like another array: (a, dtype, order, subok, shape, *, device) ----------------------------
NDArray empty_like(Frame& f, int dtype_at) {
  NDArrayObj* a = f.array(0);
  check_device(f, dtype_at + 4);
  DType d = f.dtype(dtype_at, a->dt);
  Order order = order_argument(f, dtype_at + 1, Order::kK);
  return empty_ordered(a, f.is_none(dtype_at + 3) ? a->dims() : f.shape(dtype_at + 3), d, order);
}
void body_empty_like(Frame& f) { f.ret(empty_like(f, 1)); }
void body_zeros_like(Frame& f) {
  NDArray a = empty_like(f, 1);
  if (a->size > 0) std::memset(a->data, 0, a->nbytes());
  f.ret(std::move(a));
}
void body_ones_like(Frame& f) {
  NDArray a = empty_like(f, 1);
  fill(a.get(), One(a->dt).bytes);
  f.ret(std::move(a));
}
void body_full_like(Frame& f) {
  NDArray a = empty_like(f, 2);
  fill_with(a.get(), f.args[1]);
  f.ret(std::move(a));
}

// ---- Diagonals ---------------------------------------------------------------------------------
NDArray eye(int64_t rows, int64_t cols, int64_t k, DType d, bool fortran) {
  int64_t shape[2] = {rows, cols};
  NDArray a = zeros_ordered(shape, d, fortran);
  One one(d);
  size_t isz = static_cast<size_t>(itemsize(d));
  if (k >= shape[1] || k <= -shape[0]) return a;
  int64_t r = k < 0 ? -k : 0, c = k > 0 ? k : 0;
  for (; r < shape[0] && c < shape[1]; ++r, ++c)
    std::memcpy(a->bytes() + (r * a->strides[0] + c * a->strides[1]) * static_cast<int64_t>(isz),
                one.bytes, isz);
  return a;
}
void body_eye(Frame& f) {
  check_device(f, 5);
  check_like(f, 6);
  int64_t rows = f.integer(0), cols = f.is_none(1) ? rows : f.integer(1);
  f.ret(eye(rows, cols, f.integer(2), f.dtype(3, DType::kFloat64), fortran_argument(f, 4)));
}
void body_identity(Frame& f) {
  check_like(f, 2);
  f.ret(eye(f.integer(0), f.integer(0), 0, f.dtype(1, DType::kFloat64), false));
}

// How many elements of a row stand at or left of the k-th diagonal.
inline int64_t lower_width(int64_t row, int64_t k, int64_t cols) {
  int64_t width;
  if (__builtin_add_overflow(row + 1, k, &width)) width = k > 0 ? cols : 0;
  return std::clamp<int64_t>(width, 0, cols);
}

void body_tri(Frame& f) {
  check_like(f, 4);
  int64_t rows = f.integer(0), cols = f.is_none(1) ? rows : f.integer(1);
  int64_t shape[2] = {std::max<int64_t>(rows, 0), std::max<int64_t>(cols, 0)};
  NDArray a = zeros(shape, f.dtype(3, DType::kFloat64));
  One one(a->dt);
  dispatch(a->dt, [&]<class T>() {
    T value;
    std::memcpy(static_cast<void*>(&value), one.bytes, sizeof(T));
    auto* row = static_cast<T*>(a->data);
    for (int64_t r = 0; a->size != 0 && r < shape[0]; ++r, row += shape[1])
      std::fill_n(row, lower_width(r, f.integer(2), shape[1]), value);
  });
  f.ret(std::move(a));
}

// Zeroes one side of the k-th diagonal in a copy.
void triangle(Frame& f, bool lower) {
  NDArrayObj* m = f.array(0);
  if (m->ndim == 0)
    fail_type(f.op.def.name, "(): expected an array of at least one dimension, got a scalar");
  NDArray out;
  if (m->ndim == 1) {
    int64_t n = m->shape[0], shape[2] = {n, n};
    out = empty(shape, m->dt);
    assign(out.get(), m);
  } else {
    out = copy(m);
  }
  int64_t rows = out->shape[out->ndim - 2], cols = out->shape[out->ndim - 1];
  int64_t blocks = out->size ? out->size / (rows * cols) : 0;
  int64_t k = f.integer(1), isz = out->isz();
  if (!lower && k == INT64_MIN) k = INT64_MIN + 1;
  char* row = out->bytes();
  for (int64_t b = 0; b < blocks; ++b) {
    for (int64_t r = 0; r < rows; ++r, row += cols * isz) {
      int64_t width = lower_width(r, lower ? k : k - 1, cols);
      if (lower) std::memset(row + width * isz, 0, static_cast<size_t>((cols - width) * isz));
      else std::memset(row, 0, static_cast<size_t>(width * isz));
    }
  }
  bool c_order = m->c_contiguous() || m->ndim < 3 ||
                 std::abs(m->strides[m->ndim - 2]) < std::abs(m->strides[m->ndim - 1]);
  if (c_order) return f.ret(std::move(out));
  NDArray ordered = empty_keep_order(m, m->dims(), m->dt);
  copy_into(ordered.get(), out.get());
  f.ret(std::move(ordered));
}
void body_tril(Frame& f) { triangle(f, true); }
void body_triu(Frame& f) { triangle(f, false); }

// A read-only view of a diagonal; its axis comes last.
NDArray diagonal(NDArrayObj* a, int64_t offset, int64_t axis1, int64_t axis2) {
  if (offset != static_cast<int32_t>(offset))
    fail_with("OverflowError", cat("offset ", offset, " does not fit 32 bits"));
  if (a->ndim < 2) fail_value("diag requires an array of at least two dimensions, got ", a->ndim);
  int i = normalize_axis(axis1, a->ndim), j = normalize_axis(axis2, a->ndim);
  if (i == j) fail_value("axis1 and axis2 cannot be the same");
  int64_t shape[kMaxDims], strides[kMaxDims];
  int nd = 0;
  for (int k = 0; k < a->ndim; ++k) {
    if (k == i || k == j) continue;
    shape[nd] = a->shape[k];
    strides[nd++] = a->strides[k];
  }
  int64_t rows = a->shape[i], cols = a->shape[j], start = 0;
  if (offset >= 0) {
    cols = offset >= cols ? 0 : cols - offset;
    if (cols > 0) start = offset * a->strides[j];
  } else {
    rows = offset <= -rows ? 0 : rows + offset;
    if (rows > 0) start = -offset * a->strides[i];
  }
  shape[nd] = std::min(rows, cols);
  strides[nd++] = a->strides[i] + a->strides[j];
  Dims dims{shape, static_cast<size_t>(nd)};
  return read_only(
      view(a, dims, {strides, static_cast<size_t>(nd)}, a->bytes() + start * a->isz()));
}
void body_diagonal(Frame& f) {
  f.ret(diagonal(f.array(0), f.integer(1), f.integer(2), f.integer(3)));
}

void body_trace(Frame& f) {
  NDArray d = diagonal(f.array(0), f.integer(1), f.integer(2), f.integer(3));
  DType dtype = f.dtype(4, d->dt);
  f.ret(reduce_sum(d.get(), uint64_t{1} << (d->ndim - 1), false, f.is_none(4) ? nullptr : &dtype,
                   f.out(5)));
}

// A square matrix with the elements of v on its k-th diagonal.
NDArray matrix_of_diagonal(NDArrayObj* v, int64_t k) {
  if (k == INT64_MIN) fail_value("diag(): offset ", k, " is too large");
  int64_t n = v->size, away = k < 0 ? -k : k, side;
  if (__builtin_add_overflow(n, away, &side)) fail_value("diag(): offset ", k, " is too large");
  int64_t shape[2] = {side, side};
  NDArray a = zeros(shape, v->dt);
  if (n == 0) return a;
  int64_t start = k >= 0 ? k : -k * side, step = side + 1;
  char* first = a->bytes() + start * a->isz();
  copy_strided(first, &step, a->dt, v->bytes(), v->strides, v->dt, v->dims());
  return a;
}
void body_diag(Frame& f) {
  NDArrayObj* v = f.array(0);
  if (v->ndim == 1) return f.ret(matrix_of_diagonal(v, f.integer(1)));
  if (v->ndim == 2) return f.ret(diagonal(v, f.integer(1), 0, 1));
  fail_value("Input must be 1- or 2-d, got ", v->ndim, " dimensions");
}
void body_diagflat(Frame& f) {
  NDArrayObj* v = f.hold(copy(f.array(0)));
  int64_t n = v->size;
  f.ret(matrix_of_diagonal(f.hold(view_contiguous(v, {&n, 1})), f.integer(1)));
}

// ---- Copies ------------------------------------------------------------------------------------
void body_copy(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArray out = empty_ordered(a, a->dims(), a->dt, order_argument(f, 1, Order::kK));
  copy_into(out.get(), a);
  f.ret(std::move(out));
}

void contiguous(Frame& f, bool fortran) {
  NDArrayObj* a = f.array(0);
  check_like(f, 2);
  DType d = f.dtype(1, a->dt);
  bool ready = d == a->dt && (fortran ? a->f_contiguous() : a->c_contiguous());
  if (ready && a->ndim > 0) return f.ret_borrowed(a);
  NDArrayObj* result = a;
  if (!ready) {
    NDArray out = new_array(a->dims(), d, fortran);
    copy_into(out.get(), a);
    if (a->ndim > 0) return f.ret(std::move(out));
    result = f.hold(std::move(out));
  }
  int64_t one = 1;
  f.ret(view_contiguous(result, {&one, 1}));
}
void body_ascontiguousarray(Frame& f) { contiguous(f, false); }
void body_asfortranarray(Frame& f) { contiguous(f, true); }

constexpr const char* kNewSignature =
    "(shape: Shape, dtype: DType = None, order: str? = 'C', *, device: Any = None, like: Any = "
    "None)";
constexpr const char* kLikeSignature =
    "(a: Array, dtype: DType = None, order: str? = 'K', subok: bool = True, shape: Axes = None, *, "
    "device: Any = None)";

}  // namespace

void register_creation(Registry& r) {
  r.def({.name = "empty",
         .signature = kNewSignature,
         .doc = "A new array whose elements are whatever the memory held.",
         .body = body_empty,
         .of_shape = [](Dims s) { return empty(s, DType::kFloat64).release(); }});
  r.def({.name = "zeros",
         .signature = kNewSignature,
         .doc = "A new array of zeros.",
         .body = body_zeros,
         .of_shape = [](Dims s) { return zeros(s, DType::kFloat64).release(); }});
  r.def({.name = "ones",
         .signature = kNewSignature,
         .doc = "A new array of ones.",
         .body = body_ones});
  r.def({.name = "full",
         .signature =
             "(shape: Shape, fill_value: Array?, dtype: DType = None, order: str? = 'C', *, "
             "device: Any = None, like: Any = None)",
         .doc = "A new array with every element set to fill_value, which also gives the dtype by "
                "default.",
         .body = body_full});
  r.def({.name = "empty_like",
         .signature =
             "(prototype: Array, /, dtype: DType = None, order: str? = 'K', subok: bool = True, "
             "shape: Axes = None, *, device: Any = None)",
         .doc = "A new uninitialised array with the shape and dtype of prototype.",
         .body = body_empty_like});
  r.def({.name = "zeros_like",
         .signature = kLikeSignature,
         .doc = "Zeros with the shape and dtype of a.",
         .body = body_zeros_like});
  r.def({.name = "ones_like",
         .signature = kLikeSignature,
         .doc = "Ones with the shape and dtype of a.",
         .body = body_ones_like});
  r.def({.name = "full_like",
         .signature = "(a: Array, fill_value: Array?, dtype: DType = None, order: str? = 'K', "
                      "subok: bool = True, "
                      "shape: Axes = None, *, device: Any = None)",
         .doc = "An array with the shape and dtype of a and every element set to fill_value.",
         .body = body_full_like});
  r.def({.name = "eye",
         .signature =
             "(N: int, M: int? = None, k: int = 0, dtype: DType = None, order: str? = 'C', *, "
             "device: Any = None, like: Any = None)",
         .doc = "Zeros of N rows and M columns (N by default) with ones on the k-th diagonal.",
         .body = body_eye});
  r.def({.name = "identity",
         .signature = "(n: int, dtype: DType = None, *, like: Any = None)",
         .doc = "The identity matrix of n rows.",
         .body = body_identity});
  r.def({.name = "tri",
         .signature =
             "(N: int, M: int? = None, k: int = 0, dtype: DType = None, *, like: Any = None)",
         .doc = "Ones at and below the k-th diagonal, zeros above it.",
         .body = body_tri});
  r.def({.name = "tril",
         .signature = "(m: Array, k: int = 0)",
         .doc = "A copy with zeros above the k-th diagonal of the last two axes.",
         .body = body_tril});
  r.def({.name = "triu",
         .signature = "(m: Array, k: int = 0)",
         .doc = "A copy with zeros below the k-th diagonal of the last two axes.",
         .body = body_triu});
  r.def({.name = "diag",
         .signature = "(v: Array, k: int = 0)",
         .doc = "The k-th diagonal of a matrix as a read-only view, or a matrix with the vector v "
                "on that diagonal.",
         .body = body_diag});
  r.def({.name = "diagflat",
         .signature = "(v: Array, k: int = 0)",
         .doc = "A matrix with the elements of v, flattened, on its k-th diagonal.",
         .body = body_diagflat});
  r.def(
      {.name = "diagonal",
       .signature = "(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1)",
       .doc =
           "A read-only view of the diagonal that axis1 and axis2 span; it becomes the last axis.",
       .body = body_diagonal});
  r.def({.name = "trace",
         .signature = "(a: Array, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: DType = "
                      "None, out: Out = None)",
         .doc = "The sum along a diagonal.",
         .body = body_trace});
  r.def({.name = "copy",
         .signature = "(a: Array, order: str? = 'K', subok: bool = False)",
         .doc = "A copy with memory of its own.",
         .body = body_copy});
  r.def({.name = "ascontiguousarray",
         .signature = "(a: Array, dtype: DType = None, *, like: Any = None)",
         .doc = "The array itself when its rows are contiguous in memory, else a copy; at least "
                "one dimension.",
         .body = body_ascontiguousarray});
  r.def({.name = "asfortranarray",
         .signature = "(a: Array, dtype: DType = None, *, like: Any = None)",
         .doc = "The array itself when its columns are contiguous in memory, else a copy; at least "
                "one dimension.",
         .body = body_asfortranarray});
}

}  // namespace isthmus
