# SPDX-License-Identifier: Apache-2.0
"""One memory with NumPy, both ways: aliasing, owners, strides, read-only, what is refused."""

import ctypes
import gc
import sys
import weakref

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
import isthmus
from isthmus import ffi, np

needs_buffers = pytest.mark.skipif(
    not h.HAS_BUFFERS, reason="classes of Python have the buffer protocol from CPython 3.12 on"
)


class Owner(onp.ndarray):
    """An array whose death can be seen."""


def owned(values):
    array = onp.array(values).view(Owner)
    return array, weakref.ref(array)


VIEWS = {
    "plain": lambda a: a,
    "row": lambda a: a[1],
    "slice": lambda a: a[::2, 1:],
    "reversed": lambda a: a[::-1, ::-1],
    "transposed": lambda a: a.T,
    "negative-step": lambda a: a[::-2],
    "zero-dim": lambda a: a[1, 2, ...],
    "empty": lambda a: a[:0],
    "new-axis": lambda a: a[:, None],
    "column": lambda a: a[:, 2],
}


# --- NumPy to Isthmus ---------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", h.ALL)
def test_from_numpy_shares_one_memory_both_ways(view, dtype):
    base = onp.arange(12).reshape(3, 4).astype(dtype)
    theirs = VIEWS[view](base)
    ours = isthmus.from_numpy(theirs)
    h.assert_same(ours, theirs)
    assert ours.strides == theirs.strides or theirs.size == 0
    theirs[...] = 1
    h.assert_same(ours, theirs)
    ours[...] = 0
    assert not theirs.any()
    assert onp.shares_memory(ours.asnumpy(shared=True), base) or theirs.size == 0


@given(a=h.arrays())
def test_from_numpy_of_any_layout(a):
    theirs = a.build(onp)
    ours = isthmus.from_numpy(theirs)
    h.assert_same(ours, theirs)
    assert h.layout(ours) == h.layout(theirs)
    assert bool(ours.flags.writeable) == theirs.flags.writeable
    assert h.shares(ours, theirs) == (theirs.size > 0)


def test_from_numpy_copies_when_told():
    theirs = onp.arange(4.0)
    ours = isthmus.from_numpy(theirs, zero_copy=False)
    theirs[0] = 9
    assert ours.tolist() == [0, 1, 2, 3]
    ours[1] = 7
    assert theirs[1] == 1


def test_asarray_shares_and_array_copies():
    theirs = onp.arange(4)
    shared, copied = np.asarray(theirs), np.array(theirs)
    theirs[0] = 9
    assert shared.tolist() == [9, 1, 2, 3]
    assert copied.tolist() == [0, 1, 2, 3]
    assert h.shares(np.array(theirs, copy=None), theirs)
    assert h.shares(np.asanyarray(theirs), theirs)
    assert not h.shares(np.asarray(theirs, dtype=float), theirs)
    with pytest.raises(ValueError):
        np.asarray(theirs, dtype=float, copy=False)


def test_views_of_a_shared_array_share_too():
    theirs = onp.arange(12.0).reshape(3, 4)
    ours = isthmus.from_numpy(theirs)
    ours[1:, ::2].T[...] = -1
    ours.reshape(-1)[0] = -2
    assert theirs[1, 0] == theirs[2, 2] == -1
    assert theirs[0, 0] == -2


def test_inplace_operators_reach_numpy():
    theirs = onp.ones(3)
    ours = isthmus.from_numpy(theirs)
    ours += 1
    np.multiply(ours, 3, out=ours)
    assert theirs.tolist() == [6, 6, 6]


@pytest.mark.parametrize("view", VIEWS)
def test_the_numpy_owner_lives_as_long_as_its_isthmus_views(view):
    array, alive = owned(onp.arange(12.0).reshape(3, 4))
    ours = isthmus.from_numpy(VIEWS[view](array))
    expected = onp.array(VIEWS[view](array))
    part = ours[None]
    del array
    gc.collect()
    assert alive() is not None
    h.assert_same(ours, expected)
    del ours
    gc.collect()
    assert alive() is not None
    h.assert_same(part[0, ...], expected)
    del part
    gc.collect()
    assert alive() is None


