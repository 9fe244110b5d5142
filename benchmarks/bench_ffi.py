# SPDX-License-Identifier: Apache-2.0
"""What a call of a registered C++ function that does nothing costs, by kind of argument.

Isthmus's function takes anything. Beside it: tvm-ffi's own Python package (type-erased too), and
functions with fixed argument types by Cython, pybind11 and nanobind, compiled on the spot into
build/bench-ffi for those that are installed. A fixed type is the easier task: it is the floor.

Below them: importing an array, and a Python callable called by a C++ loop, each beside what NumPy
or Python itself takes for the same.

python benchmarks/bench_ffi.py [--only tuple] [--json F] [--plot F]
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import os
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy

import isthmus
import timing
from isthmus import np

BUILD = Path(__file__).resolve().parent.parent / "build" / "bench-ffi"

# The case's name, the call, and the statically typed function that is comparable, if there is one.
CASES = (
    ("nothing", "f()", "nop0"),
    ("int", "f(1)", "nop_int"),
    ("float", "f(1.5)", "nop_float"),
    ("bool", "f(True)", "nop_bool"),
    ("None", "f(None)", "nop_object"),
    ("str", "f('mystr')", "nop_str"),
    ("tuple of 4 ints", "f((1, 2, 3, 4))", "nop_tuple4"),
    ("list of 4 ints", "f([1, 2, 3, 4])", None),
    ("nested tuple", "f((1, (2, 3), 'a'))", None),
    ("dict", "f({'a': 1, 'b': 2})", None),
    ("slice", "f(slice_)", None),
    ("None, Ellipsis, slice", "f((None, ..., slice_))", None),
    ("array", "f(x)", "nop_object"),
    ("array, array", "f(x, y)", "nop_two_objects"),
    ("array, array, int, str", "f(x, y, 1, 'mystr')", None),
    ("NumPy scalar", "f(scalar)", None),
    ("NumPy dtype", "f(dtype)", None),
    ("NumPy array", "f(host)", None),
    ("callable", "f(call)", None),
)

# The case's name, and a call of each library for the same task.
TASKS = (
    ("import an array", {"Isthmus": "isthmus.from_numpy(host)", "tvm_ffi": "from_dlpack(host)",
                         "NumPy": "numpy.from_dlpack(host)"}),
    ("make a device", {"Isthmus": "isthmus.cpu(0)", "tvm_ffi": "device('cpu', 0)"}),
    ("index", {"Isthmus": "x[None, ..., slice_]", "NumPy": "host[None, ..., slice_]"}),
)  # fmt: skip

CYTHON = """\
# cython: language_level=3, binding=False
def nop0(): pass
def nop_int(long long a): pass
def nop_float(double a): pass
def nop_bool(bint a): pass
def nop_str(str a): pass
def nop_object(a): pass
def nop_two_objects(a, b): pass
def nop_tuple4(tuple t):
    cdef long long a = t[0], b = t[1], c = t[2], d = t[3]
