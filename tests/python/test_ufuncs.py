# SPDX-License-Identifier: Apache-2.0
"""Element-wise functions: dtypes, promotion, out=, where=, dtype=, casting, errors."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
import isthmus
import op_cases
from helpers import both, spec
from isthmus import np

ULPS = {case.name: case.ulps for case in op_cases.CASES}
GENERALIZED = {"matmul", "vecdot", "matvec", "vecmat"}
NAMES = [
    name
    for name in dir(onp)
    if isinstance(getattr(onp, name), onp.ufunc) and name not in GENERALIZED
]
UNARY = [name for name in NAMES if getattr(onp, name).nin == 1]
BINARY = [name for name in NAMES if getattr(onp, name).nin == 2]
PLAIN_BINARY = ("add", "multiply", "maximum", "less", "arctan2", "logical_or", "floor_divide")
PLAIN_UNARY = ("negative", "sqrt", "exp", "isnan", "logical_not", "floor", "square")


def kind_of(name):
    """Values for which every correct library agrees: within the domain, no huge powers."""
    tame = ULPS.get(name, 0) > 0 or "shift" in name or name in ("gcd", "lcm", "ldexp", "power")
    return "small" if tame else "wild"


# --- dtypes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", UNARY)
def test_unary_ufunc_of_every_dtype(name):
    for i, dtype in enumerate(h.ALL):
        a = h.ArraySpec(h.fill((3, 5), dtype, 7 + i, kind_of(name)))
        both(lambda lib, a: getattr(lib, name)(a), a, ulps=ULPS.get(name, 0))


@pytest.mark.parametrize("name", BINARY)
def test_binary_ufunc_of_every_pair_of_dtypes(name):
    for i, first in enumerate(h.ALL):
        for j, second in enumerate(h.ALL):
            a = h.ArraySpec(h.fill((7,), first, 11 + i, kind_of(name)))
            b = h.ArraySpec(h.fill((7,), second, 31 + j, kind_of(name)))
            both(lambda lib, a, b: getattr(lib, name)(a, b), a, b, ulps=ULPS.get(name, 0))


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "maximum", "minimum", "negative"])
@given(data=st.data())
def test_signs_of_zeros_equal_numpy(name, data):
    count = getattr(onp, name).nin
    args = [data.draw(h.arrays(h.FLOATS, shape=(4,))) for _ in range(count)]
    both(lambda lib, *args: getattr(lib, name)(*args), *args, signed_zero=True)


@pytest.mark.parametrize("name", [*PLAIN_BINARY, "divide", "hypot"])
@pytest.mark.parametrize("step", [1, -3], ids=["contiguous", "stepped"])
def test_binary_ufunc_of_arrays_longer_than_a_cast_buffer(name, step):
    a = h.ArraySpec(h.fill((20011,), "int16", 3, "small"), (("index", slice(None, None, step)),))
    b = h.ArraySpec(h.fill((20011,), "float32", 4, "small"), (("index", slice(None, None, step)),))
    both(lambda lib, a, b: getattr(lib, name)(a, b), a, b, ulps=4)


@pytest.mark.parametrize("name", PLAIN_UNARY)
def test_unary_ufunc_of_a_large_transposed_array(name):
    a = h.ArraySpec(h.fill((130, 170), "float64", 5, "positive"), (("transpose", (1, 0)),))
    both(lambda lib, a: getattr(lib, name)(a), a, ulps=8)


ONE_OUTPUT = [name for name in UNARY if getattr(onp, name).nout == 1]


@pytest.mark.parametrize("name", [*ONE_OUTPUT, *PLAIN_BINARY, "copysign", "equal", "minimum"])
def test_strides_of_operands_and_out_do_not_matter(name):
    """Against contiguous arrays: NumPy's own loops err for some strides of the output."""
    function, ufunc = getattr(np, name), getattr(onp, name)
    for dtype in ("float32", "float64", "int32", "int64", "uint8", "bool"):
        a = h.fill((40, 2), dtype, 13, kind_of(name))
        try:
            with onp.errstate(all="ignore"):
                expected = ufunc(*[a] * ufunc.nin)
        except TypeError:
            continue
        for step in (1, 2, 4, 8, -1, -2, -4):
            room = onp.zeros((40 * abs(step), 2), dtype)[::step]
            room[...] = a
            x = isthmus.from_numpy(room)
            h.assert_same(function(*[x] * ufunc.nin), expected, ulps=8)
            h.assert_same(function(*[x[:, ::-1]] * ufunc.nin)[:, ::-1], expected, ulps=8)
            for places in (2, 3, -1):
                out = np.zeros((40 * abs(places), 2), expected.dtype)[::places]
                function(*[x] * ufunc.nin, out=out)
                h.assert_same(out, expected, ulps=8)


