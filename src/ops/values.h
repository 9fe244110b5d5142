// ops/values.h: reads the values that parameters of kind Any hold (as_string in common.h reads
// strings).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "kernels/strided_loop.h"
#include "ops/op.h"

namespace isthmus {

// The items of a tuple or list; nothing for other values.
inline std::optional<std::span<const TVMFFIAny>> items_of(const TVMFFIAny& v) {
  if (v.type_index != kTVMFFIArray && v.type_index != kTVMFFIList) return std::nullopt;
  auto* cell = cell_of<TVMFFISeqCell>(v.v_obj);
  return std::span<const TVMFFIAny>(static_cast<const TVMFFIAny*>(cell->data),
                                    static_cast<size_t>(cell->size));
}

// An integer: a Python int or bool, or a 0-d integer array.
inline std::optional<int64_t> integer_of(const TVMFFIAny& v) {
  if (v.type_index == kTVMFFIInt || v.type_index == kTVMFFIBool) return v.v_int64;
  if (v.type_index == kTVMFFITensor) {
    const NDArrayObj* a = as_ndarray(v);
    if (a->ndim == 0 && is_integer(a->dt) && a->dt != DType::kUInt64) {
      int64_t i;
      cast_one(a->dt, a->data, DType::kInt64, &i);
      return i;
    }
  }
  return std::nullopt;
}

// A real number: as integer_of, or a float.
inline std::optional<double> real_of(const TVMFFIAny& v) {
  if (v.type_index == kTVMFFIFloat) return v.v_float64;
  if (v.type_index == kTVMFFIInt || v.type_index == kTVMFFIBool)
    return static_cast<double>(v.v_int64);
  if (v.type_index == kTVMFFITensor) {
    const NDArrayObj* a = as_ndarray(v);
    if (a->ndim == 0 && !is_complex(a->dt)) {
      double d;
      cast_one(a->dt, a->data, DType::kFloat64, &d);
      return d;
    }
  }
  return std::nullopt;
}

}  // namespace isthmus
