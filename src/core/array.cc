// core/array.cc: allocation, views and contiguity of NDArray.
// SPDX-License-Identifier: Apache-2.0
#include "core/array.h"

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "kernels/strided_loop.h"

namespace isthmus {

void ndarray_deleter(void* self, int flags) {
  auto* a = static_cast<NDArrayObj*>(self);
  if (flags & kTVMFFIObjectDeleterFlagBitMaskStrong) {
    if (a->owner) object_decref(a->owner);
  }
  if (flags & kTVMFFIObjectDeleterFlagBitMaskWeak) pool_free(a, a->size_class);
}

namespace {

// An array object with room for `ndim` dimensions and `extra` bytes of inline data; shape and
// strides unset.
NDArrayObj* new_object(int ndim, size_t extra, DType dtype, int64_t size) {
  uint8_t size_class = 0;
  void* block =
      pool_alloc_small(sizeof(NDArrayObj) + 16 * static_cast<size_t>(ndim) + extra, &size_class);
  auto* a = new (block) NDArrayObj;
  TVMFFIObject* h = a->header();
  h->combined_ref_count = kSoleReference;
  h->type_index = kTVMFFITensor;
  h->deleter = ndarray_deleter;
  a->device = {kDLCPU, 0};
  a->ndim = ndim;
  a->dtype = info(dtype).dl;
  a->shape = reinterpret_cast<int64_t*>(a + 1);
  a->strides = a->shape + ndim;
  a->byte_offset = 0;
  a->owner = nullptr;
  a->size = size;
  a->dt = dtype;
  a->flags = kWriteable;
  a->size_class = size_class;
  return a;
}
static_assert(sizeof(NDArrayObj) % 16 == 0, "inline data starts at a multiple of 16");

[[gnu::cold]] void fail_ndim(size_t ndim) {
  fail_value("maximum supported dimension for an array is currently ", kMaxDims, ", found ", ndim);
}

TVMFFIObject* owner_of(const NDArrayObj* base) {
  return base->owner ? base->owner : const_cast<NDArrayObj*>(base)->header();
}

// Room for `n` elements of `shape`, which is set; strides are the caller's to set.
inline NDArrayObj* with_data(Dims shape, DType dtype, int64_t n, bool zeroed) {
  int nd = static_cast<int>(shape.size());
  size_t nbytes = static_cast<size_t>(n) << shift(dtype);
  NDArrayObj* a;
  if (nbytes <= kInlineBytes) {
    a = new_object(nd, nbytes, dtype, n);
    a->data = a->strides + nd;
    if (zeroed) {
      // Sixteen bytes at a time without a call: the block is a multiple of that long.
      auto* words = static_cast<uint64_t*>(a->data);
      for (size_t i = 0; i < nbytes; i += 16, words += 2) words[0] = words[1] = 0;
    }
  } else {
    StorageObj* s = storage_alloc(nbytes, zeroed);
    try {
      a = new_object(nd, 0, dtype, n);
    } catch (...) {
      object_decref(&s->header);
      throw;
    }
    a->owner = &s->header;
    a->data = s->data;
  }
  for (int i = 0; i < nd; ++i) a->shape[i] = shape[static_cast<size_t>(i)];
  return a;
}

inline NDArray make(Dims shape, DType dtype, bool zeroed) {
  const size_t nd = shape.size();
  if (nd > kMaxDims) fail_ndim(nd);
  // Plain shapes (positive, no overflow) are sized here; anything else goes through the checks.
  int64_t n = 1;
  int wide = 0;  // dimensions longer than one; fewer than two make both orders contiguous
  bool plain = true;
  for (size_t i = 0; i < nd; ++i) {
    plain &= shape[i] > 0 && !__builtin_mul_overflow(n, shape[i], &n);
    wide += shape[i] != 1;
  }
  if (!plain || n > (int64_t{1} << 48)) n = checked_size(shape, dtype);
  NDArrayObj* a = with_data(shape, dtype, n, zeroed);
  int64_t step = 1;
  for (size_t i = nd; i-- > 0;) {
    a->strides[i] = step;
    step *= shape[i] > 1 ? shape[i] : 1;
  }
  a->flags |= wide < 2 || n == 0 ? kCContiguous | kFContiguous : kCContiguous;
  return NDArray(a);
}

}  // namespace

int64_t checked_size(Dims shape, DType dtype) {
  int64_t n = 1;
  bool overflow = false, empty_dim = false;
  for (int64_t d : shape) {
    if (d < 0)
      fail_value("negative dimensions are not allowed, got shape ",
                 shape_str(shape.data(), static_cast<int>(shape.size())));
    if (d == 0) empty_dim = true;
    else overflow |= __builtin_mul_overflow(n, d, &n);
  }
  int64_t bytes;
  // NumPy refuses a product of the non-zero dimensions that overflows even when another one is
  // zero.
  if (overflow || __builtin_mul_overflow(n, static_cast<int64_t>(itemsize(dtype)), &bytes)) {
    fail_value("array is too big; the size of shape ",
               shape_str(shape.data(), static_cast<int>(shape.size())),
               " times the itemsize is larger than the maximum possible size");
  }
  return empty_dim ? 0 : n;
}

void set_contiguity(NDArrayObj* a) {
  uint8_t flags = a->flags & static_cast<uint8_t>(~(kCContiguous | kFContiguous));
  if (a->size == 0) {
    a->flags = flags | kCContiguous | kFContiguous;
    return;
  }
  bool c = true, f = true;
  int64_t step = 1;
  for (int i = a->ndim; i-- > 0;) {
    if (a->shape[i] == 1) continue;
    if (a->strides[i] != step) c = false;
    step *= a->shape[i];
  }
  step = 1;
  for (int i = 0; i < a->ndim; ++i) {
    if (a->shape[i] == 1) continue;
    if (a->strides[i] != step) f = false;
    step *= a->shape[i];
  }
  a->flags = static_cast<uint8_t>(flags | (c ? kCContiguous : 0) | (f ? kFContiguous : 0));
}

NDArray empty(Dims shape, DType dtype) { return make(shape, dtype, false); }
NDArray zeros(Dims shape, DType dtype) { return make(shape, dtype, true); }
NDArray empty_fortran(Dims shape, DType dtype) {
  if (shape.size() > kMaxDims) fail_ndim(shape.size());
  NDArrayObj* a = with_data(shape, dtype, checked_size(shape, dtype), false);
  int64_t step = 1;
  for (int i = 0; i < a->ndim; ++i) {
    a->strides[i] = step;
    step *= a->shape[i] > 1 ? a->shape[i] : 1;
  }
  set_contiguity(a);
  return NDArray(a);
}

NDArray scalar_array(DType dtype, const void* value) {
  NDArray a = make({}, dtype, false);
  std::memcpy(a->data, value, static_cast<size_t>(itemsize(dtype)));
  return a;
}

NDArray view(const NDArrayObj* base, Dims shape, Dims strides, void* data) {
  if (shape.size() > kMaxDims) fail_ndim(shape.size());
  int nd = static_cast<int>(shape.size());
  NDArrayObj* a = new_object(nd, 0, base->dt, 1);
  // Row-major contiguity is decided on the way; column-major follows from it below two long
  // dimensions.
  int64_t n = 1, step = 1;
  bool c = true, too_big = false;
  int wide = 0;
  for (int i = nd; i-- > 0;) {
    int64_t d = shape[static_cast<size_t>(i)], s = strides[static_cast<size_t>(i)];
    a->shape[i] = d;
    a->strides[i] = s;
    too_big |= __builtin_mul_overflow(n, d, &n);
    if (d != 1) {
      c &= s == step;
      step = static_cast<int64_t>(static_cast<uint64_t>(step) * static_cast<uint64_t>(d));
      ++wide;
    }
  }
  a->size = n;
  a->data = data;
  a->owner = owner_of(base);
  object_incref(a->owner);
  if (too_big || n > (INT64_MAX >> shift(base->dt))) {
    NDArray drop(a);
    checked_size(shape, base->dt);
  }
  a->flags = base->flags & (kWriteable | kExported);
  if (wide < 2 && n != 0) a->flags |= c ? kCContiguous | kFContiguous : 0;
  else set_contiguity(a);
  return NDArray(a);
}

NDArray view_contiguous(const NDArrayObj* base, Dims shape) {
  int64_t strides[kMaxDims];
  if (shape.size() > kMaxDims) fail_ndim(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i] > 1 ? shape[i] : 1;
  }
  return view(base, shape, {strides, shape.size()}, base->data);
}

