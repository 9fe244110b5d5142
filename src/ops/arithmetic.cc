// ops/arithmetic.cc: addition, multiplication, division and their kin, powers and rounding to
// integers.
// SPDX-License-Identifier: Apache-2.0
#include <cfenv>
#include <cmath>
#include <limits>

#include "kernels/loops-inl.h"
#include "ops/families.h"

namespace isthmus {
namespace {

// Unsigned type in which T wraps around without the promotions of C++ getting in the way.
template <class T>
using Wrap = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

template <class T>
inline constexpr bool kIsBool = std::is_same_v<T, bool>;
template <class T>
inline constexpr bool kIsInt = std::is_integral_v<T> && !kIsBool<T>;

[[gnu::cold, gnu::noinline]] void raise_divide_by_zero() { std::feraiseexcept(FE_DIVBYZERO); }
[[gnu::cold, gnu::noinline]] void raise_overflow() { std::feraiseexcept(FE_OVERFLOW); }

}  // namespace

// Logical or for bool, a sum for numbers; integers wrap around.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsBool<T>) return a | b;
    else if constexpr (kIsInt<T>)
      return static_cast<T>(static_cast<Wrap<T>>(a) + static_cast<Wrap<T>>(b));
    else return a + b;
  }
};

namespace {

struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsInt<T>)
      return static_cast<T>(static_cast<Wrap<T>>(a) - static_cast<Wrap<T>>(b));
    else return a - b;
  }
};

struct Multiply {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsBool<T>) return a & b;
    else if constexpr (kIsInt<T>)
      return static_cast<T>(static_cast<Wrap<T>>(a) * static_cast<Wrap<T>>(b));
    else if constexpr (is_complex_v<T>)
      return T(a.real() * b.real() - a.imag() * b.imag(),
               a.real() * b.imag() + a.imag() * b.real());
    else return a * b;
  }
};

// Complex numbers by Smith's method: scaled by the larger part of the divisor.
struct Divide {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (is_complex_v<T>) {
      auto br = std::fabs(b.real()), bi = std::fabs(b.imag());
      if (br >= bi) {
        if (br == 0 && bi == 0) return T(a.real() / br, a.imag() / br);
        auto ratio = b.imag() / b.real();
        auto scale = 1 / (b.real() + b.imag() * ratio);
        return T((a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale);
      }
      auto ratio = b.real() / b.imag();
      auto scale = 1 / (b.imag() + b.real() * ratio);
      return T((a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale);
    } else {
      return a / b;
    }
  }
};

// Python's floor division and remainder of floats: a == quotient * b + remainder, the remainder has
// b's sign.
template <class T>
struct QuotientAndRemainder {
  T quotient, remainder;
};
template <class T>
QuotientAndRemainder<T> float_divmod(T a, T b) {
  T mod = std::fmod(a, b);
  if (b == 0) return {a / b, mod};
  T div = (a - mod) / b;
  if (mod != 0) {
    if (std::isless(b, T(0)) != std::isless(mod, T(0))) {
      mod += b;
      div -= 1;
    }
  } else {
    mod = std::copysign(T(0), b);
  }
  if (div == 0) return {std::copysign(T(0), a / b), mod};
  T floored = std::floor(div);
  if (std::isgreater(div - floored, T(0.5))) floored += 1;
  return {floored, mod};
}

// The remainder alone: the quotient could overflow and set flags.
template <class T>
T float_remainder(T a, T b) {
  T mod = std::fmod(a, b);
  if (b == 0) return mod;
  if (mod == 0) return std::copysign(T(0), b);
  return std::isless(b, T(0)) != std::isless(mod, T(0)) ? mod + b : mod;
}

// Integers divided by zero give zero and the divide-by-zero flag; the lowest one by -1 wraps and
// sets overflow.
struct FloorDivide {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (b == 0) return a / b;
      return float_divmod(a, b).quotient;
    } else {
      if (b == 0) return raise_divide_by_zero(), T(0);
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) {
          if (a == std::numeric_limits<T>::min()) return raise_overflow(), a;
          return static_cast<T>(-a);
        }
        T q = static_cast<T>(a / b);
        return static_cast<T>(q - ((a % b != 0) & ((a < 0) != (b < 0))));
      } else {
        return static_cast<T>(a / b);
      }
    }
  }
};

