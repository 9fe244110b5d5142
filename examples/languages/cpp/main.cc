// Isthmus from C++, without Python in the process:
//   c++ -std=c++17 main.cc $(python -m isthmus.config --cflags --libs) -o main && ./main
// SPDX-License-Identifier: Apache-2.0
#include <isthmus/call.h>

#include <iostream>
#include <string>

using isthmus::arg;
using isthmus::Op;
using tvm::ffi::Any;
using tvm::ffi::Array;
using tvm::ffi::Function;
using tvm::ffi::Shape;
using tvm::ffi::String;
using tvm::ffi::Tensor;

// A float64 array as nested lists.
std::string show(const Tensor& a, int axis = 0, int64_t offset = 0) {
  std::ostringstream out;
  if (axis == a.ndim()) {
    out << static_cast<const double*>(a.data_ptr())[offset];
    return out.str();
  }
  for (int64_t i = 0; i < a.size(axis); ++i)
    out << (i ? ", " : "[") << show(a, axis + 1, offset + i * a.strides()[axis]);
  return out.str() + "]";
}

int main() {
  isthmus::Init();
  Op arange("arange"), reshape("reshape"), add("add"), sum("sum"), split("split"),
      multiply("multiply");

  // Create an array, add, sum, split.
  Tensor a = reshape(arange(6, arg("dtype", "float64")), Shape({2, 3})).cast<Tensor>();
  std::cout << "a: " << show(a) << "\n";
  std::cout << "add: " << show(add(a, 0.5).cast<Tensor>()) << "\n";
  std::cout << "sum: " << show(sum(a, arg("axis", 0)).cast<Tensor>()) << "\n";
  std::cout << "split:";
  for (const Tensor& part : split(a, 3, arg("axis", 1)).cast<Array<Tensor>>())
    std::cout << " " << show(part);

  // Handle an error.
  try {
    reshape(a, 4);
  } catch (const tvm::ffi::Error& e) {
    std::cout << "\nerror: " << e.kind() << "\n";
  }

  // Share memory: the array and the vector are one.
  auto memory = std::make_shared<std::vector<double>>(std::vector<double>{1, 2, 3});
  Tensor shared = isthmus::FromMemory(memory->data(), {3}, "float64", [memory] {});
  (*memory)[0] = 10;
  multiply(shared, 2, arg("out", shared));
  std::cout << "shared: " << show(shared) << " " << (*memory)[2] << "\n";

  // Pass a callback: the core calls it, and an operator may be made of one. It is there by name at
  // once.
  int64_t calls = 0;
  Function repeat = isthmus::GetFunction("isthmus.testing.repeat");
  repeat(Function::FromTyped([&](int64_t step) { calls += step; }), 4, 5);
  std::cout << "callback: " << calls << "\n";
  isthmus::GetFunction("isthmus.register_op")(
      "example.axpy", "(x: Array, y: Array, alpha: float = 2.0) -> Array", "alpha * x + y",
      Function::FromTyped([=](Tensor x, Tensor y, double alpha) {
        return add(multiply(x, alpha), y).cast<Tensor>();
      }));
  Op axpy("example.axpy");
  std::cout << "operator: " << show(axpy(shared, 1, arg("alpha", 0.5)).cast<Tensor>()) << "\n";
  std::cout << "parameters:";
  for (const Array<Any>& p :
       isthmus::GetFunction("isthmus.op_parameters")("example.axpy").cast<Array<Array<Any>>>())
    std::cout << " " << p[0].cast<std::string>() << ":" << p[1].cast<std::string>();

  // An error of the callback comes back as what it was.
  try {
    repeat(Function::FromTyped([] { TVM_FFI_THROW(KeyError) << "from the host"; }), 1);
  } catch (const tvm::ffi::Error& e) {
    std::cout << "\ncallback error: " << e.kind() << ": " << e.message() << "\n";
  }
}
