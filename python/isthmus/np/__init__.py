# SPDX-License-Identifier: Apache-2.0
"""NumPy's namespace on Isthmus arrays.

Functions are native operators where there is one; every other public function of NumPy runs in
official NumPy over shared memory and returns Isthmus arrays (`__fallbacks__` lists those names).
"""

from __future__ import annotations

import numpy as _numpy

from isthmus import _fallback, _native
from isthmus._native import array as array
from isthmus._native import asarray as asarray
from isthmus._native import from_numpy as from_numpy
from isthmus._native import may_share_memory as may_share_memory
from isthmus._native import ndarray as ndarray
from isthmus._sharing import from_dlpack as from_dlpack
from isthmus.np import _functions

globals().update({name: op for name, op in _native.ops().items() if "." not in name})
globals().update({name: getattr(_functions, name) for name in _functions.__all__})

# Constants, dtypes and classes are NumPy's own.
_CONSTANTS = [
    "e",
    "euler_gamma",
    "inf",
    "nan",
    "newaxis",
    "pi",
    "little_endian",
    "True_",
    "False_",
    "ScalarType",
    "s_",
    "index_exp",
    "sctypeDict",
    "typecodes",
    "exceptions",
    "dtypes",
]
_CLASSES = [
    "bool",
    "bool_",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "complex64",
    "complex128",
    "byte",
    "ubyte",
    "short",
    "ushort",
    "intc",
    "uintc",
    "int_",
    "uint",
    "long",
    "ulong",
    "longlong",
    "ulonglong",
    "intp",
    "uintp",
    "half",
    "single",
    "double",
    "csingle",
    "cdouble",
    "generic",
    "number",
    "integer",
    "signedinteger",
    "unsignedinteger",
    "inexact",
    "floating",
    "complexfloating",
    "dtype",
    "finfo",
    "iinfo",
    "errstate",
    "printoptions",
    "ufunc",
]
for _name in _CONSTANTS + _CLASSES:
    if hasattr(_numpy, _name):
        globals()[_name] = getattr(_numpy, _name)

for _name in ("c_", "r_", "mgrid", "ogrid"):
    globals()[_name] = _fallback.Grid(getattr(_numpy, _name))
emath = _fallback.Host(_numpy.emath)

# Functions that say something of dtypes, settings or text and touch no array.
_PLAIN = [
    "can_cast",
    "promote_types",
    "min_scalar_type",
    "issubdtype",
    "isdtype",
    "geterr",
    "seterr",
    "geterrcall",
    "seterrcall",
    "set_printoptions",
    "get_printoptions",
    "typename",
    "mintypecode",
    "base_repr",
    "binary_repr",
    "format_float_positional",
    "format_float_scientific",
    "getbufsize",
    "setbufsize",
    "show_config",
    "iterable",
    "get_include",
]
for _name in _PLAIN:
    if hasattr(_numpy, _name):
        globals()[_name] = getattr(_numpy, _name)

# By __dict__, because asking NumPy for a submodule's name would import the submodule.
_OFFICIAL = {name: _numpy.__dict__[name] for name in _numpy.__all__ if name in _numpy.__dict__}


def _is_fallback(name: str) -> bool:
    found = _OFFICIAL[name]
    return (
        not name.startswith("_")
        and name not in globals()
        and callable(found)
        and not isinstance(found, type)
    )


#: Public names that run in official NumPy over shared memory.
__fallbacks__ = sorted(filter(_is_fallback, _OFFICIAL))
# Made here rather than on first use: a module with a __getattr__ of its own is looked up slowly by
# the interpreter, and that would be most of the time of a small operator.
globals().update({name: _fallback.wrap(_OFFICIAL[name]) for name in __fallbacks__})
globals().update({n: c for n, c in _OFFICIAL.items() if isinstance(c, type) and n not in globals()})

# They need the names above.
from isthmus.np import fft as fft  # noqa: E402
from isthmus.np import linalg as linalg  # noqa: E402
from isthmus.np import random as random  # noqa: E402

__all__ = sorted(n for n in globals() if not n.startswith("_"))

__array_api_version__ = "2024.12"
