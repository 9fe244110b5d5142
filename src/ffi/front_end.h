// ffi/front_end.h: what a Python front end without C++ of its own needs beside the functions for
// other languages: operators as they are, facts of arrays, and the lending of NumPy's kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/function.h>

#include <string>

namespace isthmus {

// Registers, with the function given for it:
//   isthmus.front_end.op(name) -> Function(flags, *args): the operator with every argument by
//     position, those of a variadic one as one sequence. Unlike isthmus.op_function, what only
//     official NumPy computes is an error of the kind "Fallback". `flags` is None or the address of
//     32 bits that receive the floating-point conditions that the call met: 1 invalid, 4 division
//     by zero, 8 overflow, 16 underflow.
//   isthmus.front_end.traits(name) -> [nin, nout, reports conditions, returns a list, of a user]
//   isthmus.front_end.array_flags(a) -> int: 1 C-contiguous, 2 F-contiguous, 4 writeable, 8 shared
//   isthmus.front_end.set_writeable(a, value), mark_shared(a), base(a), assign(a, source),
//     copy(a), astype(a, dtype), view(a, shape, strides, offset, dtype), may_share_memory(a, b)
//   isthmus.front_end.lend_loops(name, nin, nout, core, loops), op_from_loops(name, nin, nout, doc,
//     loops), lend_kernels(dtype, addresses, descr)
//   isthmus.front_end.set_host_functions(call, drop_callable, drop_object) -> their guarded forms
// `loops` is a flat list: address of the loop, address of its data, dtypes as bytes of DType.
void register_front_end_functions(void (*add)(const std::string&, tvm::ffi::Function, const char*));

}  // namespace isthmus
