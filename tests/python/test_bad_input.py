# SPDX-License-Identifier: Apache-2.0
"""What a user may pass by mistake or malice: the type of the error, nothing changed, no crash."""

import contextlib
import datetime
import sys

import numpy as onp
import pytest

import helpers as h
import isthmus
from helpers import both, resolve, spec
from isthmus import np

A = spec(onp.arange(6.0).reshape(2, 3))
HUGE = [2**31, 2**40, 2**62, 2**63 - 1, 2**63, 2**64, 2**70, 10**30]


# --- calls --------------------------------------------------------------------------------------

CALLABLE = ("add", "sin", "sum", "mean", "reshape", "transpose", "concatenate", "where", "zeros",
            "arange", "take", "sort", "matmul", "einsum", "dot", "argmax", "clip", "cumsum",
            "array",
            "stack", "split", "unique", "linalg.inv", "linalg.svd", "linalg.norm", "full", "tile",
            "broadcast_to", "expand_dims", "squeeze", "roll", "bincount", "searchsorted", "pad",
            "nonzero", "outer", "tensordot", "swapaxes", "repeat", "eye", "linspace")  # fmt: skip


@pytest.mark.parametrize("name", CALLABLE)
def test_call_without_arguments(name):
    both(lambda lib: resolve(lib, name)())


@pytest.mark.parametrize("name", CALLABLE)
def test_call_with_too_many_arguments_raises(name):
    if name == "einsum":
        both(lambda lib, a: lib.einsum("ij", *[a] * 40), A)
    else:
        both(lambda lib, a: resolve(lib, name)(*[a] * 40), A)


@pytest.mark.parametrize("name", CALLABLE)
def test_call_with_an_unknown_keyword_raises(name):
    both(lambda lib, a: resolve(lib, name)(a, nonsense=3), A)


def test_operator_that_numpy_lacks_has_errors_of_its_own():
    twice = isthmus.ffi.register_op("tests.twice", lambda x, n: x + x, "(x: Array, n: int = 1)")
    assert twice(2.0).item() == 4
    with pytest.raises(TypeError, match="unexpected keyword argument 'nonsense'"):
        twice(2.0, nonsense=3)
    with pytest.raises(TypeError, match="'n'"):
        twice(2.0, n="x")
    with pytest.raises(OverflowError):
        twice(2.0, n=2**70)


def test_bound_operator_takes_what_numpy_takes():
    along = np.roll.bind(axis=0)
    both(lambda lib, a: along(a, 1.0) if lib is np else lib.roll(a, 1.0, axis=0), A)


def test_call_with_one_argument_twice_raises():
    both(lambda lib, a: lib.sum(a, 0, axis=0), A)
    both(lambda lib, a: lib.sum(a, a=a), A)
    both(lambda lib, a: lib.add(a, a, lib.ones((2, 3)), out=lib.ones((2, 3))), A)
    both(lambda lib, a: lib.reshape(a, (3, 2), shape=(3, 2)), A)
    both(lambda lib: lib.zeros(3, shape=3))
    both(lambda lib, a: a.sum(0, axis=0), A)


def test_keywords_by_position_only_raise():
    both(lambda lib, a: lib.add(x1=a, x2=a), A)
    both(lambda lib, a: lib.sin(x=a), A)
    both(lambda lib, a: lib.sum(a=a), A)
    both(lambda lib, a: lib.add(a, x2=a), A)
    both(lambda lib, a: lib.add(a, a, None, True), A)


@pytest.mark.parametrize("other", ["text", None, {}, object(), b"bytes", {1}, type, lambda: 0, ...,
                                   NotImplemented, 10**400],
                         ids=lambda o: type(o).__name__)  # fmt: skip
@pytest.mark.parametrize("name", ["sum", "sin", "reshape", "linalg.inv", "sort", "cumsum", "matmul",
                                  "concatenate", "max", "mean"])  # fmt: skip
def test_first_argument_that_is_no_array(name, other):
    extra = {"reshape": ((1,),), "matmul": (other,)}.get(name, ())
    with pytest.raises(Exception) as caught:
        resolve(np, name)(other, *extra)
    allowed = (TypeError, ValueError, OverflowError, AttributeError, IndexError)
    assert isinstance(caught.value, allowed), repr(caught.value)
    assert str(caught.value)


