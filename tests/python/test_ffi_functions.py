# SPDX-License-Identifier: Apache-2.0
"""Functions and operators that users register, callbacks, and the errors that cross them."""

import contextlib
import gc
import inspect
import sys
import traceback
import weakref

import numpy as onp
import pytest

import helpers as h
import isthmus
from isthmus import ffi, np

get = ffi.get_global_func


@pytest.fixture
def name(request):
    """A free name in the registry, removed afterwards."""
    name = "test." + request.node.name.replace("[", ".").replace("]", "")
    yield name
    if get(name, allow_missing=True) is not None:
        ffi.remove_global_func(name)


# --- Registry -----------------------------------------------------------------------------------


def test_register_and_call(name):
    @ffi.register_func(name)
    def f(x, y=2):
        return x * y

    assert f(1) == 2
    assert (get(name)(3), get(name)(3, 5), get(name).__name__) == (6, 15, name)
    assert name in ffi.list_global_func_names()
    with pytest.raises(ValueError, match="registered already"):
        ffi.register_func(name, len)
    ffi.register_func(name, len, override=True)
    assert get(name)([1, 2]) == 2
    ffi.remove_global_func(name)
    assert get(name, allow_missing=True) is None
    with pytest.raises(ValueError, match="no function named"):
        get(name)
    with pytest.raises(ValueError, match="no function named"):
        ffi.remove_global_func(name)


def test_bare_decorator():
    @ffi.register_func
    def test_of_the_bare_decorator():
        return "here"

    assert get("test_of_the_bare_decorator")() == "here"
    ffi.remove_global_func("test_of_the_bare_decorator")


@pytest.mark.parametrize(
    ("args", "error"), [((3,), TypeError), (("x", 3), TypeError), (("", len), ValueError)]
)
def test_what_cannot_be_registered(args, error):
    with pytest.raises(error):
        ffi.register_func(*args)


def test_a_function_that_takes_itself_out_while_it_runs(name):
    def f():
        ffi.remove_global_func(name)
        gc.collect()
        return "done"

    ffi.register_func(name, f)
    del f
    assert get(name)() == "done"


def test_a_callable_as_a_function():
    f = ffi.Function(lambda *args: args)
    assert f(1, "x", [None], np.ones(1)) == (1, "x", [None], np.ones(1))
    assert f(*range(20)) == tuple(range(20))
    assert ffi.Function(f) is f
    for bad in ((), (1,), (len, len)):
        with pytest.raises(TypeError):
            ffi.Function(*bad)
    with pytest.raises(TypeError, match="keyword"):
        f(x=1)


def test_no_reference_is_lost(name):
    class Big:
        pass

    value = Big()
    ffi.register_func(name, lambda x: x)
    f = get(name)
    before = sys.getrefcount(value)
    for _ in range(1000):
        f(value)
        f((value, [value], {"k": value}))
        with pytest.raises(ZeroDivisionError):
            ffi.Function(lambda x: 1 / 0)(value)
    gc.collect()
    assert sys.getrefcount(value) == before


# --- Errors -------------------------------------------------------------------------------------


class Custom(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)
        self.a = a


