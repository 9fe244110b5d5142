# SPDX-License-Identifier: Apache-2.0
"""Strategies and assertions that run one piece of code on NumPy and on Isthmus."""

import sys
import warnings
from dataclasses import dataclass, field

import numpy as onp
from hypothesis import strategies as st
from numpy.exceptions import AxisError

import isthmus
from isthmus import ffi, np

#: Whether arrays have the buffer protocol: classes of Python have it from CPython 3.12 on.
HAS_BUFFERS = ffi.backend == "native" or sys.version_info >= (3, 12)

SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTEGERS = SIGNED + UNSIGNED
FLOATS = ("float16", "float32", "float64")
COMPLEX = ("complex64", "complex128")
INEXACT = FLOATS + COMPLEX
REAL = ("bool",) + INTEGERS + FLOATS
NUMERIC = INTEGERS + INEXACT
ALL = ("bool",) + NUMERIC
LAPACK = ("float32", "float64", "complex64", "complex128")

# The public base classes by which exceptions are compared, the most derived first.
PUBLIC_ERRORS = (
    AxisError, onp.linalg.LinAlgError, IndexError, KeyError, ZeroDivisionError, OverflowError,
    FloatingPointError, UnicodeError, ValueError, TypeError, BufferError, AttributeError,
    MemoryError, NotImplementedError, RecursionError, RuntimeError,
)  # fmt: skip

LOOSE_ERRORS = (TypeError, ValueError, IndexError, OverflowError)


# --- values -------------------------------------------------------------------------------------


def fill(shape, dtype, seed, kind="wild"):
    """Make the values of an array from a seed.

    `wild`: everything a dtype holds, specials included. `small`: integers and eighths in
    [-4, 4], so that sums and products of a few are exact in any order. `positive`: eighths in
    (0, 4]. `unit`: reals in (-1, 1). `distinct`: no value twice.
    """
    dtype = onp.dtype(dtype)
    rng = onp.random.default_rng(seed)
    if dtype.kind == "c":
        part = f"f{dtype.itemsize // 2}"
        out = onp.empty(shape, dtype)
        out.real = fill(shape, part, seed, kind)
        out.imag = fill(shape, part, seed + 1, kind)
        return out
    size = int(onp.prod(shape, dtype=onp.int64))
    if dtype.kind == "b":
        return rng.integers(0, 2, size).astype(bool).reshape(shape)
    if kind == "distinct":
        flat = rng.permutation(size) - (size // 2 if dtype.kind != "u" else 0)
    elif dtype.kind in "iu":
        flat = _fill_integers(rng, size, dtype, kind)
    else:
        flat = _fill_floats(rng, size, dtype, kind)
    return flat.astype(dtype).reshape(shape)


def _fill_integers(rng, size, dtype, kind):
    low = 1 if kind == "positive" else (0 if dtype.kind == "u" else -4)
    flat = rng.integers(low, 5, size).astype(dtype)
    if kind == "wild":
        info = onp.iinfo(dtype)
        wide = rng.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
        edges = onp.array([info.min, info.max, info.max - 1, 0, 1], dtype)
        pick = rng.integers(0, 8, size)
        flat = onp.where(pick < 2, wide, flat)
        flat = onp.where(pick == 7, edges[rng.integers(0, edges.size, size)], flat)
    return flat


def _fill_floats(rng, size, dtype, kind):
    if kind == "unit":
        return rng.uniform(-1, 1, size)
    eighths = rng.integers(1 if kind == "positive" else -32, 33, size) / 8
    if kind != "wild":
        return eighths
    info = onp.finfo(dtype)
    specials = onp.array(
        [onp.nan, onp.inf, -onp.inf, 0.0, -0.0, 1.0, -1.0, info.max, info.tiny, info.eps, 0.5],
        dtype,
    )
    scaled = (rng.standard_normal(size) * 10.0 ** rng.integers(-4, 5, size)).astype(dtype)
    pick = rng.integers(0, 8, size)
    flat = onp.where(pick < 3, scaled, eighths.astype(dtype))
    return onp.where(pick > 5, specials[rng.integers(0, specials.size, size)], flat)


# --- arrays -------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class ArraySpec:
    """An array to make twice: its memory, and the views that lead from the memory to it."""

    memory: onp.ndarray
    steps: tuple = ()
    shared: bool = False  # by from_numpy of the view, rather than by views of a native copy
    shape: tuple = field(default=(), init=False)
    dtype: object = field(default=None, init=False)

    def __post_init__(self):
        view = self.view(onp, self.memory)
        object.__setattr__(self, "shape", view.shape)
        object.__setattr__(self, "dtype", view.dtype)

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: int(onp.prod(self.shape, dtype=onp.int64)))

    def view(self, lib, array):
        for name, argument in self.steps:
            if name == "index":
                array = array[argument]
            elif name == "transpose":
                array = array.transpose(argument)
            else:
                array = lib.broadcast_to(array, argument)
        return array

    def build(self, lib):
        memory = self.memory.copy()
        if lib is onp:
            return self.view(onp, memory)
        if self.shared:
            return isthmus.from_numpy(self.view(onp, memory))
        return self.view(lib, lib.array(memory))

    def __repr__(self):
        memory = onp.array2string(self.memory, separator=",", threshold=64).replace("\n", "")
        where = "shared" if self.shared else "native"
        return f"<{self.dtype}{list(self.shape)} {where} steps={list(self.steps)} of {memory}>"

    def _repr_pretty_(self, printer, cycle):  # what Hypothesis reports
        printer.text(repr(self))