struct Remainder {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return float_remainder(a, b);
    } else {
      if (b == 0) return raise_divide_by_zero(), T(0);
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
        T r = static_cast<T>(a % b);
        return static_cast<T>(r + (r != 0 && (r < 0) != (b < 0) ? b : T(0)));
      } else {
        return static_cast<T>(a % b);
      }
    }
  }
};

struct DivMod {
  template <class T>
  QuotientAndRemainder<T> operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) return float_divmod(a, b);
    else if (b == 0) return raise_divide_by_zero(), QuotientAndRemainder<T>{0, 0};
    else return {FloorDivide{}(a, b), Remainder{}(a, b)};
  }
};

// The remainder of C: it has a's sign.
struct FMod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>) {
      return std::fmod(a, b);
    } else {
      if (b == 0) return raise_divide_by_zero(), T(0);
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
      }
      return static_cast<T>(a % b);
    }
  }
};

struct Negative {
  template <class T>
  T operator()(T a) const {
    if constexpr (kIsInt<T>) return static_cast<T>(Wrap<T>(0) - static_cast<Wrap<T>>(a));
    else return -a;
  }
};

struct Positive {
  template <class T>
  T operator()(T a) const {
    return a;
  }
};

struct Absolute {
  template <class T>
  auto operator()(T a) const {
    if constexpr (is_complex_v<T>) return std::hypot(a.real(), a.imag());
    else if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
    else if constexpr (kIsBool<T> || std::is_unsigned_v<T>) return a;
    else return a < 0 ? Negative{}(a) : a;
  }
};

// 1, 0 or -1; NaN stays. A complex number is divided by its magnitude.
struct Sign {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) {
      auto size = std::hypot(a.real(), a.imag());
      if (std::isnan(size)) return T(NAN, NAN);
      if (std::isinf(size)) {
        bool real_inf = std::isinf(a.real()), imag_inf = std::isinf(a.imag());
        if (real_inf && imag_inf) return T(NAN, NAN);
        return real_inf ? T(std::copysign(1.0, a.real()), 0) : T(0, std::copysign(1.0, a.imag()));
      }
      return size == 0 ? T(0, 0) : T(a.real() / size, a.imag() / size);
    } else if constexpr (std::is_floating_point_v<T>) {
      return quiet(std::isgreater(a, T(0))) ? T(1)
             : quiet(std::isless(a, T(0)))  ? T(-1)
             : a == 0                       ? T(0)
                                            : a;
    } else if constexpr (std::is_unsigned_v<T>) {
      return a > 0;
    } else {
      return static_cast<T>((a > 0) - (a < 0));
    }
  }
};

struct Square {
  template <class T>
  T operator()(T a) const {
    return Multiply{}(a, a);
  }
};

struct Reciprocal {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) {
      if (std::fabs(a.imag()) <= std::fabs(a.real())) {
        auto r = a.imag() / a.real();
        auto d = a.real() + a.imag() * r;
        return T(1 / d, -r / d);
      }
      auto r = a.real() / a.imag();
      auto d = a.real() * r + a.imag();
      return T(r / d, -1 / d);
    } else if constexpr (std::is_floating_point_v<T>) {
      return 1 / a;
    } else {
      if (a == 0)
        return raise_divide_by_zero(), sizeof(T) < 4 ? T(0) : std::numeric_limits<T>::min();
      return a == 1 ? T(1)
                    : static_cast<T>(Wrap<T>(a) == Wrap<T>(-1) && std::is_signed_v<T> ? -1 : 0);
    }
  }
};

