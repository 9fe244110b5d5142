// core/dtype.cc: dtype look-up, half precision, the promotion matrix.
// SPDX-License-Identifier: Apache-2.0
#include "core/dtype.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.h"

namespace isthmus {
namespace {

constexpr DType float_of_size(int bytes) {
  return bytes <= 2 ? DType::kFloat16 : bytes <= 4 ? DType::kFloat32 : DType::kFloat64;
}
constexpr DType int_of_size(int bytes) {
  return bytes <= 1   ? DType::kInt8
         : bytes <= 2 ? DType::kInt16
         : bytes <= 4 ? DType::kInt32
                      : DType::kInt64;
}
// The smallest float that holds every value of an integer dtype (64-bit integers: float64, as
// NumPy).
constexpr DType float_for(DType d) {
  switch (kind(d)) {
    case DKind::kBool: return DType::kFloat16;
    case DKind::kUInt:
    case DKind::kInt: return float_of_size(itemsize(d) * 2);
    default: return real_dtype(d);
  }
}

constexpr DType promote_rule(DType a, DType b) {
  if (a == b) return a;
  if (kind(a) > kind(b)) std::swap(a, b);  // now kind(a) <= kind(b)
  if (kind(a) == DKind::kBool) return b;
  if (kind(a) == kind(b)) return itemsize(a) > itemsize(b) ? a : b;
  if (kind(a) == DKind::kUInt && kind(b) == DKind::kInt) {
    if (itemsize(b) > itemsize(a)) return b;
    return itemsize(a) == 8 ? DType::kFloat64 : int_of_size(2 * itemsize(a));
  }
  DType fa = float_for(a), fb = float_for(b);
  DType f = itemsize(fa) > itemsize(fb) ? fa : fb;
  if (kind(b) == DKind::kFloat) return f;
  return itemsize(f) > 4 ? DType::kComplex128 : DType::kComplex64;
}

struct Matrix {
  DType to[kNumDTypes][kNumDTypes];
};
constexpr Matrix make_matrix() {
  Matrix m{};
  for (int i = 0; i < kNumDTypes; ++i)
    for (int j = 0; j < kNumDTypes; ++j)
      m.to[i][j] = promote_rule(static_cast<DType>(i), static_cast<DType>(j));
  return m;
}
constexpr Matrix kPromotion = make_matrix();
static_assert(kPromotion.to[static_cast<int>(DType::kInt64)][static_cast<int>(DType::kUInt64)] ==
              DType::kFloat64);
static_assert(kPromotion.to[static_cast<int>(DType::kInt8)][static_cast<int>(DType::kFloat16)] ==
              DType::kFloat16);
static_assert(kPromotion.to[static_cast<int>(DType::kInt16)][static_cast<int>(DType::kFloat16)] ==
              DType::kFloat32);
static_assert(kPromotion.to[static_cast<int>(DType::kInt32)][static_cast<int>(DType::kComplex64)] ==
              DType::kComplex128);

}  // namespace

DType promote_types(DType a, DType b) {
  return kPromotion.to[static_cast<int>(a)][static_cast<int>(b)];
}

DType promote_weak(DType d, WeakKind w) {
  switch (w) {
    case WeakKind::kInt: return d == DType::kBool ? DType::kInt64 : d;
    case WeakKind::kFloat: return is_inexact(d) ? d : DType::kFloat64;
    case WeakKind::kComplex:
      if (is_complex(d)) return d;
      return d == DType::kFloat16 || d == DType::kFloat32 ? DType::kComplex64 : DType::kComplex128;
  }
  __builtin_unreachable();
}

bool can_cast(DType from, DType to, Casting casting) {
  if (from == to || casting == Casting::kUnsafe) return true;
  if (casting == Casting::kNo || casting == Casting::kEquiv) return false;
  if (promote_types(from, to) == to) return true;
  return casting == Casting::kSameKind && kind(from) <= kind(to);
}

const char* casting_name(Casting c) {
  constexpr const char* kNames[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  return kNames[static_cast<int>(c)];
}

bool casting_from_name(std::string_view s, Casting* out) {
  for (Casting c :
       {Casting::kNo, Casting::kEquiv, Casting::kSafe, Casting::kSameKind, Casting::kUnsafe}) {
    if (s == casting_name(c)) return *out = c, true;
  }
  return false;
}

bool dtype_from_dl(DLDataType dl, DType* out) {
  if (dl.lanes != 1) return false;
  for (int i = 0; i < kNumDTypes; ++i) {
    const DLDataType& k = kDTypes[i].dl;
    if (k.code == dl.code && k.bits == dl.bits) return *out = static_cast<DType>(i), true;
  }
  // tvm-ffi spells bool as one-bit or eight-bit unsigned in places.
  if (dl.code == kDLUInt && dl.bits == 1) return *out = DType::kBool, true;
  return false;
}

bool dtype_from_name(std::string_view s, DType* out) {
  if (!s.empty() && (s[0] == '<' || s[0] == '=' || s[0] == '|')) s.remove_prefix(1);
  for (int i = 0; i < kNumDTypes; ++i) {
    if (s == kDTypes[i].name) return *out = static_cast<DType>(i), true;
  }
  if (s.size() == 1) {
    char c = s[0] == 'q' ? 'l' : s[0] == 'Q' ? 'L' : s[0];
    for (int i = 0; i < kNumDTypes; ++i) {
      if (c == kDTypes[i].np_char) return *out = static_cast<DType>(i), true;
    }
    return false;
  }
  struct Alias {
    std::string_view name;
    DType dtype;
  };
  constexpr Alias kAliases[] = {
      {"b1", DType::kBool},      {"i1", DType::kInt8},        {"u1", DType::kUInt8},
      {"i2", DType::kInt16},     {"u2", DType::kUInt16},      {"i4", DType::kInt32},
      {"u4", DType::kUInt32},    {"i8", DType::kInt64},       {"u8", DType::kUInt64},
      {"f2", DType::kFloat16},   {"f4", DType::kFloat32},     {"f8", DType::kFloat64},
      {"c8", DType::kComplex64}, {"c16", DType::kComplex128}, {"int", DType::kInt64},
      {"uint", DType::kUInt64},  {"float", DType::kFloat64},  {"double", DType::kFloat64},
      {"half", DType::kFloat16}, {"single", DType::kFloat32}, {"complex", DType::kComplex128},
  };
  for (const Alias& a : kAliases) {
    if (s == a.name) return *out = a.dtype, true;
  }
  return false;
}

float half_to_float(Half h) {
  uint32_t sign = static_cast<uint32_t>(h.bits & 0x8000u) << 16;
  uint32_t exponent = (h.bits >> 10) & 0x1fu;
  uint32_t fraction = h.bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
  if (exponent != 0)
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
  float subnormal = static_cast<float>(fraction) * 0x1p-24f;
  return sign ? -subnormal : subnormal;
}

namespace {
// Rounds to nearest even from the bits of a wider IEEE format with `kFraction` fraction bits.
template <class Bits, int kFraction, int kBias>
Half narrow_to_half(Bits bits) {
  constexpr int kTotal = sizeof(Bits) * 8;
  constexpr int kDrop = kFraction - 10;
  uint16_t sign = static_cast<uint16_t>((bits >> (kTotal - 16)) & 0x8000u);
  constexpr Bits kExpMask = (Bits{1} << (kTotal - 1 - kFraction)) - 1;
  int exponent = static_cast<int>((bits >> kFraction) & kExpMask);
  Bits fraction = bits & ((Bits{1} << kFraction) - 1);
  if (exponent == static_cast<int>(kExpMask)) {
    uint16_t payload = static_cast<uint16_t>(fraction >> kDrop);
    if (fraction != 0 && payload == 0) payload = 1;
    return Half{static_cast<uint16_t>(sign | 0x7c00u | payload)};
  }
  int e = exponent - kBias + 15;
  if (e >= 31) return Half{static_cast<uint16_t>(sign | 0x7c00u)};
  int drop = kDrop;
  Bits value = fraction;
  if (e <= 0) {
    if (e < -10) return Half{sign};
    if (exponent != 0) value |= Bits{1} << kFraction;
    drop += 1 - e;
    e = 0;
  }
  Bits kept = value >> drop;
  Bits rest = value & ((Bits{1} << drop) - 1);
  Bits half = Bits{1} << (drop - 1);
  // The carry of rounding moves into the exponent field by itself, up to infinity.
  uint32_t out = (static_cast<uint32_t>(e) << 10) + static_cast<uint32_t>(kept);
  if (rest > half || (rest == half && (kept & 1))) ++out;
  return Half{static_cast<uint16_t>(sign | out)};
}
}  // namespace

Half float_to_half(float f) {
  return narrow_to_half<uint32_t, 23, 127>(std::bit_cast<uint32_t>(f));
}
Half double_to_half(double d) {
  return narrow_to_half<uint64_t, 52, 1023>(std::bit_cast<uint64_t>(d));
}

std::string shape_str(const int64_t* dims, int ndim) {
  std::ostringstream os;
  os << '(';
  for (int i = 0; i < ndim; ++i) os << (i ? ", " : "") << dims[i];
  os << (ndim == 1 ? ",)" : ")");
  return os.str();
}

void fail_with(const char* kind, std::string message) {
  throw tvm::ffi::Error(kind, std::move(message), "");
}

void fail_axis(int64_t axis, int ndim) {
  fail_with("AxisError", cat("axis ", axis, " is out of bounds for array of dimension ", ndim));
}

}  // namespace isthmus
