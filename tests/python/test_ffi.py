# SPDX-License-Identifier: Apache-2.0
"""The registry: global functions, operators called through it, values and errors that cross."""

import gc
import subprocess
import sys

import numpy as onp
import pytest

import helpers as h
import op_cases
from isthmus import ffi, np

VALUES = [None, True, False, 0, 1, -1, 2**40, -(2**63), 2**63 - 1, 0.5, float("inf"), "", "text",
          "\u00e9\u4e2d\U0001f600", "long text " * 50, b"", b"bytes\0inside", (), (1, 2, 3, 4),
          (1, (2, (3, "x"))), [], [1, [2.5]], [None, True], {}, {"key": 1}, {"a": {"b": [1]}},
          ...]  # fmt: skip

needs_register = pytest.mark.skipif(
    not hasattr(ffi, "register_func"), reason="Python functions cannot be registered yet"
)


@pytest.fixture(scope="module")
def nop():
    return ffi.get_global_func("isthmus.testing.nop")


# --- nop takes anything -------------------------------------------------------------------------


@pytest.mark.parametrize("value", VALUES, ids=lambda v: repr(v)[:20])
def test_nop_takes_a_value_and_returns_none(nop, value):
    assert nop(value) is None
    assert nop(value, value) is None
    assert nop(*[value] * 20) is None


@pytest.mark.parametrize("value", [
    slice(1, 2), slice(None, None, -1), onp.float32(1.5), onp.int8(3), onp.bool_(True),
    onp.dtype("i4"),
    onp.ones(3), onp.ones((2, 0)), 1 + 2j, object(), len, lambda: 0, int, {1, 2}, range(3),
    Exception(),
    onp.array(["x"]), 2**64, -(2**70), bytearray(b"x"), memoryview(b"x"), NotImplemented,
    float("nan"),
], ids=lambda v: type(v).__name__)  # fmt: skip
def test_nop_takes_any_object(nop, value):
    before = sys.getrefcount(value)
    for _ in range(10):
        assert nop(value) is None
        assert nop((value, value)) is None
    gc.collect()
    assert sys.getrefcount(value) <= before + 1


def test_nop_takes_arrays_and_none_at_all(nop):
    x = np.ones((2, 2))
    before = sys.getrefcount(x)
    for _ in range(100):
        assert nop() is None
        assert nop(x, x) is None
        assert nop([x, (x, {"x": x})]) is None
    assert sys.getrefcount(x) == before


def test_nop_refuses_keywords(nop):
    with pytest.raises(TypeError):
        nop(1, nonsense=2)


def test_recursive_arguments_do_not_crash(nop):
    nest = []
    nest.append(nest)
    with pytest.raises((RecursionError, ValueError, TypeError)):
        nop(nest)
    loop = {}
    loop["loop"] = loop
    with pytest.raises((RecursionError, ValueError, TypeError)):
        nop(loop)


def test_text_that_is_no_unicode_raises(nop):
    with pytest.raises((UnicodeError, ValueError, TypeError)):
        nop("\ud800")


# --- values that come back ----------------------------------------------------------------------


@pytest.mark.parametrize("value", [v for v in VALUES if v is not ...], ids=lambda v: repr(v)[:20])
def test_echo_returns_equal_values(value):
    found = ffi.get_global_func("isthmus.testing.echo")(value)
    if isinstance(value, (list, tuple, dict)):
        assert len(found) == len(value)
    else:
        assert found == value
        assert type(found) is type(value)


def test_echo_returns_the_same_memory():
    echo = ffi.get_global_func("isthmus.testing.echo")
    x = np.arange(3.0)
    again = echo(x)
    assert isinstance(again, np.ndarray)
    assert h.shares(again, x)
    again[0] = 9
    assert float(x[0]) == 9


# --- the registry -------------------------------------------------------------------------------


def test_unknown_name_raises():
    with pytest.raises(ValueError, match=r"no\.such\.function"):
        ffi.get_global_func("no.such.function")
    assert ffi.get_global_func("no.such.function", allow_missing=True) is None


@pytest.mark.parametrize("name", [3, None, b"isthmus.testing.nop", ["x"]], ids=repr)
def test_name_that_is_no_text_raises(name):
    with pytest.raises(TypeError):
        ffi.get_global_func(name)


def test_names_are_listed():
    names = ffi.list_global_func_names()
    assert all(type(name) is str for name in names)
    for name in ("isthmus.testing.nop", "isthmus.np.add", "isthmus.np.sum", "isthmus.np.reshape"):
        assert name in names


