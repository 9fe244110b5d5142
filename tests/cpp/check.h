// tests/cpp/check.h: a test runner of one page. CHECK and CHECK_EQ report and go on; run_tests() is
// main's body.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/error.h>

#include <cstdio>
#include <exception>
#include <functional>
#include <initializer_list>
#include <sstream>
#include <string>

namespace isthmus::check {

struct Test {
  const char* name;
  std::function<void()> body;
};

inline int failures = 0;
inline int checks = 0;

inline void report(bool ok, const char* file, int line, const std::string& text) {
  ++checks;
  if (ok) return;
  ++failures;
  std::fprintf(stderr, "%s:%d: failed: %s\n", file, line, text.c_str());
}

template <class A, class B>
void report_equal(const A& got, const B& expected, const char* file, int line, const char* text) {
  std::ostringstream os;
  os << text << ": got " << got << ", expected " << expected;
  report(got == expected, file, line, os.str());
}

// The kind of the error that `f` throws, or "nothing".
template <class F>
std::string error_kind(F&& f) {
  try {
    f();
  } catch (const tvm::ffi::Error& e) {
    return e.kind();
  }
  return "nothing";
}

inline int run_tests(std::initializer_list<Test> tests) {
  for (const Test& test : tests) {
    try {
      test.body();
    } catch (const std::exception& e) {
      ++failures;
      std::fprintf(stderr, "%s: threw: %s\n", test.name, e.what());
    }
  }
  std::printf("%zu tests, %d checks, %d failures\n", tests.size(), checks, failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace isthmus::check

// Macros because only they know the line and the text of the condition.
#define CHECK(condition) ::isthmus::check::report((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(got, expected) \
  ::isthmus::check::report_equal((got), (expected), __FILE__, __LINE__, #got)