# --- huge numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [*HUGE, -1, -(2**40), -(2**63), -(2**64), -(2**70)], ids=str)
@pytest.mark.parametrize("name", ["zeros", "ones", "empty", "eye", "identity"])
def test_huge_and_negative_sizes(name, n):
    if abs(n) < 2**32 and n > 0:
        n *= 2**20  # more than any machine has
    assert_refused(name, n)


@pytest.mark.parametrize("n", [2**40, 2**62, -1, -(2**40), -(2**62)], ids=str)
def test_huge_and_negative_ranges(n):
    both(lambda lib: lib.arange(n, n + 2))
    if n < 0:
        both(lambda lib: lib.arange(n))
    if n == 2**62:
        assert_refused("arange", n)
        assert_refused("arange", 0, 1, 1 / n**2)


def assert_refused(name, *args):
    """Allocation fails at once, by MemoryError or by what NumPy raises for the size."""
    with pytest.raises((ValueError, MemoryError, OverflowError, TypeError)) as caught:
        getattr(np, name)(*args)
    with pytest.raises((ValueError, MemoryError, OverflowError, TypeError)):
        getattr(onp, name)(*args)
    assert str(caught.value)


OVERFLOWING = [(2**32, 2**32), (2**62, 4), (2**63, 2), (2**31, 2**31, 4), (2**62, 2, 0), (-1, -1),
               (3, -2), (0, -1), (2**64, 0), (2**40,) * 10, (1,) * 65, (2**60,)]  # fmt: skip


@pytest.mark.parametrize("shape", OVERFLOWING, ids=str)
def test_shapes_whose_product_overflows(shape):
    both(lambda lib: lib.zeros(shape).shape)
    both(lambda lib: lib.empty(shape).shape)
    both(lambda lib: lib.full(shape, 1).shape)
    both(lambda lib: lib.broadcast_to(lib.ones(()), shape).shape)
    both(lambda lib, a: lib.reshape(a, shape), A)
    both(lambda lib, a: a.reshape(shape), A)


def test_broadcast_of_huge_shapes_does_not_allocate_before_it_checks():
    both(lambda lib: lib.broadcast_to(lib.ones(1), (2**40,)).shape)
    both(lambda lib: lib.broadcast_to(lib.ones(1), (2**40,))[:: 2**38].shape)
    both(lambda lib: lib.broadcast_to(lib.ones(()), (2**31, 2**31)).shape)
    with pytest.raises((MemoryError, ValueError)):
        np.broadcast_to(np.ones(()), (2**31, 2**20)) + 1
    with pytest.raises((MemoryError, ValueError)):
        np.broadcast_to(np.ones(()), (2**31, 2**31)) + np.ones((2**3, 1, 1))
    both(lambda lib: lib.ones((2**20, 0)).sum(axis=1).shape)


@pytest.mark.parametrize("n", [*HUGE, -(2**63), -(2**64)], ids=str)
def test_huge_integers_as_axes_counts_and_indices(n):
    beyond = abs(n) >= 2**31  # as an axis, NumPy's Python code fails with OverflowError
    both(lambda lib, a: lib.sum(a, axis=n), A)
    both(lambda lib, a: lib.expand_dims(a, n), A, loose=beyond)
    both(lambda lib, a: lib.take(a, n), A)
    both(lambda lib, a: a[n], A)
    both(lambda lib, a: a[-n:n], A)
    both(lambda lib, a: a[:: n if n else 1], A)
    both(lambda lib, a: lib.swapaxes(a, 0, n), A, loose=beyond)
    both(lambda lib, a: lib.diagonal(a, n), A)
    both(lambda lib, a: lib.array([n]) if -(2**63) <= n < 2**64 else None, A)
    both(lambda lib: lib.array([1], "int8") + n)


@pytest.mark.parametrize("n", [2**31, 2**40, 2**62, 2**70], ids=str)
def test_huge_repetitions_are_refused(n):
    for call in (lambda lib: lib.repeat(lib.ones(2**22), n),
    lambda lib: lib.tile(lib.ones(2**22), n),
                 lambda lib: lib.pad(lib.ones(3), n * 2**20),
                 lambda lib: lib.ones(1).repeat(n * 2**12),
                 lambda lib: lib.bincount(lib.array([n % 2**62 + 2**60]))):  # fmt: skip
        with pytest.raises((MemoryError, ValueError, OverflowError, TypeError)):
            call(np)


# --- nests --------------------------------------------------------------------------------------