def test_references_to_the_numpy_array_are_balanced():
    array = onp.arange(4.0)
    before = sys.getrefcount(array)
    shared = [isthmus.from_numpy(array) for _ in range(10)]
    assert sys.getrefcount(array) == before + 10
    del shared
    assert sys.getrefcount(array) == before
    for _ in range(100):
        isthmus.from_numpy(array)
        isthmus.from_numpy(array, zero_copy=False)
        np.asarray(array)
        np.array(array)
    assert sys.getrefcount(array) == before


def test_results_of_operators_do_not_keep_the_numpy_owner():
    array, alive = owned([1.0, 2.0])
    result = isthmus.from_numpy(array) + 1
    del array
    gc.collect()
    assert alive() is None
    assert result.tolist() == [2, 3]


# --- Isthmus to NumPy ---------------------------------------------------------------------------


@given(a=h.arrays())
def test_asnumpy_shared_and_copied(a):
    ours = a.build(np)
    shared, copied = ours.asnumpy(shared=True), ours.asnumpy()
    assert type(shared) is type(copied) is onp.ndarray
    onp.testing.assert_array_equal(shared, a.build(onp))
    onp.testing.assert_array_equal(copied, shared)
    assert shared.dtype == copied.dtype == a.dtype
    assert shared.shape == copied.shape == a.shape
    assert h.layout(shared) == h.layout(ours)
    assert shared.flags.writeable == bool(ours.flags.writeable)
    assert copied.flags.writeable
    assert not onp.shares_memory(shared, copied)


@pytest.mark.parametrize("view", VIEWS)
def test_asnumpy_shared_is_one_memory_both_ways(view):
    ours = VIEWS[view](np.arange(12.0).reshape(3, 4))
    theirs = ours.asnumpy(shared=True)
    theirs[...] = 5
    assert (ours == 5).all()
    ours[...] = 6
    assert (theirs == 6).all()


@pytest.mark.parametrize("size", [1, 4, 100, 100_000])
def test_the_isthmus_memory_lives_as_long_as_its_numpy_views(size):
    ours = np.arange(float(size))
    theirs = ours.asnumpy(shared=True)[::-1]
    del ours
    gc.collect()
    noise = [np.full(size, -1.0) for _ in range(20)]
    assert theirs.tolist() == list(range(size))[::-1]
    del noise


def test_an_exported_array_dies_with_its_last_numpy_view():
    ours = np.arange(5.0)
    before = sys.getrefcount(ours)
    views = [ours.asnumpy(shared=True) for _ in range(5)]
    del views
    gc.collect()
    assert sys.getrefcount(ours) == before


def test_sharing_there_and_back_is_still_one_memory():
    theirs = onp.arange(6.0)
    again = isthmus.from_numpy(theirs[::2]).asnumpy(shared=True)
    assert onp.shares_memory(again, theirs)
    again[0] = 9
    assert theirs[0] == 9
    ours = np.arange(6.0)
    back = isthmus.from_numpy(ours.asnumpy(shared=True)[1:])
    back[0] = 9
    assert float(ours[1]) == 9
    del ours
    gc.collect()
    assert back.tolist() == [9, 2, 3, 4, 5]


def test_long_chain_of_shares_is_released():
    array, alive = owned([1.0, 2.0])
    x = isthmus.from_numpy(array)
    del array
    for _ in range(50):
        x = isthmus.from_numpy(x.asnumpy(shared=True))
    assert x.tolist() == [1, 2]
    del x
    gc.collect()
    assert alive() is None


# --- read-only ----------------------------------------------------------------------------------


