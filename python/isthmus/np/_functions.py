# SPDX-License-Identifier: Apache-2.0
"""Functions of the namespace that are thin Python over native ones."""

from __future__ import annotations

from typing import Any

import numpy as _numpy

from isthmus import _fallback, _native

__all__ = [
    "array_repr",
    "array_str",
    "asanyarray",
    "astype",
    "broadcast_shapes",
    "copyto",
    "frombuffer",
    "fromfunction",
    "fromiter",
    "ndim",
    "result_type",
    "shape",
    "shares_memory",
    "size",
]


def asanyarray(a: Any, dtype: Any = None, order: Any = None, **kwargs: Any) -> Any:
    """As `asarray`: there are no subclasses."""
    return _native.asarray(a, dtype, order, **kwargs)


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    """A converted copy (the array itself for copy=False when the dtype is the same already)."""
    return _native.asarray(x).astype(dtype, copy=copy)


def shape(a: Any) -> tuple[int, ...]:
    """Shape of an array or of nested sequences."""
    return a.shape if isinstance(a, _native.ndarray) else _numpy.shape(_fallback.to_host(a, {}))


def ndim(a: Any) -> int:
    """Number of dimensions of an array or of nested sequences."""
    return a.ndim if isinstance(a, _native.ndarray) else _numpy.ndim(_fallback.to_host(a, {}))


def size(a: Any, axis: Any = None) -> int:
    """Number of elements, in all or along axes."""
    if isinstance(a, _native.ndarray):
        return a.size if axis is None else _numpy.size(a.asnumpy(shared=True), axis)
    return _numpy.size(_fallback.to_host(a, {}), axis)


def shares_memory(a: Any, b: Any, /, max_work: Any = -1) -> bool:
    """Whether two arrays have a byte in common, exactly."""
    seen: dict[int, Any] = {}
    return _numpy.shares_memory(_fallback.to_host(a, seen), _fallback.to_host(b, seen), max_work)


def result_type(*arrays_and_dtypes: Any) -> _numpy.dtype:
    """The dtype that promotion gives for arrays, dtypes and Python numbers together."""
    seen: dict[int, Any] = {}
    return _numpy.result_type(*[_fallback.to_host(a, seen) for a in arrays_and_dtypes])


def broadcast_shapes(*args: Any) -> tuple[int, ...]:
    """The shape that arrays of the given shapes broadcast to."""
    return _numpy.broadcast_shapes(*args)


def copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Copies values into an array, broadcasting."""
    _fallback.call(_numpy.copyto, (dst, src), {"casting": casting, "where": where})


def fromiter(iter: Any, dtype: Any, count: int = -1, *, like: Any = None) -> Any:
    """A one-dimensional array of the items of an iterable."""
    return _fallback.share(_numpy.fromiter(iter, dtype, count))


def frombuffer(
    buffer: Any, dtype: Any = float, count: int = -1, offset: int = 0, *, like: Any = None
) -> Any:
    """An array over the memory of an object with the buffer protocol."""
    return _native.from_numpy(_numpy.frombuffer(buffer, dtype, count, offset))


def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, **kwargs: Any
) -> Any:
    """An array made by calling a function on arrays of coordinates."""
    from isthmus import np

    return function(*np.indices(shape, dtype=dtype), **kwargs)


def array_repr(arr: Any, *args: Any, **kwargs: Any) -> str:
    """Text that shows an array as code."""
    return _numpy.array_repr(_fallback.to_host(arr, {}), *args, **kwargs)


def array_str(a: Any, *args: Any, **kwargs: Any) -> str:
    """Text of an array's elements."""
    return _numpy.array_str(_fallback.to_host(a, {}), *args, **kwargs)
