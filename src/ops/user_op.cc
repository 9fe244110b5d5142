// ops/user_op.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ops/user_op.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/memory.h>
#include <tvm/ffi/string.h>

#include <deque>
#include <mutex>

#include "core/type_name.h"
#include "ffi/objects.h"

namespace isthmus {
namespace {

using tvm::ffi::Any;
using tvm::ffi::AnyView;

Any owned(NDArrayObj* a) {
  TVMFFIAny v = any_of(a);
  object_incref(v.v_obj);
  return tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&v);
}

// Numbers of a front end point into its frame; others see objects.
Any plain(Frame& f, const TVMFFIAny& v) {
  if (v.type_index == kWeakComplex) {
    auto c = tvm::ffi::make_object<ComplexObj>();
    c->real = static_cast<const double*>(v.v_ptr)[0];
    c->imag = static_cast<const double*>(v.v_ptr)[1];
    return tvm::ffi::ObjectRef(c);
  }
  if (v.type_index == kWideInt)
    fail_with("OverflowError", cat(f.op.def.name, "(): an int of more than 64 bits"));
  return Any(reinterpret_cast<const AnyView&>(v));
}

Any argument(Frame& f, int i) {
  switch (f.op.schema.params[static_cast<size_t>(i)].kind) {
    case ParamKind::kArray: return owned(f.array(i));
    case ParamKind::kOptArray:
    case ParamKind::kOut: return f.is_none(i) ? Any() : owned(f.array(i));
    case ParamKind::kArrays: {
      tvm::ffi::Array<Any> items;
      for (const TVMFFIAny& v : f.list(i)) items.push_back(owned(f.to_array(v)));
      return items;
    }
    case ParamKind::kAxes:
      if (f.is_none(i)) return Any();
      [[fallthrough]];
    case ParamKind::kShape: {
      Dims dims = f.shape(i);
      return tvm::ffi::Shape(dims.begin(), dims.end());
    }
    case ParamKind::kStr:
    case ParamKind::kOptStr:
      return f.is_none(i) ? Any() : Any(tvm::ffi::String(std::string(f.str(i))));
    default: return plain(f, f.args[i]);
  }
}

// Front ends take every Tensor of an operator's result for one of ours.
void import_result(TVMFFIAny* v) {
  if (v->type_index != kTVMFFITensor || is_ndarray(v->v_obj)) return;
  NDArray ours = import_tensor(v->v_obj);
  object_decref(v->v_obj);
  v->v_obj = ours.release()->header();
}

// Raises what the function of an operator raised; where it could not take an argument, the message
// has the parameter's name.
[[noreturn, gnu::cold]] void fail_as(const Op& op, const tvm::ffi::Error& error) {
  if (error.kind() != "TypeError") throw error;
  std::vector<std::string> names;
  for (const Param& p : op.schema.params) names.push_back(p.name);
  std::string message = plain_message(error.message(), op.def.name, names);
  if (message == error.message()) throw error;
  throw tvm::ffi::Error("TypeError", message, error.backtrace());
}

void call_function(Frame& f) {
  std::vector<Any> args;
  int n = static_cast<int>(f.op.schema.params.size());
  args.reserve(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) args.push_back(argument(f, i));
  auto* cell = cell_of<TVMFFIFunctionCell>(f.op.def.function);
  TVMFFIAny result{};
  if (cell->safe_call(f.op.def.function, reinterpret_cast<const TVMFFIAny*>(args.data()), n,
                      &result) != 0)
    fail_as(f.op, tvm::ffi::detail::MoveFromSafeCallRaised());
  import_result(&result);
  *f.result = result;
}

// Operators live for ever, and so do their texts.
const char* keep(const std::string& s) {
  static std::mutex mutex;
  static auto* all = new std::deque<std::string>;
  std::lock_guard lock(mutex);
  return all->emplace_back(s).c_str();
}

void check_name(const std::string& name) {
  bool start = true, ok = true;
  for (char c : name) {
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    ok &= letter || (!start && ((c >= '0' && c <= '9') || c == '.'));
    start = c == '.';
  }
  if (start || !ok)
    fail_value("'", name, "' is no name for an operator: expected identifiers joined by dots");
}

// Keeps only the pointer: operators live for ever.
struct OpFunction {
  const Op* op;
  void operator()(const AnyView* args, int32_t num_args, Any* result) const {
    TVMFFIAny out{};
    for_other_languages(
        *op, [&] { call_packed(*op, reinterpret_cast<const TVMFFIAny*>(args), num_args, &out); });
    *result = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&out);
  }
};

}  // namespace

tvm::ffi::Function function_of(const Op& op) {
  return tvm::ffi::Function::FromPacked(OpFunction{&op});
}

const Op& register_user_op(const std::string& name, const std::string& signature,
                           const std::string& doc, tvm::ffi::Function function) {
  check_name(name);
  Any any(std::move(function));
  OpDef def{
      .name = keep(name), .signature = keep(signature), .doc = keep(doc), .body = call_function};
  TVMFFIAny raw = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any));
  def.function = raw.v_obj;
  Registry::global().def(def);
  return *Registry::global().find(name);
}

const Op& register_user_ufunc(const std::string& name, int nin, int nout, const std::string& doc,
                              std::vector<UfuncLoop> loops) {
  check_name(name);
  if (Registry::global().find(name))
    fail_value("an operator named ", name, " is registered already");
  for (UfuncLoop& l : loops) l.approximate = true;  // no short form: they need their data
  def_ufunc(Registry::global(), keep(name), nin, nout, keep(doc), std::move(loops), kHostRaises);
  return *Registry::global().find(name);
}

}  // namespace isthmus
