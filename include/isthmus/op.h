// isthmus/op.h: for libraries of users: registers functions as operators of Isthmus.
// SPDX-License-Identifier: Apache-2.0
//
//   tvm::ffi::Tensor Scale(tvm::ffi::TensorView x, double factor) { ... }
//   ISTHMUS_REGISTER_OP("mylib.scale", "(x: Array, factor: float = 2.0) -> Array", "x times
//   factor.", Scale);
//
// Load the library with isthmus.ffi.load_module(path); the operator is then callable by name from
// every language. Types of parameters in a signature, and what the function receives for each:
//   Array   a Tensor            Array?  a Tensor or None       Arrays  Array<Tensor>
//   Shape   a Shape             Axes    a Shape or None        DType   a DLDataType or None
//   bool    bool                int     int64_t                int?    int64_t or None
//   float   double              str     String                 str?    String or None
//   Out     a Tensor to write into, or None                    Any     any value
// The program must have loaded libisthmus, as `import isthmus` does.
#pragma once

#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#define ISTHMUS_CONCAT_(a, b) a##b
#define ISTHMUS_CONCAT(a, b) ISTHMUS_CONCAT_(a, b)
#if defined(__GNUC__)
// Tells load_module() for which version of the binary interface the library was compiled.
#define ISTHMUS_ABI_OF(major, minor) \
  ISTHMUS_CONCAT(ISTHMUS_CONCAT(ISTHMUS_CONCAT(__isthmus_tvm_ffi_abi_, major), _), minor)
extern "C" {
__attribute__((weak, used, visibility("default"))) char ISTHMUS_ABI_OF(TVM_FFI_VERSION_MAJOR,
                                                                       TVM_FFI_VERSION_MINOR) = 0;
}
#endif

namespace isthmus {

// Registers f as the operator `name`. Throws ValueError when the name is taken or the signature
// does not parse.
template <class F>
void RegisterOp(const char* name, const char* signature, const char* doc, F f) {
  tvm::ffi::Function::GetGlobalRequired("isthmus.register_op")(
      name, signature, doc, tvm::ffi::Function::FromTyped(std::move(f), std::string(name)));
}

// Registers f as the function `name`, whose parameters are called so; calls with a wrong argument
// raise TypeError with the function, the position, the parameter, and the expected and given type.
// Throws when the name is taken.
template <class F>
void RegisterFunc(const char* name, F f, std::vector<std::string> parameters) {
  using namespace tvm::ffi;
  Function typed = Function::FromTyped(std::move(f), std::string(name));
  auto call = [typed, function = std::string(name), parameters = std::move(parameters)](
                  const AnyView* args, int32_t n, Any* result) {
    try {
      typed.CallPacked(args, n, result);
    } catch (const Error& e) {
      if (e.kind() != "TypeError") throw;
      Array<String> names;
      for (const std::string& parameter : parameters) names.push_back(parameter);
      auto plain = Function::GetGlobalRequired("isthmus.plain_message");
      throw Error(e.kind(), plain(e.message(), function, names).cast<std::string>(), e.backtrace());
    }
  };
  Function::SetGlobal(name, Function::FromPacked(std::move(call)));
}

// For static initialisers, which must not throw: what `work` fails with is raised by the
// load_module() that runs them. `what` says what was done.
template <class Work>
bool AtLoad(const char* what, const char* name, Work work) noexcept {
  try {
    work();
    return true;
  } catch (const tvm::ffi::Error& e) {
    auto defer = tvm::ffi::Function::GetGlobal("isthmus.defer_error");
    if (defer) (*defer)(e.kind(), std::string(what) + " " + name + ": " + e.message());
    else std::fprintf(stderr, "isthmus: %s %s: %s\n", what, name, e.message().c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "isthmus: %s %s: %s\n", what, name, e.what());
  }
  return false;
}

// An uninitialised array, C-contiguous, in host memory, from Isthmus's pool.
inline tvm::ffi::Tensor Empty(tvm::ffi::ShapeView shape, DLDataType dtype) {
  static const tvm::ffi::Function empty = tvm::ffi::Function::GetGlobalRequired("isthmus.np.empty");
  return empty(tvm::ffi::Shape(shape.begin(), shape.end()), dtype).cast<tvm::ffi::Tensor>();
}

}  // namespace isthmus

// At namespace scope, once for each operator.
#define ISTHMUS_REGISTER_OP(name, signature, doc, f)                      \
  static const bool ISTHMUS_CONCAT(isthmus_registered_op_, __COUNTER__) = \
      ::isthmus::AtLoad("operator", name, [] { ::isthmus::RegisterOp(name, signature, doc, f); })
// ISTHMUS_REGISTER_FUNC("mylib.count_above", count_above, "x", "limit"): a function and the names
// of its parameters.
#define ISTHMUS_REGISTER_FUNC(name, f, ...)                                 \
  static const bool ISTHMUS_CONCAT(isthmus_registered_func_, __COUNTER__) = \
      ::isthmus::AtLoad("function", name, [] { ::isthmus::RegisterFunc(name, f, {__VA_ARGS__}); })
