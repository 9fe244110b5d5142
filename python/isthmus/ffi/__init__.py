# SPDX-License-Identifier: Apache-2.0
"""The registry of functions behind the C API, and what crosses it.

A function of the registry is called like any Python function. Its arguments may be numbers,
strings, bytes, tuples, lists, dicts, slices, arrays, functions and any other object; results come
back the same way. Functions and object types are registered in C++ (with tvm-ffi's headers) or
here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

import numpy

from isthmus import _native
from isthmus._native import Function, get_global_func, ndarray
from isthmus._sharing import from_dlpack

_F = TypeVar("_F", bound=Callable[..., Any])


@overload
def register_func(name: str, f: None = None, override: bool = False) -> Callable[[_F], _F]: ...
@overload
def register_func(name: str, f: _F, override: bool = False) -> _F: ...
@overload
def register_func(name: _F, f: None = None, override: bool = False) -> _F: ...
def register_func(name: Any, f: Any = None, override: bool = False) -> Any:
    """Puts a callable into the registry, where every language finds it.

    Parameters
    ----------
    name : str
        Name in the registry. As a bare decorator, the function itself: its `__name__` is used.
    f : callable, optional
        The function; without it a decorator is returned.
    override : bool
        Whether a function of that name may be replaced.

    Returns
    -------
    callable
        `f` itself.

    Raises
    ------
    ValueError
        When the name is taken and `override` is false.
    """
    if f is None and not isinstance(name, str):
        if not callable(name):
            raise TypeError(
                f"register_func() expects a name or a function, not {type(name).__name__}"
            )
        return register_func(name.__name__, name, override)
    if f is None:
        return lambda function: register_func(name, function, override)
    if not isinstance(name, str):
        raise TypeError(f"the name of a function must be a str, not {type(name).__name__}")
    if not name:
        raise ValueError("the name of a function must not be empty")
    if not callable(f):
        raise TypeError(f"register_func() expects a callable, not {type(f).__name__}")
    if not override and get_global_func(name, allow_missing=True) is not None:
        raise ValueError(
            f"a function named {name!r} is registered already; override=True replaces it"
        )
    _native._set_global_func(name, Function(f), bool(override))
    return f


def register_op(name: str, f: Any = None, signature: str = "", doc: str = "") -> Any:
    """Adds an operator: a function with a schema, from which front ends make their wrappers.

    Parameters
    ----------
    name : str
        Identifiers joined by dots, such as "mylib.scale". The registry has its function under the
        same name.
    f : callable, optional
        Computes it. Every parameter of the signature is passed, arrays as arrays. Without it a
        decorator is returned.
    signature : str
        Such as "(x: Array, axis: Axes = None, *, factor: float = 1.0) -> Array"; the types are
        those of `include/isthmus/op.h`.
    doc : str, optional
        The function's own documentation by default.

    Returns
    -------
    Op

    Raises
    ------
    ValueError
        When the name is taken or the signature does not parse.
    """
    if f is None:
        return lambda function: register_op(name, function, signature, doc)
    if not callable(f):
        raise TypeError(f"register_op() expects a callable, not {type(f).__name__}")
    doc = doc or (getattr(f, "__doc__", None) or "")
    get_global_func("isthmus.register_op")(name, signature, doc, Function(f))
    return _native.get_op(name)


def get_op(name: str) -> Any:
    """The operator of that name; ValueError when there is none."""
    return _native.get_op(name)


def list_global_func_names() -> list[str]:
    """Names of all functions in the registry, sorted."""
    each = get_global_func("ffi.FunctionListGlobalNamesFunctor")()
    return sorted(each(i) for i in range(each(-1)))


def remove_global_func(name: str) -> None:
    """Takes a function out of the registry.

    Raises
    ------
    ValueError
        When there is none of that name.
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a function must be a str, not {type(name).__name__}")
    if not get_global_func("ffi.FunctionRemoveGlobal")(name):
        raise ValueError(f"no function named {name!r} in the registry")


def register_error(kind: Any, cls: type[BaseException] | None = None) -> Any:
    """Makes errors that C++ raises with a kind arrive as instances of an exception class.

    Usable as a decorator, with the kind or bare (the kind is then the name of the class).
    """
    if isinstance(kind, type):
        return register_error(kind.__name__, kind)
    if cls is None:
        return lambda c: register_error(kind, c)
    _native._set_error_class(kind, cls)
    return cls


def convert(value: Any) -> Any:
    """The value as C++ would hold it, made once instead of at every call that passes it.

    Parameters
    ----------
    value : object
        A list or tuple gives an `Array`, a dict a `Map` (their items are converted too), a callable
        a `Function`, an array of NumPy or of a DLPack library an `ndarray` that shares its memory.
        Anything else is returned as it is.
    """
    if isinstance(value, (list, tuple)):
        return Array(value)
    if isinstance(value, dict):
        return Map(value)
    if isinstance(value, (Object, Function, ndarray, numpy.generic, type)):
        return value
    if isinstance(value, numpy.ndarray):
        return _native.from_numpy(value)
    if hasattr(type(value), "__dlpack__"):
        return from_dlpack(value)
    return Function(value) if callable(value) else value


#: Which implementation of the boundary is in use.
backend = "ctypes" if _native.__name__ == "isthmus._ctypes" else "native"

from isthmus.ffi._containers import Array, Dict, List, Map  # noqa: E402
from isthmus.ffi._module import Module, include_dirs, load_inline, load_module  # noqa: E402
from isthmus.ffi._object import Object, register_object  # noqa: E402

__all__ = [
    "Array",
    "Dict",
    "Function",
    "List",
    "Map",
    "Module",
    "Object",
    "backend",
    "convert",
    "get_global_func",
    "get_op",
    "include_dirs",
    "list_global_func_names",
    "load_inline",
    "load_module",
    "register_error",
    "register_func",
    "register_object",
    "register_op",
    "remove_global_func",
]
