# SPDX-License-Identifier: Apache-2.0
"""The array as a Python object: printing, protocols, conversions, attributes, copies, pickles."""

import copy
import io
import math
import operator
import pickle
import sys

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec
from isthmus import np

A = spec(onp.arange(6.0).reshape(2, 3))

# --- printing -----------------------------------------------------------------------------------

PRINTED = [
    [1, 2, 3], [1.5, -2, 1e10], [[1, 2], [3, 4]], [], [[]], 3, 2.5, True, 1j, [True, False],
    [1e-20, 1.0], [float("nan"), float("inf"), -float("inf")], [0.1, 0.12345678912345],
    [1 + 2j, 1e9j],
    [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [1e16, 1], [123456789, -1], [1 / 3] * 30,
]  # fmt: skip


@pytest.mark.parametrize("values", PRINTED, ids=lambda v: repr(v)[:30])
def test_repr_and_str_are_those_of_numpy(values):
    both(lambda lib: repr(lib.array(values)))
    both(lambda lib: str(lib.array(values)))
    both(lambda lib: f"{lib.array(values)}")
    both(lambda lib: lib.array2string(lib.array(values), precision=2, separator=", "))


@pytest.mark.parametrize("dtype", h.ALL)
def test_repr_of_every_dtype(dtype):
    for shape in ((), (0,), (2,), (2, 3), (3, 0), (1, 1, 1)):
        both(lambda lib, shape: repr(lib.ones(shape, dtype)), shape)
        both(lambda lib, shape: str(lib.ones(shape, dtype)), shape)


def test_long_arrays_are_summarized():
    both(lambda lib: repr(lib.arange(5000)))
    both(lambda lib: str(lib.zeros((200, 200))))
    both(lambda lib: repr(lib.arange(300).reshape(3, 100)))


def test_print_options_hold_for_arrays():
    def call(lib):
        with lib.printoptions(precision=2, suppress=True, threshold=4, edgeitems=1):
            return repr(lib.array([1.23456, 1e-9, 3, 4, 5, 6]))

    both(call)

    def globally(lib):
        lib.set_printoptions(precision=3)
        try:
            return str(lib.array([1.23456789]))
        finally:
            lib.set_printoptions(precision=8)

    both(globally)


@pytest.mark.parametrize("text", ["", ".2f", "d", "8.3e", ">10", "x", "s", "%"])
@pytest.mark.parametrize("value", [3, 2.5, True, 1j, [1], [1.5, 2], []], ids=repr)
def test_format(value, text):
    both(lambda lib: format(lib.array(value), text))


def test_old_style_formatting_of_zero_dim_arrays():
    both(lambda lib: f"{lib.array(2.5).sum():.3f}")
    both(lambda lib: "%.2f %d %s" % (lib.array(2.5), lib.array(3), lib.array(3)))  # noqa: UP031


# --- conversions to Python ----------------------------------------------------------------------

CONVERSIONS = {"bool": bool, "int": int, "float": float, "complex": complex,
               "index": operator.index, "len": len, "round": round, "hash": hash, "list": list,
               "trunc": math.trunc, "reversed": lambda a: list(reversed(a)),
               "sqrt": math.sqrt, "range": range, "abs": abs}  # fmt: skip


@pytest.mark.parametrize("name", [n for n in CONVERSIONS if n not in ("round", "hash", "trunc")])
@pytest.mark.parametrize("value", [2, 2.5, True, 1j, 0, [], [3], [1, 2], [[4]], [[1, 2]],
                                   float("nan"),
                                   1e300, -1], ids=repr)  # fmt: skip
def test_conversion_to_a_python_value(name, value):
    both(lambda lib: CONVERSIONS[name](lib.array(value)))


@pytest.mark.parametrize("dtype", h.ALL)
def test_conversions_of_every_dtype(dtype):
    for name in ("bool", "int", "float", "complex", "index"):
        both(lambda lib, name: CONVERSIONS[name](lib.array(1, dtype)), name)
    both(lambda lib: lib.array(1, dtype).item())
    both(lambda lib: lib.ones((2, 2), dtype).tolist())


def test_arrays_cannot_be_hashed():
    for a in (np.array([1, 2]), np.array(3.5)):
        with pytest.raises(TypeError, match="unhashable"):
            hash(a)
        with pytest.raises(TypeError):
            dict.fromkeys([a])


def test_zero_dim_results_serve_where_numpy_gives_scalars():
    both(lambda lib, a: round(a.mean().item(), 2), A)
    assert round(float(np.arange(3.0).mean()), 1) == 1.0
    both(lambda lib, a: math.floor(a.max()), A)
    both(lambda lib, a: [10, 20, 30, 40, 50, 60][a.argmax()], A)
    both(lambda lib, a: list(range(a.argmax())), A)
    both(lambda lib, a: a.sum() if a.sum() > 3 else 0, A)
    both(lambda lib, a: max(a[0]), A)
    both(lambda lib, a: sum(a[0]), A)
    both(lambda lib, a: sorted(a.ravel() % 4), A)
    both(lambda lib, a: a.max() in (5.0, 6.0), A)
    both(lambda lib, a: 5 in a, A)
    both(lambda lib, a: 7 in a, A)
    both(lambda lib, a: [1, 2, 3] in a, A)
    both(lambda lib, a: lib.zeros(a.argmax()), A)
    both(lambda lib, a: "x" * int(a.max()), A)


def test_round_of_a_zero_dim_array():
    both(lambda lib, a: round(a.sum(), 1), spec([1.25, 2.5]))


@pytest.mark.parametrize("args", [(), (0,), (-1,), (1, 2), ((1, 2),), (5,), (6,), (2, 0),
                                  (1, 1, 1), ("x",),
                                  (1.0,)], ids=repr)  # fmt: skip
def test_item(args):
    both(lambda lib, a: a.item(*args), A)
    both(lambda lib, a: a.item(*args), spec([7]))
    both(lambda lib, a: a.item(*args), spec(1.5))


@given(a=h.arrays())
def test_tolist_of_any_array(a):
    ours, theirs = a.build(np).tolist(), a.build(onp).tolist()
    assert repr(ours) == repr(theirs)


# --- iteration ----------------------------------------------------------------------------------


@given(a=h.arrays())
def test_iteration_gives_subarrays(a):
    both(lambda lib, a: list(a), a)
    both(lambda lib, a: len(a), a)


def test_iteration_gives_views_of_rows():
    def call(lib, a):
        for i, row in enumerate(a):
            row += i
        for pair in zip(a, a[::-1]):
            pair[0][0] = 9

    both(call, A)
    both(lambda lib, a: [x * 2 for x in a[0]], A)
    both(lambda lib, a: [float(x) for x in a.flat], A)
    both(lambda lib, a: {k: float(v) for k, v in lib.ndenumerate(a)}, A)
    both(lambda lib: list(lib.ndindex(2, 2)))


def test_unpacking():
    def call(lib, a):
        (x, y), *rest = a.T, a
        first, second, third = a[0]
        return x, y, rest, first, second, third

    both(call, spec(onp.arange(6).reshape(3, 2).T))
    both(call, A)


# --- attributes ---------------------------------------------------------------------------------


@given(a=h.arrays())
def test_attributes_are_those_of_numpy(a):
    for name in ("shape", "ndim", "size", "dtype", "itemsize", "nbytes", "T", "real", "imag"):
        both(lambda lib, a, name: getattr(a, name), a, name)
    both(lambda lib, a: h.layout(a), a)


@given(a=h.arrays(layouts=("plain", "fortran", "transposed", "reversed", "stepped", "broadcast")))
def test_flags_are_those_of_numpy(a):
    names = ("c_contiguous", "f_contiguous", "writeable", "aligned", "contiguous", "forc")
    both(lambda lib, a: [bool(getattr(a.flags, name)) for name in names], a)
    both(lambda lib, a: [bool(a.flags[name.upper()]) for name in names[:4]], a)


def test_strides_are_bytes():
    turned, back = (("transpose", (1, 0)),), (("index", slice(None, None, -2)),)
    for values, steps in (
        (onp.zeros((2, 3)), ()),
        (onp.zeros((4, 6), "i2"), turned),
        (onp.zeros(9, "f4"), back),
    ):
        both(lambda lib, a: a.strides, h.ArraySpec(values, steps))


@pytest.mark.parametrize("name", ["ndim", "size", "itemsize", "nbytes", "T", "base", "nonsense"])
def test_attributes_that_cannot_be_set(name):
    both(lambda lib, a: setattr(a, name, 3), A)
    both(lambda lib, a: delattr(a, name), A)


def test_unknown_attribute_raises_and_names_itself():
    with pytest.raises(AttributeError, match="no_such_thing"):
        np.ones(2).no_such_thing  # noqa: B018
    with pytest.raises(AttributeError, match="no_such_thing"):
        np.no_such_thing  # noqa: B018


def test_parts_of_complex_arrays_are_views():
    def call(lib, a):
        a.real[0] = 9
        a.imag += 1
        return a.real, a.imag, h.shares(a.real, a)

    both(call, spec([1 + 2j, 3 - 4j]))
    both(lambda lib, a: a.imag.flags.writeable, A)
    both(lambda lib, a: (h.shares(a.real, a), a.imag), A)
    both(lambda lib, a: setattr(a, "real", 5), spec([1 + 2j, 3j]))
    both(lambda lib, a: setattr(a, "imag", [1, 2]), spec([1 + 2j, 3j]))
    both(lambda lib, a: setattr(a, "imag", 1), A)


def test_shape_can_be_set_to_a_view_of_itself():
    both(lambda lib, a: setattr(a, "shape", (6, 4)), spec(onp.zeros((2, 3))))
    both(lambda lib, a: setattr(a, "shape", "x"), A)


def test_base_tells_what_a_view_keeps_alive():
    a = np.arange(6).reshape(2, 3).copy()
    assert a.base is None
    assert a[0:1].base is not None
    assert a.T.base is not None
    assert (a + 1).base is None
    refs = sys.getrefcount(a)
    view = a[:1]
    del view
    assert sys.getrefcount(a) == refs


def test_writeable_flag_can_be_cleared_and_set():
    def call(lib, a):
        a.flags.writeable = False
        first = bool(a.flags.writeable), bool(a[0].flags.writeable)
        a.setflags(write=True)
        return first, bool(a.flags.writeable)

    both(call, spec([[1, 2], [3, 4]]))
    both(lambda lib, a: setattr(lib.broadcast_to(a, (2, 2, 3)).flags, "c_contiguous", True), A)


def test_flat_is_an_iterator_and_an_index():
    both(lambda lib, a: [float(x) for x in a.T.flat], A)
    both(lambda lib, a: (float(a.flat[3]), a.flat[1:4], len(a.flat)), A)
    both(lambda lib, a: a.flat.__setitem__(2, 9), A)
    both(lambda lib, a: setattr(a, "flat", 7), A)
    both(lambda lib, a: float(a.T.flat[1]), A)
    both(lambda lib, a: a.flat[9], A)


# --- methods ------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", [
    "a.fill(7)", "a.fill([1, 2])", "a.copy()", "a.view()", "a.view('int64')",
    "a.view('int32')", "a.view('uint8')", "a.T.view('int32')", "a.view('V3')", "a.astype(int)",
    "a.tobytes()", "a.T.tobytes()", "a.tobytes('F')", "a.byteswap()", "a.conj()", "a.conjugate()",
    "a.swapaxes(0, 1)", "a.ravel()", "a.flatten()", "a.squeeze()", "a.nonzero()", "a.cumsum(0)",
    "a.clip(1, 2)", "a.round(1)", "a.repeat(2)", "a.take([0, 1])", "a.diagonal()", "a.trace()",
    "a.prod()", "a.ptp()", "a.newbyteorder()", "a.itemset(0, 1)", "a.tostring()", "a.argsort()",
    "a.searchsorted(1)", "a.compress([True], 1)", "a.dot([1, 2, 3])", "a.dot(a.T)", "a.std()",
    "a.partition(1)", "a.argpartition(1)", "a.reshape(3, 2)", "a.item(1)",
    "a.max(initial=9)", "a.__array_namespace__().__name__ and 1", "a.to_device('cpu')",
    "a.all()", "a.any(1)", "a.choose([1])", "a.put([0], 5)", "a.transpose(1, 0)", "a.mean(0)",
    "a.var(axis=1, ddof=1)", "a.min(axis=0, keepdims=True)", "a.setflags(write=False)",
    "a.__len__()", "a.__contains__(3)", "a.__getitem__(0)", "a.__add__(1)", "a.__radd__(1)",
    "a.__eq__(1)", "a.__setitem__(0, 1)", "a.__bool__()", "a.__matmul__(a.T)", "a.__neg__()",
], ids=str)  # fmt: skip
def test_method_equals_numpy(call):
    both(lambda lib, a: eval(call, {"a": a, "lib": lib}), A, ulps=4)


