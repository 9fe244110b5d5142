# SPDX-License-Identifier: Apache-2.0
"""Writes the type stubs of the package: operators from their schemas, the rest as it is found.

python tools/make_stubs.py            writes them
python tools/make_stubs.py --check    fails when one of those checked in is stale

What comes from official NumPy (fallbacks and classes) depends on its release; each stub names the
one it was made with, and --check compares that part with the same release only.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy

from isthmus import _methods, np
from isthmus.ffi import get_global_func, get_op
from isthmus.np import _functions

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "python" / "isthmus"
BASE = Path(__file__).resolve().parent / "stubs" / "_native.pyi"
RELEASE = ".".join(numpy.__version__.split(".")[:2])
HEAD = "# SPDX-License-Identifier: Apache-2.0\n# Made by tools/make_stubs.py. Do not edit.\n"
#: Ends the part of a stub that comes from schemas.
HOST_MARK = "# From NumPy "

#: The Python type of each schema type.
TYPES = {
    "Array": "ArrayLike",
    "Array?": "ArrayLike | None",
    "Arrays": "Sequence[Any] | ArrayLike",
    "Shape": "Shape",
    "Axes": "Axes",
    "DType": "DTypeLike | None",
    "bool": "builtins.bool",
    "int": "SupportsIndex",
    "int?": "SupportsIndex | None",
    "float": "float",
    "str": "str",
    "str?": "str | None",
    "Out": "Out",
    "Any": "Any",
}
#: Binary slots of ndarray that have a reflected and an in-place form.
ARITHMETIC = (
    *("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul"),
    *("lshift", "rshift", "and", "or", "xor"),
)


def returned(text: str) -> str:
    """The Python type of the results of a schema."""
    return re.sub(r"\bArray\b", "ndarray", text).replace("bool", "builtins.bool")


class Parameters:
    """The parameters of one schema text such as "(x: Array, /, out: Out = None) -> Array"."""

    def __init__(self, schema: str) -> None:
        inside, _, result = schema.partition("->")
        self.result = returned(result.strip() or "Array")
        # Split at commas outside brackets and quotes.
        self.rows = re.findall(r"(?:[^,('\"]|\([^)]*\)|'[^']*')+", inside.strip()[1:-1])
        self.rows = [row.strip() for row in self.rows if row.strip()]

    @staticmethod
    def _typed(row: str) -> str:
        if row in "*/":
            return row
        name, _, rest = row.partition(": ")
        kind, _, default = rest.partition(" = ")
        kind = "Array" if name.startswith("*") else kind  # each of *arrays
        return f"{name}: {TYPES[kind]}" + (f" = {default}" if default else "")

    def text(self, skip: int = 0) -> str:
        """`self` and the parameters after the first `skip`, typed."""
        rows = [self._typed(row) for row in self.rows[skip:]]
        if rows and rows[0] == "/":  # the array itself was positional-only
            rows = rows[1:]
        if rows and rows[-1] == "*":
            rows = rows[:-1]
        return ", ".join(["self", *rows])


def operators_of(prefix: str) -> dict[str, Any]:
    """Operators of one namespace by their names in it."""
    names = [str(name) for name in get_global_func("isthmus.list_ops")()]
    inside = [n for n in names if n.startswith(prefix) and "." not in n[len(prefix) :]]
    return {name[len(prefix) :]: get_op(name) for name in sorted(inside)}


def summary(op: Any) -> str:
    """The first line of an operator's documentation, as a docstring."""
    line = (op.__doc__ or "").partition("\n\n")[2].strip().partition("\n")[0]
    return '    """' + line.replace("\\", "\\\\").replace('"""', "'''") + '"""'


def class_name(name: str) -> str:
    """The class that stands for the operator `name` in a stub."""
    return "_" + "".join(part.capitalize() for part in name.split("_")) + "Op"


def operator_stubs(operators: dict[str, Any]) -> list[str]:
    """One class for each signature, and a variable of it for each operator."""
    classes: dict[tuple[str, str, str], str] = {}
    lines: list[str] = []
    variables: list[str] = []
    for name, op in operators.items():
        parameters = Parameters(op.schema)
        base = "Ufunc" if is_ufunc(op) else "Op"
        result = parameters.result
        key = (base, parameters.text(), result)
        if key not in classes:
            classes[key] = class_name(name)
            lines += [
                "@final",
                f"class {classes[key]}({base}):",
                f"    def __call__({key[1]}) -> {result}: ...",
                "",
            ]
        variables += [f"{name}: {classes[key]}", summary(op).strip()]
    return lines + variables


def is_ufunc(op: Any) -> bool:
    """Whether an operator is element-wise."""
    try:
        return op.nin > 0
    except AttributeError:
        return False


def host_stubs(namespace: ModuleType, names: Iterable[str]) -> list[str]:
    """Names that are NumPy's own, or run in NumPy."""
    lines = [f"{HOST_MARK}{RELEASE}:"]
    for name in sorted(names):
        found = getattr(namespace, name)
        if isinstance(found, ModuleType):
            continue
        if isinstance(found, type) or (callable(found) and found is numpy.__dict__.get(name)):
            module = getattr(found, "__module__", "numpy")
            source = module if module in ("numpy", "numpy.linalg", "numpy.random") else "numpy"
            known = hasattr(sys.modules[source], name)
            lines.append(f"from {source} import {name} as {name}" if known else f"{name}: Any")
        elif callable(found) and not isinstance(found, numpy.generic):
            lines.append(f"def {name}(*args: Any, **kwargs: Any) -> Any: ...")
        elif isinstance(found, (int, float)) and not isinstance(found, bool):
            lines.append(f"{name}: {type(found).__name__}")
        else:
            lines.append(f"{name}: Any")
    return lines


