// engine/engine.cc: the naive policy and the host's hooks.
// SPDX-License-Identifier: Apache-2.0
#include "engine/engine.h"

namespace isthmus {

EnginePolicy engine_policy() { return EnginePolicy::kNaive; }

HostHooks& host_hooks() {
  static HostHooks hooks{};
  return hooks;
}

}  // namespace isthmus
