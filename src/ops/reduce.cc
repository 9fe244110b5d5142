// ops/reduce.cc: sum, prod, min, max, mean, var, any, all, argmin, argmax, cumulative sums.
// SPDX-License-Identifier: Apache-2.0
#include "ops/reduce.h"

#include <cmath>
#include <cstring>

#include "core/storage.h"
#include "engine/engine.h"
#include "kernels/loops-inl.h"
#include "ops/common.h"
#include "ops/families.h"
#include "ops/host.h"
#include "ops/index.h"

namespace isthmus {

uint64_t axes_argument(const Frame& f, int i, int ndim) {
  if (f.is_none(i)) return ndim >= 64 ? ~uint64_t{0} : (uint64_t{1} << ndim) - 1;
  // NumPy lets axis 0 and -1 stand for a 0-d array's missing one.
  if (ndim == 0 && f.is_lone_int(i)) return axes_mask(f.shape(i), 1), 0;
  return axes_mask(f.shape(i), ndim);
}

int64_t reduced_count(const NDArrayObj* a, uint64_t axes) {
  int64_t n = 1;
  for (int d = 0; d < a->ndim; ++d)
    if (axes >> d & 1) n *= a->shape[d];
  return n;
}

ShapeBuf reduced_shape(const NDArrayObj* a, uint64_t axes, bool keepdims) {
  ShapeBuf s;
  for (int d = 0; d < a->ndim; ++d) {
    if (!(axes >> d & 1)) s.push(a->shape[d]);
    else if (keepdims) s.push(1);
  }
  return s;
}

namespace {

constexpr int64_t kZero = 0, kOne = 1;

[[gnu::cold]] void fail_empty(const Ufunc& u) {
  fail_value("zero-size array to reduction operation ", u.name, " which has no identity");
}

DType sum_dtype(DType d) {
  if (d == DType::kBool) return DType::kInt64;
  if (is_integer(d) && itemsize(d) < 8)
    return kind(d) == DKind::kInt ? DType::kInt64 : DType::kUInt64;
  return d;
}

// Strides of an output of `shape` (keepdims or not) along the dimensions of the input, 0 where
// reduced.
void output_strides(const NDArrayObj* a, uint64_t axes, bool keepdims, const NDArrayObj* out,
                    int64_t* strides) {
  int at = 0;
  for (int d = 0; d < a->ndim; ++d) {
    if (axes >> d & 1) {
      strides[d] = 0;
      if (keepdims) ++at;
    } else {
      strides[d] = out->strides[at++];
    }
  }
}

void check_out(const char* op, const NDArrayObj* out, const ShapeBuf& shape) {
  if (!same_dims(out->dims(), shape)) {
    fail_value("output parameter for reduction operation ", op, " has the wrong shape ",
               shape_str(out->shape, out->ndim), ", expected ", shape_str(shape.dims, shape.ndim));
  }
  require_writeable(out, "output array");  // any dtype will do: NumPy casts here by the unsafe rule
}

// Whole-array or last-axis reductions of contiguous data in the loop's dtype: one loop call for
// each run. With `seeded` the first element of each run is copied and the rest accumulated.
bool reduce_rows(const UfuncLoop& loop, NDArrayObj* a, uint64_t axes, NDArrayObj* acc,
                 bool seeded) {
  if (a->dt != loop.types[1] || !a->c_contiguous() || a->size == 0) return false;
  int64_t run = 1;
  int d = a->ndim;
  while (d > 0 && (axes >> (d - 1) & 1)) run *= a->shape[--d];
  if (d == a->ndim || (axes & ((uint64_t{1} << d) - 1)) != 0) return false;
  LongWork long_work(a->size);
  LoopFn fn = run <= kSmallRow && loop.small ? loop.small : loop.fn;
  const intptr_t isz = a->isz(), osz = acc->isz();
  const intptr_t strides[3] = {0, isz, 0};
  char* in = a->bytes();
  char* out = acc->bytes();
  const intptr_t n = seeded ? run - 1 : run;
  for (int64_t i = a->size / run; i > 0; --i, in += run * isz, out += osz) {
    if (seeded) std::memcpy(out, in, static_cast<size_t>(isz));
    char* args[3] = {out, seeded ? in + isz : in, out};
    if (n > 0) fn(args, &n, strides, loop.data);
  }
  return true;
}

// Reductions over leading axes of contiguous data in the loop's dtype: whole rows are accumulated
// into the result.
bool reduce_columns(const UfuncLoop& loop, NDArrayObj* a, uint64_t axes, NDArrayObj* acc,
                    bool seeded) {
  if (a->dt != loop.types[1] || !a->c_contiguous() || a->size == 0 || acc->size < 2) return false;
  int64_t rows = 1;
  int d = 0;
  while (d < a->ndim && (axes >> d & 1)) rows *= a->shape[d++];
  if (d == 0 || (axes >> d) != 0) return false;
  LongWork long_work(a->size);
  const intptr_t n = a->size / rows, isz = a->isz();
  LoopFn fn = n <= kSmallRow && loop.small ? loop.small : loop.fn;
  const intptr_t strides[3] = {isz, isz, isz};
  char* in = a->bytes();
  char* out = acc->bytes();
  if (seeded) std::memcpy(out, in, static_cast<size_t>(n * isz));
  for (int64_t i = seeded ? 1 : 0; i < rows; ++i) {
    char* args[3] = {out, in + i * n * isz, out};
    fn(args, &n, strides, loop.data);
  }
  return true;
}

}  // namespace

NDArray reduce(const Ufunc& u, NDArrayObj* a, const ReduceCall& call, const int64_t* identity) {
  DType d = call.has_dtype ? call.dtype : a->dt;
  DType same[2] = {d, d};
  const UfuncLoop* loop = u.resolve(same);
  if (!loop || loop->types[0] != d || loop->types[1] != d || loop->types[2] != d) {
    if (call.has_dtype) loop = u.resolve_output(same, d, Casting::kSameKind);
    if (!loop || loop->types[2] != loop->types[0])
      fail_type("the reduction of ", u.name, " is not defined for dtype('", name(d), "')");
  }
  d = loop->types[0];
  // NumPy takes a list of numbers for a mask, but not an array of them.
  if (call.where && call.where->dt != DType::kBool) fail_fallback("where of numbers");
  ShapeBuf shape = reduced_shape(a, call.axes, call.keepdims);
  if (call.out) check_out(u.name, call.out, shape);
  bool direct =
      call.out && call.out->dt == d && call.out->c_contiguous() && !may_overlap(call.out, a);
  NDArray acc = direct ? NDArray::share(call.out) : empty(shape, d);

  alignas(16) char start[16];
  bool seeded = false;  // the first elements along the reduced axes are already in acc
  if (call.initial) {
    if (call.initial->type_index == kTVMFFITensor) {
      NDArrayObj* init = as_ndarray(*call.initial);
      if (init->ndim != 0) fail_fallback("initial that is no scalar");  // an error by the dtype
      cast_one(init->dt, init->data, d, start);
    } else {
      weak_to(*call.initial, d, start);
    }
    fill(acc.get(), start);
  } else if (identity) {
    cast_one(DType::kInt64, identity, d, start);
    if (acc->size == 1) std::memcpy(acc->data, start, static_cast<size_t>(acc->isz()));
    else fill(acc.get(), start);
  } else {
    if (call.where)
      fail_value(
          "reduction operation '", u.name,
          "' does not have an identity, so to use a where mask one has to specify 'initial'");
    if (reduced_count(a, call.axes) == 0) fail_empty(u);
    seeded = true;
  }

  int64_t mask_strides[kMaxDims];
  const char* mask = nullptr;
  if (call.where) {
    ShapeBuf common;
    if (!broadcast_into(&common, a->dims()) || !broadcast_into(&common, call.where->dims()) ||
        !same_dims(common, a->dims()))
      fail_value("where mask of shape ", shape_str(call.where->shape, call.where->ndim),
                 " does not broadcast to ", shape_str(a->shape, a->ndim));
    broadcast_strides(call.where->dims(), call.where->elem_strides(), a->dims(), mask_strides);
    mask = call.where->bytes();
  }
  if (a->size != 0) {
    int64_t in_strides[kMaxDims], out_strides[kMaxDims];
    if (mask || !acc->c_contiguous() ||
        (!reduce_rows(*loop, a, call.axes, acc.get(), seeded) &&
         !reduce_columns(*loop, a, call.axes, acc.get(), seeded))) {
      output_strides(a, call.axes, call.keepdims, acc.get(), out_strides);
      std::copy(a->strides, a->strides + a->ndim, in_strides);
      LoopOperand out{acc->bytes(), out_strides, d, d};
      LoopOperand in{a->bytes(), in_strides, a->dt, d};
      Loop l{loop->fn, loop->data, loop->small};
      if (!seeded) {
        run_reduce(l, out, in, a->dims(), mask, mask ? mask_strides : nullptr);
      } else {
        // Copy the first slice, then accumulate what remains: along each reduced axis in turn the
        // part after its first element, with later reduced axes whole and earlier ones fixed at
        // their first element.
        ShapeBuf part;
        part.ndim = a->ndim;
        for (int k = 0; k < a->ndim; ++k) part[k] = call.axes >> k & 1 ? 1 : a->shape[k];
        copy_strided(acc->bytes(), out_strides, d, a->bytes(), in_strides, a->dt, part);
        for (int k = a->ndim; k-- > 0;) {
          if (!(call.axes >> k & 1)) continue;
          part[k] = a->shape[k] - 1;
          LoopOperand rest = in;
          rest.data = a->bytes() + a->strides[k] * a->isz();
          if (part[k] > 0) run_reduce(l, out, rest, part);
          part[k] = a->shape[k];
        }
      }
    }
  }
  if (!call.out) return acc;
  if (!direct) assign(call.out, acc.get());
  return NDArray::share(call.out);
}

namespace {

// Ufuncs that every call needs, found once.
struct Used {
  const Ufunc& add = ufunc("add");
  const Ufunc& multiply = ufunc("multiply");
  const Ufunc& maximum = ufunc("maximum");
  const Ufunc& minimum = ufunc("minimum");
  const Ufunc& logical_or = ufunc("logical_or");
  const Ufunc& logical_and = ufunc("logical_and");
  const Ufunc& divide = ufunc("divide");
  const Ufunc& subtract = ufunc("subtract");
  const Ufunc& square = ufunc("square");
};
const Used& used() {
  static const Used* u = new Used;
  return *u;
}

struct Where {
  NDArrayObj* mask;
  Where(Frame& f, int i) : mask(f.mask(f.args[i])) {}
};

}  // namespace

NDArray reduce_sum(NDArrayObj* a, uint64_t axes, bool keepdims, const DType* dtype, NDArrayObj* out,
                   NDArrayObj* where) {
  ReduceCall call;
  call.axes = axes;
  call.keepdims = keepdims;
  call.out = out;
  call.where = where;
  call.has_dtype = true;
  call.dtype = dtype ? *dtype : sum_dtype(a->dt);
  return reduce(used().add, a, call, &kZero);
}

namespace {

// out = a / count in place, with NumPy's casting='unsafe'.
void divide_by(NDArrayObj* a, double count) {
  if (a->dt == DType::kFloat64 && a->c_contiguous()) {
    auto* p = static_cast<double*>(a->data);
    for (int64_t i = 0; i < a->size; ++i) p[i] /= count;
    return;
  }
  TVMFFIAny in[2] = {any_of(a), any_of(count)};
  UfuncCall call;
  call.out[0] = a;
  call.casting = Casting::kUnsafe;
  NDArray result;
  call_ufunc(used().divide, in, call, &result);
}
void divide_by(NDArrayObj* a, NDArrayObj* count) {
  TVMFFIAny in[2] = {any_of(a), any_of(count)};
  UfuncCall call;
  call.out[0] = a;
  call.casting = Casting::kUnsafe;
  NDArray result;
  call_ufunc(used().divide, in, call, &result);
}

// How many elements of each run a mask keeps, with the shape of the result.
NDArray masked_count(NDArrayObj* a, uint64_t axes, bool keepdims, NDArrayObj* where) {
  int64_t strides[kMaxDims];
  ShapeBuf common;
  if (!broadcast_into(&common, a->dims()) || !broadcast_into(&common, where->dims()) ||
      !same_dims(common, a->dims()))
    fail_value("where mask of shape ", shape_str(where->shape, where->ndim),
               " does not broadcast to ", shape_str(a->shape, a->ndim));
  broadcast_strides(where->dims(), where->elem_strides(), a->dims(), strides);
  NDArray wide = view(where, a->dims(), {strides, static_cast<size_t>(a->ndim)}, where->data);
  return reduce_sum(wide.get(), axes, keepdims);
}

struct MeanCall {
  uint64_t axes;
  bool keepdims;
  const DType* dtype;
  NDArrayObj* out;
  NDArrayObj* where;
};

NDArray mean_of(NDArrayObj* a, const MeanCall& c) {
  DType d = c.dtype ? *c.dtype : is_inexact(a->dt) ? a->dt : DType::kFloat64;
  bool half_result = !c.dtype && a->dt == DType::kFloat16;
  DType acc = half_result ? DType::kFloat32 : d;
  NDArray sum = reduce_sum(a, c.axes, c.keepdims, &acc, c.out, c.where);
  if (c.where) divide_by(sum.get(), masked_count(a, c.axes, c.keepdims, c.where).get());
  else divide_by(sum.get(), static_cast<double>(reduced_count(a, c.axes)));
  if (half_result && !c.out) sum = astype(sum.get(), DType::kFloat16);
  return sum;
}

// np.var's steps, in its order, so that rounding is the same.
NDArray var_of(NDArrayObj* a, const MeanCall& c, double ddof, NDArrayObj* given_mean) {
  DType d = c.dtype ? *c.dtype : is_inexact(a->dt) ? a->dt : DType::kFloat64;
  const DType* sum_as = c.dtype || !is_inexact(a->dt) ? &d : nullptr;
  NDArray mean;
  if (given_mean) {
    mean = NDArray::share(given_mean);
  } else {
    mean = reduce_sum(a, c.axes, true, sum_as, nullptr, c.where);
    if (c.where) divide_by(mean.get(), masked_count(a, c.axes, true, c.where).get());
    else divide_by(mean.get(), static_cast<double>(reduced_count(a, c.axes)));
  }
  NDArray x = call_binary(used().subtract, any_of(a), any_of(mean.get()));
  if (is_complex(x->dt)) {
    NDArray real = empty(x->dims(), real_dtype(x->dt));
    NDArray flat = ascontiguous(x.get());
    auto squares = [&]<class T>() {
      auto* in = static_cast<const std::complex<T>*>(flat->data);
      auto* out = static_cast<T*>(real->data);
      for (int64_t i = 0; i < x->size; ++i)
        out[i] = in[i].real() * in[i].real() + in[i].imag() * in[i].imag();
    };
    if (x->dt == DType::kComplex64) squares.operator()<float>();
    else squares.operator()<double>();
    x = std::move(real);
    if (sum_as && is_complex(d)) d = real_dtype(d);
  } else {
    TVMFFIAny in = any_of(x.get());
    UfuncCall call;
    call.out[0] = x.get();
    NDArray result;
    call_ufunc(used().square, &in, call, &result);
  }
  NDArray sum = reduce_sum(x.get(), c.axes, c.keepdims, sum_as, c.out, c.where);
  if (c.where) {
    NDArray count = masked_count(a, c.axes, c.keepdims, c.where);
    NDArray freedom = call_binary(used().subtract, any_of(count.get()), any_of(ddof));
    NDArray clipped = call_binary(used().maximum, any_of(freedom.get()), any_of(int64_t{0}));
    divide_by(sum.get(), clipped.get());
  } else {
    divide_by(sum.get(), std::max(static_cast<double>(reduced_count(a, c.axes)) - ddof, 0.0));
  }
  return sum;
}

// ---- Bodies ------------------------------------------------------------------------------------

// sum and prod: (a, axis, dtype, out, keepdims, initial, where). The default of initial is the
// identity; None says that there is none.
template <const int64_t* kIdentity>
void sum_body(Frame& f, const Ufunc& u) {
  NDArrayObj* a = f.array(0);
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.has_dtype = true;
  call.dtype = f.dtype(2, sum_dtype(a->dt));
  call.out = f.out(3);
  if (call.out && f.is_none(2))
    call.dtype =
        promote_types(call.dtype, call.out->dt) == call.out->dt ? call.out->dt : call.dtype;
  call.keepdims = f.boolean(4);
  const TVMFFIAny& initial = f.args[5];
  const bool is_identity = initial.type_index == kTVMFFIInt && initial.v_int64 == *kIdentity;
  if (!is_identity && !f.is_none(5)) call.initial = &initial;
  call.where = Where(f, 6).mask;
  f.ret(reduce(u, a, call, is_identity ? kIdentity : nullptr));
}

// max and min: (a, axis, out, keepdims, initial, where)
void extreme_body(Frame& f, const Ufunc& u) {
  NDArrayObj* a = f.array(0);
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.out = f.out(2);
  call.keepdims = f.boolean(3);
  TVMFFIAny initial = f.args[4];
  if (!f.is_none(4)) call.initial = &initial;
  call.where = Where(f, 5).mask;
  f.ret(reduce(u, a, call, nullptr));
}

// any and all: (a, axis, out, keepdims, where)
template <bool kAll>
void truth_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.out = f.out(2);
  call.keepdims = f.boolean(3);
  call.where = Where(f, 4).mask;
  call.has_dtype = true;
  call.dtype = DType::kBool;
  NDArray as_bool;
  const Used& u = used();
  NDArrayObj* out = call.out;
  if (out && out->dt != DType::kBool) call.out = nullptr;
  NDArray result = reduce(kAll ? u.logical_and : u.logical_or, a, call, kAll ? &kOne : &kZero);
  if (out && !call.out) return f.ret_or_write(std::move(result), out, Casting::kUnsafe);
  f.ret(std::move(result));
}

void mean_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0 && !f.is_none(1)) axes_mask(f.shape(1), 0);
  DType d = f.dtype(2, a->dt);
  MeanCall c{axes_argument(f, 1, a->ndim), f.boolean(4), f.is_none(2) ? nullptr : &d, f.out(3),
             Where(f, 5).mask};
  f.ret(mean_of(a, c));
}