def test_every_native_operator_is_registered():
    names = set(ffi.list_global_func_names())
    fallbacks = set(np.__fallbacks__)
    tail = {name.removeprefix("isthmus.np.") for name in names if name.startswith("isthmus.np.")}
    rows = {case.name for case in op_cases.CASES}
    assert len(tail & rows) > 100
    aliases = {"abs", "true_divide", "mod", "pow", "conj", "bitwise_not", "amax", "amin"}
    missing = {name for name in ("add", "exp", "sum", "max", "zeros", "reshape", "concatenate",
    "take",
                                 "sort", "where", "matmul", "einsum", "broadcast_to", "arange")
               if name not in tail and name not in fallbacks}  # fmt: skip
    assert not missing - aliases


def test_operator_through_the_registry_equals_the_function():
    x, y = onp.array([1.0, 2]), onp.array([[3], [4]])
    add = ffi.get_global_func("isthmus.np.add")
    h.assert_same(add(np.asarray(x), np.asarray(y)), x + y)
    h.assert_same(add(np.asarray(x), 1), x + 1)
    total = ffi.get_global_func("isthmus.np.sum")
    h.assert_same(total(np.asarray(y)), y.sum())
    h.assert_same(total(np.asarray(y), 0), y.sum(0))
    shaped = ffi.get_global_func("isthmus.np.reshape")
    h.assert_same(shaped(np.asarray(x), (2, 1)), x.reshape(2, 1))


@pytest.mark.parametrize(("name", "args", "error"), [
    ("add", ([1, 2], [1, 2, 3]), ValueError), ("sum", ([1, 2], 5), ValueError),
    ("reshape", ([1, 2, 3], (2, 2)), ValueError), ("add", ([1],), TypeError),
    ("add", (), TypeError),
], ids=lambda v: repr(v)[:30])  # fmt: skip
def test_errors_cross_with_their_type(name, args, error):
    function = ffi.get_global_func(f"isthmus.np.{name}")
    arrays = [np.array(arg) if isinstance(arg, list) else arg for arg in args]
    with pytest.raises(error) as caught:
        function(*arrays)
    assert str(caught.value)


@pytest.mark.parametrize("kind", ["ValueError", "TypeError", "IndexError", "KeyError",
                                  "OverflowError",
                                  "MemoryError", "RuntimeError", "NotImplementedError",
                                  "ZeroDivisionError", "AttributeError"])  # fmt: skip
def test_error_kinds_become_python_exceptions(kind):
    throw = ffi.get_global_func("isthmus.testing.throw")
    with pytest.raises(BaseException, match="the message") as caught:
        throw(kind, "the message")
    assert type(caught.value).__name__ == kind


def test_error_of_an_unknown_kind_is_a_runtime_error():
    throw = ffi.get_global_func("isthmus.testing.throw")
    with pytest.raises(RuntimeError, match="what happened"):
        throw("NoSuchKindError", "what happened")


# --- functions of Python ------------------------------------------------------------------------


@needs_register
def test_python_functions_can_be_registered_and_called():
    ffi.register_func("tests.double", lambda x: x * 2)
    try:
        double = ffi.get_global_func("tests.double")
        assert double(21) == 42
        assert double("ab") == "abab"
        h.assert_same(double(np.ones(2)), onp.full(2, 2.0))
        assert "tests.double" in ffi.list_global_func_names()
        with pytest.raises((ValueError, RuntimeError)):
            ffi.register_func("tests.double", lambda x: x)
        ffi.register_func("tests.double", lambda x: x * 3, override=True)
        assert ffi.get_global_func("tests.double")(2) == 6
    finally:
        ffi.remove_global_func("tests.double")
    with pytest.raises(ValueError):
        ffi.get_global_func("tests.double")


@needs_register
def test_errors_of_registered_python_functions_come_back():
    def fail(x):
        raise IndexError(f"bad {x}")

    ffi.register_func("tests.fail", fail, override=True)
    try:
        with pytest.raises(IndexError, match="bad 3"):
            ffi.get_global_func("tests.fail")(3)
    finally:
        ffi.remove_global_func("tests.fail")


@needs_register
def test_registered_function_is_released():
    import weakref

    class Callable:
        def __call__(self):
            return 1

    function = Callable()
    alive = weakref.ref(function)
    ffi.register_func("tests.released", function)
    del function
    gc.collect()
    assert alive() is not None
    assert ffi.get_global_func("tests.released")() == 1
    ffi.remove_global_func("tests.released")
    gc.collect()
    assert alive() is None


def test_function_objects_are_values():
    nop = ffi.get_global_func("isthmus.testing.nop")
    assert callable(nop)
    assert repr(nop)
    assert nop(nop) is None


def test_importing_isthmus_does_not_import_what_compiling_needs():
    program = (
        "import sys, numpy; before = set(sys.modules); import isthmus; "
        "new = set(sys.modules) - before; "
        "print(sorted(new & {'subprocess', 'importlib.metadata', 'tvm_ffi'}))"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "[]"
