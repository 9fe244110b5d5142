// tests/cpp/test_every_operator.cc: a program without Python calls every operator of the registry
// with fitting and unfitting arguments: each call gives a value or a clear error.
// SPDX-License-Identifier: Apache-2.0
#include <isthmus/call.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "check.h"

#if defined(__SANITIZE_ADDRESS__)
// Arrays too large for memory are part of the test.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
#endif

namespace {

using isthmus::arg;
using isthmus::GetFunction;
namespace check = isthmus::check;
using isthmus::Op;
using tvm::ffi::Any;
using tvm::ffi::AnyView;
using tvm::ffi::Array;
using tvm::ffi::Function;
using tvm::ffi::Shape;
using tvm::ffi::String;
using tvm::ffi::Tensor;
using Values = std::vector<Any>;

Any reshaped(const Any& a, std::initializer_list<int64_t> shape) {
  return Op("reshape")(a, Shape(shape));
}
Any counted(int64_t n, const char* dtype) { return Op("arange")(n, arg("dtype", dtype)); }

// Values for each type of a signature; the first are what most operators can do something with.
std::map<std::string, Values> values_by_type() {
  const int64_t huge = int64_t{1} << 60;
  Any matrix = Op("add")(reshaped(counted(4, "float64"), {2, 2}), Op("eye")(2));
  Any vector = counted(3, "float64"), integers = counted(3, "int64");
  Values arrays{matrix,
                vector,
                integers,
                2,
                1.5,
                true,
                reshaped(counted(24, "float32"), {2, 3, 4}),
                Op("zeros")(Shape({0, 3})),
                Op("ones")(Shape({}), arg("dtype", "complex64")),
                Op("less")(matrix, 2),
                Op("multiply")(matrix, GetFunction("isthmus.Complex")(0.0, 1.0)),
                Op("matrix_transpose")(reshaped(counted(4, "float16"), {2, 2})),
                Array<Any>{Array<Any>{1, 2}, Array<Any>{3, 4}},
                Op("flip")(counted(5, "uint8")),
                huge,
                -1,
                Op("zeros")(Shape(std::vector<int64_t>(64, 1))),
                String("text"),
                nullptr};
  Values others{nullptr,
                1,
                0,
                -1,
                2.5,
                true,
                String("C"),
                "text",
                "full",
                matrix,
                integers,
                Array<Any>{0},
                huge,
                Array<Any>{0, 1},
                1e300,
                "constant",
                Array<Any>{Array<Any>{0}, Array<Any>{1}},
                Array<Any>{}};
  std::map<std::string, Values> all;
  all["Array"] = all["Array?"] = arrays;
  all["Arrays"] = {Array<Any>{matrix, matrix},   Array<Any>{vector, vector},
                   Array<Any>{integers, 1, 2.5}, Array<Any>{},
                   Array<Any>{matrix, vector},   Array<Any>{integers},
                   Array<Any>{"text"},           2};
  all["Shape"] = {Shape({2, 2}),
                  1,
                  0,
                  4,
                  Shape({}),
                  -1,
                  Array<Any>{0, 1},
                  Shape({huge, huge}),
                  huge,
                  Shape(std::vector<int64_t>(64, 1)),
                  Shape(std::vector<int64_t>(70, 1)),
                  "text"};
  all["Axes"] = {nullptr, 0, -1, Shape({0, 1}), 2, Shape({}), Shape({1, 1}), huge, "text"};
  all["DType"] = {nullptr, "float32", "int8",    "complex128",
                  "bool",  "float64", "nothing", DLDataType{kDLFloat, 64, 2},
                  5};
  all["bool"] = {false, true, 1, nullptr};
  all["int"] = all["int?"] = {0, 1, 2, -1, 3, huge, -huge, true, nullptr, 1.5};
  all["float"] = {1.0, 0, 3, -2.5, 1e300, std::nan(""), "text"};
  all["str"] =
      all["str?"] = {"C", "K", "raise", "left", "same_kind", "linear", "reduced", "text", "", 5};
  all["Out"] = {nullptr,
                Op("copy")(matrix),
                Op("empty")(Shape({3})),
                Op("empty")(Shape({})),
                Op("copy")(integers),
                5};
  all["Any"] = others;
  return all;
}

const std::set<std::string> kKinds = {"TypeError",         "ValueError",    "IndexError",
                                      "AxisError",         "LinAlgError",   "NotImplementedError",
                                      "ZeroDivisionError", "OverflowError", "MemoryError"};

struct Outcome {
  int done = 0, not_implemented = 0;
};

// One call of an operator with values chosen by a generator that always goes the same way. Required
// parameters mostly get the values at the front.
void call_once(const std::string& name, const Array<Array<Any>>& parameters,
               const std::map<std::string, Values>& values, std::mt19937* random,
               Outcome* outcome) {
  auto below = [&](size_t n) { return static_cast<size_t>((*random)()) % n; };
  Values args{String(name), 0};
  int64_t positional = 0;
  Values keywords;
  bool tame = below(2) == 0;
  for (const Array<Any>& p : parameters) {
    auto kind = p[2].cast<std::string>();
    bool required = p[3].cast<bool>();
    const Values& all = values.at(p[1].cast<std::string>());
    const Any& value = all[below(tame ? std::min<size_t>(4, all.size()) : all.size())];
    if (kind == "variadic") {
      for (size_t i = below(4); i > 0; --i) {
        const Values& arrays = values.at("Array");
        args.push_back(arrays[below(tame ? 4 : arrays.size())]);
        ++positional;
      }
      if (name == "einsum") args.insert(args.begin() + 2, String("ij,jk->ik")), ++positional;
    } else if (required && kind != "keyword_only") {
      args.push_back(value);
      ++positional;
    } else if (required || (!tame && below(4) == 0)) {
      keywords.push_back(p[0]);
      keywords.push_back(value);
    }
  }
  args[1] = positional;
  args.insert(args.end(), keywords.begin(), keywords.end());
  std::vector<AnyView> views(args.begin(), args.end());
  Any result;
  static const Function call = GetFunction("isthmus.call");
  try {
    call.CallPacked(views.data(), static_cast<int32_t>(views.size()), &result);
    ++outcome->done;
  } catch (const tvm::ffi::Error& e) {
    if (e.kind() == "NotImplementedError") ++outcome->not_implemented;
    if (!kKinds.count(e.kind()) || e.message().empty())
      check::report(false, __FILE__, __LINE__, name + ": " + e.kind() + ": " + e.message());
  }
}

void every_operator_gives_a_value_or_a_clear_error() {
  auto values = values_by_type();
  size_t count = 0;
  for (const String& op : GetFunction("isthmus.list_ops")().cast<Array<String>>()) {
    std::string name = op;
    auto parameters = GetFunction("isthmus.op_parameters")(op).cast<Array<Array<Any>>>();
    std::mt19937 random(static_cast<unsigned>(++count));
    Outcome outcome;
    for (int i = 0; i < 300; ++i) call_once(name, parameters, values, &random, &outcome);
    // What the core cannot compute alone says so; everything else has worked at least once.
    if (outcome.done == 0 && outcome.not_implemented == 0)
      check::report(false, __FILE__, __LINE__, name + " never worked");
  }
  CHECK(count > 250);
}

void linear_algebra_without_a_host() {
  Tensor a = Op("add")(Op("eye")(2), 1.0).cast<Tensor>();
  auto item = [](const Any& x) { return *static_cast<const double*>(x.cast<Tensor>().data_ptr()); };
  CHECK_EQ(item(Op("linalg.det")(a)), 3.0);
  CHECK_EQ(item(Op("sum")(Op("linalg.solve")(a, Array<Any>{3, 3}))), 2.0);
  CHECK_EQ(item(Op("sum")(Op("linalg.inv")(a))), 2.0 / 3.0);
  try {
    Op("linalg.svd")(a);
    CHECK(!"svd() has no provider here");
  } catch (const tvm::ffi::Error& e) {
    CHECK_EQ(e.kind(), "NotImplementedError");
    CHECK(e.message().find("LAPACK") != std::string::npos);
  }
}

}  // namespace

int main() {
  isthmus::Init();
  return check::run_tests({
      {"every operator", every_operator_gives_a_value_or_a_clear_error},
      {"linear algebra", linear_algebra_without_a_host},
  });
}