// var and std: (a, axis, dtype, out, ddof, keepdims, *, where, mean, correction)
template <bool kRoot>
void var_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  if (a->ndim == 0 && !f.is_none(1)) axes_mask(f.shape(1), 0);
  DType d = f.dtype(2, a->dt);
  MeanCall c{axes_argument(f, 1, a->ndim), f.boolean(5), f.is_none(2) ? nullptr : &d, f.out(3),
             Where(f, 6).mask};
  double ddof = f.real(4);
  if (!f.is_none(8)) {
    if (ddof != 0) fail_value("ddof and correction can't be provided simultaneously.");
    const TVMFFIAny& v = f.args[8];
    ddof = v.type_index == kTVMFFIInt ? static_cast<double>(v.v_int64) : v.v_float64;
  }
  NDArray var = var_of(a, c, ddof, f.array_or_null(7));
  if (kRoot) {
    static const Ufunc& root = ufunc("sqrt");
    TVMFFIAny in = any_of(var.get());
    UfuncCall call;
    call.out[0] = var.get();
    NDArray result;
    call_ufunc(root, &in, call, &result);
  }
  f.ret(std::move(var));
}

// ---- argmin, argmax ----------------------------------------------------------------------------

// Whether x comes before the best so far. A NaN beats everything, the first one stays.
template <bool kMax, class T>
bool better(T x, T best) {
  if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
    bool best_nan = std::isnan(best.real()) || std::isnan(best.imag());
    if (best_nan) return false;
    if (std::isnan(x.real()) || std::isnan(x.imag())) return true;
    if (x.real() != best.real()) return kMax ? x.real() > best.real() : x.real() < best.real();
    return kMax ? x.imag() > best.imag() : x.imag() < best.imag();
  } else if constexpr (std::is_floating_point_v<T>) {
    return kMax ? !(x <= best) && best == best : !(x >= best) && best == best;
  } else {
    return kMax ? x > best : x < best;
  }
}