def test_self_referencing_lists_raise():
    def loop():
        nest = [1, 2]
        nest.append(nest)
        return nest

    def knot():
        first, second = [], []
        first.append(second)
        second.append(first)
        return first

    for make in (loop, knot):
        both(lambda lib, make: lib.array(make(), dtype=float), make)
        with pytest.raises((ValueError, TypeError, RecursionError)):
            np.array(make())
        with pytest.raises((ValueError, TypeError, RecursionError)):
            np.add(make(), 1)
        with pytest.raises((ValueError, TypeError, RecursionError)):
            np.concatenate(make())
        with pytest.raises((ValueError, TypeError, IndexError, RecursionError)):
            np.ones(3)[make()]


def test_deeply_nested_lists():
    nest = 1.0
    for _ in range(64):
        nest = [nest]
    both(lambda lib: lib.array(nest).ndim)
    both(lambda lib: lib.array([nest], dtype=float))
    for _ in range(3000):
        nest = [nest]
    with pytest.raises((ValueError, TypeError, RecursionError)):
        np.array(nest, dtype=float)


# --- objects that raise or lie ------------------------------------------------------------------


class Boom(Exception):
    """Raised by a hostile object: must come out as it is."""


def boom(*args, **kwargs):
    raise Boom("by design")


def hostile(**methods):
    return type("Hostile", (), methods)()


@pytest.mark.parametrize("call", [
    lambda lib, a, o: a[o], lambda lib, a, o: lib.zeros(o), lambda lib, a, o: lib.sum(a, axis=o),
    lambda lib, a, o: a.reshape(o), lambda lib, a, o: a[o:], lambda lib, a, o: lib.zeros((2, o)),
    lambda lib, a, o: lib.expand_dims(a, o), lambda lib, a, o: a.reshape(2, o),
    lambda lib, a, o: lib.swapaxes(a, o, 0), lambda lib, a, o: lib.eye(o),
    lambda lib, a, o: lib.split(a, [o]), lambda lib, a, o: lib.transpose(a, (o, 0)),
], ids=["get", "zeros", "axis", "reshape", "slice", "side", "expand", "sides", "swap", "eye",
        "split", "transpose"])  # fmt: skip
def test_index_method_that_raises_or_lies(call):
    """NumPy lets the error through or replaces it, and clips huge bounds; no crash."""
    for method in (
        boom,
        lambda self: "x",
        lambda self: 1.5,
        lambda self: None,
        lambda self: 2**100,
    ):
        try:
            call(np, np.arange(6.0).reshape(2, 3), hostile(__index__=method))
        except (Boom, TypeError, ValueError, IndexError, OverflowError) as error:
            assert str(error)  # noqa: PT017
        else:
            assert method is not boom


def test_error_of_an_index_method_comes_through():
    with pytest.raises((Boom, IndexError)):
        np.ones(3)[hostile(__index__=boom)]
    with pytest.raises((Boom, TypeError)):
        np.zeros((hostile(__index__=boom),))


@pytest.mark.parametrize(
    "call",
    [
        lambda lib, o: lib.array(o),
        lambda lib, o: lib.asarray(o),
        lambda lib, o: lib.add(o, 1),
        lambda lib, o: lib.ones(2) + o,
        lambda lib, o: lib.sum(o),
        lambda lib, o: lib.array([o, o]),
        lambda lib, o: lib.concatenate([o]),
        lambda lib, o: lib.ones(2).__setitem__(0, o),
        lambda lib, o: lib.where(o, 1, 2),
        lambda lib, o: lib.add(1, 2, out=o),
    ],
    ids=["array", "asarray", "add", "operator", "sum", "list", "join", "set", "where", "out"],
)
def test_array_method_that_raises_or_lies(call):
    for method in (boom, lambda self, *a, **k: "x", lambda self, *a, **k: 3, lambda self: 1,
                   lambda self, *a, **k: None, 5):  # fmt: skip
        with pytest.raises(Exception) as caught:
            call(np, hostile(__array__=method))
        assert isinstance(caught.value, (Boom, TypeError, ValueError)), repr(caught.value)
        caught = None


def test_array_method_that_returns_what_it_should_not_have():
    grown = hostile(__array__=lambda self, *a, **k: onp.array([object()]))
    with pytest.raises((TypeError, ValueError)):
        np.asarray(grown)
    swapped = hostile(__array__=lambda self, *a, **k: onp.arange(3, dtype=">i4"))
    h.assert_same(np.asarray(swapped), onp.arange(3, dtype="i4"))


