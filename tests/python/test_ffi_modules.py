# SPDX-License-Identifier: Apache-2.0
"""Files that are no modules, and modules that do not load: load_module() always raises."""

import os
import re
import shutil
import struct
import subprocess
import sys

import pytest

from isthmus import config, ffi

COMPILER = shutil.which(os.environ.get("CXX", "c++").split()[0])
pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="makes ELF files"),
    pytest.mark.skipif(COMPILER is None, reason="compiles libraries"),
]

# Enough of the C API to be a module, without headers that take seconds to compile.
PRELUDE = r"""
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
struct Bytes { const char* data; size_t size; };
extern "C" {
void TVMFFIGetVersion(uint32_t*);
typedef int (*Call)(void*, const void*, int32_t, void*);
int TVMFFIFunctionCreate(void*, Call, void (*)(void*), void**);
int TVMFFIFunctionSetGlobal(const Bytes*, void*, int);
__attribute__((visibility("default"))) int __tvm_ffi_nothing(void*, const void*, int32_t, void*) {
  uint32_t version[3];
  TVMFFIGetVersion(version);
  return 0;
}
}
static int define(const char* name, size_t size) {
  void* f = nullptr;
  TVMFFIFunctionCreate(nullptr, __tvm_ffi_nothing, nullptr, &f);
  Bytes key = {name, size};
  if (TVMFFIFunctionSetGlobal(&key, f, 0) != 0) throw std::runtime_error("the name is taken");
  return 0;
}
"""


@pytest.fixture
def compiled(tmp_path):
    def build(source, name="module.so", *flags):
        path = tmp_path / name
        run = subprocess.run(
            [COMPILER, "-std=c++17", "-shared", "-fPIC", "-x", "c++", "-", "-o", path, *flags],
            input=source,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stderr
        return path

    return build


def refuses(path, message, error=RuntimeError):
    with pytest.raises(error, match=message) as caught:
        ffi.load_module(path)
    if error is RuntimeError:
        assert str(caught.value).startswith(f"cannot load {str(path)!r}: ")
        assert type(caught.value) is RuntimeError


# --- Files --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"hello", re.escape("it begins with b'hello'")),
        (b"#include <x>\n" * 500, "no shared library"),
        (b"\x7fELF", "load"),
        (b"\x7fELF\x02\x01", "cut off"),
        (b"\x7fELF\x02\x01" + bytes(4000), "not a shared library"),
        (b"\x7fELF\x01\x01" + bytes(4000), "ELFCLASS32"),
        (b"\x7fELF\x02\x01" + bytes(10) + b"\x03\0" + bytes(4000), "nothing in it"),
        (b"\x7fELF\x02\x01" + bytes(10) + b"\x01\0" + bytes(4000), "object file"),
        (b"MZ" + bytes(100), "no shared library"),
    ],
    ids=["empty", "word", "text", "magic", "head", "zeros", "32", "bare", "object", "dll"],
)
def test_files_that_are_no_library(content, message, tmp_path):
    path = tmp_path / "library.so"
    path.write_bytes(content)
    refuses(path, message)


def test_paths_that_are_no_file(tmp_path):
    refuses(tmp_path, "directory", FileNotFoundError)
    refuses(tmp_path / "missing.so", "no library", FileNotFoundError)
    refuses(os.fsencode(tmp_path / "missing.so"), "no library", FileNotFoundError)
    refuses("a\0b.so", "null", ValueError)
    (tmp_path / "name.txt").write_text("")
    refuses(tmp_path / "name.txt", "ends in", ValueError)
    for path in (5, None, [], object()):
        with pytest.raises(TypeError):
            ffi.load_module(path)


def test_a_program(tmp_path):
    path = tmp_path / "program.so"
    shutil.copy("/bin/sh", path)
    refuses(path, "not a shared library|no module")


# --- Libraries ----------------------------------------------------------------------------------


def test_a_library_that_has_nothing_to_do_with_us(compiled):
    refuses(compiled("int answer() { return 42; }"), "no module: it exports no function")


def test_the_smallest_module(compiled):
    path = compiled(PRELUDE)
    module = ffi.load_module(path)
    assert module.ops == {}
    assert module.get_function("nothing")() is None
    assert ffi.load_module(path).ops == {}
    assert ffi.load_module(os.fsencode(path)).get_function("nothing")() is None


@pytest.mark.parametrize("program", ["/bin/true", "/bin/false", "/missing", "", None])
def test_where_no_interpreter_can_try_it(program, compiled, monkeypatch):
    monkeypatch.setattr(sys, "executable", program)
    assert ffi.load_module(compiled(PRELUDE)).get_function("nothing")() is None


