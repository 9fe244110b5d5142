// tests/cpp/test_api.cc: a program without Python that finds operators in tvm-ffi's registry and
// calls them.
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/shape.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/function.h>

#include <thread>
#include <vector>

#include "check.h"
#include "ffi/core_api.h"

namespace {

namespace check = isthmus::check;
using tvm::ffi::Any;
using tvm::ffi::Function;
using tvm::ffi::Shape;
using tvm::ffi::Tensor;

Tensor ones(int64_t rows, int64_t columns) {
  return Function::GetGlobalRequired("isthmus.np.ones")(Shape({rows, columns})).cast<Tensor>();
}

double first(const Tensor& t) { return *static_cast<const double*>(t.data_ptr()); }

void functions_are_registered() {
  Function nop = Function::GetGlobalRequired("isthmus.testing.nop");
  nop(1, 2.5, "text", nullptr);
  CHECK_EQ(Function::GetGlobalRequired("isthmus.testing.echo")(42).cast<int>(), 42);
  CHECK(!Function::GetGlobal("isthmus.np.no_such_operator").has_value());
}

void operators_take_and_return_tensors() {
  Tensor a = ones(2, 3);
  CHECK_EQ(a.ndim(), 2);
  CHECK_EQ(a.size(1), 3);
  Function add = Function::GetGlobalRequired("isthmus.np.add");
  Tensor sum = add(a, a).cast<Tensor>();
  CHECK_EQ(first(sum), 2.0);
  CHECK_EQ(first(add(sum, 0.5).cast<Tensor>()), 2.5);
  Tensor total = Function::GetGlobalRequired("isthmus.np.sum")(sum).cast<Tensor>();
  CHECK_EQ(total.ndim(), 0);
  CHECK_EQ(first(total), 12.0);
}

void errors_carry_the_python_exception() {
  Function add = Function::GetGlobalRequired("isthmus.np.add");
  CHECK_EQ(check::error_kind([&] { add(ones(2, 3), ones(2, 4)); }), "ValueError");
  CHECK_EQ(check::error_kind([&] { add(ones(2, 3)); }), "TypeError");
  CHECK_EQ(check::error_kind([&] { add(ones(2, 3), "text"); }), "TypeError");
  Function raise = Function::GetGlobalRequired("isthmus.testing.throw");
  CHECK_EQ(check::error_kind([&] { raise("OverflowError", "too large"); }), "OverflowError");
}

void threads_share_the_registry_and_the_pool() {
  std::vector<std::thread> threads;
  std::vector<double> totals(4);
  for (size_t i = 0; i < totals.size(); ++i) {
    threads.emplace_back([&totals, i] {
      Function add = Function::GetGlobalRequired("isthmus.np.add");
      Tensor sum = ones(8, 8);
      for (int k = 0; k < 1000; ++k) sum = add(sum, ones(8, 8)).cast<Tensor>();
      totals[i] = first(sum);
    });
  }
  for (std::thread& t : threads) t.join();
  for (double total : totals) CHECK_EQ(total, 1001.0);
}

void arrays_may_be_freed_on_another_thread() {
  for (int64_t size : {2, 10, 200}) {
    std::vector<Tensor> arrays;
    for (int k = 0; k < 100; ++k) arrays.push_back(ones(size, size));
    std::thread([moved = std::move(arrays)]() mutable { moved.clear(); }).join();
  }
}

}  // namespace

int main() {
  CHECK(IsthmusInit(isthmus::kCoreApiVersion) != nullptr);
  CHECK(IsthmusInit(isthmus::kCoreApiVersion) != nullptr);  // a second call only returns the table
  return check::run_tests({
      {"registry", functions_are_registered},
      {"operators", operators_take_and_return_tensors},
      {"errors", errors_carry_the_python_exception},
      {"threads", threads_share_the_registry_and_the_pool},
      {"freed elsewhere", arrays_may_be_freed_on_another_thread},
  });
}