"""

BINDING = """\
#include <array>
#include <string>
{includes}
namespace py = {namespace};
{module}(bench_{library}, m) {{
  m.def("nop0", []() {{}});
  m.def("nop_int", [](long long) {{}});
  m.def("nop_float", [](double) {{}});
  m.def("nop_bool", [](bool) {{}});
  m.def("nop_str", [](const {string}&) {{}});
  m.def("nop_object", [](py::handle) {{}}{none});
  m.def("nop_two_objects", [](py::handle, py::handle) {{}});
  m.def("nop_tuple4", [](const std::array<long long, 4>&) {{}});
}}
"""


def compile_extension(name: str, sources: list[str], includes: list[str]) -> ModuleType:
    """Compile a C++ extension module unless it is there already, and import it."""
    target = BUILD / (name + sysconfig.get_config_var("EXT_SUFFIX"))
    if not target.exists() or target.stat().st_mtime < Path(__file__).stat().st_mtime:
        timing.note(f"compiling {name}")
        include = [sysconfig.get_path("include"), *includes]
        flags = ["-std=c++17", "-O3", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden"]
        if sys.platform == "darwin":
            flags += ["-undefined", "dynamic_lookup"]
        command = [os.environ.get("CXX", "c++"), *flags, *(f"-I{path}" for path in include)]
        subprocess.run([*command, *sources, "-o", str(target)], check=True)
    spec = importlib.util.spec_from_file_location(name, target)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def build_cython() -> ModuleType:
    """Build the functions with Cython."""
    from Cython.Compiler import Main

    source = BUILD / "bench_cython.pyx"
    if not source.exists() or source.read_text(encoding="utf-8") != CYTHON:
        source.write_text(CYTHON, encoding="utf-8")
    output = str(source.with_suffix(".cpp"))
    Main.compile(str(source), Main.CompilationOptions(cplus=True, output_file=output))
    return compile_extension("bench_cython", [output], [])


def build_pybind11() -> ModuleType:
    """Build the functions with pybind11."""
    import pybind11

    source = BUILD / "bench_pybind11.cc"
    text = BINDING.format(
        includes="#include <pybind11/pybind11.h>\n#include <pybind11/stl.h>",
        namespace="pybind11",
        module="PYBIND11_MODULE",
        library="pybind11",
        string="std::string",
        none="",
    )
    source.write_text(text, encoding="utf-8")
    return compile_extension("bench_pybind11", [str(source)], [pybind11.get_include()])


def build_nanobind() -> ModuleType:
    """Build the functions with nanobind, its library compiled in."""
    import nanobind

    root = Path(nanobind.__file__).parent
    source = BUILD / "bench_nanobind.cc"
    headers = ("nanobind", "stl/array", "stl/string")
    text = BINDING.format(
        includes="\n".join(f"#include <nanobind/{header}.h>" for header in headers),
        namespace="nanobind",
        module="NB_MODULE",
        library="nanobind",
        string="std::string",
        none=', py::arg("a").none()',
    )
    source.write_text(text, encoding="utf-8")
    includes = [nanobind.include_dir(), str(root / "ext" / "robin_map" / "include")]
    sources = [str(source), str(root / "src" / "nb_combined.cpp")]
    return compile_extension("bench_nanobind", sources, includes)


def static_modules() -> dict[str, ModuleType]:
    """Build what is installed; say what is left out and why."""
    BUILD.mkdir(parents=True, exist_ok=True)
    found = {}
    builders: dict[str, Callable[[], ModuleType]] = {
        "Cython": build_cython,
        "pybind11": build_pybind11,
        "nanobind": build_nanobind,
    }
    for name, build in builders.items():
        try:
            found[name] = build()
        except ImportError as error:
            timing.note(f"left out: {error}")
        except (OSError, subprocess.CalledProcessError) as error:
            timing.note(f"{name} left out, it could not be compiled: {error}")
    return found


def operands() -> dict[str, Any]:
    """Return what the calls name, but for the arrays, which each library has of its own."""
    return {
        "slice_": slice(0, 100, 2),
        "scalar": numpy.float64(1.5),
        "dtype": numpy.dtype("float32"),
        "host": numpy.zeros((2, 2)),
        "call": lambda: None,
    }


def isthmus_names() -> dict[str, Any]:
    """Return the names of the calls for Isthmus."""
    nop = isthmus.ffi.get_global_func("isthmus.testing.nop")
    return {**operands(), "f": nop, "x": np.zeros((2, 2)), "y": np.zeros((2, 2))}


def tvm_ffi_names() -> dict[str, Any] | None:
    """Return the names of the calls for tvm-ffi's own Python package."""
    try:
        tvm_ffi = importlib.import_module("tvm_ffi")
        importlib.import_module("tvm_ffi.testing")  # loads the library with testing.nop
        nop = tvm_ffi.get_global_func("testing.nop")
        arrays = {name: tvm_ffi.from_dlpack(numpy.zeros((2, 2))) for name in ("x", "y")}
    except Exception as error:
        timing.note(f"tvm_ffi left out: {type(error).__name__}: {error}")
        return None
    return {**operands(), "f": nop, **arrays}


def usable(timer: Callable[[int], float]) -> bool:
    """Say whether the call works at all: not every library takes every argument."""
    try:
        timer(1)
    except Exception:
        return False
    return True