def test_without_a_trial(compiled, monkeypatch):
    path = compiled(PRELUDE)
    monkeypatch.setattr(subprocess, "run", None)
    assert ffi.load_module(path, trial=False).get_function("nothing")() is None


def test_a_module_that_was_cut_off_anywhere(compiled, tmp_path):
    whole = compiled(PRELUDE).read_bytes()
    for k in range(40):
        path = tmp_path / "cut.so"
        path.write_bytes(whole[: len(whole) * k // 40])
        refuses(path, "cut off|empty|load")


def test_a_module_with_bytes_changed(compiled, tmp_path):
    # Tables that point anywhere: refused, or loaded, in another process first.
    whole = bytearray(compiled(PRELUDE).read_bytes())
    for at in [16, 18, 32, 40, 54, 56, 58, 60, 62, *range(64, 400, 24)]:
        changed = bytearray(whole)
        changed[at : at + 8] = struct.pack("<Q", 0xFFFFFFFFFFFFFF7F)
        path = tmp_path / f"changed{at}.so"
        path.write_bytes(changed)
        load = f"try: ffi.load_module({str(path)!r})\nexcept RuntimeError: pass"
        code = f"from isthmus import ffi\n{load}"
        run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True)
        assert run.returncode == 0, (at, run.stderr)


@pytest.mark.parametrize("mode", ["called", "taken"])
def test_symbols_that_nobody_has(mode, compiled):
    use = {"called": "int f() { return nowhere(); }", "taken": "int (*f)() = nowhere;"}[mode]
    refuses(compiled(PRELUDE + 'extern "C" int nowhere();' + use), "undefined symbol: nowhere")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (
            'static int a = [] { throw std::runtime_error("of the initialiser"); return 0; }();',
            "of the initialiser",
        ),
        ("static int a = (std::abort(), 0);", "SIGABRT"),
        (
            "static int a = *static_cast<volatile int*>(nullptr);",
            "SIGSEGV|code 1",
        ),  # a sanitizer exits
        ("static int a = (std::exit(0), 0);", "exits with code 0"),
        ('static int a = define("twice", 5), b = define("twice", 5);', "the name is taken"),
        ('static int a = define("isthmus.np.add", 14);', "the name is taken"),
    ],
    ids=["throws", "aborts", "crashes", "exits", "doubles", "takes"],
)
def test_initialisers_that_end_the_process(source, message, compiled):
    refuses(compiled(PRELUDE + source), f"initialisers end the process: .*{message}")


def test_names_that_were_taken_in_this_process(compiled):
    ffi.register_func("test_modules.name", lambda: 1)
    source = PRELUDE + 'static int a = define("test_modules.name", 17);'
    refuses(compiled(source), "the name is taken")
    ffi.remove_global_func("test_modules.name")
    first = ffi.load_module(compiled(source))
    assert first.ops == {}
    refuses(compiled(source, "again.so"), "the name is taken")
    ffi.remove_global_func("test_modules.name")


def test_a_module_for_another_version(compiled):
    major, minor, _ = version = (0, 7, 0)
    source = PRELUDE + f'extern "C" char __isthmus_tvm_ffi_abi_{major}_{minor}; '
    source += f"char __isthmus_tvm_ffi_abi_{major}_{minor} = 0;"
    refuses(compiled(source), rf"compiled for version {version[0]}\.{version[1]} of tvm-ffi, this")


# --- Operators ----------------------------------------------------------------------------------

OPERATORS = r"""
#include <isthmus/op.h>
int64_t same(int64_t a) { return a; }
ISTHMUS_REGISTER_OP("test_modules.good", "(a: int) -> int", "a.", same);
ISTHMUS_REGISTER_OP(NAME, SIGNATURE, "a.", same);
"""


def test_operators_that_cannot_be_registered(compiled):
    flags = [*config.cflags(), '-DNAME="test_modules.bad"', '-DSIGNATURE="(a: Nope)"']
    path = compiled(OPERATORS, "bad.so", *flags)
    with pytest.raises(ValueError, match=r"operator test_modules.bad: .*unknown type 'Nope'"):
        ffi.load_module(path)
    assert ffi.get_op("test_modules.good")(5) == 5
    # It names the version it was compiled for.
    with open(path, "rb") as file:
        assert b"__isthmus_tvm_ffi_abi_0_1\0" in file.read()
    flags = [*config.cflags(), '-DNAME="test_modules.new"', '-DSIGNATURE="(a: int)"']
    with pytest.raises(ValueError, match=r"operator test_modules.good: .*registered already"):
        ffi.load_module(compiled(OPERATORS, "double.so", *flags))
    assert ffi.get_op("test_modules.new")(6) == 6