def imports(lines: list[str]) -> list[str]:
    """The import lines that some lines of a stub need."""
    text = "\n".join(lines)

    def used(names: Iterable[str]) -> list[str]:
        return [name for name in names if re.search(rf"\b{name}\b", text)]

    found = ["import builtins"] if used(["builtins"]) else []
    found += [f"from collections.abc import {n}" for n in used(["Sequence"])]
    if typing := used(["Any", "SupportsIndex", "final"]):
        found.append(f"from typing import {', '.join(typing)}")
    types = ["ArrayLike", "Axes", "DTypeLike", "Op", "Out", "Shape", "Ufunc", "ndarray"]
    if native := [n for n in used(types) if f"import {n} as {n}" not in text]:
        found.append(f"from isthmus._native import {', '.join(native)}")
    return found


def namespace_stub() -> str:
    """The stub of isthmus.np."""
    operators = operators_of("")
    native = ["array", "asarray", "from_numpy", "may_share_memory", "ndarray"]
    chapters = ["fft", "linalg", "random"]
    functions = sorted(_functions.__all__)
    lines = [f"from isthmus._native import {name} as {name}" for name in native]
    lines += ["from isthmus._sharing import from_dlpack as from_dlpack"]
    lines += [f"from isthmus.np._functions import {name} as {name}" for name in functions]
    lines += [f"from isthmus.np import {name} as {name}" for name in chapters]
    lines += ["", *operator_stubs(operators), ""]
    lines += ["__fallbacks__: list[str]", "__array_api_version__: str", ""]
    seen = {*operators, *native, *chapters, *functions, "from_dlpack", "annotations"}
    lines += host_stubs(np, [n for n in np.__all__ if n not in seen])
    return finish(lines)


def chapter_stub(module: ModuleType, prefix: str) -> str:
    """The stub of a submodule of isthmus.np."""
    operators = operators_of(prefix)
    lines = [*operator_stubs(operators), "__fallbacks__: list[str]", ""]
    names = [
        n
        for n in dir(module)
        if not n.startswith("_") and n not in {*operators, "annotations", "Any"}
    ]
    lines += host_stubs(module, names)
    return finish(lines)


def finish(lines: list[str]) -> str:
    """The text of a stub."""
    return HEAD + "\n".join([*imports(lines), "", *lines]) + "\n"


def native_stub() -> str:
    """The stub of the front end: the text kept beside this script, with the operators' methods."""
    text = BASE.read_text()
    arithmetic = []
    for slot in ARITHMETIC:
        for form in ("", "r", "i"):
            arithmetic.append(f"def __{form}{slot}__(self, other: Any, /) -> ndarray: ...")
    for slot in ("divmod", "rdivmod"):
        arithmetic.append(f"def __{slot}__(self, other: Any, /) -> tuple[ndarray, ndarray]: ...")
    for slot in ("neg", "pos", "abs", "invert"):
        arithmetic.append(f"def __{slot}__(self) -> ndarray: ...")
    for slot in ("lt", "le", "gt", "ge"):
        arithmetic.append(f"def __{slot}__(self, other: Any, /) -> ndarray: ...")
    for slot in ("eq", "ne"):
        arithmetic.append(
            f"def __{slot}__(self, other: Any, /) -> ndarray: ...  "
            "# type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]"
        )
    methods = []
    operators = operators_of("")
    for name in _methods.OPERATOR_METHODS:
        parameters = Parameters(operators[name].schema)
        methods.append(f"def {name}({parameters.text(skip=1)}) -> {parameters.result}: ...")
    for name in _methods.HOST_METHODS:
        methods.append(f"def {name}(self, *args: Any, **kwargs: Any) -> Any: ...")
    for mark, rows in (("arithmetic", arithmetic), ("methods", methods)):
        text = text.replace(f"    # {mark}\n", "".join(f"    {row}\n" for row in rows))
    if "builtins." in text:
        text = text.replace("from collections.abc", "import builtins\nfrom collections.abc", 1)
    return HEAD + text


STUBS: dict[str, Callable[[], str]] = {
    "_native.pyi": native_stub,
    "np/__init__.pyi": namespace_stub,
    "np/linalg.pyi": lambda: chapter_stub(np.linalg, "linalg."),
    "np/fft.pyi": lambda: chapter_stub(np.fft, "fft."),
    "np/random.pyi": lambda: chapter_stub(np.random, "random."),
}


def stale() -> list[str]:
    """Names of the stubs that are not what would be made now."""
    found = []
    for name, make in STUBS.items():
        path = PACKAGE / name
        old = path.read_text() if path.exists() else ""
        new = make()
        same_release = f"{HOST_MARK}{RELEASE}:" in old or HOST_MARK not in old
        if not same_release:
            old, new = old.partition(HOST_MARK)[0], new.partition(HOST_MARK)[0]
        if old != new:
            found.append(name)
    return found


def main() -> int:
    """Writes or checks the stubs."""
    if "--check" in sys.argv[1:]:
        for name in (old := stale()):
            print(f"{PACKAGE / name} is stale: run `make stubs`")
        return len(old) > 0
    for name, make in STUBS.items():
        (PACKAGE / name).write_text(make())
    return 0


if __name__ == "__main__":
    sys.exit(main())
