// ops/register_all.cc: the only list of operator families.
// SPDX-License-Identifier: Apache-2.0
#include "ops/families.h"

namespace isthmus {

void register_all(Registry& r) {
  register_arithmetic(r);
  register_math(r);
  register_comparison(r);
  register_bits(r);
  register_elementwise(r);
  register_closeness(r);
  register_reduce(r);
  register_statistics(r);
  register_differences(r);
  register_nan_functions(r);
  register_creation(r);
  register_ranges(r);
  register_manipulation(r);
  register_rearranging(r);
  register_joining(r);
  register_selecting(r);
  register_sorting(r);
  register_searching(r);
  register_sets(r);
  register_products(r);
  register_tensor_products(r);
  register_einsum(r);
  register_linalg(r);
  register_decompositions(r);
  register_norms(r);
}

}  // namespace isthmus
