// ops/families.h: the registrars of the operator families, one for each file of this folder.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/op.h"

namespace isthmus {

void register_arithmetic(Registry& registry);
void register_math(Registry& registry);
void register_comparison(Registry& registry);
void register_bits(Registry& registry);
void register_elementwise(Registry& registry);
void register_closeness(Registry& registry);
void register_reduce(Registry& registry);
void register_statistics(Registry& registry);
void register_differences(Registry& registry);
void register_nan_functions(Registry& registry);
void register_creation(Registry& registry);
void register_ranges(Registry& registry);
void register_manipulation(Registry& registry);
void register_rearranging(Registry& registry);
void register_joining(Registry& registry);
void register_selecting(Registry& registry);
void register_sorting(Registry& registry);
void register_searching(Registry& registry);
void register_sets(Registry& registry);
void register_products(Registry& registry);
void register_tensor_products(Registry& registry);
void register_einsum(Registry& registry);
void register_linalg(Registry& registry);
void register_decompositions(Registry& registry);
void register_norms(Registry& registry);

}  // namespace isthmus
