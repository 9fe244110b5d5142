// ffi/languages.h: what front ends in other languages need of the registry: parsed schemas, calls
// with keywords, arrays over memory of the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/function.h>

#include <string>
#include <string_view>

#include "ops/op.h"

namespace isthmus {

// The operator of that name, with "isthmus.np." before it or not; ValueError when there is none.
const Op& op_named(std::string_view name);

// The owner that isthmus.from_pointer was given for borrowed memory; None for other memory.
tvm::ffi::Any owner_of(const StorageObj& storage);

// Registers, with the function given for it:
//   isthmus.op_parameters(name) -> Array of [name, type, kind, required, default]
//   isthmus.op_returns(name) -> str
//   isthmus.op_function(name) -> Function
//   isthmus.call(name, count, *positional, keyword, value, ...)
//   isthmus.from_pointer(data, shape, dtype, strides=None, owner=None, writeable=True) -> Tensor
void register_language_functions(void (*add)(const std::string&, tvm::ffi::Function, const char*));

}  // namespace isthmus
