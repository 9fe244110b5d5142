# SPDX-License-Identifier: Apache-2.0
"""The `flat` attribute of arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from isthmus import _fallback, _native


class FlatIter:
    """Iterates over the elements of an array in row-major order and indexes them by one number."""

    def __init__(self, array: Any) -> None:
        self.base = array
        self._host = array.asnumpy(shared=True).flat

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return _native.array(next(self._host))

    def __len__(self) -> int:
        return len(self._host)

    def __getitem__(self, key: Any) -> Any:
        return _fallback.from_host(self._host[_fallback.to_host(key, {})], {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._host[_fallback.to_host(key, {})] = _fallback.to_host(value, {})

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self._host.__array__() if dtype is None else self._host.__array__(dtype)

    @property
    def index(self) -> int:
        """Position of the next element."""
        return self._host.index

    @property
    def coords(self) -> tuple[int, ...]:
        """Position of the next element as a tuple of indices."""
        return self._host.coords

    def copy(self) -> Any:
        """The elements as a one-dimensional array."""
        return self.base.flatten()
