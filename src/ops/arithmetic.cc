// ops/arithmetic.cc: addition, multiplication, division and their kin.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/loops-inl.h"
#include "ops/families.h"

namespace isthmus {

// Logical or for bool, a sum for numbers; integers wrap around.
struct Add {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>) return a || b;
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
    else return a + b;
  }
};
struct Subtract {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) - static_cast<std::make_unsigned_t<T>>(b));
    else return a - b;
  }
};

void register_arithmetic(Registry& r) {
  def_ufunc(r, "add", 2, 1, "Add arguments element-wise.", binary_loops<Add>(AllTypes{}));
  def_ufunc(r, "subtract", 2, 1, "Subtract arguments element-wise.", binary_loops<Subtract>(Numbers{}), kRefusesBool,
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the `^` operator, "
            "or the logical_xor function instead.");
}

}  // namespace isthmus
