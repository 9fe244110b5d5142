// kernels/loops-inl.h: makes typed inner loops out of element functors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "core/dtype.h"
#include "ops/ufunc.h"

namespace isthmus {

// float16 is computed in float32.
template <class T>
inline auto widen(T v) {
  if constexpr (std::is_same_v<T, Half>) return half_to_float(v);
  else return v;
}
template <class T, class V>
inline T narrow(V v) {
  if constexpr (std::is_same_v<T, Half> && !std::is_same_v<V, Half>)
    return float_to_half(static_cast<float>(v));
  else return static_cast<T>(v);
}

// Keeps a quiet comparison of floats scalar: vectorised for SSE it would raise the invalid flag for
// NaN.
inline bool quiet(bool v) {
#ifdef __GNUC__
  int i = v;
  asm("" : "+r"(i));
  return i != 0;
#else
  return v;
#endif
}

// out = f(in). F: a stateless functor.
template <class F, class In, class Out>
void unary_loop(char** args, const intptr_t* n_, const intptr_t* strides, void*) {
  const intptr_t n = *n_, si = strides[0], so = strides[1];
  const char* in = args[0];
  char* out = args[1];
  F f;
  if (si == static_cast<intptr_t>(sizeof(In)) && so == static_cast<intptr_t>(sizeof(Out))) {
    auto* x = reinterpret_cast<const In*>(in);
    auto* y = reinterpret_cast<Out*>(out);
    for (intptr_t i = 0; i < n; ++i) y[i] = narrow<Out>(f(widen(x[i])));
    return;
  }
  for (intptr_t i = 0; i < n; ++i, in += si, out += so)
    *reinterpret_cast<Out*>(out) = narrow<Out>(f(widen(*reinterpret_cast<const In*>(in))));
}

template <class T>
inline constexpr bool is_complex_v = false;
template <class T>
inline constexpr bool is_complex_v<std::complex<T>> = true;

// Pairwise summation: error grows with log n. Blocks of 128 numbers with eight running sums, as
// NumPy sums, so that results are the same to the bit; a complex element counts as two numbers.
// float16 is summed in float32.
template <class T>
auto pairwise_sum(const char* p, intptr_t n, intptr_t stride) {
  using V = decltype(widen(T()));
  constexpr intptr_t kLanes = is_complex_v<T> ? 4 : 8;
  auto at = [&](intptr_t i) { return widen(*reinterpret_cast<const T*>(p + i * stride)); };
  if (n < kLanes) {
    V sum;
    if constexpr (is_complex_v<T>) sum = {-0.0, -0.0};
    else sum = V(-0.0);
    for (intptr_t i = 0; i < n; ++i) sum += at(i);
    return sum;
  }
  if (n <= 16 * kLanes) {
    V r[kLanes];
    for (intptr_t k = 0; k < kLanes; ++k) r[k] = at(k);
    intptr_t i = kLanes;
    for (; i < n - n % kLanes; i += kLanes)
      for (intptr_t k = 0; k < kLanes; ++k) r[k] += at(i + k);
    V sum = (r[0] + r[1]) + (r[2] + r[3]);
    if constexpr (kLanes == 8) sum += (r[4] + r[5]) + (r[6] + r[7]);
    for (; i < n; ++i) sum += at(i);
    return sum;
  }
  intptr_t half = n / 2;
  half -= half % kLanes;
  V first = pairwise_sum<T>(p, half, stride);
  return static_cast<V>(first + pairwise_sum<T>(p + half * stride, n - half, stride));
}

struct Add;

// out = f(a, b); with args[0] == args[2] and zero strides it accumulates b into out.
template <class F, class A, class B, class Out>
void binary_loop(char** args, const intptr_t* n_, const intptr_t* strides, void*) {
  const intptr_t n = *n_, sa = strides[0], sb = strides[1], so = strides[2];
  const char *a = args[0], *b = args[1];
  char* out = args[2];
  F f;
  constexpr intptr_t kA = sizeof(A), kB = sizeof(B), kO = sizeof(Out);
  if constexpr (std::is_same_v<A, Out> && std::is_same_v<B, Out>) {
    if (a == out && sa == 0 && so == 0) {
      Out& acc = *reinterpret_cast<Out*>(out);
      if constexpr (std::is_same_v<F, Add> && !std::is_integral_v<Out>) {
        acc = narrow<Out>(widen(acc) + pairwise_sum<Out>(b, n, sb));
      } else {
        auto v = widen(acc);
        for (intptr_t i = 0; i < n; ++i, b += sb)
          v = static_cast<decltype(v)>(f(v, widen(*reinterpret_cast<const B*>(b))));
        acc = narrow<Out>(v);
      }
      return;
    }
  }
  if (so == kO) {
    auto* y = reinterpret_cast<Out*>(out);
    if (sa == kA && sb == kB) {
      auto* x1 = reinterpret_cast<const A*>(a);
      auto* x2 = reinterpret_cast<const B*>(b);
      for (intptr_t i = 0; i < n; ++i) y[i] = narrow<Out>(f(widen(x1[i]), widen(x2[i])));
      return;
    }
    if (sa == kA && sb == 0) {
      auto* x1 = reinterpret_cast<const A*>(a);
      const B s = *reinterpret_cast<const B*>(b);
      for (intptr_t i = 0; i < n; ++i) y[i] = narrow<Out>(f(widen(x1[i]), widen(s)));
      return;
    }
  }
  for (intptr_t i = 0; i < n; ++i, a += sa, b += sb, out += so)
    *reinterpret_cast<Out*>(out) = narrow<Out>(
        f(widen(*reinterpret_cast<const A*>(a)), widen(*reinterpret_cast<const B*>(b))));
}

// (out1, out2) = f(a, b); F returns a pair.
template <class F, class A, class Out1, class Out2>
void binary_loop2(char** args, const intptr_t* n_, const intptr_t* strides, void*) {
  F f;
  char *a = args[0], *b = args[1], *o1 = args[2], *o2 = args[3];
  for (intptr_t i = 0; i < *n_;
       ++i, a += strides[0], b += strides[1], o1 += strides[2], o2 += strides[3]) {
    auto [r1, r2] = f(widen(*reinterpret_cast<const A*>(a)), widen(*reinterpret_cast<const A*>(b)));
    *reinterpret_cast<Out1*>(o1) = narrow<Out1>(r1);
    *reinterpret_cast<Out2*>(o2) = narrow<Out2>(r2);
  }
}
template <class F, class A, class Out1, class Out2>
void unary_loop2(char** args, const intptr_t* n_, const intptr_t* strides, void*) {
  F f;
  char *a = args[0], *o1 = args[1], *o2 = args[2];
  for (intptr_t i = 0; i < *n_; ++i, a += strides[0], o1 += strides[1], o2 += strides[2]) {
    auto [r1, r2] = f(widen(*reinterpret_cast<const A*>(a)));
    *reinterpret_cast<Out1*>(o1) = narrow<Out1>(r1);
    *reinterpret_cast<Out2*>(o2) = narrow<Out2>(r2);
  }
}

// Lists of C++ types, for naming which loops an operator has.
template <class... T>
struct Types {};
using Integers = Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t>;
using Floats = Types<Half, float, double>;
using Complexes = Types<std::complex<float>, std::complex<double>>;
template <class... L>
struct Concat;
template <class... A>
struct Concat<Types<A...>> {
  using type = Types<A...>;
};
template <class... A, class... B, class... Rest>
struct Concat<Types<A...>, Types<B...>, Rest...> {
  using type = typename Concat<Types<A..., B...>, Rest...>::type;
};
template <class... L>
using concat = typename Concat<L...>::type;
using Bool = Types<bool>;
using Reals = concat<Integers, Floats>;
using Numbers = concat<Integers, Floats, Complexes>;
using AllTypes = concat<Bool, Numbers>;

// Loops T -> T (or T -> Out) for each type of the list.
template <class F, class... T>
std::vector<UfuncLoop> unary_loops(Types<T...>) {
  return {UfuncLoop{{dtype_of<T>(), dtype_of<T>()}, unary_loop<F, T, T>, nullptr, nullptr}...};
}
template <class F, class Out, class... T>
std::vector<UfuncLoop> unary_loops_to(Types<T...>) {
  return {UfuncLoop{{dtype_of<T>(), dtype_of<Out>()}, unary_loop<F, T, Out>, nullptr, nullptr}...};
}
// Loops T, T -> T (or Out).
template <class F, class... T>
std::vector<UfuncLoop> binary_loops(Types<T...>) {
  return {UfuncLoop{
      {dtype_of<T>(), dtype_of<T>(), dtype_of<T>()}, binary_loop<F, T, T, T>, nullptr, nullptr}...};
}
template <class F, class Out, class... T>
std::vector<UfuncLoop> binary_loops_to(Types<T...>) {
  return {UfuncLoop{{dtype_of<T>(), dtype_of<T>(), dtype_of<Out>()},
                    binary_loop<F, T, T, Out>,
                    nullptr,
                    nullptr}...};
}
// Loops T, T -> (T, T) and T -> (T, T).
template <class F, class... T>
std::vector<UfuncLoop> binary_loops2(Types<T...>) {
  return {UfuncLoop{{dtype_of<T>(), dtype_of<T>(), dtype_of<T>(), dtype_of<T>()},
                    binary_loop2<F, T, T, T>,
                    nullptr,
                    nullptr}...};
}
template <class F, class... T>
std::vector<UfuncLoop> unary_loops2(Types<T...>) {
  return {UfuncLoop{
      {dtype_of<T>(), dtype_of<T>(), dtype_of<T>()}, unary_loop2<F, T, T, T>, nullptr, nullptr}...};
}
// Marks loops that a host's replace whatever the number of elements.
inline std::vector<UfuncLoop> approximate(std::vector<UfuncLoop> loops) {
  for (UfuncLoop& l : loops) l.approximate = true;
  return loops;
}
inline std::vector<UfuncLoop> join(std::initializer_list<std::vector<UfuncLoop>> lists) {
  std::vector<UfuncLoop> all;
  for (const auto& l : lists) all.insert(all.end(), l.begin(), l.end());
  return all;
}

}  // namespace isthmus
