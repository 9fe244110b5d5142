# SPDX-License-Identifier: Apache-2.0
"""Discrete Fourier transforms: numpy.fft on Isthmus arrays."""

from __future__ import annotations

import numpy.fft as _official

from isthmus.np import _chapter

#: Names that run in official NumPy over shared memory.
__fallbacks__ = _chapter.fill(globals(), _official, "fft.")
