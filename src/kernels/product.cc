// kernels/product.cc: see the header. Two forms: sums of products of a row and a column, and sums
// of multiples of rows of b, which the compiler vectorises.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/product.h"

#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <type_traits>

#include "core/storage.h"
#include "kernels/strided_loop.h"

namespace isthmus {
namespace {

template <class T>
inline constexpr bool kComplex = false;
template <class T>
inline constexpr bool kComplex<std::complex<T>> = true;

// The type that products of T are summed in. Integers wrap around, which only unsigned ones may in
// C++; narrow ones are summed in their own width, because the excess bits do not matter.
template <class T>
struct SumOf {
  using type = T;
};
template <class T>
  requires std::is_integral_v<T>
struct SumOf<T> {
  using type = std::make_unsigned_t<T>;
};
template <>
struct SumOf<bool> {
  using type = uint8_t;
};
template <>
struct SumOf<Half> {
  using type = float;
};
template <class T>
using Sum = typename SumOf<T>::type;

template <class T>
inline Sum<T> load(const char* p) {
  const T v = *reinterpret_cast<const T*>(p);
  if constexpr (std::is_same_v<T, Half>) return half_to_float(v);
  else if constexpr (std::is_same_v<T, bool>) return v;
  else return static_cast<Sum<T>>(v);
}
template <class T>
inline void store(char* p, Sum<T> v) {
  if constexpr (std::is_same_v<T, Half>) *reinterpret_cast<T*>(p) = float_to_half(v);
  else if constexpr (std::is_same_v<T, bool>) *reinterpret_cast<uint8_t*>(p) = v;
  else *reinterpret_cast<T*>(p) = static_cast<T>(v);
}

// sum + x * y, without the special cases of C++'s complex multiplication (NumPy has none either).
template <class T>
inline Sum<T> add_product(Sum<T> sum, Sum<T> x, Sum<T> y) {
  if constexpr (std::is_same_v<T, bool>) {
    return static_cast<uint8_t>(sum | (x & y));
  } else if constexpr (kComplex<T>) {
    return {sum.real() + (x.real() * y.real() - x.imag() * y.imag()),
            sum.imag() + (x.real() * y.imag() + x.imag() * y.real())};
  } else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(int)) {
    return static_cast<Sum<T>>(sum +
                               static_cast<unsigned>(x) * y);  // not in int, which could overflow
  } else {
    return sum + x * y;
  }
}

// a . b with four running sums, so that an addition need not wait for the one before.
template <class T, bool kConjugate = false>
inline Sum<T> vector_product(const char* a, int64_t sa, const char* b, int64_t sb, int64_t n) {
  auto x = [&](int64_t i) {
    auto v = load<T>(a + i * sa);
    if constexpr (kConjugate) return std::conj(v);
    else return v;
  };
  auto y = [&](int64_t i) { return load<T>(b + i * sb); };
  Sum<T> s0{};
  int64_t i = 0;
  if (n >= 8) {
    Sum<T> s1{}, s2{}, s3{};
    for (; i + 4 <= n; i += 4) {
      s0 = add_product<T>(s0, x(i), y(i));
      s1 = add_product<T>(s1, x(i + 1), y(i + 1));
      s2 = add_product<T>(s2, x(i + 2), y(i + 2));
      s3 = add_product<T>(s3, x(i + 3), y(i + 3));
    }
    if constexpr (std::is_same_v<T, bool>) s0 = s0 | s1 | s2 | s3;
    else s0 = static_cast<Sum<T>>((s0 + s1) + (s2 + s3));
  }
  for (; i < n; ++i) s0 = add_product<T>(s0, x(i), y(i));
  return s0;
}

template <class T, bool kConjugate>
void vector_product_out(const char* a, int64_t sa, const char* b, int64_t sb, char* out,
                        int64_t n) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    // In one sum the compiler vectorises it.
    if (sa == sizeof(T) && sb == sizeof(T)) {
      auto *x = reinterpret_cast<const T*>(a), *y = reinterpret_cast<const T*>(b);
      Sum<T> sum = 0;
      for (int64_t i = 0; i < n; ++i)
        sum = add_product<T>(sum, static_cast<Sum<T>>(x[i]), static_cast<Sum<T>>(y[i]));
      return store<T>(out, sum);
    }
  }
  store<T>(out, vector_product<T, kConjugate>(a, sa, b, sb, n));
}

