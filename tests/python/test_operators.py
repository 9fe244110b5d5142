# SPDX-License-Identifier: Apache-2.0
"""The operators of Python on arrays: binary, reflected, in place, unary, comparisons."""

import operator

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec
from isthmus import np

BINARY = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "truediv": operator.truediv,
    "floordiv": operator.floordiv, "mod": operator.mod, "and": operator.and_,
    "or": operator.or_, "xor": operator.xor, "lshift": operator.lshift,
    "rshift": operator.rshift, "lt": operator.lt, "le": operator.le, "gt": operator.gt,
    "ge": operator.ge, "eq": operator.eq, "ne": operator.ne, "divmod": divmod,
    "pow": operator.pow,
}  # fmt: skip
INPLACE = {
    "iadd": operator.iadd, "isub": operator.isub, "imul": operator.imul,
    "itruediv": operator.itruediv, "ifloordiv": operator.ifloordiv, "imod": operator.imod,
    "iand": operator.iand, "ior": operator.ior, "ixor": operator.ixor,
    "ilshift": operator.ilshift, "irshift": operator.irshift, "ipow": operator.ipow,
}  # fmt: skip
UNARY = {"neg": operator.neg, "pos": operator.pos, "abs": abs, "invert": operator.invert}
PYTHON_SCALARS = st.sampled_from((True, False, 0, 1, 2, 3, 200, -1, 300, 0.0, 0.5, -2.5, 1e10, 1j))


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_binary_operator(name, data):
    first, second = data.draw(h.broadcastable(2))
    a, b = (
        data.draw(h.arrays(shape=first, kind="small")),
        data.draw(h.arrays(shape=second, kind="positive")),
    )
    both(lambda lib, a, b: BINARY[name](a, b), a, b, ulps=8)


@pytest.mark.parametrize("name", BINARY)
@given(data=st.data())
def test_operator_with_a_python_scalar_on_either_side(name, data):
    a, scalar = data.draw(h.arrays(kind="small")), data.draw(PYTHON_SCALARS)
    both(lambda lib, a: BINARY[name](a, scalar), a, ulps=8)
    both(lambda lib, a: BINARY[name](scalar, a), a, ulps=8)


@pytest.mark.parametrize("name", BINARY)
def test_operator_with_a_list_on_either_side(name):
    a = spec([[4, 5, 6], [7, 8, 9]])
    both(lambda lib, a: BINARY[name](a, [1, 2, 3]), a)
    both(lambda lib, a: BINARY[name]([1, 2, 3], a), a)
    both(lambda lib, a: BINARY[name]((1, 2), a), a)


@pytest.mark.parametrize("name", INPLACE)
@given(data=st.data())
def test_inplace_operator_writes_the_array_itself(name, data):
    first, second = data.draw(h.broadcastable(2, max_dims=3))
    a = data.draw(h.arrays(shape=first, kind="positive"))
    b = data.draw(h.arrays(shape=second, kind="positive"))

    def call(lib, a, b):
        return INPLACE[name](a, b) is a

    both(call, a, b, ulps=8, loose=True)


@pytest.mark.parametrize("name", INPLACE)
@given(data=st.data())
def test_inplace_operator_with_a_python_scalar(name, data):
    a, scalar = data.draw(h.arrays(kind="positive")), data.draw(PYTHON_SCALARS)
    both(lambda lib, a: INPLACE[name](a, scalar) is a, a, ulps=8, loose=True)


@pytest.mark.parametrize("name", UNARY)
@given(data=st.data())
def test_unary_operator(name, data):
    both(lambda lib, a: UNARY[name](a), data.draw(h.arrays()), ulps=2)


@pytest.mark.parametrize("name", ["iadd", "imul", "isub"])
def test_inplace_operator_on_a_view_writes_the_base(name):
    def call(lib, a):
        view = a[::2, 1:]
        view = INPLACE[name](view, 3)
        return view

    both(call, spec(onp.arange(12.0).reshape(4, 3)))
    both(call, spec(onp.arange(12).reshape(4, 3), shared=True))


def test_augmented_assignment_to_an_item_writes_the_array():
    def call(lib, a):
        a[1] += 10
        a[:, 0] *= 2
        a[0, 0] -= 1
        a[a > 5] //= 2

    both(call, spec(onp.arange(12).reshape(4, 3)))


def test_inplace_operator_that_overlaps_itself():
    def call(lib, a):
        a[1:] += a[:-1]
        a += a[::-1]
        return a

    both(call, spec(onp.arange(9)))
    both(call, spec(onp.arange(9000.0)))


@pytest.mark.parametrize("pair", [("int64", 1.5), ("int32", 1j), ("bool", 2), ("float32", 1j),
                                  ("uint8", -1), ("uint8", 256)], ids=str)  # fmt: skip
