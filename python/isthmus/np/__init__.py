# SPDX-License-Identifier: Apache-2.0
"""NumPy's namespace on Isthmus arrays.

Functions are native operators where there is one; every other public function of NumPy runs in
official NumPy over shared memory and returns Isthmus arrays (`__fallbacks__` lists those names).
"""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from isthmus import _fallback, _native
from isthmus._native import array, asarray, from_numpy, may_share_memory, ndarray
from isthmus._sharing import from_dlpack
from isthmus.np import _functions

globals().update({name: op for name, op in _native.ops().items() if "." not in name})
globals().update({name: getattr(_functions, name) for name in _functions.__all__})

# Constants, dtypes and classes are NumPy's own.
_CONSTANTS = "e euler_gamma inf nan newaxis pi little_endian".split()
_CLASSES = (
    "bool bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 "
    "complex64 complex128 byte ubyte short ushort intc uintc int_ uint long ulong longlong "
    "ulonglong intp uintp half single double csingle cdouble generic number integer "
    "signedinteger unsignedinteger inexact floating complexfloating dtype finfo iinfo errstate "
    "printoptions ufunc"
).split()
for _name in _CONSTANTS + _CLASSES:
    if hasattr(_numpy, _name):
        globals()[_name] = getattr(_numpy, _name)

# Functions that say something of dtypes, settings or text and touch no array.
_PLAIN = (
    "can_cast promote_types min_scalar_type issubdtype isdtype geterr seterr geterrcall seterrcall "
    "set_printoptions get_printoptions typename mintypecode base_repr binary_repr "
    "format_float_positional format_float_scientific getbufsize setbufsize show_config "
    "iterable get_include"
).split()
for _name in _PLAIN:
    if hasattr(_numpy, _name):
        globals()[_name] = getattr(_numpy, _name)

_SUBMODULES = ("fft", "linalg", "random", "polynomial", "testing", "exceptions", "dtypes", "lib")


def _is_fallback(name: str) -> bool:
    found = getattr(_numpy, name)
    return (
        not name.startswith("_")
        and name not in globals()
        and callable(found)
        and not isinstance(found, type)
    )


#: Public names that run in official NumPy over shared memory.
__fallbacks__ = sorted(n for n in _numpy.__all__ if hasattr(_numpy, n) and _is_fallback(n))
_FALLBACK_SET = frozenset(__fallbacks__)

__all__ = sorted({n for n in globals() if not n.startswith("_")} | _FALLBACK_SET)


def __getattr__(name: str) -> Any:
    if name in _FALLBACK_SET:
        found = _fallback.wrap(getattr(_numpy, name))
        globals()[name] = found
        return found
    if name in ("fft", "linalg", "random"):
        import importlib

        return importlib.import_module(f"isthmus.np.{name}")
    if name in _SUBMODULES:
        return getattr(_numpy, name)
    if not name.startswith("_") and isinstance(getattr(_numpy, name, None), type):
        return getattr(_numpy, name)
    raise AttributeError(f"module 'isthmus.np' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__fallbacks__, *_SUBMODULES})


__array_api_version__ = "2024.12"
