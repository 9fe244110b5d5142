// ops/frame.cc: the part of Frame that front ends run too, so it is in both libraries.
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "ops/op.h"

namespace isthmus {

void Frame::release() {
  while (held_) delete std::exchange(held_, held_->next);
}

}  // namespace isthmus
