# SPDX-License-Identifier: Apache-2.0
"""Compiles C++ text into a library, and keeps what was compiled."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any

# Runs in a process of its own: tvm_ffi imports torch where that is installed, and a user of
# Isthmus need not have it in memory.
_BUILD = """
import json, sys
sys.modules["torch"] = None
from tvm_ffi.cpp import build_inline
request = json.load(sys.stdin)
print(build_inline(**request))
"""


def library(request: dict[str, Any], cache: str) -> str:
    """Path of the library of a request (arguments of tvm_ffi.cpp.build_inline), compiled or kept.

    Raises
    ------
    RuntimeError
        When the compiler fails, with what it printed.
    """
    versions = [
        importlib.metadata.version("apache-tvm-ffi"),
        sys.version,
        os.environ.get("CXX", ""),
    ]
    digest = hashlib.sha256(json.dumps([request, versions], sort_keys=True).encode()).hexdigest()[
        :24
    ]
    folder = os.path.join(cache, f"{request['name']}-{digest}")
    return _kept(folder) or _compile(folder, request)


def _kept(folder: str) -> str | None:
    """The library that was compiled into the folder before, if it is there still."""
    try:
        with open(os.path.join(folder, "path.txt"), encoding="utf-8") as file:
            path = file.read()
    except FileNotFoundError:
        return None
    return path if os.path.isfile(path) else None


def _compile(folder: str, request: dict[str, Any]) -> str:
    os.makedirs(folder, exist_ok=True)
    # One of its own: other processes and threads may compile the same.
    build = tempfile.mkdtemp(prefix="build-", dir=folder)
    # ninja may be in the environment of this interpreter only.
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])
    run = subprocess.run(
        [sys.executable, "-c", _BUILD],
        env={**os.environ, "PATH": path},
        input=json.dumps({**request, "build_directory": build}),
        capture_output=True,
        text=True,
        check=False,
    )
    if run.returncode != 0:
        shutil.rmtree(build, ignore_errors=True)
        raise RuntimeError(
            f"compiling module {request['name']!r} failed:\n{run.stdout}{run.stderr}".rstrip()
        )
    library = run.stdout.strip().splitlines()[-1]
    # Written last and in one step, for others that look meanwhile.
    marker = os.path.join(build, "path.txt")
    with open(marker, "w", encoding="utf-8") as file:
        file.write(library)
    os.replace(marker, os.path.join(folder, "path.txt"))
    return library
