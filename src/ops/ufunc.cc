// ops/ufunc.cc: choosing and running the loops of element-wise operators.
// SPDX-License-Identifier: Apache-2.0
#include "ops/ufunc.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>

#include "engine/engine.h"

namespace isthmus {
namespace {

std::deque<Ufunc>& all_ufuncs() {
  static auto* ufuncs = new std::deque<Ufunc>;
  return *ufuncs;
}

[[gnu::cold, gnu::noinline]] void fail_no_loop(const Ufunc& u, const DType* in) {
  std::string types = cat("dtype('", name(in[0]), "')");
  for (int k = 1; k < u.nin; ++k) types += cat(", dtype('", name(in[k]), "')");
  if ((u.traits & kRefusesBool) && in[0] == DType::kBool && *u.bool_message)
    fail_type(u.bool_message);
  fail_type("ufunc '", u.name, "' not supported for the input types: (", types,
            "), and the inputs could not be safely coerced to any supported types");
}

[[gnu::cold, gnu::noinline]] void fail_cast(const Ufunc& u, const char* what, DType from, DType to,
                                            Casting c) {
  fail_type("Cannot cast ufunc '", u.name, "' ", what, " from dtype('", name(from), "') to dtype('",
            name(to), "') with casting rule '", casting_name(c), "'");
}

[[gnu::cold, gnu::noinline]] void fail_broadcast(const Ufunc& u, const NDArrayObj* const* ops,
                                                 int n) {
  std::string shapes;
  for (int k = 0; k < n; ++k)
    if (ops[k]) shapes += cat(shapes.empty() ? "" : " ", shape_str(ops[k]->shape, ops[k]->ndim));
  fail_value(u.name, "(): operands could not be broadcast together with shapes ", shapes);
}

inline void check_host(const Ufunc& u) {
  if (!(u.traits & kHostRaises)) return;
  HostHooks& hooks = host_hooks();
  if (hooks.error_pending && hooks.error_pending()) fail_with(kHostErrorPending, "");
}

inline void run_flat(const UfuncLoop& loop, char** args, int64_t n, const intptr_t* strides) {
  intptr_t count = n;
  if (n <= kSmallRow && loop.small) return loop.small(args, &count, strides, nullptr);
  LongWork long_work(n);
  loop.fn(args, &count, strides, loop.data);
}

// Dtypes of the operands with weak scalars given the width that the others decide.
void operand_dtypes(const Ufunc& u, const TVMFFIAny* in, DType* dt) {
  DType strong = DType::kBool;
  int weak = -1;
  bool any_strong = false;
  for (int k = 0; k < u.nin; ++k) {
    WeakKind w;
    if (is_weak(in[k], &w)) {
      weak = std::max(weak, static_cast<int>(w));
      continue;
    }
    dt[k] = in[k].type_index == kTVMFFITensor ? as_ndarray(in[k])->dt : DType::kBool;
    strong = any_strong ? promote_types(strong, dt[k]) : dt[k];
    any_strong = true;
  }
  if (weak < 0) return;
  for (int k = 0; k < u.nin; ++k) {
    WeakKind w;
    if (!is_weak(in[k], &w)) continue;
    dt[k] = any_strong && !(u.traits & kWeakAsDefault) ? promote_weak(strong, w) : default_dtype(w);
    if ((u.traits & kComparison) && in[k].type_index == kWideInt) {
      if (any_strong && strong == DType::kBool)
        fail_with("OverflowError", "Python int too large to compare with bools");
      if (!any_strong) fail_with("Fallback", "numbers beyond 64 bits alone");
      if (!is_integer(strong)) continue;
      // Beyond every dtype of integers it compares with them as an infinity.
      dt[k] =
          static_cast<const WideInt*>(in[k].v_ptr)->fits_uint64 ? DType::kUInt64 : DType::kFloat64;
    } else if ((u.traits & (kComparison | kTruth)) && in[k].type_index != kWideInt &&
               w == WeakKind::kInt && is_integer(dt[k])) {
      int64_t i = in[k].v_int64;
      bool fits = dispatch(dt[k], [&]<class T>() {
        if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) return std::in_range<T>(i);
        else return true;
      });
      if (!fits) dt[k] = DType::kInt64;
    }
  }
}

// Two arrays of one shape, contiguous, that a loop takes as they are. Returns null when that is not
// so.
inline NDArrayObj* binary_flat(const Ufunc& u, NDArrayObj* a, NDArrayObj* b) {
  DType in[2] = {a->dt, b->dt};
  const UfuncLoop* loop = u.resolve(in);
  if (!loop || loop->types[0] != a->dt || loop->types[1] != b->dt) return nullptr;
  if (!(a->flags & b->flags & kCContiguous) || !same_dims(a->dims(), b->dims())) return nullptr;
  NDArray out = empty(a->dims(), loop->types[2]);
  char* args[3] = {a->bytes(), b->bytes(), out->bytes()};
  intptr_t strides[3] = {a->isz(), b->isz(), out->isz()};
  run_flat(*loop, args, a->size, strides);
  return out.release();
}

// An array and a weak scalar on either side.
inline NDArrayObj* scalar_flat(const Ufunc& u, NDArrayObj* a, const TVMFFIAny& s,
                               bool scalar_first) {
  if (!a->c_contiguous()) return nullptr;
  WeakKind w;
  if (!is_weak(s, &w)) return nullptr;
  DType d = promote_weak(a->dt, w);
  if (d != a->dt ||
      ((u.traits & (kComparison | kTruth)) && (is_integer(d) || s.type_index == kWideInt)))
    return nullptr;
  DType in[2] = {d, d};
  const UfuncLoop* loop = u.resolve(in);
  if (!loop || loop->types[0] != d || loop->types[1] != d) return nullptr;
  alignas(16) char value[16];
  if (w == WeakKind::kFloat && d == DType::kFloat64) std::memcpy(value, &s.v_float64, 8);
  else weak_to(s, d, value);
  NDArray out = empty(a->dims(), loop->types[2]);
  char* args[3] = {a->bytes(), value, out->bytes()};
  intptr_t strides[3] = {a->isz(), 0, out->isz()};
  if (scalar_first) {
    std::swap(args[0], args[1]);
    std::swap(strides[0], strides[1]);
  }
  run_flat(*loop, args, a->size, strides);
  return out.release();
}

}  // namespace

