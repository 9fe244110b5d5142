// ops/user_op.h: operators that users add while a program runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/function.h>

#include <new>
#include <stdexcept>
#include <string>

#include "ops/op.h"
#include "ops/ufunc.h"

namespace isthmus {

// Adds an operator whose body is a function of the FFI. Its arguments follow the signature (see
// Schema): every parameter is given, defaults filled in; arrays arrive as Tensors, numbers given
// for arrays as 0-d Tensors, Shape and Axes as Shapes. ValueError for a name that is taken or a
// signature that does not parse.
const Op& register_user_op(const std::string& name, const std::string& signature,
                           const std::string& doc, tvm::ffi::Function function);

// Adds an element-wise operator with the given loops; one or two inputs, one or two outputs.
const Op& register_user_ufunc(const std::string& name, int nin, int nout, const std::string& doc,
                              std::vector<UfuncLoop> loops);

// The function of the registry that calls an operator.
tvm::ffi::Function function_of(const Op& op);

// Runs the call of an operator for front ends that have no official NumPy to fall back on:
// NotImplementedError for what the core does not compute, MemoryError for what does not fit.
template <class Call>
void for_other_languages(const Op& op, Call&& call) {
  try {
    call();
  } catch (const tvm::ffi::Error& e) {
    if (e.kind() != "Fallback") throw;
    fail_with("NotImplementedError", cat(op.def.name, "(): not in the core: ", e.message()));
  } catch (const std::bad_alloc&) {
    fail_with("MemoryError", cat(op.def.name, "(): out of memory"));
  } catch (const std::length_error&) {
    fail_with("MemoryError", cat(op.def.name, "(): more items than a container holds"));
  }
}

}  // namespace isthmus
