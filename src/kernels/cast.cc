// kernels/cast.cc: conversion of elements between every pair of dtypes, with NumPy's (that is C's)
// rules.
// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <type_traits>

#include "kernels/strided_loop.h"

namespace isthmus {
namespace {

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;

template <class To, class From>
inline To convert(From v) {
  if constexpr (std::is_same_v<To, From>) {
    return v;
  } else if constexpr (std::is_same_v<From, Half>) {
    if constexpr (std::is_same_v<To, bool>) return (v.bits & 0x7fff) != 0;
    else return convert<To>(half_to_float(v));
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>) {
      using R = typename To::value_type;
      return To(static_cast<R>(v.real()), static_cast<R>(v.imag()));
    } else if constexpr (std::is_same_v<To, bool>) {
      return v.real() != 0 || v.imag() != 0;
    } else {
      return convert<To>(v.real());
    }
  } else if constexpr (kIsComplex<To>) {
    return To(static_cast<typename To::value_type>(v), 0);
  } else if constexpr (std::is_same_v<To, Half>) {
    if constexpr (std::is_same_v<From, double> || std::is_integral_v<From>)
      return double_to_half(static_cast<double>(v));
    else return float_to_half(static_cast<float>(v));
  } else if constexpr (std::is_same_v<To, bool>) {
    return v != From(0);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    // Out of range is undefined in C++; go through the widest integers, which x86 and NumPy both
    // do.
    if constexpr (std::is_same_v<To, uint64_t>) {
      if (v >= From(0x1p63))
        return static_cast<uint64_t>(static_cast<int64_t>(v - From(0x1p63))) ^ (uint64_t{1} << 63);
      return static_cast<uint64_t>(static_cast<int64_t>(v));
    } else if constexpr (sizeof(To) < 4) {
      return static_cast<To>(static_cast<int32_t>(v));
    } else if constexpr (std::is_same_v<To, uint32_t>) {
      return static_cast<To>(static_cast<int64_t>(v));
    } else {
      return static_cast<To>(v);
    }
  } else {
    return static_cast<To>(v);
  }
}

template <class From, class To>
void cast_loop(const char* src, intptr_t ss, char* dst, intptr_t ds, intptr_t n) {
  constexpr intptr_t kS = sizeof(From), kD = sizeof(To);
  if (ss == kS && ds == kD) {
    auto* in = reinterpret_cast<const From*>(src);
    auto* out = reinterpret_cast<To*>(dst);
    for (intptr_t i = 0; i < n; ++i) out[i] = convert<To>(in[i]);
    return;
  }
  for (intptr_t i = 0; i < n; ++i, src += ss, dst += ds) {
    *reinterpret_cast<To*>(dst) = convert<To>(*reinterpret_cast<const From*>(src));
  }
}

}  // namespace

CastFn get_cast(DType from, DType to) {
  return dispatch(from, [&]<class From>() -> CastFn {
    return dispatch(to, []<class To>() -> CastFn { return cast_loop<From, To>; });
  });
}

}  // namespace isthmus
