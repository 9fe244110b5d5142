// ops/math.cc: roots, exponentials, logarithms, angles, and the parts of floating-point numbers.
// All but the roots are within the error of <cmath>; in a process with NumPy its loops serve
// instead.
// SPDX-License-Identifier: Apache-2.0
#include <climits>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/loops-inl.h"
#include "ops/families.h"

namespace isthmus {
namespace {

// One functor for each function that <cmath> and <complex> both spell this way.
#define ISTHMUS_STD_FUNCTOR(Name, function) \
  struct Name {                             \
    template <class T>                      \
    T operator()(T a) const {               \
      return std::function(a);              \
    }                                       \
  };
// The macro spares eighteen structs that differ in two words.
ISTHMUS_STD_FUNCTOR(Sqrt, sqrt)
ISTHMUS_STD_FUNCTOR(Cbrt, cbrt)
ISTHMUS_STD_FUNCTOR(Exp, exp)
ISTHMUS_STD_FUNCTOR(Log, log)
ISTHMUS_STD_FUNCTOR(Log10, log10)
ISTHMUS_STD_FUNCTOR(Sin, sin)
ISTHMUS_STD_FUNCTOR(Cos, cos)
ISTHMUS_STD_FUNCTOR(Tan, tan)
ISTHMUS_STD_FUNCTOR(Arcsin, asin)
ISTHMUS_STD_FUNCTOR(Arccos, acos)
ISTHMUS_STD_FUNCTOR(Arctan, atan)
ISTHMUS_STD_FUNCTOR(Sinh, sinh)
ISTHMUS_STD_FUNCTOR(Cosh, cosh)
ISTHMUS_STD_FUNCTOR(Tanh, tanh)
ISTHMUS_STD_FUNCTOR(Arcsinh, asinh)
ISTHMUS_STD_FUNCTOR(Arccosh, acosh)
ISTHMUS_STD_FUNCTOR(Arctanh, atanh)
#undef ISTHMUS_STD_FUNCTOR

template <class T>
T scaled(T a, double factor) {
  if constexpr (is_complex_v<T>) return a * static_cast<typename T::value_type>(factor);
  else return a * static_cast<T>(factor);
}

struct Exp2 {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) return std::exp(scaled(a, std::numbers::ln2));
    else return std::exp2(a);
  }
};
struct Expm1 {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) {
      auto half = std::sin(a.imag() / 2);
      return T(std::expm1(a.real()) * std::cos(a.imag()) - 2 * half * half,
               std::exp(a.real()) * std::sin(a.imag()));
    } else {
      return std::expm1(a);
    }
  }
};
struct Log2 {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>) return scaled(std::log(a), std::numbers::log2e);
    else return std::log2(a);
  }
};
struct Log1p {
  template <class T>
  T operator()(T a) const {
    if constexpr (is_complex_v<T>)
      return T(std::log(std::hypot(a.real() + 1, a.imag())), std::atan2(a.imag(), a.real() + 1));
    else return std::log1p(a);
  }
};

struct Radians {
  template <class T>
  T operator()(T a) const {
    return a * static_cast<T>(std::numbers::pi / 180);
  }
};
struct Degrees {
  template <class T>
  T operator()(T a) const {
    return a * (T(180) / static_cast<T>(std::numbers::pi));
  }
};

struct Arctan2 {
  template <class T>
  T operator()(T a, T b) const {
    return std::atan2(a, b);
  }
};
struct Hypot {
  template <class T>
  T operator()(T a, T b) const {
    return std::hypot(a, b);
  }
};
struct LogAddExp {
  template <class T>
  T operator()(T a, T b) const {
    if (a == b)
      return a + static_cast<T>(std::numbers::ln2);  // also for infinities, whose difference is NaN
    T d = a - b;
    if (d > 0) return a + std::log1p(std::exp(-d));
    if (d <= 0) return b + std::log1p(std::exp(d));
    return d;
  }
};
struct LogAddExp2 {
  template <class T>
  T operator()(T a, T b) const {
    if (a == b) return a + 1;
    T d = a - b;
    constexpr T kLog2E = static_cast<T>(std::numbers::log2e);
    if (d > 0) return a + kLog2E * std::log1p(std::exp2(-d));
    if (d <= 0) return b + kLog2E * std::log1p(std::exp2(d));
    return d;
  }
};

struct CopySign {
  template <class T>
  T operator()(T a, T b) const {
    return std::copysign(a, b);
  }
};
struct Heaviside {
  template <class T>
  T operator()(T a, T at_zero) const {
    if (std::isnan(a)) return a;
    return a == 0 ? at_zero : a < 0 ? T(0) : T(1);
  }
};