template <bool kMax, class T>
int64_t arg_extreme(const char* p, int64_t n, int64_t step) {
  auto at = [&](int64_t i) { return widen(*reinterpret_cast<const T*>(p + i * step)); };
  int64_t index = 0;
  auto best = at(0);
  for (int64_t i = 1; i < n; ++i) {
    auto x = at(i);
    if (better<kMax>(x, best)) {
      best = x;
      index = i;
    }
  }
  return index;
}

// (a, axis, out, *, keepdims)
template <bool kMax>
void arg_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  NDArray flat;
  int axis = 0;
  ShapeBuf shape;
  bool keepdims = f.boolean(3);
  if (f.is_none(1)) {
    if (a->ndim != 1) {
      flat = ascontiguous(a);
      int64_t size = a->size;
      flat = view_contiguous(flat.get(), {&size, 1});
    }
    if (keepdims)
      for (int d = 0; d < a->ndim; ++d) shape.push(1);
  } else {
    axis = normalize_axis(f.integer(1), a->ndim ? a->ndim : 1);
    for (int d = 0; d < a->ndim; ++d)
      if (d != axis || keepdims) shape.push(d == axis ? 1 : a->shape[d]);
    if (a->ndim == 0) {
      int64_t one = 1;
      flat = view_contiguous(a, {&one, 1});
    }
  }
  NDArrayObj* x = flat ? flat.get() : a;
  int64_t n = x->shape[axis];
  if (n == 0) fail_value("attempt to get ", kMax ? "argmax" : "argmin", " of an empty sequence");
  NDArrayObj* out = f.out(2);
  bool direct =
      out && out->dt == DType::kInt64 && out->c_contiguous() && same_dims(out->dims(), shape);
  if (out && !same_dims(out->dims(), shape))
    fail_value("output array does not match result of np.", f.op.def.name, ": it has shape ",
               shape_str(out->shape, out->ndim));
  if (out && !can_cast(out->dt, DType::kInt64, Casting::kSafe))
    fail_type("Cannot cast array data from dtype('", name(out->dt),
              "') to dtype('int64') according to the rule 'safe'");
  if (direct) require_writeable(out, "output array");
  NDArray result = direct ? NDArray::share(out) : empty(shape, DType::kInt64);
  auto* to = static_cast<int64_t*>(result->data);
  const int64_t isz = x->isz(), step = x->strides[axis] * isz;
  LongWork long_work(x->size);
  dispatch(x->dt, [&]<class T>() {
    int64_t index[kMaxDims] = {};
    const char* p = x->bytes();
    int64_t count = result->size;
    const ArgKernel& host = arg_kernel(x->dt, kMax);
    bool use_host = host.fn && n > kSmallRow && step == isz;
    for (int64_t i = 0; i < count; ++i) {
      if (use_host) {
        intptr_t found = 0;
        host.fn(const_cast<char*>(p), n, &found, host.descr);
        to[i] = found;
      } else {
        to[i] = arg_extreme<kMax, T>(p, n, step);
      }
      for (int d = x->ndim; d-- > 0;) {
        if (d == axis) continue;
        p += x->strides[d] * isz;
        if (++index[d] < x->shape[d]) break;
        p -= x->strides[d] * isz * x->shape[d];
        index[d] = 0;
      }
    }
  });
  if (direct || !out) return f.ret(std::move(result));
  f.ret_or_write(std::move(result), out, Casting::kUnsafe);
}

