# SPDX-License-Identifier: Apache-2.0
"""The table of operators: how to call each public operator, on what, and how exact it must be.

Each operator of the registry has one row here; test_op_cases.py runs each row against NumPy and
fails for an operator without one. `ulps` is the tolerance in units in the last place of the
largest value of the result; 0 means equal.
"""

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import strategies as st

import helpers as h
import op_makers as m
from helpers import ALL, COMPLEX, FLOATS, INEXACT, INTEGERS, NUMERIC, REAL
from op_makers import made


@dataclass(frozen=True)
class Case:
    """One operator: its dotted name in np, a strategy of its Call, and its tolerance."""

    name: str
    arguments: st.SearchStrategy
    ulps: int = 0
    defined: Callable | None = None  # (lib, result, axis) -> the part NumPy defines, or all


def rows(names, arguments, ulps=0):
    return [Case(name, arguments, ulps) for name in names.split()]


def _type_and_shape(lib, result, axis):
    return result.dtype, result.shape


def _first(lib, result, axis):
    return lib.take(result, 0, axis=axis)


def _sorted(lib, result, axis):
    return lib.sort(result)


def pick(*values):
    return st.sampled_from(values)


SMALL_INT = h.SIGNED
REAL_OR_INT = INTEGERS + FLOATS
BITS = ("bool",) + INTEGERS

UFUNCS = [
    *rows("add subtract", m.elementwise(NUMERIC, ALL)),
    *rows("multiply", m.elementwise(NUMERIC, ALL), ulps=2),  # complex, with or without FMA
    *rows("divide true_divide", m.elementwise(ALL, ALL), ulps=4),
    *rows("floor_divide remainder mod fmod divmod", m.elementwise(REAL_OR_INT, REAL_OR_INT)),
    *rows("power pow", m.elementwise(INEXACT, ALL, kind="small"), ulps=8),
    *rows("float_power", m.elementwise(ALL, ALL, kind="small"), ulps=8),
    *rows("maximum minimum fmax fmin", m.elementwise(ALL, ALL)),
    *rows("equal not_equal less less_equal greater greater_equal", m.elementwise(ALL, ALL)),
    *rows("logical_and logical_or logical_xor", m.elementwise(ALL, ALL)),
    *rows("bitwise_and bitwise_or bitwise_xor", m.elementwise(BITS, BITS[:5])),
    *rows("left_shift right_shift bitwise_left_shift bitwise_right_shift",
          m.elementwise(SMALL_INT, SMALL_INT)),
    *rows("gcd lcm", m.elementwise(INTEGERS, INTEGERS[:5], kind="small")),
    *rows("arctan2 atan2 hypot logaddexp logaddexp2", m.elementwise(REAL, REAL), ulps=4),
    *rows("copysign nextafter heaviside", m.elementwise(REAL, REAL)),
    *rows("ldexp", m.elementwise(FLOATS, ("int8", "int32", "int64"), kind="small")),
    *rows("negative positive", m.elementwise(NUMERIC)),
    *rows("absolute abs square conjugate conj isfinite isinf isnan logical_not",
          m.elementwise(ALL), ulps=2),
    *rows("sign", m.elementwise(REAL_OR_INT + COMPLEX), ulps=2),
    *rows("fabs signbit spacing", m.elementwise(FLOATS)),
    *rows("reciprocal", m.elementwise(INEXACT), ulps=4),
    *rows("ceil floor trunc", m.elementwise(REAL)),
    *rows("rint", m.elementwise(ALL)),
    *rows("frexp modf", m.elementwise(REAL)),
    *rows("invert bitwise_not bitwise_invert", m.elementwise(BITS)),
    *rows("bitwise_count", m.elementwise(INTEGERS)),
    *rows("sqrt exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan asin acos "
          "atan sinh cosh tanh arcsinh arccosh arctanh asinh acosh atanh",
          m.elementwise(ALL, kind="unit"), ulps=8),
    *rows("cbrt degrees radians rad2deg deg2rad", m.elementwise(REAL), ulps=4),
]  # fmt: skip

DTYPE = pick("float32", "float64", "complex128", None)

