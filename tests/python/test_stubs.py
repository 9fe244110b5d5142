# SPDX-License-Identifier: Apache-2.0
"""The type stubs that are checked in are what the schemas give now."""

import importlib.util
import sys
from pathlib import Path

import pytest

import isthmus

TOOL = Path(__file__).resolve().parents[2] / "tools" / "make_stubs.py"


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("make_stubs", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_stubs_are_not_stale(tool):
    assert tool.stale() == [], "run `make stubs`"


def test_stubs_are_installed():
    package = Path(isthmus.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "_native.pyi").exists()
    assert (package / "np" / "__init__.pyi").exists()


@pytest.mark.parametrize(
    ("schema", "text", "result"),
    [
        ("(a: Array)", "self, a: ArrayLike", "ndarray"),
        ("(a: Array, /, k: int = 1) -> bool", "self, a: ArrayLike, /, k: SupportsIndex = 1",
         "builtins.bool"),
        ("(m: Array, axes: Shape = (0, 1))", "self, m: ArrayLike, axes: Shape = (0, 1)", "ndarray"),
        ("(*arys: Arrays, dtype: DType = None) -> list[Array]",
         "self, *arys: ArrayLike, dtype: DTypeLike | None = None", "list[ndarray]"),
        ("(x: Array, *, casting: str = 'a, b')", "self, x: ArrayLike, *, casting: str = 'a, b'",
         "ndarray"),
    ],
)  # fmt: skip
def test_parameters_of_a_schema(tool, schema, text, result):
    parameters = tool.Parameters(schema)
    assert parameters.text() == text
    assert parameters.result == result


def test_method_drops_the_array(tool):
    assert tool.Parameters("(a: Array, /, axis: Axes = None)").text(skip=1) == (
        "self, axis: Axes = None"
    )


def test_stale_stub_is_named(tool, monkeypatch, tmp_path):
    for name, make in tool.STUBS.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(make())
    monkeypatch.setattr(tool, "PACKAGE", tmp_path)
    assert tool.stale() == []
    path = tmp_path / "np" / "linalg.pyi"
    path.write_text(path.read_text().replace("inv", "inw", 1))
    assert tool.stale() == ["np/linalg.pyi"]
    monkeypatch.setattr(sys, "argv", ["make_stubs.py", "--check"])
    assert tool.main() == 1