def spec(values, *steps, shared=False):
    """Make an ArraySpec from values given by hand."""
    return ArraySpec(onp.array(values), steps, shared)


def build(tree, lib):
    """Replace each ArraySpec in a nest of tuples, lists, dicts and slices by its array."""
    if isinstance(tree, ArraySpec):
        return tree.build(lib)
    if type(tree) in (tuple, list):
        return type(tree)(build(item, lib) for item in tree)
    if type(tree) is dict:
        return {key: build(item, lib) for key, item in tree.items()}
    return tree


def leaves(tree):
    if type(tree) in (tuple, list):
        return [leaf for item in tree for leaf in leaves(item)]
    if type(tree) is dict:
        return leaves(list(tree.values()))
    return [tree] if isinstance(tree, (onp.ndarray, np.ndarray)) else []


def dtypes(names=ALL):
    return st.sampled_from(names)


@st.composite
def shapes(draw, min_dims=0, max_dims=4, min_side=0, max_side=4):
    sides = [n for n in (1, 2, 3, 4, 2, 3, 4, 0) if min_side <= n <= max_side]
    ndim = draw(st.integers(min_dims, max_dims))
    return tuple(draw(st.sampled_from(sides)) for _ in range(ndim))


@st.composite
def broadcastable(draw, count, min_side=0, max_dims=4):
    """Draw `count` shapes that broadcast against each other."""
    full = draw(shapes(max_dims=max_dims, min_side=min_side))
    return [draw(broadcasts_to(full)) for _ in range(count)]


@st.composite
def broadcasts_to(draw, full):
    ones = draw(st.integers(0, 2 ** len(full) - 1))
    drop = draw(st.integers(0, len(full)))
    if draw(st.booleans()):  # the plain case of equal shapes stays frequent
        return full
    return tuple(1 if ones >> i & 1 else side for i, side in enumerate(full))[drop:]


LAYOUTS = ("plain", "fortran", "transposed", "reversed", "stepped", "row", "broadcast", "mixed")


@st.composite
def arrays(draw, names=ALL, shape=None, kind="wild", layouts=LAYOUTS):
    """Draw an ArraySpec of any dtype, shape and layout."""
    dtype = draw(names) if isinstance(names, st.SearchStrategy) else draw(dtypes(names))
    if shape is None:
        shape = draw(shapes())
    elif isinstance(shape, st.SearchStrategy):
        shape = draw(shape)
    seed = draw(st.integers(0, 2**16))
    layout = draw(st.sampled_from(layouts)) if shape else "plain"
    memory_shape, steps = draw(_layout(layout, tuple(shape)))
    return ArraySpec(fill(memory_shape, dtype, seed, kind), steps, draw(st.booleans()))


