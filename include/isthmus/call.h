// isthmus/call.h: for C++ programs: operators by name, called as Python calls them.
// SPDX-License-Identifier: Apache-2.0
//
//   isthmus::Init();
//   isthmus::Op sum("sum");
//   tvm::ffi::Tensor s = sum(a, isthmus::arg("axis", 0)).cast<tvm::ffi::Tensor>();
//
// Arrays are tvm::ffi::Tensor, callbacks tvm::ffi::Function::FromTyped(lambda), errors
// tvm::ffi::Error, whose kind() names the exception of Python. Link with what `python -m
// isthmus.config --cflags --libs` prints; C++17.
#pragma once

#include <isthmus/c_api.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace isthmus {

// Registers the operators; call it first, any number of times.
inline void Init() {
  if (!IsthmusInit(0)) throw tvm::ffi::detail::MoveFromSafeCallRaised();
}

// A function of the registry; throws when there is none of that name.
inline tvm::ffi::Function GetFunction(const std::string& name) {
  return tvm::ffi::Function::GetGlobalRequired(name);
}

// An argument given by name. Made by arg(); it stands after the positional ones.
template <class T>
struct NamedArg {
  const char* name;
  T value;
};
template <class T>
NamedArg<std::decay_t<T>> arg(const char* name, T&& value) {
  return {name, std::forward<T>(value)};
}

// An operator. Values convert as they do for tvm::ffi::Function; a sequence is an Array or a Shape.
class Op {
 public:
  // Throws ValueError when there is no operator of that name.
  explicit Op(std::string name) : name_(std::move(name)), call_(GetFunction("isthmus.call")) {
    GetFunction("isthmus.op_signature")(name_);
  }

  template <class... Args>
  tvm::ffi::Any operator()(Args&&... args) const {
    std::vector<tvm::ffi::Any> values{tvm::ffi::String(name_), 0};
    values.reserve(2 + 2 * sizeof...(Args));
    (Add(&values, std::forward<Args>(args)), ...);
    std::vector<tvm::ffi::AnyView> views(values.begin(), values.end());
    tvm::ffi::Any result;
    call_.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
    return result;
  }

  const std::string& name() const { return name_; }

 private:
  using Values = std::vector<tvm::ffi::Any>;
  template <class T>
  static void Add(Values* values, T&& value) {
    values->emplace_back(std::forward<T>(value));
    (*values)[1] = static_cast<int64_t>(values->size()) - 2;
  }
  template <class T>
  static void Add(Values* values, NamedArg<T> named) {
    values->emplace_back(tvm::ffi::String(named.name));
    values->emplace_back(std::move(named.value));
  }

  std::string name_;
  tvm::ffi::Function call_;
};

// An array over memory of the program, C-contiguous, without a copy. `release` runs once, when the
// last array over the memory is gone, on the thread that dropped it.
template <class F>
tvm::ffi::Tensor FromMemory(void* data, tvm::ffi::Shape shape, const char* dtype, F release) {
  // A function that nobody calls: what it captured goes when the function does.
  std::shared_ptr<void> owner(data, [release = std::move(release)](void*) mutable { release(); });
  return GetFunction("isthmus.from_pointer")(
             data, shape, dtype, nullptr,
             tvm::ffi::Function::FromPacked(
                 [owner](const tvm::ffi::AnyView*, int32_t, tvm::ffi::Any*) {}))
      .template cast<tvm::ffi::Tensor>();
}

}  // namespace isthmus