def test_read_only_numpy_memory_stays_read_only():
    theirs = onp.arange(3.0)
    theirs.flags.writeable = False
    ours = isthmus.from_numpy(theirs)
    assert not ours.flags.writeable
    for write in (lambda: ours.__setitem__(0, 1), lambda: ours.__iadd__(1), lambda: ours.fill(1),
                  lambda: np.add(ours, 1, out=ours), lambda: ours[::2].__setitem__(0, 1),
                  lambda: ours.sort(), lambda: ours.reshape(3, 1).__setitem__(0, 1)):  # fmt: skip
        with pytest.raises(ValueError, match=r"(?i)read-only"):
            write()
    assert theirs.tolist() == [0, 1, 2]
    assert not ours.asnumpy(shared=True).flags.writeable
    with pytest.raises(ValueError):
        ours.flags.writeable = True
    assert (ours + 1).flags.writeable
    assert ours.copy().flags.writeable


def test_read_only_isthmus_memory_stays_read_only_in_numpy():
    ours = np.broadcast_to(np.arange(3.0), (2, 3))
    theirs = ours.asnumpy(shared=True)
    assert theirs.strides == (0, 8)
    with pytest.raises(ValueError):
        theirs[0, 0] = 1
    with pytest.raises(ValueError):
        theirs.flags.writeable = True
    if h.HAS_BUFFERS:
        assert memoryview(ours).readonly


def test_constant_bytes_are_read_only():
    ours = isthmus.from_numpy(onp.frombuffer(b"abcd", "uint8"))
    with pytest.raises(ValueError):
        ours[0] = 1
    assert ours.tolist() == list(b"abcd")


# --- what cannot be shared ----------------------------------------------------------------------


def misaligned():
    return onp.frombuffer(bytearray(33), "uint8")[1:].view("float64")


REFUSED = {
    "object": lambda: onp.array([1, None], object),
    "string": lambda: onp.array(["a", "b"]),
    "bytes": lambda: onp.array([b"a"]),
    "structured": lambda: onp.zeros(2, [("x", "i4"), ("y", "f8")]),
    "datetime": lambda: onp.array(["2020-01-01"], "M8[D]"),
    "longdouble": lambda: onp.ones(2, "longdouble"),
    "byte-swapped": lambda: onp.arange(3, dtype=">f8"),
    "misaligned": misaligned,
    "void": lambda: onp.zeros(2, "V3"),
}
CONVERTIBLE = ("byte-swapped", "misaligned")


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_shared_is_refused_with_a_reason(name):
    theirs = REFUSED[name]()
    kept, refs = theirs.tobytes(), sys.getrefcount(theirs)
    with pytest.raises((TypeError, ValueError)) as caught:
        isthmus.from_numpy(theirs)
    text = str(caught.value)
    assert (
        str(theirs.dtype) in text
        or repr(theirs.dtype) in text
        or "align" in text
        or "order" in text
        or name in text
    )
    assert theirs.tobytes() == kept
    del caught
    assert sys.getrefcount(theirs) == refs


@pytest.mark.parametrize("name", REFUSED)
def test_a_copy_is_converted_where_a_conversion_exists(name):
    theirs = REFUSED[name]()
    if name not in CONVERTIBLE:
        if name != "longdouble":
            with pytest.raises((TypeError, ValueError)):
                isthmus.from_numpy(theirs, zero_copy=False)
        return
    ours = isthmus.from_numpy(theirs, zero_copy=False)
    h.assert_same(ours, theirs.astype(theirs.dtype.newbyteorder("=")))


@pytest.mark.parametrize("name", CONVERTIBLE)
def test_asarray_and_operators_convert_odd_memory(name):
    theirs = REFUSED[name]()
    native = theirs.astype("float64")
    h.assert_same(np.asarray(theirs), native)
    h.assert_same(np.array(theirs), native)
    h.assert_same(np.ones(theirs.shape) + theirs, 1 + native)
    h.assert_same(np.add(theirs, theirs), native + native)


@pytest.mark.parametrize("other", [None, 3, [1, 2], "x", b"abc", onp.float64(3), object(), {}],
                         ids=lambda o: type(o).__name__)  # fmt: skip
def test_from_numpy_of_anything_else_raises(other):
    with pytest.raises(TypeError):
        isthmus.from_numpy(other)