// ---- Cumulative --------------------------------------------------------------------------------

// (a, axis, dtype, out)
void accumulate_body(Frame& f, const Ufunc& u) {
  NDArrayObj* a = f.array(0);
  NDArray flat;
  int axis = 0;
  if (f.is_none(1) || a->ndim == 0) {
    if (!f.is_none(1)) normalize_axis(f.integer(1), 1);
    flat = ascontiguous(a);
    int64_t size = a->size;
    flat = view_contiguous(flat.get(), {&size, 1});
    a = flat.get();
  } else {
    axis = normalize_axis(f.integer(1), a->ndim);
  }
  DType d = f.dtype(2, sum_dtype(a->dt));
  const UfuncLoop* loop = u.exact(d, d);
  if (!loop) fail_type(f.op.def.name, "() is not defined for dtype('", name(d), "')");
  NDArray result = empty(a->dims(), d);
  int64_t n = a->shape[axis];
  if (result->size != 0) {
    // The first element along the axis is copied; out[i] = out[i-1] + a[i] is one loop call for
    // each line, with the output shifted by one step as its own input.
    NDArray x = as_dtype(a, d);
    LongWork long_work(x->size);
    const int64_t isz = itemsize(d);
    const int64_t in_step = x->strides[axis] * isz, out_step = result->strides[axis] * isz;
    int64_t index[kMaxDims] = {};
    const char* in = x->bytes();
    char* out = result->bytes();
    int64_t lines = x->size / n;
    const intptr_t strides[3] = {out_step, in_step, out_step};
    LoopFn fn = n <= kSmallRow && loop->small ? loop->small : loop->fn;
    for (int64_t i = 0; i < lines; ++i) {
      std::memcpy(out, in, static_cast<size_t>(isz));
      intptr_t count = n - 1;
      char* args[3] = {out, const_cast<char*>(in) + in_step, out + out_step};
      if (count > 0) fn(args, &count, strides, loop->data);
      for (int k = x->ndim; k-- > 0;) {
        if (k == axis) continue;
        in += x->strides[k] * isz;
        out += result->strides[k] * isz;
        if (++index[k] < x->shape[k]) break;
        in -= x->strides[k] * isz * x->shape[k];
        out -= result->strides[k] * isz * x->shape[k];
        index[k] = 0;
      }
    }
  }
  f.ret_or_write(std::move(result), f.out(3), Casting::kUnsafe);
}