def test_an_exception_crosses_as_the_same_object():
    raised = []

    def inner():
        try:
            raise KeyError("first")
        except KeyError as cause:
            raised.append(Custom(1, [2]))
            raise raised[0] from cause

    middle = ffi.Function(lambda: ffi.Function(inner)())
    with pytest.raises(Custom) as caught:
        ffi.Function(lambda: middle())()
    assert caught.value is raised[0]
    assert (caught.value.args, caught.value.a) == ((1, [2]), 1)
    assert isinstance(caught.value.__cause__, KeyError)
    names = [frame.name for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert names.count("<lambda>") == 2
    assert names[-1] == "inner"


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_exceptions_that_are_no_errors(kind):
    def f():
        raise kind("stop")

    with pytest.raises(kind, match="stop"):
        ffi.Function(f)()


def test_no_cycle_keeps_the_frames():
    class Local:
        pass

    dead = []

    def f():
        local = Local()
        dead.append(weakref.ref(local))
        raise ValueError("x")

    function = ffi.Function(f)
    gc.disable()
    try:
        with contextlib.suppress(ValueError):
            function()
        assert dead[0]() is None
    finally:
        gc.enable()


def test_kinds_of_errors():
    throw = get("isthmus.testing.throw")
    with pytest.raises(RuntimeError, match="TestKind: lost"):
        throw("TestKind", "lost")

    @ffi.register_error
    class TestKind(ValueError):
        pass

    with pytest.raises(TestKind, match=r"^found$"):
        throw("TestKind", "found")
    with pytest.raises(RuntimeError, match="bytes"):
        throw("UnicodeDecodeError", "bytes")  # a class that a message alone cannot make


def test_recursion_without_end():
    function = ffi.Function(lambda: function())
    with pytest.raises(RecursionError):
        function()


def test_an_exception_whose_text_fails():
    class Mute(Exception):
        def __str__(self):
            raise TypeError("no text")

    def f():
        raise Mute

    with pytest.raises(Mute):
        ffi.Function(f)()


# --- Operators of users -------------------------------------------------------------------------


def test_an_operator_from_python():
    calls = []

    def scale(x, factor, axis, flag, name, shape, more, dtype):
        calls.append((factor, axis, flag, name, shape, len(more), dtype))
        return x * factor

    op = ffi.register_op(
        "test_ops.scale",
        scale,
        "(x: Array, factor: float = 2.0, *, axis: Axes = None, flag: bool = True, "
        "name: str = 'none', shape: Shape = (1, 2), more: Arrays, dtype: DType = None) -> Array",
        "Scales.",
    )
    h.assert_same(op([1.0, 2.0], more=[]), onp.array([2.0, 4.0]))
    op(np.ones(1), 3, axis=(0, 1), flag=0, name="given", shape=5, more=[1, np.ones(2)], dtype="f4")
    assert calls == [
        (2.0, None, True, "none", (1, 2), 0, None),
        (3.0, (0, 1), False, "given", (5,), 2, onp.dtype("f4")),
    ]
    assert op.__doc__.endswith("Scales.")
    assert op.__module__ == "test_ops"
    assert list(inspect.signature(op).parameters)[:3] == ["x", "factor", "axis"]
    assert ffi.get_op("test_ops.scale") is op
    with pytest.raises(TypeError, match="missing required"):
        op()
    with pytest.raises(ValueError, match="registered already"):
        ffi.register_op("test_ops.scale", scale, "(x: Array)")


def test_every_kind_of_parameter():
    calls = []
    op = ffi.register_op(
        "test_ops.every_kind",
        lambda *args: calls.append(args),
        "(a: Array, b: Array? = None, i: int = 3, j: int? = None, s: str = 'q', t: str? = None, "
        "out: Out = None, x: Any = None, d: DType = None, sh: Shape = (), ax: Axes = None, "
        "fl: bool = False, r: float = 1.5)",
    )
    op(7)
    assert calls[-1] == (7, None, 3, None, "q", None, None, None, None, (), None, False, 1.5)
    thing, out = object(), np.ones(2)
    op(1, 2, 4, 5, "s", "t", out, thing, "f4", 3, -1, 1, 2)
    assert calls[-1][:6] == (1, 2, 4, 5, "s", "t")
    assert calls[-1][7:] == (thing, onp.dtype("f4"), (3,), (-1,), True, 2.0)
    calls[-1][6][0] = 5
    assert out.tolist() == [5, 1]
    for value in (1j, 2**80, slice(1), ..., "\0 and more than that", [1, {"k": (2,)}], b"x", len):
        op(1, x=value)
        assert calls[-1][7] == value


@pytest.mark.parametrize(
    ("keywords", "error"),
    [
        ({"i": 1.5}, TypeError),
        ({"i": 2**70}, OverflowError),
        ({"s": 5}, TypeError),
        ({"s": "\ud800"}, UnicodeEncodeError),
        ({"s": "a\0b"}, ValueError),
        ({"out": [1]}, TypeError),
        ({"d": "no dtype"}, TypeError),
        ({"sh": "x"}, TypeError),
        ({"sh": (1,) * 100}, ValueError),
        ({"r": "x"}, TypeError),
        ({"r": 10**400}, OverflowError),
        ({"b": object()}, TypeError),
        ({"zz": 1}, TypeError),
    ],
    ids=str,
)
def test_parameters_refuse_what_does_not_convert(keywords, error):
    try:
        op = ffi.get_op("test_ops.refuses")
    except ValueError:
        op = ffi.register_op(
            "test_ops.refuses",
            lambda *args: None,
            "(a: Array, b: Array? = None, i: int = 3, s: str = 'q', out: Out = None, "
            "d: DType = None, sh: Shape = (), r: float = 1.5)",
        )
    with pytest.raises(error):
        op(1, **keywords)
    if "zz" not in keywords:
        names = ["b", "i", "s", "out", "d", "sh", "r"]
        defaults = {"b": None, "i": 3, "s": "q", "out": None, "d": None, "sh": (), "r": 1.5}
        with pytest.raises((error, TypeError)):
            get("test_ops.refuses")(1, *({**defaults, **keywords}[n] for n in names))


@pytest.mark.parametrize(
    "value",
    [1, "abc", None, [1, [2]], (1, 2), {"a": [1]}, 1j, 2**80, slice(1), ..., len, b"x", range(2)],
    ids=str,
)
def test_an_operator_of_any_result(value):
    try:
        op = ffi.get_op("test_ops.any")
    except ValueError:
        op = ffi.register_op("test_ops.any", lambda x: x, "(x: Any) -> Any")
    result = op(value)
    assert type(result) is type(value)
    assert result == value
    assert type(op(ffi.Array([1]))) is ffi.Array


def test_an_error_of_an_operator_from_python():
    def fail(x):
        raise Custom(x.shape, None)

    op = ffi.register_op("test_ops.fail", fail, "(x: Array) -> Array")
    with pytest.raises(Custom) as caught:
        op(np.ones(3))
    assert caught.value.a == (3,)


@pytest.mark.parametrize(
    "signature",
    ["", "x", "(x)", "(x: Foo)", "(x: int = )", "(x: Array = 'a')", "(, )", "(x: Shape = 3)",
     "(x: str = 'open)", "(x: float = 1e)", "(: int)",
     "(" + ", ".join(f"x{i}: int" for i in range(17)) + ")"],
)  # fmt: skip
def test_signatures_that_do_not_parse(signature):
    with pytest.raises(ValueError, match="schema"):
        ffi.register_op("test_ops.never", len, signature)
    with pytest.raises(ValueError, match="no operator"):
        ffi.get_op("test_ops.never")


@pytest.mark.parametrize("bad", ["", "a b", "1a", "a.", ".a", "a..b"])
def test_names_that_are_none(bad):
    with pytest.raises(ValueError, match="name"):
        ffi.register_op(bad, len, "(x: Array)")


# --- Bound arguments ----------------------------------------------------------------------------


def test_bound_arguments():
    a = np.arange(24.0).reshape(2, 3, 4)
    total = np.sum.bind(axis=(0, 1))
    assert isinstance(total, ffi.Function)
    h.assert_same(total(a), onp.sum(a.asnumpy(), axis=(0, 1)))
    h.assert_same(total(a, keepdims=True), onp.sum(a.asnumpy(), axis=(0, 1), keepdims=True))
    h.assert_same(total([[[1, 2]]]), onp.array([1, 2]))
    assert "axis" not in inspect.signature(total).parameters
    assert total.constants == {"axis": (0, 1)}
    assert total.op is np.sum
    assert ffi.get_global_func("isthmus.testing.echo")(total) is total
    for call in (lambda: total(), lambda: total(a, axis=0, nothing=1), lambda: total(*[a] * 9)):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="nothing"):
        np.sum.bind(nothing=1)
    with pytest.raises(TypeError):
        np.sum.bind(a)


