# SPDX-License-Identifier: Apache-2.0
"""Shapes and joins: values, and a view exactly where NumPy makes a view."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
from helpers import both, shares, spec, view_facts
from isthmus import np

A = spec(onp.arange(24).reshape(2, 3, 4))


def view(fn):
    """Make fn(lib, a) return its result together with how it views its argument."""
    return lambda lib, a, *rest: view_facts(fn(lib, a, *rest), a)


# --- reshape ------------------------------------------------------------------------------------


@given(data=st.data())
def test_reshape_is_a_view_exactly_where_numpy_makes_one(data):
    a = data.draw(h.arrays(shape=h.shapes(min_side=1)))
    factors = [n for n in (2, 3, 4, 6, 8, 12) if a.size % n == 0]
    first = data.draw(st.sampled_from([1, a.size, *factors]))
    shape = data.draw(st.permutations([first, a.size // first, 1]))
    both(view(lambda lib, a: a.reshape(tuple(shape))), a)
    both(view(lambda lib, a: lib.reshape(a, (first, -1))), a)


@pytest.mark.parametrize("shape", [
    24, (24,), [4, 6], (4, -1), (-1, 4), -1, (2, 12), (2, -1, 3, 1), (5, 5), (-1, -1), (-2, 12),
    (0, -1), (), (7, -1), (2.0, 12), "x", (2**40, 2**40), (-1, 0), (2**62, 4), (1,) * 64,
    (24,) + (1,) * 64, onp.int64(24), (onp.int8(4), 6), (True, 24), [[4, 6]], (2**70, 1),
], ids=str)  # fmt: skip
def test_reshape_to_every_form_of_shape(shape):
    both(lambda lib, a: lib.reshape(a, shape), A)
    both(lambda lib, a: a.reshape(shape), A)


def test_reshape_method_takes_sides_as_arguments():
    both(lambda lib, a: a.reshape(4, 6), A)
    both(lambda lib, a: a.reshape(-1, 2, order="F"), A)
    both(lambda lib, a: a.reshape(), A)
    both(lambda lib, a: a.reshape(4, (6,)), A)
    both(lambda lib, a: a.reshape(4, 6, shape=(4, 6)), A)
    both(lambda lib, a: lib.reshape(a, shape=(4, 6)), A)
    both(lambda lib, a: lib.reshape(a), A)


@pytest.mark.parametrize("order", ["C", "F", "A", "K", "Z", None, 1], ids=repr)
def test_order_of_reshape_and_ravel(order):
    for a in (A, h.ArraySpec(A.memory, (("transpose", (2, 0, 1)),))):
        both(view(lambda lib, a: lib.reshape(a, (6, 4), order=order)), a)
        both(view(lambda lib, a: lib.ravel(a, order)), a)
        both(lambda lib, a: a.flatten(order), a)
        both(lambda lib, a: a.copy(order), a)


@pytest.mark.parametrize("copy", [True, False, None])
def test_copy_argument_of_reshape(copy):
    both(view(lambda lib, a: lib.reshape(a, (4, 6), copy=copy)), A)
    turned = h.ArraySpec(A.memory, (("transpose", (2, 1, 0)),))
    both(view(lambda lib, a: lib.reshape(a, (4, 6), copy=copy)), turned)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0, -1), (-1,), (-1, 0), (2, 0, 5), (0, 0)])
def test_reshape_of_an_empty_array(shape):
    both(lambda lib, a: a.reshape(shape), spec(onp.zeros((0, 4))))


@given(a=h.arrays())
def test_ravel_shares_and_flatten_copies_as_in_numpy(a):
    both(view(lambda lib, a: a.ravel()), a)
    both(view(lambda lib, a: lib.ravel(a)), a)
    both(lambda lib, a: (a.flatten(), shares(a.flatten(), a)), a)


# --- order of the axes --------------------------------------------------------------------------


@given(data=st.data())
def test_transpose_by_any_permutation_is_a_view(data):
    a = data.draw(h.arrays())
    axes = tuple(data.draw(st.permutations(range(a.ndim))))
    both(view(lambda lib, a: lib.transpose(a, axes)), a)
    both(view(lambda lib, a: a.transpose(*axes)), a)
    both(view(lambda lib, a: a.T), a)
    both(view(lambda lib, a: lib.transpose(a)), a)


@pytest.mark.parametrize("axes", [
    (2, 0, 1), [1, 0, 2], (-1, 0, 1), (0, 1), (0, 0, 1), (0, 1, 3), (0, 1, -4), None, (0, 1, 2, 3),
    0, "x", (0, 1, 1.0), (), (0, 1, 2**70),
], ids=str)  # fmt: skip
def test_transpose_with_every_form_of_axes(axes):
    both(lambda lib, a: lib.transpose(a, axes), A)
    both(lambda lib, a: a.transpose(axes), A)


@pytest.mark.parametrize("pair", [(0, 1), (0, -1), (2, 2), (3, 0), (0, -4), (0, "x"), (0.0, 1)])
@pytest.mark.parametrize("name", ["swapaxes", "moveaxis", "rollaxis"])
def test_two_axes_in_every_form(name, pair):
    both(view(lambda lib, a: getattr(lib, name)(a, *pair)), A)


@pytest.mark.parametrize("pair", [((0, 1), (-1, 0)), ([0, 2], [2, 1]), ((0, 0), (1, 2)),
                                  ((0,), (1, 2)), ((), ()), ((0, 1, 2), (2, 1, 0)), (0, (1,))],
                         ids=str)  # fmt: skip
def test_moveaxis_of_several_axes(pair):
    both(view(lambda lib, a: lib.moveaxis(a, *pair)), A)


def test_matrix_transpose_needs_two_dimensions():
    both(view(lambda lib, a: a.mT), A)
    both(lambda lib, a: a.mT, spec([1, 2]))
    both(view(lambda lib, a: lib.matrix_transpose(a)), A)


# --- number of dimensions -----------------------------------------------------------------------


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (0, -1), 1, (1,), (0, 0), 5, (0, 5), (), "x",
                                  1.0], ids=repr)  # fmt: skip
def test_squeeze(axis):
    a = spec(onp.arange(3).reshape(1, 3, 1))
    both(view(lambda lib, a: lib.squeeze(a, axis)), a)
    both(view(lambda lib, a: a.squeeze(axis=axis)), a)


@pytest.mark.parametrize("axis", [0, -1, 3, 4, -4, -5, (0, 1), (0, -1), (0, 0), (0, 9), (), "x",
                                  None, 1.0, [0, 2]], ids=repr)  # fmt: skip
def test_expand_dims(axis):
    both(view(lambda lib, a: lib.expand_dims(a, axis)), A)


@pytest.mark.parametrize("name", ["atleast_1d", "atleast_2d", "atleast_3d"])
@given(a=h.arrays(), b=h.arrays())
def test_atleast_views_or_returns_the_array_itself(name, a, b):
    both(view(lambda lib, a: getattr(lib, name)(a)), a)
    both(lambda lib, a: getattr(lib, name)(a) is a, a)
    both(lambda lib, a, b: getattr(lib, name)(a, b), a, b)
    both(lambda lib, a: getattr(lib, name)(a, 1, [2, 3]), a)


# --- reversing and rolling ----------------------------------------------------------------------


@given(data=st.data())
def test_flip_of_any_axes_is_a_view(data):
    a = data.draw(h.arrays())
    both(view(lambda lib, a, axis: lib.flip(a, axis)), a, data.draw(h.axes_of(a.ndim)))


@pytest.mark.parametrize("axis", [3, -4, (0, 0), (0, 7), "x", 1.0, (), None], ids=repr)
def test_axis_of_flip_in_every_form(axis):
    both(lambda lib, a: lib.flip(a, axis), A)


@pytest.mark.parametrize("args", [(1,), (-1, 0), (30,), (2, (0, 1)), ((1, 2), (0, 2)), ((1, 2), 1),
                                  ((1, 2, 3), (0, 1)), (1, 5), ("x",), (1.5,), (0,), (1, (0, 0)),
                                  (2**40,), (2**70,)], ids=repr)  # fmt: skip
def test_roll(args):
    both(lambda lib, a: (lib.roll(a, *args), shares(lib.roll(a, *args), a)), A)


@pytest.mark.parametrize("k", [0, 1, 2, 3, 4, -1, 9])
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (0, 2), (-1, 0), (0, 0), (0, 5), (0,), (0, -3)])
def test_rot90(k, axes):
    both(view(lambda lib, a: lib.rot90(a, k, axes)), A)


# --- broadcasting -------------------------------------------------------------------------------


@given(data=st.data())
def test_broadcast_to_is_a_read_only_view_with_zero_strides(data):
    full = data.draw(h.shapes())
    a = data.draw(h.arrays(shape=data.draw(h.broadcasts_to(full))))
    both(view(lambda lib, a: lib.broadcast_to(a, full)), a)


@pytest.mark.parametrize("shape", [(3,), (2, 3), (3, 1), (2,), (), 3, (0, 3), (-1, 3), (2**40, 3),
                                   "x", (1.0, 3), (2**70,), None], ids=str)  # fmt: skip
def test_broadcast_to_every_form_of_shape(shape):
    both(lambda lib, a: lib.broadcast_to(a, shape).shape, spec([1, 2, 3]))


def test_broadcast_views_cannot_be_written():
    b = np.broadcast_to(np.arange(3), (2, 3))
    with pytest.raises(ValueError, match="read-only"):
        b[0, 0] = 1
    both(lambda lib, a: lib.broadcast_to(a, (2, 3)).copy().flags.writeable, spec([1, 2, 3]))


def test_broadcast_arrays_and_shapes():
    both(lambda lib, a, b: lib.broadcast_arrays(a, b), spec([[1], [2]]), spec([1, 2, 3]))
    both(lambda lib, a, b: lib.broadcast_arrays(a, b), spec([1, 2]), spec([1, 2, 3]))
    both(lambda lib: lib.broadcast_shapes((2, 1), (1, 3), 3))
    both(lambda lib: lib.broadcast_shapes((2, 1), (3, 3)))


# --- joining ------------------------------------------------------------------------------------


@given(data=st.data())
def test_concatenate_promotes_and_casts(data):
    parts = data.draw(st.lists(h.arrays(shape=(2, 3), kind="positive"), min_size=1, max_size=4))
    keywords = {}
    if data.draw(st.booleans()):
        keywords["dtype"] = data.draw(h.dtypes())
        keywords["casting"] = data.draw(st.sampled_from(("same_kind", "unsafe", "safe", "no")))
    both(lambda lib, parts: lib.concatenate(parts, axis=1, **keywords), parts)
    both(lambda lib, parts: lib.stack(parts, -1, **keywords), parts)


@pytest.mark.parametrize("axis", [0, 1, -1, -2, None, 2, -3, "x", 1.0, (0,)], ids=repr)
@pytest.mark.parametrize("name", ["concatenate", "stack"])
def test_axis_of_a_join(name, axis):
    both(lambda lib, a, b: getattr(lib, name)((a, b), axis=axis), spec(onp.ones((2, 3))),
         spec(onp.zeros((2, 3))))  # fmt: skip


@pytest.mark.parametrize("name", ["concatenate", "stack", "vstack", "hstack", "dstack",
                                  "column_stack", "block", "concat"])  # fmt: skip
@pytest.mark.parametrize("shapes", [[], [(2,)], [(2,), (3,)], [(2, 3), (2, 2)], [(2, 3), (3,)],
                                    [(), ()], [(), (2,)], [(2, 3), (3, 3), (1, 3)],
                                    [(0,), (2,)], [(2, 1, 2), (2, 2, 2)]], ids=str)  # fmt: skip
def test_join_of_shapes_that_fit_or_not(name, shapes):
    parts = [spec(onp.full(shape, i + 0.5)) for i, shape in enumerate(shapes)]
    both(lambda lib, parts: getattr(lib, name)(parts), parts)


@pytest.mark.parametrize("parts", [None, 3, "x", [1, 2], ([1, 2], [3]), [[1, 2], [3, 4.5]], [["x"]],
                                   [[True], [2]], [None]], ids=repr)  # fmt: skip
def test_join_of_python_values(parts):
    if parts in ([["x"]], [None], "x"):
        with pytest.raises((TypeError, ValueError)):
            np.concatenate(parts)
        return
    both(lambda lib: lib.concatenate(parts))
    both(lambda lib: lib.stack(parts))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "complex64"])
@pytest.mark.parametrize("shape", [(2, 4), (2, 3), (4, 2), (8,)], ids=str)
def test_out_of_a_join(shape, dtype):
    a, out = spec(onp.ones((2, 2))), spec(onp.zeros(shape, dtype))
    both(lambda lib, a, out: lib.concatenate((a, a), axis=1, out=out) is out, a, out, loose=True)
    both(lambda lib, a, out: lib.concatenate((a, a), 1, out, dtype="f8"), a, out)


def test_join_of_an_array_with_itself_and_its_views():
    both(lambda lib, a: lib.concatenate([a, a[::-1], a.T.reshape(a.shape)]), A)
    both(lambda lib, a: lib.concatenate((a[:1], a), out=lib.zeros((3, 3, 4), int)), A)


def test_append_insert_delete():
    a, m = spec([1, 2, 3]), spec([[1, 2], [3, 4]])
    both(lambda lib, a: lib.append(a, 4.5), a)
    both(lambda lib, m: lib.append(m, [[5, 6]], axis=0), m)
    both(lambda lib, m: lib.append(m, [5, 6], axis=0), m)
    for where in (0, -1, 3, 4, [0, 2], slice(0, 2), [True, False, True], "x", 1.5):
        both(lambda lib, a, w: lib.insert(a, w, 9), a, where)
        both(lambda lib, a, w: lib.delete(a, w), a, where)
    both(lambda lib, m: lib.insert(m, 1, [7, 8], axis=1), m)
    both(lambda lib, m: lib.delete(m, 0, axis=1), m)
    both(lambda lib, m: lib.delete(m, 0, axis=2), m)


# --- splitting ----------------------------------------------------------------------------------


@given(data=st.data())
def test_parts_of_a_split_are_views(data):
    a = data.draw(h.arrays(shape=h.shapes(min_dims=1, max_dims=3)))
    axis = data.draw(h.axis_of(a.ndim))
    where = data.draw(st.integers(1, 5) | st.lists(st.integers(-5, 6), max_size=3))
    both(lambda lib, a: [view_facts(part, a) for part in lib.array_split(a, where, axis)], a)
    both(lambda lib, a: [view_facts(part, a) for part in lib.split(a, where, axis)], a)


@pytest.mark.parametrize("where", [1, 2, 3, 0, -1, 4, [1], [], (1, 2), [2, 1], [0, 9], 1.5, "x",
                                   None, [1.5], 2**70], ids=repr)  # fmt: skip
@pytest.mark.parametrize("name", ["split", "array_split", "hsplit", "vsplit", "dsplit"])
def test_split_in_every_form(name, where):
    both(lambda lib, a: getattr(lib, name)(a, where), spec(onp.arange(24).reshape(2, 2, 6)))
    both(lambda lib, a: getattr(lib, name)(a, where), spec([1, 2, 3, 4, 5, 6]))


@pytest.mark.parametrize("name", ["split", "array_split", "hsplit", "vsplit", "dsplit", "unstack"])
def test_split_of_too_few_dimensions_raises(name):
    extra = () if name == "unstack" else (2,)
    both(lambda lib, a: getattr(lib, name)(a, *extra), spec(1.5))
    both(lambda lib, a: getattr(lib, name)(a, *extra), spec([1, 2]))


# --- repetition ---------------------------------------------------------------------------------


@pytest.mark.parametrize("reps", [0, 1, 3, (2,), (2, 1), (1, 1, 2), (), [2, 2], -1, 1.5, "x",
                                  (2, -1)], ids=repr)  # fmt: skip
def test_tile(reps):
    for a in (A, spec(2.5), spec([1, 2]), spec(onp.zeros((0, 2)))):
        both(lambda lib, a: lib.tile(a, reps), a)


@pytest.mark.parametrize("counts", [0, 2, [1, 0, 2], [2], [1, 2], -1, [1, -1, 0], 1.5, "x",
                                    [[1, 2, 0]], True, onp.array([1, 0, 2])], ids=repr)  # fmt: skip
@pytest.mark.parametrize("axis", [None, 1, -2, 3])
def test_repeat(counts, axis):
    both(lambda lib, a: lib.repeat(a, counts, axis), A)
    both(lambda lib, a: a.repeat(counts, axis=axis), A)
    both(lambda lib, a: lib.repeat(a, counts), spec([1.5, 2, 3]))


@pytest.mark.parametrize("mode", ["constant", "edge", "reflect", "symmetric", "wrap", "empty",
                                  "linear_ramp", "mean", "median", "nonsense"])  # fmt: skip
def test_pad_in_each_mode(mode):
    a = spec(onp.arange(12).reshape(3, 4))
    both(lambda lib, a: lib.pad(a, ((1, 2), (0, 1)), mode)[1:4, :4], a)
    both(lambda lib, a: lib.pad(a, 5, mode=mode)[5:8, 5:9], a)


@pytest.mark.parametrize("width", [
    2, True, (1, 2), (1,), (), [(1, 2)], [(1,), (2,)], [[1, 2], [0, 3]], [[1, 2], [3]], [1, (2, 3)],
    [[[1, 2], [0, 3]]], {0: (1, 2)}, {-1: 3}, {0: 1, 1: (0, 2)}, {5: 1}, {}, "x", None, 1.5,
    (2**70, 1), (-1, 0), onp.array([1, 2]), onp.array(2), onp.float64(2), onp.int8(2),
    (onp.int8(2), 1)], ids=repr)  # fmt: skip
def test_pad_width_in_every_form(width):
    both(lambda lib, a: lib.pad(a, width), spec([[1, 2], [3, 4]]))
    both(lambda lib, a: lib.pad(a, width, "edge"), spec([[1, 2], [3, 4]]))


def test_pad_with_values_or_negative_width():
    both(lambda lib, a: lib.pad(a, 1, constant_values=7), A)
    both(lambda lib, a: lib.pad(a, -1), A)
    both(lambda lib, a: lib.pad(a, 1.5), A)
    both(lambda lib, a: lib.pad(a, [(1, 2)] * 2), A)


def test_resize_function_and_method():
    both(lambda lib, a: lib.resize(a, (3, 5)), spec([1, 2, 3]))
    both(lambda lib, a: lib.resize(a, 0), spec([1, 2, 3]))
    both(lambda lib, a: lib.resize(a, (-1,)), spec([1, 2, 3]))


# --- triangles and diagonals --------------------------------------------------------------------


@pytest.mark.parametrize("k", [0, 1, -1, 5, -5])
def test_triangles_and_diagonals(k):
    for a in (spec(onp.arange(12).reshape(3, 4)), A):
        both(lambda lib, a: lib.tril(a, k), a)
        both(lambda lib, a: lib.triu(a, k), a)
        both(view(lambda lib, a: lib.diagonal(a, k)), a)
        both(view(lambda lib, a: a.diagonal(k, -1, 0)), a)
        both(lambda lib, a: a.trace(k), a)
    both(lambda lib, a: lib.diag(a, k), spec([1, 2, 3]))
    both(view(lambda lib, a: lib.diag(a, k)), spec(onp.arange(12).reshape(3, 4)))
    both(lambda lib, a: lib.diagflat(a, k), A)
    both(lambda lib, a: lib.diag(a, k), A)
    both(lambda lib, a: lib.diag(a, k), spec(3))


def test_fill_diagonal_and_copyto_write_in_place():
    both(lambda lib, a: lib.fill_diagonal(a, 7), spec(onp.zeros((3, 4))))
    both(lambda lib, a: lib.fill_diagonal(a, [1, 2], wrap=True), spec(onp.zeros((5, 2))))
    both(lambda lib, a: lib.fill_diagonal(a, 7), spec(onp.zeros(3)))
    both(lambda lib, a, b: lib.copyto(a, b), spec(onp.zeros((2, 3))), spec([1, 2, 3]))
    both(lambda lib, a, b: lib.copyto(a, b), spec(onp.zeros((2, 3), int)), spec([1.5, 2, 3]))
    both(lambda lib, a: lib.copyto(a, 5, where=a > 1), spec([1.0, 2, 3]))
    both(lambda lib, a: lib.copyto(a[1:], a[:-1]), spec([1.0, 2, 3]))


def test_writing_through_a_chain_of_views_reaches_the_base():
    def call(lib, a):
        part = lib.swapaxes(a.reshape(6, 4).T[::-1], 0, 1)[1:, :2]
        part[...] = -1
        lib.split(part, [2])[1][0, 0] = -2
        return part

    both(call, A)
    both(call, h.ArraySpec(A.memory, (), shared=True))
