# SPDX-License-Identifier: Apache-2.0
"""Making arrays: from shapes, from Python values, from other arrays, from ranges."""

import array as python_array

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec
from isthmus import np

SHAPES = [(), 0, 3, (2,), [2, 3], (2, 0, 3), onp.int64(4), (onp.int32(2), 1), True, (1,) * 6]
DTYPES = [None, bool, int, float, complex, "int8", "f4", "<i4", onp.uint16, onp.dtype("c8"),
          onp.float64, "double", "half", "?", "i", onp.dtypes.Float32DType()]  # fmt: skip


# --- from a shape -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["zeros", "ones"])
@pytest.mark.parametrize("shape", SHAPES, ids=repr)
def test_filled_array_of_every_form_of_shape(name, shape):
    both(lambda lib: getattr(lib, name)(shape))
    both(lambda lib: getattr(lib, name)(shape=shape, dtype="int16"))


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_dtype_in_every_spelling(name, dtype):
    both(lambda lib: getattr(lib, name)((2, 3), dtype).dtype)
    both(lambda lib: getattr(lib, name)((2, 3), dtype=dtype).shape)


@pytest.mark.parametrize("dtype", ["nonsense", 3, [], object, "S3", "U2", "M8[s]", "V4", {}],
                         ids=repr)  # fmt: skip
def test_dtype_that_no_array_can_hold_raises(dtype):
    with pytest.raises((TypeError, ValueError)):
        np.zeros(3, dtype)
    with pytest.raises((TypeError, ValueError)):
        np.ones((2, 2), dtype=dtype)


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "Z", 3, None, "c"], ids=repr)
@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_order_of_a_new_array(name, order):
    both(lambda lib: getattr(lib, name)((2, 3), order=order).strides)


@pytest.mark.parametrize("value", [0, 1, 2.5, True, 1j, [1, 2, 3], onp.float32(2), -1, 300, "x",
                                   float("nan"), 2**63, 2**70, None], ids=repr)  # fmt: skip
@pytest.mark.parametrize("dtype", [None, "int64", "uint8", "float32", "bool", "complex64"])
def test_full_of_every_value_and_dtype(value, dtype):
    if dtype is None and (value in ("x", None) or value == 2**70):
        with pytest.raises((TypeError, OverflowError)):  # NumPy: strings or objects
            np.full((2, 3), value)
        return
    both(lambda lib: lib.full((2, 3), value, dtype=dtype))


def test_full_broadcasts_its_value():
    both(lambda lib, a: lib.full((2, 3), a), spec([[1], [2]]))
    both(lambda lib, a: lib.full((2, 3), a), spec([1, 2]))
    both(lambda lib, a: lib.full((), a), spec(2.5))


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "full_like"])
@given(data=st.data())
def test_like_takes_shape_dtype_and_order(name, data):
    a = data.draw(h.arrays())
    extra = (2,) if name == "full_like" else ()
    keywords = {}
    if data.draw(st.booleans()):
        keywords["dtype"] = data.draw(h.dtypes())
    if data.draw(st.booleans()):
        keywords["shape"] = data.draw(h.shapes())
    if data.draw(st.booleans()):
        keywords["order"] = data.draw(st.sampled_from("CFAK"))

    def call(lib, a):
        result = getattr(lib, name)(a, *extra, **keywords)
        return (result.dtype, result.shape) if name == "empty_like" else result

    both(call, a)


def test_new_arrays_are_independent_and_writable():
    a = np.ones(3)
    for new in (np.zeros_like(a), np.ones(3), np.full(3, a), np.empty(3), np.array(a)):
        new[:] = 7
        assert new.flags.writeable
    assert a.tolist() == [1, 1, 1]


# --- from Python values -------------------------------------------------------------------------