struct Power {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsInt<T>) {
      if constexpr (std::is_signed_v<T>) {
        if (b < 0) fail_value("Integers to negative integer powers are not allowed.");
      }
      T result = 1;
      for (T base = a; b != 0; b = static_cast<T>(b >> 1)) {
        if (b & 1) result = Multiply{}(result, base);
        base = Multiply{}(base, base);
      }
      return result;
    } else if constexpr (is_complex_v<T>) {
      if (b == T(0)) return T(1);
      if (a == T(0)) return b.real() > 0 ? T(0) : T(NAN, NAN);
      if (b.imag() == 0 && std::fabs(b.real()) < 100 && b.real() == std::trunc(b.real())) {
        // Whole exponents by squaring: exact where products are.
        T result(1), base = a;
        for (int n = std::abs(static_cast<int>(b.real())); n != 0; n >>= 1) {
          if (n & 1) result = Multiply{}(result, base);
          if (n > 1) base = Multiply{}(base, base);
        }
        return b.real() < 0 ? Divide{}(T(1), result) : result;
      }
      return std::pow(a, b);
    } else {
      return std::pow(a, b);
    }
  }
};

struct Conjugate {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) return T(a.real(), -a.imag());
    else return a;
  }
};

// Rounding leaves bools and integers as they are.
struct Floor {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return std::floor(a);
    else return a;
  }
};
struct Ceil {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return std::ceil(a);
    else return a;
  }
};
struct Trunc {
  template <class T>
  T operator()(T a) const {
    if constexpr (std::is_floating_point_v<T>) return std::trunc(a);
    else return a;
  }
};
struct Rint {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) return T(std::rint(a.real()), std::rint(a.imag()));
    else return std::rint(a);
  }
};

using BoolsAndReals = concat<Bool, Reals>;
using Singles = Types<float, double>;

// float16 results are rounded twice here and NumPy sets flags of its own while rounding: its loops
// are preferred.
template <class F, class Exact>
std::vector<UfuncLoop> with_half(Exact exact) {
  return join({binary_loops<F>(exact), approximate(binary_loops<F>(Types<Half>{})),
               binary_loops<F>(Singles{})});
}
template <class F, class Exact>
std::vector<UfuncLoop> unary_with_half(Exact exact) {
  return join({unary_loops<F>(exact), approximate(unary_loops<F>(Types<Half>{})),
               unary_loops<F>(Singles{})});
}

void register_sums_and_products(Registry& r) {
  constexpr auto kNoBoolMinus =
      "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` "
      "operator, or the "
      "logical_xor function instead.";
  constexpr auto kNoBoolNegative =
      "The numpy boolean negative, the `-` operator, is not supported, use the `~` operator or the "
      "logical_not "
      "function instead.";
  def_ufunc(r, "add", 2, 1, "Sums of the elements of x1 and x2; for bools, whether either is true.",
            join({with_half<Add>(concat<Bool, Integers>{}), binary_loops<Add>(Complexes{})}));
  def_ufunc(r, "subtract", 2, 1, "Differences x1 - x2, element by element.",
            join({with_half<Subtract>(Integers{}), binary_loops<Subtract>(Complexes{})}),
            kRefusesBool, kNoBoolMinus);
  def_ufunc(r, "multiply", 2, 1,
            "Products of the elements of x1 and x2; for bools, whether both are true.",
            join({with_half<Multiply>(concat<Bool, Integers>{}),
                  approximate(binary_loops<Multiply>(Complexes{}))}));
  def_ufunc(
      r, "square", 1, 1, "Each element times itself.",
      join({unary_with_half<Square>(Integers{}), approximate(unary_loops<Square>(Complexes{}))}));
  def_ufunc(r, "negative", 1, 1,
            "Each element with its sign changed. Unsigned integers wrap around.",
            unary_loops<Negative>(Numbers{}), kRefusesBool, kNoBoolNegative);
  def_ufunc(r, "positive", 1, 1, "A copy of the numbers in x, as the unary + gives.",
            unary_loops<Positive>(Numbers{}), kRefusesBool);
  def_ufunc(r, "absolute", 1, 1, "Distances from zero; those of complex numbers are real.",
            join({unary_loops<Absolute>(BoolsAndReals{}),
                  approximate(unary_loops_to<Absolute, float>(Types<std::complex<float>>{})),
                  approximate(unary_loops_to<Absolute, double>(Types<std::complex<double>>{}))}));
  def_alias(r, "abs", "absolute");
  def_ufunc(r, "fabs", 1, 1, "Distances from zero as floats; complex numbers are not taken.",
            unary_loops<Absolute>(Floats{}));
  def_ufunc(r, "sign", 1, 1,
            "-1, 0 or 1 as an element is negative, zero or positive; x/abs(x) for complex numbers.",
            join({unary_loops<Sign>(Reals{}), approximate(unary_loops<Sign>(Complexes{}))}),
            kRefusesBool);
  def_ufunc(r, "conjugate", 1, 1, "Complex numbers with the sign of the imaginary part changed.",
            unary_loops<Conjugate>(Numbers{}));
  def_alias(r, "conj", "conjugate");
}

