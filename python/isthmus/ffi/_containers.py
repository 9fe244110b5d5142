# SPDX-License-Identifier: Apache-2.0
"""Containers of C++ as Python sequences and mappings; items are converted when asked for."""

from __future__ import annotations

import operator
from collections.abc import (
    Iterable,
    Iterator,
    Mapping,
    MutableMapping,
    MutableSequence,
    Sequence,
)
from typing import Any

from isthmus import _native
from isthmus.ffi._object import Object, _function, bind_class


class _SequenceBase(Object):
    __slots__ = ()
    _kind = ""

    def __init__(self, items: Iterable[Any] = ()) -> None:
        _native._init_object(self, _function(f"ffi.{self._kind}")(*items))

    def __len__(self) -> int:
        return _function(f"ffi.{self._kind}Size")(self)

    def _position(self, index: Any) -> int:
        i, n = operator.index(index), len(self)
        if not -n <= i < n:
            raise IndexError(f"index {i} is out of range for {n} items")
        return i + n if i < 0 else i

    def __getitem__(self, index: Any) -> Any:
        get = _function(f"ffi.{self._kind}GetItem")
        if isinstance(index, slice):
            return [get(self, i) for i in range(*index.indices(len(self)))]
        return get(self, self._position(index))

    def __iter__(self) -> Iterator[Any]:
        get = _function(f"ffi.{self._kind}GetItem")
        i = 0
        while i < len(self):  # a List may change meanwhile
            yield get(self, i)
            i += 1

    def __contains__(self, value: Any) -> bool:
        return any(item is value or item == value for item in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (_SequenceBase, list, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=False))

    def __add__(self, other: Any) -> list[Any]:
        if not isinstance(other, (_SequenceBase, list, tuple)):
            return NotImplemented
        return [*self, *other]

    def __radd__(self, other: Any) -> list[Any]:
        if not isinstance(other, (list, tuple)):
            return NotImplemented
        return [*other, *self]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self)!r})"

    __reversed__ = Sequence.__reversed__
    index = Sequence.index
    count = Sequence.count


@bind_class(71)
class Array(_SequenceBase):
    """An immutable sequence of C++ (`tvm::ffi::Array`); equal to a list or tuple of equal items."""

    __slots__ = ()
    _kind = "Array"

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> Any:
        return (Array, (list(self),))


@bind_class(75)
class List(_SequenceBase):
    """A mutable sequence of C++ (`tvm::ffi::List`); changes are seen on both sides."""

    __slots__ = ()
    _kind = "List"
    __hash__ = None  # type: ignore[assignment]

    def __setitem__(self, index: Any, value: Any) -> None:
        if isinstance(index, slice):
            items = list(self)
            items[index] = value
            _function("ffi.ListClear")(self)
            self.extend(items)
        else:
            _function("ffi.ListSetItem")(self, self._position(index), value)

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            for i in sorted(range(*index.indices(len(self))), reverse=True):
                _function("ffi.ListErase")(self, i)
        else:
            _function("ffi.ListErase")(self, self._position(index))

    def insert(self, index: Any, value: Any) -> None:
        """Puts a value before the position, as list.insert."""
        n = len(self)
        i = operator.index(index)
        i = max(i + n, 0) if i < 0 else min(i, n)
        _function("ffi.ListInsert")(self, i, value)

    def __reduce__(self) -> Any:
        return (List, (list(self),))

    append = MutableSequence.append
    clear = MutableSequence.clear
    extend = MutableSequence.extend
    pop = MutableSequence.pop
    remove = MutableSequence.remove
    reverse = MutableSequence.reverse
    __iadd__ = MutableSequence.__iadd__


class _MappingBase(Object):
    __slots__ = ()
    _kind = ""

    def __init__(self, items: Any = (), /, **more: Any) -> None:
        flat = [part for pair in dict(items, **more).items() for part in pair]
        _native._init_object(self, _function(f"ffi.{self._kind}")(*flat))

    def __len__(self) -> int:
        return _function(f"ffi.{self._kind}Size")(self)

    def __contains__(self, key: Any) -> bool:
        return bool(_function(f"ffi.{self._kind}Count")(self, key))

    def __getitem__(self, key: Any) -> Any:
        if key not in self:
            raise KeyError(key)
        return _function(f"ffi.{self._kind}GetItem")(self, key)

    def __iter__(self) -> Iterator[Any]:
        if not len(self):
            return
        step = _function(f"ffi.{self._kind}ForwardIterFunctor")(self)
        while True:
            yield step(0)
            if not step(2):
                return

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (_MappingBase, dict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.items())!r})"

    __hash__ = None  # type: ignore[assignment]
    get = Mapping.get
    keys = Mapping.keys
    values = Mapping.values
    items = Mapping.items


@bind_class(72)
class Map(_MappingBase):
    """An immutable mapping of C++ (`tvm::ffi::Map`), in the order of insertion."""

    __slots__ = ()
    _kind = "Map"

    def __reduce__(self) -> Any:
        return (Map, (dict(self.items()),))


@bind_class(76)
class Dict(_MappingBase):
    """A mutable mapping of C++ (`tvm::ffi::Dict`); changes are seen on both sides."""

    __slots__ = ()
    _kind = "Dict"

    def __setitem__(self, key: Any, value: Any) -> None:
        _function("ffi.DictSetItem")(self, key, value)

    def __delitem__(self, key: Any) -> None:
        if key not in self:
            raise KeyError(key)
        _function("ffi.DictErase")(self, key)

    def clear(self) -> None:
        """Removes all items."""
        _function("ffi.DictClear")(self)

    def __reduce__(self) -> Any:
        return (Dict, (dict(self.items()),))

    _MutableMapping__marker = MutableMapping._MutableMapping__marker  # type: ignore[attr-defined]
    pop = MutableMapping.pop
    popitem = MutableMapping.popitem
    setdefault = MutableMapping.setdefault
    update = MutableMapping.update


Sequence.register(Array)
MutableSequence.register(List)
Mapping.register(Map)
MutableMapping.register(Dict)
