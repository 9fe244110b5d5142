// ops/packed_call.h: calls of operators from other languages, on values as the FFI has them. See
// also call_packed in ops/op.h, which takes every argument by position.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "ops/op.h"

namespace isthmus {

struct Keyword {
  std::string_view name;
  TVMFFIAny value;  // borrowed
};

// Runs an operator as Python calls it: some parameters by position, others by name, the rest by
// default; each is converted to the kind of its parameter. TypeError for unknown, doubled and
// missing arguments and for values that do not convert.
void call_keywords(const Op& op, std::span<const TVMFFIAny> positional,
                   std::span<const Keyword> keywords, TVMFFIAny* result);

}  // namespace isthmus
