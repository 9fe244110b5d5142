// ops/ufunc.h: element-wise operators: a table of typed inner loops, how one is chosen, and how it
// is run.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/array.h"
#include "kernels/strided_loop.h"
#include "ops/op.h"

namespace isthmus {

inline constexpr int kMaxUfuncArgs = 4;  // inputs and outputs together

struct UfuncLoop {
  DType types[kMaxUfuncArgs];  // inputs, then outputs
  LoopFn fn;
  void* data;
  // A built-in loop with the same results that starts faster; taken for a few elements. May be
  // null.
  LoopFn small;
  // A built-in loop whose results may differ from a host's in the last bit; never kept as `small`.
  bool approximate = false;
};

enum UfuncTrait : uint8_t {
  kComparison =
      1,  // a Python int that the dtype cannot hold compares by value instead of overflowing
  kHostRaises = 2,    // a host loop may raise an exception of the host (integer power)
  kRefusesBool = 4,   // bool operands are a TypeError (subtract, negative)
  kIntsAsDouble = 8,  // integers and bools are computed in float64, whatever their width (divide)
  // Weak scalars take their default dtype: the inputs have unlike roles (ldexp).
  kWeakAsDefault = 16,
  kTruth = 32,  // a Python int of any width counts by its truth (logical_and)
};

struct Ufunc {
  const char* name;
  int nin;
  int nout;
  uint8_t traits = 0;
  const char* bool_message = "";
  std::vector<UfuncLoop> loops;  // in the order in which they are tried

  // The loop for operands of these dtypes: the first whose inputs all cast safely; null when there
  // is none.
  const UfuncLoop* resolve(const DType* in) const {
    int index = nin == 1 ? table_[0][static_cast<int>(in[0])]
                         : table_[static_cast<int>(in[0])][static_cast<int>(in[1])];
    return index < 0 ? nullptr : &loops[static_cast<size_t>(index)];
  }
  // The first loop whose (first) output is `out` and whose inputs cast by `casting`.
  const UfuncLoop* resolve_output(const DType* in, DType out, Casting casting) const;
  // The loop with exactly these input dtypes, or null.
  const UfuncLoop* exact(DType first, DType second) const;
  void add(std::initializer_list<DType> types, LoopFn fn, void* data = nullptr);
  // Replaces the loops by a host's (NumPy's); built-in ones of the same types stay as `small`.
  void set_host_loops(std::vector<UfuncLoop> host);
  void rebuild();

 private:
  int16_t table_[kNumDTypes][kNumDTypes];
};

// How a ufunc is called; the plain call is the default.
struct UfuncCall {
  NDArrayObj* out[2] = {nullptr, nullptr};
  NDArrayObj* where = nullptr;
  bool has_dtype = false;
  DType dtype = DType::kFloat64;
  Casting casting = Casting::kSameKind;
};

// One input and one output. Operands are arrays or weak scalars.
NDArray call_unary(const Ufunc& u, const TVMFFIAny& x);
NDArray call_binary(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2);
// out = u(x1, x2), with same_kind casting; out may be one of the operands.
void call_binary_out(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2, NDArrayObj* out);
// Any ufunc; writes nout results.
void call_ufunc(const Ufunc& u, const TVMFFIAny* in, const UfuncCall& call, NDArray* results);

// The ufunc of that name; InternalError when there is none. Looked up once and kept by callers.
const Ufunc& ufunc(std::string_view name);
Ufunc* find_ufunc(std::string_view name);

inline TVMFFIAny any_of(const NDArrayObj* a) {
  TVMFFIAny v{};
  v.type_index = kTVMFFITensor;
  v.v_obj = const_cast<NDArrayObj*>(a)->header();
  return v;
}
inline TVMFFIAny any_of(double d) {
  TVMFFIAny v{};
  v.type_index = kTVMFFIFloat;
  v.v_float64 = d;
  return v;
}
inline TVMFFIAny any_of(int64_t i) {
  TVMFFIAny v{};
  v.type_index = kTVMFFIInt;
  v.v_int64 = i;
  return v;
}

// Registers another name of a ufunc that is registered already.
void def_alias(Registry& r, const char* alias, const char* name);

// Registers an element-wise operator with its built-in loops. `signature` follows from nin and
// nout.
void def_ufunc(Registry& r, const char* name, int nin, int nout, const char* doc,
               std::vector<UfuncLoop> loops, uint8_t traits = 0, const char* bool_message = "");

}  // namespace isthmus
