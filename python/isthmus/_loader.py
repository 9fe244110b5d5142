# SPDX-License-Identifier: Apache-2.0
"""Finds and loads libtvm_ffi without importing the Python package that carries it."""

from __future__ import annotations

import ctypes
import functools
import importlib
import importlib.util
import os
import sys
import warnings
from types import ModuleType


def library_name() -> str:
    """File name of the tvm-ffi library on this platform."""
    if sys.platform == "darwin":
        return "libtvm_ffi.dylib"
    return "tvm_ffi.dll" if sys.platform == "win32" else "libtvm_ffi.so"


def find_tvm_ffi() -> str:
    """Path of libtvm_ffi.

    Raises
    ------
    ImportError
        When the package apache-tvm-ffi is not installed, or carries no library.
    """
    spec = importlib.util.find_spec("tvm_ffi")
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(
            "isthmus needs the package apache-tvm-ffi, which is not installed: "
            "pip install 'apache-tvm-ffi>=0.1.15,<0.2'"
        )
    for folder in spec.submodule_search_locations:
        path = os.path.join(folder, "lib", library_name())
        if os.path.exists(path):
            return path
    raise ImportError(
        f"the installed apache-tvm-ffi has no {library_name()} under "
        f"{list(spec.submodule_search_locations)}"
    )


@functools.cache
def find_core() -> str:
    """Path of libisthmus.

    Raises
    ------
    ImportError
        When it is not where the package is.
    """
    name = {"darwin": "libisthmus.dylib", "win32": "isthmus.dll"}.get(sys.platform, "libisthmus.so")
    folders = list(sys.modules["isthmus"].__path__)
    # Beside the extension, which an editable install keeps elsewhere.
    try:
        spec = importlib.util.find_spec("isthmus._native")
    except (ImportError, ValueError):
        spec = None
    if spec is not None and spec.origin:
        folders.insert(0, os.path.dirname(spec.origin))
    for folder in folders:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            return path
    raise ImportError(f"there is no {name} in {folders}")


def load_tvm_ffi() -> None:
    """Loads libtvm_ffi, so that libisthmus finds it by its name."""
    ctypes.CDLL(find_tvm_ffi(), mode=ctypes.RTLD_GLOBAL)


def load_front_end() -> ModuleType:
    """Loads the front end that ISTHMUS_FFI names, and makes it `isthmus._native`.

    "native", the default, is the extension; "ctypes" is the one in pure Python, which also serves,
    with a warning, when the extension cannot be loaded.

    Raises
    ------
    ValueError
        When ISTHMUS_FFI is anything else.
    """
    choice = os.environ.get("ISTHMUS_FFI", "")
    if choice not in ("", "native", "ctypes"):
        raise ValueError(f"ISTHMUS_FFI must be 'native' or 'ctypes', got {choice!r}")
    if choice != "ctypes":
        try:
            return importlib.import_module("isthmus._native")
        except ImportError as error:
            if choice == "native":
                raise
            warnings.warn(
                f"isthmus runs on its slow front end, as its extension cannot be loaded: {error}",
                RuntimeWarning,
                stacklevel=3,
            )
    module = importlib.import_module("isthmus._ctypes")
    sys.modules["isthmus._native"] = module
    sys.modules["isthmus"]._native = module  # type: ignore[attr-defined]
    return module
