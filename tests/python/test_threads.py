# SPDX-License-Identifier: Apache-2.0
"""Operators on several Python threads at once, on private and on shared read-only arrays."""

import gc
import sys
import threading
import weakref

import numpy as onp
import pytest

import helpers as h
import isthmus
from isthmus import np

THREADS = 4


@pytest.fixture(autouse=True)
def frequent_switches():
    """Let threads take turns often, so that a missing lock is met."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def run_on_threads(work, count=THREADS):
    """Start work(i) on all threads together; raise the first error any of them had."""
    barrier = threading.Barrier(count)
    errors = []

    def body(i):
        try:
            barrier.wait(60)
            work(i)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_threads_with_private_arrays():
    def work(i):
        a = np.full((4, 4), float(i))
        for k in range(300):
            b = (a + k) * 2 - a
            assert float(b.sum()) == 16 * (i + 2 * k)
            c = np.concatenate([a, b])[2:6, ::-1].T
            assert c.shape == (4, 4)
            b[k % 4] = -1
            assert float(b[k % 4].max()) == -1

    run_on_threads(work)


def test_threads_with_shared_read_only_arrays():
    a = np.arange(1000.0)
    expected = float((onp.arange(1000.0) * 2).sum())

    def work(i):
        for _ in range(200):
            assert float((a * 2).sum()) == expected
            assert float(a[i::2].max()) in (998.0, 999.0)
            assert len(a.tolist()) == 1000

    run_on_threads(work)


def test_threads_that_share_memory_with_numpy():
    source = onp.arange(64.0)

    def work(i):
        for _ in range(300):
            x = isthmus.from_numpy(source)
            y = x.asnumpy(shared=True)
            assert onp.shares_memory(y, source)
            assert onp.from_dlpack(x)[1] == 1
            del x, y

    before = sys.getrefcount(source)
    run_on_threads(work)
    assert sys.getrefcount(source) == before


def test_threads_that_drop_arrays_of_another_thread():
    kept = [[np.full(50, float(i * 100 + k)) for k in range(100)] for i in range(THREADS)]

    def work(i):
        mine = kept[(i + 1) % THREADS]
        while mine:
            x = mine.pop()
            assert float(x[0]) == float(x[-1])
            del x
            np.zeros(50)

    run_on_threads(work)


def test_threads_with_errors():
    a = np.ones((2, 3))

    def work(i):
        for _ in range(300):
            with pytest.raises(ValueError, match="broadcast"):
                np.add(a, np.ones(4))
            with pytest.raises(IndexError):
                a[5]
            with pytest.raises(TypeError):
                np.sum(a, nonsense=i)

    run_on_threads(work)


def test_threads_with_large_arrays():
    a = np.ones(300_000)

    def work(i):
        for _ in range(5):
            b = np.sqrt(a * (i + 1) ** 2)
            assert float(b.min()) == float(b.max()) == i + 1
            assert float(b.sum()) == 300_000 * (i + 1)

    run_on_threads(work)


def test_threads_with_writes_to_separate_parts():
    a = np.zeros((THREADS, 1000))

    def work(i):
        for _ in range(100):
            a[i] += 1
            a[i, ::2] *= 1

    run_on_threads(work)
    h.assert_same(a, onp.full((THREADS, 1000), 100.0))


def test_threads_with_every_kind_of_call():
    a = np.arange(24.0).reshape(2, 3, 4)

    def work(i):
        for _ in range(50):
            assert np.einsum("ijk->k", a).shape == (4,)
            assert np.split(a, 2, axis=2)[1].shape == (2, 3, 2)
            assert (a[0] @ a[0].T).shape == (3, 3)
            assert np.linalg.inv(np.eye(3) * (i + 1))[0, 0] * (i + 1) == 1
            assert repr(a[0, 0, :2]) == "array([0., 1.])"
            assert np.array([[i, 1], [2, 3]]).tolist()[0][0] == i
            assert np.sort(a, axis=None)[-1] == 23
            assert np.add.__doc__
            assert np.sum(a, axis=(0, 2), keepdims=True).shape == (1, 3, 1)

    run_on_threads(work)


def test_thread_that_ends_leaves_its_arrays_usable():
    made = []

    def work(i):
        made.append(np.arange(10.0) + i)

    run_on_threads(work)
    assert sorted(float(x.sum()) for x in made) == [45 + 10 * i for i in range(THREADS)]
    del made[:]
    assert float(np.ones(10).sum()) == 10


class SetsShape:
    """An index 0 that sets the shape of the array, and lets other threads run, when converted."""

    def __init__(self, array, shape):
        self.array, self.shape = array, shape

    def __index__(self):
        self.array.shape = self.shape
        threading.Event().wait(0)
        return 0


def test_threads_shape_set_while_a_call_borrows_the_array():
    shared = np.arange(12.0)

    def work(i):
        for k in range(200):
            own = np.arange(12.0).reshape(3, 4)
            joined = np.concatenate([own, own], axis=SetsShape(own, (12,)))
            assert float(joined.sum()) == 132
            assert own.item(SetsShape(own, (4, 3))) == 0
            shared.shape = [(12,), (3, 4), (2, 6), (2, 3, 2)][(i + k) % 4]
            assert np.concatenate([shared, shared], axis=SetsShape(shared, (12,))).size == 24

    run_on_threads(work)


def test_memory_of_a_replaced_array_is_released():
    owner = onp.arange(12.0)
    alive = weakref.ref(owner)
    a = isthmus.from_numpy(owner)
    del owner
    np.concatenate([a, a], axis=SetsShape(a, (3, 4)))
    del a
    for _ in range(10):  # the interpreter gives it back between two instructions
        gc.collect()
    assert alive() is None
