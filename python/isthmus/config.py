# SPDX-License-Identifier: Apache-2.0
"""What a compiler, or the loader of another language, needs to use Isthmus from outside Python.

cc program.c $(python -m isthmus.config --cflags --libs)
luajit program.lua "$(python -m isthmus.config --library)"
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys

from isthmus import _loader
from isthmus.ffi._module import include_dirs


def library() -> str:
    """Path of libisthmus. It finds libtvm_ffi, which it is linked to, by itself."""
    return _loader.find_core()


def library_dirs() -> list[str]:
    """Directories of the libraries to link: libisthmus's and libtvm_ffi's."""
    return [os.path.dirname(library()), os.path.dirname(_loader.find_tvm_ffi())]


def cflags() -> list[str]:
    """Flags of the compiler: the directories of the headers. C++ needs -std=c++17 or newer too."""
    return [f"-I{path}" for path in include_dirs()]


def libs() -> list[str]:
    """Flags of the linker; the program then finds both libraries where they are now."""
    flags = [f"-L{path}" for path in library_dirs()]
    flags += [f"-Wl,-rpath,{path}" for path in library_dirs()]
    return [*flags, "-listhmus", "-ltvm_ffi"]


def main(argv: list[str] | None = None) -> int:
    """Prints what was asked for on one line, quoted for a shell."""
    parser = argparse.ArgumentParser(
        prog="python -m isthmus.config",
        description="Flags and paths for programs that use Isthmus without Python.",
    )
    for option, text in {
        "--includedir": "directories of the headers",
        "--libdir": "directories of the libraries",
        "--cflags": "flags of the compiler",
        "--libs": "flags of the linker",
        "--library": "path of libisthmus",
    }.items():
        parser.add_argument(option, action="store_true", help=text)
    asked = parser.parse_args(argv)
    words: list[str] = []
    if asked.includedir:
        words += include_dirs()
    if asked.libdir:
        words += library_dirs()
    if asked.cflags:
        words += cflags()
    if asked.libs:
        words += libs()
    if asked.library:
        words.append(library())
    if not words:
        parser.error("say what is wanted, for example --cflags --libs")
    print(shlex.join(words))
    return 0


if __name__ == "__main__":
    sys.exit(main())
