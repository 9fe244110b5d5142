# SPDX-License-Identifier: Apache-2.0
"""Sorting, searching, counting, sets, and choosing among elements."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec

KINDS = ("quicksort", "mergesort", "heapsort", "stable")


# --- sort, argsort ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*KINDS, "nonsense", None, 3], ids=repr)
def test_kind_of_sort(kind):
    for dtype in h.ALL:
        a = h.ArraySpec(h.fill((3, 9), dtype, 5))
        both(lambda lib, a: lib.sort(a, kind=kind), a)


@given(data=st.data())
def test_sort_of_any_layout_leaves_its_argument(data):
    a = data.draw(h.arrays())
    axis = data.draw(st.none() | h.axis_of(a.ndim)) if a.ndim else None
    both(lambda lib, a: lib.sort(a, axis=axis), a)


@given(data=st.data())
def test_method_sort_works_in_place(data):
    layouts = ("plain", "transposed", "reversed", "stepped", "row")
    a = data.draw(h.arrays(shape=h.shapes(min_dims=1), layouts=layouts))
    axis = data.draw(h.axis_of(a.ndim))
    both(lambda lib, a: a.sort(axis), a)
    both(lambda lib, a: a.sort(axis=axis, kind="stable"), a)


@pytest.mark.parametrize("stable", ["kind", "stable"])
@given(data=st.data())
def test_stable_argsort_keeps_the_order_of_equals(stable, data):
    a = data.draw(h.arrays(kind="small"))
    axis = data.draw(st.none() | h.axis_of(a.ndim)) if a.ndim else None
    keywords = {"kind": "stable"} if stable == "kind" else {"stable": True}
    both(lambda lib, a: lib.argsort(a, axis=axis, **keywords), a)
    both(lambda lib, a: a.argsort(axis, **keywords), a)


@given(data=st.data())
def test_argsort_of_distinct_values(data):
    a = data.draw(h.arrays(h.NUMERIC, kind="distinct", shape=h.shapes(min_dims=1)))
    axis = data.draw(h.axis_of(a.ndim))
    both(lambda lib, a: lib.argsort(a, axis), a)


@pytest.mark.parametrize("axis", [0, -1, None, 2, -3, "x", 1.0], ids=repr)
@pytest.mark.parametrize("name", ["sort", "argsort", "argmax", "unique"])
def test_axis_of_sorting_functions(name, axis):
    both(lambda lib, a: getattr(lib, name)(a, axis=axis), spec([[3, 1, 2], [1, 3, 2]]))


@pytest.mark.parametrize("length", [17, 1000, 5000])
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64", "uint16"])
def test_sort_of_long_arrays(dtype, length):
    a = h.ArraySpec(h.fill((length,), dtype, 77))
    both(lambda lib, a: lib.sort(a), a)
    both(lambda lib, a: lib.argsort(a, kind="stable"), a)
    both(lambda lib, a: lib.sort(a[::-2]), a)


def test_sort_puts_nan_last():
    nan = float("nan")
    both(lambda lib, a: lib.sort(a), spec([3, nan, 1, -float("inf"), nan, 0.0, -0.0]))
    both(lambda lib, a: lib.sort(a), spec([1 + 2j, complex(nan, 0), 1j, complex(0, nan)]))
    both(lambda lib, a: lib.argsort(a, stable=True), spec([3, nan, 1, nan]))


@pytest.mark.parametrize("kth", [0, 3, -1, 9, -10, [1, 4], "x", 1.5], ids=repr)
def test_partition_separates_at_kth(kth):
    a = h.ArraySpec(h.fill((9,), "int64", 4, "distinct"))

    def call(lib, a):
        result = lib.partition(a, kth)
        k = kth if isinstance(kth, int) else kth[0]
        return result[k], lib.sort(result[:k]), lib.sort(a[lib.argpartition(a, kth)])

    both(call, a)


# --- searching ----------------------------------------------------------------------------------


@given(data=st.data())
def test_searchsorted_on_either_side(data):
    dtype = data.draw(h.dtypes(h.REAL))
    values = onp.sort(h.fill((data.draw(st.integers(0, 12)),), dtype, 3, "small"))
    keys = data.draw(h.arrays(h.REAL))
    for side in ("left", "right"):
        both(lambda lib, a, v, side: lib.searchsorted(a, v, side=side), spec(values), keys, side)
        both(lambda lib, a, v, side: a.searchsorted(v, side), spec(values), keys, side)


@pytest.mark.parametrize("side", ["left", "right", "l", "middle", 3, None], ids=repr)
@pytest.mark.parametrize("sorter", [None, [2, 0, 1], [0, 1], [9, 9, 9], [0.5, 1, 2]], ids=str)
def test_searchsorted_with_side_and_sorter(side, sorter):
    both(lambda lib, a: lib.searchsorted(a, [0, 2.5, 9], side, sorter), spec([2.0, 3.0, 1.0]))


def test_searchsorted_of_nan_and_of_wrong_shapes():
    nan = float("nan")
    both(lambda lib, a: lib.searchsorted(a, [nan, 0, 5, float("inf")]), spec([1.0, 2, nan]))
    both(lambda lib, a: lib.searchsorted(a, 1), spec([[1, 2], [3, 4]]))
    both(lambda lib, a: lib.searchsorted(a, 1), spec(3))
    both(lambda lib, a: lib.searchsorted(a, "x"), spec([1, 2]))


@given(a=h.arrays())
def test_nonzero_argwhere_flatnonzero(a):
    for name in ("nonzero", "argwhere", "flatnonzero"):
        both(lambda lib, a, name: getattr(lib, name)(a), a, name)
    both(lambda lib, a: a.nonzero(), a)
    both(lambda lib, a: lib.where(a), a)


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("bins", [[0, 1, 2], [2, 1, 0], [], [1], [0, 2, 1], [[0, 1]], [0, 1j]],
                         ids=str)  # fmt: skip
def test_digitize(bins, right):
    both(lambda lib, a: lib.digitize(a, bins, right), spec([-1, 0, 0.5, 1, 2, 3]))


# --- where, clip, choose ------------------------------------------------------------------------


@given(data=st.data())
def test_where_promotes_its_branches(data):
    shapes = data.draw(h.broadcastable(3))
    c, x, y = (data.draw(h.arrays(shape=shape)) for shape in shapes)
    both(lambda lib, c, x, y: lib.where(c, x, y), c, x, y)


@pytest.mark.parametrize("args", [(1, 2), (1.5, 0), (1, 2.5), (True, 0), (1j, 0), (0,), (0, 1, 2),
                                  ([1, 2, 3], 0), ([1, 2], 0), ("x", 0), (None, 0),
                                  (300, 1)], ids=repr)  # fmt: skip
def test_where_of_python_values(args):
    if args[0] in ("x", None):
        with pytest.raises((TypeError, ValueError)):
            h.np.where(h.np.ones(3, bool), *args)
        return
    both(lambda lib, a: lib.where(a > 1, *args), spec([1, 2, 3]))


@pytest.mark.parametrize("dtype", ["uint8", "float32", "int64"])
def test_where_scalars_are_weak(dtype):
    a = spec(onp.arange(3).astype(dtype))
    for other in (1, 2.5, True, 1j, 100):
        both(lambda lib, a, other: lib.where(a > 0, a, other), a, other)
        both(lambda lib, a, other: lib.where(a > 0, other, a), a, other)


CLIPS = [(0, 2), (None, 2), (1, None), (None, None), (2, 0), ([0, 1, 2], 3), (0.5, 1.5), (-1, 300),
         (1j, 2), ("x", 2), (float("nan"), 1), (-(2**40), 2**40), ([0, 1], 3),
         (2**70, 1)]  # fmt: skip


@pytest.mark.parametrize("limits", CLIPS, ids=repr)
def test_clip_in_every_form(limits):
    for dtype in ("int64", "uint8", "float32", "float64", "bool", "complex64"):
        a = spec(onp.array([0, 1, 5], dtype))
        both(lambda lib, a: lib.clip(a, *limits), a)
        both(lambda lib, a: a.clip(*limits), a)
        both(lambda lib, a: lib.clip(a, min=limits[0], max=limits[1]), a)


@pytest.mark.parametrize("keywords", [
    {"dtype": "float32"}, {"dtype": "int8", "casting": "unsafe"}, {"casting": "no"},
    {"where": onp.array([True, False, True])}, {"where": [1, 0, 1]}, {"order": "F"},
    {"nonsense": 1}, {"a_min": 1}], ids=str)  # fmt: skip
def test_clip_with_the_keywords_of_a_ufunc(keywords):
    def call(lib, a, out):
        return lib.clip(a, 1, 3, out=out, **keywords), a.clip(1, 3, out=out, **keywords)

    both(call, spec([0.0, 2, 5]), spec([7.0, 7, 7]))


@given(data=st.data())
def test_clip_by_arrays_into_out(data):
    full = data.draw(h.shapes(max_dims=3))
    a, low, high = (data.draw(h.arrays(h.REAL, shape=data.draw(h.broadcasts_to(full))))
                    for _ in range(3))  # fmt: skip
    out = data.draw(h.arrays(("float64", "int64"), shape=full))
    both(lambda lib, a, low, high: lib.clip(a, low, high), a, low, high)
    both(lambda lib, a, low, high, out: lib.clip(a, low, high, out=out), a, low, high, out)


def test_choose_select_compress_extract():
    i, a, b = spec([0, 1, 1]), spec([1, 2, 3]), spec([4.5, 5, 6])
    both(lambda lib, i, a, b: lib.choose(i, [a, b]), i, a, b)
    both(lambda lib, i, a, b: lib.choose(i + 1, [a, b]), i, a, b)
    both(lambda lib, i, a, b: lib.choose(i + 1, [a, b], mode="wrap"), i, a, b)
    both(lambda lib, i, a, b: i.choose([a, b]), i, a, b)
    both(lambda lib, a, b: lib.select([a > 2, b > 4.6], [a, b], -1), a, b)
    both(lambda lib, a, b: lib.select([a > 2], [a, b]), a, b)
    both(lambda lib, a: lib.compress([True, False, True], a), a)
    both(lambda lib, a: lib.compress([True] * 4, a), a)
    both(lambda lib, a: lib.extract(a > 1, a), a)
    both(lambda lib, a: lib.piecewise(a, [a < 2, a >= 2], [-1, lambda x: x * 2]), a)


# --- counting and sets --------------------------------------------------------------------------


@given(data=st.data())
def test_unique_with_every_return(data):
    a = data.draw(h.arrays(kind="small"))
    flags = {name: data.draw(st.booleans())
             for name in ("return_index", "return_inverse", "return_counts")}  # fmt: skip
    both(lambda lib, a: lib.unique(a, **flags), a)


@given(data=st.data())
def test_unique_along_an_axis(data):
    a = data.draw(h.arrays(("bool", "int8", "float32"), kind="small",
                           shape=h.shapes(min_dims=1, max_dims=3, min_side=1)))  # fmt: skip
    axis = data.draw(h.axis_of(a.ndim))
    both(lambda lib, a: lib.unique(a, axis=axis, return_inverse=True, return_counts=True), a)


@pytest.mark.parametrize("equal_nan", [True, False])
def test_unique_of_nan(equal_nan):
    a = spec([float("nan"), 1, float("nan"), 0.0, -0.0])
    both(lambda lib, a: lib.unique(a, equal_nan=equal_nan, return_counts=True), a)


@pytest.mark.parametrize("values", [[0, 1, 1, 4], [], [-1, 2], [1.0, 2.0], onp.array([1.0, 2]),
                                    [[0, 1]], 3, [True, False],
                                    ["x"], [2**63], onp.array([1], "uint8"),
                                    onp.array([1], "uint64")], ids=repr)  # fmt: skip
def test_bincount(values):
    text = isinstance(values, list) and "x" in values  # not taken at all
    both(lambda lib: lib.bincount(values), loose=text)
    both(lambda lib: lib.bincount(values, minlength=3), loose=text)


@pytest.mark.parametrize("weights", [[1, 2, 3], [0.5, 0.5, 1], [1, 2], [1j, 0, 0], ["x"] * 3, None],
                         ids=str)  # fmt: skip
def test_bincount_with_weights(weights):
    text = weights == ["x"] * 3  # not taken at all
    both(lambda lib, a: lib.bincount(a, weights), spec([0, 2, 2]), loose=text)
    both(lambda lib, a: lib.bincount(a, weights=weights, minlength=-1), spec([0, 2, 2]),
         loose=text)  # fmt: skip
    both(lambda lib, a: lib.bincount(a, minlength="x"), spec([0, 2, 2]))


@given(a=h.arrays(kind="small"), b=h.arrays(kind="small"))
def test_set_functions(a, b):
    for name in ("isin", "union1d", "intersect1d", "setdiff1d", "setxor1d"):
        both(lambda lib, a, b, name: getattr(lib, name)(a, b), a, b, name)
    both(lambda lib, a, b: lib.isin(a, b, invert=True, assume_unique=False), a, b)


@pytest.mark.parametrize(
    "bins", [4, [0, 1, 2, 5], "auto", [2, 1], 0, -1, 2.5, "nonsense", [1]], ids=str
)
@pytest.mark.parametrize("span", [None, (0, 3), (3, 0), (1, 1), (0, float("inf"))], ids=str)
def test_histogram(bins, span):
    a = spec([0.5, 1, 1.5, 2, 2, 4])
    both(lambda lib, a: lib.histogram(a, bins, span), a, ulps=4)
    both(lambda lib, a: lib.histogram(a, bins, range=span, density=True), a, ulps=4)
    both(lambda lib, a: lib.histogram(a, bins, range=span, weights=a), a, ulps=4)


def test_histograms_of_several_dimensions():
    a, b = spec([0.5, 1, 2, 2.5]), spec([1.0, 1, 3, 2])
    both(lambda lib, a, b: lib.histogram2d(a, b, 3), a, b, ulps=4)
    both(lambda lib, a, b: lib.histogramdd(lib.stack([a, b], 1), bins=2), a, b, ulps=4)


@pytest.mark.parametrize("keywords", [{}, {"left": -1}, {"right": 9}, {"period": 2}, {"period": 0}],
                         ids=str)  # fmt: skip
def test_interp(keywords):
    both(lambda lib, a: lib.interp(a, [0, 1, 2], [0.0, 10, 20], **keywords),
         spec([-1, 0, 0.5, 1.9, 2, 5]), ulps=8)  # fmt: skip
    both(lambda lib: lib.interp(0.5, [0, 1], [0, 1j], **keywords), ulps=8)
    both(lambda lib: lib.interp(0.5, [0, 1], [0], **keywords))
    both(lambda lib: lib.interp(0.5, [], []))


@given(a=h.arrays(h.REAL, kind="small"), b=h.arrays(h.REAL, kind="small"))
def test_comparison_of_whole_arrays(a, b):
    both(lambda lib, a, b: lib.array_equal(a, b), a, b)
    both(lambda lib, a: lib.array_equal(a, a.copy()), a)
    both(lambda lib, a: lib.allclose(a, a + 1e-12), a)
    both(lambda lib, a: lib.isclose(a, 1.0, rtol=0.1, atol=0.2), a)
    both(lambda lib, a: lib.array_equiv(a, a[None]), a)


def test_equal_nan_of_comparisons():
    a = spec([1.0, float("nan")])
    for flag in (True, False):
        both(lambda lib, a, f: lib.array_equal(a, a, equal_nan=f), a, flag)
        both(lambda lib, a, f: lib.allclose(a, a, equal_nan=f), a, flag)
        both(lambda lib, a, f: lib.isclose(a, a, equal_nan=f), a, flag)


@pytest.mark.parametrize("decimals", [0, 1, -1, 3, 20, -20, 1.5, "x", None], ids=repr)
@pytest.mark.parametrize("name", ["round", "around"])
def test_round(name, decimals):
    for values in ([1.25, -2.5, 0.5, 1e10], [15, -25, 35], [1.25 + 2.55j], [True, False]):
        both(lambda lib, a: getattr(lib, name)(a, decimals), spec(values), ulps=2)
        both(lambda lib, a: a.round(decimals), spec(values), ulps=2)


def test_lexsort_sorts_by_the_last_key_first():
    both(lambda lib, a, b: lib.lexsort((a, b)), spec([3, 1, 2, 1]), spec([1, 1, 0, 0]))
    both(lambda lib, a: lib.lexsort(a), spec([[3, 1, 2], [1, 1, 0]]))
    both(lambda lib: lib.lexsort(()))
    both(lambda lib, a, b: lib.lexsort((a, b)), spec([3, 1]), spec([1]))


def test_index_arithmetic():
    both(lambda lib, i: lib.unravel_index(i, (3, 4)), spec([0, 5, 11]))
    both(lambda lib, i: lib.unravel_index(i, (3, 4)), spec([0, 12]))
    both(lambda lib, i: lib.unravel_index(i, (3, 4), order="F"), spec([0, 5]))
    both(lambda lib: lib.unravel_index(5, (3, 4)))
    both(lambda lib, a: lib.unravel_index(a.argmax(), a.shape), spec([[1, 9], [3, 4]]))
    both(lambda lib, i: lib.ravel_multi_index((i, i), (3, 4)), spec([0, 2]))
    both(lambda lib, i: lib.ravel_multi_index((i, i), (3, 4), mode="clip"), spec([0, 7]))


def test_take_and_put_along_an_axis():
    a = spec([[3, 1, 2], [9, 7, 8]])
    both(lambda lib, a: lib.take_along_axis(a, lib.argsort(a, axis=1), axis=1), a)
    both(lambda lib, a: lib.take_along_axis(a, lib.argmax(a, axis=0, keepdims=True), axis=0), a)
    both(lambda lib, a: lib.take_along_axis(a, lib.array([0, 1]), axis=0), a)
    both(lambda lib, a: lib.take_along_axis(a, lib.array([[0.0]]), axis=0), a)
    both(lambda lib, a: lib.put_along_axis(a, lib.array([[0], [2]]), [[5], [6]], axis=1), a)
