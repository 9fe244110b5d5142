# SPDX-License-Identifier: Apache-2.0
"""Hostile input to the FFI: always an exception, never a crash, a hang or a lost reference."""

import collections
import contextlib
import copy
import subprocess
import sys
import textwrap
import threading

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import isthmus
from isthmus import ffi, np

get = ffi.get_global_func
echo = get("isthmus.testing.echo")

# --- Depth and size -----------------------------------------------------------------------------


def nested(make, levels):
    value = make([])
    for _ in range(levels - 1):
        value = make(value)
    return value


@pytest.mark.parametrize(
    "make", [lambda a: [a], lambda a: (a,), lambda a: {"k": a}, lambda a: slice(a)], ids=range(4)
)
def test_depth_is_bounded(make):
    assert echo(nested(make, 99)) == nested(make, 99)
    for levels in (101, 50_000 if make(0) == slice(0) else 500):
        with pytest.raises(RecursionError, match="nested deeper"):
            echo(nested(make, levels))


@pytest.mark.parametrize(
    "make",
    [
        lambda a: [a, a],
        lambda a: (a, a),
        lambda a: {1: a, 2: a},
        lambda a: slice(a, a, a),
        lambda a: [a] * 20,
    ],
    ids=range(5),
)
def test_containers_held_many_times_do_not_hang(make):
    with pytest.raises(RecursionError, match="counts twice"):
        echo(nested(make, 60))
    assert echo(slice((1,), [2])) == slice((1,), [2])
    assert echo([[1], (2,)]) == [[1], (2,)]


# --- Objects that lie ---------------------------------------------------------------------------


class BadIndex:
    def __index__(self):
        return "no integer"

    def __float__(self):
        raise KeyError

    def __len__(self):
        return -5


class ListWithoutItems(list):
    def __len__(self):
        return 10**9

    def __iter__(self):
        raise KeyError

    def __getitem__(self, i):
        raise KeyError


class DictWithoutItems(dict):
    def items(self):
        raise KeyError

    __iter__ = keys = values = items


class Meta(type):
    def __instancecheck__(cls, o):
        raise ZeroDivisionError

    __subclasscheck__ = __instancecheck__

    def __getattr__(cls, name):
        raise ZeroDivisionError


class OfMeta(metaclass=Meta):
    pass


class Number(int):
    def __index__(self):
        return "x"

    __add__ = __radd__ = __int__ = bit_length = to_bytes = __index__


def test_what_subclasses_override_is_not_asked():
    assert echo(ListWithoutItems([1, 2])) == [1, 2]
    assert echo(DictWithoutItems(a=1)) == {"a": 1}
    assert echo(Number(5)) == 5
    assert echo(Number(2**100)) == 2**100


@pytest.mark.parametrize("value", [BadIndex(), OfMeta(), OfMeta], ids=["index", "object", "class"])
def test_other_objects_are_not_asked_either(value):
    assert echo(value) is value


@pytest.mark.parametrize(
    ("name", "value"), [("float32", onp.dtype("f4")), ("no dtype", "no dtype")], ids=["real", "not"]
)
def test_a_string_class_named_as_the_dtypes_of_tvm_ffi(name, value):
    assert echo(type("dtype", (str,), {})(name)) == value


class Producer:
    def __init__(self, result, device=(1, 0)):
        self.result, self.device = result, device

    def __dlpack__(self, **keywords):
        return self.result

    def __dlpack_device__(self):
        return self.device


@pytest.mark.parametrize("result", [None, 5, "x", [], onp.zeros(2)], ids=lambda r: type(r).__name__)
def test_producers_that_hand_out_no_capsule(result):
    with pytest.raises((TypeError, BufferError, ValueError)):
        echo(Producer(result))


def test_a_capsule_is_used_once():
    capsule = onp.zeros(3).__dlpack__()
    assert echo(Producer(capsule)).shape == (3,)
    with pytest.raises((TypeError, BufferError, ValueError)):
        echo(Producer(capsule))


def test_pointers_are_taken_from_tvm_ffi_only():
    tvm_ffi = pytest.importorskip("tvm_ffi")

    class Liar:
        __class__ = property(lambda self: tvm_ffi.Object)

        def __chandle__(self):
            return 0x1234

    class Override(tvm_ffi.Object):
        def __chandle__(self):
            return 0x1234

    class Wrapper:
        def __tvm_ffi_object__(self):
            return Liar()

    liar = Liar()
    assert echo(liar) is liar
    assert echo(Override.__new__(Override)) is None
    with pytest.raises(TypeError, match="must return an object of tvm_ffi"):
        echo(Wrapper())


# --- Objects that were not initialised ----------------------------------------------------------


