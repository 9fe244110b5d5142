// engine/engine.h: where operators hand their work over. Under the `naive` policy it runs at once
// on the calling thread; policies that push it to workers need no change in any operator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "core/array.h"

namespace isthmus {

enum class EnginePolicy : uint8_t { kNaive };
EnginePolicy engine_policy();

// Runs `work`, which reads and writes the named arrays' data and nothing else of them. Everything
// that can be wrong with the arguments was checked before.
template <class F>
inline void engine_run(std::initializer_list<const NDArrayObj*> /*reads*/,
                       std::initializer_list<NDArrayObj*> /*writes*/, F&& work) {
  std::forward<F>(work)();
}

// What the host language lends to the core; all null in a program without one.
struct HostHooks {
  // Lets other host threads run during long work; returns a token, or null when this thread does
  // not hold the lock.
  void* (*release_lock)();
  void (*acquire_lock)(void* token);
  // Whether a kernel of the host (a NumPy loop) raised an exception of the host.
  bool (*error_pending)();
};
HostHooks& host_hooks();

// Releases the host's lock for the scope when `elements` is large enough to be worth it.
class LongWork {
 public:
  explicit LongWork(int64_t elements) {
    if (elements >= kLongElements) begin();
  }
  ~LongWork() {
    if (token_) host_hooks().acquire_lock(token_);
  }
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;

 private:
  static constexpr int64_t kLongElements = 20000;
  void begin() {
    if (host_hooks().release_lock) token_ = host_hooks().release_lock();
  }
  void* token_ = nullptr;
};

}  // namespace isthmus
