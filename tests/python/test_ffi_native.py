# SPDX-License-Identifier: Apache-2.0
"""A C++ library of a user: its functions, operators, object types, threads and errors."""

import copy
import gc
import os
import shutil
import sys
import threading
import traceback
import weakref

import numpy as onp
import pytest

import helpers as h
from isthmus import ffi, np

SOURCE = r"""
#include <isthmus/op.h>
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/error.h>
#include <thread>

using namespace tvm::ffi;

class PointObj : public Object {
 public:
  int64_t x = 0;
  double y = 0;
  String label;
  Optional<Array<int64_t>> items;
  PointObj(int64_t x, double y) : x(x), y(y), label("new") {}
  explicit PointObj(UnsafeInit) {}
  int64_t Sum(int64_t more) const { return x + static_cast<int64_t>(y) + more; }
  static int64_t Twice(int64_t v) { return 2 * v; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO("test_native.Point", PointObj, Object);
};
class Point3Obj : public PointObj {
 public:
  int64_t z = 0;
  Point3Obj(int64_t x, double y, int64_t z) : PointObj(x, y), z(z) {}
  explicit Point3Obj(UnsafeInit tag) : PointObj(tag) {}
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_native.Point3", Point3Obj, PointObj);
};

int64_t count_above(const Array<double>& values, double limit, Optional<String> note) {
  int64_t n = 0;
  for (double v : values) n += v > limit;
  return n;
}
ISTHMUS_REGISTER_FUNC("test_native.count_above", count_above, "values", "limit", "note");
int64_t of_map(Map<String, int64_t> m, int64_t k) { return static_cast<int64_t>(m.size()) + k; }
int64_t calls_other(int64_t x) { return of_map(Map<String, int64_t>(), x); }
ISTHMUS_REGISTER_OP("test_native.wrong", "(factor: Any, x: Any = 'text') -> Any", "Ill-declared.",
                    of_map);

static Function kept;

int64_t add_one(int64_t x) { return x + 1; }
void keep(Function f) { kept = f; }
Any call_kept(int64_t x) { return kept(x); }
void drop_kept() { kept = nullptr; }
Any on_thread(Function f, int64_t x) {
  Any result;
  std::optional<Error> error;
  std::thread t([&] {
    try { result = f(x); } catch (const Error& e) { error = e; }
  });
  t.join();
  if (error) throw *error;
  return result;
}
void fail(int64_t code) { TVM_FFI_THROW(IndexError) << "code " << code; }
Any catch_and_call(Function f, Function otherwise) {
  try { return f(); } catch (const Error& e) { return otherwise(e.kind(), e.message()); }
}
Tensor scale(TensorView x, double factor) {
  Tensor y = isthmus::Empty(x.shape(), x.dtype());
  const double* from = static_cast<const double*>(x.data_ptr());
  double* to = static_cast<double*>(y.data_ptr());
  for (int64_t i = 0; i < x.numel(); ++i) to[i] = from[i] * factor;
  return y;
}
ISTHMUS_REGISTER_OP("test_native.scale", "(x: Array, factor: float = 2.0) -> Array",
                    "x times factor.", scale);

TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<PointObj>()
      .def(refl::init<int64_t, double>())
      .def_rw("x", &PointObj::x, "Abscissa.")
      .def_ro("y", &PointObj::y)
      .def_rw("label", &PointObj::label)
      .def_rw("items", &PointObj::items)
      .def("sum", &PointObj::Sum, "Sum of all.")
      .def_static("twice", &PointObj::Twice);
  refl::ObjectDef<Point3Obj>()
      .def(refl::init<int64_t, double, int64_t>())
      .def_rw("z", &Point3Obj::z);
}
ObjectRef make_point(int64_t x, double y) { return ObjectRef(make_object<PointObj>(x, y)); }
ObjectRef make_point3(int64_t x, double y, int64_t z) {
  return ObjectRef(make_object<Point3Obj>(x, y, z));
}
"""
FUNCTIONS = [
    "of_map", "add_one", "keep", "call_kept", "drop_kept", "on_thread", "fail", "catch_and_call",
    "make_point", "make_point3",
]  # fmt: skip

