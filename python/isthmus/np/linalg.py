# SPDX-License-Identifier: Apache-2.0
"""Linear algebra: numpy.linalg on Isthmus arrays."""

from __future__ import annotations

import numpy
import numpy.linalg as _official
from numpy.linalg import _linalg

from isthmus import _native
from isthmus.np import _chapter

#: Names that run in official NumPy over shared memory.
__fallbacks__ = _chapter.fill(globals(), _official, "linalg.")

LinAlgError = _official.LinAlgError

# Results that NumPy returns as named tuples.
for _name, _result in {
    "eig": "EigResult",
    "eigh": "EighResult",
    "qr": "QRResult",
    "slogdet": "SlogdetResult",
    "svd": "SVDResult",
}.items():
    if hasattr(globals().get(_name), "schema"):
        globals()[_name]._result_type = getattr(_linalg, _result)

_native.get_global_func("isthmus.set_eigenvalues_are_complex")(
    tuple(map(int, numpy.__version__.split(".")[:2])) >= (2, 5)
)