void register_quotients(Registry& r) {
  def_ufunc(r, "divide", 2, 1, "Quotients x1 / x2. Integers are divided as float64.",
            join({approximate(binary_loops<Divide>(Types<Half>{})), binary_loops<Divide>(Singles{}),
                  approximate(binary_loops<Divide>(Complexes{}))}),
            kIntsAsDouble);
  def_alias(r, "true_divide", "divide");
  def_ufunc(r, "floor_divide", 2, 1,
            "Quotients rounded down: the largest integer not above x1 / x2.",
            with_half<FloorDivide>(Integers{}));
  def_ufunc(r, "remainder", 2, 1,
            "What floor division leaves: x1 - x2 * floor(x1 / x2), with the sign of x2.",
            with_half<Remainder>(Integers{}));
  def_alias(r, "mod", "remainder");
  def_ufunc(r, "fmod", 2, 1, "What division towards zero leaves, with the sign of x1, as C's fmod.",
            with_half<FMod>(Integers{}));
  def_ufunc(
      r, "divmod", 2, 2,
      "Quotients rounded down and remainders: floor_divide and remainder in one pass.",
      join({binary_loops2<DivMod>(Integers{}), approximate(binary_loops2<DivMod>(Types<Half>{})),
            binary_loops2<DivMod>(Singles{})}));
  def_ufunc(r, "reciprocal", 1, 1,
            "1 / x in the dtype of x; of integers only that of 1 and -1 is not zero.",
            join({approximate(unary_loops<Reciprocal>(concat<Integers, Types<Half>>{})),
                  unary_loops<Reciprocal>(Singles{}),
                  approximate(unary_loops<Reciprocal>(Complexes{}))}));
  def_ufunc(r, "power", 2, 1, "x1 raised to x2. Integers need exponents that are not negative.",
            join({binary_loops<Power>(Integers{}),
                  approximate(binary_loops<Power>(concat<Floats, Complexes>{}))}),
            kHostRaises);
  def_alias(r, "pow", "power");
  def_ufunc(r, "float_power", 2, 1,
            "x1 raised to x2 in float64 or complex128, so that negative exponents always work.",
            approximate(binary_loops<Power>(Types<double, std::complex<double>>{})));
}

void register_rounding(Registry& r) {
  def_ufunc(r, "floor", 1, 1,
            "The largest integer that is not above each element, in the dtype of x.",
            unary_loops<Floor>(BoolsAndReals{}));
  def_ufunc(r, "ceil", 1, 1,
            "The smallest integer that is not below each element, in the dtype of x.",
            unary_loops<Ceil>(BoolsAndReals{}));
  def_ufunc(r, "trunc", 1, 1, "Each element without its fraction, in the dtype of x.",
            unary_loops<Trunc>(BoolsAndReals{}));
  def_ufunc(r, "rint", 1, 1,
            "The nearest integer to each element, to the even one from half way, as a float.",
            unary_loops<Rint>(concat<Floats, Complexes>{}));
}

}  // namespace

void register_arithmetic(Registry& r) {
  register_sums_and_products(r);
  register_quotients(r);
  register_rounding(r);
}

}  // namespace isthmus
