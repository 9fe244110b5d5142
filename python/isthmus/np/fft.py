# SPDX-License-Identifier: Apache-2.0
"""Discrete Fourier transforms: numpy.fft on Isthmus arrays."""

from __future__ import annotations

from typing import Any

from isthmus.np import _chapter


def __getattr__(name: str) -> Any:
    return _chapter.lazy(globals(), "fft", name)


def __dir__() -> list[str]:
    return _chapter.names(globals(), "fft")
