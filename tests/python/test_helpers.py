# SPDX-License-Identifier: Apache-2.0
"""The helpers themselves: they must see every kind of difference."""

import numpy as onp
import pytest
from hypothesis import given

import helpers as h
from helpers import both, spec
from isthmus import np

DIFFERENCES = {
    "value": lambda lib, a: a + (1 if lib is np else 2),
    "dtype": lambda lib, a: a.astype("float32" if lib is np else "float64"),
    "shape": lambda lib, a: a.reshape((1, 3) if lib is np else (3, 1)),
    "kind of sequence": lambda lib, a: (a,) if lib is np else [a],
    "length": lambda lib, a: [a] * (1 if lib is np else 2),
    "Python value": lambda lib, a: 1 if lib is np else 1.0,
    "a NumPy array": lambda lib, a: onp.ones(3),
    "error on one side": lambda lib, a: a if lib is np else a[9],
    "no error on the other": lambda lib, a: a[9] if lib is np else a,
    "type of the error": lambda lib, a: a[9] if lib is np else a.reshape(5),
    "what is written": lambda lib, a: a.fill(1 if lib is np else 2),
    "a NaN": lambda lib, a: a * (float("nan") if lib is np else 1.0),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_both_sees_a_difference(name):
    with pytest.raises(AssertionError):
        both(DIFFERENCES[name], spec([1.0, 2, 3]))


def test_both_accepts_what_is_equal():
    both(lambda lib, a: a + 1, spec([1.0, float("nan")]))
    both(lambda lib, a: a.sum(), spec([1.0, 2]))
    both(lambda lib, a: a[9], spec([1.0]))


def test_tolerance_is_in_units_in_the_last_place():
    def call(lib, a):
        return a * (1 + 4 * 2.0**-52 if lib is np else 1)

    both(call, spec([1.0, 2.0]), ulps=8)
    with pytest.raises(AssertionError):
        both(call, spec([1.0, 2.0]), ulps=1)
    with pytest.raises(AssertionError):
        both(call, spec([1.0, 2.0]))


def test_sign_of_zero_is_compared_when_asked():
    def call(lib, a):
        return a * (-1 if lib is np else 1)

    both(call, spec([0.0]))
    with pytest.raises(AssertionError):
        both(call, spec([0.0]), signed_zero=True)


@pytest.mark.parametrize("layout", h.LAYOUTS)
def test_layouts_have_the_drawn_shape(layout):
    @given(a=h.arrays(shape=h.shapes(), layouts=(layout,)))
    def check(a):
        ours, theirs = a.build(np), a.build(onp)
        assert tuple(ours.shape) == theirs.shape == a.shape
        assert theirs.dtype == a.dtype
        assert h.layout(ours) == h.layout(theirs)
        assert not h.shares(a.build(np), ours)

    check()


def test_values_of_a_seed_are_always_the_same():
    for kind in ("wild", "small", "positive", "unit", "distinct"):
        for dtype in h.ALL:
            first, second = h.fill((3, 4), dtype, 5, kind), h.fill((3, 4), dtype, 5, kind)
            assert first.dtype == dtype
            onp.testing.assert_array_equal(first, second)
