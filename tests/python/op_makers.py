# SPDX-License-Identifier: Apache-2.0
"""Strategies that make the arguments of an operator, for the rows of op_cases.py."""

from dataclasses import dataclass, field

from hypothesis import strategies as st

import helpers as h


@dataclass
class Call:
    """Arguments of one call; an ArraySpec anywhere inside becomes an array."""

    args: tuple
    kwargs: dict = field(default_factory=dict)


@st.composite
def made(draw, function):
    """Draw Call(*function(draw)); a dict in the last place holds the keywords."""
    args = function(draw)
    args = args if isinstance(args, tuple) else (args,)
    if args and isinstance(args[-1], dict):
        return Call(args[:-1], args[-1])
    return Call(args)


def given_args(*args, **kwargs):
    """Arguments each drawn from its own strategy, or constant."""

    def draw_all(draw):
        def one(value):
            return draw(value) if isinstance(value, st.SearchStrategy) else value

        return (*map(one, args), {name: one(value) for name, value in kwargs.items()})

    return made(draw_all)


def optional(draw, **kwargs):
    """Draw a subset of keywords, so that the defaults are met too."""
    taken = {name: value for name, value in kwargs.items() if draw(st.booleans())}
    return {
        name: draw(value) if isinstance(value, st.SearchStrategy) else value
        for name, value in taken.items()
    }


# --- element-wise -------------------------------------------------------------------------------


def elementwise(*names, kind="wild"):
    """One broadcastable array for each group of dtypes in names."""

    def function(draw):
        shapes = draw(h.broadcastable(len(names)))
        return tuple(
            draw(h.arrays(group, shape=shape, kind=kind))
            for group, shape in zip(names, shapes, strict=True)
        )

    return made(function)


def same_dtype(names, count=2, kind="small", **kwargs):
    """Arrays of one dtype and of broadcastable shapes."""

    def function(draw):
        dtype = draw(h.dtypes(names))
        shapes = draw(h.broadcastable(count))
        found = tuple(draw(h.arrays((dtype,), shape=shape, kind=kind)) for shape in shapes)
        return (*found, dict(kwargs))

    return made(function)


def one(names=h.ALL, *, kind="wild", shape=None, **kwargs):
    """One array and optional keywords."""

    def function(draw):
        return draw(h.arrays(names, kind=kind, shape=shape)), optional(draw, **kwargs)

    return made(function)


# --- along axes ---------------------------------------------------------------------------------


def reduction(names=h.ALL, *, kind="small", axes="many", min_dims=0, keepdims=True, **kwargs):
    """An array, the axis in each of its forms, keepdims, and optional keywords."""

    def function(draw):
        array = draw(h.arrays(names, kind=kind, shape=h.shapes(min_dims=min_dims)))
        found = {}
        if axes == "many":
            found["axis"] = draw(h.axes_of(array.ndim))
        elif array.ndim:
            found["axis"] = draw(st.none() | h.axis_of(array.ndim))
        if keepdims and draw(st.booleans()):
            found["keepdims"] = draw(st.booleans())
        return array, found | optional(draw, **kwargs)

    return made(function)


def along(
    names=h.ALL, *, kind="small", min_dims=1, min_side=0, extra=(), layouts=h.LAYOUTS,
    always=None, **kwargs,
):  # fmt: skip
    """An array and one axis by keyword, with constant or drawn arguments between."""

    def function(draw):
        shape = h.shapes(min_dims=min_dims, min_side=min_side, max_dims=3)
        array = draw(h.arrays(names, kind=kind, shape=shape, layouts=layouts))
        middle = tuple(draw(e) if isinstance(e, st.SearchStrategy) else e for e in extra)
        axis = {"axis": draw(h.axis_of(array.ndim))} if draw(st.booleans()) else {}
        return (array, *middle, axis | optional(draw, **kwargs) | (always or {}))

    return made(function)


def joined(names=h.ALL, *, min_dims=1, axis=True, **kwargs):
    """A list of arrays which agree but along one axis, with mixed dtypes."""

    def function(draw):
        shape = draw(h.shapes(min_dims=min_dims, max_dims=3))
        where = draw(h.axis_of(len(shape))) if axis else 0
        arrays = []
        for _ in range(draw(st.integers(1, 3))):
            part = list(shape)
            part[where] = draw(st.integers(0, 3))
            arrays.append(draw(h.arrays(names, shape=tuple(part))))
        found = {"axis": where} if axis else {}
        return (tuple(arrays) if draw(st.booleans()) else arrays), found | optional(draw, **kwargs)

    return made(function)


