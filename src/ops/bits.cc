// ops/bits.cc: operators on the bits of integers, and common divisors and multiples.
// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <limits>
#include <numeric>

#include "kernels/loops-inl.h"
#include "ops/families.h"

namespace isthmus {
namespace {

struct BitwiseAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitwiseOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct BitwiseXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct Invert {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_same_v<T, bool>) return !a;
    else return static_cast<T>(~a);
  }
};

template <class T>
using Unsigned = std::make_unsigned_t<T>;

// A shift by a negative count or by the width or more moves every bit out.
template <class T>
inline bool shifts_out(T count) {
  return static_cast<Unsigned<T>>(count) >= static_cast<Unsigned<T>>(sizeof(T) * 8);
}
struct LeftShift {
  template <class T>
  T operator()(T a, T b) const {
    using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, Unsigned<T>>;
    return shifts_out(b) ? T(0) : static_cast<T>(static_cast<Wide>(a) << b);
  }
};
struct RightShift {
  template <class T>
  T operator()(T a, T b) const {
    if (shifts_out(b)) return static_cast<T>(a < T(0) ? -1 : 0);
    return static_cast<T>(a >> b);
  }
};

// |a| as an unsigned number: exact for the lowest one too.
template <class T>
inline Unsigned<T> magnitude(T a) {
  auto u = static_cast<Unsigned<T>>(a);
  return a < T(0) ? static_cast<Unsigned<T>>(0u - u) : u;
}

struct Gcd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(std::gcd(magnitude(a), magnitude(b)));
  }
};
struct Lcm {
  template <class T>
  T operator()(T a, T b) const {
    auto g = std::gcd(magnitude(a), magnitude(b));
    using Wide = std::conditional_t<(sizeof(T) < 4), uint32_t, Unsigned<T>>;
    return g == 0 ? T(0)
                  : static_cast<T>(static_cast<Wide>(magnitude(a) / g) *
                                   static_cast<Wide>(magnitude(b)));
  }
};
struct BitwiseCount {
  template <class T>
  uint8_t operator()(T a) const {
    return static_cast<uint8_t>(std::popcount(magnitude(a)));
  }
};

}  // namespace

void register_bits(Registry& r) {
  using BoolAndIntegers = concat<Bool, Integers>;
  def_ufunc(r, "bitwise_and", 2, 1, "Bits that are set in both x1 and x2.",
            binary_loops<BitwiseAnd>(BoolAndIntegers{}));
  def_ufunc(r, "bitwise_or", 2, 1, "Bits that are set in x1 or x2.",
            binary_loops<BitwiseOr>(BoolAndIntegers{}));
  def_ufunc(r, "bitwise_xor", 2, 1, "Bits that are set in exactly one of x1 and x2.",
            binary_loops<BitwiseXor>(BoolAndIntegers{}));
  def_ufunc(r, "invert", 1, 1, "Every bit of x flipped; logical not for bools.",
            unary_loops<Invert>(BoolAndIntegers{}));
  def_alias(r, "bitwise_not", "invert");
  def_alias(r, "bitwise_invert", "invert");
  def_ufunc(r, "left_shift", 2, 1, "The bits of x1 moved left by x2 places; zeros come in.",
            binary_loops<LeftShift>(Integers{}));
  def_alias(r, "bitwise_left_shift", "left_shift");
  def_ufunc(r, "right_shift", 2, 1,
            "The bits of x1 moved right by x2 places; copies of the sign come in.",
            binary_loops<RightShift>(Integers{}));
  def_alias(r, "bitwise_right_shift", "right_shift");
  def_ufunc(r, "bitwise_count", 1, 1, "The number of bits that are set in the absolute value.",
            unary_loops_to<BitwiseCount, uint8_t>(Integers{}));
  def_ufunc(r, "gcd", 2, 1, "Greatest common divisors of |x1| and |x2|.",
            binary_loops<Gcd>(Integers{}), kRefusesBool);
  def_ufunc(r, "lcm", 2, 1, "Least common multiples of |x1| and |x2|.",
            binary_loops<Lcm>(Integers{}), kRefusesBool);
}

}  // namespace isthmus