# --- weak scalars (NEP 50) ----------------------------------------------------------------------

SCALARS = [True, 0, 1, -1, 200, 300, -129, 2**31, 2**40, 2**63, 2**64 - 1, -(2**63),
           0.0, 1.5, -2.25, 1e10, 1e300, float("inf"), float("nan"), 1j, 1.5 - 2j]  # fmt: skip


@pytest.mark.parametrize("scalar", SCALARS, ids=repr)
@pytest.mark.parametrize("name", ["add", "multiply", "divide", "maximum", "less", "equal", "power"])
def test_python_scalar_is_weak(name, scalar):
    for dtype in h.ALL:
        a = h.ArraySpec(h.fill((4,), dtype, 17, "small"))
        both(lambda lib, a: getattr(lib, name)(a, scalar), a, ulps=8)
        both(lambda lib, a: getattr(lib, name)(scalar, a), a, ulps=8)


@pytest.mark.parametrize("scalar", [2**64, 2**70, -(2**70), 10**400], ids=lambda n: f"{n:.1e}"[:8]
                         if abs(n) < 10**300 else "1e400")  # fmt: skip
@pytest.mark.parametrize("name", ["add", "less", "equal", "not_equal", "greater_equal"])
@pytest.mark.parametrize("dtype", ["uint8", "int64", "uint64"])
def test_integer_beyond_64_bits_overflows_or_compares(name, dtype, scalar):
    a = spec(onp.array([0, 1, 2], dtype))
    both(lambda lib, a: getattr(lib, name)(a, scalar), a)


@pytest.mark.parametrize("strong", [onp.float64(1.5), onp.float32(2), onp.int8(3), onp.uint64(4),
                                    onp.bool_(True), onp.complex64(1j), onp.int64(-1)],
                         ids=lambda s: str(s.dtype))  # fmt: skip
def test_numpy_scalar_is_strong(strong):
    for dtype in h.ALL:
        a = h.ArraySpec(h.fill((4,), dtype, 23, "small"))
        both(lambda lib, a: lib.add(a, strong), a)
        both(lambda lib, a: a * strong, a)
        both(lambda lib, a: lib.add(strong, a), a)


@pytest.mark.parametrize("dtype", h.ALL)
def test_zero_dim_array_is_strong(dtype):
    a, b = spec(onp.ones(3, "float32")), spec(onp.array(2, dtype))
    both(lambda lib, a, b: a + b, a, b)
    both(lambda lib, a, b: b * a, a, b)


@pytest.mark.parametrize("pair", [(1, 2), (1, 2.5), (True, True), (True, 2), (2**63, 1), (1, 1j),
                                  (-1, 2**63), (3.0, 2)], ids=repr)  # fmt: skip
@pytest.mark.parametrize("name", ["add", "multiply", "divide", "less", "maximum"])
def test_two_python_scalars_make_a_zero_dim_array(name, pair):
    both(lambda lib: getattr(lib, name)(*pair))


@pytest.mark.parametrize("args", [([1, 2], [3.0, 4]), ((1, 2), 3), ([[1], [2]], [1, 2]),
                                  ([True], [False]), ([], [1.5])], ids=repr)  # fmt: skip
def test_sequences_are_operands(args):
    both(lambda lib: lib.add(*args) if True not in args[0] else lib.logical_and(*args))


# --- out= ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN_BINARY)
@given(data=st.data())
def test_out_of_any_dtype_and_layout(name, data):
    full = data.draw(h.shapes(max_dims=3))
    a = data.draw(h.arrays(shape=data.draw(h.broadcasts_to(full)), kind="positive"))
    b = data.draw(h.arrays(shape=data.draw(h.broadcasts_to(full)), kind="positive"))
    out = data.draw(h.arrays(shape=full, kind="positive"))
    how = data.draw(st.sampled_from(("keyword", "tuple", "positional")))

    def call(lib, a, b, out):
        function = getattr(lib, name)
        if how == "positional":
            return function(a, b, out) is out
        return function(a, b, out=(out,) if how == "tuple" else out) is out

    both(call, a, b, out, ulps=4, loose=True)


@given(data=st.data())
def test_out_larger_than_the_operands_is_broadcast_to_or_refused(data):
    shapes = data.draw(h.broadcastable(3))
    a, b, out = (data.draw(h.arrays(("float64",), shape=shape)) for shape in shapes)
    both(lambda lib, a, b, out: lib.add(a, b, out=out), a, b, out)


