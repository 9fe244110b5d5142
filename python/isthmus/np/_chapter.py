# SPDX-License-Identifier: Apache-2.0
"""Makes the namespace of a submodule: native operators, the rest through official NumPy."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from isthmus import _fallback, _native


def fill(namespace: dict[str, Any], official: ModuleType, prefix: str) -> list[str]:
    """Fills `namespace`; returns the names that are fallbacks.

    `prefix` selects the native operators ("linalg." for linalg.inv and so on).
    """
    native = {
        name.removeprefix(prefix): op
        for name, op in _native.ops().items()
        if name.startswith(prefix)
    }
    namespace.update(native)
    fallbacks = []
    for name in getattr(official, "__all__", dir(official)):
        if name.startswith("_") or name in namespace:
            continue
        found = getattr(official, name, None)
        if isinstance(found, type) or not callable(found):
            namespace[name] = found
        else:
            namespace[name] = _fallback.wrap(found)
            fallbacks.append(name)
    return sorted(fallbacks)