def test_every_public_method_of_numpy_is_there():
    public = {name for name in dir(onp.ndarray) if not name.startswith("_")}
    missing = {name for name in public if not hasattr(np.zeros((1, 1)), name)}
    assert missing <= {"ctypes", "data", "dump", "dumps", "getfield", "setfield"}


def test_tofile_and_save(tmp_path):
    def call(lib, a):
        a.tofile(tmp_path / "raw")
        lib.save(tmp_path / "a.npy", a)
        lib.savez(tmp_path / "a.npz", a=a, b=a.T)
        lib.savetxt(tmp_path / "a.txt", a)
        z = lib.load(tmp_path / "a.npz")
        return (lib.fromfile(tmp_path / "raw"), lib.load(tmp_path / "a.npy"),
                lib.array(z["b"]), lib.loadtxt(tmp_path / "a.txt"))  # fmt: skip

    both(call, A)


# --- copies and pickles -------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@given(a=h.arrays())
def test_pickle_restores_the_array(protocol, a):
    ours = a.build(np)
    again = pickle.loads(pickle.dumps(ours, protocol))
    assert type(again) is np.ndarray
    h.assert_same(again, a.build(onp))
    assert not h.shares(again, ours)


def test_pickle_of_nested_and_shared_arrays():
    a = np.arange(3)
    first, second = pickle.loads(pickle.dumps([a, a]))
    assert first is second
    tree = pickle.loads(pickle.dumps({"w": np.ones((2, 2)), "b": [np.float32(1), np.zeros(0)]}))
    h.assert_same(tree["w"], onp.ones((2, 2)))
    h.assert_same(tree["b"][1], onp.zeros(0))


