# SPDX-License-Identifier: Apache-2.0
"""Isthmus and NumPy arrays in one expression, and NumPy's functions on Isthmus arrays."""

import operator

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from isthmus import np

OPERATORS = [operator.add, operator.sub, operator.mul, operator.truediv, operator.lt,
             operator.eq, operator.ge, operator.pow, operator.floordiv, divmod]  # fmt: skip


@pytest.mark.parametrize("op", OPERATORS, ids=lambda op: op.__name__)
@given(data=st.data())
def test_operator_with_a_numpy_array_on_either_side(op, data):
    shapes = data.draw(h.broadcastable(2, max_dims=3))
    x, y = (data.draw(h.arrays(("float64", "int32"), shape=s, kind="positive")) for s in shapes)
    expected = op(x.build(onp), y.build(onp))
    for result in (op(x.build(np), y.build(onp)), op(x.build(onp), y.build(np)),
                   op(x.build(np), y.build(np))):  # fmt: skip
        h.assert_same(result, expected, ulps=4)


def test_matmul_with_a_numpy_array_on_either_side():
    a = onp.arange(4.0).reshape(2, 2)
    for result in (
        np.asarray(a) @ a,
        a @ np.asarray(a),
        np.matmul(a, a),
        onp.matmul(a, np.asarray(a)),
    ):
        h.assert_same(result, a @ a)


def test_inplace_operator_with_the_other_library():
    x, y = np.ones(3), onp.arange(3.0)
    kept = x
    x += y
    assert x is kept
    h.assert_same(x, onp.array([1.0, 2, 3]))
    y += x
    assert type(y) is onp.ndarray
    assert y.tolist() == [1, 3, 5]
    y[:] = x
    y[x > 1] = 0
    assert y.tolist() == [1, 0, 0]
    x[1:] = onp.array([7, 8])
    assert x.tolist() == [1, 7, 8]


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "arctan2", "logical_and", "less"])
def test_ufunc_of_either_library_on_either_array(name):
    x = onp.array([1.0, 2.0])
    expected = getattr(onp, name)(x, x)
    y = np.asarray(x)
    h.assert_same(getattr(np, name)(y, x), expected, ulps=2)
    h.assert_same(getattr(np, name)(x, y), expected, ulps=2)
    h.assert_same(getattr(np, name)(x, x), expected, ulps=2)
    h.assert_same(getattr(onp, name)(y, y), expected, ulps=2)
    h.assert_same(getattr(onp, name)(x, y), expected, ulps=2)
    h.assert_same(getattr(onp, name)(y, 1), getattr(onp, name)(x, 1), ulps=2)


def test_methods_of_numpy_ufuncs_give_isthmus_arrays():
    x = np.arange(6.0).reshape(2, 3)
    a = x.asnumpy()
    h.assert_same(onp.add.reduce(x), onp.add.reduce(a))
    h.assert_same(onp.add.accumulate(x, axis=1), onp.add.accumulate(a, axis=1))
    h.assert_same(onp.multiply.outer(x, x), onp.multiply.outer(a, a))
    h.assert_same(onp.sqrt(x), onp.sqrt(a))
    h.assert_same(onp.modf(x), onp.modf(a))


def test_out_of_a_numpy_ufunc_may_be_an_isthmus_array_and_the_reverse():
    x, y = np.zeros(2), onp.zeros(2)
    assert onp.add([1.0, 2], 1, out=x) is x
    assert x.tolist() == [2, 3]
    assert onp.add(x, 1, out=(x,)) is x
    assert x.tolist() == [3, 4]
    np.add(x, 1, out=y)
    assert y.tolist() == [4, 5]
    with pytest.raises((TypeError, ValueError)):
        onp.add(np.ones(3), 1, out=x)
    assert x.tolist() == [3, 4]


CALLS = {
    "sum": lambda lib, x: lib.sum(x),
    "sum axis": lambda lib, x: lib.sum(x, axis=0),
    "mean": lambda lib, x: lib.mean(x, axis=1),
    "concatenate": lambda lib, x: lib.concatenate([x, x]),
    "stack": lambda lib, x: lib.stack([x, x], axis=1),
    "where": lambda lib, x: lib.where(x > 1, x, 0),
    "reshape": lambda lib, x: lib.reshape(x, (3, 2)),
    "transpose": lambda lib, x: lib.transpose(x),
    "dot": lambda lib, x: lib.dot(x, x.T),
    "einsum": lambda lib, x: lib.einsum("ij,kj->ik", x, x),
    "sort": lambda lib, x: lib.sort(x),
    "argmax": lambda lib, x: lib.argmax(x),
    "clip": lambda lib, x: lib.clip(x, 1, 2),
    "norm": lambda lib, x: lib.linalg.norm(x),
    "svd": lambda lib, x: lib.linalg.svd(x),
    "unique": lambda lib, x: lib.unique(x, return_counts=True),
    "split": lambda lib, x: lib.split(x, 2),
    "pad": lambda lib, x: lib.pad(x, 1),
    "median": lambda lib, x: lib.median(x),
    "zeros_like": lambda lib, x: lib.zeros_like(x),
    "array_equal": lambda lib, x: lib.array_equal(x, x),
    "fft": lambda lib, x: lib.fft.fft(x),
    "shape": lambda lib, x: lib.shape(x),
    "tile": lambda lib, x: lib.tile(x, 2),
    "broadcast_to": lambda lib, x: lib.broadcast_to(x, (2, 2, 3)),
    "cov": lambda lib, x: lib.cov(x),
}


