# SPDX-License-Identifier: Apache-2.0
"""What the registry offers to front ends in other languages: schemas, calls by name, memory."""

import ctypes
import gc
import shlex
import subprocess
import sys
import weakref

import numpy as onp
import pytest

import helpers as h
from isthmus import config, ffi, np

call = ffi.get_global_func("isthmus.call")
parameters = ffi.get_global_func("isthmus.op_parameters")
from_pointer = ffi.get_global_func("isthmus.from_pointer")
list_ops = ffi.get_global_func("isthmus.list_ops")
x = np.arange(6.0).reshape(2, 3)


# --- Schemas ------------------------------------------------------------------------------------


def test_parameters_of_an_operator():
    rows = [list(row) for row in parameters("sum")]
    assert rows[0] == ["a", "Array", "positional_or_keyword", True, None]
    assert rows[1] == ["axis", "Axes", "positional_or_keyword", False, None]
    assert rows[5] == ["initial", "Array?", "positional_or_keyword", False, 0]
    assert [row[2] for row in parameters("add")][:4] == [
        "positional_only",
        "positional_only",
        "positional_or_keyword",
        "keyword_only",
    ]
    assert list(parameters("einsum")[0]) == ["operands", "Arrays", "variadic", False, None]
    assert parameters("rot90")[2][4] == (0, 1)
    assert parameters("zeros")[2][4] == "C"


def test_every_operator_tells_its_parameters():
    signature = ffi.get_global_func("isthmus.op_signature")
    for name in list_ops():
        for parameter, kind, _, _, _ in parameters(name):
            assert f"{parameter}: {kind}" in signature(name), name


def test_names_with_the_prefix_of_functions_are_the_same_operators():
    assert list(map(list, parameters("isthmus.np.sum"))) == list(map(list, parameters("sum")))
    assert ffi.get_global_func("isthmus.op_returns")("split") == "list[Array]"
    assert ffi.get_global_func("isthmus.op_function")("add")(1, 2) == 3
    with pytest.raises(ValueError, match="no operator named nothing"):
        parameters("nothing")


# --- Calls by name ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        (("sum", 1, x), 15.0),
        (("sum", 2, x, 0), [3.0, 5.0, 7.0]),
        (("sum", 1, x, "axis", 0, "keepdims", True), [[3.0, 5.0, 7.0]]),
        (("sum", 0, "keepdims", False, "a", x), 15.0),
        (("sum", 1, [[1, 2], [3, 4]], "axis", [0, 1]), 10),
        (("add", 2, [1, True], [0.5, 2]), [1.5, 3.0]),
        (("add", 2, 1j, [[1], [2]]), [[1 + 1j], [2 + 1j]]),
        (("einsum", 2, "ij->j", x), [3.0, 5.0, 7.0]),
        (("zeros", 1, [2, 0], "dtype", "int8"), onp.zeros((2, 0), "int8")),
        (("atleast_2d", 1, 5), [[5]]),
    ],
    ids=str,
)
def test_call_fills_in_what_is_not_given(args, expected):
    h.assert_same(call(*args), onp.asarray(expected))


def test_call_splits_at_a_list():
    parts = call("split", 2, x, [1], "axis", 1)
    assert [p.tolist() for p in parts] == [[[0.0], [3.0]], [[1.0, 2.0], [4.0, 5.0]]]


