# SPDX-License-Identifier: Apache-2.0
"""Looks at a shared library before it is loaded: afterwards a bad one may end the process."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from isthmus import _loader

#: What `isthmus/op.h` puts into a library, with the version of the interface it was compiled for.
ABI_SYMBOL = "__isthmus_tvm_ffi_abi_"
_DYNAMIC_SYMBOLS = 11  # type of a section
_SHARED_OBJECT = 3  # type of a file
_KINDS = {1: "an object file", 2: "a program", 4: "a core dump"}

# Loads the library in a process of its own, in which everything is registered that is registered
# here: an initialiser that throws or registers a name again ends the process, and no exception
# can be made of that.
_TRIAL = """
import ctypes, json, sys
request = json.load(sys.stdin)
tvm = ctypes.CDLL(request["tvm"], mode=ctypes.RTLD_GLOBAL)
core = ctypes.CDLL(request["core"])
core.IsthmusInit.restype = ctypes.c_void_p
core.IsthmusInit(0)
for path in request["before"]:
    ctypes.CDLL(path)
class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]
found = ctypes.c_void_p()
def get(name):
    key = Bytes(name, len(name))
    tvm.TVMFFIFunctionGetGlobal(ctypes.byref(key), ctypes.byref(found))
    return key
get(b"isthmus.testing.nop")
nop = ctypes.c_void_p(found.value)
for name in request["names"]:
    key = get(name.encode("utf-8", "surrogateescape"))
    if not found.value:
        tvm.TVMFFIFunctionSetGlobal(ctypes.byref(key), nop, 0)
print("ready", flush=True)
try:
    ctypes.CDLL(request["path"])
except OSError as error:
    print(error, file=sys.stderr)
    sys.exit(3)
print("loaded")
"""


def failed(path: str, reason: str) -> RuntimeError:
    """The error for a library that cannot be loaded."""
    return RuntimeError(f"cannot load {path!r}: {reason}")


class _Symbol(NamedTuple):
    name: str
    defined: bool


def check_file(path: str, version: tuple[int, int]) -> None:
    """Refuses a file that is no module, as far as its bytes tell.

    Parameters
    ----------
    path : str
        The library.
    version : tuple of int
        Major and minor version of the tvm-ffi that is loaded.

    Raises
    ------
    RuntimeError
        For what is no shared library, was cut off, was compiled for another version of the binary
        interface, or has nothing to do with tvm-ffi.
    """
    with open(path, "rb") as file:
        data = file.read()
    if not sys.platform.startswith("linux"):
        return  # the loaders of other systems say themselves what is wrong
    if not data:
        raise failed(path, "the file is empty")
    if data[:4] != b"\x7fELF":
        raise failed(path, f"it is no shared library: it begins with {data[:8]!r}")
    if data[4:6] != b"\x02\x01" or struct.calcsize("P") != 8:  # 64 bits, little-endian
        return
    _check_elf(path, data)
    symbols = list(_symbols(data))
    for symbol in symbols:
        if symbol.name.startswith(ABI_SYMBOL):
            theirs = symbol.name.removeprefix(ABI_SYMBOL).replace("_", ".")
            ours = ".".join(map(str, version))
            if theirs != ours:
                raise failed(
                    path, f"it was compiled for version {theirs} of tvm-ffi, this is {ours}"
                )
    if symbols and not any(_belongs(symbol) for symbol in symbols):
        raise failed(
            path,
            "it is no module: it exports no function for tvm-ffi "
            "(TVM_FFI_DLL_EXPORT_TYPED_FUNC) and registers none",
        )


def _belongs(symbol: _Symbol) -> bool:
    return symbol.name.startswith("__tvm_ffi_" if symbol.defined else "TVMFFI")


def _check_elf(path: str, data: bytes) -> None:
    """Refuses an ELF file that is something else, or was cut off, on which the loader crashes."""
    if len(data) < 64:
        raise failed(path, "the file was cut off")
    (kind,) = struct.unpack_from("<H", data, 16)
    if kind != _SHARED_OBJECT:
        raise failed(path, f"it is {_KINDS.get(kind, 'no library')}, not a shared library")
    start, sections = struct.unpack_from("<QQ", data, 32)
    size, count, section_size, section_count = struct.unpack_from("<HHHH", data, 54)
    if count == 0 or size < 56:
        raise failed(path, "it is no shared library: nothing in it can be loaded")
    end = max(start + size * count, sections + section_size * section_count)
    for at in range(start, min(start + size * count, len(data) - 55), size):
        offset, length = struct.unpack_from("<Q16xQ", data, at + 8)
        end = max(end, offset + length)
    if end > len(data):
        raise failed(path, "the file was cut off")


def _symbols(data: bytes) -> Iterator[_Symbol]:
    """The dynamic symbols of an ELF file; none where its tables make no sense."""
    (start,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    try:
        table = [
            struct.unpack_from("<4xI16xQQI", data, start + size * i) for i in range(count)
        ]  # type, offset, size, linked section
        for kind, offset, length, link in table:
            if kind != _DYNAMIC_SYMBOLS:
                continue
            strings = table[link][1]
            for name, section in struct.iter_unpack("<I2xH16x", data[offset : offset + length]):
                at = strings + name
                text = data[at : data.index(b"\0", at)]
                yield _Symbol(text.decode("utf-8", "replace"), section != 0)
    except (struct.error, IndexError, ValueError):
        return


def try_elsewhere(path: str, tvm: str, before: Iterable[str], names: Iterable[str]) -> None:
    """Loads the library in a process of its own first.

    Parameters
    ----------
    path, tvm : str
        The library, and libtvm_ffi.
    before : iterable of str
        Libraries that are loaded already.
    names : iterable of str
        Names of the functions that are registered already.

    Raises
    ------
    RuntimeError
        When that process does not survive it, with what it printed.
    """
    if not sys.executable or not os.access(sys.executable, os.X_OK):
        return  # embedded: no interpreter to run
    request = {
        "path": path,
        "tvm": tvm,
        "core": _loader.find_core(),
        "before": list(before),
        "names": list(names),
    }
    try:
        run = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _TRIAL],
            input=json.dumps(request),
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            check=False,
            timeout=300,
        )
    except subprocess.TimeoutExpired:
        raise failed(path, "its initialisers did not end within 300 seconds") from None
    if not run.stdout.startswith("ready\n"):
        return  # no interpreter, or a library of before is gone: nothing is known about this one
    if run.returncode == 3:
        raise failed(path, run.stderr.strip().removeprefix(f"{path}: "))
    if run.returncode != 0 or not run.stdout.endswith("loaded\n"):
        raise failed(path, f"its initialisers end the process: {_reason(run)}")


def _reason(run: subprocess.CompletedProcess[str]) -> str:
    """The text of the exception that ended a process, or how it ended."""
    _, found, text = run.stderr.rpartition("what():")
    if found:
        return text.strip()
    if run.returncode < 0:
        return f"signal {signal.Signals(-run.returncode).name}"
    return f"it exits with code {run.returncode}"
