// ffi/init.cc: the boundary to libtvm_ffi. Every operator becomes a global function
// "isthmus.np.<name>".
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/function.h>
#include <tvm/ffi/reflection/registry.h>

#include "ffi/core_api.h"
#include "ffi/front_end.h"
#include "ffi/functions.h"
#include "ffi/languages.h"
#include "ffi/objects.h"
#include "ops/families.h"
#include "ops/user_op.h"
#include "testing/testing.h"

namespace isthmus {
namespace {

void register_function(const std::string& name, tvm::ffi::Function f, const char* doc) {
  TVMFFIMethodInfo info{};
  info.name = {name.data(), name.size()};
  info.doc = {doc, std::char_traits<char>::length(doc)};
  info.metadata = {"", 0};
  info.method = tvm::ffi::AnyView(f).CopyToTVMFFIAny();
  TVM_FFI_CHECK_SAFE_CALL(TVMFFIFunctionSetGlobalFromMethodInfo(&info, /*allow_override=*/0));
}

CoreApi make_api() {
  CoreApi api{};
  api.version = kCoreApiVersion;
  api.size = sizeof(CoreApi);
  api.ndarray_deleter = ndarray_deleter;
  api.hooks = &host_hooks();
  api.ellipsis = ellipsis_object();
  api.find_op = [](const char* name) { return Registry::global().find(name); };
  api.each_op = [](void (*visit)(const Op*, void*), void* context) {
    Registry::global().each([&](const Op& op) { visit(&op, context); });
  };
  api.empty = [](Dims s, DType d) { return empty(s, d).release(); };
  api.scalar_array = [](DType d, const void* v) { return scalar_array(d, v).release(); };
  api.view = [](const NDArrayObj* b, Dims s, Dims t, void* p) {
    return view(b, s, t, p).release();
  };
  api.from_storage = [](StorageObj* o, Dims s, Dims t, DType d, void* p, bool w) {
    return from_storage(o, s, t, d, p, w).release();
  };
  api.storage_borrow = storage_borrow;
  api.import_tensor = [](TVMFFIObject* t) { return import_tensor(t).release(); };
  api.copy = [](const NDArrayObj* a) { return copy(a).release(); };
  api.copy_keep_order = [](const NDArrayObj* a) { return copy_keep_order(a).release(); };
  api.astype = [](const NDArrayObj* a, DType d) { return astype(a, d).release(); };
  api.assign = assign;
  api.cast_one = cast_one;
  api.mark_shared = mark_shared;
  api.is_shared = is_shared;
  api.may_overlap = may_overlap;
  api.set_contiguity = set_contiguity;
  api.call_unary = [](const Ufunc& u, const TVMFFIAny& x) { return call_unary(u, x).release(); };
  api.call_binary = [](const Ufunc& u, const TVMFFIAny& a, const TVMFFIAny& b) {
    return call_binary(u, a, b).release();
  };
  api.call_binary_out = call_binary_out;
  api.getitem = [](NDArrayObj* a, const IndexItem* i, int n) { return getitem(a, i, n).release(); };
  api.setitem = setitem;
  api.call_packed = call_packed;
  api.find_ufunc = [](const char* name) { return find_ufunc(name); };
  api.register_ufunc = [](const char* name, int nin, int nout, const char* doc,
                          const UfuncLoop* loops, size_t n) {
    const Op& op =
        register_user_ufunc(name, nin, nout, doc, std::vector<UfuncLoop>(loops, loops + n));
    register_function(op.def.name, function_of(op), op.def.doc);
    return &op;
  };
  api.set_ufunc_loops = [](Ufunc* u, const UfuncLoop* loops, size_t n) {
    u->set_host_loops(std::vector<UfuncLoop>(loops, loops + n));
  };
  api.set_gufunc = [](const char* name, int nin, int nout, const GufuncLoop* loops, size_t n) {
    set_gufunc(Gufunc{name, nin, nout, std::vector<GufuncLoop>(loops, loops + n)});
  };
  api.sort_kernels = [](DType d) { return &sort_kernels(d); };
  api.dot_kernel = [](DType d) { return &dot_kernel(d); };
  api.arg_kernel = [](DType d, bool largest) { return &arg_kernel(d, largest); };
  return api;
}

const CoreApi* init_once() {
  static const CoreApi* api = [] {
    register_all(Registry::global());
    Registry::global().each([](const Op& op) {
      register_function(std::string("isthmus.np.") + op.def.name, function_of(op), op.def.doc);
    });
    register_objects();
    register_core_functions(register_function);
    register_language_functions(register_function);
    register_front_end_functions(register_function);
    testing::register_functions(register_function);
    return new CoreApi(make_api());
  }();
  return api;
}

}  // namespace
}  // namespace isthmus

extern "C" const void* IsthmusInit(uint32_t core_api_version) {
  try {
    if (core_api_version != isthmus::kCoreApiVersion && core_api_version != 0) {
      isthmus::fail_with("RuntimeError",
                         isthmus::cat("libisthmus has core interface ", isthmus::kCoreApiVersion,
                                      ", the caller expects ", core_api_version));
    }
    return isthmus::init_once();
  } catch (const tvm::ffi::Error& e) {
    tvm::ffi::detail::SetSafeCallRaised(e);
  } catch (const std::exception& e) {
    TVMFFIErrorSetRaisedFromCStr("RuntimeError", e.what());
  }
  return nullptr;
}
