// ffi/languages.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ffi/languages.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <functional>
#include <unordered_map>
#include <vector>

#include "core/type_name.h"
#include "ops/common.h"
#include "ops/packed_call.h"
#include "ops/user_op.h"
#include "ops/values.h"

namespace isthmus {
namespace {

using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;
using tvm::ffi::Function;
using tvm::ffi::String;

std::string_view text_of(const String& s) { return {s.data(), s.size()}; }

std::string_view kind_of(const Op& op, const Param& p) {
  if (op.schema.variadic && &p == &op.schema.params[0]) return "variadic";
  if (p.keyword_only) return "keyword_only";
  return p.positional_only ? "positional_only" : "positional_or_keyword";
}

Array<Any> op_parameters(const String& name) {
  const Op& op = op_named(text_of(name));
  Array<Any> all;
  for (const Param& p : op.schema.params) {
    Any value;
    if (!p.required) value = Any(reinterpret_cast<const AnyView&>(p.default_value));
    bool required = p.required && !(op.schema.variadic && &p == &op.schema.params[0]);
    all.push_back(Array<Any>{String(p.name), String(param_type(p.kind)),
                             String(std::string(kind_of(op, p))), required, value});
  }
  return all;
}

// call(name, count, *positional, keyword, value, ...)
void call_function(const AnyView* views, int32_t n, Any* result) {
  auto* args = reinterpret_cast<const TVMFFIAny*>(views);
  std::string_view name;
  if (n < 2 || !as_string(args[0], &name) || args[1].type_index != kTVMFFIInt)
    fail_type(
        "isthmus.call() takes the name of an operator, how many arguments are positional, "
        "these, and then names and values in turn");
  const Op& op = op_named(name);
  int64_t positional = args[1].v_int64, rest = n - 2 - positional;
  if (positional < 0 || rest < 0)
    fail_value("isthmus.call(): ", positional, " positional arguments were announced, ", n - 2,
               " given");
  if (rest % 2 != 0) fail_value("isthmus.call(): the last keyword of ", name, "() has no value");
  std::vector<Keyword> keywords;
  for (const TVMFFIAny* at = args + 2 + positional; at != args + n; at += 2) {
    Keyword& k = keywords.emplace_back(Keyword{{}, at[1]});
    if (!as_string(at[0], &k.name))
      fail_type("isthmus.call(): a keyword of ", name, "() must be a str, got ",
                type_name(at[0].type_index));
  }
  TVMFFIAny out{};
  for_other_languages(
      op, [&] { call_keywords(op, {args + 2, static_cast<size_t>(positional)}, keywords, &out); });
  *result = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&out);
}

ShapeBuf dims_of(const char* what, const TVMFFIAny& v) {
  ShapeBuf dims;
  auto push = [&](int64_t d) {
    if (dims.ndim == kMaxDims) fail_value("isthmus.from_pointer(): too many dimensions");
    dims.push(d);
  };
  auto items = items_of(v);
  if (v.type_index == kTVMFFIInt) {
    push(v.v_int64);
  } else if (v.type_index == kTVMFFIShape) {
    auto* cell = cell_of<TVMFFIShapeCell>(v.v_obj);
    for (size_t i = 0; i < cell->size; ++i) push(cell->data[i]);
  } else {
    for (const TVMFFIAny& x : items.value_or(std::span<const TVMFFIAny>())) {
      if (x.type_index != kTVMFFIInt)
        fail_type("isthmus.from_pointer(): ", what, " must hold integers, got ",
                  type_name(x.type_index));
      push(x.v_int64);
    }
    if (!items)
      fail_type("isthmus.from_pointer(): ", what, " must be a sequence of integers, got ",
                type_name(v.type_index));
  }
  return dims;
}

DType dtype_of(const TVMFFIAny& v) {
  std::string_view name;
  DType d;
  if (v.type_index == kTVMFFIDataType ? !dtype_from_dl(v.v_dtype, &d)
                                      : !(as_string(v, &name) && dtype_from_name(name, &d)))
    fail_type(
        "isthmus.from_pointer(): dtype must be the name of a dtype that Isthmus has",
        v.type_index == kTVMFFIDataType
            ? std::string()
            : cat(", got ", as_string(v, &name) ? cat("'", name, "'") : type_name(v.type_index)));
  return d;
}

void drop_owner(void* owner) { delete static_cast<Any*>(owner); }

// from_pointer(data, shape, dtype, strides=None, owner=None, writeable=True)
void from_pointer(const AnyView* views, int32_t n, Any* result) {
  auto* args = reinterpret_cast<const TVMFFIAny*>(views);
  if (n < 3 || n > 6)
    fail_type("isthmus.from_pointer() takes data, shape, dtype, strides, owner and writeable (", n,
              " arguments given)");
  void* data = nullptr;
  if (args[0].type_index == kTVMFFIOpaquePtr) data = args[0].v_ptr;
  else if (args[0].type_index == kTVMFFIInt) data = reinterpret_cast<void*>(args[0].v_int64);
  else if (args[0].type_index != kTVMFFINone)
    fail_type("isthmus.from_pointer(): data must be a pointer or an address, got ",
              type_name(args[0].type_index));
  ShapeBuf shape = dims_of("shape", args[1]), strides;
  DType d = dtype_of(args[2]);
  int64_t size = checked_size(shape, d);
  if (n > 3 && args[3].type_index != kTVMFFINone) {
    strides = dims_of("strides", args[3]);
    if (strides.ndim != shape.ndim)
      fail_value("isthmus.from_pointer(): ", strides.ndim, " strides for ", shape.ndim,
                 " dimensions");
  } else {
    strides = shape;
    int64_t step = 1;
    for (int i = shape.ndim; i-- > 0; step *= shape[i]) strides[i] = step;
  }
  if (size != 0 && !data) fail_value("isthmus.from_pointer(): a null pointer has no elements");
  auto component = static_cast<uintptr_t>(is_complex(d) ? itemsize(d) / 2 : itemsize(d));
  if (size != 0 && reinterpret_cast<uintptr_t>(data) % component != 0)
    fail_value("isthmus.from_pointer(): the pointer is not aligned for ", name(d));
  bool writeable = true;
  if (n > 5) {
    if (args[5].type_index != kTVMFFIBool && args[5].type_index != kTVMFFIInt)
      fail_type("isthmus.from_pointer(): writeable must be a bool, got ",
                type_name(args[5].type_index));
    writeable = args[5].v_int64 != 0;
  }
  auto owner = std::make_unique<Any>(n > 4 ? Any(views[4]) : Any());
  StorageObj* storage = storage_borrow(data, 0, drop_owner, owner.get(), Origin::kBorrowed);
  owner.release();
  TVMFFIAny out = any_of(from_storage(storage, shape, strides, d, data, writeable).release());
  *result = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&out);
}

}  // namespace

