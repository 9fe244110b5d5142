# SPDX-License-Identifier: Apache-2.0
"""Gives the native front end the Python functions that it calls on its slow paths."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any

import numpy

from isthmus import _fallback, _methods, _native

# (flag bit, np.errstate category, words), in the order in which NumPy reports.
_CONDITIONS = (
    (4, "divide", "divide by zero"),
    (8, "over", "overflow"),
    (16, "under", "underflow"),
    (1, "invalid", "invalid value"),
)


def report_fp(name: str, flags: int) -> None:
    """Warns, raises or calls back for floating-point conditions, as np.errstate says.

    `flags` holds the bits of `_CONDITIONS`; `name` is the operator's.
    """
    state: Any = numpy.geterr()
    handler: Any = numpy.geterrcall()
    for bit, category, words in _CONDITIONS:
        if not flags & bit:
            continue
        mode = state[category]
        if mode == "ignore":
            continue
        message = f"{words} encountered in {name}"
        if mode == "warn":
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        elif mode == "raise":
            raise FloatingPointError(message)
        elif mode == "call":
            handler(words, bit)
        elif mode == "print":
            print(f"Warning: {message}")
        elif mode == "log":
            handler.write(f"Warning: {message}\n")


def array_repr(a: Any) -> str:
    """`repr` of an array: NumPy's own."""
    return numpy.array_repr(a.asnumpy(shared=True))


def array_str(a: Any) -> str:
    """`str` of an array: NumPy's own."""
    return str(a.asnumpy(shared=True))


def rebuild(host: numpy.ndarray) -> Any:
    """The array of a pickle; `host` is an official array that nobody else has."""
    return _native.from_numpy(host) if host.flags.writeable else _native.from_numpy(host.copy())


@functools.cache
def _native_twin(func: Any) -> Any:
    """Our function of the same name as an official one, or None."""
    module = getattr(func, "__module__", "") or ""
    if not module.startswith("numpy"):
        return None
    from isthmus import np

    prefix = module.removeprefix("numpy").removeprefix(".")
    target: Any = np
    for part in prefix.split(".") if prefix and not prefix.startswith("_") else []:
        target = getattr(target, part, None)
    return getattr(target, func.__name__, None)


def array_function(func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    """`numpy.func(isthmus_array, ...)`: ours where there is one, else NumPy's on shared memory."""
    twin = _native_twin(func)
    if isinstance(twin, _native.Op) and not isinstance(kwargs.get("out"), numpy.ndarray):
        return twin(*args, **kwargs)
    return _fallback.call(func, args, kwargs)


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`numpy.ufunc(...)` in the forms that no operator serves: methods, official `out` arrays."""
    return _fallback.call(getattr(ufunc, method), inputs, kwargs)


def install() -> None:
    """Called once, when the package is imported."""
    umath = importlib.import_module("numpy._core.umath")
    variable = getattr(umath, "_extobj_contextvar", None)
    _native._setup(
        fallback=_fallback.call_named,
        fp_handler=report_fp,
        array_repr=array_repr,
        array_str=array_str,
        array_function=array_function,
        array_ufunc=array_ufunc,
        rebuild=rebuild,
        errstate_var=variable,
        errstate_default=variable.get(None) if variable is not None else None,
    )
    _methods.install()
