# SPDX-License-Identifier: Apache-2.0
"""Reductions and running totals: axes, keepdims, dtype=, out=, initial=, where=, empty arrays."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec

# What each takes beyond (a, axis); `empty` says whether an empty reduction has a value.
PLAIN = ("sum", "prod", "max", "min", "any", "all", "mean", "std", "var")
TUPLES = (*PLAIN, "count_nonzero", "ptp", "median", "nansum", "nanprod", "nanmax", "nanmin",
          "nanmean", "nanstd", "nanvar", "nanmedian", "amax", "amin")  # fmt: skip
ONE_AXIS = ("argmax", "argmin", "nanargmax", "nanargmin")
RUNNING = ("cumsum", "cumprod", "nancumsum", "nancumprod")
METHODS = (*PLAIN, "argmax", "argmin", "cumsum", "cumprod")
ULPS = 32


def fn(name):
    return lambda lib, *args, **kwargs: getattr(lib, name)(*args, **kwargs)


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TUPLES, *ONE_AXIS, *RUNNING])
def test_reduction_of_every_dtype(name):
    for i, dtype in enumerate(h.ALL):
        a = h.ArraySpec(h.fill((3, 4), dtype, 3 + i, "small"))
        both(lambda lib, a: getattr(lib, name)(a), a, ulps=ULPS)
        both(lambda lib, a: getattr(lib, name)(a, axis=0), a, ulps=ULPS)
        both(lambda lib, a: getattr(lib, name)(a, -1), a, ulps=ULPS)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin", "nanmax", "nanmin", "any",
                                  "all", "sum", "median", "nanargmax", "ptp"])  # fmt: skip
@given(data=st.data())
def test_reduction_of_specials(name, data):
    a = data.draw(h.arrays(h.ALL if name not in ("sum", "ptp") else h.FLOATS))
    both(lambda lib, a: getattr(lib, name)(a), a, ulps=8)
    if a.ndim:
        axis = data.draw(h.axis_of(a.ndim))
        both(lambda lib, a: getattr(lib, name)(a, axis), a, ulps=8)


@pytest.mark.parametrize("name", ["argmax", "argmin", "max", "min"])
def test_first_of_equal_values_and_first_nan_are_found(name):
    for values in ([1, 3, 3, 1], [2.0, onp.nan, 5.0, onp.nan], [0.0, -0.0], [onp.inf, onp.inf]):
        both(fn(name), spec(values))
    long = onp.zeros(1000)
    long[[777, 778]] = 1
    both(fn(name), spec(long))
    both(fn(name), spec(long.astype(bool)))
    both(fn(name), spec(long.astype("int8")))


@pytest.mark.parametrize("name", [*PLAIN, *RUNNING, "argmax", "median"])
@pytest.mark.parametrize("shape", [(1000,), (97, 103), (4, 3000), (3000, 4), (5, 7, 300)], ids=str)
def test_reduction_of_long_arrays(name, shape):
    a = h.ArraySpec(h.fill(shape, "float64", 8, "unit"))
    both(fn(name), a, ulps=256)
    for axis in range(len(shape)):
        both(lambda lib, a, axis: getattr(lib, name)(a, axis=axis), a, axis, ulps=256)


@pytest.mark.parametrize("dtype", ["float16", "float32", "int8", "uint8", "bool", "complex64"])
@pytest.mark.parametrize("name", ["sum", "mean", "prod", "cumsum", "var"])
def test_reduction_of_long_narrow_arrays(name, dtype):
    ones = onp.ones(5000, dtype)
    both(fn(name), spec(ones), ulps=ULPS, scale=1.0)
    both(fn(name), h.ArraySpec(ones, (("index", slice(None, None, -3)),)), ulps=ULPS, scale=1.0)


# --- axes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TUPLES)
@given(data=st.data())
def test_axes_and_keepdims(name, data):
    a = data.draw(h.arrays(("float64", "int32"), kind="small"))
    axis, keepdims = data.draw(h.axes_of(a.ndim)), data.draw(st.booleans())
    both(lambda lib, a: getattr(lib, name)(a, axis=axis, keepdims=keepdims), a, ulps=ULPS)


@pytest.mark.parametrize("axis", [3, -4, (0, 0), (0, -3), (1, 5), 1.0, "x", (0, 1.0), [0], 2**40,
                                  2**70, (), (0,), True, onp.int64(1), onp.array(1)],
                         ids=repr)  # fmt: skip
@pytest.mark.parametrize("name", ["sum", "mean", "max", "any", "std", "argmax", "cumsum",
                                  "count_nonzero", "median"])  # fmt: skip
def test_axis_in_every_form_or_error(name, axis):
    # NumPy's Python code fails with OverflowError, its C code with AxisError.
    beyond = isinstance(axis, int) and axis >= 2**31
    both(lambda lib, a: getattr(lib, name)(a, axis=axis), spec(onp.arange(24.0).reshape(2, 3, 4)),
         ulps=ULPS, loose=beyond)  # fmt: skip


@pytest.mark.parametrize("axis", [0, -1, 1, -2, (), (0,), None], ids=repr)
@pytest.mark.parametrize("name", ["sum", "max", "mean", "argmax", "cumsum", "any"])
def test_axis_of_a_zero_dim_array(name, axis):
    both(lambda lib, a: getattr(lib, name)(a, axis=axis), spec(2.5))


@pytest.mark.parametrize("keepdims", [1, 0, "x", None, onp.True_], ids=repr)
def test_keepdims_of_other_types(keepdims):
    both(lambda lib, a: lib.sum(a, axis=0, keepdims=keepdims), spec([[1, 2], [3, 4]]))


# --- empty arrays -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*TUPLES, *ONE_AXIS, *RUNNING])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 3)], ids=str)
def test_reduction_of_empty_arrays(name, shape):
    for dtype in ("float64", "int32", "bool"):
        a = spec(onp.zeros(shape, dtype))
        both(fn(name), a)
        for axis in range(len(shape)):
            both(lambda lib, a, axis: getattr(lib, name)(a, axis=axis), a, axis)


# --- dtype=, out=, initial=, where= -------------------------------------------------------------


@pytest.mark.parametrize("name", ["sum", "prod", "cumsum", "cumprod", "mean"])
def test_dtype_of_the_accumulator(name):
    for source in ("bool", "int8", "uint8", "int64", "float32", "complex64"):
        for target in ("bool", "int8", "int32", "uint64", "float16", "float64", "complex128"):
            a = h.ArraySpec(h.fill((2, 5), source, 19, "positive"))
            both(lambda lib, a, t: getattr(lib, name)(a, dtype=t), a, target, ulps=ULPS)


@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "any", "all", "mean", "std", "var"])
@given(data=st.data())
def test_out_takes_the_result(name, data):
    a = data.draw(h.arrays(("float64", "int32", "bool"), kind="positive",
                           shape=h.shapes(min_dims=1, max_dims=3, min_side=1)))  # fmt: skip
    axis = data.draw(h.axis_of(a.ndim))
    shape = list(a.shape)
    del shape[axis]
    exact = name in ("mean", "std", "var")  # where NumPy divides into out by the strict rule
    out = data.draw(h.arrays(h.INEXACT if exact else h.ALL, shape=tuple(shape), kind="small"))
    both(lambda lib, a, out: getattr(lib, name)(a, axis=axis, out=out) is out, a, out, ulps=ULPS)


@pytest.mark.parametrize("name", ["argmax", "argmin", "cumsum", "cumprod"])
@pytest.mark.parametrize("dtype", ["int64", "int32", "float64", "float32"])
def test_out_of_index_and_running_reductions(name, dtype):
    a = spec(onp.arange(6.0).reshape(2, 3))
    out = spec(onp.zeros((2, 3) if name.startswith("cum") else 3, dtype))
    both(lambda lib, a, out: getattr(lib, name)(a, axis=0, out=out) is out, a, out)


@pytest.mark.parametrize("shape", [(2,), (3, 1), (), (1, 3)], ids=str)
@pytest.mark.parametrize("name", ["sum", "max", "mean", "argmax", "cumsum", "median"])
def test_out_of_a_wrong_shape_raises(name, shape):
    a, out = spec(onp.ones((4, 3))), spec(onp.zeros(shape))
    both(lambda lib, a, out: getattr(lib, name)(a, axis=0, out=out), a, out)


def test_out_that_is_part_of_the_input():
    a = spec(onp.arange(12.0).reshape(3, 4))
    both(lambda lib, a: lib.sum(a, axis=0, out=a[0]), a)
    both(lambda lib, a: lib.cumsum(a, axis=0, out=a), a)
    both(lambda lib, a: lib.cumsum(a[0, ::-1], out=a[0]), a)


@pytest.mark.parametrize(
    "initial",
    [
        0,
        2,
        -1.5,
        10**3,
        True,
        None,
        1j,
        "x",
        [1],
        [[1]],
        [1, 2],
        onp.array([1]),
        onp.array(2),
        2**70,
    ],
    ids=repr,
)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min"])
def test_initial_value(name, initial):
    for values in (onp.arange(6.0).reshape(2, 3), onp.zeros((0, 3)), onp.arange(3)):
        both(
            lambda lib, a: getattr(lib, name)(a, axis=0, initial=initial),
            spec(values),
        )


@pytest.mark.parametrize("name", ["sum", "prod", "any", "all", "mean", "std", "var", "nansum"])
@given(data=st.data())
def test_where_selects_the_elements(name, data):
    a = data.draw(h.arrays(("float64", "int32"), kind="small", shape=h.shapes(max_dims=3)))
    mask = data.draw(h.arrays(("bool",), shape=data.draw(h.broadcasts_to(a.shape))))
    axis = data.draw(h.axes_of(a.ndim))
    both(lambda lib, a, m: getattr(lib, name)(a, axis=axis, where=m), a, mask, ulps=ULPS)


@pytest.mark.parametrize("name", ["max", "min"])
def test_where_of_an_extremum_needs_initial(name):
    a, mask = spec([[1.0, 5, 3], [4, 2, 0]]), spec([True, False, True])
    both(lambda lib, a, m: getattr(lib, name)(a, where=m), a, mask)
    both(lambda lib, a, m: getattr(lib, name)(a, axis=1, where=m, initial=2), a, mask)


@pytest.mark.parametrize("name", ["sum", "mean", "var", "any", "nansum"])
@pytest.mark.parametrize(
    "where", [1, [1, 0, 1], [True, False], onp.array([1, 0, 1]), [], 0, "x", None], ids=repr
)
def test_where_of_numbers(where, name):
    for values in ([1.0, 2, 3], []):
        both(lambda lib, a: getattr(lib, name)(a, where=where), spec(values), ulps=ULPS)


@pytest.mark.parametrize("ddof", [0, 1, 2, 5, 0.5, -1])
@pytest.mark.parametrize("name", ["std", "var", "nanvar"])
def test_degrees_of_freedom(name, ddof):
    both(lambda lib, a: getattr(lib, name)(a, axis=1, ddof=ddof), spec([[1.0, 2, 4], [3, 3, 9]]),
         ulps=ULPS)  # fmt: skip


def test_correction_and_mean_of_var():
    a = spec([[1.0, 2, 4], [3, 3, 9]])
    both(lambda lib, a: lib.var(a, correction=1), a, ulps=ULPS)
    both(lambda lib, a: lib.std(a, axis=1, mean=lib.mean(a, axis=1, keepdims=True)), a, ulps=ULPS)
    both(lambda lib, a: lib.std(a, ddof=1, correction=1), a)


# --- running totals -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", RUNNING)
@given(data=st.data())
def test_running_total_along_an_axis(name, data):
    a = data.draw(h.arrays(kind="small"))
    axis = data.draw(st.none() | h.axis_of(a.ndim)) if a.ndim else None
    both(lambda lib, a: getattr(lib, name)(a, axis=axis), a, ulps=8)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_cumulative_functions_of_the_standard(name):
    a, m = spec([1, 2, 3]), spec([[1.0, 2], [3, 4]])
    both(lambda lib, a: getattr(lib, name)(a), a)
    both(lambda lib, a: getattr(lib, name)(a, include_initial=True), a)
    both(lambda lib, m: getattr(lib, name)(m, axis=1, dtype="float32"), m)
    both(lambda lib, m: getattr(lib, name)(m), m)


@given(data=st.data())
def test_diff_of_any_order_with_prepend_and_append(data):
    a = data.draw(h.arrays(kind="small", shape=h.shapes(min_dims=1, max_dims=3)))
    axis, n = data.draw(h.axis_of(a.ndim)), data.draw(st.integers(-1, 3))
    both(lambda lib, a: lib.diff(a, n, axis), a)
    both(lambda lib, a: lib.diff(a, axis=axis, prepend=1, append=0), a)


# --- methods ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", METHODS)
@given(data=st.data())
def test_method_equals_function(name, data):
    a = data.draw(h.arrays(("float64", "int32", "bool"), kind="small"))
    axis = data.draw(st.none() | h.axis_of(a.ndim)) if a.ndim else None
    both(lambda lib, a: getattr(a, name)(), a, ulps=ULPS)
    both(lambda lib, a: getattr(a, name)(axis), a, ulps=ULPS)
    both(lambda lib, a: getattr(a, name)(axis=axis), a, ulps=ULPS)


@pytest.mark.parametrize("name", ["sum", "max", "argmax", "mean", "cumsum"])
@pytest.mark.parametrize("values", [[1, 2, 3], [[1.5, 2], [3, 4]], (True, False), 3, 2.5, 1j, []],
                         ids=repr)  # fmt: skip
def test_reduction_of_python_values(name, values):
    both(lambda lib: getattr(lib, name)(values))


# --- statistics ---------------------------------------------------------------------------------

WEIGHTS = [None, [1, 2, 3], [0.5, 0, 0.5], [1, 2], [0, 0, 0], [1, -1, 0]]


@pytest.mark.parametrize("weights", WEIGHTS, ids=str)
def test_average_with_weights(weights):
    a = spec([[1.0, 2, 4], [3, 3, 9]])
    both(lambda lib, a: lib.average(a, axis=1, weights=weights), a, ulps=8)
    both(lambda lib, a: lib.average(a, axis=0, weights=weights), a, ulps=8)
    both(lambda lib, a: lib.average(a[0], weights=weights, returned=True), a, ulps=8)


def test_average_of_a_number_along_an_axis_raises():
    both(lambda lib: lib.average(lib.array(2.0), axis=0))
    both(lambda lib: lib.average(lib.array(2.0), axis=-1, weights=lib.array(1.0)))
    both(lambda lib: lib.average(lib.array(2.0)))


METHODS_OF_QUANTILES = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "hazen",
                        "interpolated_inverted_cdf", "weibull", "linear", "median_unbiased",
                        "normal_unbiased", "lower", "higher", "midpoint", "nearest")  # fmt: skip


@pytest.mark.parametrize("method", [*METHODS_OF_QUANTILES, "nonsense"])
def test_methods_of_percentile(method):
    a = h.ArraySpec(h.fill((5, 7), "float64", 6, "distinct"))
    both(lambda lib, a: lib.percentile(a, [0, 12.5, 50, 100], axis=1, method=method), a, ulps=16)
    both(lambda lib, a: lib.nanpercentile(a, 30, method=method, keepdims=True), a, ulps=16)


@pytest.mark.parametrize("q", [0, 1, 0.5, [0.1, 0.9], [[0.5], [0.2]], -0.1, 1.5, "x", []], ids=str)
def test_quantile_in_every_form_of_q(q):
    both(lambda lib, a: lib.quantile(a, q), spec([3.0, 1, 2, 5, 4]), ulps=8)
    both(lambda lib, a: lib.quantile(a, q, axis=0), spec([[3.0, 1], [2, 5]]), ulps=8)


def test_nan_functions_of_all_nan_slices():
    a = spec([[onp.nan, onp.nan], [1, onp.nan]])
    for name in ("nansum", "nanprod", "nanmax", "nanmin", "nanmean", "nanstd", "nanmedian",
                 "nanargmax", "nancumsum"):  # fmt: skip
        both(lambda lib, a, name: getattr(lib, name)(a, axis=1), a, name, ulps=8)
        both(lambda lib, a, name: getattr(lib, name)(a, axis=0), a, name, ulps=8)
