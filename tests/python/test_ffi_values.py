# SPDX-License-Identifier: Apache-2.0
"""Values that cross the boundary and come back: what they are and who holds them."""

import collections
import enum
import gc
import sys

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
import isthmus
from isthmus import ffi, np

echo = ffi.get_global_func("isthmus.testing.echo")


class Level(enum.IntEnum):
    HIGH = 3


class Plain:
    pass


Pair = collections.namedtuple("Pair", "a b")


SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**200), 2**200)
    | st.floats(allow_nan=False)
    | st.complex_numbers(allow_nan=False)
    | st.text()
    | st.binary()
    | st.builds(slice, st.none() | st.integers(-9, 9), st.none() | st.integers(-9, 9))
    | st.just(...)
    | st.builds(range, st.integers(-9, 9), st.integers(-9, 9))
)
NESTED = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=12)
        | st.lists(inner, max_size=12).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner, max_size=5)
    ),
    max_leaves=20,
)


def same(a, b):
    """Equal in value and in type, all the way down."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(same(a[k], b[k]) for k in a)
    return a == b


@given(NESTED)
def test_a_round_trip_keeps_value_and_type(value):
    assert same(echo(value), value)


@pytest.mark.parametrize(
    "value",
    [len, Plain, Plain(), lambda: 0, object(), {1, 2}, Exception("x"), onp.array(["x"]), ...],
    ids=lambda v: type(v).__name__,
)
def test_objects_come_back_as_themselves(value):
    assert echo(value) is value
    assert echo([value])[0] is value
    before = sys.getrefcount(value)
    for _ in range(100):
        echo((value, [value]))
    gc.collect()
    assert sys.getrefcount(value) <= before + 1


@pytest.mark.parametrize("kind", [*onp.sctypeDict.keys()], ids=str)
def test_numpy_scalars_come_back_as_python_numbers(kind):
    cls = onp.sctypeDict[kind]
    if not issubclass(cls, (onp.number, onp.bool_)) or issubclass(
        cls, (onp.longdouble, onp.clongdouble, onp.timedelta64)
    ):
        return
    result = echo(cls(1))
    assert result == 1
    assert type(result) in (bool, int, float, complex)


def test_the_widest_unsigned_integer_keeps_its_value():
    assert echo(onp.uint64(2**64 - 1)) == 2**64 - 1


def test_subclasses_come_back_as_their_base():
    assert echo(Level.HIGH) == 3
    assert echo(Pair(1, [2])) == (1, [2])
    assert echo(bytearray(b"xy")) == b"xy"


@pytest.mark.parametrize("d", [onp.dtype("f4"), onp.dtype("?"), onp.dtype("c16"), onp.float16])
def test_dtypes(d):
    assert echo(d) == onp.dtype(d)


def test_devices():
    assert echo(isthmus.cpu(0)) == isthmus.cpu(0)


@pytest.mark.parametrize(
    "host",
    [
        onp.arange(6.0).reshape(2, 3).T,
        onp.arange(6)[::-2],
        onp.ones((0, 2), "f4"),
        onp.array(3, "u1"),
        onp.broadcast_to(onp.ones(1), (2, 3)),
    ],
    ids=lambda a: str(a.shape),
)
def test_numpy_arrays_are_lent(host):
    ours = echo(host)
    assert isinstance(ours, np.ndarray)
    h.assert_same(ours, host)
    if host.size:
        assert np.may_share_memory(ours, host)
    assert ours.flags.writeable == host.flags.writeable


def test_arrays_of_ours_share_their_memory():
    a = np.zeros(3)
    b = echo([a])[0]
    b[0] = 5
    assert float(a[0]) == 5


class Producer:
    def __init__(self, host):
        self.host = host

    def __dlpack__(self, **keywords):
        return self.host.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.host.__dlpack_device__()


def test_dlpack_producers_are_lent():
    host = onp.zeros(3)
    ours = echo(Producer(host))
    host[1] = 7
    assert ours.tolist() == [0, 7, 0]


def test_lone_surrogates_are_refused():
    with pytest.raises(UnicodeEncodeError):
        echo("a\ud800")


def test_a_list_that_contains_itself():
    loop = []
    loop.append(loop)
    for value in (loop, {"x": loop}, (loop, loop)):
        with pytest.raises(RecursionError, match="contains itself"):
            echo(value)


class Shrinks:
    """Shortens the list that it is in when it is asked for its capsule."""

    def __init__(self, items):
        self.items = items

    def __dlpack__(self, **keywords):
        self.items.clear()
        return onp.zeros(1).__dlpack__(**keywords)

    def __dlpack_device__(self):
        return (1, 0)


def test_a_list_that_shrinks_while_it_is_converted():
    items = []
    items.extend([Shrinks(items), 1, "x", [2]])
    assert len(echo(items)) == 1


class Raises:
    def __dlpack__(self, **keywords):
        raise KeyError("no capsule")

    def __dlpack_device__(self):
        return (1, 0)


def test_an_error_of_a_conversion_is_raised():
    with pytest.raises(KeyError, match="no capsule"):
        echo((1, Raises()))


def test_tvm_ffi_objects_cross_both_ways():
    tvm_ffi = pytest.importorskip("tvm_ffi")
    array = tvm_ffi.convert([1, 2, 3])
    assert list(echo(array)) == [1, 2, 3]
    theirs = tvm_ffi.from_dlpack(onp.arange(3.0))
    h.assert_same(echo(theirs), onp.arange(3.0))
    assert tvm_ffi.get_global_func("isthmus.np.add")(np.ones(2), np.ones(2)).shape == (2,)
    assert echo(tvm_ffi.dtype("float32")) == onp.dtype("f4")


# --- Containers of C++ --------------------------------------------------------------------------


def test_arrays_are_sequences():
    a = ffi.Array([1, "x", (2, 3)])
    assert isinstance(a, collections.abc.Sequence)
    assert (len(a), a[1], a[-1], a[:2]) == (3, "x", (2, 3), [1, "x"])
    assert a == [1, "x", (2, 3)]
    assert a == (1, "x", (2, 3))
    assert a != [1]
    assert list(reversed(a)) == [(2, 3), "x", 1]
    assert a.index("x") == 1
    assert a.count(1) == 1
    assert "y" not in a
    assert a + [4] == [1, "x", (2, 3), 4]
    assert hash(a) == hash((1, "x", (2, 3)))
    for index in (3, -4):
        with pytest.raises(IndexError):
            a[index]
    assert type(echo(a)) is ffi.Array


def test_lists_are_mutable_sequences_seen_by_all_holders():
    a = ffi.List([1, 2, 3])
    b = echo(a)
    a.append(4)
    a[0] = "first"
    del a[1]
    a.insert(1, None)
    a += [5]
    assert b == ["first", None, 3, 4, 5]
    assert b.pop() == 5
    assert a == ["first", None, 3, 4]
    a[1:3] = [7]
    a.reverse()
    assert a == [4, 7, "first"]
    a.clear()
    assert len(b) == 0
    with pytest.raises(TypeError):
        hash(a)


def test_maps_and_dicts_are_mappings():
    m = ffi.Map({"a": 1, 2: (3,)})
    assert dict(m) == {"a": 1, 2: (3,)}
    assert m == {"a": 1, 2: (3,)}
    assert m.get("z") is None
    with pytest.raises(KeyError):
        m["z"]
    d = ffi.Dict(x=1)
    held = echo(d)
    d["y"] = [2]
    del d["x"]
    assert held == {"y": [2]}
    assert list(held.items()) == [("y", [2])]
    assert d.pop("y") == [2]
    assert len(held) == 0
    assert d.setdefault("k", 1) == 1
    d.update(k=2)
    assert held["k"] == 2
    assert list(ffi.Map()) == []


# --- Conversion beforehand ----------------------------------------------------------------------


def test_convert_makes_what_cpp_holds():
    items = ffi.convert([1, (2, "x"), {"k": None}])
    assert isinstance(items, ffi.Array)
    assert items == [1, (2, "x"), {"k": None}]
    mapping = ffi.convert({"a": 1})
    assert isinstance(mapping, ffi.Map)
    assert mapping == {"a": 1}
    function = ffi.convert(lambda x: x + 1)
    assert isinstance(function, ffi.Function)
    assert function(1) == 2
    assert ffi.convert(function) is function


def test_convert_shares_arrays():
    x = onp.zeros(3)
    for source in (x, Exporter(x)):
        array = ffi.convert(source)
        assert isinstance(array, np.ndarray)
        x[0] += 1
        assert float(array[0]) == x[0]


class Exporter:
    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **keywords):
        return self.array.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize(
    "value", [None, 1, 2.5, "s", b"b", slice(1), onp.float32(1), int, isthmus.cpu(0)], ids=repr
)
def test_convert_leaves_the_rest(value):
    assert ffi.convert(value) is value


@pytest.mark.parametrize(
    "make", [lambda: len, lambda: [].append, lambda: print, lambda: int], ids=range(4)
)
def test_callables_of_every_kind_come_back(make):
    f = make()
    assert echo(f) is f or echo(f) == f


def test_repeat_calls_as_often_as_asked():
    seen = []
    repeat = ffi.get_global_func("isthmus.testing.repeat")
    assert repeat(lambda *a: seen.append(a) or len(seen), 3, 1, "x") == 3
    assert seen == [(1, "x")] * 3
    assert repeat(print, 0) is None
    for wrong in ((), (print,), (1, 2), (print, "x")):
        with pytest.raises(TypeError):
            repeat(*wrong)
