// ffi/functions.h: functions of the registry beside the operators.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/function.h>

#include <string>

namespace isthmus {

// Registers, with the function given for it:
//   isthmus.register_op(name, signature, doc, function)   see ops/user_op.h
//   isthmus.list_ops() -> Array of names
//   isthmus.op_signature(name) -> str, isthmus.op_doc(name) -> str
//   isthmus.map_items(mapping) -> Array of keys and values in turn
//   isthmus.getitem(a, *index), isthmus.setitem(a, value, *index)
//   isthmus.defer_error(kind, message), isthmus.raise_deferred()
void register_core_functions(void (*add)(const std::string&, tvm::ffi::Function, const char*));

}  // namespace isthmus