@pytest.mark.parametrize("method", [boom, lambda self, **k: None, lambda self, **k: "capsule",
                                    lambda self, **k: 3, 5],
                         ids=["raises", "none", "text", "int", "no-method"])  # fmt: skip
@pytest.mark.parametrize("device", [(1, 0), (2, 0), (99, 0), "cpu", None, (1,), ("x", 0)], ids=repr)
def test_dlpack_method_that_raises_or_lies(method, device):
    other = hostile(__dlpack__=method, __dlpack_device__=lambda self: device)
    with pytest.raises(Exception) as caught:
        np.from_dlpack(other)
    assert isinstance(caught.value, (Boom, TypeError, ValueError, BufferError, RuntimeError))
    caught = None


def test_dlpack_capsule_of_another_name_or_used_twice():
    class Once:
        def __init__(self, capsule):
            self.capsule = capsule

        def __dlpack_device__(self):
            return (1, 0)

        def __dlpack__(self, **keywords):
            return self.capsule

    once = Once(onp.arange(3.0).__dlpack__())
    h.assert_same(np.from_dlpack(once), onp.arange(3.0))
    with pytest.raises((TypeError, ValueError, BufferError, RuntimeError)):
        np.from_dlpack(once)
    with pytest.raises((TypeError, ValueError, BufferError, RuntimeError)):
        np.from_dlpack(Once(datetime.datetime_CAPI))
    with pytest.raises((TypeError, ValueError, AttributeError, BufferError)):
        np.from_dlpack([1, 2])


@pytest.mark.parametrize("length", [-1, 2**70, "x"], ids=str)
def test_sequences_that_lie_about_their_length(length):
    other = hostile(__len__=lambda self: length, __getitem__=lambda self, i: [1.0, 2.0][i])
    for call in (np.array, np.sum, lambda o: np.add(o, 1), lambda o: np.ones(2)[o],
                 lambda o: np.zeros(o), lambda o: np.concatenate(o)):  # fmt: skip
        with pytest.raises((TypeError, ValueError, OverflowError, IndexError, SystemError)):
            call(other)


def test_sequence_that_is_shorter_than_its_length():
    other = hostile(__len__=lambda self: 10, __getitem__=lambda self, i: [1.0, 2.0][i])
    both(lambda lib: lib.array(other))
    both(lambda lib: lib.add(other, 1))
    with pytest.raises((TypeError, ValueError, IndexError)):
        np.ones(2)[other]


def test_sequences_that_raise_or_change_while_they_are_read():
    for call in (np.array, lambda o: np.add(o, 1), lambda o: np.concatenate(o), np.zeros):
        with pytest.raises((Boom, TypeError, ValueError)):
            call(hostile(__len__=boom, __getitem__=boom))
        with pytest.raises((Boom, TypeError, ValueError)):
            call(hostile(__len__=lambda self: 2, __getitem__=boom))

    class Shrinking:
        def __init__(self, nest):
            self.nest = nest

        def __float__(self):
            self.nest.clear()
            return 1.0

        __index__ = None

    nest = [1.0, 2.0, 3.0]
    nest[1] = Shrinking(nest)
    try:
        np.array(nest, dtype=float)
    except (TypeError, ValueError, RuntimeError, IndexError) as error:
        assert str(error)  # noqa: PT017


def test_number_methods_that_raise():
    for name in ("__float__", "__complex__", "__bool__", "__int__"):
        other = hostile(**{name: boom})
        with pytest.raises((Boom, TypeError, ValueError)):
            np.array([other], dtype="float64")
        with pytest.raises((Boom, TypeError, ValueError)):
            np.ones(2)[0] = other
        with pytest.raises((Boom, TypeError, ValueError)):
            np.add(np.ones(2), other)


def test_objects_that_raise_when_looked_up():
    class Closed:
        def __getattr__(self, name):
            raise Boom(name)

        def __getattribute__(self, name):
            if name == "__class__":
                return object.__getattribute__(self, name)
            raise Boom(name)

    for call in (np.array, np.sin, np.zeros, lambda o: np.ones(2) + o, lambda o: np.ones(2)[o],
                 lambda o: np.from_dlpack(o), lambda o: np.sum(np.ones(2), axis=o)):  # fmt: skip
        with pytest.raises((Boom, TypeError, ValueError, IndexError, AttributeError)):
            call(Closed())


