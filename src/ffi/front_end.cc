// ffi/front_end.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ffi/front_end.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/string.h>

#if defined(__GLIBCXX__)
#include <cxxabi.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <optional>
#include <span>
#include <vector>

#include "ffi/languages.h"
#include "kernels/strided_loop.h"
#include "ops/host.h"
#include "ops/packed_call.h"
#include "ops/ufunc.h"
#include "ops/user_op.h"
#include "ops/values.h"

namespace isthmus {
namespace {

using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;
using tvm::ffi::Bytes;
using tvm::ffi::Function;
using tvm::ffi::Shape;
using tvm::ffi::String;
using tvm::ffi::Tensor;

std::string_view text_of(const String& s) { return {s.data(), s.size()}; }

// ---- Operators ---------------------------------------------------------------------------------
constexpr int kConditions = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;

uint32_t conditions_met() {
  int e = std::fetestexcept(kConditions);
  return (e & FE_INVALID ? 1u : 0) | (e & FE_DIVBYZERO ? 4u : 0) | (e & FE_OVERFLOW ? 8u : 0) |
         (e & FE_UNDERFLOW ? 16u : 0);
}

// Keeps only the pointer: operators live for ever.
struct RawOp {
  const Op* op;
  void operator()(const AnyView* views, int32_t n, Any* result) const {
    auto* args = reinterpret_cast<const TVMFFIAny*>(views);
    if (n < 1 || (args[0].type_index != kTVMFFINone && args[0].type_index != kTVMFFIOpaquePtr))
      fail_type(op->def.name, "(): the first argument must be None or the address of the flags");
    if (args[0].type_index == kTVMFFIOpaquePtr) std::feclearexcept(kConditions);
    TVMFFIAny out{};
    if (op->schema.variadic) call_variadic({args + 1, static_cast<size_t>(n - 1)}, &out);
    else call_packed(*op, args + 1, n - 1, &out);
    *result = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&out);
    if (args[0].type_index == kTVMFFIOpaquePtr)
      *static_cast<uint32_t*>(args[0].v_ptr) = conditions_met();
  }

  // The sequence of what Python passes by position, then the other parameters.
  void call_variadic(std::span<const TVMFFIAny> args, TVMFFIAny* out) const {
    auto items = args.empty() ? std::nullopt : items_of(args[0]);
    const auto& params = op->schema.params;
    if (!items || args.size() > params.size())
      fail_type(op->def.name, "(): expected a sequence of operands and what is not among them");
    std::vector<Keyword> keywords;
    for (size_t i = 1; i < args.size(); ++i) keywords.push_back({params[i].name, args[i]});
    call_keywords(*op, *items, keywords, out);
  }
};

Array<int64_t> traits(const String& name) {
  const Op& op = op_named(text_of(name));
  const Ufunc* u = op.def.ufunc;
  return {u ? u->nin : 0, u ? u->nout : 0, op.def.checks_fp || u, op.schema.returns_list,
          op.def.function != nullptr};
}

// ---- Arrays ------------------------------------------------------------------------------------
NDArrayObj* ours(const Tensor& t) {
  auto* o = tvm::ffi::details::ObjectUnsafe::TVMFFIObjectPtrFromObjectRef(t);
  if (!is_ndarray(o)) fail_type("expected an array of Isthmus, got another library's tensor");
  return static_cast<NDArrayObj*>(static_cast<void*>(o));
}

Any result_of(NDArray a) {
  TVMFFIAny v{};
  v.type_index = kTVMFFITensor;
  v.v_obj = a.release()->header();
  return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&v);
}

DType dtype_of(DLDataType dl) {
  DType d;
  if (!dtype_from_dl(dl, &d)) fail_type("no dtype of Isthmus");
  return d;
}

int64_t array_flags(const Tensor& t) {
  const NDArrayObj* a = ours(t);
  return (a->flags & (kCContiguous | kFContiguous | kWriteable)) | (is_shared(a) ? 8 : 0);
}

const StorageObj* storage_of(const NDArrayObj* a) {
  return a->owner && a->owner->type_index != kTVMFFITensor
             ? reinterpret_cast<const StorageObj*>(a->owner)
             : nullptr;
}

void set_writeable(const Tensor& t, bool value) {
  NDArrayObj* a = ours(t);
  if (!value) {
    a->flags &= static_cast<uint8_t>(~kWriteable);
    return;
  }
  // Memory that others own read-only, or that a read-only array lends, stays read-only.
  const StorageObj* s = storage_of(a);
  bool own = !a->owner || (s ? s->origin == Origin::kPool
                             : static_cast<NDArrayObj*>(static_cast<void*>(a->owner))->writeable());
  if (!own && !a->writeable()) fail_value("cannot set WRITEABLE flag to True of this array");
  a->flags |= kWriteable;
}