def test_arguments_of_from_numpy():
    with pytest.raises(TypeError):
        isthmus.from_numpy()
    with pytest.raises(TypeError):
        isthmus.from_numpy(onp.ones(1), True, 3)
    with pytest.raises(TypeError):
        isthmus.from_numpy(onp.ones(1), nonsense=True)
    h.assert_same(isthmus.from_numpy(a=onp.ones(1), zero_copy=True), onp.ones(1))


def test_strides_that_are_no_multiple_of_the_itemsize():
    record = onp.zeros(4, [("x", "f8"), ("y", "i4")])
    record["x"] = [1, 2, 3, 4]
    theirs = record["x"]  # stride 12
    try:
        ours = isthmus.from_numpy(theirs)
    except (TypeError, ValueError) as error:
        assert str(error)  # noqa: PT017
    else:
        h.assert_same(ours, theirs)
    h.assert_same(isthmus.from_numpy(theirs, zero_copy=False), theirs.copy())


def test_a_numpy_subclass_or_matrix_keeps_its_values():
    h.assert_same(isthmus.from_numpy(owned([1.0])[0]), onp.array([1.0]))
    h.assert_same(np.asarray(onp.ma.array([1, 2])), onp.array([1, 2]))


# --- protocols ----------------------------------------------------------------------------------


@given(a=h.arrays())
def test_array_protocol(a):
    ours, theirs = a.build(np), a.build(onp)
    onp.testing.assert_array_equal(onp.asarray(ours), theirs)
    assert onp.asarray(ours).dtype == theirs.dtype
    assert onp.shares_memory(onp.asarray(ours), ours.asnumpy(shared=True)) == (a.size > 0)
    assert not onp.shares_memory(onp.array(ours), ours.asnumpy(shared=True))
    assert onp.asarray(ours, dtype="complex128").dtype == "complex128"


def test_arguments_of_the_array_protocol():
    ours = np.arange(3)
    assert ours.__array__().dtype == "int64"
    assert ours.__array__("float32").dtype == "float32"
    assert ours.__array__(dtype=float, copy=True).dtype == "float64"
    assert not onp.shares_memory(ours.__array__(copy=True), ours.asnumpy(shared=True))
    with pytest.raises(ValueError):
        ours.__array__(float, copy=False)


def test_array_interface():
    ours = np.arange(6.0).reshape(2, 3)[:, ::-1]
    facts = ours.__array_interface__
    assert facts["shape"] == (2, 3)
    assert facts["typestr"] == "<f8"
    assert facts["version"] == 3
    assert facts["strides"] == (24, -8)
    assert facts["data"] == (ours.asnumpy(shared=True).ctypes.data, False)


@needs_buffers
@given(a=h.arrays(tuple(d for d in h.ALL if d[0] != "c")))
def test_buffer_protocol(a):
    ours, theirs = a.build(np), a.build(onp)
    view, other = memoryview(ours), memoryview(theirs)
    assert view.shape == other.shape
    assert view.itemsize == other.itemsize
    assert onp.dtype(view.format) == onp.dtype(other.format)
    assert view.readonly == other.readonly
    assert view.nbytes == other.nbytes
    assert view.tobytes() == other.tobytes()
    assert view.c_contiguous == other.c_contiguous
    assert view.f_contiguous == other.f_contiguous


@needs_buffers
@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1, 0, 2), (1,), (3, 1), (1, 3)], ids=str)
def test_buffers_of_empty_and_narrow_arrays_are_contiguous(shape):
    theirs = onp.empty((7, *shape[1:]))[: shape[0] * 2 : 2] if shape[0] == 0 else onp.ones(shape)
    for ours in (isthmus.from_numpy(theirs), np.ones(shape)):
        view, other = memoryview(ours), memoryview(theirs)
        assert (view.c_contiguous, view.f_contiguous) == (other.c_contiguous, other.f_contiguous)


@needs_buffers
def test_buffer_keeps_the_memory_alive():
    view = memoryview(np.arange(1000.0))
    gc.collect()
    noise = [np.zeros(1000) for _ in range(10)]
    assert view.tolist() == list(range(1000))
    del noise
    ours = np.zeros(4, "uint8")
    memoryview(ours)[1] = 7
    assert ours.tolist() == [0, 7, 0, 0]
    assert bytes(ours) == b"\0\7\0\0"
    assert bytearray(np.array([1, 2], "int16")) == bytearray(b"\1\0\2\0")