def time_calls(only: str, rounds: int) -> list[dict[str, Any]]:
    """Time CASES and return a row for each."""
    erased = {"Isthmus": isthmus_names(), "tvm_ffi": tvm_ffi_names()}
    erased = {library: names for library, names in erased.items() if names is not None}
    cases = [case for case in CASES if only in case[0]]
    static = static_modules() if cases else {}
    rows = []
    for case, call, function in cases:
        timers = {library: timing.statement_timer(call, names) for library, names in erased.items()}
        for library, module in static.items():
            if function is not None:
                names = {**operands(), "f": getattr(module, function)}
                names |= {"x": erased["Isthmus"]["x"], "y": erased["Isthmus"]["y"]}
                timers[library] = timing.statement_timer(call, names)
        timers = {library: timer for library, timer in timers.items() if usable(timer)}
        found = timing.alternate(timers, rounds=rounds, sample_seconds=1e-3)
        rows.append(print_row(case, found))
    return rows


def time_tasks(only: str, rounds: int) -> list[dict[str, Any]]:
    """Time TASKS and return a row for each."""
    names = {**isthmus_names(), "isthmus": isthmus, "numpy": numpy}
    theirs = tvm_ffi_names()
    if theirs is not None:
        tvm_ffi = importlib.import_module("tvm_ffi")
        names |= {"from_dlpack": tvm_ffi.from_dlpack, "device": tvm_ffi.device}
    rows = []
    for case, calls in TASKS:
        if only in case:
            timers = {
                library: timing.statement_timer(call, names)
                for library, call in calls.items()
                if library != "tvm_ffi" or theirs is not None
            }
            found = timing.alternate(timers, rounds=rounds, sample_seconds=1e-3)
            rows.append(print_row(case, found))
    return rows


def time_callbacks(only: str, rounds: int) -> list[dict[str, Any]]:
    """Time Python callables that a loop in C++, or one in Python, calls; return a row for each."""
    repeat = isthmus.ffi.get_global_func("isthmus.testing.repeat")
    cases: tuple[tuple[str, str, tuple[Any, ...]], ...] = (
        ("callback()", "f()", ()),
        ("callback(int)", "f(1)", (1,)),
        ("callback(array)", "f(x)", (np.zeros((2, 2)),)),
    )
    rows = []
    for case, call, given in cases:
        if only not in case:
            continue
        function = (lambda: None) if not given else (lambda a: None)
        function_of_core = isthmus.ffi.convert(function)

        def from_core(number: int, f: Any = function_of_core, given: Any = given) -> float:
            start = time.perf_counter()
            repeat(f, number, *given)
            return time.perf_counter() - start

        timers = {
            "Isthmus": from_core,
            "Python": timing.statement_timer(
                call, {"f": function, "x": given[0] if given else None}
            ),
        }
        found = timing.alternate(timers, rounds=rounds, sample_seconds=1e-3)
        rows.append(print_row(case, found))
    return rows


def print_row(case: str, found: dict[str, float]) -> dict[str, Any]:
    """Print one row as it is there; return it for JSON."""
    cells = [found.get(library, math.nan) for library in LIBRARIES]
    texts = ["-" if math.isnan(cell) else f"{cell:.1f}" for cell in cells]
    print(f"{case:<26}" + "".join(f"{text:>10}" for text in texts), flush=True)
    return {"case": case, "nanoseconds": found}


LIBRARIES = ("Isthmus", "tvm_ffi", "Cython", "pybind11", "nanobind", "NumPy", "Python")


def main() -> None:
    parser = timing.parser(__doc__, plot=True)
    parser.add_argument("--rounds", type=int, default=15, help="alternated rounds for a call")
    options = parser.parse_args()
    timing.print_environment()
    print(f"{'nanoseconds for one call':<26}" + "".join(f"{name:>10}" for name in LIBRARIES))
    rows = [
        row
        for measure in (time_calls, time_tasks, time_callbacks)
        for row in measure(options.only, options.rounds)
    ]
    if not rows:
        parser.error(f"no case contains {options.only!r}")
    timing.write_json(options.json, "ffi", rows)
    series = {
        library: [row["nanoseconds"].get(library, math.nan) for row in rows]
        for library in LIBRARIES
        if any(library in row["nanoseconds"] for row in rows)
    }
    timing.plot_bars(
        options.plot, [row["case"] for row in rows], series, "One call of a native function"
    )


if __name__ == "__main__":
    main()