REDUCTIONS = [
    *rows("sum prod", m.reduction(dtype=DTYPE, initial=pick(0, 2)), ulps=8),
    *rows("max min amax amin", m.reduction(initial=pick(0, 1))),
    *rows("any all", m.reduction(kind="wild")),
    *rows("mean", m.reduction(dtype=DTYPE), ulps=8),
    *rows("std var", m.reduction(ddof=pick(0, 1)), ulps=32),
    *rows("argmax argmin", m.reduction(min_dims=1, axes="one")),
    *rows("cumsum cumprod", m.along(dtype=DTYPE), ulps=8),
    *rows("cumulative_sum cumulative_prod",
          made(lambda draw: (draw(h.arrays(shape=h.shapes(1, 1), kind="small")),
                             m.optional(draw, include_initial=True))), ulps=8),
    *rows("count_nonzero", m.reduction(kind="wild")),
    *rows("ptp", m.reduction(NUMERIC, min_dims=1)),
    *rows("median", m.reduction(REAL_OR_INT, axes="one"), ulps=8),
    *rows("nansum nanprod", m.reduction(kind="small"), ulps=8),
    *rows("nanmax nanmin", m.reduction(kind="wild")),
    *rows("nanmean", m.reduction(), ulps=8),
    *rows("nanstd nanvar", m.reduction(), ulps=32),
    *rows("nanmedian", m.reduction(REAL_OR_INT, axes="one"), ulps=8),
    *rows("nanargmax nanargmin", m.reduction(FLOATS, kind="wild", min_dims=1, axes="one")),
    *rows("nancumsum nancumprod", m.along(), ulps=8),
    *rows("percentile nanpercentile",
          m.along(INTEGERS + FLOATS[1:], extra=(pick(0, 30, 50.0, [25, 75]),),
                  method=pick("lower", "nearest", "hazen")), ulps=16),
    *rows("quantile nanquantile",
          m.along(INTEGERS + FLOATS[1:], extra=(pick(0, 0.3, 1, [0.25, 0.5]),),
                  method=pick("higher", "midpoint", "weibull")), ulps=16),
    *rows("average", m.along(NUMERIC, min_side=1), ulps=16),
    *rows("diff", m.along(extra=(st.integers(0, 3),))),
    *rows("ediff1d", m.one(NUMERIC, kind="small")),
    *rows("trapezoid", m.along(NUMERIC, dx=pick(0.5, 2)), ulps=16),
    *rows("gradient", made(lambda draw: draw(h.arrays(
        FLOATS, kind="small", shape=h.shapes(min_dims=1, min_side=2)))), ulps=8),
    *rows("cov corrcoef", made(lambda draw: draw(h.arrays(
        FLOATS[1:], kind="unit", shape=h.shapes(2, 2, min_side=3)))), ulps=128),
]  # fmt: skip

SIDE = st.integers(0, 4)
SHAPE = h.shapes(max_dims=3)
TYPE = h.dtypes()


def _like(*extra):
    return made(lambda draw: (draw(h.arrays()), *extra,
                              m.optional(draw, dtype=TYPE, shape=SHAPE)))  # fmt: skip


