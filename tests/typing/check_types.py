# SPDX-License-Identifier: Apache-2.0
"""What type checkers must see. Checked by `make lint`, never run.

An ignored error that is no error is reported, so the wrong calls below are tests as well.
"""

from typing import Any

import numpy as onp
from typing_extensions import assert_type

import isthmus
from isthmus import np

a = np.ones((2, 3))
assert_type(a, np.ndarray)
assert_type(np.add(a, 1.0), np.ndarray)
assert_type(np.add(a, [1, 2, 3], out=a, where=a > 0), np.ndarray)
assert_type(np.add.reduce(a, axis=0), np.ndarray)
assert_type(np.add.nin, int)
assert_type(np.sum(a, axis=(0, 1), keepdims=True), np.ndarray)
assert_type(np.sum.bind(axis=0)(a), Any)
assert_type(np.divmod(a, 2), tuple[np.ndarray, np.ndarray])
assert_type(np.nonzero(a), tuple[np.ndarray, ...])
assert_type(np.split(a, 2), list[np.ndarray])
assert_type(np.allclose(a, a), bool)
assert_type(np.concatenate([a, onp.ones(3)], axis=0), np.ndarray)
assert_type(np.linalg.inv(a), np.ndarray)
assert_type(np.zeros(3, dtype=np.float32), np.ndarray)
assert_type(a + 1, np.ndarray)
assert_type(2 * a @ a.T, np.ndarray)
assert_type(a == a, np.ndarray)
assert_type(-a[0, ..., None, 1:2], np.ndarray)
assert_type(a.sum(axis=0), np.ndarray)
assert_type(a.mean(), np.ndarray)
assert_type(a.shape, tuple[int, ...])
assert_type(float(a[0, 0]), float)
assert_type(isthmus.from_numpy(onp.ones(3)), isthmus.ndarray)
assert_type(isthmus.cpu(0), isthmus.Device)
assert_type(np.pi, float)
for row in a:
    assert_type(row, np.ndarray)

onp.asarray(a)
np.add(a)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
np.sum(a, axes=0)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
np.sum(a, keepdims="yes")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
a.shape = "x"  # type: ignore[assignment]  # pyright: ignore[reportAttributeAccessIssue]
