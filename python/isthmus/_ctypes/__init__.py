# SPDX-License-Identifier: Apache-2.0
"""The front end in pure Python: what `isthmus._native` has, over tvm-ffi's C interface and ctypes.

It serves where the extension cannot be loaded, or when ISTHMUS_FFI=ctypes asks for it. A call
costs microseconds. Classes of Python have no buffer protocol before CPython 3.12, so neither have
these arrays; NumPy reaches their memory by `__array_interface__`.
"""

from __future__ import annotations

from typing import Any

from isthmus._ctypes import (
    _abi,
    _arrays,
    _dlpack,
    _errors,
    _function,
    _host,
    _ndarray,
    _op,
    _values,
)
from isthmus._ctypes._arrays import (
    array,
    asarray,
    from_numpy,
    may_share_memory,
    ndarray,
)
from isthmus._ctypes._device import Device, cpu, gpu
from isthmus._ctypes._dlpack import from_dlpack
from isthmus._ctypes._function import (
    Field,
    Function,
    ObjectBase,
    get_global_func,
)
from isthmus._ctypes._function import init_object as _init_object
from isthmus._ctypes._function import object_address as _object_address
from isthmus._ctypes._function import object_type_index as _object_type_index
from isthmus._ctypes._function import set_error_class as _set_error_class
from isthmus._ctypes._function import set_global_func as _set_global_func
from isthmus._ctypes._function import set_object_class as _set_object_class
from isthmus._ctypes._function import type_attr as _type_attr
from isthmus._ctypes._function import type_info as _type_info
from isthmus._ctypes._op import BoundOp, Op, get_op, ops
from isthmus._ctypes._op import op_from_loops as _op_from_loops

_type_index = _values.type_index
_set_writeable = _arrays.set_writeable
as_dtype = _arrays.dtype_from_object


def _setup(**settings: Any) -> None:
    """Takes the Python functions of the slow paths."""
    if "class_of_type" in settings:
        _values.hooks["class_of_type"] = settings["class_of_type"]
    _ndarray.settings.update(settings)
    _op.settings.update(settings)


def _set_method(name: str, value: Any) -> None:
    """Puts an operator or a function into ndarray's namespace."""
    setattr(ndarray, name, value)


_abi.check_version()
if not _abi.init_core(0):
    _errors.raise_from_ffi()
_errors.install()
_host.lend_kernels()

__all__ = [
    "BoundOp",
    "Device",
    "Field",
    "Function",
    "ObjectBase",
    "Op",
    "array",
    "as_dtype",
    "asarray",
    "cpu",
    "from_dlpack",
    "from_numpy",
    "get_global_func",
    "get_op",
    "gpu",
    "may_share_memory",
    "ndarray",
    "ops",
]
_exported = (
    _dlpack, _init_object, _object_address, _object_type_index, _set_error_class,
    _set_global_func, _set_object_class, _type_attr, _type_info, _op_from_loops, _function,
)  # fmt: skip