@pytest.mark.parametrize(
    "overlap",
    [
        lambda lib, a: lib.add(a[:-1], 1, out=a[1:]),
        lambda lib, a: lib.add(a[1:], a[:-1], out=a[1:]),
        lambda lib, a: lib.negative(a[::-1], out=a),
        lambda lib, a: lib.multiply(a, a[::-1], out=a),
        lambda lib, a: lib.add(a, a, out=a),
        lambda lib, a: lib.subtract(a[::2], a[1::2], out=a[3 : 3 + len(a) // 2]),
        lambda lib, a: lib.add(a[2:3], a[:8], out=a[1:9]),
        lambda lib, a: lib.add(a[0], a, out=a),
    ],
    ids=["shift", "scan", "reverse", "mirror", "same", "halves", "broadcast-inside", "first"],
)
@pytest.mark.parametrize("length", [10, 5000], ids=["short", "long"])
def test_out_that_overlaps_an_operand_is_as_if_it_did_not(overlap, length):
    both(overlap, spec(onp.arange(1.0, length + 1)))
    both(overlap, spec(onp.arange(length, dtype="int32"), shared=True))


def test_out_that_is_the_transposed_operand():
    for shared in (False, True):
        a = spec(onp.arange(9.0).reshape(3, 3), shared=shared)
        both(lambda lib, a: lib.subtract(a, a.T, out=a), a)
        both(lambda lib, a: lib.add(a, 1, out=a.T), a)


def test_out_of_another_dtype_that_overlaps():
    both(lambda lib, a: lib.add(a[::-1], 1, out=a.view("int64"), casting="unsafe"),
         spec(onp.arange(6.0)))  # fmt: skip


@pytest.mark.parametrize("shape", [(2,), (3, 1), (4, 3), ()], ids=str)
def test_out_of_a_wrong_shape_raises(shape):
    out = spec(onp.zeros(shape))
    both(lambda lib, a, out: lib.add(a, a, out=out), spec(onp.ones((2, 3))), out)


def test_out_that_is_read_only_raises_and_stays():
    out = h.ArraySpec(onp.zeros((1,)), (("broadcast_to", (3,)),))
    both(lambda lib, a, out: lib.add(a, 1, out=out), spec([1.0, 2, 3]), out)


@pytest.mark.parametrize("bad", [3, "x", [0.0, 0.0], ((),), (None, None)], ids=repr)
def test_out_that_is_no_array_raises(bad):
    both(lambda lib, a: lib.add(a, a, out=bad), spec([1.0, 2.0]))


def test_out_none_is_no_out():
    both(lambda lib, a: (lib.add(a, a, out=None), lib.add(a, a, None)), spec([1.0, 2.0]))


# --- where= -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAIN_BINARY)
@given(data=st.data())
def test_where_writes_only_the_chosen_elements(name, data):
    full = data.draw(h.shapes(max_dims=3))
    a, b = (data.draw(h.arrays(h.REAL, shape=data.draw(h.broadcasts_to(full)), kind="positive"))
            for _ in range(2))  # fmt: skip
    mask = data.draw(h.arrays(("bool",), shape=data.draw(h.broadcasts_to(full))))
    out = data.draw(h.arrays(("float64",), shape=full, layouts=("plain", "transposed", "stepped")))
    both(lambda lib, a, b, mask, out: getattr(lib, name)(a, b, out=out, where=mask),
         a, b, mask, out, ulps=4)  # fmt: skip


@pytest.mark.parametrize("where", [True, False, [True, False, True], [[True], [False]]], ids=str)
def test_where_of_python_values(where):
    out = spec(onp.full((2, 3), 9.0))
    both(lambda lib, a, out: lib.sqrt(a, out=out, where=where), spec([1.0, 4, 9]), out)


def test_where_without_out_computes_the_chosen_elements():
    mask = spec([True, False, True])
    both(lambda lib, a, m: lib.sqrt(a, where=m)[m], spec([1.0, 4, 9]), mask)


@pytest.mark.parametrize(
    "where", [1, 1.0, [1, 0, 1], [True, False], onp.array([1, 0, 1])], ids=repr
)
def test_where_of_numbers(where):
    out = spec(onp.zeros(3))
    both(lambda lib, a, out: lib.sqrt(a, out=out, where=where), spec([1.0, 4, 9]), out)


# --- dtype=, casting= ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*PLAIN_BINARY, "divide", "bitwise_and"])
def test_dtype_chooses_the_loop_or_raises(name):
    for source in ("bool", "int32", "float64", "complex64"):
        for target in h.ALL:
            a = h.ArraySpec(h.fill((3,), source, 41, "positive"))
            both(lambda lib, a, t: getattr(lib, name)(a, a, dtype=t), a, target, ulps=4)


@pytest.mark.parametrize("casting", ["no", "equiv", "safe", "same_kind", "unsafe"])
def test_casting_permits_or_raises(casting):
    for source in ("int32", "int64", "float32", "float64"):
        for target in ("int32", "int64", "float32", "float64"):
            a, out = spec(onp.arange(3).astype(source)), spec(onp.zeros(3, target))
            both(lambda lib, a, out: lib.add(a, a, out=out, casting=casting), a, out)
            both(lambda lib, a, t: lib.add(a, a, dtype=t, casting=casting), a, target)


@pytest.mark.parametrize("dtype", ["float32", onp.float32, onp.dtype("f4"), float, int, "f", None],
                         ids=str)  # fmt: skip
def test_dtype_in_every_spelling(dtype):
    both(lambda lib, a: lib.multiply(a, 2, dtype=dtype), spec(onp.arange(3, dtype="int16")))
    both(lambda lib, a: lib.multiply(a, 2, dtype=dtype), spec(onp.ones(3)))


@pytest.mark.parametrize("keywords", [
    {"dtype": "nonsense"}, {"dtype": 3}, {"casting": "nonsense"}, {"casting": 1},
    {"axis": 0}, {"keepdims": True}, {"nonsense": 1}, {"order": "Z"}, {"out": 1, "dtype": 2},
    {"signature": "dd->d"}, {"signature": "zzz"}, {"sig": "dd->d"}, {"subok": False},
    {"order": "F"},
], ids=str)  # fmt: skip
def test_keywords_of_a_ufunc(keywords):
    both(lambda lib, a: lib.add(a, a, **keywords), spec([1.0, 2.0]))


# --- errors -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["add", "negative", "less", "divmod"])
@pytest.mark.parametrize("count", [0, 1, 5])
def test_any_number_of_operands_is_taken_or_raises(name, count):
    both(lambda lib, a: getattr(lib, name)(*[a] * count), spec([1.0, 2.0]))


@pytest.mark.parametrize("other", [(2,), (2, 2), (3, 2), (0,), (1, 4)], ids=str)
@pytest.mark.parametrize("name", ["add", "less", "arctan2"])
def test_shapes_that_do_not_broadcast_raise(name, other):
    both(lambda lib, a, b: getattr(lib, name)(a, b), spec(onp.ones(3)), spec(onp.ones(other)))


def test_the_message_of_a_broadcast_error_names_both_shapes():
    with pytest.raises(ValueError, match=r"\(2,\s*3\).*\(4,\s*5\)"):
        np.add(np.ones((2, 3)), np.ones((4, 5)))


@pytest.mark.parametrize("name", ["sin", "bitwise_and", "invert", "negative", "subtract", "gcd",
                                  "left_shift", "ldexp", "isnat"])  # fmt: skip
@pytest.mark.parametrize(
    "other", ["x", None, {}, object(), {1, 2}, b"x"], ids=lambda o: type(o).__name__
)
def test_operands_that_are_no_numbers_raise(name, other):
    nin = getattr(onp, name).nin
    error = (TypeError, ValueError)
    with pytest.raises(error):
        getattr(onp, name)(*[onp.ones(2), other][-nin:])
    with pytest.raises(error):
        getattr(np, name)(*[np.ones(2), other][-nin:])


def test_integer_to_a_negative_power_raises():
    a = spec([1, 2, 3])
    both(lambda lib, a: lib.power(a, -1), a)
    both(lambda lib, a: a ** spec([-1, 0, 1]).build(lib), a)
    both(lambda lib, a: lib.power(a, -1.0), a)


# --- several outputs ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["divmod", "modf", "frexp"])
@given(data=st.data())
def test_several_outputs_into_out(name, data):
    nin = getattr(onp, name).nin
    full = data.draw(h.shapes(max_dims=2))
    args = [
        data.draw(h.arrays(h.FLOATS, shape=data.draw(h.broadcasts_to(full)))) for _ in range(nin)
    ]
    outs = [data.draw(st.none() | h.arrays(("float64", "int32", "float32"), shape=full))
            for _ in range(2)]  # fmt: skip
    both(lambda lib, args, outs: getattr(lib, name)(*args, out=tuple(outs)), args, outs, loose=True)


@pytest.mark.parametrize("out", [(None,), (None, None, None), None, [None, None], 1], ids=str)
def test_out_tuple_of_a_wrong_length_raises(out):
    both(lambda lib, a: lib.modf(a, out=out), spec([1.5, -2.5]))


def test_several_outputs_positionally():
    one, two = spec(onp.zeros(2)), spec(onp.zeros(2))
    both(lambda lib, a, x, y: lib.modf(a, x, y), spec([1.5, -2.5]), one, two)
    both(lambda lib, a, x: lib.modf(a, x), spec([1.5, -2.5]), one)
    both(lambda lib, a, x: lib.modf(a, out=x), spec([1.5, -2.5]), one)


# --- the ufunc object ---------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_or", "bitwise_xor"])
@given(data=st.data())
def test_methods_reduce_accumulate_outer(name, data):
    a = data.draw(h.arrays(("bool", "int32", "uint8"), shape=h.shapes(min_dims=1, max_dims=3)))
    axis = data.draw(h.axis_of(a.ndim))
    both(lambda lib, a: getattr(lib, name).reduce(a, axis=axis, keepdims=True), a)
    both(lambda lib, a: getattr(lib, name).accumulate(a, axis), a)
    both(lambda lib, a: getattr(lib, name).outer(a, a[0]), a)


def test_method_at_adds_repeated_indices():
    both(lambda lib, a: lib.add.at(a, [0, 0, 2], 1), spec(onp.zeros(4)))
    both(lambda lib, a: lib.negative.at(a, [0, 2]), spec(onp.ones(4)))
    both(lambda lib, a: lib.add.at(a, [0, 9], 1), spec(onp.zeros(4)))


def test_method_reduceat_sums_slices():
    both(lambda lib, a: lib.add.reduceat(a, [0, 3, 1, 5]), spec(onp.arange(8)))
    both(lambda lib, a: lib.add.reduceat(a, [0, 8]), spec(onp.arange(8)))


@pytest.mark.parametrize("name", ["add", "sqrt", "divmod", "arctan2", "equal", "logical_not"])
def test_attributes_of_a_ufunc(name):
    both(lambda lib: (getattr(lib, name).__name__, getattr(lib, name).nin,
                      getattr(lib, name).nout, getattr(lib, name).nargs))  # fmt: skip


@pytest.mark.parametrize("state", ["divide", "over", "under", "invalid"])
def test_errstate_raise_gives_floating_point_error(state):
    values = {"divide": ("divide", 1.0, 0.0), "over": ("multiply", 1e300, 1e300),
              "under": ("multiply", 1e-300, 1e-300), "invalid": ("divide", 0.0, 0.0)}  # fmt: skip
    name, first, second = values[state]

    def call(lib, a, b):
        with lib.errstate(**{state: "raise"}):
            return getattr(lib, name)(a, b)

    both(call, spec([first, 1]), spec([second, 1]))


def test_errstate_warn_is_the_default_and_warns_like_numpy():
    for lib in (onp, np):
        a = lib.array([1.0, 0.0])
        with pytest.warns(RuntimeWarning, match="divide by zero"):
            lib.divide(1.0, a)
        with pytest.warns(RuntimeWarning, match="invalid value"):
            lib.sqrt(a - 2)


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
@pytest.mark.parametrize("number", [0, 1, -1, 300, -(2**40)])
def test_integers_of_any_width_count_by_their_truth(name, number):
    for dtype in h.ALL:
        a = h.ArraySpec(h.fill((7,), dtype, 3, "small"))
        both(lambda lib, a: getattr(lib, name)(a, number), a)
        both(lambda lib, a: getattr(lib, name)(number, a[::2]), a)


@pytest.mark.parametrize("wide", [2**63, 2**64, 2**70, -(2**63) - 1, -(2**70), 10**25, 2**1030])
@pytest.mark.parametrize("dtype", ["i1", "i8", "u8", "f2", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("name", ["less", "greater_equal", "equal", "maximum"])
def test_integers_beyond_64_bits(name, dtype, wide):
    with onp.errstate(all="ignore"):
        host = onp.array([0, 2.0**64, 2.0**70, -(2.0**70), 5]).astype(dtype)
    ours = np.array(host)
    for swapped in (False, True):
        args = [(wide, x) if swapped else (x, wide) for x in (host, ours)]
        try:
            with onp.errstate(all="ignore"):
                expected = getattr(onp, name)(*args[0])
        except OverflowError:
            with pytest.raises(OverflowError):
                getattr(np, name)(*args[1])
        else:
            with onp.errstate(all="ignore"):
                h.assert_same(getattr(np, name)(*args[1]), expected)


def test_integers_beyond_64_bits_among_themselves():
    assert bool(np.less(2**70, 2**70 + 1))
    assert not bool(np.equal(2**70, 2**70 + 1))
    assert bool(np.greater(2**70, 3))