// The array or the owner of the memory that an array looks into, or None.
Any base(const Tensor& t) {
  const NDArrayObj* a = ours(t);
  if (!a->owner) return nullptr;
  const StorageObj* s = storage_of(a);
  if (!s) return result_of(NDArray::share(static_cast<NDArrayObj*>(static_cast<void*>(a->owner))));
  if (s->origin != Origin::kPool) return owner_of(*s);
  if (s->data == a->data && s->nbytes == a->nbytes()) return nullptr;
  auto* held = const_cast<StorageObj*>(s);
  object_incref(&held->header);
  int64_t n = static_cast<int64_t>(s->nbytes) / a->isz(), one = 1;
  return result_of(from_storage(held, {&n, 1}, {&one, 1}, a->dt, s->data, true));
}

// Element strides of `dtype`, from `offset` bytes after the first element; the caller answers for
// the bounds.
Any view_of(const Tensor& t, const Shape& shape, const Shape& strides, int64_t offset,
            DLDataType dtype) {
  const NDArrayObj* a = ours(t);
  if (shape.size() != strides.size() || shape.size() > kMaxDims)
    fail_value("view: ", shape.size(), " dimensions and ", strides.size(), " strides");
  NDArray v =
      view(a, {shape.data(), shape.size()}, {strides.data(), strides.size()}, a->bytes() + offset);
  v->dt = dtype_of(dtype);
  v->dtype = info(v->dt).dl;
  set_contiguity(v.get());
  return result_of(std::move(v));
}

// ---- Callbacks of the host ---------------------------------------------------------------------
// Functions of the front end's interpreter, called through these, because C++ may hold callables
// and objects longer than the interpreter lives. Null once it is gone.
struct HostFunctions {
  std::atomic<TVMFFISafeCallType> call{nullptr};        // of a callable
  std::atomic<void (*)(void*)> drop_callable{nullptr};  // its last reference is gone
  std::atomic<void (*)(void*)> drop_object{nullptr};    // the same for any other object
} host;

// A thread that waits for an interpreter which ends may be unwound by it (CPython before 3.14),
// through frames of C++ that do not expect it; here it sleeps instead.
template <class F>
auto outliving_host(F&& f) {
#if defined(__GLIBCXX__)
  try {
    return f();
  } catch (const abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  return f();
#endif
}

int guarded_call(void* self, const TVMFFIAny* args, int32_t n, TVMFFIAny* result) {
  TVMFFISafeCallType call = host.call.load(std::memory_order_acquire);
  if (!call) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", "the Python interpreter is shutting down");
    return -1;
  }
  return outliving_host([&] { return call(self, args, n, result); });
}
void guarded_drop_callable(void* self) {
  if (auto drop = host.drop_callable.load(std::memory_order_acquire))
    outliving_host([&] { drop(self); });
}
void guarded_drop_object(void* handle) {
  if (auto drop = host.drop_object.load(std::memory_order_acquire))
    outliving_host([&] { drop(handle); });
}

template <class T>
int64_t address_of(T* function) {
  return static_cast<int64_t>(reinterpret_cast<intptr_t>(function));
}

Array<int64_t> set_host_functions(int64_t call, int64_t drop_callable, int64_t drop_object) {
  host.call = reinterpret_cast<TVMFFISafeCallType>(call);
  host.drop_callable = reinterpret_cast<void (*)(void*)>(drop_callable);
  host.drop_object = reinterpret_cast<void (*)(void*)>(drop_object);
  return {address_of(guarded_call), address_of(guarded_drop_callable),
          address_of(guarded_drop_object)};
}

// ---- Kernels of the host -----------------------------------------------------------------------
template <class Loop>
std::vector<Loop> loops_of(const Array<Any>& flat, int64_t operands) {
  constexpr auto kRoom = static_cast<int64_t>(std::size(Loop{}.types));
  if (operands < 2 || operands > kRoom) fail_value("loops of ", operands, " operands");
  std::vector<Loop> loops;
  for (size_t i = 0; i + 2 < flat.size(); i += 3) {
    Loop loop{};
    loop.fn = reinterpret_cast<LoopFn>(flat[i].cast<int64_t>());
    loop.data = reinterpret_cast<void*>(flat[i + 1].cast<int64_t>());
    auto types = flat[i + 2].cast<Bytes>();
    if (static_cast<int64_t>(types.size()) != operands || !loop.fn)
      fail_value("a loop needs its address and ", operands, " dtypes");
    for (size_t k = 0; k < types.size(); ++k) {
      if (types.data()[k] < 0 || types.data()[k] >= kNumDTypes) fail_value("no such dtype");
      loop.types[k] = static_cast<DType>(types.data()[k]);
    }
    loops.push_back(loop);
  }
  return loops;
}

