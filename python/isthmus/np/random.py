# SPDX-License-Identifier: Apache-2.0
"""Random numbers: numpy.random on Isthmus arrays, with NumPy's own streams."""

from __future__ import annotations

from typing import Any

from isthmus import _fallback
from isthmus.np import _chapter


def default_rng(seed: Any = None) -> Any:
    """A generator as numpy.random.default_rng makes it, whose methods return Isthmus arrays."""
    return _fallback.Host(_chapter.official("random").default_rng(_fallback.to_host(seed, {})))


def RandomState(seed: Any = None) -> Any:
    """A numpy.random.RandomState whose methods return Isthmus arrays."""
    return _fallback.Host(_chapter.official("random").RandomState(_fallback.to_host(seed, {})))


def __getattr__(name: str) -> Any:
    return _chapter.lazy(globals(), "random", name)


def __dir__() -> list[str]:
    return _chapter.names(globals(), "random")