CREATION = [
    *rows("zeros ones", m.given_args(SHAPE, dtype=TYPE)),
    Case("empty", m.given_args(SHAPE, dtype=TYPE), defined=_type_and_shape),
    *rows("full", m.given_args(SHAPE, pick(0, 1, True), dtype=TYPE)),
    *rows("zeros_like ones_like", _like()),
    Case("empty_like", _like(), defined=_type_and_shape),
    *rows("full_like", _like(3)),
    *rows("array asarray asanyarray ascontiguousarray asfortranarray", m.one()),
    *rows("copy", m.one(order=pick("C", "F", "K"))),
    *rows("arange", m.given_args(st.integers(-5, 5), st.integers(-5, 9), pick(1, 2, -1, 0.5))),
    *rows("linspace", m.given_args(st.integers(-5, 5), st.integers(-5, 9), SIDE,
                                   endpoint=st.booleans(), dtype=pick(None, "int32", "float32")),
          ulps=2),
    *rows("logspace", m.given_args(pick(0, 1.5), pick(2, 3.0), SIDE), ulps=8),
    *rows("geomspace", m.given_args(pick(1, 2.5), pick(100, 8.0), SIDE), ulps=8),
    *rows("eye", m.given_args(SIDE, SIDE, st.integers(-3, 3), dtype=TYPE)),
    *rows("identity", m.given_args(SIDE, dtype=TYPE)),
    *rows("tri", m.given_args(SIDE, SIDE, st.integers(-3, 3), dtype=TYPE)),
    *rows("tril triu", made(lambda draw: (draw(h.arrays(shape=h.shapes(min_dims=1))),
                                          draw(st.integers(-3, 3))))),
    *rows("diag diagflat", made(lambda draw: (draw(h.arrays(shape=h.shapes(1, 2))),
                                              draw(st.integers(-3, 3))))),
    *rows("meshgrid", made(lambda draw: (*draw(m.vectors(equal=False)).args,
                                         m.optional(draw, indexing="ij", sparse=True)))),
    *rows("indices", m.given_args(SHAPE, dtype=pick("int64", "int16"))),
    *rows("tril_indices triu_indices", m.given_args(SIDE, st.integers(-2, 2))),
    *rows("diag_indices", m.given_args(SIDE, pick(2, 3))),
    *rows("diag_indices_from",
          made(lambda draw: draw(h.arrays(shape=draw(pick((2, 2), (3, 3, 3), (1, 1))))))),
    *rows("tril_indices_from triu_indices_from",
          made(lambda draw: draw(h.arrays(shape=h.shapes(2, 2))))),
    *rows("vander", made(lambda draw: (draw(h.arrays(REAL, shape=h.shapes(1, 1), kind="small")),
                                       draw(SIDE)))),
    *rows("hanning hamming blackman bartlett", m.given_args(st.integers(0, 6)), ulps=8),
    *rows("kaiser", m.given_args(st.integers(0, 6), pick(0, 4.0, 14)), ulps=32),
]  # fmt: skip


@st.composite
def _reshaped(draw):
    array = draw(h.arrays())
    size, shape = array.size, []
    for n in draw(st.permutations(range(2, 5))):
        if size and size % n == 0:
            shape.append(n)
            size //= n
    shape.append(draw(pick(size, -1)) if array.size else 0)
    return m.Call((array, tuple(shape)), m.optional(draw, order=pick("C", "F", "A")))


@st.composite
def _axes(draw, allow_none=True):
    array = draw(h.arrays())
    order = tuple(draw(st.permutations(range(array.ndim))))
    signed = tuple(a - array.ndim * draw(st.booleans()) for a in order)
    return m.Call((array, draw(pick(None, signed)) if allow_none else signed))


@st.composite
def _two_axes(draw, spread=False):
    array = draw(h.arrays(shape=h.shapes(min_dims=2)))
    first, second = draw(h.axis_of(array.ndim)), draw(h.axis_of(array.ndim))
    if spread:  # rot90 wants two different axes
        second = (first + 1) % array.ndim
        return m.Call((array, draw(st.integers(-5, 5)), (first % array.ndim, second)))
    return m.Call((array, first, second))


@st.composite
def _with_axes(draw, *extra):
    array = draw(h.arrays())
    return m.Call((array, *(draw(e) for e in extra), draw(h.axes_of(array.ndim))))


@st.composite
def _squeezed(draw):
    array = draw(h.arrays(shape=h.shapes(max_side=2)))
    ones = [i for i, n in enumerate(array.shape) if n == 1]
    axes = draw(pick(None, tuple(ones), *ones))
    return m.Call((array,), {} if axes is None else {"axis": axes})


@st.composite
def _expanded(draw):
    array = draw(h.arrays(shape=SHAPE))
    count = draw(st.integers(1, 3))
    axes = draw(st.lists(st.integers(0, array.ndim + count - 1), unique=True,
                         min_size=count, max_size=count))  # fmt: skip
    return m.Call((array, axes[0] if count == 1 else tuple(axes)))


@st.composite
def _stretched(draw):
    full = draw(h.shapes())
    return m.Call((draw(h.arrays(shape=draw(h.broadcasts_to(full)))), full))