@pytest.mark.parametrize("name", ["iadd", "imul", "itruediv"])
def test_inplace_operator_that_cannot_cast_raises_and_changes_nothing(name, pair):
    dtype, scalar = pair
    both(lambda lib, a: INPLACE[name](a, scalar), spec(onp.ones(3, dtype)))


def test_inplace_operator_that_would_grow_the_array_raises():
    both(lambda lib, a: operator.iadd(a, a[None] * lib.ones((2, 1))), spec(onp.ones(3)))
    both(lambda lib, a, b: operator.iadd(a, b), spec(onp.ones(3)), spec(onp.ones((2, 3))))
    both(lambda lib, a, b: operator.iadd(a, b), spec(onp.ones(())), spec(onp.ones((2,))))


@pytest.mark.parametrize("exponent", [0, 1, 2, 3, -1, -2, 0.5, 2.0, -1.0, -0.5, True, 1j])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float32",
                                   "float64", "complex64"])  # fmt: skip
def test_power_by_a_python_scalar(dtype, exponent):
    a = h.ArraySpec(h.fill((5,), dtype, 9, "positive"))
    both(lambda lib, a: a**exponent, a, ulps=8)
    both(lambda lib, a: exponent**a, a, ulps=8)


def test_power_with_a_modulus_raises():
    both(lambda lib, a: pow(a, 2, 5), spec([1, 2, 3]))


@pytest.mark.parametrize("other", [None, "x", b"x", object(), {}, [1, 2, 3, 4]],
                         ids=lambda o: type(o).__name__)  # fmt: skip
@pytest.mark.parametrize("name", ["eq", "ne"])
def test_equality_with_what_is_no_number(name, other):
    both(lambda lib, a: BINARY[name](a, other), spec([1, 2, 3]))


@pytest.mark.parametrize("other", [None, "x", object(), {}], ids=lambda o: type(o).__name__)
@pytest.mark.parametrize("name", ["add", "lt", "ge", "mul", "and", "lshift", "floordiv"])
def test_operator_with_what_is_no_number_raises(name, other):
    both(lambda lib, a: BINARY[name](a, other), spec([1, 2, 3]))
    both(lambda lib, a: BINARY[name](other, a), spec([1, 2, 3]))


@pytest.mark.parametrize("name", BINARY)
def test_shapes_that_do_not_broadcast_raise(name):
    both(lambda lib, a, b: BINARY[name](a, b), spec([1, 2, 3]), spec([1, 2]))


def test_matmul_operator_in_each_form():
    a, b = spec(onp.arange(6.0).reshape(2, 3)), spec(onp.arange(6.0).reshape(3, 2))
    square = spec(onp.arange(4.0).reshape(2, 2))
    both(lambda lib, a, b: a @ b, a, b)
    both(lambda lib, a, b: a @ a, a, b)
    both(lambda lib, a: a @ [1, 2, 3], a)
    both(lambda lib, a: [1, 2] @ a, a)
    both(lambda lib, a: a @ 2, a)
    both(lambda lib, a: 2 @ a, a)
    both(lambda lib, a: operator.imatmul(a, a) is a, square)
    both(lambda lib, a, b: operator.imatmul(a, b), square, b)


def test_an_object_with_its_own_operator_is_preferred():
    class Mine:
        __array_ufunc__ = None

        def __radd__(self, other):
            return "mine"

        def __gt__(self, other):
            return "greater"

    both(lambda lib, a: a + Mine(), spec([1, 2]))
    both(lambda lib, a: a < Mine(), spec([1, 2]))


def test_a_subclass_of_float_is_a_scalar():
    class Metres(float):
        pass

    both(lambda lib, a: a * Metres(2.5), spec(onp.ones(2, "float32")))


def test_chained_expression_of_mixed_dtypes():
    a, b, c = spec(onp.arange(4, dtype="int8")), spec(onp.ones(4, "float32")), spec([1j, 2, 3, 4])
    both(lambda lib, a, b, c: (a + b * 2 - 1) ** 2 / 3 + c * a - ~a, a, b, c, ulps=4)
    both(lambda lib, a, b: ((a > 1) & (b < 2)) | (a == 0), a, b)


def test_bool_operators_follow_numpy():
    a, b = spec([True, False]), spec([True, True])
    for name in ("add", "sub", "mul", "truediv", "and", "or", "xor", "pow", "floordiv", "lshift"):
        both(lambda lib, f, a, b: f(a, b), BINARY[name], a, b)
    both(lambda lib, a: -a, a)
    both(lambda lib, a: ~a, a)


def test_results_of_operators_are_new_arrays():
    a = np.arange(3.0)
    for result in (+a, a + 0, a * 1, abs(a), a**1, a // 1):
        result[0] = 99
        assert float(a[0]) == 0.0