def test_pickle_out_of_band_buffers():
    a = np.arange(1000.0)
    buffers = []
    data = pickle.dumps(a, 5, buffer_callback=buffers.append)
    h.assert_same(pickle.loads(data, buffers=buffers), onp.arange(1000.0))


def test_unpickling_damaged_data_raises():
    data = pickle.dumps(np.arange(100.0), 2)
    for cut in (len(data) // 2, len(data) - 3):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError, TypeError)):
            pickle.load(io.BytesIO(data[:cut]))


@given(a=h.arrays())
def test_copy_and_deepcopy_are_independent(a):
    for copier in (copy.copy, copy.deepcopy, lambda x: x.copy(), lambda x: x.__copy__()):
        ours = a.build(np)
        again = copier(ours)
        h.assert_same(again, a.build(onp))
        assert type(again) is np.ndarray
        assert not h.shares(again, ours)
        assert again.flags.writeable


def test_deepcopy_keeps_identity_inside_a_structure():
    a = np.arange(3)
    tree = copy.deepcopy({"x": a, "y": [a]})
    assert tree["x"] is tree["y"][0]
    assert tree["x"] is not a


# --- the class ----------------------------------------------------------------------------------


def test_class_of_arrays():
    a = np.ones(2)
    assert type(a) is np.ndarray
    assert isinstance(a, np.ndarray)
    assert np.ndarray.__name__ == "ndarray"
    with pytest.raises((TypeError, ValueError)):
        np.ndarray()


def test_booleans_of_arrays():
    for values in ([], [0], [1], [0, 0], [[]], 0.0, float("nan"), [[1]]):
        both(lambda lib, values: bool(lib.array(values)), values)
        both(lambda lib, values: not lib.array(values), values)


@given(data=st.data())
def test_comparison_with_itself(data):
    a = data.draw(h.arrays())
    both(lambda lib, a: (a == a, a != a), a)