def test_buffers_of_other_libraries_are_shared():
    block = bytearray(b"\1\2\3")
    ours = np.asarray(memoryview(block))
    block[0] = 9
    assert ours.tolist()[0] in (9, 1)
    h.assert_same(np.frombuffer(block, "uint8"), onp.frombuffer(block, "uint8"))


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", h.ALL)
def test_dlpack_from_numpy_shares(view, dtype):
    theirs = VIEWS[view](onp.arange(12).reshape(3, 4).astype(dtype))
    for take in (np.from_dlpack, isthmus.from_dlpack):
        ours = take(theirs)
        h.assert_same(ours, theirs)
        theirs[...] = 1
        h.assert_same(ours, theirs)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("dtype", h.ALL)
def test_dlpack_to_numpy_shares(view, dtype):
    ours = VIEWS[view](np.asarray(onp.arange(12).reshape(3, 4).astype(dtype)))
    theirs = onp.from_dlpack(ours)
    h.assert_same(ours, theirs)
    ours[...] = 1
    assert theirs.all()


def test_dlpack_protocol_and_its_arguments():
    ours = np.arange(3.0)
    assert ours.__dlpack_device__() == (1, 0)
    assert type(ours.__dlpack__()).__name__ == "PyCapsule"
    for keywords in ({"stream": None}, {"max_version": (1, 0)}, {"copy": True}, {"copy": False},
                     {"dl_device": (1, 0)}, {"max_version": None}):  # fmt: skip
        assert type(ours.__dlpack__(**keywords)).__name__ == "PyCapsule"
    with pytest.raises((TypeError, ValueError, BufferError, RuntimeError)):
        ours.__dlpack__(stream=3)
    with pytest.raises((TypeError, ValueError, BufferError)):
        ours.__dlpack__(dl_device=(2, 0))


def test_dlpack_capsules_that_nobody_takes_are_released():
    ours = np.arange(100.0)
    before = sys.getrefcount(ours)
    for _ in range(100):
        ours.__dlpack__()
        ours.__dlpack__(max_version=(1, 1))
        onp.from_dlpack(ours)
    assert sys.getrefcount(ours) == before
    array, alive = owned([1.0, 2.0])
    taken = np.from_dlpack(array)
    del array
    gc.collect()
    assert taken.tolist() == [1, 2]
    del taken
    gc.collect()
    assert alive() is None


def test_dlpack_respects_read_only():
    theirs = onp.arange(3.0)
    theirs.flags.writeable = False
    ours = np.from_dlpack(theirs)
    assert not ours.flags.writeable
    assert not onp.from_dlpack(isthmus.from_numpy(theirs)).flags.writeable


@given(data=st.data())
def test_dlpack_there_and_back(data):
    a = data.draw(h.arrays())
    ours = a.build(np)
    again = np.from_dlpack(ours)
    h.assert_same(again, a.build(onp))
    assert h.shares(again, ours) == (a.size > 0)


def test_empty_arrays_need_no_alignment():
    host = onp.frombuffer(b"xx", "u1")[1:][:0].view("i2")
    ours = isthmus.from_numpy(host)
    assert ours.shape == (0,)
    assert ours.dtype == "int16"
    h.assert_same(ours, host)


# --- DLPack's exchange table --------------------------------------------------------------------


class ExchangeTable(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32)] + [
        (name, ctypes.c_void_p)
        for name in ("previous", "allocate", "export", "import_", "lend", "stream")
    ]


def python_function(name, result, *arguments):
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


@ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(ctypes.c_void_p))
def export_host_array(o, out):
    if o.host is None:
        return -1
    pointer = python_function(
        "PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p
    )
    rename = python_function("PyCapsule_SetName", ctypes.c_int, ctypes.py_object, ctypes.c_char_p)
    capsule = o.host.__dlpack__(max_version=(1, 0))
    out[0] = pointer(capsule, b"dltensor_versioned")
    rename(capsule, USED)
    return 0