// (a, axis, *, keepdims)
void count_nonzero_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  uint64_t axes = axes_argument(f, 1, a->ndim);
  if (f.is_none(1) && !f.boolean(2)) {
    NDArray flat = a->dt == DType::kBool ? ascontiguous(a) : astype(a, DType::kBool);
    int64_t count = count_true(static_cast<const uint8_t*>(flat->data), flat->size);
    return f.ret(scalar_array(DType::kInt64, &count));
  }
  NDArray truth = as_dtype(a, DType::kBool);
  f.ret(reduce_sum(truth.get(), axes, f.boolean(2)));
}

// (a, axis, out, keepdims)
void ptp_body(Frame& f) {
  NDArrayObj* a = f.array(0);
  ReduceCall call;
  call.axes = axes_argument(f, 1, a->ndim);
  call.keepdims = f.boolean(3);
  NDArray high = reduce(used().maximum, a, call, nullptr);
  NDArray low = reduce(used().minimum, a, call, nullptr);
  f.ret_or_write(call_binary(used().subtract, any_of(high.get()), any_of(low.get())), f.out(2));
}

}  // namespace

NDArray reduce_mean(NDArrayObj* a, uint64_t axes, bool keepdims) {
  return mean_of(a, {axes, keepdims, nullptr, nullptr, nullptr});
}