NESTS = [
    1, 2.5, True, 1j, [], [[]], [[], []], (), [1, 2], (1, 2.5), [True, False], [True, 2],
    [[1, 2], [3, 4]], ([1, 2], (3, 4)), [[[1]]], [1, 2**40], [2**63], [2**63, -1], [1, 2**64 - 1],
    [1.5, 1j], [None][:0], range(4), [range(2), range(2)], [onp.float32(1), 2], [onp.int8(1)],
    [onp.int8(1), onp.uint8(2)], [onp.True_, 1], onp.float16(1), [float("nan"), 1],
    [onp.arange(2), onp.arange(2.0)], [onp.array(1), 2], memoryview(b"abc"),
    python_array.array("d", [1, 2]), bytearray(b"xyz"),
]  # fmt: skip


@pytest.mark.parametrize("name", ["array", "asarray", "asanyarray", "ascontiguousarray"])
@pytest.mark.parametrize("nest", NESTS, ids=lambda n: repr(n)[:40])
def test_array_of_python_values(name, nest):
    both(lambda lib: getattr(lib, name)(nest))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int64", "float16", "float32",
                                   "float64", "complex64"])  # fmt: skip
@pytest.mark.parametrize("nest", [[1, 2], [1.5, 2], [True], [1j], [300], [-1], [2**70], [1e300],
                                  [None], [[1, 2], [3]], float("nan")],
                         ids=repr)  # fmt: skip
def test_array_of_python_values_as_a_dtype(nest, dtype):
    both(lambda lib: lib.array(nest, dtype=dtype))


@pytest.mark.parametrize("nest", [["x"], None, [None], {}, object(), [2**70], "abc", b"ab", {1, 2},
                                  [[1], "x"]], ids=lambda n: repr(n)[:20])  # fmt: skip
def test_values_of_no_numeric_dtype_raise(nest):
    with pytest.raises((TypeError, ValueError, OverflowError)):
        np.array(nest)


RAGGED = [[[1, 2], [3]], [1, [2]], [[1], 2], [[[1], [2]], [[3]]], [onp.ones(2), onp.ones(3)],
          [[], [1]], [(1, 2), 3.5]]  # fmt: skip


@pytest.mark.parametrize("nest", RAGGED, ids=lambda n: repr(n)[:30])
def test_ragged_nest_raises(nest):
    both(lambda lib: lib.array(nest))
    both(lambda lib: lib.asarray(nest, dtype=float))


def test_list_of_arrays_makes_an_array_of_one_more_dimension():
    a, b, c = spec([1.5, 2]), spec([3, 4]), spec(onp.float32(7))
    both(lambda lib, a, b: lib.array([a, b]), a, b)
    both(lambda lib, a, b: lib.array([[a, b], (b, a)]), a, b)
    both(lambda lib, a, b: lib.asarray([a, [5, 6]]), a, b)
    both(lambda lib, a, b: lib.array([a.sum(), b.max(), 3]), a, b)
    both(lambda lib, c: lib.array([c, 2]), c)
    both(lambda lib, a, b: lib.array([a[0], b[1]], dtype="float32"), a, b)
    both(lambda lib, a, b: lib.array([list(a), list(b)]), a, b)


@pytest.mark.parametrize("ndmin", [0, 1, 3, 64, 65, 1.5])
def test_ndmin_adds_dimensions_in_front(ndmin):
    both(lambda lib: lib.array([1, 2], ndmin=ndmin))
    both(lambda lib: lib.array(3, ndmin=ndmin))


def test_objects_with_the_array_protocol():
    class Protocol:
        def __array__(self, dtype=None, copy=None):
            return onp.arange(3, dtype=dtype)

    class Interface:
        __array_interface__ = onp.arange(4.0).__array_interface__
        keep = onp.arange(4.0)

    both(lambda lib: lib.array(Protocol()))
    both(lambda lib: lib.asarray(Protocol(), dtype="float32"))
    both(lambda lib: lib.array([Protocol(), Protocol()]))
    both(lambda lib: lib.add(Protocol(), 1))

    class Sequence:
        def __len__(self):
            return 3

        def __getitem__(self, i):
            if i >= 3:
                raise IndexError(i)
            return i * 1.5

    both(lambda lib: lib.array(Sequence()))


# --- from arrays --------------------------------------------------------------------------------