void lend_loops(const String& name, int64_t nin, int64_t nout, bool core, const Array<Any>& flat) {
  if (core) {
    set_gufunc(Gufunc{std::string(text_of(name)), static_cast<int>(nin), static_cast<int>(nout),
                      loops_of<GufuncLoop>(flat, nin + nout)});
    return;
  }
  Ufunc* u = find_ufunc(std::string(text_of(name)).c_str());
  if (u && u->nin == nin && u->nout == nout)
    u->set_host_loops(loops_of<UfuncLoop>(flat, nin + nout));
}

// addresses: sort and argsort (quick, stable of each), dot, argmax, argmin; 0 for none.
void lend_kernels(DLDataType dtype, const Array<int64_t>& addresses, int64_t descr) {
  if (addresses.size() != 7) fail_value("expected 7 addresses, got ", addresses.size());
  DType d = dtype_of(dtype);
  auto* example = reinterpret_cast<void*>(descr);
  SortKernels& s = sort_kernels(d);
  for (size_t k = 0; k < 2; ++k) {
    s.sort[k] = reinterpret_cast<SortFn>(addresses[static_cast<int64_t>(k)]);
    s.argsort[k] = reinterpret_cast<ArgsortFn>(addresses[static_cast<int64_t>(k) + 2]);
  }
  s.descr = example;
  dot_kernel(d) = {reinterpret_cast<DotFn>(addresses[4]), example};
  arg_kernel(d, true) = {reinterpret_cast<ArgFn>(addresses[5]), example};
  arg_kernel(d, false) = {reinterpret_cast<ArgFn>(addresses[6]), example};
}

}  // namespace

void register_front_end_functions(void (*add)(const std::string&, Function, const char*)) {
  auto def = [add](const char* name, auto f, const char* doc) {
    std::string full = std::string("isthmus.front_end.") + name;
    add(full, Function::FromTyped(f, full), doc);
  };
  def(
      "op", [](String name) { return Function::FromPacked(RawOp{&op_named(text_of(name))}); },
      "The function of an operator, for a front end that has official NumPy to fall back on.");
  def("traits", traits,
      "Of an operator: inputs and outputs when it is element-wise, whether it reports "
      "floating-point conditions, returns a list, is of a user.");
  def("array_flags", array_flags,
      "1 for C-contiguous, 2 for F-contiguous, 4 for writeable, 8 for shared memory.");
  def("set_writeable", set_writeable, "Makes an array read-only or writeable again.");
  def(
      "mark_shared", [](Tensor t) { mark_shared(ours(t)); },
      "Marks the memory of an array as seen from outside.");
  def("base", base, "What owns the memory of an array that is a view, or None.");
  def(
      "assign", [](Tensor to, Tensor from) { assign(ours(to), ours(from)); },
      "Writes an array into another, broadcast and converted.");
  def(
      "copy", [](Tensor t) { return result_of(copy_keep_order(ours(t))); },
      "A copy in the order of the original.");
  def(
      "astype",
      [](Tensor t, DLDataType dtype) { return result_of(astype(ours(t), dtype_of(dtype))); },
      "A converted copy in C order.");
  def("view", view_of, "view(a, shape, strides, offset, dtype): bounds are the caller's matter.");
  def(
      "may_share_memory", [](Tensor a, Tensor b) { return may_overlap(ours(a), ours(b)); },
      "Whether the extents of two arrays overlap.");
  def("set_host_functions", set_host_functions,
      "Takes the addresses of the functions that call a callable and drop a callable and an object "
      "of the host, or zeros when it ends; returns those that C++ may keep for ever.");
  def("lend_loops", lend_loops, "Loops of a ufunc of NumPy for the operator of that name.");
  def(
      "op_from_loops",
      [add](String name, int64_t nin, int64_t nout, String doc, Array<Any> flat) {
        const Op& op = register_user_ufunc(std::string(text_of(name)), static_cast<int>(nin),
                                           static_cast<int>(nout), std::string(text_of(doc)),
                                           loops_of<UfuncLoop>(flat, nin + nout));
        add(op.def.name, function_of(op), op.def.doc);
      },
      "Registers an operator that runs the loops of a ufunc.");
  def("lend_kernels", lend_kernels, "NumPy's sorts, dot product, argmax and argmin of a dtype.");
}

}  // namespace isthmus
