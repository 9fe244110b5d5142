// core/array.h: NDArray, a strided array that every tvm-ffi function accepts as a Tensor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tvm/ffi/container/tensor.h>

#include <cstdint>
#include <span>
#include <utility>

#include "core/dtype.h"
#include "core/storage.h"
#include "layout/layout.h"

namespace isthmus {

inline constexpr int kMaxDims = 64;  // NumPy's limit
// Arrays up to this many bytes keep their data in the array object.
inline constexpr size_t kInlineBytes = 256;

enum ArrayFlag : uint8_t {
  kCContiguous = 1,
  kFContiguous = 2,
  kWriteable = 4,
  kExported = 8,  // sticky: memory of this array object was handed to code outside (see is_shared)
};

// Layout: tvm-ffi header, DLTensor, the fields below, shape[ndim], strides[ndim], inline data.
// `strides` count elements. `data` is the address of the first element; byte_offset is 0. The type
// index is tvm-ffi's Tensor itself, because its DLTensor* and TensorView parameters test for
// exactly that index; an Isthmus array is told apart by its deleter (is_ndarray).
struct NDArrayObj : public tvm::ffi::TensorObj {
  TVMFFIObject* owner;  // storage, or the array whose inline data this views; null: own inline data
  int64_t size;         // number of elements
  DType dt;             // same as `dtype`, as our enum
  uint8_t flags;        // ArrayFlag
  uint8_t size_class;

  TVMFFIObject* header() { return &header_; }
  const TVMFFIObject* header() const { return &header_; }
  char* bytes() const { return static_cast<char*>(data); }
  int isz() const { return itemsize(dt); }
  size_t nbytes() const { return static_cast<size_t>(size) << shift(dt); }
  bool c_contiguous() const { return flags & kCContiguous; }
  bool f_contiguous() const { return flags & kFContiguous; }
  bool writeable() const { return flags & kWriteable; }
  Dims dims() const { return {shape, static_cast<size_t>(ndim)}; }
  Dims elem_strides() const { return {strides, static_cast<size_t>(ndim)}; }
};
static_assert(offsetof(TVMFFIObject, deleter) == 16);

void ndarray_deleter(void* self, int flags);

inline bool is_ndarray(const TVMFFIObject* o) {
  return o->type_index == kTVMFFITensor && o->deleter == ndarray_deleter;
}

// Owning reference to an NDArrayObj; null when default-made or moved from.
class NDArray {
 public:
  NDArray() = default;
  // Takes over one reference.
  explicit NDArray(NDArrayObj* owned) : p_(owned) {}
  static NDArray share(NDArrayObj* borrowed) {
    object_incref(borrowed->header());
    return NDArray(borrowed);
  }
  NDArray(const NDArray& other) : p_(other.p_) {
    if (p_) object_incref(p_->header());
  }
  NDArray(NDArray&& other) noexcept : p_(std::exchange(other.p_, nullptr)) {}
  NDArray& operator=(NDArray other) noexcept {
    std::swap(p_, other.p_);
    return *this;
  }
  ~NDArray() {
    if (p_) object_decref(p_->header());
  }
  NDArrayObj* get() const { return p_; }
  NDArrayObj* operator->() const { return p_; }
  NDArrayObj& operator*() const { return *p_; }
  explicit operator bool() const { return p_ != nullptr; }
  // Gives up the reference.
  NDArrayObj* release() { return std::exchange(p_, nullptr); }

 private:
  NDArrayObj* p_ = nullptr;
};

// ---- Making arrays ------------------------------------------------------------------------------
// Uninitialised, C-contiguous, writeable. ValueError for negative or too large shapes, MemoryError.
NDArray empty(Dims shape, DType dtype);
// The same with elements in column-major order.
NDArray empty_fortran(Dims shape, DType dtype);
NDArray zeros(Dims shape, DType dtype);
// A 0-d array holding the value at `value` (itemsize bytes).
NDArray scalar_array(DType dtype, const void* value);
// A view of `base` with its own shape and element strides, starting at `data`; writeable if base
// is.
NDArray view(const NDArrayObj* base, Dims shape, Dims strides, void* data);
// Same, C-contiguous strides over base's data.
NDArray view_contiguous(const NDArrayObj* base, Dims shape);
// An array over a storage (takes over one reference to it).
NDArray from_storage(StorageObj* storage, Dims shape, Dims strides, DType dtype, void* data,
                     bool writeable);
// C-contiguous copy / the array itself when it is contiguous already.
NDArray copy(const NDArrayObj* a);
NDArray copy_keep_order(const NDArrayObj* a);
NDArray ascontiguous(NDArrayObj* a);
// Copy converted to `dtype`, C order. No casting check.
NDArray astype(const NDArrayObj* a, DType dtype);
// The array itself when it has the dtype already, else a converted copy.
NDArray as_dtype(NDArrayObj* a, DType dtype);

// Writes src, broadcast and converted, into dst (ValueError when it does not broadcast). Handles
// overlap.
void assign(NDArrayObj* dst, const NDArrayObj* src);

// ---- Facts --------------------------------------------------------------------------------------
// Number of elements; ValueError for negative dimensions or a product that overflows.
int64_t checked_size(Dims shape, DType dtype);
void set_contiguity(NDArrayObj* a);
// Whether two arrays may touch the same byte, by their extents.
bool may_overlap(const NDArrayObj* a, const NDArrayObj* b);
inline bool may_overlap_contiguous(const NDArrayObj* a, const NDArrayObj* b) {
  return a->bytes() < b->bytes() + b->nbytes() && b->bytes() < a->bytes() + a->nbytes();
}
// Lowest and one-past-highest byte of the elements; both equal for an empty array.
void memory_extent(const NDArrayObj* a, const char** lo, const char** hi);
// Marks the memory as seen from outside. Sticky.
void mark_shared(NDArrayObj* a);
bool is_shared(const NDArrayObj* a);
// Throws ValueError unless the array may be written.
void require_writeable(const NDArrayObj* a, const char* what);

}  // namespace isthmus