def test_bound_arrays_are_kept_alive():
    add = np.add.bind(x2=np.full(1000, 2.0)) if "x2" in str(np.add.schema) else None
    clip = np.clip.bind(a_min=np.full(1000, 2.0), a_max=None)
    gc.collect()
    assert float(clip(np.zeros(1000)).sum()) == 2000
    if add is not None:
        assert float(add(np.zeros(1000)).sum()) == 2000


# --- Ufuncs as operators ------------------------------------------------------------------------


def test_ufuncs_as_operators():
    cbrt = isthmus.op_from_ufunc(onp.cbrt, "test_ops.cbrt")
    x = onp.linspace(0, 5, 7)
    h.assert_same(cbrt(x), onp.cbrt(x))
    h.assert_same(cbrt(np.ones((2, 3), "f4")), onp.ones((2, 3), "f4"))
    out = np.zeros(7)
    assert cbrt(x, out=out) is out
    h.assert_same(get("test_ops.cbrt")(np.asarray(x)), onp.cbrt(x))
    with pytest.raises(ValueError, match="registered already"):
        isthmus.op_from_ufunc(onp.cbrt, "test_ops.cbrt")
    with pytest.raises(TypeError, match="ufunc"):
        isthmus.op_from_ufunc(len)


def test_gufuncs_and_python_functions_as_operators():
    product = isthmus.op_from_ufunc(onp.matmul, "test_ops.matmul")
    a, b = onp.arange(6.0).reshape(2, 3), onp.arange(12.0).reshape(3, 4)
    h.assert_same(product(a, b), a @ b)
    out = np.zeros((2, 4))
    product(a, b, out=out)
    h.assert_same(out, a @ b)
    with pytest.raises(ValueError):
        product(a, a)


