# SPDX-License-Identifier: Apache-2.0
"""Makes the namespace of a submodule: native operators, the rest through official NumPy."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from isthmus import _fallback, _native


def official(chapter: str) -> ModuleType:
    """numpy.<chapter>, imported when it is first needed."""
    return importlib.import_module(f"numpy.{chapter}")


def fill(namespace: dict[str, Any], module: ModuleType, prefix: str) -> list[str]:
    """Fills `namespace`; returns the names that are fallbacks.

    `prefix` selects the native operators ("linalg." for linalg.inv and so on).
    """
    namespace.update(
        {
            name.removeprefix(prefix): op
            for name, op in _native.ops().items()
            if name.startswith(prefix)
        }
    )
    fallbacks = []
    for name in module.__all__:
        if name in namespace:
            continue
        found = getattr(module, name, None)
        if isinstance(found, type) or not callable(found):
            namespace[name] = found
        else:
            namespace[name] = _fallback.wrap(found)
            fallbacks.append(name)
    return sorted(fallbacks)


def lazy(namespace: dict[str, Any], chapter: str, name: str) -> Any:
    """One name of a chapter that runs wholly in official NumPy, made on first use."""
    if name == "__fallbacks__":
        return [n for n in names(namespace, chapter) if callable(getattr(official(chapter), n))]
    if name.startswith("_"):
        raise AttributeError(f"module 'isthmus.np.{chapter}' has no attribute {name!r}")
    try:
        found = getattr(official(chapter), name)
    except AttributeError:
        raise AttributeError(f"module 'isthmus.np.{chapter}' has no attribute {name!r}") from None
    plain = isinstance(found, type) or not callable(found)
    namespace[name] = made = found if plain else _fallback.wrap(found)
    return made


def names(namespace: dict[str, Any], chapter: str) -> list[str]:
    """Public names of such a chapter."""
    return sorted({n for n in (*namespace, *official(chapter).__all__) if not n.startswith("_")})
