# SPDX-License-Identifier: Apache-2.0
"""A C++ library and Python that work against each other: nothing crashes, hangs or is lost."""

import copy
import gc
import os
import shutil
import subprocess
import sys
import textwrap
import threading
import warnings

import numpy as onp
import pytest

import helpers as h
import isthmus
from isthmus import ffi, np

SOURCE = r"""
#include <tvm/ffi/container/array.h>
#include <tvm/ffi/container/map.h>
#include <tvm/ffi/container/tensor.h>
#include <tvm/ffi/error.h>
#include <tvm/ffi/reflection/registry.h>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

using namespace tvm::ffi;

class BoxObj : public Object {
 public:
  int64_t n = 0;
  bool flag = false;
  double d = 0;
  Bytes bytes;
  DLDataType dtype{kDLFloat, 32, 1};
  DLDevice device{kDLCPU, 0};
  Optional<Tensor> tensor;
  Optional<Function> f;
  Optional<ObjectRef> next;
  Array<Any> list;
  Map<String, int64_t> map;
  Any any;
  explicit BoxObj(int64_t n) : n(n) {
    if (n < 0) TVM_FFI_THROW(ValueError) << "n must not be negative";
  }
  explicit BoxObj(UnsafeInit) {}
  int64_t Get() const { return n; }
  static constexpr bool _type_mutable = true;
  TVM_FFI_DECLARE_OBJECT_INFO_FINAL("test_hostile.Box", BoxObj, Object);
};
TVM_FFI_STATIC_INIT_BLOCK() {
  namespace refl = tvm::ffi::reflection;
  refl::ObjectDef<BoxObj>()
      .def(refl::init<int64_t>())
      .def_rw("n", &BoxObj::n)
      .def_rw("flag", &BoxObj::flag)
      .def_rw("d", &BoxObj::d)
      .def_rw("bytes", &BoxObj::bytes)
      .def_rw("dtype", &BoxObj::dtype)
      .def_rw("device", &BoxObj::device)
      .def_rw("tensor", &BoxObj::tensor)
      .def_rw("f", &BoxObj::f)
      .def_rw("next", &BoxObj::next)
      .def_rw("list", &BoxObj::list)
      .def_rw("map", &BoxObj::map)
      .def_rw("any", &BoxObj::any)
      .def("get", &BoxObj::Get);
}
static Function kept;
void keep(Function f) { kept = f; }
ObjectRef box(int64_t n) { return ObjectRef(make_object<BoxObj>(n)); }
Any call_n(Function f, int64_t n) {
  Any result;
  for (int64_t i = 0; i < n; ++i) result = f(i);
  return result;
}
Array<int64_t> shape_after(TensorView x, Function f) {
  f();
  return Array<int64_t>(x.shape().begin(), x.shape().end());
}
void call_ignoring_errors(const Function& f, int64_t k, int64_t n) {
  for (int64_t i = 0; i < n; ++i) {
    try {
      f(k, i);
    } catch (const Error&) {
    }
  }
}
void on_threads(Function f, int64_t threads, int64_t n) {
  std::vector<std::thread> all;
  for (int64_t k = 0; k < threads; ++k) all.emplace_back(call_ignoring_errors, f, k, n);
  for (std::thread& t : all) t.join();
}
void detached(Function f, int64_t n) { std::thread(call_ignoring_errors, f, 0, n).detach(); }
void throw_std(int64_t kind) {
  if (kind == 0) throw std::bad_alloc();
  throw std::runtime_error("of the standard library");
}
String not_utf8() { return String("\xff\xfe is no text"); }
DLDataType dtype(int64_t code, int64_t bits, int64_t lanes) {
  return {static_cast<uint8_t>(code), static_cast<uint8_t>(bits), static_cast<uint16_t>(lanes)};
}
void* pointer() { return reinterpret_cast<void*>(0x10); }
Map<Any, Any> map() { return {{1, String("x")}, {String("k"), Array<int64_t>{1, 2}}}; }
"""
FUNCTIONS = [
    "keep", "box", "call_n", "shape_after", "on_threads", "detached", "throw_std", "not_utf8",
    "dtype", "pointer", "map",
]  # fmt: skip

