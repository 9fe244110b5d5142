// core/dtype.h: element types, their facts, and promotion (NEP 50).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlpack/dlpack.h>

#include <array>
#include <complex>
#include <cstdint>
#include <string_view>
#include <utility>

namespace isthmus {

// IEEE 754 binary16, stored as its bits.
struct Half {
  uint16_t bits;
};
float half_to_float(Half h);
Half float_to_half(float f);
Half double_to_half(double d);

enum class DType : uint8_t {
  kBool,
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};
inline constexpr int kNumDTypes = 14;

// Kinds in casting order: a value may move to the right under `same_kind`.
enum class DKind : uint8_t { kBool, kUInt, kInt, kFloat, kComplex };

struct DTypeInfo {
  const char* name;
  uint8_t itemsize;  // bytes
  uint8_t shift;     // log2(itemsize)
  DKind kind;
  DLDataType dl;
  char np_char;  // NumPy's one-letter type code
};

inline constexpr std::array<DTypeInfo, kNumDTypes> kDTypes = {{
    {"bool", 1, 0, DKind::kBool, {kDLBool, 8, 1}, '?'},
    {"int8", 1, 0, DKind::kInt, {kDLInt, 8, 1}, 'b'},
    {"uint8", 1, 0, DKind::kUInt, {kDLUInt, 8, 1}, 'B'},
    {"int16", 2, 1, DKind::kInt, {kDLInt, 16, 1}, 'h'},
    {"uint16", 2, 1, DKind::kUInt, {kDLUInt, 16, 1}, 'H'},
    {"int32", 4, 2, DKind::kInt, {kDLInt, 32, 1}, 'i'},
    {"uint32", 4, 2, DKind::kUInt, {kDLUInt, 32, 1}, 'I'},
    {"int64", 8, 3, DKind::kInt, {kDLInt, 64, 1}, 'l'},
    {"uint64", 8, 3, DKind::kUInt, {kDLUInt, 64, 1}, 'L'},
    {"float16", 2, 1, DKind::kFloat, {kDLFloat, 16, 1}, 'e'},
    {"float32", 4, 2, DKind::kFloat, {kDLFloat, 32, 1}, 'f'},
    {"float64", 8, 3, DKind::kFloat, {kDLFloat, 64, 1}, 'd'},
    {"complex64", 8, 3, DKind::kComplex, {kDLComplex, 64, 1}, 'F'},
    {"complex128", 16, 4, DKind::kComplex, {kDLComplex, 128, 1}, 'D'},
}};

constexpr const DTypeInfo& info(DType d) { return kDTypes[static_cast<int>(d)]; }
constexpr int itemsize(DType d) { return info(d).itemsize; }
constexpr int shift(DType d) { return info(d).shift; }
constexpr DKind kind(DType d) { return info(d).kind; }
constexpr const char* name(DType d) { return info(d).name; }
constexpr bool is_float(DType d) { return kind(d) == DKind::kFloat; }
constexpr bool is_complex(DType d) { return kind(d) == DKind::kComplex; }
constexpr bool is_integer(DType d) { return kind(d) == DKind::kInt || kind(d) == DKind::kUInt; }
constexpr bool is_inexact(DType d) { return kind(d) >= DKind::kFloat; }
// The real dtype of the parts of a complex dtype; other dtypes unchanged.
constexpr DType real_dtype(DType d) {
  return d == DType::kComplex64 ? DType::kFloat32 : d == DType::kComplex128 ? DType::kFloat64 : d;
}

// The dtype of a DLPack triple; false when there is none.
bool dtype_from_dl(DLDataType dl, DType* out);
// The dtype of a name ("float32") or of a NumPy code ("f4", "d", "<i8"); false when there is none.
bool dtype_from_name(std::string_view s, DType* out);

// The common dtype of two dtypes, as numpy.promote_types.
DType promote_types(DType a, DType b);
// A Python number is weak: it has a kind and no width. The dtype that an array of `d` takes with
// it.
enum class WeakKind : uint8_t { kInt, kFloat, kComplex };
DType promote_weak(DType d, WeakKind w);
constexpr DType default_dtype(WeakKind w) {
  return w == WeakKind::kInt     ? DType::kInt64
         : w == WeakKind::kFloat ? DType::kFloat64
                                 : DType::kComplex128;
}

enum class Casting : uint8_t { kNo, kEquiv, kSafe, kSameKind, kUnsafe };
bool can_cast(DType from, DType to, Casting casting);
const char* casting_name(Casting c);
bool casting_from_name(std::string_view s, Casting* out);

template <DType D>
struct CTypeOf;
#define ISTHMUS_CTYPE(D, T)  \
  template <>                \
  struct CTypeOf<DType::D> { \
    using type = T;          \
  };
// One row a dtype: the macro only spares fourteen specialisations of three lines each.
ISTHMUS_CTYPE(kBool, bool)
ISTHMUS_CTYPE(kInt8, int8_t)
ISTHMUS_CTYPE(kUInt8, uint8_t)
ISTHMUS_CTYPE(kInt16, int16_t)
ISTHMUS_CTYPE(kUInt16, uint16_t)
ISTHMUS_CTYPE(kInt32, int32_t)
ISTHMUS_CTYPE(kUInt32, uint32_t)
ISTHMUS_CTYPE(kInt64, int64_t)
ISTHMUS_CTYPE(kUInt64, uint64_t)
ISTHMUS_CTYPE(kFloat16, Half)
ISTHMUS_CTYPE(kFloat32, float)
ISTHMUS_CTYPE(kFloat64, double)
ISTHMUS_CTYPE(kComplex64, std::complex<float>)
ISTHMUS_CTYPE(kComplex128, std::complex<double>)
#undef ISTHMUS_CTYPE

template <DType D>
using ctype = typename CTypeOf<D>::type;

template <class T>
constexpr DType dtype_of() {
  if constexpr (std::is_same_v<T, bool>) return DType::kBool;
  else if constexpr (std::is_same_v<T, int8_t>) return DType::kInt8;
  else if constexpr (std::is_same_v<T, uint8_t>) return DType::kUInt8;
  else if constexpr (std::is_same_v<T, int16_t>) return DType::kInt16;
  else if constexpr (std::is_same_v<T, uint16_t>) return DType::kUInt16;
  else if constexpr (std::is_same_v<T, int32_t>) return DType::kInt32;
  else if constexpr (std::is_same_v<T, uint32_t>) return DType::kUInt32;
  else if constexpr (std::is_same_v<T, int64_t>) return DType::kInt64;
  else if constexpr (std::is_same_v<T, uint64_t>) return DType::kUInt64;
  else if constexpr (std::is_same_v<T, Half>) return DType::kFloat16;
  else if constexpr (std::is_same_v<T, float>) return DType::kFloat32;
  else if constexpr (std::is_same_v<T, double>) return DType::kFloat64;
  else if constexpr (std::is_same_v<T, std::complex<float>>) return DType::kComplex64;
  else return DType::kComplex128;
}

// Calls f.template operator()<T>() with the C++ type of `d`: dispatch(d, [&]<class T>() { ... }).
template <class F>
decltype(auto) dispatch(DType d, F&& f) {
  switch (d) {
    case DType::kBool: return f.template operator()<bool>();
    case DType::kInt8: return f.template operator()<int8_t>();
    case DType::kUInt8: return f.template operator()<uint8_t>();
    case DType::kInt16: return f.template operator()<int16_t>();
    case DType::kUInt16: return f.template operator()<uint16_t>();
    case DType::kInt32: return f.template operator()<int32_t>();
    case DType::kUInt32: return f.template operator()<uint32_t>();
    case DType::kInt64: return f.template operator()<int64_t>();
    case DType::kUInt64: return f.template operator()<uint64_t>();
    case DType::kFloat16: return f.template operator()<Half>();
    case DType::kFloat32: return f.template operator()<float>();
    case DType::kFloat64: return f.template operator()<double>();
    case DType::kComplex64: return f.template operator()<std::complex<float>>();
    case DType::kComplex128: return f.template operator()<std::complex<double>>();
  }
  __builtin_unreachable();
}

}  // namespace isthmus
