# SPDX-License-Identifier: Apache-2.0
"""Runs official NumPy functions on Isthmus arrays over shared memory."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy

from isthmus import _native

_ndarray = _native.ndarray
# Characters of the dtypes that Isthmus has.
_NATIVE = frozenset("?bBhHiIlLqQefdFD")


def to_host(x: Any, seen: dict[int, Any]) -> Any:
    """`x` with every Isthmus array replaced by an official one over the same memory.

    `seen` maps the id of each official array to the Isthmus array it stands for.
    """
    if isinstance(x, _ndarray):
        host = x.asnumpy(shared=True)
        seen[id(host)] = (host, x)
        return host
    kind = type(x)
    if isinstance(x, list):  # a new one, which nothing can change while NumPy reads it
        return [to_host(item, seen) for item in x]
    if kind is tuple:
        return tuple([to_host(item, seen) for item in x])
    if kind is dict:
        return {key: to_host(item, seen) for key, item in x.items()}
    if isinstance(x, _native.Op):
        return resolve(x._full_name())
    return x


def from_host(x: Any, seen: dict[int, Any]) -> Any:
    """A result with official arrays and scalars replaced by Isthmus arrays; others stay."""
    if isinstance(x, numpy.ndarray):
        if id(x) in seen:
            return seen[id(x)][1]
        return share(x)
    if isinstance(x, numpy.generic):
        return _native.array(x) if x.dtype.char in _NATIVE else x
    if isinstance(x, tuple):
        items = [from_host(item, seen) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else tuple(items)
    if type(x) is list:
        return [from_host(item, seen) for item in x]
    if type(x) is dict:
        return {key: from_host(item, seen) for key, item in x.items()}
    return x


def share(x: numpy.ndarray) -> Any:
    """An official array as ours over the same memory; itself when its dtype has no counterpart."""
    if x.dtype.char not in _NATIVE:
        return x
    try:
        return _native.from_numpy(x)
    except (TypeError, ValueError):
        return _native.from_numpy(x, zero_copy=False)


def call(func: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    """`func(*args, **kwargs)` on official arrays, the result as Isthmus arrays."""
    seen: dict[int, Any] = {}
    host_args = [to_host(a, seen) for a in args]
    host_kwargs = {key: to_host(value, seen) for key, value in kwargs.items()}
    result = func(*host_args, **host_kwargs)
    out = kwargs.get("out")
    if isinstance(out, tuple) and len(out) == 1:
        out = out[0]
    if isinstance(out, numpy.ndarray) and result is out:
        return out
    return from_host(result, seen)


@functools.cache
def resolve(name: str) -> Any:
    """The official function of a dotted name such as "linalg.inv"."""
    return functools.reduce(getattr, name.split("."), numpy)


def call_named(name: str, args: Any, kwargs: Any) -> Any:
    """`call` by name; what native operators use for forms of arguments that they do not take."""
    try:
        function = resolve(name)
    except AttributeError:
        raise NotImplementedError(f"{name}(): NumPy has no such function") from None
    result = call(function, args, kwargs)
    if isinstance(result, numpy.ndarray) and result.dtype.char not in _NATIVE:
        raise TypeError(f"{name}(): the result would have {result.dtype!r}, not numbers")
    return result


_UFUNC_ATTRIBUTES = frozenset(
    [
        "reduce",
        "accumulate",
        "reduceat",
        "outer",
        "at",
        "nargs",
        "ntypes",
        "types",
        "identity",
        "signature",
    ]
)


def ufunc_attribute(name: str, attribute: str) -> Any:
    """A method or fact of the official ufunc of that name, for operators."""
    if attribute not in _UFUNC_ATTRIBUTES:
        raise AttributeError(f"operator {name!r} has no attribute {attribute!r}")
    found = getattr(resolve(name), attribute)
    return wrap(found) if callable(found) else found


def wrap(func: Callable[..., Any]) -> Callable[..., Any]:
    """A function with the name, signature and documentation of an official one."""

    def fallback(*args: Any, **kwargs: Any) -> Any:
        return call(func, args, kwargs)

    fallback.__name__ = getattr(func, "__name__", "fallback")
    fallback.__qualname__ = fallback.__name__
    fallback.__doc__ = getattr(func, "__doc__", None)
    fallback.__wrapped__ = func  # type: ignore[attr-defined]
    return fallback


class Grid:
    """Stands for an official object that makes arrays when it is indexed (mgrid, r_, ...)."""

    def __init__(self, host: Any) -> None:
        self._host = host

    def __getitem__(self, key: Any) -> Any:
        return from_host(self._host[to_host(key, {})], {})


class Host:
    """Stands for an official object (a Generator, say) whose methods take and return our arrays."""

    def __init__(self, obj: Any) -> None:
        object.__setattr__(self, "_host", obj)

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._host, name)
        return wrap(found) if callable(found) else from_host(found, {})

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._host, name, value)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return call(self._host, args, kwargs)

    def __repr__(self) -> str:
        return repr(self._host)

    def __reduce__(self) -> Any:
        return Host, (self._host,)
