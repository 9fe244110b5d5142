// ffi/functions.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "ffi/functions.h"

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/dict.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/variant.h>
#include <tvm/ffi/string.h>

#include <optional>

#include "core/type_name.h"
#include "ffi/languages.h"
#include "ffi/objects.h"
#include "ops/host.h"
#include "ops/index.h"
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

// An array argument: ours as it is, another library's tensor as a view.
NDArray array_argument(const char* function, const TVMFFIAny& v) {
  if (v.type_index != kTVMFFITensor)
    fail_type(function, "(): expected an array, got ", type_name(v.type_index));
  return is_ndarray(v.v_obj) ? NDArray::share(as_ndarray(v)) : import_tensor(v.v_obj);
}

// The items of an index, and the arrays that hold its advanced parts.
struct Index {
  std::vector<IndexItem> items;
  std::vector<NDArray> held;

  void add(const char* function, const TVMFFIAny& v) {
    IndexItem item{};
    if (v.type_index == kTVMFFIInt) {
      item.kind = IndexKind::kInt;
      item.start = v.v_int64;
    } else if (v.type_index == kTVMFFIBool) {
      item.kind = IndexKind::kBool;
      item.start = v.v_int64 != 0;
    } else if (v.type_index == kTVMFFINone) {
      item.kind = IndexKind::kNewAxis;
    } else if (v.type_index == EllipsisObj::RuntimeTypeIndex()) {
      item.kind = IndexKind::kEllipsis;
    } else if (v.type_index == SliceObj::RuntimeTypeIndex()) {
      auto* s = static_cast<const SliceObj*>(static_cast<const void*>(v.v_obj));
      item.kind = IndexKind::kSlice;
      item.step = 1;
      item.has_start = part(function, s->start, &item.start);
      item.has_stop = part(function, s->stop, &item.stop);
      part(function, s->step, &item.step);
      if (item.step == 0) fail_value("slice step cannot be zero");
    } else {
      held.push_back(array_argument(function, v));
      DType d = held.back()->dt;
      if (d != DType::kBool && !is_integer(d))
        fail_with("IndexError", "arrays used as indices must be of integer (or boolean) type");
      item.kind = IndexKind::kArray;
      item.array = held.back().get();
    }
    items.push_back(item);
  }

 private:
  static bool part(const char* function, const Any& any, int64_t* out) {
    const auto& v = reinterpret_cast<const TVMFFIAny&>(any);
    if (v.type_index == kTVMFFINone) return false;
    if (v.type_index != kTVMFFIInt)
      fail_type(function, "(): the parts of a slice must be integers");
    *out = v.v_int64;
    return true;
  }
};

// The index after the first `skip` arguments; one sequence is the tuple of its items.
Index index_of(const char* function, const TVMFFIAny* args, int32_t n, int32_t skip) {
  Index index;
  auto rest = std::span(args + skip, static_cast<size_t>(n - skip));
  if (rest.size() == 1)
    if (auto items = items_of(rest[0])) rest = *items;
  for (const TVMFFIAny& v : rest) index.add(function, v);
  return index;
}

void getitem_function(const AnyView* views, int32_t n, Any* result) {
  const char* name = "isthmus.getitem";
  if (n < 1) fail_type(name, "() takes an array and an index (", n, " arguments given)");
  auto* args = reinterpret_cast<const TVMFFIAny*>(views);
  NDArray a = array_argument(name, args[0]);
  Index index = index_of(name, args, n, 1);
  TVMFFIAny v =
      any_of(getitem(a.get(), index.items.data(), static_cast<int>(index.items.size())).release());
  *result = tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&v);
}

void setitem_function(const AnyView* views, int32_t n, Any*) {
  const char* name = "isthmus.setitem";
  if (n < 2) fail_type(name, "() takes an array, a value and an index (", n, " arguments given)");
  auto* args = reinterpret_cast<const TVMFFIAny*>(views);
  NDArray a = array_argument(name, args[0]);
  TVMFFIAny value = args[1];
  NDArray held;
  if (value.type_index == kTVMFFITensor) {
    held = array_argument(name, value);
    value = any_of(held.get());
  } else if (value.type_index != kTVMFFIInt && value.type_index != kTVMFFIFloat &&
             value.type_index != kTVMFFIBool) {
    fail_type(name, "(): expected an array or a number to assign");
  }
  Index index = index_of(name, args, n, 2);
  setitem(a.get(), index.items.data(), static_cast<int>(index.items.size()), value);
}

