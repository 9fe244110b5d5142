// ffi/core_api.h: what front ends built together with the core call in it.
// SPDX-License-Identifier: Apache-2.0
//
// libisthmus exports one function, IsthmusInit (isthmus/c_api.h); it registers every operator with
// tvm-ffi and returns this table. Private: its layout may change with every build, which `size`
// guards. Functions throw tvm::ffi::Error; pointers returned are owned by the caller unless it says
// otherwise.
#pragma once

#include <isthmus/c_api.h>

#include "core/array.h"
#include "engine/engine.h"
#include "ops/host.h"
#include "ops/index.h"
#include "ops/op.h"
#include "ops/ufunc.h"

namespace isthmus {

inline constexpr uint32_t kCoreApiVersion = 2;

struct CoreApi {
  uint32_t version;
  uint32_t size;
  void (*ndarray_deleter)(void* self, int flags);  // tells Isthmus arrays from other tensors
  HostHooks* hooks;

  TVMFFIObject* ellipsis;  // the FFI's form of "..."; lives for ever

  const Op* (*find_op)(const char* name);  // null when there is none
  void (*each_op)(void (*visit)(const Op* op, void* context), void* context);

  NDArrayObj* (*empty)(Dims shape, DType dtype);
  NDArrayObj* (*scalar_array)(DType dtype, const void* value);
  NDArrayObj* (*view)(const NDArrayObj* base, Dims shape, Dims strides, void* data);
  NDArrayObj* (*from_storage)(StorageObj* owned, Dims shape, Dims strides, DType dtype, void* data,
                              bool writeable);
  StorageObj* (*storage_borrow)(void* data, size_t nbytes, void (*deleter)(void*), void* context,
                                Origin origin);
  NDArrayObj* (*import_tensor)(TVMFFIObject* tensor);
  NDArrayObj* (*copy)(const NDArrayObj* a);
  NDArrayObj* (*copy_keep_order)(const NDArrayObj* a);
  NDArrayObj* (*astype)(const NDArrayObj* a, DType dtype);
  void (*assign)(NDArrayObj* dst, const NDArrayObj* src);
  void (*cast_one)(DType from, const void* src, DType to, void* dst);
  void (*mark_shared)(NDArrayObj* a);
  bool (*is_shared)(const NDArrayObj* a);
  bool (*may_overlap)(const NDArrayObj* a, const NDArrayObj* b);
  void (*set_contiguity)(NDArrayObj* a);

  NDArrayObj* (*call_unary)(const Ufunc& u, const TVMFFIAny& x);
  NDArrayObj* (*call_binary)(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2);
  void (*call_binary_out)(const Ufunc& u, const TVMFFIAny& x1, const TVMFFIAny& x2,
                          NDArrayObj* out);
  NDArrayObj* (*getitem)(NDArrayObj* a, const IndexItem* items, int count);
  void (*setitem)(NDArrayObj* a, const IndexItem* items, int count, const TVMFFIAny& value);

  void (*call_packed)(const Op& op, const TVMFFIAny* args, int32_t num_args, TVMFFIAny* result);

  // Host providers.
  // An operator from a ufunc of the host (one or two inputs and outputs); it is also a function of
  // the registry.
  const Op* (*register_ufunc)(const char* name, int nin, int nout, const char* doc,
                              const UfuncLoop* loops, size_t count);
  Ufunc* (*find_ufunc)(const char* name);
  void (*set_ufunc_loops)(Ufunc* u, const UfuncLoop* loops, size_t count);
  void (*set_gufunc)(const char* name, int nin, int nout, const GufuncLoop* loops, size_t count);
  SortKernels* (*sort_kernels)(DType d);
  DotKernel* (*dot_kernel)(DType d);
  ArgKernel* (*arg_kernel)(DType d, bool largest);
};

}  // namespace isthmus
