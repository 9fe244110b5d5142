// testing/testing.cc: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "testing/testing.h"

#include "core/error.h"

namespace isthmus::testing {

using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Function;

void register_functions(void (*add)(const std::string&, Function, const char*)) {
  add("isthmus.testing.nop", Function::FromPacked([](const AnyView*, int32_t, Any*) {}),
      "Takes any arguments and returns None.");
  add("isthmus.testing.echo", Function::FromPacked([](const AnyView* args, int32_t n, Any* result) {
        if (n != 1) fail_type("isthmus.testing.echo() takes 1 argument (", n, " given)");
        *result = args[0];
      }),
      "Returns its argument.");
  add("isthmus.testing.throw",
      Function::FromTyped(
          [](std::string kind, std::string message) { fail_with(kind.c_str(), message); },
          "isthmus.testing.throw"),
      "Raises an error of the given kind with the given message.");
  add("isthmus.testing.repeat",
      Function::FromPacked([](const AnyView* args, int32_t n, Any* result) {
        if (n < 2) fail_type("isthmus.testing.repeat() takes 2 or more arguments (", n, " given)");
        auto f = args[0].cast<Function>();
        for (int64_t left = args[1].cast<int64_t>(); left > 0; --left) {
          f.CallPacked(args + 2, n - 2, result);
        }
      }),
      "Calls f(*args) `times` times, for repeat(f, times, *args), and returns the last result.");
}

}  // namespace isthmus::testing
