// ops/registry.cc: the registry, and the frame's slow parts.
// SPDX-License-Identifier: Apache-2.0
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/string.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/strided_loop.h"
#include "ops/op.h"

namespace isthmus {

Registry& Registry::global() {
  static Registry* registry = new Registry;
  return *registry;
}

Registry& Registry::def(OpDef d) {
  Schema schema = parse_schema(d.signature);
  if (schema.params.size() > kMaxParams)
    fail_value("schema ", d.signature, ": more than ", kMaxParams, " parameters");
  std::lock_guard lock(mutex_);
  if (find_locked(d.name)) fail_value("an operator named ", d.name, " is registered already");
  Op& op = ops_.emplace_back(Op{d, std::move(schema)});
  for (Param& p : op.schema.params) {
    if (!p.required && p.default_value.type_index == kTVMFFIRawStr) {
      // The quotes stay in default_text for signatures; the value is a copy without them that lives
      // for ever.
      auto* text = new std::string(p.default_text.substr(1, p.default_text.size() - 2));
      p.default_value.v_c_str = text->c_str();
    }
  }
  return *this;
}

const Op* Registry::find_locked(std::string_view name) const {
  for (const Op& op : ops_)
    if (name == op.def.name) return &op;
  return nullptr;
}

const Op* Registry::find(std::string_view name) const {
  std::lock_guard lock(mutex_);
  return find_locked(name);
}

NDArrayObj* Frame::hold(NDArray a) {
  NDArrayObj* p = a.get();
  held_ = new Held{std::move(a), held_};
  return p;
}

NDArrayObj* Frame::to_array(const TVMFFIAny& v) {
  if (v.type_index == kTVMFFITensor) return as_ndarray(v);
  if (v.type_index == kTVMFFIRawStr)
    fail_type(op.def.name, "(): expected arrays and numbers, got the string '", v.v_c_str, "'");
  DType d = v.type_index == kTVMFFIInt     ? DType::kInt64
            : v.type_index == kTVMFFIFloat ? DType::kFloat64
            : v.type_index == kWeakComplex ? DType::kComplex128
            : v.type_index == kWideInt     ? DType::kUInt64
                                           : DType::kBool;
  return hold(any_to_array(v, d));
}

NDArrayObj* Frame::mask(const TVMFFIAny& value) {
  if (value.type_index == kTVMFFITensor) return to_array(value);
  bool truth = false;
  weak_to(value, DType::kBool, &truth);
  return truth ? nullptr : hold(scalar_array(DType::kBool, &truth));
}

NDArrayObj* Frame::array(int i) { return to_array(args[i]); }

namespace {
// One owned Any for an array.
TVMFFIAny owned_any(NDArray a) {
  TVMFFIAny v{};
  v.type_index = kTVMFFITensor;
  v.v_obj = a.release()->header();
  return v;
}
}  // namespace

void Frame::ret_anys(std::span<TVMFFIAny> owned) {
  using namespace tvm::ffi;
  std::vector<Any> items;
  items.reserve(owned.size());
  for (TVMFFIAny& v : owned) items.push_back(tvm::ffi::detail::AnyUnsafe::MoveTVMFFIAnyToAny(&v));
  Any any = Array<Any>(items.begin(), items.end());
  *result = tvm::ffi::detail::AnyUnsafe::MoveAnyToTVMFFIAny(std::move(any));
}

void Frame::ret_list(std::vector<NDArray> arrays) {
  std::vector<TVMFFIAny> owned;
  owned.reserve(arrays.size());
  for (NDArray& a : arrays) owned.push_back(owned_any(std::move(a)));
  ret_anys(owned);
}

void Frame::ret_ints(std::span<const int64_t> values) {
  std::vector<TVMFFIAny> owned(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    owned[i] = TVMFFIAny{};
    owned[i].type_index = kTVMFFIInt;
    owned[i].v_int64 = values[i];
  }
  ret_anys(owned);
}

void Frame::ret_or_write(NDArray a, NDArrayObj* out, Casting casting) {
  if (!out) return ret(std::move(a));
  if (!same_dims(out->dims(), a->dims())) {
    fail_value(op.def.name, "(): output array has shape ", shape_str(out->shape, out->ndim),
               ", expected ", shape_str(a->shape, a->ndim));
  }
  require_writeable(out, "output array");
  if (!can_cast(a->dt, out->dt, casting)) {
    fail_type("Cannot cast output of ", op.def.name, " from dtype('", name(a->dt), "') to dtype('",
              name(out->dt), "') with casting rule '", casting_name(casting), "'");
  }
  assign(out, a.get());
  ret_borrowed(out);
}

void weak_to(const TVMFFIAny& v, DType dtype, void* out) {
  if (v.type_index == kTVMFFIFloat) return cast_one(DType::kFloat64, &v.v_float64, dtype, out);
  if (v.type_index == kWideInt) {
    auto* wide = static_cast<const WideInt*>(v.v_ptr);
    if (dtype == DType::kUInt64 && wide->fits_uint64)
      return static_cast<void>(std::memcpy(out, &wide->bits, 8));
    if (is_integer(dtype))
      fail_with("OverflowError",
                cat("Python integer ", wide->approximate, " out of bounds for ", name(dtype)));
    if (!std::isfinite(wide->approximate))
      fail_with("OverflowError", "int too large to convert to float");
    return cast_one(DType::kFloat64, &wide->approximate, dtype, out);
  }
  if (v.type_index == kWeakComplex) {
    if (!is_complex(dtype)) fail_type("a complex number cannot be converted to ", name(dtype));
    return cast_one(DType::kComplex128, v.v_ptr, dtype, out);
  }
  if (v.type_index == kTVMFFIBool) {
    bool b = v.v_int64 != 0;
    return cast_one(DType::kBool, &b, dtype, out);
  }
  int64_t i = v.v_int64;
  if (is_integer(dtype)) {
    bool fits = dispatch(dtype, [&]<class T>() {
      if constexpr (std::is_integral_v<T>)
        return std::in_range<std::conditional_t<std::is_same_v<T, bool>, int, T>>(i);
      else return true;
    });
    if (!fits)
      fail_with("OverflowError", cat("Python integer ", i, " out of bounds for ", name(dtype)));
  }
  cast_one(DType::kInt64, &i, dtype, out);
}

DType result_type(std::span<const TVMFFIAny> operands) {
  bool strong = false;
  DType d = DType::kBool;
  int weak = -1;
  // The highest kind first: the others are promoted with it one by one, not with each other (int8,
  // uint8 and float16 give float16).
  for (int k = static_cast<int>(DKind::kComplex); k >= 0; --k) {
    for (const TVMFFIAny& v : operands) {
      WeakKind w;
      if (is_weak(v, &w)) {
        weak = std::max(weak, static_cast<int>(w));
        continue;
      }
      DType x = v.type_index == kTVMFFITensor ? as_ndarray(v)->dt : DType::kBool;
      if (static_cast<int>(kind(x)) != k) continue;
      d = strong ? promote_types(d, x) : x;
      strong = true;
    }
  }
  if (weak < 0) return d;
  return strong ? promote_weak(d, static_cast<WeakKind>(weak))
                : default_dtype(static_cast<WeakKind>(weak));
}

NDArray any_to_array(const TVMFFIAny& v, DType dtype) {
  if (v.type_index == kTVMFFITensor) return as_dtype(as_ndarray(v), dtype);
  alignas(16) char value[16];
  weak_to(v, dtype, value);
  return scalar_array(dtype, value);
}

NDArray import_tensor(TVMFFIObject* tensor) {
  auto* t = static_cast<tvm::ffi::TensorObj*>(static_cast<void*>(tensor));
  DType d;
  if (!dtype_from_dl(t->dtype, &d)) fail_type("tensor has a dtype that Isthmus does not support");
  if (t->device.device_type != kDLCPU) fail_value("tensor is not in host memory");
  if (t->ndim < 0 || t->ndim > kMaxDims)
    fail_value("tensor has an unsupported number of dimensions: ", t->ndim);
  auto at = reinterpret_cast<uintptr_t>(t->data) + t->byte_offset;
  if (at % static_cast<uintptr_t>(is_complex(d) ? itemsize(d) / 2 : itemsize(d)) != 0)
    fail_value("tensor is not aligned for its dtype ", name(d));
  int64_t strides[kMaxDims];
  int64_t step = 1;
  for (int i = t->ndim; i-- > 0;) {
    strides[i] = t->strides ? t->strides[i] : step;
    step *= t->shape[i];
  }
  object_incref(tensor);
  StorageObj* s = storage_borrow(
      t->data, 0, [](void* p) { object_decref(static_cast<TVMFFIObject*>(p)); }, tensor);
  size_t n = static_cast<size_t>(t->ndim);
  return from_storage(s, {t->shape, n}, {strides, n}, d,
                      static_cast<char*>(t->data) + t->byte_offset, true);
}

}  // namespace isthmus
