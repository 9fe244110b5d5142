// core/storage.cc: the size-class pool and Storage.
// SPDX-License-Identifier: Apache-2.0
#include "core/storage.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>

#include "core/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace isthmus {
namespace {

using namespace pool;

constexpr size_t kLinearMax = kLinearClasses * kLinearStep;
constexpr int kNumClasses = kLinearClasses + 4 * 44;
constexpr size_t kLargeCacheLimit = size_t{1} << 30;  // bytes kept for reuse in the shared cache
constexpr size_t kAlignFrom =
    256;  // every block that can hold a storage is aligned to a cache line
constexpr size_t kHugePageFrom = size_t{4} << 20;

int class_of(size_t n) {
  if (n <= kLinearMax) return n == 0 ? 0 : static_cast<int>((n - 1) / kLinearStep);
  int log = std::bit_width(n - 1) - 1;  // 2^log < n <= 2^(log+1)
  size_t quarter = (n - 1 - (size_t{1} << log)) >> (log - 2);
  return kLinearClasses + 4 * (log - 10) + static_cast<int>(quarter);
}

constexpr size_t class_bytes(int c) {
  if (c < kLinearClasses) return (static_cast<size_t>(c) + 1) * kLinearStep;
  int log = (c - kLinearClasses) / 4 + 10;
  size_t quarter = static_cast<size_t>((c - kLinearClasses) % 4);
  return (size_t{1} << log) + ((quarter + 1) << (log - 2));
}

// Bytes that one thread keeps in one class at the most.
constexpr size_t kThreadClassBytes = size_t{128} << 10;

struct CountLimits {
  uint32_t most[kThreadClasses];
};
constexpr CountLimits make_limits() {
  CountLimits l{};
  for (int c = 0; c < kThreadClasses; ++c)
    l.most[c] = static_cast<uint32_t>(kThreadClassBytes / class_bytes(c)) + 1;
  return l;
}
constexpr CountLimits kLimits = make_limits();

[[gnu::tls_model("initial-exec")]] thread_local bool t_exited = false;

struct LargeCache {
  std::mutex mutex;
  FreeBlock* head[kNumClasses] = {};
  size_t bytes = 0;
};
// Never destroyed: arrays may outlive static destructors.
LargeCache& large_cache() {
  static LargeCache* cache = new LargeCache;
  return *cache;
}

std::atomic<int64_t> g_live_large{0};
std::atomic<int64_t> g_peak_large{0};

}  // namespace

namespace pool {

thread_local constinit ThreadCache* t_cache = nullptr;

ThreadCache::~ThreadCache() {
  for (FreeBlock* b : head) {
    while (b) {
      FreeBlock* next = b->next;
      std::free(b);
      b = next;
    }
  }
  t_cache = nullptr;
  t_exited = true;
}

}  // namespace pool

namespace {

[[gnu::noinline]] ThreadCache* thread_cache_slow() {
  if (t_exited) return nullptr;
  thread_local ThreadCache cache;
  return t_cache = &cache;
}

// Blocks from calloc go back to the system: their worth is in being fresh.
constexpr uint8_t kUnpooled = 255;
static_assert(kNumClasses < kUnpooled);

// Asks for huge pages on the whole pages within a block: a large first touch then faults 512 times
// less often.
void advise_huge_pages([[maybe_unused]] void* block, [[maybe_unused]] size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr uintptr_t kPage = 4096;
  if (bytes < kHugePageFrom) return;
  uintptr_t start = (reinterpret_cast<uintptr_t>(block) + kPage - 1) & ~(kPage - 1);
  uintptr_t end = (reinterpret_cast<uintptr_t>(block) + bytes) & ~(kPage - 1);
  madvise(reinterpret_cast<void*>(start), end - start, MADV_HUGEPAGE);
#endif
}

void* system_alloc(size_t bytes) {
  void* p = nullptr;
  if (bytes >= kHugePageFrom) {
    constexpr size_t kPage = size_t{2} << 20;
    p = std::aligned_alloc(kPage, (bytes + kPage - 1) & ~(kPage - 1));
    if (p) advise_huge_pages(p, bytes);
  } else if (bytes >= kAlignFrom) {
    p = std::aligned_alloc(64, (bytes + 63) & ~size_t{63});
  } else {
    p = std::malloc(bytes);
  }
  return p;
}

[[gnu::cold]] void fail_memory(size_t nbytes) {
  fail_with("MemoryError", cat("Unable to allocate ", nbytes, " bytes for an array"));
}

[[gnu::noinline]] void* alloc_slow(int c) {
  size_t bytes = class_bytes(c);
  if (c >= kThreadClasses) {
    LargeCache& cache = large_cache();
    FreeBlock* b = nullptr;
    {
      std::lock_guard lock(cache.mutex);
      b = cache.head[c];
      if (b) {
        cache.head[c] = b->next;
        cache.bytes -= bytes;
      }
    }
    void* p = b ? static_cast<void*>(b) : system_alloc(bytes);
    if (!p) {
      pool_trim();
      p = system_alloc(bytes);
    }
    if (!p) fail_memory(bytes);
    int64_t live = g_live_large.fetch_add(static_cast<int64_t>(bytes), std::memory_order_relaxed) +
                   static_cast<int64_t>(bytes);
    int64_t peak = g_peak_large.load(std::memory_order_relaxed);
    while (live > peak &&
           !g_peak_large.compare_exchange_weak(peak, live, std::memory_order_relaxed)) {
    }
    return p;
  }
  void* p = system_alloc(bytes);
  if (!p) fail_memory(bytes);
  return p;
}

[[gnu::noinline]] void free_slow(void* block, int c) noexcept {
  if (c < kThreadClasses) {
    std::free(block);
    return;
  }
  size_t bytes = class_bytes(c);
  g_live_large.fetch_sub(static_cast<int64_t>(bytes), std::memory_order_relaxed);
  if (kCacheBlocks) {
    LargeCache& cache = large_cache();
    std::lock_guard lock(cache.mutex);
    if (cache.bytes + bytes <= kLargeCacheLimit) {
      auto* b = static_cast<FreeBlock*>(block);
      b->next = cache.head[c];
      cache.head[c] = b;
      cache.bytes += bytes;
      return;
    }
  }
  std::free(block);
}

void storage_deleter(void* self, int flags) {
  auto* s = static_cast<StorageObj*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (s->deleter) s->deleter(s->context);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) pool_free(s, s->size_class);
}

