// core/error.h: the one way to fail. A C++ error carries a kind that names a Python exception.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/error.h>

#include <cstdint>
#include <sstream>
#include <string>

namespace isthmus {

// Appends each part to one string; parts are anything an ostream prints.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::ostringstream os;
  (os << ... << parts);
  return os.str();
}

// Prints a shape as Python prints a tuple: (2, 3), (5,), ().
std::string shape_str(const int64_t* dims, int ndim);

// Throws tvm::ffi::Error. No backtrace is taken: symbolising one costs milliseconds, and these
// errors are the caller's fault, which the Python traceback shows.
[[noreturn, gnu::cold, gnu::noinline]] void fail_with(const char* kind, std::string message);

template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail_value(const Parts&... parts) {
  fail_with("ValueError", cat(parts...));
}
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail_type(const Parts&... parts) {
  fail_with("TypeError", cat(parts...));
}
template <class... Parts>
[[noreturn, gnu::cold, gnu::noinline]] void fail_index(const Parts&... parts) {
  fail_with("IndexError", cat(parts...));
}
// The axis is out of bounds for ndim; the front end raises numpy.exceptions.AxisError.
[[noreturn, gnu::cold, gnu::noinline]] void fail_axis(int64_t axis, int ndim);

// The kind of an error that the host language has raised already and keeps pending itself (for
// example a NumPy loop that raised a Python exception). The front end then only returns its failure
// code.
inline constexpr const char* kHostErrorPending = "HostErrorPending";

}  // namespace isthmus