USED, TABLE_NAME = b"used_dltensor_versioned", b"dlpack_exchange_api"
TABLES = {
    version: ExchangeTable(version, 0, export=ctypes.cast(export_host_array, ctypes.c_void_p).value)
    for version in (0, 1, 2)
}
TABLES["older"] = ExchangeTable(9, 0, previous=ctypes.addressof(TABLES[1]))


def exchanging(version):
    """A class whose objects are lent by their exchange table, and by nothing else."""
    make = python_function(
        "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
    )
    capsule = make(ctypes.addressof(TABLES[version]), TABLE_NAME, None)

    def init(self, host):
        self.host = host

    names = {"__init__": init, "__dlpack_c_exchange_api__": capsule}
    return type("Exchanging", (), names)


@pytest.mark.parametrize("version", [1, "older"])
def test_arrays_are_taken_by_the_exchange_table(version):
    echo = ffi.get_global_func("isthmus.testing.echo")
    host, alive = owned([1.0, 2, 3])
    ours = echo(exchanging(version)(host))
    host[0] = 7
    h.assert_same(ours, onp.array([7.0, 2, 3]))
    again = isthmus.from_dlpack(exchanging(version)(host[::-1]))
    ours[2] = 5
    assert again.tolist() == [5, 2, 7]
    assert ours.flags.writeable
    del host
    gc.collect()
    assert alive() is not None
    del ours, again
    gc.collect()
    assert alive() is None


def test_read_only_arrays_of_an_exchange_table():
    host = onp.arange(3.0)
    host.flags.writeable = False
    ours = isthmus.from_dlpack(exchanging(1)(host))
    assert not ours.flags.writeable
    h.assert_same(ours, host)


@pytest.mark.parametrize("version", [0, 2])
def test_exchange_tables_of_other_versions_are_left_alone(version):
    echo = ffi.get_global_func("isthmus.testing.echo")
    theirs = exchanging(version)(onp.ones(2))
    assert echo(theirs) is theirs
    with pytest.raises(TypeError, match="no __dlpack__"):
        isthmus.from_dlpack(theirs)


def test_an_exchange_table_that_hands_out_nothing():
    with pytest.raises(BufferError, match="Exchanging handed out no tensor"):
        isthmus.from_dlpack(exchanging(1)(None))


def test_an_exchange_table_that_is_none():
    for value in (None, 5, "x", onp.ones(1).__dlpack__()):
        made = type("Liar", (), {"__dlpack_c_exchange_api__": value})()
        assert ffi.get_global_func("isthmus.testing.echo")(made) is made


@pytest.mark.skipif(ffi.backend != "native", reason="Python alone cannot make such a table")
def test_functions_of_tvm_ffi_return_arrays_of_ours():
    tvm_ffi = pytest.importorskip("tvm_ffi")
    a = np.arange(6.0).reshape(2, 3)
    for array in (a, a.T, a[::-1], a[:, :0]):
        back = tvm_ffi.get_global_func("testing.echo")(array)
        assert isinstance(back, np.ndarray)
        assert np.may_share_memory(back, array) == bool(array.size)
        h.assert_same(back, array.asnumpy())
    h.assert_same(tvm_ffi.get_global_func("isthmus.np.add")(a, a), 2 * a.asnumpy())


def test_tensors_of_pytorch():
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    tensor = torch.arange(6.0).reshape(2, 3)
    for theirs in (tensor, tensor.T, tensor[:, ::2], tensor[1], tensor[:0]):
        ours = ffi.get_global_func("isthmus.testing.echo")(theirs)
        h.assert_same(ours, theirs.numpy())
        back = torch.from_dlpack(ours)
        assert back.data_ptr() == theirs.data_ptr()
        assert back.shape == theirs.shape
    ours = isthmus.from_dlpack(tensor)
    tensor[0, 0] = 9
    assert float(ours[0, 0]) == 9
    ours[1, 2] = 8
    assert float(tensor[1, 2]) == 8
    h.assert_same(np.add(tensor, 1), tensor.numpy() + 1)
