// ops/comparison.cc: comparisons, logic, the larger and the smaller of two, and tests of single
// numbers.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "kernels/loops-inl.h"
#include "ops/families.h"

namespace isthmus {
namespace {

template <class T>
inline bool is_nan(T v) {
  if constexpr (is_complex_v<T>) return v.real() != v.real() || v.imag() != v.imag();
  else if constexpr (std::is_floating_point_v<T>) return v != v;
  else return false;
}
template <class T>
inline bool is_true(T v) {
  return v != T(0);
}

// Floats are compared without raising the invalid flag for NaN, complex numbers (as in NumPy) with
// it. Complex numbers compare by their real parts, and by the imaginary ones when those are equal.
struct Less {
  template <class A, class B>
  bool operator()(A a, B b) const {
    if constexpr (is_complex_v<A>)
      return (a.real() < b.real() && a.imag() == a.imag() && b.imag() == b.imag()) ||
             (a.real() == b.real() && a.imag() < b.imag());
    else if constexpr (std::is_floating_point_v<A>) return quiet(std::isless(a, b));
    else if constexpr (std::is_same_v<A, B>) return a < b;
    else return std::cmp_less(a, b);
  }
};
struct LessEqual {
  template <class A, class B>
  bool operator()(A a, B b) const {
    if constexpr (is_complex_v<A>)
      return (a.real() < b.real() && a.imag() == a.imag() && b.imag() == b.imag()) ||
             (a.real() == b.real() && a.imag() <= b.imag());
    else if constexpr (std::is_floating_point_v<A>) return quiet(std::islessequal(a, b));
    else if constexpr (std::is_same_v<A, B>) return a <= b;
    else return std::cmp_less_equal(a, b);
  }
};
struct Greater {
  template <class A, class B>
  bool operator()(A a, B b) const {
    return Less{}(b, a);
  }
};
struct GreaterEqual {
  template <class A, class B>
  bool operator()(A a, B b) const {
    return LessEqual{}(b, a);
  }
};
struct Equal {
  template <class A, class B>
  bool operator()(A a, B b) const {
    if constexpr (std::is_same_v<A, B>) return a == b;
    else return std::cmp_equal(a, b);
  }
};
struct NotEqual {
  template <class A, class B>
  bool operator()(A a, B b) const {
    return !Equal{}(a, b);
  }
};

struct LogicalAnd {
  template <class T>
  bool operator()(T a, T b) const {
    return is_true(a) & is_true(b);
  }
};
struct LogicalOr {
  template <class T>
  bool operator()(T a, T b) const {
    return is_true(a) | is_true(b);
  }
};
struct LogicalXor {
  template <class T>
  bool operator()(T a, T b) const {
    return is_true(a) != is_true(b);
  }
};
struct LogicalNot {
  template <class T>
  bool operator()(T a) const {
    return !is_true(a);
  }
};

// maximum and minimum hand NaN on; fmax and fmin prefer the number.
struct Maximum {
  template <class T>
  T operator()(T a, T b) const {
    return GreaterEqual{}(a, b) || is_nan(a) ? a : b;
  }
};
struct Minimum {
  template <class T>
  T operator()(T a, T b) const {
    return LessEqual{}(a, b) || is_nan(a) ? a : b;
  }
};
struct FMax {
  template <class T>
  T operator()(T a, T b) const {
    return GreaterEqual{}(a, b) || is_nan(b) ? a : b;
  }
};
struct FMin {
  template <class T>
  T operator()(T a, T b) const {
    return LessEqual{}(a, b) || is_nan(b) ? a : b;
  }
};

struct IsNan {
  template <class T>
  bool operator()(T a) const {
    return is_nan(a);
  }
};
struct IsInf {
  template <class T>
  bool operator()(T a) const {
    if constexpr (is_complex_v<T>) return std::isinf(a.real()) || std::isinf(a.imag());
    else if constexpr (std::is_floating_point_v<T>) return quiet(std::isinf(a));
    else return false;
  }
};
struct IsFinite {
  template <class T>
  bool operator()(T a) const {
    if constexpr (is_complex_v<T>) return std::isfinite(a.real()) && std::isfinite(a.imag());
    else if constexpr (std::is_floating_point_v<T>) return quiet(std::isfinite(a));
    else return true;
  }
};
struct SignBit {
  template <class T>
  bool operator()(T a) const {
    return std::signbit(a);
  }
};

// A signed and an unsigned 64-bit integer are compared by value.
template <class F>
std::vector<UfuncLoop> comparison_loops() {
  constexpr DType kI = DType::kInt64, kU = DType::kUInt64, kB = DType::kBool;
  return join({binary_loops_to<F, bool>(concat<Bool, Integers>{}),
               {UfuncLoop{{kI, kU, kB}, binary_loop<F, int64_t, uint64_t, bool>, nullptr, nullptr},
                UfuncLoop{{kU, kI, kB}, binary_loop<F, uint64_t, int64_t, bool>, nullptr, nullptr}},
               binary_loops_to<F, bool>(concat<Floats, Complexes>{})});
}

// Which of two equal zeros NumPy's vector loops return depends on the position, so those loops are
// preferred.
template <class F>
std::vector<UfuncLoop> extremum_loops() {
  return join({binary_loops<F>(concat<Bool, Integers>{}),
               approximate(binary_loops<F>(concat<Floats, Complexes>{}))});
}

}  // namespace

void register_comparison(Registry& r) {
  def_ufunc(r, "equal", 2, 1, "Whether the elements of x1 and x2 are equal. NaN equals nothing.",
            comparison_loops<Equal>(), kComparison);
  def_ufunc(r, "not_equal", 2, 1, "Whether the elements of x1 and x2 differ.",
            comparison_loops<NotEqual>(), kComparison);
  def_ufunc(r, "less", 2, 1, "Whether each element of x1 is less than that of x2.",
            comparison_loops<Less>(), kComparison);
  def_ufunc(r, "less_equal", 2, 1, "Whether each element of x1 is at most that of x2.",
            comparison_loops<LessEqual>(), kComparison);
  def_ufunc(r, "greater", 2, 1, "Whether each element of x1 is greater than that of x2.",
            comparison_loops<Greater>(), kComparison);
  def_ufunc(r, "greater_equal", 2, 1, "Whether each element of x1 is at least that of x2.",
            comparison_loops<GreaterEqual>(), kComparison);

  def_ufunc(r, "logical_and", 2, 1, "Whether both elements are true, that is not zero.",
            binary_loops_to<LogicalAnd, bool>(AllTypes{}), kTruth);
  def_ufunc(r, "logical_or", 2, 1, "Whether either element is true, that is not zero.",
            binary_loops_to<LogicalOr, bool>(AllTypes{}), kTruth);
  def_ufunc(r, "logical_xor", 2, 1,
            "Whether exactly one of the two elements is true, that is not zero.",
            binary_loops_to<LogicalXor, bool>(AllTypes{}), kTruth);
  def_ufunc(r, "logical_not", 1, 1, "Whether each element is false, that is zero.",
            unary_loops_to<LogicalNot, bool>(AllTypes{}));

  def_ufunc(r, "maximum", 2, 1, "The larger of two elements; NaN when either is NaN.",
            extremum_loops<Maximum>());
  def_ufunc(r, "minimum", 2, 1, "The smaller of two elements; NaN when either is NaN.",
            extremum_loops<Minimum>());
  def_ufunc(r, "fmax", 2, 1, "The larger of two elements; a number is preferred to NaN.",
            extremum_loops<FMax>());
  def_ufunc(r, "fmin", 2, 1, "The smaller of two elements; a number is preferred to NaN.",
            extremum_loops<FMin>());

  def_ufunc(r, "isnan", 1, 1, "Whether each element is NaN.",
            unary_loops_to<IsNan, bool>(AllTypes{}));
  def_ufunc(r, "isinf", 1, 1, "Whether each element is infinite, of either sign.",
            unary_loops_to<IsInf, bool>(AllTypes{}));
  def_ufunc(r, "isfinite", 1, 1, "Whether each element is neither infinite nor NaN.",
            unary_loops_to<IsFinite, bool>(AllTypes{}));
  def_ufunc(r, "signbit", 1, 1,
            "Whether the sign bit is set: true for negative numbers and for -0.0.",
            unary_loops_to<SignBit, bool>(Floats{}));
}

}  // namespace isthmus