@pytest.mark.parametrize("cls", [ffi.Array, ffi.List, ffi.Map, ffi.Dict, ffi.Module, ffi.Object])
def test_objects_that_were_not_initialised(cls):
    empty = cls.__new__(cls)
    assert "not initialised" in repr(empty)
    for use in (len, list, hash, copy.copy, copy.deepcopy, echo, lambda o: o[0]):
        with pytest.raises((TypeError, AttributeError, KeyError)):
            use(empty)


@pytest.mark.parametrize(
    "cls",
    [ffi.Function, type(np.sum.bind(axis=0)), np.ndarray, type(np.add), type(ffi.Object.__init__)],
    ids=lambda c: c.__name__,
)
def test_types_that_object_cannot_make(cls):
    try:
        made = object.__new__(cls)
    except TypeError:
        return
    # Classes of Python cannot refuse; what is made so is of no use, and does no harm.
    assert ffi.backend == "ctypes"
    for use in (lambda o: o(), lambda o: o[0], len, lambda o: o + 1):
        with pytest.raises((TypeError, AttributeError)):
            use(made)
    with contextlib.suppress(TypeError, AttributeError):
        assert echo(made) is made


# --- Containers that change under their readers -------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [lambda d, k: d.clear(), lambda d, k: d.pop(k), lambda d, k: d.update({k + 1000: 1})],
    ids=["clear", "pop", "grow"],
)
def test_a_dict_that_changes_while_it_is_iterated(change):
    d = ffi.Dict({i: i for i in range(50)})

    def change_all():
        for key in d:
            change(d, key)

    with pytest.raises(RuntimeError, match="changed size"):
        change_all()


def test_a_list_that_changes_while_it_is_iterated():
    items = ffi.List([0])
    seen = []
    for item in items:
        seen.append(item)
        if len(seen) < 10:
            items.append(len(seen))
        else:
            items.clear()
    assert seen == list(range(10))


def test_a_slice_assignment_that_fails_changes_nothing():
    items = ffi.List([1, 2, 3])
    with pytest.raises(UnicodeEncodeError):
        items[1:] = ["fine", "\ud800"]
    assert items == [1, 2, 3]
    items[::2] = ["a", "c"]
    assert items == ["a", 2, "c"]


def test_keys_that_are_equal_by_value():
    m = ffi.Map({(1, 2): "pair", "s": 1, None: 2})
    assert (m[(1, 2)], m[None], (1, 2) in m, (2, 1) in m) == ("pair", 2, True, False)
    d = ffi.Dict({(1, 2): 1, "k": 0})
    d[(1, 2)] = 5
    d[(3,)] = 6
    assert list(d.items()) == [((1, 2), 5), ("k", 0), ((3,), 6)]
    del d[(1, 2)]
    assert d == {"k": 0, (3,): 6}
    with pytest.raises(KeyError):
        del d[(1, 2)]
    numbers = ffi.Dict({1: "a", 2.0: "b", 0.5: "c"})
    assert [numbers.get(k) for k in (True, 1.0, 2, 0.5, 3, 1e300)] == [*"aabc", None, None]
    numbers[True] = "d"
    del numbers[2]
    assert numbers == {1: "d", 0.5: "c"}


# --- Callbacks ----------------------------------------------------------------------------------


def test_a_callback_that_changes_what_it_was_called_with():
    items = [1, [2], {"k": 3}]

    def f(x):
        items.clear()
        x.clear()
        del x
        return items

    assert ffi.Function(f)(items) == []


def test_a_function_that_replaces_itself_while_it_runs():
    name = "test_hostile.replaced"

    def f(depth):
        ffi.register_func(name, f if depth else len, override=True)
        return get(name)(depth - 1) if depth else "end"

    ffi.register_func(name, f)
    assert get(name)(20) == "end"
    assert get(name)([1]) == 1
    ffi.remove_global_func(name)


@pytest.mark.parametrize(
    "text", ["q\ud800", "\0", "x" * 10_000, ""], ids=["surrogate", "nul", "long", "empty"]
)
def test_exceptions_with_unusual_texts(text):
    error = type("Ünïcode", (Exception,), {})(text)

    def f():
        raise error

    with pytest.raises(Exception) as caught:
        ffi.Function(f)()
    assert caught.value is error
    assert caught.value.args == (text,)


@pytest.mark.parametrize("kind", ["print", "", "ExceptionGroup", "__import__", "A\0B"])
def test_kinds_that_are_no_exceptions(kind):
    with pytest.raises(RuntimeError):
        get("isthmus.testing.throw")(kind, "text")


# --- Any value to any operator, through the registry --------------------------------------------

