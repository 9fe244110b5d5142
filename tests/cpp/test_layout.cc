// tests/cpp/test_layout.cc: broadcasting, axes and reshaping of strides.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <vector>

#include "check.h"
#include "layout/layout.h"

namespace isthmus {
namespace {

using Vec = std::vector<int64_t>;

Dims dims(const Vec& v) { return {v.data(), v.size()}; }

// The broadcast of the shapes, or {-1} when there is none.
Vec broadcast(std::initializer_list<Vec> shapes) {
  ShapeBuf acc;
  for (const Vec& shape : shapes) {
    if (!broadcast_into(&acc, dims(shape))) return {-1};
  }
  return Vec(acc.begin(), acc.end());
}

Vec strides_for(const Vec& shape, const Vec& strides, const Vec& to) {
  Vec out(to.size(), -99);
  broadcast_strides(dims(shape), dims(strides), dims(to), out.data());
  return out;
}

// The strides of the reshaped view, or {-99} when a copy is needed.
Vec reshaped(const Vec& shape, const Vec& strides, const Vec& to) {
  Vec out(to.size(), 0);
  if (!reshape_strides(dims(shape), dims(strides), dims(to), out.data())) return {-99};
  return out;
}

void broadcasting_stretches_ones_and_refuses_the_rest() {
  CHECK((broadcast({{2, 3}, {3}}) == Vec{2, 3}));
  CHECK((broadcast({{3}, {2, 1}}) == Vec{2, 3}));
  CHECK((broadcast({{}, {4}}) == Vec{4}));
  CHECK((broadcast({{}, {}}).empty()));
  CHECK((broadcast({{0}, {1}}) == Vec{0}));
  CHECK((broadcast({{5, 1, 4}, {3, 1}, {4}}) == Vec{5, 3, 4}));
  CHECK((broadcast({{2}, {3}}) == Vec{-1}));
  CHECK((broadcast({{0}, {2}}) == Vec{-1}));
}

void stretched_axes_have_stride_zero() {
  CHECK((strides_for({3}, {1}, {2, 3}) == Vec{0, 1}));
  CHECK((strides_for({2, 1}, {1, 1}, {2, 3}) == Vec{1, 0}));
  CHECK((strides_for({2, 3}, {-3, 1}, {2, 3}) == Vec{-3, 1}));
}

void reshape_keeps_views_where_strides_allow() {
  CHECK((reshaped({2, 3}, {3, 1}, {6}) == Vec{1}));
  CHECK((reshaped({6}, {1}, {2, 3}) == Vec{3, 1}));
  CHECK((reshaped({6}, {-2}, {2, 3}) == Vec{-6, -2}));
  CHECK((reshaped({2, 3}, {1, 2}, {6}) == Vec{-99}));             // transposed
  CHECK((reshaped({2, 3, 4}, {1, 8, 2}, {2, 12}) == Vec{1, 2}));  // only the last two merge
  CHECK((reshaped({4, 1, 2}, {2, 77, 1}, {8}) == Vec{1}));  // a unit axis's stride means nothing
  CHECK((reshaped({}, {}, {1, 1}).size() == 2));
  CHECK((reshaped({1}, {5}, {}).empty()));
}

void axes_are_normalised_and_checked() {
  CHECK_EQ(normalize_axis(-1, 3), 2);
  CHECK_EQ(normalize_axis(0, 3), 0);
  CHECK_EQ(axes_mask(dims({0, -1}), 3), 0b101u);
  CHECK_EQ(axes_mask(dims({}), 3), 0u);
  CHECK(check::error_kind([] { normalize_axis(3, 3); }) != "nothing");
  CHECK(check::error_kind([] { normalize_axis(-4, 3); }) != "nothing");
  CHECK(check::error_kind([] { normalize_axis(0, 0); }) != "nothing");
  CHECK_EQ(check::error_kind([] { axes_mask(dims({1, -2}), 3); }), "ValueError");
}

void products_of_extents() {
  CHECK_EQ(product(dims({})), 1);
  CHECK_EQ(product(dims({3, 0, 2})), 0);
  CHECK_EQ(product(dims({3, 4})), 12);
}

}  // namespace
}  // namespace isthmus

int main() {
  using namespace isthmus;
  return check::run_tests({
      {"broadcasting", broadcasting_stretches_ones_and_refuses_the_rest},
      {"broadcast strides", stretched_axes_have_stride_zero},
      {"reshape", reshape_keeps_views_where_strides_allow},
      {"axes", axes_are_normalised_and_checked},
      {"product", products_of_extents},
  });
}