Any owner_of(const StorageObj& storage) {
  return storage.deleter == drop_owner ? *static_cast<const Any*>(storage.context) : Any();
}

const Op& op_named(std::string_view name) {
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view s) const { return std::hash<std::string_view>()(s); }
  };
  // The registry is searched from end to end; operators live for ever, so a thread remembers them.
  thread_local std::unordered_map<std::string, const Op*, Hash, std::equal_to<>> known;
  if (auto found = known.find(name); found != known.end()) return *found->second;
  const Op* op = Registry::global().find(name);
  // The names that the functions of the built-in operators have are good too.
  constexpr std::string_view kPrefix = "isthmus.np.";
  if (!op && name.starts_with(kPrefix)) op = Registry::global().find(name.substr(kPrefix.size()));
  if (!op) fail_value("no operator named ", name);
  known.emplace(name, op);
  return *op;
}

void register_language_functions(void (*add)(const std::string&, Function, const char*)) {
  add("isthmus.op_parameters", Function::FromTyped(op_parameters, "isthmus.op_parameters"),
      "The parameters of an operator, each as [name, type, kind, required, default]; kind is "
      "positional_only, positional_or_keyword, keyword_only or variadic.");
  add("isthmus.op_returns",
      Function::FromTyped(
          [](String name) { return String(op_named(text_of(name)).schema.returns); },
          "isthmus.op_returns"),
      "What an operator returns, as its signature says: \"Array\", \"list[Array]\", ...");
  add("isthmus.op_function",
      Function::FromTyped([](String name) { return function_of(op_named(text_of(name))); },
                          "isthmus.op_function"),
      "The function of an operator, which takes every argument by position.");
  add("isthmus.call", Function::FromPacked(call_function),
      "call(name, count, *positional, keyword, value, ...): calls an operator with `count` "
      "arguments by position and the others by name; the rest take their defaults.");
  add("isthmus.from_pointer", Function::FromPacked(from_pointer),
      "from_pointer(data, shape, dtype, strides=None, owner=None, writeable=True): an array over "
      "memory of the program, without a copy; data is a pointer or an address. Strides count "
      "elements. `owner` is released, on any "
      "thread, when the last array over the memory is gone.");
}

}  // namespace isthmus
