# SPDX-License-Identifier: Apache-2.0
"""Basic and advanced indexing, get and set, with generated index expressions."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, spec, view_facts
from isthmus import np

A = spec(onp.arange(24).reshape(2, 3, 4))


# --- generated expressions ----------------------------------------------------------------------


@st.composite
def slices(draw, length):
    bound = st.none() | st.integers(-length - 2, length + 2)
    step = draw(st.none() | st.sampled_from((1, -1, 2, -2, 3, 100, -100)))
    return slice(draw(bound), draw(bound), step)


@st.composite
def basic_indices(draw, shape, integers=True):
    """Draw a basic index: integers, slices, None and at most one Ellipsis."""
    items, axis, ellipsis = [], 0, False
    while axis < len(shape) and draw(st.integers(0, 5)):
        form = draw(st.sampled_from(("slice", "integer", "none", "ellipsis")))
        length = shape[axis]
        if form == "integer" and length and integers:
            items.append(draw(st.integers(-length, length - 1)))
            axis += 1
        elif form == "none":
            items.append(None)
        elif form == "ellipsis" and not ellipsis:
            items.append(...)
            ellipsis = True
            axis += draw(st.integers(0, len(shape) - axis))
        else:
            items.append(draw(slices(length)))
            axis += 1
    if len(items) == 1 and draw(st.booleans()):
        return items[0]
    return tuple(items)


@st.composite
def advanced_indices(draw, shape):
    """Draw an index with integer arrays, lists or masks among basic items."""
    lead = draw(h.shapes(max_dims=2, max_side=3))
    items, axis = [], 0
    while axis < len(shape):
        form = draw(st.sampled_from(("array", "slice", "mask", "integer", "list", "none", "stop")))
        length = shape[axis]
        rng = onp.random.default_rng(draw(st.integers(0, 999)))
        if form == "array" and length:
            broad = draw(h.broadcasts_to(lead))
            dtype = draw(st.sampled_from(("int64", "int32", "int8", "uint16")))
            low = 0 if dtype[0] == "u" else -length
            items.append(spec(rng.integers(low, length, broad).astype(dtype)))
        elif form == "list" and length and not lead:
            items.append(rng.integers(-length, length, 2).tolist())
        elif form == "mask" and len(lead) < 2:
            width = draw(st.integers(1, min(2, len(shape) - axis)))
            mask = rng.integers(0, 2, shape[axis : axis + width]).astype(bool)
            items.append(spec(mask))
            axis += width - 1
        elif form == "integer" and length:
            items.append(draw(st.integers(-length, length - 1)))
        elif form == "none":
            items.append(None)
            axis -= 1
        elif form == "stop":
            if draw(st.booleans()):
                items.append(...)
            break
        else:
            items.append(draw(slices(length)))
        axis += 1
        if len(items) > 6:
            break
    if len(items) == 1 and draw(st.booleans()):
        return items[0]
    return tuple(items)


@given(data=st.data())
def test_basic_index_gives_a_view_with_numpy_strides(data):
    a = data.draw(h.arrays())
    index = data.draw(basic_indices(a.shape, integers=False))
    both(lambda lib, a: view_facts(a[index], a), a)


@given(data=st.data())
def test_basic_index_with_integers(data):
    a = data.draw(h.arrays())
    both(lambda lib, a, index: a[index], a, data.draw(basic_indices(a.shape)))


@given(data=st.data())
def test_basic_index_of_a_basic_index(data):
    a = data.draw(h.arrays())
    first = data.draw(basic_indices(a.shape))
    part = a.build(onp)[first]
    second = data.draw(basic_indices(onp.shape(part)))
    both(lambda lib, a: a[first][second], a)


@given(data=st.data())
def test_assignment_to_a_basic_index(data):
    a = data.draw(h.arrays(layouts=("plain", "transposed", "reversed", "stepped", "row")))
    index = data.draw(basic_indices(a.shape))
    target = onp.shape(a.build(onp)[index])
    value = data.draw(h.arrays(h.REAL, shape=data.draw(h.broadcasts_to(target)), kind="positive"))

    def call(lib, a, value):
        a[index] = value

    both(call, a, value)


@given(data=st.data())
def test_advanced_index(data):
    a = data.draw(h.arrays())
    index = data.draw(advanced_indices(a.shape))
    both(lambda lib, a, index: a[index], a, index)


@given(data=st.data())
def test_assignment_to_an_advanced_index(data):
    a = data.draw(h.arrays(layouts=("plain", "transposed", "reversed", "stepped", "row")))
    index = data.draw(advanced_indices(a.shape))
    theirs, _ = h.run(lambda lib, a, index: a[index].shape, onp, (a, index))
    shape = () if theirs.error else data.draw(h.broadcasts_to(theirs.value))
    # One value: with repeated indices the order of the writes is not defined.
    value = h.ArraySpec(onp.broadcast_to(onp.array(3), shape).astype(data.draw(h.dtypes(h.REAL))))

    def call(lib, a, index, value):
        a[index] = value

    both(call, a, index, value)


@given(data=st.data())
def test_augmented_assignment_to_an_advanced_index(data):
    a = data.draw(h.arrays(h.INEXACT, kind="small", layouts=("plain", "transposed")))
    index = data.draw(advanced_indices(a.shape))

    def call(lib, a, index):
        a[index] += 1

    both(call, a, index)


@given(data=st.data())
def test_distinct_values_are_assigned_in_order(data):
    n = data.draw(st.integers(1, 20))
    order = data.draw(st.permutations(range(n)))
    count = data.draw(st.integers(0, n))

    def call(lib, a, index, values):
        a[index] = values

    both(call, spec(onp.zeros(n)), spec(onp.array(order[:count], int)), spec(onp.arange(count) + 1))


# --- forms by hand ------------------------------------------------------------------------------

INDICES = [
    0, -1, 1, 2, -3, 2**31, 2**63, -(2**70), (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 3), (), ..., None,
    (..., 0), (0, ...), (..., ...), (None, ..., None), (slice(None), 1), (slice(None), 7), True,
    False, (True, 0), (0, True), [0, 1], [0, 5], [[0, 1], [1, 0]], [True, False],
    [True, False, True], [], [[]], ([0, 1], [0, 2]), ([0, 1], [0, 1, 2]), ([[0], [1]], [0, 1, 2]),
    (0, [1, 2]),
    ([0, 1], 0), ([0], slice(None), [1]), (slice(None), [0, 1]), (slice(None), [0, 1], [1, 2]),
    (0, None, [1]), (..., [0, 1]), 1.0, 1.5, "x", "field", b"x", {}, (0, "x"), (0, 1.0), [0.0],
    [1.5], ["x"], [None], onp.int64(1), onp.uint8(0), onp.bool_(True), onp.float64(1), onp.array(1),
    onp.array([0, 1]), onp.array([0.0]), onp.array([True, False]), onp.zeros((2, 3), bool),
    onp.ones((2, 3, 4), bool),
    onp.ones((3, 2), bool), onp.ones((2, 3, 4, 1), bool), onp.array(True), onp.array([], int),
    onp.array([], float), slice(None), slice(0, 0), slice(5, None), slice(None, None, -1),
    slice(None, None, 0), slice("a", None), slice(1.0, 2), slice(None, None, 2**70),
    slice(-(2**70), 2**70), slice(onp.int64(0), onp.int8(1)), range(2), (range(2), 0), 1j, object,
    (slice(None), slice(None), slice(None), slice(None)), (None,) * 61, (None,) * 62, (None,) * 100,
    ((0, 1), 0), (((0, 1),),), (0, 0, 0, ...), ((), 0), [[0, 1]], [(0, 1)],
]  # fmt: skip


def name_of(index):
    return repr(index).replace(" ", "")[:40]


@pytest.mark.parametrize("index", INDICES, ids=name_of)
def test_get_with_every_form_of_index(index):
    both(lambda lib, a: a[index], A)


@pytest.mark.parametrize("index", INDICES, ids=name_of)
def test_set_with_every_form_of_index(index):
    def call(lib, a):
        a[index] = 7

    both(call, A)


@pytest.mark.parametrize("index", INDICES, ids=name_of)
def test_delete_always_raises(index):
    def call(lib, a):
        del a[index]

    both(call, A)


@pytest.mark.parametrize("index", [0, (), ..., None, True, False, (0,), [0], "x", slice(None),
                                   (..., 0), (None, None), [True], onp.array(True), -1],
                         ids=name_of)  # fmt: skip
def test_index_of_a_zero_dim_array(index):
    def put(lib, a):
        a[index] = 5

    both(lambda lib, a: a[index], spec(2.5))
    both(put, spec(2.5))


@pytest.mark.parametrize("index", [0, slice(None), [], [0], (slice(None), 0), (0, 0), None, ...,
                                   [True], onp.zeros((0, 3), bool), (slice(None), [0, 1])],
                         ids=name_of)  # fmt: skip
def test_index_of_an_empty_array(index):
    def put(lib, a):
        a[index] = 5

    both(lambda lib, a: a[index], spec(onp.zeros((0, 3))))
    both(put, spec(onp.zeros((0, 3))))


def test_isthmus_arrays_are_indices():
    i, m, z = spec([1, 0]), spec([True, False]), spec(1)
    both(lambda lib, a, i: a[i], A, i)
    both(lambda lib, a, i: a[:, i], A, i)
    both(lambda lib, a, m: a[m], A, m)
    both(lambda lib, a, m: a[m, 1:], A, m)
    both(lambda lib, a, z: (a[z], a[z, z], a[:z], a[z:, ::z]), A, z)
    both(lambda lib, a, i: a[[i, i]], A, i)
    both(lambda lib, a: a[a.argmax(axis=1) % 2], A)
    both(lambda lib, a: a[a > 5], A)
    both(lambda lib, a: a[lib.where(a > 20)], A)
    both(lambda lib, a: a[lib.nonzero(a)], A)


def test_numpy_arrays_index_isthmus_arrays_and_back():
    i, a = onp.array([1, 0]), np.arange(6).reshape(2, 3)
    assert isinstance(a[i], np.ndarray)
    assert a[i].tolist() == [[3, 4, 5], [0, 1, 2]]
    assert onp.arange(6)[np.array([1, 3])].tolist() == [1, 3]
    assert [10, 20, 30][np.array(1)] == 20
    assert list(range(9))[np.array(2) : np.array(4)] == [2, 3]


# --- assignment ---------------------------------------------------------------------------------

VALUES = [7, 2.9, True, [1, 2, 3, 4], [[1], [2], [3]], [1, 2], [], (1, 2, 3, 4), "x", None, 1j,
          [[1, 2], [3]], onp.arange(4), onp.arange(3), onp.float64(2.5), 2**40, 2**70, -1,
          float("nan"), {}, "1.5", [1, None, 3, 4], [None], ["1", "2", "3", "4"],
          onp.ones((1, 1, 4)), onp.ones((2, 1, 4))]  # fmt: skip


@pytest.mark.parametrize("value", VALUES, ids=name_of)
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32", "bool", "complex64"])
def test_assignment_of_every_form_of_value(value, dtype):
    def call(lib, a, index):
        a[index] = value

    a = h.ArraySpec(onp.ones((3, 4), dtype))
    if not isinstance(value, (list, tuple, dict, onp.ndarray)):
        both(call, a, (0, 0))
    both(call, a, slice(None))
    both(call, a, 1)
    both(call, a, [0, 2])
    both(call, a, spec(onp.ones((3, 4), bool)))


def test_assignment_that_overlaps_its_source():
    def shift(lib, a):
        a[1:] = a[:-1]

    def reverse(lib, a):
        a[:] = a[::-1]

    def rotate(lib, a):
        a[[0, 1, 2]] = a[[2, 0, 1]]

    for values in (onp.arange(9), onp.arange(9.0), onp.arange(5000)):
        for call in (shift, reverse, rotate):
            both(call, spec(values))

    def transpose(lib, a):
        a[...] = a.T

    both(transpose, spec(onp.arange(16).reshape(4, 4)))


def test_items_are_values_so_that_elements_can_be_swapped():
    def swap(lib, a):
        a[0], a[2] = a[2], a[0]
        kept = a[1]
        a[1] = 99
        return kept

    both(swap, spec([1, 2, 3]))

    def rows(lib, a):
        a[[0, 1]] = a[[1, 0]]
        first = a[0, 0]
        a[0, 0] = -5
        return first

    both(rows, spec([[1, 2], [3, 4]]))
    both(lambda lib, a: [(v, a.fill(0))[0] for v in a], spec([1, 2, 3]))


def test_mask_assignment_with_too_many_or_too_few_values():
    def call(lib, a, value):
        a[a > 2] = value

    for value in (0, [1], [1, 2], [1, 2, 3], [], [[1, 2, 3]], [[1], [2], [3]]):
        both(call, spec([1, 2, 3, 4, 5]), value)


def test_assignment_to_read_only_memory_raises_and_changes_nothing():
    def call(lib, a):
        a.flags.writeable = False
        a[0] = 5

    both(call, spec([1, 2, 3]))


def test_failed_assignment_changes_nothing():
    for index, value in ((slice(None), [1, 2]), ([0, 9], 5), ((0, 0), 5), (slice(None), "x")):
        a = np.arange(3)
        with pytest.raises((ValueError, IndexError, TypeError)):
            a[index] = value
        assert a.tolist() == [0, 1, 2]


def test_assignment_from_an_array_of_a_wider_dtype_casts():
    def call(lib, a, b):
        a[:] = b
        a[0] = b[1]
        a[[1]] = b[2]

    for target in h.REAL:
        both(call, h.ArraySpec(onp.zeros(3, target)), spec([1.75, 2.5, 3.25]))


# --- functions of indices -----------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["raise", "wrap", "clip", "nonsense"])
@pytest.mark.parametrize("indices", [0, -1, 5, [0, 1], [[0], [-1]], [9, -9], [], 1.0, "x", None,
                                     [1.0, 0.0], float("nan"), 2**63, 2**70, onp.float64(1), [True],
                                     onp.array([1], "uint8")], ids=name_of)  # fmt: skip
def test_take(indices, mode):
    for axis in (None, 0, -1, 3):
        both(lambda lib, a, axis: lib.take(a, indices, axis=axis, mode=mode), A, axis)
        both(lambda lib, a, axis: a.take(indices, axis, mode=mode), A, axis)


def test_take_with_out():
    out = spec(onp.zeros((2, 2, 4), int))
    both(lambda lib, a, out: lib.take(a, [0, 1], axis=1, out=out) is out, A, out)
    both(lambda lib, a, out: lib.take(a, [0], axis=1, out=out), A, out)


def test_put_place_putmask_write_in_place():
    a = spec([1.0, 2, 3, 4])
    both(lambda lib, a: lib.put(a, [0, -1], [7, 8]), a)
    both(lambda lib, a: a.put([0, 9], 7), a)
    both(lambda lib, a: a.put([0, 9], 7, mode="wrap"), a)
    both(lambda lib, a: lib.place(a, a > 2, [7, 8]), a)
    both(lambda lib, a: lib.putmask(a, a > 2, a * 10), a)
    both(lambda lib, a: lib.put_along_axis(a, lib.array([1, 0]), 9, 0), a)


def test_large_advanced_indices():
    a = h.ArraySpec(h.fill((300, 40), "float64", 2, "small"))
    rng = onp.random.default_rng(0)
    i, j = spec(rng.integers(-300, 300, 5000)), spec(rng.integers(0, 40, 5000))
    m = spec(rng.integers(0, 2, (300, 40)).astype(bool))
    both(lambda lib, a, i: a[i], a, i)
    both(lambda lib, a, i, j: a[i, j], a, i, j)
    both(lambda lib, a, m: a[m], a, m)
    both(lambda lib, a, j: a[:, j], a, j)


@pytest.mark.parametrize(
    "index",
    [([2], False), ([2], []), ([2], onp.zeros(3, bool)), (onp.zeros((0, 1), int), [5]),
     (slice(None), [9], []), (2, []), (2, False), ([2], True), ([0, 5], onp.zeros((2, 1), int))],
    ids=str,
)  # fmt: skip
def test_out_of_bounds_in_an_index_that_selects_nothing(index):
    host = onp.arange(24.0).reshape(2, 3, 4)
    ours = np.array(host)
    try:
        expected = host[index]
    except IndexError:
        with pytest.raises(IndexError, match="out of bounds"):
            ours[index]
        with pytest.raises(IndexError, match="out of bounds"):
            ours[index] = 0
    else:
        h.assert_same(ours[index], expected)
        ours[index] = 0
        h.assert_same(ours, host)


@pytest.mark.parametrize("value", [slice(1), [slice(1)], "x", object()], ids=str)
def test_values_that_are_no_numbers(value):
    ours = np.zeros(3)
    for use in (lambda: ours.__setitem__(0, value), lambda: ours.fill(value)):
        with pytest.raises((TypeError, ValueError)):
            use()
    h.assert_same(ours, onp.zeros(3))