def test_ufuncs_of_scipy():
    special = pytest.importorskip("scipy.special", reason="SciPy is not installed")
    x = onp.linspace(-2, 2, 9)
    erf = isthmus.op_from_ufunc(special.erf)
    assert ffi.get_op("ufunc.erf") is erf
    for given in (x, x.astype("f4"), x + 1j, x.reshape(3, 3).T[::-1], x[:0], 0.5):
        h.assert_same(erf(given), special.erf(given))
    h.assert_same(erf(x, out=np.zeros(9)), special.erf(x))
    h.assert_same(get("ufunc.erf")(np.asarray(x)), special.erf(x))
    sine, cosine = isthmus.op_from_ufunc(special.sici, "test_ops.sici")(x + 3)
    h.assert_same(sine, special.sici(x + 3)[0])
    h.assert_same(cosine, special.sici(x + 3)[1])
    order = onp.arange(3)[:, None]
    h.assert_same(isthmus.op_from_ufunc(special.jv, "test_ops.jv")(order, x), special.jv(order, x))
    three = isthmus.op_from_ufunc(special.betainc, "test_ops.betainc")
    h.assert_same(three(1.0, 2.0, [0.25, 0.5]), special.betainc(1.0, 2.0, onp.array([0.25, 0.5])))
    with pytest.raises(TypeError):
        erf("a")
    with pytest.raises(ValueError, match="registered already"):
        isthmus.op_from_ufunc(special.erf)


def test_ufuncs_of_numba():
    numba = pytest.importorskip("numba", reason="Numba is not installed")

    @numba.vectorize(["float32(float32, float32)", "float64(float64, float64)"])
    def distance(a, b):
        return (a * a + b * b) ** 0.5

    op = isthmus.op_from_ufunc(distance, "test_ops.distance")
    a, b = onp.arange(12.0).reshape(3, 4), onp.arange(4.0)
    h.assert_same(op(a, b), distance(a, b))
    h.assert_same(op(a.astype("f4"), b.astype("f4")), distance(a.astype("f4"), b.astype("f4")))
    h.assert_same(op(onp.arange(4), 2), distance(onp.arange(4), 2))
    del distance
    gc.collect()
    h.assert_same(op(3.0, 4.0), onp.array(5.0))

    @numba.vectorize
    def late(a, b):
        return a + 2 * b

    op = isthmus.op_from_ufunc(late, "test_ops.late")
    h.assert_same(op(a, b), a + 2 * b)
    h.assert_same(op(onp.arange(4), onp.arange(4)), late(onp.arange(4), onp.arange(4)))

    @numba.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def total(x, result):
        result[0] = x.sum()

    op = isthmus.op_from_ufunc(total, "test_ops.total")
    h.assert_same(op(a), a.sum(-1))


def test_dtypes_of_extensions_have_no_operators():
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes is not installed")
    with pytest.raises(TypeError, match="bfloat16"):
        np.add(onp.ones(3, ml_dtypes.bfloat16), 1)


# --- Index functions of the registry ------------------------------------------------------------


@pytest.mark.parametrize(
    "index", [1, -1, slice(1, 5, 2), (0, slice(None)), None, ..., (..., 0), [0, 1], True], ids=str
)
def test_getitem_and_setitem(index):
    host = onp.arange(12.0).reshape(3, 4)
    ours = np.array(host)
    given = onp.array(index) if isinstance(index, list) else index
    h.assert_same(get("isthmus.getitem")(ours, given), host[given])
    get("isthmus.setitem")(ours, 7, given)
    host[given] = 7
    h.assert_same(ours, host)


def test_getitem_refuses():
    getitem = get("isthmus.getitem")
    for args, error in [
        ((), TypeError),
        ((1, 2), TypeError),
        ((np.ones(2), 5), IndexError),
        ((np.ones(2), 0, 0), IndexError),
        ((np.ones(2), np.ones(1)), IndexError),
        ((np.ones(2), "x"), TypeError),
        ((np.ones(2), slice(None, None, 0)), ValueError),
        ((np.ones(2), slice("a", None)), TypeError),
    ]:
        with pytest.raises(error):
            getitem(*args)