const UfuncLoop* Ufunc::resolve_output(const DType* in, DType out, Casting casting) const {
  for (const UfuncLoop& loop : loops) {
    if (loop.types[nin] != out) continue;
    bool ok = true;
    for (int k = 0; k < nin && ok; ++k) ok = can_cast(in[k], loop.types[k], casting);
    if (ok) return &loop;
  }
  return nullptr;
}

const UfuncLoop* Ufunc::exact(DType first, DType second) const {
  for (const UfuncLoop& loop : loops)
    if (loop.types[0] == first && (nin < 2 || loop.types[1] == second)) return &loop;
  return nullptr;
}

void Ufunc::add(std::initializer_list<DType> types, LoopFn fn, void* data) {
  UfuncLoop loop{};
  std::copy(types.begin(), types.end(), loop.types);
  loop.fn = fn;
  loop.data = data;
  loops.push_back(loop);
}

void Ufunc::set_host_loops(std::vector<UfuncLoop> host) {
  for (UfuncLoop& h : host) {
    for (const UfuncLoop& b : loops) {
      if (std::equal(b.types, b.types + nin + nout, h.types)) {
        h.small = b.small;
        break;
      }
    }
  }
  loops = std::move(host);
  rebuild();
}

void Ufunc::rebuild() {
  auto first_safe = [&](DType a, DType b) -> int16_t {
    if ((traits & kRefusesBool) && a == DType::kBool && (nin < 2 || b == DType::kBool)) return -1;
    if ((traits & kIntsAsDouble) && !is_inexact(a) && !is_inexact(b)) a = b = DType::kFloat64;
    for (size_t i = 0; i < loops.size(); ++i)
      if (loops[i].types[0] == a && (nin < 2 || loops[i].types[1] == b))
        return static_cast<int16_t>(i);
    for (size_t i = 0; i < loops.size(); ++i) {
      if (can_cast(a, loops[i].types[0], Casting::kSafe) &&
          (nin < 2 || can_cast(b, loops[i].types[1], Casting::kSafe)))
        return static_cast<int16_t>(i);
    }
    return -1;
  };
  for (int a = 0; a < kNumDTypes; ++a)
    for (int b = 0; b < (nin < 2 ? 1 : kNumDTypes); ++b)
      table_[nin < 2 ? 0 : a][nin < 2 ? a : b] =
          first_safe(static_cast<DType>(a), static_cast<DType>(b));
}

