# SPDX-License-Identifier: Apache-2.0
"""Memory shared with other libraries."""

from __future__ import annotations

from typing import Any

import numpy

from isthmus import _native


def from_dlpack(x: Any, /, *, device: Any = None, copy: bool | None = None) -> _native.ndarray:
    """An array over the memory of any object with `__dlpack__`, or of a DLPack capsule.

    Parameters
    ----------
    x
        A DLPack producer in host memory. Its owner lives as long as the array.
    device
        None or the host.
    copy
        True always copies, False or None never do.

    Raises
    ------
    BufferError
        When the memory cannot be described to Isthmus (device, dtype, alignment).
    """
    if device is not None and device != _native.cpu(0):
        raise ValueError(f"from_dlpack: only the host is there, got device {device!r}")
    shared = _native.from_numpy(x) if isinstance(x, numpy.ndarray) else _native.from_dlpack(x)
    return shared.copy() if copy else shared