needs_compiler = pytest.mark.skipif(
    shutil.which("ninja", path=os.path.dirname(sys.executable) + ":" + os.environ["PATH"]) is None,
    reason="load_inline builds with ninja",
)
pytestmark = needs_compiler


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    patch = pytest.MonkeyPatch()
    patch.setenv("ISTHMUS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    patch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    module = ffi.load_inline("test_native", SOURCE, FUNCTIONS)
    yield module
    patch.undo()


def test_functions_check_their_arguments(native):
    assert native.add_one(41) == 42
    assert native["add_one"](True) == 2
    with pytest.raises(TypeError, match=r"^add_one\(\) argument 1 must be int, not str$"):
        native.add_one("x")
    for args in ((), (1, 2)):
        with pytest.raises(
            TypeError, match=rf"^add_one\(\) takes 1 argument \({len(args)} given\)$"
        ):
            native.add_one(*args)
    with pytest.raises(AttributeError, match="nothing"):
        _ = native.nothing
    with pytest.raises(KeyError):
        native["nothing"]


def test_the_operator_appears(native):
    assert list(native.ops) == ["test_native.wrong", "test_native.scale"]
    assert native.scale is ffi.get_op("test_native.scale")
    h.assert_same(native.scale([1.0, 2.0], factor=3), onp.array([3.0, 6.0]))
    h.assert_same(native.scale.bind(factor=4)(np.ones(2)), onp.full(2, 4.0))
    assert "x times factor." in native.scale.__doc__
    h.assert_same(ffi.get_global_func("test_native.scale")(np.ones(1)), onp.full(1, 2.0))


def test_a_name_that_is_taken_fails_the_load(native):
    source = SOURCE[SOURCE.index("Tensor scale(") : SOURCE.index("TVM_FFI_STATIC_INIT_BLOCK")]
    with pytest.raises(ValueError, match=r"test_native\.scale is registered already"):
        ffi.load_inline("again", "#include <isthmus/op.h>\nusing namespace tvm::ffi;\n" + source)


def test_a_source_that_does_not_compile(native):
    with pytest.raises(RuntimeError, match="compiling module 'broken' failed"):
        ffi.load_inline("broken", "int f( {", ["f"])


def test_errors_bring_their_frames(native):
    with pytest.raises(IndexError, match=r"^code 7$") as caught:
        native.fail(7)
    assert any("fail" in f.name for f in traceback.extract_tb(caught.value.__traceback__))


def test_cpp_may_catch_what_python_raised(native):
    def f():
        raise OverflowError("too much")

    assert native.catch_and_call(f, lambda *args: args) == ("OverflowError", "too much")


# --- Functions that C++ keeps, and its threads --------------------------------------------------


def test_a_function_kept_by_cpp(native):
    class Callable:
        def __call__(self, x):
            return x * 2

    f = Callable()
    dead = weakref.ref(f)
    native.keep(f)
    del f
    gc.collect()
    assert native.call_kept(21) == 42
    native.drop_kept()
    gc.collect()
    assert dead() is None


def test_threads_of_cpp_call_python(native):
    seen = []

    def f(x):
        seen.append(threading.get_ident())
        return [x]

    assert native.on_thread(f, 3) == [3]
    assert seen[0] != threading.get_ident()

    error = KeyError("from a thread")

    def g(x):
        raise error

    with pytest.raises(KeyError) as caught:
        native.on_thread(g, 1)
    assert caught.value is error


def test_python_threads_call_at_once(native):
    results = [None] * 4

    def work(i):
        results[i] = [native.on_thread(lambda x: x + i, k) for k in range(20)]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [[k + i for k in range(20)] for i in range(4)]


# --- Objects ------------------------------------------------------------------------------------


def test_fields_and_methods(native):
    p = native.make_point(1, 2.5)
    assert isinstance(p, ffi.Object)
    assert type(p).__name__ == "Point"
    assert (p.x, p.y, p.label, p.items) == (1, 2.5, "new", None)
    p.x, p.label, p.items = 5, "a longer label", [1, 2]
    assert (p.x, p.label, p.items) == (5, "a longer label", [1, 2])
    assert p.sum(1) == 8
    assert type(p).twice(4) == 8
    assert type(p).__annotations__["x"] == "int"
    assert type(p).x.__doc__ == "Abscissa."
    with pytest.raises(AttributeError, match="read-only"):
        p.y = 1.0
    with pytest.raises(TypeError):
        p.x = "no number"
    with pytest.raises(AttributeError):
        del p.x
    with pytest.raises(AttributeError):
        p.nothing = 1
    assert "5" in repr(p)


def test_equality_and_copies(native):
    p, q = native.make_point(1, 2.0), native.make_point(1, 2.0)
    assert p == q
    assert hash(p) == hash(q)
    assert not p.same_as(q)
    q.x = 3
    assert p != q
    for twin in (copy.copy(p), copy.deepcopy(p)):
        assert type(twin) is type(p)
        assert twin == p
        assert not twin.same_as(p)
        twin.x = 9
        assert p.x == 1
    assert p != 1


def test_inheritance_and_construction(native):
    p = native.make_point3(1, 2.0, 3)
    cls = type(p)
    assert issubclass(cls, type(native.make_point(1, 1.0)))
    assert (p.x, p.z, p.sum(0)) == (1, 3, 3)
    made = cls(4, 5.0, 6)
    assert (made.x, made.y, made.z) == (4, 5.0, 6)
    with pytest.raises(TypeError):
        cls("x")
    with pytest.raises(TypeError):
        cls.__base__.x.__get__(np.ones(1))

    class Mine(cls):
        def __init__(self, z):
            super().__init__(0, 0.0, z)
            self.extra = "python's"

        def length(self):
            return abs(self.z)

    mine = Mine(-7)
    assert (mine.length(), mine.extra, copy.copy(mine).extra) == (7, "python's", "python's")
    assert ffi.get_global_func("isthmus.testing.echo")(mine).z == -7


def test_a_class_that_was_not_initialised(native):
    cls = type(native.make_point(1, 1.0))
    empty = cls.__new__(cls)
    assert "not initialised" in repr(empty)
    with pytest.raises(TypeError):
        _ = empty.x
    assert empty != native.make_point(0, 0.0)


def test_a_class_of_ones_own(native):
    @ffi.register_object("test_native.Point")
    class Named(ffi.Object):
        def norm(self):
            return abs(self.x)

    p = native.make_point(-3, 1.0)
    assert type(p) is Named
    assert p.norm() == 3
    assert p.sum(0) == -2
    with pytest.raises(ValueError, match="no FFI type"):
        ffi.register_object("test_native.Nothing", Named)
    with pytest.raises(TypeError, match="derive"):
        ffi.register_object("test_native.Point", int)


# --- Messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (([1.0], "x", None), "argument 2 ('limit') must be float, not str"),
        (([1.0], [2], None), "argument 2 ('limit') must be float, not list"),
        (([1.0], 2, 5), "argument 3 ('note') must be str | None, not int"),
        ((5, 2, None), "argument 1 ('values') must be list[float], not int"),
        (
            ([1, None], 2, None),
            "argument 1 ('values') must be list[float], not list with None at 1",
        ),
        (({}, 2, None), "argument 1 ('values') must be list[float], not dict"),
        ((np.ones(2), 2, None), "argument 1 ('values') must be list[float], not ndarray"),
        (([1.0], 1j, None), "argument 2 ('limit') must be float, not complex"),
        ((), "takes 3 arguments (0 given)"),
        (([1.0], 1.0, None, 1), "takes 3 arguments (4 given)"),
    ],
    ids=str,
)
def test_a_function_with_named_parameters_says_which(native, args, message):
    f = ffi.get_global_func("test_native.count_above")
    assert f([1.0, 2.0, 3.0], 1.5, None) == 2
    with pytest.raises(TypeError) as caught:
        f(*args)
    said = str(caught.value).replace(" index 1", " 1")
    assert said.replace("()", "", 1).removeprefix("test_native.count_above ") == message


