# SPDX-License-Identifier: Apache-2.0
"""References are balanced, and memory stays where it was after many calls."""

import gc
import os
import sys

import numpy as onp
import pytest

import helpers as h
import isthmus
from isthmus import ffi, np

PAGES = "/proc/self/statm"
CALLS = 100_000 if ffi.backend == "native" else 5_000  # calls of the other take microseconds

OPERATIONS = {
    "add": lambda x, y: x + y,
    "add-scalar": lambda x, y: x + 1.5,
    "iadd": lambda x, y: x.__iadd__(0.0),
    "out": lambda x, y: np.add(x, y, out=y),
    "sum": lambda x, y: x.sum(axis=0),
    "mean-method": lambda x, y: x.mean(),
    "index": lambda x, y: x[1],
    "index-none-slice": lambda x, y: x[None, ..., 0:100:2],
    "set": lambda x, y: x.__setitem__(0, 1.0),
    "reshape": lambda x, y: x.reshape((4,)),
    "transpose": lambda x, y: x.T,
    "matmul": lambda x, y: x @ x,
    "zeros": lambda x, y: np.zeros((2, 2)),
    "array-of-list": lambda x, y: np.array([[1, 2], [3, 4]]),
    "from_numpy": lambda x, y: isthmus.from_numpy(SOURCE),
    "asnumpy": lambda x, y: x.asnumpy(),
    "asnumpy-shared": lambda x, y: x.asnumpy(shared=True),
    "asarray": lambda x, y: onp.asarray(x),
    "memoryview": lambda x, y: memoryview(x),
    "dlpack": lambda x, y: x.__dlpack__(),
    "concatenate": lambda x, y: np.concatenate((x, y)),
    "split": lambda x, y: np.split(x, 2),
    "float": lambda x, y: float(x[0, 0]),
    "tolist": lambda x, y: x.tolist(),
    "iteration": lambda x, y: [row for row in x],  # noqa: C416
    "flags": lambda x, y: x.flags,
    "attributes": lambda x, y: (x.shape, x.dtype, x.strides, x.base),
    "astype": lambda x, y: x.astype("float32"),
    "mixed": lambda x, y: x + SOURCE,
    "keywords": lambda x, y: np.sum(x, axis=(0, 1), keepdims=True, dtype="float32"),
}

if not h.HAS_BUFFERS:
    del OPERATIONS["memoryview"]

FAILURES = {
    "broadcast": lambda x, y: np.add(x, np.ones(3)),
    "unknown-keyword": lambda x, y: np.sum(x, nonsense=1),
    "axis": lambda x, y: np.sum(x, axis=9),
    "index": lambda x, y: x[9],
    "set": lambda x, y: x.__setitem__(0, [1, 2, 3]),
    "dtype": lambda x, y: np.zeros(2, "nonsense"),
    "reshape": lambda x, y: x.reshape(5),
    "bool": lambda x, y: bool(x),
    "from_numpy": lambda x, y: isthmus.from_numpy("x"),
    "ragged": lambda x, y: np.array([[1, 2], [3]]),
    "overflow": lambda x, y: np.array([1], "uint8") + 300,
    "attribute": lambda x, y: x.nonsense,
}
SLOW = {"dtype": 10, "ragged": 10}
SOURCE = onp.ones((2, 2))


def resident():
    with open(PAGES) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def assert_memory_steady(operation, calls=CALLS):
    """Run many calls three times; a leak of one small object per call would grow each time."""
    for _ in range(calls // 10):
        operation()
    gc.collect()
    grown = []
    for _ in range(3):
        before = resident()
        for _ in range(calls):
            operation()
        gc.collect()
        grown.append(resident() - before)
    limit = max(8 * calls, 2**16)
    assert min(grown) < limit, f"resident memory grew by {grown} bytes in {calls} calls each"


@pytest.mark.skipif(not os.path.exists(PAGES), reason="resident memory is read from /proc")
@pytest.mark.parametrize("name", OPERATIONS)
def test_memory_is_steady_over_many_calls(name):
    x, y = np.ones((2, 2)), np.ones((2, 2))
    operation = OPERATIONS[name]
    assert_memory_steady(lambda: operation(x, y), CALLS // 3)


@pytest.mark.skipif(not os.path.exists(PAGES), reason="resident memory is read from /proc")
@pytest.mark.parametrize("name", FAILURES)
def test_memory_is_steady_over_many_failing_calls(name):
    x, y = np.ones((2, 2)), np.ones((2, 2))
    operation = FAILURES[name]

    def fail():
        try:
            operation(x, y)
        except Exception:
            return
        raise AssertionError("did not raise")

    assert_memory_steady(fail, CALLS // 10)


@pytest.mark.skipif(not os.path.exists(PAGES), reason="resident memory is read from /proc")
@pytest.mark.parametrize("size", [10, 1000, 100_000])
def test_memory_of_dropped_arrays_is_used_again(size):
    assert_memory_steady(lambda: np.ones(size) + 1, 20_000_000 // (size + 10_000))


@pytest.mark.parametrize("name", [*OPERATIONS])
def test_references_to_the_arguments_are_balanced(name):
    x, y = np.ones((2, 2)), np.ones((2, 2))
    OPERATIONS[name](x, y)
    gc.collect()
    before = sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(SOURCE)
    for _ in range(50):
        OPERATIONS[name](x, y)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(y), sys.getrefcount(SOURCE)) == before


@pytest.mark.parametrize("name", [*FAILURES])
def test_references_to_the_arguments_are_balanced_after_errors(name):
    x, y = np.ones((2, 2)), np.ones((2, 2))
    before = sys.getrefcount(x), sys.getrefcount(y)
    for _ in range(50):
        with pytest.raises((TypeError, ValueError, IndexError, OverflowError, AttributeError)):
            FAILURES[name](x, y)
    gc.collect()
    assert (sys.getrefcount(x), sys.getrefcount(y)) == before


def test_references_to_singletons_and_dtypes_are_balanced():
    """Objects which live for ever (on Python 3.12 and later) do not count."""
    dtype, axis, value = onp.dtype("float32"), (0, 1), 10**6 + 7
    x = np.ones((2, 2), dtype)

    def work():
        for _ in range(1000):
            x.sum(axis=axis, dtype=dtype)
            np.zeros((2, 2), dtype=dtype)
            x + value
            np.full(2, value)
            x.dtype  # noqa: B018

    work()
    before = [sys.getrefcount(o) for o in (dtype, axis, value, onp.float32)]
    work()
    after = [sys.getrefcount(o) for o in (dtype, axis, value, onp.float32)]
    assert all(abs(b - a) < 20 for a, b in zip(before, after))


def test_keyword_strings_and_shapes_are_released():
    shape = (1234, 5)
    before = sys.getrefcount(shape)
    for _ in range(200):
        np.zeros(shape)
        np.ones((1234 * 5,)).reshape(shape)
        np.broadcast_to(1.0, shape)
    assert sys.getrefcount(shape) == before


def test_arrays_in_reference_cycles_are_collected():
    class Node:
        pass

    import weakref

    node = Node()
    node.array = np.ones(100)
    node.self = node
    alive = weakref.ref(node)
    del node
    gc.collect()
    assert alive() is None


def test_arrays_can_be_weakly_referenced():
    import weakref

    x = np.ones(3)
    alive = weakref.ref(x)
    assert alive() is x
    del x
    gc.collect()
    assert alive() is None