def stacked(names=h.ALL, *, axis=False, **kwargs):
    """A list of arrays of one shape."""

    def function(draw):
        shape = draw(h.shapes(max_dims=3))
        arrays = [draw(h.arrays(names, shape=shape)) for _ in range(draw(st.integers(1, 3)))]
        found = {"axis": draw(h.axis_of(len(shape) + 1))} if axis else {}
        return arrays, found | optional(draw, **kwargs)

    return made(function)


def divided(min_dims, axis=None, equal=True):
    """An array and the sections to split it in."""

    def function(draw):
        shape = draw(h.shapes(min_dims=min_dims, max_dims=3))
        array = draw(h.arrays(shape=shape))
        found = {} if axis is not None else {"axis": draw(h.axis_of(len(shape)))}
        length = shape[found.get("axis", axis if len(shape) > 1 else 0)]
        if draw(st.booleans()):
            return array, draw(st.lists(st.integers(-2, 5), max_size=3)), found
        divisors = [n for n in range(1, 5) if not equal or length % n == 0]
        return array, draw(st.sampled_from(divisors)), found

    return made(function)


# --- linear algebra -----------------------------------------------------------------------------


@st.composite
def matrices(draw, names=h.LAPACK, *, square=True, stack=True, kind="unit", form="plain"):
    """Draw a matrix or a stack of them that is well-conditioned when square."""
    rows = draw(st.integers(1, 4))
    columns = rows if square else draw(st.integers(1, 4))
    lead = draw(h.shapes(max_dims=1, max_side=2)) if stack else ()
    found = draw(h.arrays(names, shape=(*lead, rows, columns), kind=kind, layouts=("plain",)))
    memory = found.memory
    if square:
        eye = (4 * h.onp.eye(rows)).astype(memory.dtype)
        if form != "plain":
            memory = (memory + memory.swapaxes(-1, -2).conj()) / 2
        memory = (memory + eye).astype(memory.dtype)
    spec = h.ArraySpec(memory, (), found.shared)
    if draw(st.booleans()):  # as a transposed view
        axes = (*range(len(lead)), len(lead) + 1, len(lead))
        turned = h.onp.ascontiguousarray(memory.transpose(axes))
        spec = h.ArraySpec(turned, (("transpose", axes),), found.shared)
    return spec


def one_matrix(names=h.LAPACK, *, square=True, form="plain", stack=True, **kwargs):
    def function(draw):
        found = draw(matrices(names, square=square, form=form, stack=stack))
        return found, optional(draw, **kwargs)

    return made(function)


def product(names=h.ALL):
    """Operands of matmul: vectors, matrices and stacks, of any layout."""

    def function(draw):
        n, k, m = (draw(st.integers(0, 4)) for _ in range(3))
        lead = draw(h.broadcastable(2, max_dims=2))
        form = draw(st.sampled_from(("vv", "vm", "mv", "mm", "ss", "sm")))
        first = {"v": (k,), "m": (n, k), "s": (*lead[0], n, k)}[form[0]]
        second = {"v": (k,), "m": (k, m), "s": (*lead[1], k, m)}[form[1]]
        return (
            draw(h.arrays(names, shape=first, kind="small")),
            draw(h.arrays(names, shape=second, kind="small")),
        )

    return made(function)


def core_product(left, right, names=h.ALL, **kwargs):
    """Operands of a generalised ufunc with core dimensions named by letters."""

    def function(draw):
        sizes = {name: draw(st.integers(0, 4)) for name in sorted(set(left + right))}
        lead = draw(h.broadcastable(2, max_dims=2))
        return tuple(
            draw(h.arrays(names, shape=(*outer, *(sizes[c] for c in core)), kind="small"))
            for outer, core in zip(lead, (left, right), strict=True)
        ) + (optional(draw, **kwargs),)

    return made(function)


def vectors(names=h.ALL, count=2, min_side=1, equal=True, kind="small"):
    def function(draw):
        size = draw(st.integers(min_side, 6))
        sizes = [size if equal else draw(st.integers(min_side, 6)) for _ in range(count)]
        return tuple(draw(h.arrays(names, shape=(n,), kind=kind)) for n in sizes)

    return made(function)


# --- indices ------------------------------------------------------------------------------------


@st.composite
def index_arrays(draw, length, shape=None, negative=True, names=("int64", "int32", "uint8")):
    """Draw an array of valid indices of a dimension."""
    shape = draw(h.shapes(max_dims=2)) if shape is None else shape
    if length == 0:
        shape = (0,)
    dtype = draw(h.dtypes(names))
    low = -length if negative and dtype[0] != "u" else 0
    rng = h.onp.random.default_rng(draw(st.integers(0, 2**16)))
    values = rng.integers(low, max(length, low + 1), shape).astype(dtype)
    return h.ArraySpec(values, (), draw(st.booleans()))