# A result or an exception: that the process lives is what is tested. No sizes of some billions,
# which are legal requests.
ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 9)
    | st.sampled_from([2**63 - 1, -(2**63), 2**64, 2**70])
    | st.floats(width=16)
    | st.complex_numbers(max_magnitude=9)
    | st.text(max_size=9)
    | st.binary(max_size=3)
    | st.sampled_from(
        [..., slice(None), slice(5, -9, -2), range(3), onp.dtype("f4"), len, object()]
    )
    | st.sampled_from([(2, 3), (0, 2), (), (4,)]).map(np.ones)
    | st.sampled_from(["?", "u1", "i8", "f2", "c8"]).map(lambda d: np.ones((2, 2), d)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.text(max_size=1), inner, max_size=2)
    ),
    max_leaves=6,
)
NAMES = [
    name
    for name in ffi.list_global_func_names()
    if name.startswith("isthmus.np.") or name in ("isthmus.getitem", "isthmus.setitem")
]


ERRORS = (TypeError, ValueError, IndexError, ArithmeticError, MemoryError, RuntimeError)


@given(st.data())
def test_operators_refuse_or_take_any_value(data):
    for _ in range(10):
        f = get(data.draw(st.sampled_from(NAMES)))
        args = data.draw(st.lists(ANY, max_size=5))
        with contextlib.suppress(*ERRORS):
            f(*args)


# --- Threads and the end of the process ---------------------------------------------------------


def test_threads_change_containers_at_once():
    items, mapping = ffi.List([0]), ffi.Dict({0: 0})
    shared, plain = [1, "x", [2, (3,)], {"k": object()}], {i: [i] for i in range(20)}
    failures = collections.Counter()

    def work(seed):
        actions = [
            lambda i: items.append([i]),
            lambda i: list(items),
            lambda i: items.__setitem__(slice(None), [1, 2]),
            lambda i: mapping.__setitem__(i % 9, i),
            lambda i: list(mapping.items()),
            lambda i: mapping.clear(),
            lambda i: echo((shared, plain)),
            lambda i: (shared.append(i), shared.__delitem__(slice(5, None))),
            lambda i: (plain.__setitem__(i + 100, 1), plain.pop(i + 100, None)),
        ]
        for i in range(300):
            try:
                actions[(i * 7 + seed * 5 + i // 9) % len(actions)](i)
            except (IndexError, KeyError, RuntimeError):
                failures["changed meanwhile"] += 1

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    finally:
        sys.setswitchinterval(interval)
    assert echo((shared, plain)) == (shared, plain)
    assert set(failures) <= {"changed meanwhile"}


def test_arrays_reshaped_by_a_callback_stay_valid():
    a = np.arange(6.0)
    op = ffi.register_op(
        "test_hostile.reshapes", lambda x: setattr(a, "shape", (2, 3)), "(x: Array) -> Any"
    )
    for _ in range(50):
        a.shape = (6,)
        op(a)
    assert a.shape == (2, 3)
    assert float(a.sum()) == 15


EXITS = {
    "registered": """
        class Callable:
            def __call__(self): return 1
        ffi.register_func("test.exit", Callable())
        ffi.register_op("test.exit_op", lambda x: x, "(x: Array) -> Array")
    """,
    "held by C++": """
        import atexit
        class Last:
            def __del__(self, echo=echo): echo([1, object()])
        held = sys.held = ffi.List([Last(), lambda: 3, [Last()], {"x": Last()}])
        atexit.register(lambda: held.append(Last()))
    """,
    "deleted last": """
        import builtins
        class Last:
            def __del__(self, echo=echo, np=np): echo((np.ones(3), self))
        builtins.last = Last()
        builtins.bound = np.sum.bind(axis=0)
    """,
    "threads": """
        import threading
        ready = threading.Event()
        f = ffi.Function(lambda x: [x])
        def work():
            while True:
                f(echo([1, "x", object()]))
                ready.set()
        for _ in range(3): threading.Thread(target=work, daemon=True).start()
        ready.wait()
    """,
}


@pytest.mark.parametrize("program", EXITS, ids=lambda p: p.replace(" ", "_"))
def test_the_interpreter_ends_without_a_crash(program):
    text = (
        "import sys\nfrom isthmus import ffi, np\n"
        "echo = ffi.get_global_func('isthmus.testing.echo')\n" + textwrap.dedent(EXITS[program])
    )
    run = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, ""), run.stderr


# --- Ufuncs -------------------------------------------------------------------------------------


def test_a_ufunc_of_objects_is_refused_when_it_is_called():
    op = isthmus.op_from_ufunc(onp.frompyfunc(lambda x: x + 1, 1, 1), "test_hostile.objects")
    with pytest.raises(TypeError):
        op([1.0, 2.0])
