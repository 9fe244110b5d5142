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

#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

namespace isthmus {

// Registers f as the operator `name`. Throws ValueError when the name is taken or the signature
// does not parse.
template <class F>
void RegisterOp(const char* name, const char* signature, const char* doc, F f) {
  tvm::ffi::Function::GetGlobalRequired("isthmus.register_op")(
      name, signature, doc, tvm::ffi::Function::FromTyped(std::move(f), std::string(name)));
}

// For static initialisers, which must not throw: a failure is raised by the load_module() that runs
// them.
template <class F>
bool RegisterOpAtLoad(const char* name, const char* signature, const char* doc, F f) noexcept {
  try {
    RegisterOp(name, signature, doc, std::move(f));
    return true;
  } catch (const tvm::ffi::Error& e) {
    auto defer = tvm::ffi::Function::GetGlobal("isthmus.defer_error");
    if (defer) (*defer)(e.kind(), e.message());
    else std::fprintf(stderr, "isthmus: operator %s: %s\n", name, e.message().c_str());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "isthmus: operator %s: %s\n", name, e.what());
  }
  return false;
}

// An uninitialised array, C-contiguous, in host memory, from Isthmus's pool.
inline tvm::ffi::Tensor Empty(tvm::ffi::ShapeView shape, DLDataType dtype) {
  static const tvm::ffi::Function empty = tvm::ffi::Function::GetGlobalRequired("isthmus.np.empty");
  return empty(tvm::ffi::Shape(shape.begin(), shape.end()), dtype).cast<tvm::ffi::Tensor>();
}

}  // namespace isthmus

#define ISTHMUS_CONCAT_(a, b) a##b
#define ISTHMUS_CONCAT(a, b) ISTHMUS_CONCAT_(a, b)
// At namespace scope, once for each operator.
#define ISTHMUS_REGISTER_OP(name, signature, doc, f)                      \
  static const bool ISTHMUS_CONCAT(isthmus_registered_op_, __COUNTER__) = \
      ::isthmus::RegisterOpAtLoad(name, signature, doc, f)
