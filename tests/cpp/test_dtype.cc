// tests/cpp/test_dtype.cc: dtype facts, promotion, casting and half precision.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "check.h"
#include "core/dtype.h"

namespace isthmus {
namespace {

DType at(int i) { return static_cast<DType>(i); }

std::string promoted(DType a, DType b) { return name(promote_types(a, b)); }

void names_and_dlpack_types_go_back_and_forth() {
  for (int i = 0; i < kNumDTypes; ++i) {
    DType d = DType::kBool;
    CHECK(dtype_from_name(name(at(i)), &d));
    CHECK(d == at(i));
    CHECK(dtype_from_dl(info(at(i)).dl, &d));
    CHECK(d == at(i));
    CHECK_EQ(1 << shift(at(i)), itemsize(at(i)));
  }
  DType d = DType::kBool;
  CHECK(dtype_from_name("<f4", &d));
  CHECK(d == DType::kFloat32);
  CHECK(!dtype_from_name("float31", &d));
  CHECK(!dtype_from_name("", &d));
  CHECK(!dtype_from_dl({kDLFloat, 32, 4}, &d));
}

void promotion_is_a_lattice() {
  for (int i = 0; i < kNumDTypes; ++i) {
    CHECK(promote_types(at(i), at(i)) == at(i));
    for (int j = 0; j < kNumDTypes; ++j) {
      DType common = promote_types(at(i), at(j));
      CHECK(common == promote_types(at(j), at(i)));
      // NumPy counts int64 to float64 as safe, so this holds without exception.
      CHECK(can_cast(at(i), common, Casting::kSafe));
      if (can_cast(at(i), at(j), Casting::kSafe)) CHECK(can_cast(at(i), at(j), Casting::kSameKind));
      CHECK(can_cast(at(i), at(j), Casting::kUnsafe));
    }
  }
}

void promotion_as_numpy_does_it() {
  CHECK_EQ(promoted(DType::kInt8, DType::kUInt8), "int16");
  CHECK_EQ(promoted(DType::kInt64, DType::kUInt64), "float64");
  CHECK_EQ(promoted(DType::kInt16, DType::kFloat16), "float32");
  CHECK_EQ(promoted(DType::kInt32, DType::kFloat32), "float64");
  CHECK_EQ(promoted(DType::kFloat64, DType::kComplex64), "complex128");
  CHECK_EQ(promoted(DType::kBool, DType::kInt8), "int8");
}

void python_numbers_are_weak() {
  CHECK(promote_weak(DType::kInt8, WeakKind::kInt) == DType::kInt8);
  CHECK(promote_weak(DType::kBool, WeakKind::kInt) == DType::kInt64);
  CHECK(promote_weak(DType::kInt8, WeakKind::kFloat) == DType::kFloat64);
  CHECK(promote_weak(DType::kFloat16, WeakKind::kFloat) == DType::kFloat16);
  CHECK(promote_weak(DType::kFloat32, WeakKind::kComplex) == DType::kComplex64);
}

void casting_levels_widen() {
  CHECK(can_cast(DType::kInt32, DType::kInt64, Casting::kSafe));
  CHECK(!can_cast(DType::kInt64, DType::kInt32, Casting::kSafe));
  CHECK(can_cast(DType::kInt64, DType::kInt32, Casting::kSameKind));
  CHECK(!can_cast(DType::kFloat64, DType::kInt64, Casting::kSameKind));
  CHECK(!can_cast(DType::kInt32, DType::kInt64, Casting::kNo));
}

void every_half_survives_a_round_trip() {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    float f = half_to_float(Half{static_cast<uint16_t>(bits)});
    uint16_t back = float_to_half(f).bits;
    if (std::isnan(f)) {
      CHECK(std::isnan(half_to_float(Half{back})));
    } else if (back != bits || double_to_half(f).bits != bits) {
      CHECK_EQ(back, bits);
    }
  }
  CHECK_EQ(float_to_half(65520.0f).bits, 0x7c00);  // halfway to 65536 rounds to even: infinity
  CHECK_EQ(float_to_half(65519.0f).bits, 0x7bff);
  CHECK_EQ(float_to_half(1.0f + 0x1p-11f).bits, 0x3c00);           // a tie goes to even
  CHECK_EQ(double_to_half(1.0 + 0x1p-11 + 0x1p-40).bits, 0x3c01);  // rounded once, not twice
}

}  // namespace
}  // namespace isthmus

int main() {
  using namespace isthmus;
  return check::run_tests({
      {"names", names_and_dlpack_types_go_back_and_forth},
      {"lattice", promotion_is_a_lattice},
      {"promotion", promotion_as_numpy_does_it},
      {"weak", python_numbers_are_weak},
      {"casting", casting_levels_widen},
      {"half", every_half_survives_a_round_trip},
  });
}