// float16 neighbours are found on its bits: those of a sign are ordered like integers.
struct NextAfter {
  template <class T>
  T operator()(T a, T b) const {
    return std::nextafter(a, b);
  }
};
Half next_half(Half a, Half b) {
  float x = half_to_float(a), y = half_to_float(b);
  if (std::isnan(x)) return a;
  if (std::isnan(y) || x == y) return b;
  if (x == 0) return Half{static_cast<uint16_t>(y < 0 ? 0x8001 : 0x0001)};
  bool away = (x < y) == (x > 0);
  return Half{static_cast<uint16_t>(away ? a.bits + 1 : a.bits - 1)};
}
void next_half_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  for (intptr_t i = 0; i < *n; ++i) {
    *reinterpret_cast<Half*>(args[2] + i * s[2]) =
        next_half(*reinterpret_cast<const Half*>(args[0] + i * s[0]),
                  *reinterpret_cast<const Half*>(args[1] + i * s[1]));
  }
}
// The distance to the next number away from zero, with the sign of the number (NumPy's float16:
// up).
struct Spacing {
  template <class T>
  T operator()(T a) const {
    if (!std::isfinite(a)) return std::isnan(a) ? a : std::numeric_limits<T>::quiet_NaN();
    constexpr T kInf = std::numeric_limits<T>::infinity();
    return std::nextafter(a, a < 0 ? -kInf : kInf) - a;
  }
};
void spacing_half_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  for (intptr_t i = 0; i < *n; ++i) {
    Half a = *reinterpret_cast<const Half*>(args[0] + i * s[0]);
    float x = half_to_float(a);
    Half next = next_half(a, Half{0x7c00});
    bool finite = std::isfinite(x);
    *reinterpret_cast<Half*>(args[1] + i * s[1]) =
        finite ? float_to_half(half_to_float(next) - x) : Half{0x7e00};
  }
}

template <class T, class Exponent>
void ldexp_loop(char** args, const intptr_t* n, const intptr_t* s, void*) {
  for (intptr_t i = 0; i < *n; ++i) {
    Exponent e = *reinterpret_cast<const Exponent*>(args[1] + i * s[1]);
    int clamped = e > Exponent(INT_MAX)   ? INT_MAX
                  : e < Exponent(INT_MIN) ? INT_MIN
                                          : static_cast<int>(e);
    auto value = widen(*reinterpret_cast<const T*>(args[0] + i * s[0]));
    *reinterpret_cast<T*>(args[2] + i * s[2]) = narrow<T>(std::ldexp(value, clamped));
  }
}
template <class T, class Exponent>
UfuncLoop ldexp_row() {
  return {{dtype_of<T>(), dtype_of<Exponent>(), dtype_of<T>()},
          ldexp_loop<T, Exponent>,
          nullptr,
          nullptr,
          true};
}

template <class A, class B>
struct Pair {
  A first;
  B second;
};
struct Frexp {
  template <class T>
  Pair<T, int32_t> operator()(T a) const {
    int exponent = 0;
    T fraction = std::frexp(a, &exponent);
    return {fraction, std::isfinite(a) ? exponent : 0};
  }
};
struct Modf {
  template <class T>
  Pair<T, T> operator()(T a) const {
    T whole;
    T fraction = std::modf(a, &whole);
    return {fraction, whole};
  }
};
template <class... T>
std::vector<UfuncLoop> frexp_loops(Types<T...>) {
  return {UfuncLoop{{dtype_of<T>(), dtype_of<T>(), DType::kInt32},
                    unary_loop2<Frexp, T, T, int32_t>,
                    nullptr,
                    nullptr,
                    true}...};
}

using Inexact = concat<Floats, Complexes>;

template <class F>
void def_math(Registry& r, const char* name, const char* doc) {
  def_ufunc(r, name, 1, 1, doc, approximate(unary_loops<F>(Inexact{})));
}
template <class F>
void def_real_math(Registry& r, const char* name, const char* doc) {
  def_ufunc(r, name, 1, 1, doc, approximate(unary_loops<F>(Floats{})));
}
template <class F>
void def_real_math2(Registry& r, const char* name, const char* doc) {
  def_ufunc(r, name, 2, 1, doc, approximate(binary_loops<F>(Floats{})));
}

void register_exponentials(Registry& r) {
  def_ufunc(r, "sqrt", 1, 1, "Square roots that are not negative; NaN for negative real numbers.",
            join({approximate(unary_loops<Sqrt>(Types<Half>{})),
                  unary_loops<Sqrt>(Types<float, double>{}),
                  approximate(unary_loops<Sqrt>(Complexes{}))}));
  def_real_math<Cbrt>(r, "cbrt", "Cube roots, also of negative numbers.");
  def_math<Exp>(r, "exp", "e raised to each element.");
  def_math<Exp2>(r, "exp2", "2 raised to each element.");
  def_math<Expm1>(r, "expm1", "exp(x) - 1, exact for small x too.");
  def_math<Log>(r, "log", "Natural logarithms: -inf at zero, NaN below it.");
  def_math<Log2>(r, "log2", "Logarithms to base 2.");
  def_math<Log10>(r, "log10", "Logarithms to base 10.");
  def_math<Log1p>(r, "log1p", "log(1 + x), exact for small x too.");
  def_real_math2<LogAddExp>(r, "logaddexp", "log(exp(x1) + exp(x2)) without overflow between.");
  def_real_math2<LogAddExp2>(r, "logaddexp2", "log2(2**x1 + 2**x2) without overflow between.");
}

