# SPDX-License-Identifier: Apache-2.0
"""Fuzzes what crosses the boundary: any value into any function ends in a result or an exception.

python tests/fuzz/fuzz_conversions.py [options of libFuzzer] [corpus]
make fuzz FUZZ_SECONDS=60

Inputs are bytes that libFuzzer chooses (through Atheris); from them come nested values, objects
with hostile methods, arrays, callbacks and calls. An input fails when the process crashes, hangs,
raises SystemError, or when a value comes back as another. `python tests/fuzz/fuzz_conversions.py
crash-<hash>` runs a failing input again.
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
import warnings
from collections.abc import Callable
from typing import Any

import atheris
import numpy as onp

with atheris.instrument_imports(include=["isthmus"]):
    import isthmus
    from isthmus import ffi, np

warnings.simplefilter("ignore")
onp.seterr(all="ignore")

get = ffi.get_global_func
echo = get("isthmus.testing.echo")
repeat = get("isthmus.testing.repeat")

#: What may be raised; anything else is a failure. A fuzzed callback raises Interrupt.
EXPECTED = (Exception,)
BUGS = (SystemError, AssertionError)

DTYPES = [onp.dtype(code) for code in "?bBhHiIlLefdFD"] + [
    onp.dtype(">f8"), onp.dtype("U3"), onp.dtype("O"), onp.dtype("M8[s]"), onp.dtype("f4,i4"),
]  # fmt: skip
EDGES = [
    0, 1, -1, 2, 3, 7, 127, 128, 255, 256, -129, 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1,
    2**63 - 1, 2**63, -(2**63), -(2**63) - 1, 2**64 - 1, 2**64, 2**100, -(2**200),
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.5, math.inf, -math.inf, math.nan, 1e308, 5e-324, 2.0**63]
#: Operators whose work grows with the values of their arguments, not with their sizes.
UNBOUNDED = {"arange", "linspace", "logspace", "geomspace", "eye", "identity", "tri", "indices",
             "zeros", "ones", "empty", "full", "repeat", "tile", "bincount", "vander",
             "matrix_power", "unravel_index", "broadcast_to", "resize", "histogram",
             "pad", "tril_indices", "triu_indices"}  # fmt: skip
OPS = [
    name
    for name in sorted(str(n) for n in get("isthmus.list_ops")())
    if name.rpartition(".")[2] not in UNBOUNDED
]


class Interrupt(BaseException):
    """Raised by callbacks; must arrive as the same object."""


class Hostile:
    """An object whose special methods do what the input says."""

    def __init__(self, choose: Callable[[], int]) -> None:
        self._choose = choose

    def _answer(self, *args: Any, **keywords: Any) -> Any:
        answer = self._choose() % 12
        if answer == 0:
            raise ValueError("hostile")
        if answer == 1:
            raise Interrupt
        if answer == 2:
            raise RecursionError
        if answer == 3:
            raise AttributeError("hostile")
        return [None, self, -1, 2**70, "text", [self], onp.ones(2), 1.5][answer - 4]

    __index__ = __int__ = __float__ = __complex__ = __len__ = __iter__ = __getitem__ = _answer
    __bool__ = __contains__ = __call__ = __hash__ = _answer


class HostileArray(Hostile):
    """One that says it is an array, too."""

    __array__ = __dlpack__ = __dlpack_device__ = Hostile._answer


class HostileFFI(Hostile):
    """One that says it is an object of tvm_ffi."""

    __tvm_ffi_object__ = Hostile._answer


@atheris.instrument_func
def integer(data: Any) -> int:
    """A small int, one at an edge, or a random one."""
    kind = data.ConsumeIntInRange(0, 3)
    if kind == 0:
        return data.ConsumeIntInRange(-5, 5)
    if kind == 1:
        return EDGES[data.ConsumeIntInRange(0, len(EDGES) - 1)]
    return data.ConsumeInt(9 if kind == 2 else 2)


@atheris.instrument_func
def host_array(data: Any) -> onp.ndarray:
    """An array of NumPy of up to three dimensions, strided as the input says."""
    shape = [data.ConsumeIntInRange(0, 4) for _ in range(data.ConsumeIntInRange(0, 3))]
    dtype = DTYPES[data.ConsumeIntInRange(0, len(DTYPES) - 1)]
    size = math.prod(shape)
    if dtype.kind in "OUM" or dtype.names:
        array = onp.zeros(shape, dtype)
    else:
        array = onp.resize(onp.arange(7) - 2, size).astype(dtype).reshape(shape)
    for _ in range(data.ConsumeIntInRange(0, 2)):
        kind = data.ConsumeIntInRange(0, 5)
        if kind == 0:
            array = array.T
        elif kind == 1 and array.ndim:
            array = array[::-1]
        elif kind == 2 and array.ndim:
            array = array[..., ::2]
        elif kind == 3:
            array = onp.broadcast_to(array, (2, *array.shape))
        elif kind == 4 and array.ndim:
            array = array[1:]
        elif kind == 5:
            array = array.view()
            array.flags.writeable = False
    return array


@atheris.instrument_func
def callback(data: Any) -> Callable[..., Any]:
    """A callable that answers, raises, recurses, or takes itself away."""
    kind = data.ConsumeIntInRange(0, 5)
    name = "fuzz.callback"

    def call(*args: Any) -> Any:
        if kind == 0:
            return args
        if kind == 1:
            raise Interrupt
        if kind == 2:
            return echo(call)(*args, 1) if len(args) < 12 else args[0]
        if kind == 3:
            with contextlib.suppress(ValueError):
                ffi.remove_global_func(name)
            return None
        if kind == 4:
            for a in args:
                if isinstance(a, list):
                    a.clear()
            return list(args)
        return call

    if data.ConsumeBool():
        ffi.register_func(name, call, override=True)
        return get(name)
    return call


@atheris.instrument_func
def value(data: Any, depth: int = 0) -> Any:
    """Any value of Python, nested up to a few levels."""
    kind = data.ConsumeIntInRange(0, 29 if depth < 4 else 17)
    if kind <= 2:
        return integer(data)
    if kind == 3:
        return FLOATS[data.ConsumeIntInRange(0, len(FLOATS) - 1)]
    if kind == 4:
        return [None, True, False, ..., NotImplemented][data.ConsumeIntInRange(0, 4)]
    if kind == 5:
        return data.ConsumeUnicode(12)  # lone surrogates included
    if kind == 6:
        return data.ConsumeBytes(12)
    if kind == 7:
        return bytearray(data.ConsumeBytes(12))
    if kind == 8:
        return complex(data.ConsumeRegularFloat(), data.ConsumeRegularFloat())
    if kind == 9:
        return host_array(data)
    if kind == 10:
        array = host_array(data)
        return np.array(array) if array.dtype.kind in "?biufc" else array
    if kind == 11:
        return DTYPES[data.ConsumeIntInRange(0, 13)].type(data.ConsumeIntInRange(0, 3))
    if kind == 12:
        dtype = DTYPES[data.ConsumeIntInRange(0, len(DTYPES) - 1)]
        return dtype if data.ConsumeBool() else dtype.type
    if kind == 13:
        cls = [Hostile, HostileArray, HostileFFI][data.ConsumeIntInRange(0, 2)]
        return cls(lambda: data.ConsumeIntInRange(0, 255))
    if kind == 14:
        return callback(data)
    if kind == 15:
        return isthmus.cpu(data.ConsumeIntInRange(0, 3))
    if kind == 16:
        return range(integer(data) % 100, integer(data) % 100, data.ConsumeIntInRange(1, 9))
    if kind == 17:
        return object()
    if kind == 18:
        return slice(*(value(data, depth + 3) for _ in range(3)))
    if kind == 19:
        loop: list[Any] = [value(data, depth + 1)]
        loop.append(loop)
        return loop
    items = [value(data, depth + 1) for _ in range(data.ConsumeIntInRange(0, 4))]
    if kind <= 22:
        return items
    if kind <= 25:
        return tuple(items)
    if kind == 26:
        return items * data.ConsumeIntInRange(0, 40)
    if kind == 27:
        return ffi.Array(items)
    if kind == 28:
        return ffi.List(items)
    result = {}
    for item in items:
        with contextlib.suppress(TypeError, ValueError, Interrupt, RecursionError, AttributeError):
            result[item] = item
    return result


def is_plain(v: Any) -> bool:
    """Whether a value must come back equal."""
    if isinstance(v, (list, tuple)) and type(v) in (list, tuple):
        return len(v) < 50 and all(item is not v and is_plain(item) for item in v)
    return type(v) in (int, str, bytes, bool, type(None))


@atheris.instrument_func
def round_trip(data: Any) -> None:
    """A value through a function that returns it."""
    given = value(data)
    result = echo(given)
    if is_plain(given):
        assert type(result) is type(given)
        assert result == given, (result, given)


@atheris.instrument_func
def array_of(data: Any) -> Any:
    """An array of NumPy or of ours."""
    array = host_array(data)
    return np.array(array) if array.dtype.kind in "biufc" and data.ConsumeBool() else array


@atheris.instrument_func
def suited(data: Any, kind: str) -> Any:
    """A value that a parameter of a schema type may well take; any value now and then."""
    if data.ConsumeIntInRange(0, 9) == 0:
        return value(data)
    if kind.endswith("?") and data.ConsumeIntInRange(0, 2) == 0:
        return None
    kind = kind.rstrip("?")
    if kind in ("Array", "Out"):
        return array_of(data)
    if kind == "Arrays":
        return [array_of(data) for _ in range(data.ConsumeIntInRange(0, 3))]
    if kind in ("Shape", "Axes"):
        return tuple(data.ConsumeIntInRange(-3, 3) for _ in range(data.ConsumeIntInRange(0, 3)))
    if kind == "DType":
        return DTYPES[data.ConsumeIntInRange(0, len(DTYPES) - 1)]
    if kind == "bool":
        return data.ConsumeBool()
    if kind == "int":
        return data.ConsumeIntInRange(-3, 3)
    if kind == "float":
        return FLOATS[data.ConsumeIntInRange(0, len(FLOATS) - 1)]
    if kind == "str":
        return WORDS[data.ConsumeIntInRange(0, len(WORDS) - 1)]
    return value(data)


WORDS = ("", "C", "F", "K", "left", "right", "stable", "same_kind", "unsafe", "linear", "raise",
         "wrap", "clip", "ij,jk->ik", "ii", "fro", "nuc", "xy", "ij", "U")  # fmt: skip


@atheris.instrument_func
def call_operator(data: Any) -> None:
    """An operator with arguments that suit its signature more or less."""
    op = ffi.get_op(OPS[data.ConsumeIntInRange(0, len(OPS) - 1)])
    kinds = dict(re.findall(r"(\w+): (\w+\??)", op.schema))
    names = list(kinds)
    count = data.ConsumeIntInRange(0, len(names))
    args = [suited(data, kinds[name]) for name in names[:count]]
    keywords = {}
    for _ in range(data.ConsumeIntInRange(0, 2)):
        name = names[data.ConsumeIntInRange(min(count, len(names) - 1), len(names) - 1)]
        keywords[name] = suited(data, kinds[name])
    if data.ConsumeBool():
        op.bind(**keywords)(*args)
    else:
        op(*args, **keywords)


@atheris.instrument_func
def index_of(data: Any) -> Any:
    """An index expression that may well fit an array of shape (2, 3, 4)."""

    def item() -> Any:
        kind = data.ConsumeIntInRange(0, 6)
        if kind == 0:
            return data.ConsumeIntInRange(-3, 3)
        if kind == 1:
            part = lambda: (None, *range(-5, 6))[data.ConsumeIntInRange(0, 11)]  # noqa: E731
            return slice(part(), part(), part())
        if kind == 2:
            return [None, ..., True, False][data.ConsumeIntInRange(0, 3)]
        if kind == 3:
            return [data.ConsumeIntInRange(-2, 2) for _ in range(data.ConsumeIntInRange(0, 3))]
        if kind == 4:
            shape = [(2,), (3,), (2, 3), (2, 3, 4), ()][data.ConsumeIntInRange(0, 4)]
            return onp.resize([data.ConsumeBool(), data.ConsumeBool(), True], shape)
        if kind == 5:
            return array_of(data)
        return integer(data)

    items = tuple(item() for _ in range(data.ConsumeIntInRange(0, 4)))
    return items[0] if len(items) == 1 else items


@atheris.instrument_func
def index(data: Any) -> None:
    """An index expression, which selects what it selects in NumPy."""
    host = onp.arange(24.0).reshape(2, 3, 4)
    ours = np.array(host)
    where = value(data) if data.ConsumeIntInRange(0, 3) == 0 else index_of(data)
    if isinstance(where, Hostile):
        ours[where]
        return
    results: list[Any] = []
    for array in (host, ours):
        try:
            results.append(onp.asarray(array[where]))
        except (IndexError, TypeError, ValueError, OverflowError) as error:
            results.append(error)
        except DeprecationWarning as error:
            results.append(error)
    theirs, mine = results
    if isinstance(theirs, onp.ndarray) and isinstance(mine, onp.ndarray):
        assert theirs.shape == mine.shape, (where, theirs.shape, mine.shape)
        assert (theirs == mine).all(), (where, theirs, mine)
    elif isinstance(theirs, onp.ndarray):
        # NumPy does not look at all integers of an index that selects nothing.
        assert theirs.size == 0, (where, results)
    else:
        assert isinstance(mine, Exception), (where, results)
    ours[where] = value(data)


@atheris.instrument_func
def make_array(data: Any) -> None:
    """An array from any value."""
    [np.array, np.asarray, isthmus.from_numpy, isthmus.from_dlpack, ffi.convert][
        data.ConsumeIntInRange(0, 4)
    ](value(data))


@atheris.instrument_func
def call_back(data: Any) -> None:
    """A callable called from C++."""
    f = callback(data)
    args = [value(data) for _ in range(data.ConsumeIntInRange(0, 8))]
    try:
        repeat(f, data.ConsumeIntInRange(0, 3), *args)
    except Interrupt as error:
        assert error.__traceback__ is not None


@atheris.instrument_func
def use_registry(data: Any) -> None:
    """Functions of the registry by random names and with random arguments."""
    kind = data.ConsumeIntInRange(0, 5)
    given = value(data)
    if kind == 0:
        get(given, allow_missing=True)
    elif kind == 1:
        ffi.register_func(given if not isinstance(given, str) else "fuzz." + given, len)
    elif kind == 2:
        ffi.remove_global_func(given if not isinstance(given, str) else "fuzz." + given)
    elif kind == 3:
        ffi.register_op("fuzz.op", len, given)
    elif kind == 4:
        ffi.load_module(given)
    else:
        ffi.get_op(given)


TASKS = (round_trip, call_operator, index, make_array, call_back, use_registry)


@atheris.instrument_func
def test_one_input(data: bytes) -> None:
    """One input of libFuzzer."""
    provider = atheris.FuzzedDataProvider(data)
    try:
        TASKS[provider.ConsumeIntInRange(0, len(TASKS) - 1)](provider)
    except BUGS:
        raise
    except (*EXPECTED, Interrupt):
        pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, test_one_input)
    atheris.Fuzz()