void register_reduce(Registry& r) {
  r.def({.name = "sum",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, initial: Array? = 0, where: Array = True)",
         .doc = "Sum of array elements over the given axes.",
         .body = [](Frame& f) { sum_body<&kZero>(f, used().add); },
         .checks_fp = true});
  r.def({.name = "prod",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, initial: Array? = 1, where: Array = True)",
         .doc = "Product of array elements over the given axes.",
         .body = [](Frame& f) { sum_body<&kOne>(f, used().multiply); },
         .checks_fp = true});
  constexpr const char* kExtreme =
      "(a: Array, axis: Axes = None, out: Out = None, keepdims: bool = False, initial: Array? = "
      "None, "
      "where: Array = True)";
  for (const char* n : {"max", "amax"})
    r.def({.name = n,
           .signature = kExtreme,
           .doc = "Largest element over the given axes; NaN if any element is NaN.",
           .body = [](Frame& f) { extreme_body(f, used().maximum); },
           .checks_fp = true});
  for (const char* n : {"min", "amin"})
    r.def({.name = n,
           .signature = kExtreme,
           .doc = "Smallest element over the given axes; NaN if any element is NaN.",
           .body = [](Frame& f) { extreme_body(f, used().minimum); },
           .checks_fp = true});
  constexpr const char* kTruth =
      "(a: Array, axis: Axes = None, out: Out = None, keepdims: bool = False, *, where: Array = "
      "True)";
  r.def({.name = "any",
         .signature = kTruth,
         .doc = "Whether any element over the given axes is true.",
         .body = truth_body<false>});
  r.def({.name = "all",
         .signature = kTruth,
         .doc = "Whether all elements over the given axes are true.",
         .body = truth_body<true>});
  r.def({.name = "mean",
         .signature = "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, "
                      "keepdims: bool = False, *, "
                      "where: Array = True)",
         .doc = "Arithmetic mean over the given axes. Integers are averaged in float64, float16 in "
                "float32.",
         .body = mean_body,
         .checks_fp = true});
  constexpr const char* kVar =
      "(a: Array, axis: Axes = None, dtype: DType = None, out: Out = None, ddof: float = 0, "
      "keepdims: bool = False, *, "
      "where: Array = True, mean: Array? = None, correction: Any = None)";
  r.def({.name = "var",
         .signature = kVar,
         .doc = "Variance over the given axes, with divisor N - ddof.",
         .body = var_body<false>,
         .checks_fp = true});
  r.def({.name = "std",
         .signature = kVar,
         .doc = "Standard deviation over the given axes, with divisor N - ddof.",
         .body = var_body<true>,
         .checks_fp = true});
  constexpr const char* kArg =
      "(a: Array, axis: int? = None, out: Out = None, *, keepdims: bool = False)";
  r.def(
      {.name = "argmax",
       .signature = kArg,
       .doc = "Index of the first largest element along an axis (of the flattened array for None).",
       .body = arg_body<true>});
  r.def({.name = "argmin",
         .signature = kArg,
         .doc =
             "Index of the first smallest element along an axis (of the flattened array for None).",
         .body = arg_body<false>});
  constexpr const char* kCumulative =
      "(a: Array, axis: int? = None, dtype: DType = None, out: Out = None)";
  r.def({.name = "cumsum",
         .signature = kCumulative,
         .doc = "Running sum along an axis (of the flattened array for None).",
         .body = [](Frame& f) { accumulate_body(f, used().add); },
         .checks_fp = true});
  r.def({.name = "cumprod",
         .signature = kCumulative,
         .doc = "Running product along an axis (of the flattened array for None).",
         .body = [](Frame& f) { accumulate_body(f, used().multiply); },
         .checks_fp = true});
  r.def({.name = "count_nonzero",
         .signature = "(a: Array, axis: Axes = None, *, keepdims: bool = False)",
         .doc = "Number of non-zero elements over the given axes.",
         .body = count_nonzero_body});
  r.def({.name = "ptp",
         .signature = "(a: Array, axis: Axes = None, out: Out = None, keepdims: bool = False)",
         .doc = "Range (largest minus smallest element) over the given axes.",
         .body = ptp_body,
         .checks_fp = true});
}

}  // namespace isthmus
