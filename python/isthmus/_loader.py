# SPDX-License-Identifier: Apache-2.0
"""Finds and loads libtvm_ffi without importing the Python package that carries it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys


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


def load_tvm_ffi() -> None:
    """Loads libtvm_ffi, so that libisthmus finds it by its name."""
    ctypes.CDLL(find_tvm_ffi(), mode=ctypes.RTLD_GLOBAL)