@given(data=st.data())
def test_array_copies_and_asarray_does_not(data):
    a = data.draw(h.arrays(shape=h.shapes(min_side=1)))
    both(lambda lib, a: h.view_facts(lib.array(a, copy=None), a)[:2], a)
    both(lambda lib, a: (lib.array(a), h.shares(lib.array(a), a)), a)
    both(lambda lib, a: (lib.asarray(a), lib.asarray(a) is a), a)


@pytest.mark.parametrize("copy", [True, False, None, 1], ids=repr)
@pytest.mark.parametrize("dtype", [None, "float64", "float32"])
@pytest.mark.parametrize("name", ["array", "asarray"])
def test_copy_argument(name, dtype, copy):
    def call(lib, a):
        result = getattr(lib, name)(a, dtype=dtype, copy=copy)
        return result, h.shares(result, a)

    both(call, spec([1.0, 2.0]))
    both(lambda lib: getattr(lib, name)([1.0, 2.0], dtype=dtype, copy=copy))


@given(data=st.data())
def test_astype_to_every_dtype(data):
    a = data.draw(h.arrays(kind="positive"))
    dtype = data.draw(h.dtypes())
    both(lambda lib, a: a.astype(dtype), a)
    both(lambda lib, a: a.astype(dtype, order="F").flags.f_contiguous, a)


@pytest.mark.parametrize("casting", ["no", "safe", "same_kind", "unsafe", "nonsense"])
def test_astype_with_a_casting_rule(casting):
    for source in ("int32", "float32", "float64", "complex64", "bool"):
        for target in ("int32", "int64", "float32", "float64"):
            a = spec(onp.ones(2, source))
            both(lambda lib, a, t: a.astype(t, casting=casting), a, target)


def test_astype_copies_unless_told_otherwise():
    a = spec([1.0, 2.0])
    both(lambda lib, a: h.shares(a.astype(float), a), a)
    both(lambda lib, a: h.shares(a.astype(float, copy=False), a), a)
    both(lambda lib, a: h.shares(a.astype("f4", copy=False), a), a)
    both(lambda lib, a: lib.astype(a, "i4"), a)


@pytest.mark.parametrize("order", "CFAK")
@given(data=st.data())
def test_copy_in_each_order_has_numpy_strides(order, data):
    a = data.draw(h.arrays(layouts=("plain", "fortran", "transposed")))
    both(lambda lib, a: (a.copy(order), h.layout(a.copy(order))), a)
    both(lambda lib, a: (lib.array(a, order=order), h.layout(lib.array(a, order=order))), a)


# --- ranges and grids ---------------------------------------------------------------------------

ARANGE = [(3,), (0,), (-2,), (1, 4), (4, 1), (1, 9, 3), (9, 1, -3), (0, 1, 0.25), (2.5,), (1, 2, 0),
          (True,), (0, 1, -1), (1.5, 4), (onp.int8(3),), (onp.float32(2.5),), (1j,), ("x",), (),
          (0, 10**30), (1, 2, 3, "int8", 5), (None,), (3, None), (0, 1e-3, 1e-4),
          (float("nan"),), (0, float("inf")), (2**62, 2**62 + 3)]  # fmt: skip


@pytest.mark.parametrize("args", ARANGE, ids=repr)
def test_arange(args):
    both(lambda lib: lib.arange(*args))


@pytest.mark.parametrize("dtype", [*h.ALL, None])
def test_arange_of_a_dtype(dtype):
    both(lambda lib: lib.arange(2, dtype=dtype))
    both(lambda lib: lib.arange(1, 9, 2, dtype=dtype))
    both(lambda lib: lib.arange(stop=3, dtype=dtype))
    both(lambda lib: lib.arange(start=1, stop=3, step=1, dtype=dtype))


@pytest.mark.parametrize("args", [(0, 1), (0, 1, 5), (1, 0, 3), (0, 1, 0), (0, 1, 1), (0, 1, -1),
                                  (2, 2, 4), (0, 1j, 3), (0, 1, 2.5), ([0, 1], [2, 5], 3),
                                  (0, 1e300, 3), ("a", 1), (0,)], ids=repr)  # fmt: skip