NDArray call_unary(const Ufunc& u, const TVMFFIAny& x) {
  if (x.type_index == kTVMFFITensor) {
    NDArrayObj* a = as_ndarray(x);
    const UfuncLoop* loop = u.resolve(&a->dt);
    if (loop && loop->types[0] == a->dt && a->c_contiguous()) {
      NDArray out = empty(a->dims(), loop->types[1]);
      char* args[2] = {a->bytes(), out->bytes()};
      intptr_t strides[2] = {a->isz(), out->isz()};
      run_flat(*loop, args, a->size, strides);
      check_host(u);
      return out;
    }
  }
  NDArray out;
  call_ufunc(u, &x, {}, &out);
  return out;
}

NDArray call_binary(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2) {
  NDArrayObj* fast = nullptr;
  if (x1.type_index == kTVMFFITensor) {
    if (x2.type_index == kTVMFFITensor) fast = binary_flat(u, as_ndarray(x1), as_ndarray(x2));
    else fast = scalar_flat(u, as_ndarray(x1), x2, false);
  } else if (x2.type_index == kTVMFFITensor) {
    fast = scalar_flat(u, as_ndarray(x2), x1, true);
  }
  if (fast) {
    NDArray out(fast);
    check_host(u);
    return out;
  }
  NDArray out;
  TVMFFIAny in[2] = {x1, x2};
  call_ufunc(u, in, {}, &out);
  return out;
}

void call_ufunc(const Ufunc& u, const TVMFFIAny* in, const UfuncCall& call, NDArray* results) {
  DType dt[kMaxUfuncArgs];
  operand_dtypes(u, in, dt);
  const UfuncLoop* loop =
      call.has_dtype ? u.resolve_output(dt, call.dtype, call.casting) : u.resolve(dt);
  if (!loop) fail_no_loop(u, dt);
  const int nop = u.nin + u.nout;

  alignas(16) char scalars[kMaxUfuncArgs][16];
  const NDArrayObj* arrays[kMaxUfuncArgs + 1] = {};
  LoopOperand ops[kMaxUfuncArgs];
  ShapeBuf shape;
  bool fits = true;
  const NDArrayObj* order_from = nullptr;
  bool c_order = false;
  for (int k = 0; k < u.nin; ++k) {
    ops[k].loop_dt = loop->types[k];
    if (in[k].type_index == kWideInt && (u.traits & kComparison) && is_float(loop->types[k]) &&
        in[1 - k].type_index == kTVMFFITensor && is_integer(as_ndarray(in[1 - k])->dt)) {
      double side =
          static_cast<const WideInt*>(in[k].v_ptr)->approximate > 0 ? HUGE_VAL : -HUGE_VAL;
      cast_one(DType::kFloat64, &side, loop->types[k], scalars[k]);
      ops[k].data = scalars[k];
      ops[k].dt = loop->types[k];
      continue;
    }
    if (in[k].type_index != kTVMFFITensor) {
      weak_to(in[k], loop->types[k], scalars[k]);
      ops[k].data = scalars[k];
      ops[k].dt = loop->types[k];
      continue;
    }
    NDArrayObj* a = as_ndarray(in[k]);
    arrays[k] = a;
    ops[k].data = a->bytes();
    ops[k].dt = a->dt;
    if (a->dt != loop->types[k] && !can_cast(a->dt, loop->types[k], call.casting))
      fail_cast(u, "input", a->dt, loop->types[k], call.casting);
    fits &= broadcast_into(&shape, a->dims());
    if (a->ndim >= 2) {
      if (a->c_contiguous()) c_order = true;
      else if (a->f_contiguous()) order_from = a;
    }
  }
  if (call.where) {
    // NumPy takes a list of numbers for a mask, but not an array of them.
    if (call.where->dt != DType::kBool) fail_with("Fallback", "where of numbers");
    fits &= broadcast_into(&shape, call.where->dims());
  }
  for (int k = 0; k < u.nout; ++k) {
    if (call.out[k]) fits &= broadcast_into(&shape, call.out[k]->dims());
    arrays[u.nin + k] = call.out[k];
  }
  if (!fits) fail_broadcast(u, arrays, nop);

  NDArray temporaries[kMaxUfuncArgs];
  for (int k = 0; k < u.nout; ++k) {
    int at = u.nin + k;
    NDArrayObj* o = call.out[k];
    if (o) {
      if (!same_dims(o->dims(), shape)) {
        fail_value("non-broadcastable output operand with shape ", shape_str(o->shape, o->ndim),
                   " doesn't match the broadcast shape ", shape_str(shape.dims, shape.ndim));
      }
      require_writeable(o, "output array");
      if (!can_cast(loop->types[at], o->dt, call.casting))
        fail_cast(u, "output", loop->types[at], o->dt, call.casting);
      results[k] = NDArray::share(o);
    } else {
      bool fortran = order_from && !c_order && same_dims(order_from->dims(), shape);
      results[k] = fortran ? empty_fortran(shape, loop->types[at]) : empty(shape, loop->types[at]);
      o = results[k].get();
    }
    ops[at] = {o->bytes(), o->strides, o->dt, loop->types[at]};
    // An input that shares bytes with an output without being the very same elements is read from a
    // copy.
    if (!call.out[k]) continue;
    for (int j = 0; j < u.nin; ++j) {
      const NDArrayObj* a = arrays[j];
      if (!a || !may_overlap(a, o)) continue;
      bool same = a->data == o->data && a->dt == o->dt && a->dt == loop->types[j] &&
                  o->dt == loop->types[at] && same_dims(a->dims(), o->dims()) &&
                  same_dims(a->elem_strides(), o->elem_strides());
      if (same && u.nout == 1) continue;
      temporaries[j] = copy(a);
      arrays[j] = temporaries[j].get();
      ops[j].data = temporaries[j]->bytes();
    }
  }
  NDArray mask_copy;
  const NDArrayObj* where = call.where;
  for (int k = 0; where && k < u.nout; ++k) {
    if (call.out[k] && may_overlap(where, call.out[k])) {
      mask_copy = copy(where);
      where = mask_copy.get();
    }
  }

  int64_t strides[kMaxUfuncArgs][kMaxDims];
  for (int k = 0; k < u.nin; ++k) {
    if (arrays[k])
      broadcast_strides(arrays[k]->dims(), arrays[k]->elem_strides(), shape, strides[k]);
    else std::fill_n(strides[k], shape.ndim, 0);
    ops[k].strides = strides[k];
  }
  int64_t mask_strides[kMaxDims];
  if (where) broadcast_strides(where->dims(), where->elem_strides(), shape, mask_strides);
  run_loop({loop->fn, loop->data, loop->small}, u.nin, nop, ops, shape,
           where ? where->bytes() : nullptr, where ? mask_strides : nullptr);
  check_host(u);
}