// What a static initialiser of a library failed with on this thread; raised once loading is over.
thread_local std::optional<tvm::ffi::Error> deferred;

}  // namespace

void register_core_functions(void (*add)(const std::string&, Function, const char*)) {
  add("isthmus.register_op",
      Function::FromTyped(
          [add](String name, String signature, String doc, Function function) {
            const Op& op = register_user_op(name, signature, doc, std::move(function));
            add(op.def.name, function_of(op), op.def.doc);
          },
          "isthmus.register_op"),
      "Adds an operator: its name, its signature as \"(x: Array, axis: Axes = None) -> Array\", "
      "its documentation, and the function that computes it.");
  add("isthmus.defer_error",
      Function::FromTyped(
          [](std::string kind, std::string message) {
            if (!deferred) deferred.emplace(kind, message, std::string());
          },
          "isthmus.defer_error"),
      "Keeps an error for isthmus.raise_deferred, for code that must not throw.");
  add("isthmus.raise_deferred",
      Function::FromTyped(
          [] {
            if (!deferred) return;
            tvm::ffi::Error error = *deferred;
            deferred.reset();
            throw error;
          },
          "isthmus.raise_deferred"),
      "Raises what isthmus.defer_error kept on this thread.");
  add("isthmus.set_eigenvalues_are_complex",
      Function::FromTyped([](bool always) { eigenvalues_are_complex() = always; },
                          "isthmus.set_eigenvalues_are_complex"),
      "Whether eig and eigvals of real matrices give complex numbers always (the default), or only "
      "when they need to.");
  add("isthmus.list_ops",
      Function::FromTyped(
          [] {
            Array<String> names;
            Registry::global().each([&](const Op& op) { names.push_back(String(op.def.name)); });
            return names;
          },
          "isthmus.list_ops"),
      "Names of all operators.");
  add("isthmus.op_signature",
      Function::FromTyped([](String name) { return String(op_named(text_of(name)).def.signature); },
                          "isthmus.op_signature"),
      "The signature of an operator.");
  add("isthmus.op_doc",
      Function::FromTyped([](String name) { return String(op_named(text_of(name)).def.doc); },
                          "isthmus.op_doc"),
      "The documentation of an operator.");
  add("isthmus.plain_message",
      Function::FromTyped(
          [](String message, String function, Array<String> parameters) {
            std::vector<std::string> names(parameters.begin(), parameters.end());
            return String(plain_message(text_of(message), text_of(function), names));
          },
          "isthmus.plain_message"),
      "The message of an error in Python's words: tvm-ffi's own about arguments of typed functions "
      "name the position, the parameter (where `function` has those names) and the types.");
  add("isthmus.map_items",
      Function::FromTyped(
          [](tvm::ffi::Variant<tvm::ffi::Map<Any, Any>, tvm::ffi::Dict<Any, Any>> mapping) {
            Array<Any> items;
            auto add_all = [&](const auto& from) {
              for (const auto& [key, value] : from) {
                items.push_back(key);
                items.push_back(value);
              }
            };
            if (auto map = mapping.as<tvm::ffi::Map<Any, Any>>()) add_all(*map);
            else add_all(mapping.get<tvm::ffi::Dict<Any, Any>>());
            return items;
          },
          "isthmus.map_items"),
      "Keys and values of a Map or a Dict in turn, as they are now.");
  add("isthmus.getitem", Function::FromPacked(getitem_function),
      "getitem(a, *index): a[index]; a view for integers, slices, None and the ellipsis, a copy "
      "for arrays.");
  add("isthmus.setitem", Function::FromPacked(setitem_function),
      "setitem(a, value, *index): a[index] = value.");
}

}  // namespace isthmus
