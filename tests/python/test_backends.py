# SPDX-License-Identifier: Apache-2.0
"""The choice of the front end: the extension, or the one in pure Python."""

import os
import subprocess
import sys

import pytest

BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name == "isthmus._native":
            raise ImportError("no extension here")
sys.meta_path.insert(0, Blocker())
"""
REPORT = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import isthmus
from isthmus import np
print(isthmus.ffi.backend, len(caught), *[w.message for w in caught])
print((np.ones((2, 3)) + 1).sum().tolist(), type(np.ones(1)).__name__, isthmus._native.__name__)
"""


def run(choice, program):
    environment = {k: v for k, v in os.environ.items() if k != "ISTHMUS_FFI"}
    if choice is not None:
        environment["ISTHMUS_FFI"] = choice
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False,
        env=environment,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("choice", "backend"), [(None, "native"), ("", "native"), ("native", "native"), ("ctypes",) * 2]
)
def test_the_front_end_that_was_asked_for(choice, backend):
    found = run(choice, REPORT)
    module = "isthmus._native" if backend == "native" else "isthmus._ctypes"
    assert found.stdout == f"{backend} 0\n12.0 ndarray {module}\n", found.stderr


def test_without_the_extension_the_other_serves_with_a_warning():
    found = run(None, BLOCKED + REPORT)
    assert found.stdout.startswith("ctypes 1 isthmus runs on its slow front end"), found.stderr
    assert "no extension here" in found.stdout
    assert "12.0 ndarray isthmus._ctypes" in found.stdout


def test_native_alone_asks_for_the_extension():
    found = run("native", BLOCKED + REPORT)
    assert found.returncode == 1
    assert found.stderr.endswith("ImportError: no extension here\n")


@pytest.mark.parametrize("choice", ["cython", "Native", "0"])
def test_other_names_are_refused(choice):
    found = run(choice, "import isthmus")
    assert found.returncode == 1
    assert f"ISTHMUS_FFI must be 'native' or 'ctypes', got '{choice}'" in found.stderr