def test_operator_of_the_other_operand_that_raises_comes_through():
    other = hostile(__array_ufunc__=None, __radd__=boom)
    with pytest.raises(Boom):
        np.ones(2) + other
    with pytest.raises((Boom, TypeError)):
        np.add(np.ones(2), hostile(__array_ufunc__=boom))
    with pytest.raises((Boom, TypeError)):
        np.sum(hostile(__array_function__=boom))


# --- arguments stay as they are -----------------------------------------------------------------

FAILING = {
    "add": lambda lib, a: lib.add(a, [1, 2]),
    "out": lambda lib, a: lib.add(a, 1, out=a[0]),
    "iadd": lambda lib, a: a.__iadd__(1j),
    "set": lambda lib, a: a.__setitem__(slice(None), [1, 2]),
    "set-advanced": lambda lib, a: a.__setitem__([0, 9], 7),
    "copyto": lambda lib, a: lib.copyto(a, "text"),
    "sum-out": lambda lib, a: lib.sum(a, axis=0, out=a),
    "reshape": lambda lib, a: a.reshape(4, 4),
    "concatenate": lambda lib, a: lib.concatenate([a, a[0]]),
    "sort": lambda lib, a: a.sort(axis=7),
    "fill": lambda lib, a: a.fill("text"),
    "matmul-out": lambda lib, a: lib.matmul(a, a.T, out=a),
    "clip-out": lambda lib, a: lib.clip(a, 0, 1, out=a[0]),
    "take-out": lambda lib, a: lib.take(a, [9], out=a[0, :1]),
    "inv": lambda lib, a: lib.linalg.inv(a),
    "power": lambda lib, a: lib.power(a.astype(int), -1),
}


@pytest.mark.parametrize("name", FAILING)
def test_failed_call_leaves_its_arguments(name):
    for shared in (False, True):
        a = np.asarray(onp.arange(6.0).reshape(2, 3)) if shared else np.arange(6.0).reshape(2, 3)
        refs = sys.getrefcount(a)
        with pytest.raises((TypeError, ValueError, IndexError, onp.linalg.LinAlgError)) as caught:
            FAILING[name](np, a)
        assert str(caught.value)
        assert a.tolist() == [[0, 1, 2], [3, 4, 5]]
        del caught
        assert sys.getrefcount(a) == refs


# ---- Found by random calls ----------------------------------------------------------------------
@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d", "vstack", "hstack"])
def test_strings_are_no_arrays(name):
    with pytest.raises(TypeError, match="array"):
        getattr(np, name)(["a"] if name.endswith("stack") else "a")


@pytest.mark.parametrize(
    "other", [range(3), bytearray(b"abc"), memoryview(b"abc"), [1, 2, 3]], ids=str
)
def test_operators_take_sequences_and_buffers(other):
    a = onp.arange(3)
    h.assert_same(np.asarray(a) + other, a + onp.asarray(other))
    h.assert_same(other - np.asarray(a), onp.asarray(other) - a)
    h.assert_same(np.asarray(a) < other, a < onp.asarray(other))


@pytest.mark.parametrize(
    "call",
    [
        lambda: np.array_split(np.ones(1), 2**62),
        lambda: np.hsplit(np.ones(2), 2**62),
        lambda: np.triu_indices(2**40),
        lambda: np.tril_indices(2**40),
    ],
)
def test_results_that_fit_no_memory(call):
    with pytest.raises((MemoryError, ValueError)):
        call()


def test_an_array_is_no_dtype():
    with pytest.raises(TypeError, match="dtype"):
        np.ones(2).astype(np.zeros(1))
    with pytest.raises(TypeError, match="dtype"):
        np.zeros(2, dtype=np.ones(1))


def test_dlpack_device_that_is_no_tuple():
    with pytest.raises(TypeError, match="dl_device"):
        np.ones(2).__dlpack__(dl_device=1)


def test_triangle_indices_far_from_the_diagonal():
    for k in (-(2**62), -3, 0, 3, 2**62):
        h.assert_same(np.tril_indices(3, k, 4), onp.tril_indices(3, k, 4))
        h.assert_same(np.triu_indices(3, k, 4), onp.triu_indices(3, k, 4))


def test_conjugate_of_real_numbers_is_the_array_itself():
    a = np.array([True, False])
    assert a.conj() is a
    assert a.conjugate().dtype == onp.bool_


class Meddler:
    """An index that runs code when it is asked for its value."""

    def __init__(self, code, value=0):
        self.code, self.value = code, value

    def __index__(self):
        self.code()
        # What was freed by the code is likely to be used again by these.
        self.held = [np.full(6000, -7.5) for _ in range(50)]
        return self.value


