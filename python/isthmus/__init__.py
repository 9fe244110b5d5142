# SPDX-License-Identifier: Apache-2.0
"""Isthmus: a NumPy-compatible array runtime whose operator calls cost tens of nanoseconds.

>>> from isthmus import np
>>> np.add(np.ones(2), 1.0)
array([2., 2.])
"""

from isthmus import _loader as _loader

_loader.load_tvm_ffi()
_loader.load_front_end()  # links to the library that was loaded

from isthmus import _native as _native  # noqa: E402
from isthmus import _setup as _setup  # noqa: E402

_setup.install()

from isthmus import engine, ffi, np  # noqa: E402
from isthmus._native import Device, cpu, from_numpy, gpu, ndarray  # noqa: E402
from isthmus._sharing import from_dlpack  # noqa: E402
from isthmus._ufunc import op_from_ufunc  # noqa: E402
from isthmus.engine import waitall  # noqa: E402

__version__ = "0.1.0"

Context = Device


def current_device() -> Device:
    """The device on which new arrays are made: always the host."""
    return cpu(0)


current_context = current_device

__all__ = [
    "Context",
    "Device",
    "__version__",
    "cpu",
    "current_context",
    "current_device",
    "engine",
    "ffi",
    "from_dlpack",
    "from_numpy",
    "gpu",
    "ndarray",
    "np",
    "op_from_ufunc",
    "waitall",
]