@st.composite
def _layout(draw, layout, shape):
    ndim = len(shape)
    if layout == "fortran":
        return shape[::-1], (("transpose", tuple(range(ndim))[::-1]),)
    if layout == "transposed":
        axes = tuple(draw(st.permutations(range(ndim))))
        inverse = [axes.index(axis) for axis in range(ndim)]
        return tuple(shape[i] for i in inverse), (("transpose", axes),)
    if layout == "reversed":
        return shape, (("index", _slices(draw, shape, (None,), (1, -1))),)
    if layout == "stepped":
        return tuple(2 * n + 1 for n in shape), (("index", (slice(1, None, 2),) * ndim),)
    if layout == "row":
        return (2,) + shape, (("index", (1, Ellipsis)),)
    if layout == "broadcast":
        ones = draw(st.integers(1, 2**ndim - 1))
        base = tuple(1 if ones >> i & 1 else n for i, n in enumerate(shape))
        return base, (("broadcast_to", shape),)
    if layout == "mixed":
        back = slice(None, None, -1)
        memory = tuple(3 * n for n in shape[::-1])
        steps = (("transpose", tuple(range(ndim))[::-1]), ("index", (slice(None, None, 3), ...)))
        rest = tuple(slice(0, n, 1) for n in shape[1:])
        return memory, steps + (("index", (back, *rest)),)
    return shape, ()


def _slices(draw, shape, starts, steps):
    return tuple(slice(draw(st.sampled_from(starts)), None, draw(st.sampled_from(steps)))
                 for _ in shape)  # fmt: skip


def axis_of(ndim):
    """Strategy of one axis, positive or negative."""
    return st.integers(-ndim, ndim - 1)


@st.composite
def axes_of(draw, ndim):
    """Draw None, an axis, or a tuple of distinct axes of either sign."""
    form = draw(st.sampled_from(("none", "one", "many"))) if ndim else "none"
    if form == "none":
        return None
    if form == "one":
        return draw(axis_of(ndim))
    chosen = draw(st.lists(st.integers(0, ndim - 1), unique=True, max_size=ndim))
    return tuple(axis - ndim * draw(st.booleans()) for axis in chosen)


# --- comparison ---------------------------------------------------------------------------------


@dataclass
class Outcome:
    value: object = None
    error: BaseException | None = None

    def __repr__(self):
        if self.error is not None:
            return f"{type(self.error).__name__}: {self.error}"
        return f"{type(self.value).__name__} {self.value!r}"


def run(fn, lib, args):
    """Call fn(lib, *args) and return its Outcome and the arrays it was given."""
    built = build(list(args), lib)
    with onp.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return Outcome(fn(lib, *built)), leaves(built)
        except Exception as error:
            return Outcome(error=error), leaves(built)


def both(fn, *args, ulps=0, loose=False, **how):
    """Run fn(lib, *args) on both libraries and compare the results or the exception types.

    An ArraySpec in args becomes an array of the library in turn. The arguments are compared
    after the call too, so what is written in place is checked, and what must not change.
    `loose`: where several things are wrong at once, it is not said which is told first, and
    any error about a value, a type or an index will do.
    """
    theirs, their_arrays = run(fn, onp, args)
    ours, our_arrays = run(fn, np, args)
    try:
        assert_same_outcome(ours, theirs, loose=loose, ulps=ulps, **how)
        before = leaves(build(list(args), onp))
        for mine, other, old in zip(our_arrays, their_arrays, before, strict=True):
            if theirs.error is not None and onp.array_equal(to_numpy(mine), old, equal_nan=True):
                continue  # unchanged by the failed call, even where NumPy writes before it fails
            assert_same(mine, other, ulps=ulps, where="argument after the call", **how)
    except AssertionError as error:
        raise AssertionError(f"{error}\n  ours: {ours!r}\n  NumPy: {theirs!r}") from None
    return ours


def assert_same_outcome(ours, theirs, loose=False, **how):
    if theirs.error is None:
        if ours.error is not None:
            text = f"Isthmus raised {type(ours.error).__name__}: {ours.error}"
            raise AssertionError(text) from ours.error
        assert_same(ours.value, theirs.value, **how)
        return
    assert ours.error is not None, f"Isthmus did not raise {type(theirs.error).__name__}"
    if not (loose and isinstance(ours.error, LOOSE_ERRORS)):
        assert_same_error(ours.error, theirs.error)


def assert_same_error(ours, theirs):
    public = next((base for base in PUBLIC_ERRORS if isinstance(theirs, base)), Exception)
    narrower = isinstance(theirs, type(ours)) and type(ours) not in (Exception, BaseException)
    text = f"raised {type(ours).__name__}, NumPy {type(theirs).__name__} ({theirs})"
    assert isinstance(ours, public) or narrower, text
    assert str(ours).strip() or not str(theirs).strip(), f"{type(ours).__name__} without a message"