@pytest.mark.parametrize("name", CALLS)
def test_numpy_function_of_an_isthmus_array_gives_isthmus_arrays(name):
    a = onp.arange(6.0).reshape(2, 3)
    h.assert_same(CALLS[name](onp, np.asarray(a)), CALLS[name](onp, a), ulps=16)


@pytest.mark.parametrize("name", CALLS)
def test_isthmus_function_of_a_numpy_array_gives_isthmus_arrays(name):
    a = onp.arange(6.0).reshape(2, 3)
    h.assert_same(CALLS[name](np, a), CALLS[name](onp, a), ulps=16)
    h.assert_same(CALLS[name](np, np.asarray(a)), CALLS[name](onp, a), ulps=16)


def test_functions_of_both_kinds_of_arrays():
    a, x = onp.ones((2, 2)), np.zeros((2, 2))
    for lib in (onp, np):
        h.assert_same(lib.concatenate([a, x]), onp.concatenate([a, a * 0]))
        h.assert_same(lib.where(x > 0, a, x), a * 0)
        h.assert_same(lib.dot(a, x), a * 0)
        h.assert_same(lib.vstack((x, a)), onp.vstack((a * 0, a)))


def test_numpy_function_that_writes_into_an_isthmus_array():
    x = np.zeros(4)
    onp.copyto(x, [1, 2, 3, 4])
    assert x.tolist() == [1, 2, 3, 4]
    onp.put(x, [0], [9])
    onp.fill_diagonal(y := np.zeros((2, 2)), 5)
    onp.sum(np.ones((3, 4)), axis=0, out=x)
    assert x.tolist() == [3, 3, 3, 3]
    assert y.tolist() == [[5, 0], [0, 5]]


def test_errors_of_numpy_functions_keep_their_type():
    with pytest.raises(onp.exceptions.AxisError):
        onp.sum(np.ones(3), axis=5)
    with pytest.raises(ValueError):
        onp.concatenate([np.ones((2, 3)), np.ones((3, 2))])
    with pytest.raises(onp.linalg.LinAlgError):
        onp.linalg.inv(np.zeros((2, 2)))
    with pytest.raises(TypeError):
        onp.add(np.ones(2), "x")


def test_isinstance_tells_the_libraries_apart():
    assert isinstance(np.ones(1), np.ndarray)
    assert not isinstance(onp.ones(1), np.ndarray)
    assert type(np.ones(1)) is not onp.ndarray


def test_scalars_of_numpy_mix():
    x = np.ones(2, "float32")
    h.assert_same(onp.float32(2) * x, onp.float32(2) * onp.ones(2, "float32"))
    h.assert_same(onp.float64(2) * x, onp.float64(2) * onp.ones(2, "float32"))
    h.assert_same(x - onp.int8(1), onp.ones(2, "float32") - onp.int8(1))
    h.assert_same(onp.float64(2) > x, onp.array([True, True]))
    h.assert_same(divmod(onp.int64(7), np.array([2, 3])), divmod(onp.int64(7), onp.array([2, 3])))


def test_random_arrays_of_numpy_are_accepted_and_np_random_gives_isthmus_arrays():
    rng = np.random.default_rng(0)
    expected = onp.random.default_rng(0)
    h.assert_same(rng.standard_normal((2, 3)), expected.standard_normal((2, 3)))
    h.assert_same(rng.integers(0, 9, 4), expected.integers(0, 9, 4))
    h.assert_same(rng.permutation(5), expected.permutation(5))
    h.assert_same(rng.choice(np.arange(9), 3), expected.choice(onp.arange(9), 3))
    x, y = np.arange(6), onp.arange(6)
    rng.shuffle(x)
    expected.shuffle(y)
    h.assert_same(x, y)


def test_fallbacks_are_listed_and_work():
    names = np.__fallbacks__
    assert all(isinstance(name, str) for name in names)
    assert len(set(names)) == len(list(names))
    assert "add" not in names
    assert "sum" not in names


def test_every_public_name_of_numpy_is_there():
    left_out = {"test", "core", "char", "rec", "matrix", "asmatrix", "bmat", "f2py", "typing",
                "testing", "ctypeslib", "ma", "strings", "polynomial", "lib", "memmap", "row_stack",
                "in1d", "trapz"}  # fmt: skip
    names = {name for name in dir(onp) if not name.startswith("_")} - left_out
    assert sorted(name for name in names if not hasattr(np, name)) == []
    linalg = {name for name in dir(onp.linalg) if not name.startswith("_")} - {"test", "linalg"}
    assert sorted(name for name in linalg if not hasattr(np.linalg, name)) == []
