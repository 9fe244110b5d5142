// core/storage.h: blocks of memory, who owns them, and the size-class pool they come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/c_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace isthmus {

// ---- The pool -----------------------------------------------------------------------------------
// Blocks are rounded up to a size class. Small classes are cached by each thread without a lock;
// large ones in one shared cache, so that a large temporary reuses pages that are already mapped.

namespace pool {

// Classes 0..31: multiples of 32 bytes to 1 KiB. From there four classes to each doubling.
inline constexpr int kLinearClasses = 32;
inline constexpr size_t kLinearStep = 32;
inline constexpr int kThreadClasses = kLinearClasses + 4 * 6;  // to 64 KiB

#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kCacheBlocks = false;  // let the sanitizer see every block's end of life
#else
inline constexpr bool kCacheBlocks = true;
#endif

struct FreeBlock {
  FreeBlock* next;
};
struct ThreadCache {
  FreeBlock* head[kThreadClasses] = {};
  uint32_t count[kThreadClasses] = {};
  ~ThreadCache();
};
// A plain pointer in the initial TLS block: reading it is one instruction from a shared library
// too.
[[gnu::tls_model("initial-exec")]] extern thread_local constinit ThreadCache* t_cache;

}  // namespace pool

// Returns a block of at least `nbytes` bytes aligned to 16 (64 from 256 bytes on); throws
// MemoryError. *size_class receives what pool_free needs.
void* pool_alloc(size_t nbytes, uint8_t* size_class);
void pool_free(void* block, uint8_t size_class) noexcept;

// The same for blocks that are small for certain, without a call when the thread has one cached.
inline void* pool_alloc_small(size_t nbytes, uint8_t* size_class) {
  const size_t c = (nbytes - 1) / pool::kLinearStep;
  pool::ThreadCache* cache = pool::t_cache;
  if (pool::kCacheBlocks && cache && c < pool::kLinearClasses) {
    if (pool::FreeBlock* b = cache->head[c]) {
      *size_class = static_cast<uint8_t>(c);
      cache->head[c] = b->next;
      --cache->count[c];
      return b;
    }
  }
  return pool_alloc(nbytes, size_class);
}

struct MemoryStats {
  int64_t live_bytes;    // handed out, in size classes
  int64_t cached_bytes;  // held for reuse by the shared cache
  int64_t peak_bytes;    // highest live_bytes of large blocks since the start
};
MemoryStats memory_stats();
// Returns every cached large block to the system.
void pool_trim() noexcept;

// ---- Storage ------------------------------------------------------------------------------------
enum class Origin : uint8_t { kPool, kBorrowed, kSharedMemory, kMapped };

// One block of memory behind arrays that are too large to hold their data inline. A tvm-ffi object
// in its layout, so that arrays can hold storages and arrays alike as owners.
struct StorageObj {
  TVMFFIObject header;
  void* data;
  size_t nbytes;
  void (*deleter)(void* context);  // borrowed memory: releases the owner; may run on any thread
  void* context;
  std::atomic<uint32_t> outside_views;  // exports alive; non-zero makes the storage shared
  Origin origin;
  uint8_t size_class;
};
static_assert(sizeof(StorageObj) <= 64, "pool storages put their data 64 bytes after the header");

// A storage from the pool with `nbytes` uninitialised (or zeroed) bytes.
StorageObj* storage_alloc(size_t nbytes, bool zeroed);
// A storage over memory owned elsewhere; deleter(context) runs once, when the last array drops it.
StorageObj* storage_borrow(void* data, size_t nbytes, void (*deleter)(void*), void* context,
                           Origin origin = Origin::kBorrowed);

// ---- Objects of tvm-ffi, inline ----------------------------------------------------------------
// What follows the header of an object: its cell, as c_api.h lays it out for the type.
template <class Cell>
inline Cell* cell_of(const void* object) {
  return reinterpret_cast<Cell*>(static_cast<char*>(const_cast<void*>(object)) +
                                 sizeof(TVMFFIObject));
}
// The combined count of an object that one strong reference holds.
inline constexpr uint64_t kSoleReference = (uint64_t{1} << 32) | 1;
inline void object_incref(TVMFFIObject* o) {
  __atomic_fetch_add(&o->combined_ref_count, 1, __ATOMIC_RELAXED);
}
// The strong count of an object has gone from one to zero; `old` is the combined count before.
[[gnu::noinline]] inline void object_last_reference(TVMFFIObject* o, uint64_t old) {
  constexpr uint64_t kWeakOne = uint64_t{1} << 32;
  if (old == (kWeakOne | 1)) {
    if (o->deleter) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  if (o->deleter) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskStrong);
  if (__atomic_fetch_sub(&o->combined_ref_count, kWeakOne, __ATOMIC_ACQ_REL) == kWeakOne &&
      o->deleter)
    o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskWeak);
}
inline void object_decref(TVMFFIObject* o) {
  // A sole owner needs no locked instruction: nobody else can reach the object.
  if (__atomic_load_n(&o->combined_ref_count, __ATOMIC_ACQUIRE) == kSoleReference) {
    o->combined_ref_count = 0;
    if (o->deleter) o->deleter(o, kTVMFFIObjectDeleterFlagBitMaskBoth);
    return;
  }
  uint64_t old = __atomic_fetch_sub(&o->combined_ref_count, 1, __ATOMIC_ACQ_REL);
  if (static_cast<uint32_t>(old) == 1) object_last_reference(o, old);
}

}  // namespace isthmus