def to_numpy(x):
    """Copy of an Isthmus array as official NumPy."""
    return x.asnumpy() if isinstance(x, np.ndarray) and hasattr(x, "asnumpy") else onp.asarray(x)


def assert_same(ours, theirs, ulps=0, where="result", signed_zero=False, scale=0.0):
    """Compare types, dtypes, shapes and values; a NumPy scalar must be a 0-d array of ours.

    `scale`: the size of the intermediate values, by which the rounding error of a result that
    is near zero must be measured.
    """
    if isinstance(theirs, (onp.ndarray, onp.generic)) and theirs.dtype.kind in "biufc":
        assert isinstance(ours, np.ndarray), f"{where}: {type(ours)} is not an Isthmus array"
        mine, other = to_numpy(ours), onp.asarray(theirs)
        assert onp.dtype(ours.dtype) == theirs.dtype, f"{where}: {ours.dtype} != {theirs.dtype}"
        assert tuple(ours.shape) == theirs.shape, f"{where}: {ours.shape} != {theirs.shape}"
        assert mine.dtype == other.dtype, f"{where}: exported as {mine.dtype}"
        assert mine.shape == other.shape, f"{where}: exported with shape {mine.shape}"
        assert_same_values(mine, other, ulps, where, signed_zero, scale)
    elif isinstance(theirs, (tuple, list)):
        assert isinstance(ours, type(theirs) if type(theirs) in (tuple, list) else tuple), (
            f"{where}: {type(ours).__name__} is not a {type(theirs).__name__}"
        )
        assert len(ours) == len(theirs), f"{where}: length {len(ours)} != {len(theirs)}"
        for i, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(mine, other, ulps, f"{where}[{i}]", signed_zero, scale)
    elif isinstance(theirs, dict):
        assert list(ours) == list(theirs), f"{where}: keys {list(ours)} != {list(theirs)}"
        for key in theirs:
            assert_same(ours[key], theirs[key], ulps, f"{where}[{key!r}]", signed_zero, scale)
    elif isinstance(theirs, onp.dtype):
        assert onp.dtype(ours) == theirs, f"{where}: {ours} != {theirs}"
    else:
        assert type(ours) is type(theirs), f"{where}: {type(ours)} is not {type(theirs)}"
        nans = isinstance(theirs, (float, complex)) and theirs != theirs
        assert (ours != ours) if nans else ours == theirs, f"{where}: {ours!r} != {theirs!r}"


def assert_same_values(mine, other, ulps, where, signed_zero, scale=0.0):
    if ulps and other.dtype.kind in "fc" and other.size:
        eps = float(onp.finfo(other.dtype).eps)
        finite = onp.abs(other[onp.isfinite(other)]).astype("float64")
        scale = max(float(finite.max()) if finite.size else 0.0, scale)
        rtol = ulps * eps
        wide = onp.promote_types(other.dtype, "float64")
        onp.testing.assert_allclose(
            mine.astype(wide), other.astype(wide), rtol=rtol, atol=rtol * min(scale, 1e300),
            err_msg=where,
        )  # fmt: skip
        return
    onp.testing.assert_array_equal(mine, other, err_msg=where)
    if signed_zero and other.dtype.kind == "f":
        zero = other == 0
        same = onp.signbit(mine) == onp.signbit(other)
        assert onp.all(same[zero]), f"{where}: zeros of another sign"


def shares(x, y):
    """Whether two arrays of one library overlap in memory."""
    return bool(onp.shares_memory(_shared(x), _shared(y)))


def _shared(x):
    return x.asnumpy(shared=True) if isinstance(x, np.ndarray) and hasattr(x, "asnumpy") else x


def layout(x):
    """Byte strides where they matter: of the dimensions longer than one of a non-empty array."""
    if 0 in x.shape:
        return None
    return tuple(s for n, s in zip(x.shape, x.strides, strict=True) if n > 1)


def view_facts(result, source):
    """What must agree between two views: the value, whether it shares, strides, writability.

    Of no dimensions, NumPy gives scalars, and whether ours is a view or not is not compared.
    """
    if result.ndim == 0:
        return result
    return result, shares(result, source), layout(result), bool(result.flags.writeable)


def resolve(lib, name):
    for part in name.split("."):
        lib = getattr(lib, part)
    return lib
