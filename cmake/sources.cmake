# SPDX-License-Identifier: Apache-2.0
# Every source file, by layer. Explicit on purpose: a file that is not here is not built.
set(ISTHMUS_SOURCES
  src/core/dtype.cc
  src/core/storage.cc
  src/core/array.cc
  src/layout/layout.cc
  src/kernels/cast.cc
  src/kernels/strided_loop.cc
  src/kernels/product.cc
  src/engine/engine.cc
  src/ops/registry.cc
  src/ops/schema.cc
  src/ops/register_all.cc
  src/ops/ufunc.cc
  src/ops/host.cc
  src/ops/arithmetic.cc
  src/ops/math.cc
  src/ops/comparison.cc
  src/ops/bits.cc
  src/ops/elementwise.cc
  src/ops/closeness.cc
  src/ops/reduce.cc
  src/ops/creation.cc
  src/ops/ranges.cc
  src/ops/manipulation.cc
  src/ops/rearranging.cc
  src/ops/joining.cc
  src/ops/indexing.cc
  src/ops/selecting.cc
  src/ops/sorting.cc
  src/ops/searching.cc
  src/ops/sets.cc
  src/ops/statistics.cc
  src/ops/differences.cc
  src/ops/nan_functions.cc
  src/ops/products.cc
  src/ops/tensor_products.cc
  src/ops/lapack.cc
  src/ops/linalg.cc
  src/ops/decompositions.cc
  src/ops/norms.cc
  src/ops/einsum.cc
  src/ffi/init.cc
  src/testing/testing.cc
)

# Under python/ext/.
set(ISTHMUS_PYTHON_SOURCES
  module.cc
  array_type.cc
  array_methods.cc
  number.cc
  subscript.cc
  buffer.cc
  convert.cc
  result.cc
  error.cc
  op_type.cc
  function_type.cc
  numpy_provider.cc
  interop.cc
)

# Under tests/cpp/. Unit tests see the internals (they link the core's objects); API tests see only
# what a user's program sees (they link libisthmus). Each file is one program and one ctest entry.
set(ISTHMUS_UNIT_TESTS
  test_layout.cc
  test_dtype.cc
)
set(ISTHMUS_API_TESTS
  test_api.cc
)