@st.composite
def _repeated(draw):
    array = draw(h.arrays(shape=h.shapes(min_dims=1, max_dims=3)))
    axis = draw(st.none() | h.axis_of(array.ndim))
    length = array.size if axis is None else array.shape[axis]
    each = draw(st.lists(st.integers(0, 3), min_size=length, max_size=length))
    counts = draw(pick(0, 1, 3, [2], each))
    return m.Call((array, counts), {"axis": axis})


@st.composite
def _padded(draw):
    array = draw(h.arrays(kind="small", shape=h.shapes(min_dims=1, max_dims=3, min_side=1)))
    width = draw(pick(0, 2, (1, 2), [[0, 3]]))
    modes = ("constant", "edge", "reflect", "symmetric", "wrap", "maximum", "minimum")
    return m.Call((array, width), m.optional(draw, mode=pick(*modes)))


@st.composite
def _edited(draw, values=True):
    array = draw(h.arrays(kind="small", shape=h.shapes(min_dims=1, max_dims=2, min_side=1)))
    axis = draw(st.none() | h.axis_of(array.ndim))
    length = array.size if axis is None else array.shape[axis]
    index = st.integers(-length, length - 1)
    where = draw(st.one_of(index, st.lists(index, max_size=3), pick(slice(None, None, 2))))
    return m.Call((array, where, *([9] if values else [])), {"axis": axis})


MANIPULATION = [
    *rows("reshape", _reshaped()),
    *rows("ravel", m.one(order=pick("C", "F", "K", "A"))),
    *rows("transpose", _axes()),
    *rows("permute_dims", _axes()),
    *rows("swapaxes rollaxis", _two_axes()),
    *rows("moveaxis", _two_axes()),
    *rows("matrix_transpose linalg.matrix_transpose",
          made(lambda draw: draw(h.arrays(shape=h.shapes(min_dims=2))))),
    *rows("squeeze", _squeezed()),
    *rows("expand_dims", _expanded()),
    *rows("flip", _with_axes()),
    *rows("flipud", made(lambda draw: draw(h.arrays(shape=h.shapes(min_dims=1))))),
    *rows("fliplr", made(lambda draw: draw(h.arrays(shape=h.shapes(min_dims=2))))),
    *rows("roll", _with_axes(st.integers(-7, 7))),
    *rows("rot90", _two_axes(spread=True)),
    *rows("broadcast_to", _stretched()),
    *rows("broadcast_arrays", m.elementwise(ALL, ALL, ALL)),
    *rows("atleast_1d atleast_2d atleast_3d", m.one()),
    *rows("concatenate concat", m.joined()),
    *rows("stack", m.stacked(axis=True)),
    *rows("vstack dstack column_stack hstack row_stack", m.stacked()),
    *rows("block", made(lambda draw: list(draw(m.joined(min_dims=2)).args[0]))),
    *rows("unstack", m.along()),
    *rows("split", m.divided(1)),
    *rows("array_split", m.divided(1, equal=False)),
    *rows("vsplit", m.divided(2, axis=0)),
    *rows("hsplit", m.divided(1, axis=1)),
    *rows("dsplit", m.divided(3, axis=2)),
    *rows("tile", m.given_args(h.arrays(shape=SHAPE), pick(0, 2, (2, 1), (1, 2, 2), ()))),
    *rows("repeat", _repeated()),
    *rows("resize", m.given_args(h.arrays(shape=SHAPE), SHAPE)),
    *rows("pad", _padded()),
    *rows("insert", _edited()),
    *rows("delete", _edited(values=False)),
    *rows("append", m.given_args(h.arrays(shape=SHAPE), h.arrays(shape=SHAPE))),
    *rows("trim_zeros", made(lambda draw: draw(h.arrays(REAL, shape=h.shapes(1, 1))))),
    *rows("astype", made(lambda draw: (draw(h.arrays(REAL, kind="positive")), draw(TYPE)))),
    *rows("real imag", m.one(REAL + COMPLEX)),
    *rows("shape ndim size", m.one()),
]  # fmt: skip


@st.composite
def _taken(draw):
    array = draw(h.arrays(shape=h.shapes(min_dims=1, max_dims=3)))
    axis = draw(st.none() | h.axis_of(array.ndim))
    length = array.size if axis is None else array.shape[axis]
    mode = draw(pick("raise", "wrap", "clip")) if length else "raise"
    return m.Call((array, draw(m.index_arrays(length))), {"axis": axis, "mode": mode})