NDArray from_storage(StorageObj* storage, Dims shape, Dims strides, DType dtype, void* data,
                     bool writeable) {
  // The storage is ours from here on, also when making the array fails.
  struct Guard {
    StorageObj* s;
    ~Guard() {
      if (s) object_decref(&s->header);
    }
  } guard{storage};
  if (shape.size() > kMaxDims) fail_ndim(shape.size());
  int nd = static_cast<int>(shape.size());
  NDArrayObj* a = new_object(nd, 0, dtype, checked_size(shape, dtype));
  for (int i = 0; i < nd; ++i) {
    a->shape[i] = shape[i];
    a->strides[i] = strides[i];
  }
  a->data = data;
  a->owner = &storage->header;
  guard.s = nullptr;
  if (!writeable) a->flags &= static_cast<uint8_t>(~kWriteable);
  set_contiguity(a);
  return NDArray(a);
}

NDArray copy(const NDArrayObj* a) {
  NDArray out = empty(a->dims(), a->dt);
  copy_into(out.get(), a);
  return out;
}

namespace {

// Out of line, for the common case needs no frame of this size.
[[gnu::noinline]] NDArray copy_by_strides(const NDArrayObj* a) {
  int order[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) order[i] = i;
  std::stable_sort(order, order + a->ndim,
                   [&](int x, int y) { return std::abs(a->strides[x]) > std::abs(a->strides[y]); });
  int64_t shape[kMaxDims], strides[kMaxDims];
  for (int i = 0; i < a->ndim; ++i) shape[i] = a->shape[order[i]];
  NDArray block = empty({shape, static_cast<size_t>(a->ndim)}, a->dt);
  for (int i = 0; i < a->ndim; ++i) strides[order[i]] = block->strides[i];
  for (int i = 0; i < a->ndim; ++i) {
    block->shape[i] = a->shape[i];
    block->strides[i] = strides[i];
  }
  set_contiguity(block.get());
  copy_into(block.get(), a);
  return block;
}

[[gnu::noinline]] NDArray copy_by_columns(const NDArrayObj* a) {
  NDArray out = empty_fortran(a->dims(), a->dt);
  copy_into(out.get(), a);
  return out;
}

}  // namespace