needs_compiler = pytest.mark.skipif(
    shutil.which("ninja", path=os.path.dirname(sys.executable) + ":" + os.environ["PATH"]) is None,
    reason="load_inline builds with ninja",
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ISTHMUS_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def native(cache):
    return ffi.load_inline("test_hostile", SOURCE, FUNCTIONS)


# --- Calls --------------------------------------------------------------------------------------


@needs_compiler
def test_an_array_reshaped_during_the_call_is_the_old_one_to_cpp(native):
    a = np.arange(6.0)
    assert native.shape_after(a, lambda: setattr(a, "shape", (2, 3))) == [6]
    assert a.shape == (2, 3)


@needs_compiler
def test_exceptions_of_the_standard_library(native):
    with pytest.raises(MemoryError):
        native.throw_std(0)
    with pytest.raises(RuntimeError, match="of the standard library"):
        native.throw_std(1)


@needs_compiler
def test_results_that_python_has_no_form_of(native):
    with pytest.raises(UnicodeDecodeError):
        native.not_utf8()
    assert native.dtype(2, 64, 1) == onp.dtype("f8")
    assert native.dtype(0, 4, 3) == "int4x3"
    assert native.pointer().value == 16
    assert native.map() == {1: "x", "k": [1, 2]}


@needs_compiler
def test_calls_count_their_references(native):
    value, f = object(), lambda i: value
    gc.collect()
    before = sys.getrefcount(value), sys.getrefcount(f)
    for _ in range(300):
        assert native.call_n(f, 3) is value
        box = native.box(1)
        box.f, box.any = f, [value, {"k": value}]
    del box
    gc.collect()
    assert (sys.getrefcount(value), sys.getrefcount(f)) == before


@needs_compiler
def test_recursion_through_cpp(native):
    def f(depth):
        return native.call_n(lambda i: f(depth - 1), 1) if depth else "end"

    assert f(30) == "end"
    with pytest.raises(RecursionError):
        f(-1)


@needs_compiler
def test_an_interrupt_ends_a_loop_of_cpp(native):
    seen = []

    def f(i):
        seen.append(i)
        if i == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        native.call_n(f, 10**9)
    assert seen == [0, 1, 2, 3]


# --- Threads ------------------------------------------------------------------------------------


@needs_compiler
def test_many_threads_of_cpp_call_python(native):
    seen = []

    def f(k, i):
        seen.append((k, i))
        if i % 3 == 0:
            raise ValueError(seen)
        return [k, {"i": i}]

    native.on_threads(f, 4, 100)
    assert sorted(seen) == [(k, i) for k in range(4) for i in range(100)]


@needs_compiler
def test_a_thread_of_cpp_outlives_the_call_and_the_function(native):
    done = threading.Event()

    def f(k, i):
        if i == 99:
            done.set()

    native.detached(f, 100)
    del f
    assert done.wait(60)


EXITS = {
    "kept": "class A:\n    def __call__(self): return 1\nm.keep(A())",
    "cycle": "b = m.box(1)\nb.any = b\nb.f = lambda: b\nm.keep(b.f)",
    "detached": """
        import threading
        ready = threading.Event()
        def f(k, i):
            ready.set()
            if i % 2: raise ValueError
            return [object()]
        for _ in range(3): m.detached(f, 2**62)
        ready.wait()
    """,
    "waiting for C++": """
        import threading, time
        ready = threading.Event()
        def f(k, i): ready.set(); time.sleep(0)
        threading.Thread(target=lambda: m.on_threads(f, 3, 2**62), daemon=True).start()
        ready.wait()
    """,
}


@needs_compiler
@pytest.mark.parametrize("program", EXITS, ids=lambda p: p.replace(" ", "_"))
def test_the_interpreter_ends_while_cpp_holds_python(native, program):
    path = next(m for m in open_libraries() if "test_hostile" in m)
    text = f"from isthmus import ffi\nm = ffi.load_module({path!r})\n"
    run = subprocess.run(
        [sys.executable, "-c", text + textwrap.dedent(EXITS[program])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (0, ""), run.stderr


def open_libraries():
    with open("/proc/self/maps", encoding="utf-8") as file:
        return {line.split(maxsplit=5)[5].strip() for line in file if line.count("/")}


@needs_compiler
def test_a_forked_process_calls_on(native):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # threads of other tests may live
        pid = os.fork()
    if pid == 0:
        code = 1
        try:
            native.on_threads(lambda k, i: None, 2, 5)
            code = 0 if native.call_n(lambda i: i, 3) == 2 else 2
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0


# --- Fields -------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize(
    ("field", "value", "result"),
    [
        ("n", True, 1),
        ("n", onp.int32(7), 7),
        ("flag", 1, True),
        ("d", 1, 1.0),
        ("bytes", bytearray(b"a\0"), b"a\0"),
        ("dtype", "float16", onp.dtype("f2")),
        ("dtype", onp.int8, onp.dtype("i1")),
        ("device", isthmus.cpu(0), isthmus.cpu(0)),
        ("tensor", None, None),
        ("f", len, len),
        ("list", [1, "x", (2,)], [1, "x", (2,)]),
        ("map", {"a": 1}, {"a": 1}),
        ("any", {"x": [1]}, {"x": [1]}),
    ],
    ids=str,
)
def test_fields_take_what_converts(native, field, value, result):
    box = native.box(0)
    setattr(box, field, value)
    assert getattr(box, field) == result


@needs_compiler
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 2**70),
        ("n", 1.5),
        ("n", None),
        ("flag", "x"),
        ("d", "x"),
        ("dtype", 5),
        ("device", 5),
        ("tensor", [1]),
        ("f", 5),
        ("next", 5),
        ("list", 5),
        ("map", {"a": "b"}),
        ("map", {1: 1}),
    ],
    ids=str,
)
def test_fields_refuse_what_does_not(native, field, value):
    box = native.box(0)
    before = getattr(box, field)
    with pytest.raises((TypeError, ValueError)):
        setattr(box, field, value)
    assert getattr(box, field) == before