@st.composite
def _along_axis(draw, put=False):
    array = draw(h.arrays(shape=h.shapes(min_dims=1, max_dims=3, min_side=1), kind="small",
                          layouts=("plain", "transposed", "reversed")))  # fmt: skip
    axis = draw(h.axis_of(array.ndim))
    shape = list(array.shape)
    shape[axis] = draw(st.integers(1, 3))
    indices = draw(m.index_arrays(array.shape[axis], tuple(shape), names=("int64",)))
    return m.Call((array, indices, *([1] if put else []), axis))


@st.composite
def _searched(draw):
    side = draw(pick("left", "right"))
    values = draw(h.arrays(REAL, shape=h.shapes(1, 1), kind="distinct", layouts=("plain",)))
    ordered = h.ArraySpec(h.onp.sort(values.memory), (), values.shared)
    return m.Call((ordered, draw(h.arrays(REAL, kind="small"))), {"side": side})


@st.composite
def _where(draw):
    a, b, c = draw(h.broadcastable(3))
    return m.Call((draw(h.arrays(shape=a)), draw(h.arrays(shape=b)), draw(h.arrays(shape=c))))


@st.composite
def _chosen(draw):
    shape = draw(SHAPE)
    choices = [draw(h.arrays(shape=shape)) for _ in range(3)]
    return m.Call((draw(m.index_arrays(3, shape, negative=False, names=("int64",))), choices))


@st.composite
def _selected(draw):
    shape = draw(SHAPE)
    masks = [draw(h.arrays(("bool",), shape=shape)) for _ in range(2)]
    return m.Call((masks, [draw(h.arrays(shape=shape)) for _ in range(2)], 7))


def _masked():
    def function(draw):
        shape = draw(SHAPE)
        return draw(h.arrays(("bool",), shape=shape)), draw(h.arrays(shape=shape))

    return made(function)


def _counts():
    return made(lambda draw: (draw(h.arrays(("uint8", "int64"), kind="positive",
                                            shape=h.shapes(1, 1))),
                              m.optional(draw, minlength=pick(0, 9))))  # fmt: skip


def _numbers(names=REAL_OR_INT, min_side=1):
    return made(lambda draw: draw(h.arrays(names, kind="small",
                                           shape=h.shapes(1, 2, min_side=min_side))))  # fmt: skip


WEIGHTS = st.lists(pick(0.5, 1, 2), min_size=1, max_size=4)