def test_linspace(args):
    both(lambda lib: lib.linspace(*args), ulps=2)
    both(lambda lib: lib.linspace(*args, endpoint=False), ulps=2)
    both(lambda lib: lib.asarray(lib.linspace(*args, retstep=True)[1])[()], ulps=2)
    both(lambda lib: lib.linspace(*args, dtype="int32"), ulps=2)
    both(lambda lib: lib.linspace(*args, axis=-1), ulps=2)


def test_logspace_and_geomspace():
    both(lambda lib: lib.logspace(0, 3, 4), ulps=8)
    both(lambda lib: lib.logspace(0, 3, 4, base=2, endpoint=False, dtype="float32"), ulps=8)
    both(lambda lib: lib.geomspace(1, 1000, 4), ulps=8)
    both(lambda lib: lib.geomspace(-1, -1000, 4), ulps=8)
    both(lambda lib: lib.geomspace(0, 10, 4))


@pytest.mark.parametrize("args", [(3,), (2, 3), (3, 2, 1), (3, 3, -5), (0,), (2, None, 1), (-1,),
                                  (2.5,), ("x",), (2, -3)], ids=repr)  # fmt: skip
def test_eye_and_tri(args):
    both(lambda lib: lib.eye(*args))
    both(lambda lib: lib.eye(*args, dtype="int8", order="F"))
    if args != (2.5,):
        both(lambda lib: lib.tri(*args))
    both(lambda lib: lib.identity(*args[:1]))


def test_grids():
    a, b = spec([1, 2, 3]), spec([4.0, 5])
    for keywords in ({}, {"indexing": "ij"}, {"sparse": True}, {"indexing": "zz"}):
        both(lambda lib, a, b, k: lib.meshgrid(a, b, **k), a, b, keywords)
    both(lambda lib, a, b: lib.ix_(a, [0, 1]), a, b)
    both(lambda lib: lib.mgrid[0:3, 0:2:2j])
    both(lambda lib: lib.ogrid[0:3, 1:5:2])
    both(lambda lib, a, b: lib.r_[a, 0, 0, 6], a, b)
    both(lambda lib, a, b: lib.c_[a, a], a, b)
    both(lambda lib: lib.indices((2, 3)))
    both(lambda lib: lib.fromfunction(lambda i, j: i * 10 + j, (2, 3)))


def test_arrays_from_buffers_iterators_and_text():
    both(lambda lib: lib.frombuffer(b"\x01\x02\x03\x04", dtype="uint8"))
    both(lambda lib: lib.frombuffer(b"\x01\x02\x03\x04", dtype="<u2", count=1, offset=2))
    both(lambda lib: lib.frombuffer(b"\x01\x02\x03", dtype="<u2"))
    both(lambda lib: lib.fromiter((i * i for i in range(5)), dtype=float))
    both(lambda lib: lib.fromiter(range(5), dtype="int8", count=3))
    both(lambda lib: lib.fromstring("1 2 3", sep=" "))


def test_array_constructor_class():
    both(lambda lib: lib.ndarray((2, 3), "float32").shape)
    both(lambda lib: lib.ndarray(shape=(0,), dtype=int))
    both(lambda lib: isinstance(lib.zeros(1), lib.ndarray))


def test_names_of_dtypes_and_constants_are_those_of_numpy():
    for name in (*h.ALL, "pi", "e", "inf", "newaxis", "float64", "bool_", "intp", "integer",
                 "floating", "euler_gamma", "complexfloating", "dtype", "generic"):  # fmt: skip
        assert getattr(np, name) == getattr(onp, name), name
    assert np.isnan(np.nan)
    both(lambda lib: (lib.finfo("float32").eps.item(), lib.iinfo("int8").max))
    both(lambda lib: (lib.result_type("i4", "f4"), lib.promote_types("u8", "i8")))
    both(lambda lib, a: (lib.result_type(a, 1.5), lib.can_cast(a.dtype, "i1")), spec([1, 2]))


def test_scalar_types_of_numpy_construct_values():
    both(lambda lib: lib.float32(2) + lib.ones(2, "float32"))
    both(lambda lib, a: a * lib.int8(3), spec(onp.ones(2, "int8")))
    both(lambda lib, a: lib.zeros(3, lib.int32) + a, spec(onp.ones(3, "int16")))
