# SPDX-License-Identifier: Apache-2.0
"""Methods of ndarray: operators that are methods as they are, and rare ones through NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from isthmus import _fallback, _native

# Operators whose first parameter is the array and whose others are the method's.
OPERATOR_METHODS = [
    "all",
    "any",
    "argmax",
    "argmin",
    "argsort",
    "clip",
    "cumprod",
    "cumsum",
    "diagonal",
    "dot",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "ravel",
    "repeat",
    "round",
    "searchsorted",
    "squeeze",
    "std",
    "sum",
    "swapaxes",
    "take",
    "trace",
    "var",
]
# Methods that return something new and need nothing but an official array over the same memory.
HOST_METHODS = [
    "argpartition",
    "byteswap",
    "choose",
    "compress",
    "dump",
    "dumps",
    "getfield",
    "tobytes",
    "tofile",
]


def _host_method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        bound = getattr(self.asnumpy(shared=True), name)
        return _fallback.call(bound, args, kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As numpy.ndarray.{name}."
    return method


def _in_place(name: str) -> Callable[..., None]:
    def method(self: Any, *args: Any, **kwargs: Any) -> None:
        _host_method(name)(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"As numpy.ndarray.{name}; works in place."
    return method


def _conjugate(self: Any, out: Any = None) -> Any:
    """Complex conjugate; an array of real numbers is its own."""
    if out is None and self.dtype.kind != "c":
        return self
    return _native.get_op("conjugate")(self, out=out)


def _host_view(self: Any, dtype: Any = None, type: Any = None) -> Any:
    """view(dtype=None): the same memory seen with another dtype of fitting size."""
    if type is not None:
        raise TypeError("view() of an isthmus.ndarray as another array type is not supported")
    host = self.asnumpy(shared=True)
    return _native.from_numpy(host.view() if dtype is None else host.view(dtype))


def _setflags(self: Any, write: bool | None = None, align: Any = None, uic: Any = None) -> None:
    """setflags(write=None): makes the array read-only or writeable again."""
    if write is not None:
        _native._set_writeable(self, bool(write))


def _resize(self: Any, *new_shape: Any, refcheck: bool = True) -> None:
    """resize(new_shape) in place is not supported: memory is shared by views."""
    raise ValueError("resize() in place is not supported; use np.resize(a, new_shape)")


def _to_device(self: Any, device: Any, /, *, stream: Any = None) -> Any:
    """The array itself; only the host is there."""
    if device != self.device:
        raise ValueError(f"no such device here: {device!r}, expected {self.device!r}")
    return self


def _array_namespace(self: Any, *, api_version: str | None = None) -> Any:
    """The namespace of functions for this array: isthmus.np."""
    from isthmus import np

    if api_version not in (None, "2021.12", "2022.12", "2023.12", "2024.12", "2025.12"):
        raise ValueError(f"unknown version of the array API standard: {api_version!r}")
    return np


def _asscalar(self: Any) -> Any:
    """The only element as a Python number."""
    return self.item()


def _copyto(self: Any, other: Any) -> Any:
    """Copies the elements into another array of the same shape and returns that."""
    if tuple(other.shape) != self.shape:
        raise ValueError(f"copyto: shape {self.shape} does not match {other.shape}")
    other[...] = self
    return other


def install() -> None:
    """Puts the methods into the native type."""
    operators = _native.ops()
    for name in OPERATOR_METHODS:
        if name in operators:
            _native._set_method(name, operators[name])
        else:
            _native._set_method(name, _host_method(name))
    for name in HOST_METHODS:
        _native._set_method(name, _host_method(name))
    for name in ("put", "partition"):
        _native._set_method(name, _in_place(name))
    for name, function in {
        "conj": _conjugate,
        "conjugate": _conjugate,
        "view": _host_view,
        "setflags": _setflags,
        "resize": _resize,
        "to_device": _to_device,
        "as_in_ctx": _to_device,
        "as_in_context": _to_device,
        "asscalar": _asscalar,
        "copyto": _copyto,
        "__array_namespace__": _array_namespace,
    }.items():
        _native._set_method(name, function)
    # Above numpy.ndarray and its subclasses in mixed expressions that ask for a priority.
    _native._set_method("__array_priority__", 1000.0)