// Square matrices of a fixed size, wholly in registers.
template <class T, int N>
inline void product_fixed(const MatrixProduct& p) {
  Sum<T> b[N][N];
  for (int l = 0; l < N; ++l)
    for (int j = 0; j < N; ++j) b[l][j] = load<T>(p.b + l * p.b_row + j * p.b_col);
  for (int i = 0; i < N; ++i) {
    Sum<T> c[N] = {};
    for (int l = 0; l < N; ++l) {
      const Sum<T> x = load<T>(p.a + i * p.a_row + l * p.a_col);
      for (int j = 0; j < N; ++j) c[j] = add_product<T>(c[j], x, b[l][j]);
    }
    for (int j = 0; j < N; ++j)
      store<T>(p.c + i * p.c_row + j * static_cast<int64_t>(sizeof(T)), c[j]);
  }
}

// Each element of c as the product of a row and a column.
template <class T>
void product_by_dots(const MatrixProduct& p) {
  for (int64_t i = 0; i < p.n; ++i) {
    const char *a = p.a + i * p.a_row, *b = p.b;
    char* c = p.c + i * p.c_row;
    for (int64_t j = 0; j < p.m; ++j, b += p.b_col, c += sizeof(T))
      store<T>(c, vector_product<T>(a, p.a_col, b, p.b_row, p.k));
  }
}

// kRows rows of c at columns [0, kWidth): kRows * kWidth running sums in registers. Rows of b are
// contiguous.
template <class T, int kRows, int kWidth>
inline void rows_block(const MatrixProduct& p, const char* a, const char* b, char* c, int64_t depth,
                       bool first) {
  Sum<T> sum[kRows][kWidth] = {};
  if (!first) {
    for (int r = 0; r < kRows; ++r)
      for (int j = 0; j < kWidth; ++j)
        sum[r][j] = load<T>(c + r * p.c_row + j * static_cast<int64_t>(sizeof(T)));
  }
  for (int64_t l = 0; l < depth; ++l, a += p.a_col, b += p.b_row) {
    const T* row = reinterpret_cast<const T*>(b);
    for (int r = 0; r < kRows; ++r) {
      const Sum<T> x = load<T>(a + r * p.a_row);
      for (int j = 0; j < kWidth; ++j)
        sum[r][j] = add_product<T>(sum[r][j], x, load<T>(reinterpret_cast<const char*>(row + j)));
    }
  }
  for (int r = 0; r < kRows; ++r)
    for (int j = 0; j < kWidth; ++j)
      store<T>(c + r * p.c_row + j * static_cast<int64_t>(sizeof(T)), sum[r][j]);
}

// Depth of a panel of b that stays in the first-level cache while all rows of a pass over it.
constexpr int64_t kPanel = 256;

template <class T, int kWidth>
void columns_block(const MatrixProduct& p, int64_t j) {
  constexpr int kRows = sizeof(T) * kWidth > 64 ? 1 : 2;
  constexpr int64_t kIsz = sizeof(T);
  // float16 rounds when it is stored, so its sums stay in registers from the first to the last
  // product.
  const int64_t panel = std::is_same_v<T, Half> ? std::max<int64_t>(p.k, 1) : kPanel;
  for (int64_t l = 0; l == 0 || l < p.k; l += panel) {
    const int64_t depth = std::min(panel, p.k - l);
    const char *a = p.a + l * p.a_col, *b = p.b + l * p.b_row + j * kIsz;
    char* c = p.c + j * kIsz;
    int64_t i = 0;
    for (; i + kRows <= p.n; i += kRows)
      rows_block<T, kRows, kWidth>(p, a + i * p.a_row, b, c + i * p.c_row, depth, l == 0);
    for (; i < p.n; ++i)
      rows_block<T, 1, kWidth>(p, a + i * p.a_row, b, c + i * p.c_row, depth, l == 0);
  }
}