namespace {

// An operand that a loop of dtype `d` can read as it is while `out` is written: contiguous, of
// out's shape and the same elements or none of them; or a number. Its address, or null.
inline const char* flat_operand(const TVMFFIAny& v, DType d, const NDArrayObj* out, char* number,
                                intptr_t* step) {
  WeakKind w;
  if (v.type_index == kTVMFFITensor) {
    const NDArrayObj* a = as_ndarray(v);
    if (a->dt != d || !a->c_contiguous() || !same_dims(a->dims(), out->dims())) return nullptr;
    if (a->data != out->data && may_overlap_contiguous(a, out)) return nullptr;
    *step = a->isz();
    return a->bytes();
  }
  if (!is_weak(v, &w) || promote_weak(d, w) != d) return nullptr;
  weak_to(v, d, number);
  *step = 0;
  return number;
}

}  // namespace

void call_binary_out(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2, NDArrayObj* out) {
  // The straight path: one dtype, one shape (or a number), everything contiguous and writeable.
  if (out->c_contiguous() && out->writeable()) {
    alignas(16) char numbers[2][16];
    intptr_t strides[3];
    const TVMFFIAny& leader = x1.type_index == kTVMFFITensor ? x1 : x2;
    DType d = leader.type_index == kTVMFFITensor ? as_ndarray(leader)->dt : out->dt;
    DType in[2] = {d, d};
    const UfuncLoop* loop = u.resolve(in);
    if (loop && loop->types[0] == d && loop->types[1] == d && loop->types[2] == out->dt) {
      const char* a = flat_operand(x1, d, out, numbers[0], &strides[0]);
      const char* b = a ? flat_operand(x2, d, out, numbers[1], &strides[1]) : nullptr;
      if (a && b) {
        char* args[3] = {const_cast<char*>(a), const_cast<char*>(b), out->bytes()};
        strides[2] = out->isz();
        run_flat(*loop, args, out->size, strides);
        return check_host(u);
      }
    }
  }
  TVMFFIAny in[2] = {x1, x2};
  UfuncCall call;
  call.out[0] = out;
  NDArray result;
  call_ufunc(u, in, call, &result);
}

Ufunc* find_ufunc(std::string_view name) {
  for (Ufunc& u : all_ufuncs())
    if (name == u.name) return &u;
  return nullptr;
}

