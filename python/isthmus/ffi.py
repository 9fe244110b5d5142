# SPDX-License-Identifier: Apache-2.0
"""The registry of functions behind the C API."""

from __future__ import annotations

from isthmus._native import Function, get_global_func


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
    if not get_global_func("ffi.FunctionRemoveGlobal")(name):
        raise ValueError(f"no function named {name!r} in the registry")


#: Which implementation of the boundary is in use.
backend = "native"

__all__ = [
    "Function",
    "backend",
    "get_global_func",
    "list_global_func_names",
    "remove_global_func",
]