NDArray copy_keep_order(const NDArrayObj* a) {
  if (a->c_contiguous() || a->ndim < 2) [[likely]]
    return copy(a);
  return a->f_contiguous() ? copy_by_columns(a) : copy_by_strides(a);
}

NDArray ascontiguous(NDArrayObj* a) { return a->c_contiguous() ? NDArray::share(a) : copy(a); }

NDArray astype(const NDArrayObj* a, DType dtype) {
  NDArray out = empty(a->dims(), dtype);
  copy_into(out.get(), a);
  return out;
}

NDArray as_dtype(NDArrayObj* a, DType dtype) {
  return a->dt == dtype ? NDArray::share(a) : astype(a, dtype);
}

void memory_extent(const NDArrayObj* a, const char** lo, const char** hi) {
  const char* first = a->bytes();
  const char* last = first;
  if (a->size == 0) {
    *lo = *hi = first;
    return;
  }
  for (int i = 0; i < a->ndim; ++i) {
    int64_t reach = ((a->shape[i] - 1) * a->strides[i]) * a->isz();
    if (reach < 0) first += reach;
    else last += reach;
  }
  *lo = first;
  *hi = last + a->isz();
}

bool may_overlap(const NDArrayObj* a, const NDArrayObj* b) {
  const char *alo, *ahi, *blo, *bhi;
  memory_extent(a, &alo, &ahi);
  memory_extent(b, &blo, &bhi);
  return alo < bhi && blo < ahi;
}

void mark_shared(NDArrayObj* a) {
  a->flags |= kExported;
  if (!a->owner) return;
  if (a->owner->type_index == kTVMFFIObject) {
    reinterpret_cast<StorageObj*>(a->owner)->outside_views.store(1, std::memory_order_relaxed);
  } else {
    static_cast<NDArrayObj*>(static_cast<void*>(a->owner))->flags |= kExported;
  }
}

bool is_shared(const NDArrayObj* a) {
  if (!a->owner) return a->flags & kExported;
  if (a->owner->type_index == kTVMFFIObject) {
    auto* s = reinterpret_cast<const StorageObj*>(a->owner);
    return s->origin != Origin::kPool || s->outside_views.load(std::memory_order_relaxed) != 0;
  }
  return static_cast<const NDArrayObj*>(static_cast<const void*>(a->owner))->flags & kExported;
}

void require_writeable(const NDArrayObj* a, const char* what) {
  if (!a->writeable()) fail_value(what, " is read-only");
}

}  // namespace isthmus