def test_call_writes_where_it_is_told():
    out = np.empty(3)
    assert call("sum", 1, x, "axis", 0, "out", out) is not None
    assert out.tolist() == [3.0, 5.0, 7.0]


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((), TypeError, "takes the name of an operator"),
        ((5, 0), TypeError, "takes the name of an operator"),
        (("sum",), TypeError, "takes the name of an operator"),
        (("sum", 2, x), ValueError, "2 positional arguments were announced, 1 given"),
        (("sum", -1, x), ValueError, "announced"),
        (("sum", 1, x, "axis"), ValueError, "last keyword of sum"),
        (("sum", 1, x, 5, 6), TypeError, "keyword of sum.* must be a str, got int"),
        (("sum", 1, x, "axes", 0), TypeError, "unexpected keyword argument 'axes'"),
        (("sum", 1, x, "a", x), TypeError, "multiple values for argument 'a'"),
        (("sum", 1, x, "axis", 0, "axis", 1), TypeError, "multiple values for argument 'axis'"),
        (("sum", 0), TypeError, "missing required argument: 'a'"),
        (("add", 0, "x1", 1, "x2", 2), TypeError, "unexpected keyword argument 'x1'"),
        (("add", 4, 1, 2, None, True), TypeError, "at most 3 positional arguments .4 given"),
        (("add", 2, x, "text"), TypeError, r"argument 2 .'x2'. must be .* got str"),
        (("add", 2, x, {}), TypeError, "got dict"),
        (("add", 2, x, [1, [2]]), ValueError, "mixes depths"),
        (("add", 2, x, [[1], 2]), ValueError, "ragged"),
        (("add", 2, x, [[1], [2, 3]]), ValueError, "ragged"),
        (("add", 2, x, ["a"]), TypeError, "got str"),
        (("sum", 1, x, "axis", [0] * 70), ValueError, "too many dimensions"),
        (("sum", 1, x, "axis", 5), onp.exceptions.AxisError, "out of bounds"),
        (("sum", 1, x, "dtype", "nothing"), TypeError, "dtype"),
        (("einsum", 2, "i\0j", x), ValueError, "null"),
        (("nothing", 0), ValueError, "no operator named nothing"),
    ],
    ids=str,
)
def test_call_says_what_is_wrong(args, error, message):
    with pytest.raises(error, match=message):
        call(*args)


def test_a_sequence_that_holds_itself():
    loop = ffi.List([1])
    loop.append(loop)
    with pytest.raises(ValueError, match=r"nested too deeply|mixes depths|ragged"):
        call("add", 2, 1, loop)
    with pytest.raises(ValueError, match="nested too deeply"):
        call("tensordot", 3, x, x, loop)


def test_an_operator_of_later_is_called_by_name():
    ffi.register_op("test_registry.scale", lambda a, by: a * by, "(a: Array, by: float = 2.0)")
    assert "test_registry.scale" in list_ops()
    h.assert_same(call("test_registry.scale", 1, x), onp.asarray(x) * 2)
    h.assert_same(call("test_registry.scale", 1, x, "by", 3), onp.asarray(x) * 3)


# --- Memory -------------------------------------------------------------------------------------


class Owner:
    pass


def test_an_array_over_memory_of_the_program():
    memory = (ctypes.c_double * 6)(*range(6))
    owner = Owner()
    alive = weakref.ref(owner)
    a = from_pointer(ctypes.addressof(memory), [2, 3], "float64", None, owner)
    del owner
    memory[4] = 40.0
    assert a.tolist() == [[0.0, 1.0, 2.0], [3.0, 40.0, 5.0]]
    a[0, 0] = -1.0
    assert memory[0] == -1.0
    part = a[1:]
    del a
    gc.collect()
    assert alive() is not None
    del part
    gc.collect()
    assert alive() is None


def test_memory_with_strides_and_without_write():
    memory = (ctypes.c_int32 * 6)(*range(6))
    last = ctypes.addressof(memory) + 20
    a = from_pointer(last, 3, onp.dtype("int32"), (-2,), memory, False)
    assert a.tolist() == [5, 3, 1]
    with pytest.raises(ValueError, match="read-only"):
        a[0] = 1
    assert from_pointer(None, (0, 4), "int8").shape == (0, 4)


