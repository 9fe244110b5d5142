// ops/op.h: what an operator is: its schema, the frame its body runs in, and the registry.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/c_api.h>

#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/array.h"
#include "core/error.h"
#include "layout/layout.h"

namespace isthmus {

// Types of parameters in a schema, and the Any a body receives for each.
enum class ParamKind : uint8_t {
  kArray,     // Array    : an NDArray, or a weak scalar (Int, Float; Bool is strong)
  kOptArray,  // Array?   : None or the same
  kArrays,    // Arrays   : a sequence cell of NDArrays and weak scalars (Frame::list)
  kShape,     // Shape    : a shape cell; a lone int is a shape of one
  kAxes,      // Axes     : None or a shape cell
  kDType,     // DType    : None or a DataType
  kBool,      // bool
  kInt,       // int
  kOptInt,    // int?
  kFloat,     // float
  kStr,       // str      : RawStr, always NUL-terminated
  kOptStr,    // str?
  kOut,       // Out      : None or an NDArray to write into
  kAny,       // Any      : converted by value
};

struct Param {
  std::string name;
  ParamKind kind;
  bool required;
  bool positional_only;
  bool keyword_only;
  TVMFFIAny default_value;   // valid when !required; strings point into default_text
  std::string default_text;  // as written in the signature
};

inline constexpr int kMaxParams = 16;  // of one operator

// A parsed signature such as "(a: Array, axis: Axes = None, *, keepdims: bool = False) -> Array".
struct Schema {
  std::vector<Param> params;
  int num_positional = 0;     // parameters that may be given by position
  int num_required = 0;       // leading required parameters
  std::string returns;        // text after "->", "Array" when absent
  bool returns_list = false;  // several results arrive as a list instead of a tuple
  bool variadic = false;      // "*arys: Arrays": the first parameter takes all positional arguments
};
Schema parse_schema(std::string_view signature);
// The word of a signature for a kind: "Array?".
std::string param_type(ParamKind kind);

class Frame;
struct Ufunc;

// One operator. `signature` is written once, here; every front end makes its wrapper from it.
struct OpDef {
  const char* name;       // "sum", "linalg.inv"
  const char* signature;  // see Schema
  const char* doc;
  void (*body)(Frame&);
  bool checks_fp =
      false;  // floating-point conditions of its kernels are reported (divide by zero, ...)
  const Ufunc* ufunc = nullptr;  // element-wise operators: their loops
  // Operators whose plain call gives nothing but a shape: that call, owned result. May be null.
  NDArrayObj* (*of_shape)(Dims shape) = nullptr;
  TVMFFIObject* function =
      nullptr;  // operators of users: what the body calls; owned, lives for ever
};

struct Op {
  OpDef def;
  Schema schema;
};

// The arguments and the result of one call. `args` holds one Any for each parameter, defaults
// filled in and of the kind that the schema promises.
class Frame {
 public:
  Frame(const Op& op, const TVMFFIAny* args, TVMFFIAny* result)
      : op(op), args(args), result(result) {}
  Frame(const Frame&) = delete;
  ~Frame() {
    if (held_) release();
  }

  const Op& op;
  const TVMFFIAny* const args;
  TVMFFIAny* const result;

  bool is_none(int i) const { return args[i].type_index == kTVMFFINone; }
  bool is_array(int i) const { return args[i].type_index == kTVMFFITensor; }
  // The array argument; a weak scalar becomes a 0-d array of its default dtype that lives as long
  // as the frame.
  NDArrayObj* array(int i);
  NDArrayObj* array_or_null(int i) { return is_none(i) ? nullptr : array(i); }
  NDArrayObj* to_array(const TVMFFIAny& value);
  // A `where` argument: null for true, a bool array otherwise; a number counts by its truth.
  NDArrayObj* mask(const TVMFFIAny& value);
  // Keeps an array alive until the call ends.
  NDArrayObj* hold(NDArray a);
  std::span<const TVMFFIAny> list(int i) const {
    auto* cell = cell_of<TVMFFISeqCell>(args[i].v_obj);
    return {static_cast<const TVMFFIAny*>(cell->data), static_cast<size_t>(cell->size)};
  }
  Dims shape(int i) const {
    auto* cell = cell_of<TVMFFIShapeCell>(args[i].v_obj);
    return {cell->data, cell->size};
  }
  // Whether a Shape or Axes argument was given as one int instead of a tuple.
  bool is_lone_int(int i) const { return args[i].v_obj->__padding != 0; }
  DType dtype(int i, DType fallback) const {
    if (is_none(i)) return fallback;
    DType d;
    if (!dtype_from_dl(args[i].v_dtype, &d)) fail_type(op.def.name, "(): unsupported dtype");
    return d;
  }
  bool boolean(int i) const { return args[i].v_int64 != 0; }
  int64_t integer(int i) const { return args[i].v_int64; }
  double real(int i) const { return args[i].v_float64; }
  std::string_view str(int i) const { return args[i].v_c_str; }
  NDArrayObj* out(int i) const {
    return is_none(i) ? nullptr : static_cast<NDArrayObj*>(static_cast<void*>(args[i].v_obj));
  }

