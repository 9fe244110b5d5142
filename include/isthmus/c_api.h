// isthmus/c_api.h: the C interface of libisthmus: one function. Everything else is found in the
// registry of tvm-ffi (tvm/ffi/c_api.h), by name. Usable from C.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the registry that a front end starts from (docs/other-languages.md):
//   isthmus.list_ops() -> Array of str
//   isthmus.op_parameters(name) -> Array of [name, type, kind, required, default]
//   isthmus.op_returns(name), isthmus.op_signature(name), isthmus.op_doc(name) -> str
//   isthmus.op_function(name) -> Function that takes every argument by position
//   isthmus.call(name, count, *positional, keyword, value, ...) -> result
//   isthmus.from_pointer(data, shape, dtype, strides = None, owner = None, writeable = True) ->
//   Tensor isthmus.getitem(a, *index), isthmus.setitem(a, value, *index) isthmus.register_op(name,
//   signature, doc, function)
#ifndef ISTHMUS_C_API_H_
#define ISTHMUS_C_API_H_

#include <stdint.h>

#if defined(_WIN32) && defined(ISTHMUS_EXPORTS)
#define ISTHMUS_API __declspec(dllexport)
#elif defined(_WIN32)
#define ISTHMUS_API __declspec(dllimport)
#else
#define ISTHMUS_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// Registers the operators and functions; call it once before any other use (further calls do
// nothing). Pass 0. Returns null on failure, with tvm-ffi's raised error set
// (TVMFFIErrorMoveFromRaised). The pointer returned is private: front ends that are built together
// with the core pass the version of the table that they expect behind it.
ISTHMUS_API const void* IsthmusInit(uint32_t core_api_version);

#ifdef __cplusplus
}
#endif

#endif  // ISTHMUS_C_API_H_
