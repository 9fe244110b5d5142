// testing/testing.h: functions that exist for tests and benchmarks of the call path.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/function.h>

#include <string>

namespace isthmus::testing {

// "isthmus.testing.nop" takes anything and returns None; "isthmus.testing.echo" returns its
// argument; "isthmus.testing.throw" raises an error of the given kind and message.
void register_functions(void (*add)(const std::string& name, tvm::ffi::Function f,
                                    const char* doc));

}  // namespace isthmus::testing