@pytest.mark.parametrize(
    ("args", "error", "message"),
    [
        ((), TypeError, "takes data, shape, dtype"),
        (("x", 2, "int8"), TypeError, "data must be a pointer or an address, got str"),
        ((None, 1, "int8"), ValueError, "null pointer"),
        ((None, [-1], "int8"), ValueError, "negative"),
        ((None, [2**40, 2**40], "int8"), ValueError, "too"),
        ((None, [1] * 65, "int8"), ValueError, "too many dimensions"),
        ((None, "abc", "int8"), TypeError, "shape must be a sequence of integers, got str"),
        ((None, [1.5], "int8"), TypeError, "shape must hold integers, got float"),
        ((None, 0, "text"), TypeError, "got 'text'"),
        ((None, 0, 5), TypeError, "got int"),
        ((None, [0, 0], "int8", [1]), ValueError, "1 strides for 2 dimensions"),
        ((None, 0, "int8", None, None, "x"), TypeError, "writeable must be a bool, got str"),
        ((12, 1, "float64"), ValueError, "not aligned for float64"),
    ],
    ids=str,
)
def test_memory_that_is_none(args, error, message):
    with pytest.raises(error, match=message):
        from_pointer(*args)


# --- What a compiler needs ----------------------------------------------------------------------


def test_config_names_what_is_there(capsys):
    assert config.main(["--cflags", "--libs"]) == 0
    flags = shlex.split(capsys.readouterr().out)
    assert {"-listhmus", "-ltvm_ffi"} <= set(flags)
    assert config.main(["--library"]) == 0
    path = shlex.split(capsys.readouterr().out)[0]
    assert ctypes.CDLL(path).IsthmusInit
    assert len(config.include_dirs()) == len(config.library_dirs()) == 2
    run = subprocess.run(
        [sys.executable, "-m", "isthmus.config", "--includedir", "--libdir"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert shlex.split(run.stdout) == config.include_dirs() + config.library_dirs()
    with pytest.raises(SystemExit):
        config.main([])


# --- Messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "message"),
    [
        ("isthmus.op_doc", (5,), "isthmus.op_doc() argument 1 must be str, not int"),
        ("isthmus.op_doc", (), "isthmus.op_doc() takes 1 argument (0 given)"),
        ("isthmus.Range", (1, 2), "isthmus.Range() takes 3 arguments (2 given)"),
        ("isthmus.Complex", (None, 1), "isthmus.Complex() argument 1 must be float, not None"),
        ("isthmus.map_items", ([],),
         "isthmus.map_items() argument 1 must be dict[Any, Any], not list"),
        ("isthmus.testing.throw", ("x",), "isthmus.testing.throw() takes 2 arguments (1 given)"),
        ("isthmus.testing.repeat", (5, 5), "expected callable, not int"),
        ("isthmus.testing.repeat", (len, "x"), "expected int, not str"),
        ("isthmus.getitem", (5, 1), "isthmus.getitem(): expected an array, got int"),
    ],
)  # fmt: skip
def test_type_errors_use_the_words_of_python(name, args, message):
    with pytest.raises(TypeError) as caught:
        ffi.get_global_func(name)(*args)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("message", "plain"),
    [
        ("", ""),
        ("Mismatched type on argument #", "Mismatched type on argument #"),
        ("Mismatched type on argument #x when calling: `f`. Expected `a` but got `b`", None),
        ("Cannot open `file`", "Cannot open `file`"),
        (
            "Mismatched type on argument #1 when calling: `f(0: int, 1: str) -> int`. "
            "Expected `Optional<Array<Tuple<int, ffi.Tensor>>>` "
            "but got `Array[index 3: ffi.SmallStr]`",
            "f() argument 2 ('b') must be list[tuple[int, ndarray]] | None, "
            "not list with str at index 3",
        ),
    ],
    ids=["empty", "short", "no number", "other", "nested"],
)
def test_other_messages_stay(message, plain):
    translate = ffi.get_global_func("isthmus.plain_message")
    assert translate(message, "f", ["a", "b"]) == (message if plain is None else plain)
    if plain and "('b')" in plain:
        assert translate(message, "g", ["a", "b"]) == plain.replace(" ('b')", "")
        assert translate(message, "f", []) == plain.replace(" ('b')", "")