const Ufunc& ufunc(std::string_view name) {
  Ufunc* u = find_ufunc(name);
  if (!u) fail_with("InternalError", cat("no ufunc named ", name));
  return *u;
}

namespace {

// Bodies differ only in how many arguments stand before and after `out`.
template <int kIn, int kOut>
void ufunc_body(Frame& f) {
  const Ufunc& u = *f.op.def.ufunc;
  UfuncCall call;
  int at = kIn;
  for (int k = 0; k < kOut; ++k) call.out[k] = f.out(at++);
  if constexpr (kOut == 2) {
    if (!f.is_none(at)) {
      if (f.args[at].type_index != kTVMFFIArray)
        fail_type("The 'out' argument of ", u.name, "() must be a tuple of ", kOut, " arrays");
      auto items = f.list(at);
      if (items.size() != kOut)
        fail_value("The 'out' tuple must have exactly one entry per ufunc output");
      for (int k = 0; k < kOut; ++k) {
        if (items[static_cast<size_t>(k)].type_index == kTVMFFITensor)
          call.out[k] = as_ndarray(items[static_cast<size_t>(k)]);
        else if (items[static_cast<size_t>(k)].type_index != kTVMFFINone)
          fail_type("return arrays must be of ArrayType");
      }
    }
    ++at;
  }
  const TVMFFIAny& where = f.args[at++];
  call.where = f.mask(where);
  if (!casting_from_name(f.str(at), &call.casting))
    fail_value("casting must be one of 'no', 'equiv', 'safe', 'same_kind', or 'unsafe' (got '",
               f.str(at), "')");
  const char* order = f.args[at + 1].v_c_str;
  if (!order[0] || order[1] || !std::strchr("CFAKcfak", order[0]))
    fail_value("order must be one of 'C', 'F', 'A', or 'K' (got '", order, "')");
  at += 2;  // outputs follow order='K'
  if (!f.is_none(at)) {
    call.has_dtype = true;
    call.dtype = f.dtype(at, DType::kFloat64);
  }
  NDArray results[kOut];
  call_ufunc(u, f.args, call, results);
  if constexpr (kOut == 1) {
    f.ret(std::move(results[0]));
  } else {
    f.ret_list({std::move(results[0]), std::move(results[1])});
  }
}

}  // namespace

void def_ufunc(Registry& r, const char* name, int nin, int nout, const char* doc,
               std::vector<UfuncLoop> loops, uint8_t traits, const char* bool_message) {
  Ufunc& u = all_ufuncs().emplace_back();
  u.name = name;
  u.nin = nin;
  u.nout = nout;
  u.traits = traits;
  u.bool_message = bool_message;
  u.loops = std::move(loops);
  for (UfuncLoop& l : u.loops) l.small = l.approximate ? nullptr : l.fn;
  u.rebuild();
  static constexpr const char* kSignatures[2][2] = {
      {"(x: Array, /, out: Out = None, *, where: Array = True, casting: str = 'same_kind', order: "
       "str = 'K', "
       "dtype: DType = None, subok: bool = True)",
       "(x: Array, out1: Out = None, out2: Out = None, /, out: Any = None, *, where: Array = True, "
       "casting: str = 'same_kind', order: str = 'K', dtype: DType = None, subok: bool = True) -> "
       "tuple[Array, Array]"},
      {"(x1: Array, x2: Array, /, out: Out = None, *, where: Array = True, casting: str = "
       "'same_kind', "
       "order: str = 'K', dtype: DType = None, subok: bool = True)",
       "(x1: Array, x2: Array, out1: Out = None, out2: Out = None, /, out: Any = None, *, where: "
       "Array = True, "
       "casting: str = 'same_kind', order: str = 'K', dtype: DType = None, subok: bool = True) -> "
       "tuple[Array, Array]"}};
  void (*bodies[2][2])(Frame&) = {{ufunc_body<1, 1>, ufunc_body<1, 2>},
                                  {ufunc_body<2, 1>, ufunc_body<2, 2>}};
  r.def({.name = name,
         .signature = kSignatures[nin - 1][nout - 1],
         .doc = doc,
         .body = bodies[nin - 1][nout - 1],
         .checks_fp = true,
         .ufunc = &u});
}

void def_alias(Registry& r, const char* alias, const char* name) {
  const Op* op = r.find(name);
  if (!op || !op->def.ufunc)
    fail_with("InternalError", cat("no ufunc named ", name, " to call ", alias));
  OpDef def = op->def;
  def.name = alias;
  r.def(def);
}

}  // namespace isthmus