void register_angles(Registry& r) {
  def_math<Sin>(r, "sin", "Sines of angles in radians.");
  def_math<Cos>(r, "cos", "Cosines of angles in radians.");
  def_math<Tan>(r, "tan", "Tangents of angles in radians.");
  def_math<Arcsin>(r, "arcsin",
                   "Angles in [-pi/2, pi/2] with the given sines; NaN outside [-1, 1].");
  def_math<Arccos>(r, "arccos", "Angles in [0, pi] with the given cosines; NaN outside [-1, 1].");
  def_math<Arctan>(r, "arctan", "Angles in [-pi/2, pi/2] with the given tangents.");
  def_math<Sinh>(r, "sinh", "Hyperbolic sines.");
  def_math<Cosh>(r, "cosh", "Hyperbolic cosines.");
  def_math<Tanh>(r, "tanh", "Hyperbolic tangents.");
  def_math<Arcsinh>(r, "arcsinh", "Inverse hyperbolic sines.");
  def_math<Arccosh>(r, "arccosh", "Inverse hyperbolic cosines; NaN below 1.");
  def_math<Arctanh>(r, "arctanh", "Inverse hyperbolic tangents; infinite at -1 and 1.");
  constexpr const char* kShort[][2] = {{"asin", "arcsin"},   {"acos", "arccos"},
                                       {"atan", "arctan"},   {"asinh", "arcsinh"},
                                       {"acosh", "arccosh"}, {"atanh", "arctanh"}};
  for (auto& [alias, name] : kShort) def_alias(r, alias, name);
  def_real_math2<Arctan2>(r, "arctan2",
                          "Angles in [-pi, pi] of the points with heights x1 and abscissas x2.");
  def_alias(r, "atan2", "arctan2");
  def_real_math2<Hypot>(r, "hypot", "sqrt(x1**2 + x2**2) without overflow between.");
  def_real_math<Radians>(r, "deg2rad", "Angles in degrees as radians.");
  def_real_math<Radians>(r, "radians", "Angles in degrees as radians.");
  def_real_math<Degrees>(r, "rad2deg", "Angles in radians as degrees.");
  def_real_math<Degrees>(r, "degrees", "Angles in radians as degrees.");
}

void register_float_parts(Registry& r) {
  def_ufunc(r, "copysign", 2, 1, "The magnitude of x1 with the sign of x2.",
            binary_loops<CopySign>(Floats{}));
  def_real_math2<Heaviside>(r, "heaviside",
                            "0 where x1 is negative, 1 where it is positive, x2 where it is zero.");
  def_ufunc(r, "nextafter", 2, 1,
            "The next number that the dtype can hold from x1 in the direction of x2.",
            approximate(join({{UfuncLoop{{DType::kFloat16, DType::kFloat16, DType::kFloat16},
                                         next_half_loop,
                                         nullptr,
                                         nullptr}},
                              binary_loops<NextAfter>(Types<float, double>{})})));
  def_ufunc(
      r, "spacing", 1, 1,
      "The distance from each element to the next number that the dtype can hold.",
      approximate(join(
          {{UfuncLoop{{DType::kFloat16, DType::kFloat16}, spacing_half_loop, nullptr, nullptr}},
           unary_loops<Spacing>(Types<float, double>{})})));
  def_ufunc(
      r, "ldexp", 2, 1, "x1 * 2**x2, with integer exponents x2.",
      {ldexp_row<Half, int32_t>(), ldexp_row<float, int32_t>(), ldexp_row<Half, int64_t>(),
       ldexp_row<float, int64_t>(), ldexp_row<double, int32_t>(), ldexp_row<double, int64_t>()},
      kWeakAsDefault);
  def_ufunc(r, "frexp", 1, 2, "Fractions in [0.5, 1) and integer exponents whose ldexp is x.",
            frexp_loops(Floats{}));
  def_ufunc(r, "modf", 1, 2, "Fractions and whole parts, both with the sign of x.",
            approximate(unary_loops2<Modf>(Floats{})));
}

}  // namespace

void register_math(Registry& r) {
  register_exponentials(r);
  register_angles(r);
  register_float_parts(r);
}

}  // namespace isthmus