template <class T>
void product_by_rows(const MatrixProduct& p) {
  constexpr int kWide = sizeof(T) >= 16 ? 2 : sizeof(T) == 8 ? 4 : sizeof(T) == 4 ? 8 : 16;
  int64_t j = 0;
  for (; j + kWide <= p.m; j += kWide) columns_block<T, kWide>(p, j);
  if constexpr (kWide > 4) {
    for (; j + 4 <= p.m; j += 4) columns_block<T, 4>(p, j);
  }
  for (; j < p.m; ++j) columns_block<T, 1>(p, j);
}

// A contiguous copy of b, where that pays.
template <class T>
[[gnu::noinline]] void product_packed(const MatrixProduct& p) {
  constexpr int64_t kIsz = sizeof(T);
  uint8_t size_class;
  void* block = pool_alloc(static_cast<size_t>(p.k * p.m) * sizeof(T), &size_class);
  struct Guard {
    void* block;
    uint8_t size_class;
    ~Guard() { pool_free(block, size_class); }
  } guard{block, size_class};
  int64_t shape[2] = {p.k, p.m}, to[2] = {p.m, 1};
  if (p.b_row % kIsz == 0 && p.b_col % kIsz == 0) {
    int64_t from[2] = {p.b_row / kIsz, p.b_col / kIsz};
    copy_strided(static_cast<char*>(block), to, dtype_of<T>(), p.b, from, dtype_of<T>(),
                 {shape, 2});
  } else {
    T* out = static_cast<T*>(block);
    for (int64_t l = 0; l < p.k; ++l)
      for (int64_t j = 0; j < p.m; ++j)
        *out++ = *reinterpret_cast<const T*>(p.b + l * p.b_row + j * p.b_col);
  }
  MatrixProduct q = p;
  q.b = static_cast<const char*>(block);
  q.b_row = p.m * kIsz;
  q.b_col = kIsz;
  product_by_rows<T>(q);
}

template <class T>
void product(const MatrixProduct& p) {
  constexpr int64_t kIsz = sizeof(T);
  if (p.n == p.m && p.n == p.k) {
    if (p.n == 2) return product_fixed<T, 2>(p);
    if (p.n == 3) return product_fixed<T, 3>(p);
    if constexpr (std::is_floating_point_v<T>) {
      if (p.n == 4) return product_fixed<T, 4>(p);
    }
  }
  if (p.m == 1) {
    // A column-major matrix times a vector reads the columns of the matrix as rows.
    if (p.a_row == kIsz && p.n >= 4 && p.c_row == kIsz) {
      return product_by_rows<T>(
          {p.b, p.a, p.c, 1, p.k, p.n, p.b_col, p.b_row, p.a_col, p.a_row, p.n * kIsz});
    }
    return product_by_dots<T>(p);
  }
  if (p.b_col == kIsz && (p.m >= 4 || p.a_col != kIsz)) return product_by_rows<T>(p);
  if (p.n >= 8 && p.m >= 4 && p.k >= 4) return product_packed<T>(p);
  product_by_dots<T>(p);
}

}  // namespace

ProductFn product_kernel(DType d) {
  static constexpr std::array<ProductFn, kNumDTypes> kTable = [] {
    std::array<ProductFn, kNumDTypes> t{};
    auto set = [&]<class... T>(std::type_identity<T>...) {
      ((t[static_cast<size_t>(dtype_of<T>())] = product<T>), ...);
    };
    set(std::type_identity<bool>(), std::type_identity<int8_t>(), std::type_identity<uint8_t>(),
        std::type_identity<int16_t>(), std::type_identity<uint16_t>(),
        std::type_identity<int32_t>(), std::type_identity<uint32_t>(),
        std::type_identity<int64_t>(), std::type_identity<uint64_t>(), std::type_identity<Half>(),
        std::type_identity<float>(), std::type_identity<double>(),
        std::type_identity<std::complex<float>>(), std::type_identity<std::complex<double>>());
    return t;
  }();
  return kTable[static_cast<size_t>(d)];
}

VectorProductFn vector_product_kernel(DType d, bool conjugate) {
  return dispatch(d, [&]<class T>() -> VectorProductFn {
    if constexpr (kComplex<T>) {
      if (conjugate) return vector_product_out<T, true>;
    }
    return vector_product_out<T, false>;
  });
}

}  // namespace isthmus