SORTING = [
    *rows("sort", m.along(kind="wild", stable=True)),
    *rows("argsort", m.along(kind="wild", always={"stable": True})),
    Case("partition", m.along(NUMERIC, kind="distinct", min_side=1, extra=(0,)), defined=_first),
    Case("argpartition", m.along(NUMERIC, kind="distinct", min_side=1, extra=(0,),
                                 layouts=h.LAYOUTS[:6]), defined=_first),
    *rows("lexsort", made(lambda draw: [draw(m.vectors(kind="small")).args])),
    *rows("sort_complex", m.one(REAL + COMPLEX, shape=h.shapes(min_dims=1))),
    *rows("searchsorted", _searched()),
    *rows("digitize", made(lambda draw: (draw(h.arrays(REAL_OR_INT, kind="small")),
                                         draw(pick([0, 1, 2], [3.0, 1.5]))))),
    *rows("unique", m.one(kind="small", return_index=True, return_inverse=True,
                          return_counts=True)),
    *rows("unique_all unique_counts unique_inverse", m.one(kind="small")),
    Case("unique_values", m.one(kind="small"), defined=_sorted),
    *rows("nonzero flatnonzero argwhere",
          made(lambda draw: draw(h.arrays(shape=h.shapes(min_dims=1))))),
    *rows("where", _where()),
    *rows("take", _taken()),
    *rows("take_along_axis", _along_axis()),
    *rows("put_along_axis", _along_axis(put=True)),
    *rows("choose", _chosen()),
    *rows("select", _selected()),
    *rows("compress", made(lambda draw: (draw(st.lists(st.booleans(), max_size=1)),
                                         draw(h.arrays(shape=h.shapes(1, 3, min_side=1))),
                                         {"axis": draw(pick(None, 0, -1))}))),
    *rows("extract", _masked()),
    *rows("bincount", _counts()),
    *rows("clip", made(lambda draw: (draw(h.arrays(REAL)), draw(pick(None, 0, 1)),
                                     draw(pick(1, 2))))),
    *rows("isin", made(lambda draw: (draw(h.arrays(REAL, kind="small")),
                                     draw(h.arrays(REAL, kind="small")),
                                     m.optional(draw, invert=True)))),
    *rows("intersect1d union1d setdiff1d setxor1d",
          made(lambda draw: (draw(h.arrays(REAL, kind="small")),
                             draw(h.arrays(REAL, kind="small"))))),
    *rows("histogram histogram_bin_edges",
          made(lambda draw: (draw(_numbers()).args[0], draw(pick(3, 5, [0, 1, 2.5]))))),
    *rows("interp", m.given_args(h.arrays(FLOATS, kind="small"), [-2, 0, 3.5], [1.0, 5, 2]),
          ulps=8),
    *rows("round around", m.given_args(h.arrays(kind="small"), st.integers(0, 2)), ulps=2),
    *rows("fix", m.one(REAL)),
    *rows("isposinf isneginf", m.one(REAL)),
    *rows("isclose allclose", m.same_dtype(NUMERIC)),
    *rows("array_equal array_equiv", m.elementwise(ALL, ALL)),
    *rows("isreal iscomplex isrealobj iscomplexobj", m.one()),
    *rows("nan_to_num", m.one(nan=pick(1.0, 0), posinf=9)),
    *rows("angle", m.one(NUMERIC, deg=True), ulps=4),
    *rows("unwrap", m.along(FLOATS[1:], kind="small"), ulps=8),
    *rows("sinc i0", m.one(FLOATS[1:], kind="unit"), ulps=16),
    *rows("real_if_close", m.one(INEXACT)),
    *rows("packbits", m.along(("bool", "uint8"), bitorder=pick("big", "little"))),
    *rows("unpackbits", m.along(("uint8",), bitorder=pick("big", "little"))),
    *rows("unravel_index", made(lambda draw: (draw(m.index_arrays(24, negative=False)),
                                              draw(pick((4, 6), (2, 3, 4)))))),
    *rows("ravel_multi_index",
          made(lambda draw: (tuple(draw(m.index_arrays(4, (3,), negative=False))
                                   for _ in range(2)), (4, 5)))),
    *rows("convolve correlate",
          made(lambda draw: (*draw(m.vectors(NUMERIC, equal=False)).args,
                             m.optional(draw, mode=pick("full", "same", "valid")))), ulps=8),
    *rows("polyval", made(lambda draw: (draw(m.vectors(FLOATS, 1)).args[0],
                                        draw(h.arrays(FLOATS, kind="small")))), ulps=8),
]  # fmt: skip


def _invertible(second):
    def function(draw):
        a = draw(m.matrices(stack=False))
        shape = (a.shape[0],) if second == "vector" else (a.shape[0], 2)
        return a, draw(h.arrays((str(a.dtype),), shape=shape, kind="small"))

    return made(function)


EINSUM = pick("ij,jk->ik", "ij,jk", "ij,kj->ik", "ij,ij->", "ij,ij->ij", "ij,jk->ki", "ii,jk->jk")