StorageObj* init_storage(void* block, uint8_t size_class) {
  auto* s = new (block) StorageObj{};
  s->header.combined_ref_count = kSoleReference;
  s->header.type_index = kTVMFFIObject;
  s->header.deleter = storage_deleter;
  s->size_class = size_class;
  return s;
}

}  // namespace

void* pool_alloc(size_t nbytes, uint8_t* size_class) {
  if (nbytes > (size_t{1} << 53)) fail_memory(nbytes);
  int c = class_of(nbytes);
  *size_class = static_cast<uint8_t>(c);
  if (c < kThreadClasses && kCacheBlocks) {
    ThreadCache* cache = t_cache;
    if (cache) {
      FreeBlock* b = cache->head[c];
      if (b) {
        cache->head[c] = b->next;
        --cache->count[c];
        return b;
      }
    }
  }
  return alloc_slow(c);
}

void pool_free(void* block, uint8_t size_class) noexcept {
  if (size_class == kUnpooled) return std::free(block);
  int c = size_class;
  if (c < kThreadClasses && kCacheBlocks) {
    ThreadCache* cache = t_cache;
    if (!cache) cache = thread_cache_slow();
    if (cache && cache->count[c] < kLimits.most[c]) {
      auto* b = static_cast<FreeBlock*>(block);
      b->next = cache->head[c];
      cache->head[c] = b;
      ++cache->count[c];
      return;
    }
  }
  free_slow(block, c);
}

MemoryStats memory_stats() {
  LargeCache& cache = large_cache();
  std::lock_guard lock(cache.mutex);
  return {g_live_large.load(), static_cast<int64_t>(cache.bytes), g_peak_large.load()};
}

void pool_trim() noexcept {
  LargeCache& cache = large_cache();
  std::lock_guard lock(cache.mutex);
  for (FreeBlock*& head : cache.head) {
    while (head) {
      FreeBlock* next = head->next;
      std::free(head);
      head = next;
    }
  }
  cache.bytes = 0;
}

StorageObj* storage_alloc(size_t nbytes, bool zeroed) {
  constexpr size_t kHeader = 64;
  uint8_t size_class = 0;
  // Fresh pages from the system are zero already; past this size asking for them beats clearing old
  // ones.
  constexpr size_t kCallocFrom = size_t{1} << 20;
  void* block = nullptr;
  if (zeroed && nbytes >= kCallocFrom) {
    if (nbytes > (size_t{1} << 53)) fail_memory(nbytes);
    size_class = kUnpooled;
    // calloc's block starts 16 bytes into a page; twice the header leaves room to align the data.
    block = std::calloc(1, nbytes + 2 * kHeader);
    if (!block) fail_memory(nbytes);
    advise_huge_pages(block, nbytes);
    zeroed = false;
  } else {
    block = pool_alloc(nbytes + kHeader, &size_class);
  }
  StorageObj* s = init_storage(block, size_class);
  s->origin = Origin::kPool;
  s->nbytes = nbytes;
  auto address = reinterpret_cast<uintptr_t>(block) + sizeof(StorageObj);
  s->data = reinterpret_cast<void*>((address + kHeader - 1) & ~(uintptr_t{kHeader} - 1));
  // A block aligned to 64 keeps its data at +64; a calloc block (16 off) has the slack it was
  // given.
  if (zeroed) std::memset(s->data, 0, nbytes);
  return s;
}

StorageObj* storage_borrow(void* data, size_t nbytes, void (*deleter)(void*), void* context,
                           Origin origin) {
  uint8_t size_class = 0;
  void* block = pool_alloc(sizeof(StorageObj), &size_class);
  StorageObj* s = init_storage(block, size_class);
  s->data = data;
  s->nbytes = nbytes;
  s->deleter = deleter;
  s->context = context;
  s->origin = origin;
  return s;
}

}  // namespace isthmus