  void ret(NDArray a) {
    result->type_index = kTVMFFITensor;
    result->zero_padding = 0;
    result->v_obj = a.release()->header();
  }
  // Returns an array that the caller owns already (an `out` argument).
  void ret_borrowed(NDArrayObj* a) { ret(NDArray::share(a)); }
  void ret_list(std::vector<NDArray> arrays);
  void ret_bool(bool v) { set_pod(kTVMFFIBool, v); }
  void ret_int(int64_t v) { set_pod(kTVMFFIInt, v); }
  void ret_none() { set_pod(kTVMFFINone, 0); }
  // A tuple of integers.
  void ret_ints(std::span<const int64_t> values);
  // Several results of mixed kinds, each an owned Any.
  void ret_anys(std::span<TVMFFIAny> owned);

  // Copies or hands out a finished result: without `out` returns `a`; else writes it there (casting
  // is checked by `casting`) and returns out.
  void ret_or_write(NDArray a, NDArrayObj* out, Casting casting = Casting::kSameKind);

 private:
  void set_pod(int32_t type, int64_t v) {
    result->type_index = type;
    result->zero_padding = 0;
    result->v_int64 = v;
  }
  // Few calls hold anything, so that a frame costs nothing to make and to drop.
  struct Held {
    NDArray array;
    Held* next;
  };
  void release();
  Held* held_ = nullptr;
};

// A Python int that does not fit int64; a ByteArrayPtr in an Any of a frame points to one.
struct WideInt {
  double approximate;  // infinite when it overflows
  uint64_t bits;       // the value, when fits_uint64
  bool fits_uint64;
};
inline constexpr int32_t kWideInt = kTVMFFIByteArrayPtr;
inline constexpr int32_t kWeakComplex = kTVMFFIOpaquePtr;  // points to two doubles

// Whether an Any is a Python number of no width; *kind receives which.
inline bool is_weak(const TVMFFIAny& v, WeakKind* kind) {
  if (v.type_index == kTVMFFIInt) return *kind = WeakKind::kInt, true;
  if (v.type_index == kTVMFFIFloat) return *kind = WeakKind::kFloat, true;
  if (v.type_index == kWeakComplex) return *kind = WeakKind::kComplex, true;
  if (v.type_index == kWideInt) return *kind = WeakKind::kInt, true;
  return false;
}
inline NDArrayObj* as_ndarray(const TVMFFIAny& v) {
  return static_cast<NDArrayObj*>(static_cast<void*>(v.v_obj));
}
// Converts a weak scalar to `dtype` (OverflowError when an integer does not fit).
void weak_to(const TVMFFIAny& v, DType dtype, void* out);
// The common dtype of arrays and weak scalars, as numpy.result_type.
DType result_type(std::span<const TVMFFIAny> operands);
NDArray any_to_array(const TVMFFIAny& v, DType dtype);
// An array over the memory of another library's tensor, which it keeps alive.
NDArray import_tensor(TVMFFIObject* tensor);

// Users' libraries add operators at any time, from any thread.
class Registry {
 public:
  static Registry& global();
  // ValueError when the name is taken or the signature does not parse.
  Registry& def(OpDef d);
  const Op* find(std::string_view name) const;
  template <class F>
  void each(F&& f) const {
    std::lock_guard lock(mutex_);
    for (const Op& op : ops_) f(op);
  }

 private:
  const Op* find_locked(std::string_view name) const;
  mutable std::mutex mutex_;
  std::deque<Op> ops_;  // stable addresses: front ends keep pointers
};

// Runs an operator on packed arguments as other languages give them: missing ones take their
// defaults and each is converted to the kind of its parameter. Throws.
void call_packed(const Op& op, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

// Registers every family; called once.
void register_all(Registry& registry);

}  // namespace isthmus