LINALG = [
    *rows("matmul linalg.matmul", m.product(), ulps=8),
    *rows("dot", m.given_args(h.arrays(NUMERIC, shape=(2, 3), kind="small"),
                              h.arrays(NUMERIC, shape=pick((3,), (3, 2), ()), kind="small")),
          ulps=8),
    *rows("inner", m.given_args(h.arrays(NUMERIC, shape=pick((3,), (2, 3)), kind="small"),
                                h.arrays(NUMERIC, shape=pick((3,), (4, 3)), kind="small")),
          ulps=8),
    *rows("vdot", m.vectors(NUMERIC), ulps=8),
    *rows("outer", m.vectors(ALL, equal=False), ulps=8),
    *rows("linalg.outer", m.vectors(ALL, equal=False), ulps=8),
    *rows("vecdot linalg.vecdot", m.core_product("n", "n", NUMERIC), ulps=8),
    *rows("matvec", m.core_product("mn", "n", NUMERIC), ulps=8),
    *rows("vecmat", m.core_product("n", "nm", NUMERIC), ulps=8),
    *rows("kron", m.given_args(h.arrays(NUMERIC, shape=h.shapes(1, 2), kind="small"),
                               h.arrays(NUMERIC, shape=h.shapes(1, 2), kind="small")), ulps=8),
    *rows("cross linalg.cross", m.given_args(h.arrays(NUMERIC, shape=(2, 3), kind="small"),
                                             h.arrays(NUMERIC, shape=(2, 3), kind="small")),
          ulps=8),
    *rows("tensordot linalg.tensordot",
          made(lambda draw: (draw(h.arrays(NUMERIC, shape=(2, 3, 3), kind="small")),
                             draw(h.arrays(NUMERIC, shape=(3, 3, 2), kind="small")),
                             {"axes": draw(pick(0, 1, 2, ([1, 2], [0, 1]), (1, 0)))})), ulps=8),
    *rows("einsum", made(lambda draw: (draw(EINSUM),
                                       draw(h.arrays(NUMERIC, shape=(3, 3), kind="small")),
                                       draw(h.arrays(NUMERIC, shape=(3, 3), kind="small")))),
          ulps=16),
    *rows("trace", made(lambda draw: (draw(h.arrays(kind="small", shape=h.shapes(min_dims=2))),
                                      draw(st.integers(-2, 2)))), ulps=8),
    *rows("linalg.trace", made(lambda draw: draw(h.arrays(kind="small",
                                                          shape=h.shapes(min_dims=2)))), ulps=8),
    *rows("diagonal", made(lambda draw: (draw(h.arrays(shape=h.shapes(min_dims=2))),
                                         draw(st.integers(-2, 2))))),
    *rows("linalg.diagonal", made(lambda draw: (draw(h.arrays(shape=h.shapes(min_dims=2))),
                                                {"offset": draw(st.integers(-2, 2))}))),
    *rows("linalg.inv linalg.det linalg.slogdet linalg.eigvals linalg.eig", m.one_matrix(),
          ulps=256),
    *rows("linalg.cholesky", m.one_matrix(form="symmetric", upper=True), ulps=128),
    *rows("linalg.eigh linalg.eigvalsh",
          m.one_matrix(form="symmetric", UPLO=pick("L", "U")), ulps=256),
    *rows("linalg.svd", m.one_matrix(square=False, full_matrices=st.booleans(),
                                     compute_uv=st.booleans()), ulps=256),
    *rows("linalg.qr", m.one_matrix(square=False, mode=pick("reduced", "complete", "r")),
          ulps=256),
    *rows("linalg.svdvals linalg.pinv", m.one_matrix(), ulps=512),
    *rows("linalg.matrix_rank linalg.cond", m.one_matrix(), ulps=512),
    *rows("linalg.matrix_power", made(lambda draw: (draw(m.matrices()), draw(st.integers(-2, 3)))),
          ulps=512),
    *rows("linalg.solve", _invertible("matrix"), ulps=256),
    *rows("linalg.lstsq", _invertible("matrix"), ulps=1024),
    *rows("linalg.norm", made(lambda draw: (draw(m.matrices(stack=False)),
                                            draw(pick(None, 1, 2, h.onp.inf, "fro", "nuc")))),
          ulps=64),
    *rows("linalg.matrix_norm", m.one_matrix(ord=pick(1, "fro")), ulps=64),
    *rows("linalg.vector_norm", m.reduction(FLOATS, ord=pick(1, 2, 3)), ulps=16),
    *rows("linalg.tensorinv", made(lambda draw: (draw(m.matrices(stack=False)), {"ind": 1})),
          ulps=512),
    *rows("linalg.tensorsolve", _invertible("vector"), ulps=512),
    *rows("linalg.multi_dot", made(lambda draw: [
        draw(h.arrays(h.LAPACK, shape=s, kind="small")) for s in ((2, 3), (3, 4), (4, 2))]),
          ulps=16),
]  # fmt: skip

CASES = UFUNCS + REDUCTIONS + CREATION + MANIPULATION + SORTING + LINALG