@needs_compiler
def test_an_object_that_is_initialised_while_a_field_is_set(native):
    box = native.box(1)

    class Initialises:
        def __dlpack__(self, **keywords):
            type(box).__init__(box, 9)
            return onp.ones(2).__dlpack__(**keywords)

        def __dlpack_device__(self):
            return (1, 0)

    box.any = Initialises()
    assert box.n == 9
    h.assert_same(box.any, onp.ones(2))


@needs_compiler
def test_an_object_that_refers_to_itself(native):
    box = native.box(5)
    box.next = box
    assert "..." in repr(box)
    twin = copy.deepcopy(box)
    assert (twin.n, twin.next.same_as(twin), twin.same_as(box)) == (5, True, False)
    assert hash(box) == hash(box)
    box.next = twin.next = None


@needs_compiler
def test_methods_and_constructors_of_other_objects(native):
    cls = type(native.box(1))
    for call in (
        lambda: cls.get(5),
        lambda: cls.get(native.map()),
        lambda: cls.n.__get__(native.map()),
        lambda: cls.__new__(cls).get(),
        lambda: cls(1, 2),
        lambda: cls("x"),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match=r"Box\(\) takes positional arguments only"):
        cls(n=1)
    with pytest.raises(ValueError, match="negative"):
        cls(-1)
    with pytest.raises(TypeError, match=r"lay-?out"):
        type("Both", (cls, list), {})


# --- Libraries ----------------------------------------------------------------------------------


@needs_compiler
def test_threads_that_compile_the_same_source(cache):
    modules = []

    def work():
        modules.append(ffi.load_inline("same", "int one() { return 1; }", "one"))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert [m.one() for m in modules] == [1, 1]
    again = ffi.load_inline("same", "int one() { return 1; }", "one")
    assert again.one() == 1


@needs_compiler
def test_a_library_that_exports_nothing(cache):
    with pytest.raises(RuntimeError, match="no module: it exports no function"):
        ffi.load_inline("nothing", "int a = 1;")
    module = ffi.load_inline("little", "int a = 1; int b() { return 2; }", ["b"])
    assert module.ops == {}
    with pytest.raises(AttributeError, match="no function named 'a'"):
        _ = module.a


@needs_compiler
@pytest.mark.parametrize("size", [0, 3, 70, 5000, 20_000])
def test_a_library_that_was_cut_off(native, tmp_path, size):
    whole = next(m for m in open_libraries() if "test_hostile" in m)
    path = tmp_path / "cut.so"
    with open(whole, "rb") as file:
        path.write_bytes(file.read(size))
    with pytest.raises(RuntimeError, match=r"cut off|load"):
        ffi.load_module(path)


@pytest.mark.parametrize(
    ("args", "error"),
    [((5, ""), ValueError), (("x", 5), TypeError), (("x", ["a", 5]), TypeError)],
    ids=str,
)
def test_sources_that_are_no_text(args, error):
    with pytest.raises(error):
        ffi.load_inline(*args)
