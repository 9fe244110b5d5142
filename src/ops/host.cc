// ops/host.cc: the tables behind ops/host.h.
// SPDX-License-Identifier: Apache-2.0
#include "ops/host.h"

#include <deque>

namespace isthmus {
namespace {
std::deque<Gufunc>& gufuncs() {
  static auto* all = new std::deque<Gufunc>;
  return *all;
}
}  // namespace

const GufuncLoop* Gufunc::resolve(const DType* in) const {
  for (const GufuncLoop& loop : loops) {
    bool ok = true;
    for (int k = 0; k < nin && ok; ++k) ok = can_cast(in[k], loop.types[k], Casting::kSafe);
    if (ok) return &loop;
  }
  return nullptr;
}

const Gufunc* find_gufunc(std::string_view name) {
  for (const Gufunc& g : gufuncs())
    if (g.name == name) return &g;
  return nullptr;
}

void set_gufunc(Gufunc g) {
  for (Gufunc& have : gufuncs()) {
    if (have.name == g.name) {
      have = std::move(g);
      return;
    }
  }
  gufuncs().push_back(std::move(g));
}

SortKernels& sort_kernels(DType d) {
  static SortKernels kernels[kNumDTypes];
  return kernels[static_cast<int>(d)];
}

DotKernel& dot_kernel(DType d) {
  static DotKernel kernels[kNumDTypes];
  return kernels[static_cast<int>(d)];
}

ArgKernel& arg_kernel(DType d, bool largest) {
  static ArgKernel kernels[2][kNumDTypes];
  return kernels[largest][static_cast<int>(d)];
}

bool& eigenvalues_are_complex() {
  static bool always = true;
  return always;
}

}  // namespace isthmus
