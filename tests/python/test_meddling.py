# SPDX-License-Identifier: Apache-2.0
"""Objects that change what a call works on while it looks at them."""

import sys

import numpy as onp
import pytest

import helpers as h
from isthmus import np

SIZES = [6, 6000]


class AsksItsClass(type):
    """A class that runs code when an attribute is looked up that it has not."""

    def __getattr__(cls, name):
        cls.code()
        raise AttributeError(name)


def one(self, dtype=None, copy=None):
    return onp.ones(())


def by_class(code):
    return AsksItsClass("ByClass", (), {"__array__": one, "code": staticmethod(code)})()


def by_object(code):
    def getattr_(self, name):
        code()
        raise AttributeError(name)

    return type("ByObject", (), {"__array__": one, "__getattr__": getattr_})()


def by_array(code):
    def array(self, dtype=None, copy=None):
        code()
        return one(self)

    return type("ByArray", (), {"__array__": array})()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("make", [by_class, by_object, by_array])
def test_a_shape_set_while_the_other_operand_is_looked_at(make, size):
    kept = []

    def turn():
        a.shape = (1, size)
        # What was freed by then is likely to be used again by these.
        kept.extend(np.full(size, 7.0) for _ in range(50))

    a = np.ones((size, 1))
    total = a + make(turn)
    assert total.size == size
    assert float(total.sum()) == 2 * size
    a = np.ones((size, 1))
    assert bool((make(turn) == a).all())
    a = np.ones((size, 1))
    a += make(turn)
    assert a.shape == (1, size)
    assert float(a.sum()) == 2 * size


class Clears:
    """A number that empties lists when it is converted, or looked at."""

    def __init__(self, lists):
        self.lists = lists

    def clear(self):
        for each in self.lists:
            each.clear()

    @property
    def __array_interface__(self):
        self.clear()
        raise AttributeError

    def __float__(self):
        self.clear()
        return 2.0


@pytest.mark.parametrize("position", [0, 1, 4])
@pytest.mark.parametrize("call", [
    lambda nest: np.array(nest, dtype=float), lambda nest: np.asarray(nest, dtype="f8"),
    lambda nest: np.array([nest, nest], dtype=float)[1],
], ids=["array", "asarray", "nested"])  # fmt: skip
def test_lists_cleared_by_their_items_are_used_as_they_were(call, position):
    nest = [1.0, 1.0, 1.0, 1.0, 1.0]
    nest[position] = Clears([nest])
    expected = onp.ones(5)
    expected[position] = 2
    h.assert_same(call(nest), expected)
    assert nest == []


def test_lists_of_objects_that_are_no_numbers_are_refused_whole():
    outer = [[1.0, 2.0], [3.0, 4.0]]
    outer[0][1] = Clears([outer, *outer])
    with pytest.raises((TypeError, ValueError)):
        np.array(outer)
    for call in (lambda o: np.add(o, 1), lambda o: np.ones(2) + o, lambda o: np.ones(2)[o]):
        with pytest.raises((TypeError, ValueError, IndexError)):
            call([[1.0, Clears([outer])]])


@pytest.mark.parametrize("tail", [[], [1.0], [[2.0]]], ids=repr)
def test_a_list_that_contains_itself_twice(tail):
    nest = list(tail)
    nest += [nest, nest]
    for call in (np.array, lambda o: np.array(o, dtype=float), lambda o: np.ones(2) + o):
        with pytest.raises(ValueError, match="contains itself"):
            call(nest)
    assert sys.getrefcount(nest) < 8


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("call", [
    lambda o: np.ones(2) + o, lambda o: o * np.ones(2), lambda o: np.from_dlpack(o),
], ids=["left", "right", "dlpack"])  # fmt: skip
def test_an_interrupt_while_an_operand_is_looked_at_comes_through(call, error):
    def look(self, name):
        raise error

    with pytest.raises(error):
        call(type("Interrupted", (), {"__getattr__": look})())


def test_an_error_of_looking_for_dlpack_comes_through():
    def look(self):
        raise ZeroDivisionError("by design")

    with pytest.raises(ZeroDivisionError, match="by design"):
        np.from_dlpack(type("Failing", (), {"__dlpack__": property(look)})())


@pytest.mark.parametrize(("name", "expected"), [("shape", (4,)), ("ndim", 1), ("size", 4)])
def test_lists_cleared_by_their_items_in_functions_of_the_host(name, expected):
    nest = [1.0, 1.0, 1.0, 1.0]
    nest[0] = Clears([nest])
    assert getattr(np, name)(nest) == expected
    assert nest == []