def test_a_list_cleared_by_a_later_argument_is_used_as_it_was():
    arrays = [np.ones(6000) for _ in range(10)]
    assert float(np.concatenate(arrays, axis=Meddler(arrays.clear)).sum()) == 60000
    arrays = [np.ones(6000) for _ in range(10)]
    assert np.stack(arrays, axis=Meddler(arrays.clear)).shape == (10, 6000)


@pytest.mark.parametrize("size", [6, 6000])
def test_a_shape_set_by_a_later_argument_leaves_the_call_whole(size):
    def turn(a):
        return lambda: setattr(a, "shape", (1, size))

    a = np.ones((size, 1))
    assert float(np.sum(a, axis=Meddler(turn(a))).sum()) == size
    a = np.ones((size, 1))
    assert float(a[Meddler(turn(a))].sum()) in (1, size)
    a = np.ones((size, 1))
    assert a.reshape(Meddler(turn(a), size)).shape == (size,)
    a = np.ones((size, 1))
    assert float(np.roll(a, Meddler(turn(a), 1)).sum()) == size


def test_an_iterator_of_an_array_whose_shape_is_set():
    a = np.ones(1)
    iterator = iter(a)
    a.shape = ()
    assert iterator.__length_hint__() == 0
    assert list(iterator) == []


@pytest.mark.parametrize("order", ["\ud800", "", "CC", "fortran", 3, True, 1.5])
@pytest.mark.parametrize("method", ["astype", "copy", "flatten", "ravel", "reshape"])
def test_order_that_is_none(method, order):
    def call(a):
        args = {"astype": ("i4",), "reshape": (3, 2)}.get(method, ())
        return getattr(a, method)(*args, order=order)

    host = onp.ones((2, 3))
    with pytest.raises((TypeError, ValueError)) as theirs:
        call(host)
    with pytest.raises(theirs.type):
        call(isthmus.from_numpy(host))


def test_shape_set_by_an_argument_of_a_method():
    class Reshapes:
        def __init__(self, array):
            self.array = array

        def __index__(self):
            self.array.shape = (12,)
            return 1

        def __bool__(self):
            return bool(self.__index__())

        @property
        def dtype(self):
            self.__index__()
            return onp.dtype("float32")

    for call in (
        lambda a, x: a.astype(x),
        lambda a, x: a.astype("f4", copy=x),
        lambda a, x: a.astype("f8", copy=x),
        lambda a, x: a.item(x),
        lambda a, x: a.item(x, x),
        lambda a, x: a[x],
        lambda a, x: a[x, x],
        lambda a, x: a[slice(x, None, x)],
        lambda a, x: a.__setitem__(x, 5),
        lambda a, x: a.asnumpy(shared=x),
        lambda a, x: a.sum(axis=x),
        lambda a, x: a.__dlpack__(copy=x),
    ):
        a = np.arange(12.0).reshape(3, 4)
        with contextlib.suppress(IndexError, ValueError, TypeError):
            call(a, Reshapes(a))
        assert a.shape == (12,)
        assert a.tolist()[::11] == [0, 11]


def test_huge_counts_of_empty_work_end_at_once():
    assert np.diff(np.zeros((0, 2), bool), n=2**60, axis=0).shape == (0, 2)
    assert np.diff(np.ones(3), n=2**60).shape == (0,)
    assert np.tri(2**60, 0, dtype="int8").shape == (2**60, 0)


@pytest.mark.parametrize(
    "call",
    [
        lambda a: np.linspace(a, a, 3),
        lambda a: np.geomspace(a + 1, a + 1, 3),
        lambda a: np.indices(a.shape),
        lambda a: np.take(a, a.astype(int), axis=0),
        lambda a: np.tensordot(a, a, 0),
        lambda a: np.dot(a, a),
        lambda a: np.quantile(a, a, axis=0),
        lambda a: np.stack([a, a]),
        lambda a: a[None],
        lambda a: a[a.astype(int), None],
    ],
)
def test_more_dimensions_than_arrays_have(call):
    with pytest.raises((ValueError, IndexError)):
        call(np.ones((1,) * 64) - 1)


def test_as_many_dimensions_as_arrays_have():
    assert np.ones((1,) * 64).sum() == 1
    assert np.ones((1,) * 64).sum(axis=63).ndim == 63