def test_messages_of_functions_without_names(native):
    with pytest.raises(
        TypeError, match=r"of_map\(\) argument 1 must be dict\[str, int\], not list"
    ):
        native.of_map([], 1)
    with pytest.raises(TypeError, match=r"not dict with a value that is str$"):
        native.of_map({"a": "b"}, 1)
    with pytest.raises(TypeError, match=r"not dict with a key that is int$"):
        native.of_map({1: 1}, 1)


def test_an_operator_whose_function_takes_something_else(native):
    wrong = ffi.get_op("test_native.wrong")
    assert wrong({"a": 1}, x=2) == 3
    with pytest.raises(TypeError, match=r"argument 2 \('x'\) must be int, not str"):
        wrong({})
    with pytest.raises(
        TypeError, match=r"argument 1 \('factor'\) must be dict\[str, int\], not int"
    ):
        wrong(5, 1)


# --- Libraries that are none --------------------------------------------------------------------


def test_files_that_are_no_libraries(tmp_path):
    with pytest.raises(FileNotFoundError):
        ffi.load_module(tmp_path / "missing.so")
    path = tmp_path / "text.so"
    path.write_text("no library")
    with pytest.raises(RuntimeError, match="load"):
        ffi.load_module(path)
    other = tmp_path / "text.txt"
    other.write_text("")
    with pytest.raises(ValueError, match="ends in"):
        ffi.load_module(other)
    with pytest.raises(ValueError, match="identifier"):
        ffi.load_inline("no name", "")
