// ops/host.h: kernels that a host process lends beside ufunc loops: generalised ufuncs (LAPACK,
// BLAS), sorts, dots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "kernels/strided_loop.h"

namespace isthmus {

inline constexpr int kMaxGufuncArgs = 8;

// A gufunc's inner loop follows NumPy's convention: n[0] is the number of outer steps, n[1...] the
// core dimensions in the order of their first appearance in the signature; strides holds one outer
// step for each operand, then the core strides of every operand in order, all in bytes.
struct GufuncLoop {
  DType types[kMaxGufuncArgs];  // inputs, then outputs
  LoopFn fn;
  void* data;
};

struct Gufunc {
  std::string name;  // "matmul", "linalg.inv"
  int nin = 0;
  int nout = 0;
  std::vector<GufuncLoop> loops;
  // The first loop whose inputs all cast safely from `in`; null when there is none.
  const GufuncLoop* resolve(const DType* in) const;
};
// The gufunc of that name, or null when no host has lent it.
const Gufunc* find_gufunc(std::string_view name);
void set_gufunc(Gufunc g);

// Sorts n contiguous elements in place / writes the sorting permutation into `order` (filled with
// 0..n-1 by the caller). Zero on success. NaNs go last. Null when no host has lent one.
using SortFn = int (*)(void* data, intptr_t n, void* descr);
using ArgsortFn = int (*)(void* data, intptr_t* order, intptr_t n, void* descr);
enum class SortKind : uint8_t { kQuick, kStable };
struct SortKernels {
  SortFn sort[2] = {};
  ArgsortFn argsort[2] = {};
  void* descr = nullptr;  // what the host's functions take as their last argument
};
SortKernels& sort_kernels(DType d);

// Inner product of two strided vectors of one dtype (BLAS where there is one); null when no host
// has lent it.
using DotFn = void (*)(void* a, intptr_t a_stride, void* b, intptr_t b_stride, void* out,
                       intptr_t n, void* descr);
struct DotKernel {
  DotFn fn = nullptr;
  void* descr = nullptr;
};
DotKernel& dot_kernel(DType d);

// Index of the first largest (or smallest) of n contiguous elements; null when no host has lent it.
using ArgFn = int (*)(void* data, intptr_t n, intptr_t* index, void* descr);
struct ArgKernel {
  ArgFn fn = nullptr;
  void* descr = nullptr;
};
ArgKernel& arg_kernel(DType d, bool largest);

// Whether eig and eigvals of real matrices give complex numbers always, as NumPy has it since
// version 2.5, or only when an eigenvalue is no real number.
bool& eigenvalues_are_complex();

}  // namespace isthmus
