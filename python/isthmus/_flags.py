# SPDX-License-Identifier: Apache-2.0
"""The `flags` attribute of arrays."""

from __future__ import annotations

from typing import Any, ClassVar

from isthmus import _native


class Flags:
    """Layout of one array, by attribute or by NumPy's upper-case names."""

    def __init__(self, array: Any, c: bool, f: bool, writeable: bool) -> None:
        self._array = array
        self._c = c
        self._f = f
        self._writeable = writeable

    @property
    def c_contiguous(self) -> bool:
        """Elements are one block in row-major order."""
        return self._c

    @property
    def f_contiguous(self) -> bool:
        """Elements are one block in column-major order."""
        return self._f

    contiguous = c_contiguous

    @property
    def owndata(self) -> bool:
        """Whether the array is no view of another one."""
        return self._array.base is None

    @property
    def writeable(self) -> bool:
        """Whether elements may be assigned."""
        return self._writeable

    @writeable.setter
    def writeable(self, value: bool) -> None:
        _native._set_writeable(self._array, bool(value))
        self._writeable = bool(value)

    aligned = property(lambda self: True)
    writebackifcopy = property(lambda self: False)
    fnc = property(lambda self: self._f and not self._c)
    forc = property(lambda self: self._f or self._c)
    behaved = property(lambda self: self._writeable)
    carray = property(lambda self: self._c and self._writeable)
    farray = property(lambda self: self._f and self._writeable and not self._c)

    _NAMES: ClassVar[dict[str, str]] = {
        "C": "c_contiguous",
        "CONTIGUOUS": "c_contiguous",
        "F": "f_contiguous",
        "FORTRAN": "f_contiguous",
        "O": "owndata",
        "W": "writeable",
        "A": "aligned",
        "X": "writebackifcopy",
    }

    def __getitem__(self, key: str) -> bool:
        name = self._NAMES.get(key, key.lower() if isinstance(key, str) and key.isupper() else None)
        if name is None or name.startswith("_") or not hasattr(type(self), name):
            raise KeyError("Unknown flag")
        return getattr(self, name)

    def __setitem__(self, key: str, value: bool) -> None:
        if key not in ("W", "WRITEABLE"):
            raise KeyError("Unknown flag")
        self.writeable = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and repr(self) == repr(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        names = [
            "c_contiguous",
            "f_contiguous",
            "owndata",
            "writeable",
            "aligned",
            "writebackifcopy",
        ]
        return "\n".join(f"  {n.upper()} : {getattr(self, n)}" for n in names) + "\n"
