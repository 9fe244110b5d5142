# SPDX-License-Identifier: Apache-2.0
"""Containers of C++ as Python sequences and mappings; items are converted when asked for."""

from __future__ import annotations

import contextlib
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
from isthmus.ffi._object import Object, _function, bind_class, class_of_type


class _ContainerBase(Object):
    __slots__ = ()
    _kind = ""  # the name of the type in those of its functions

    def __len__(self) -> int:
        return _function(f"ffi.{self._kind}Size")(self)

    def _plain(self) -> Any:
        """The Python container of the same items."""
        raise NotImplementedError

    def __repr__(self) -> str:
        if not _native._object_address(self):
            return super().__repr__()
        return f"{type(self).__name__}({self._plain()!r})"

    def __reduce__(self) -> Any:
        return (class_of_type(self._type_index), (self._plain(),))


class _SequenceBase(_ContainerBase):
    __slots__ = ()

    def __init__(self, items: Iterable[Any] = ()) -> None:
        _native._init_object(self, _function(f"ffi.{self._kind}")(*items))

    def _plain(self) -> list[Any]:
        return list(self)

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

    def __copy__(self) -> Any:
        return self._copied(lambda items: _function(f"ffi.{self._kind}")(*items))

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
            # Converted as a whole before anything changes.
            _function("ffi.ListReplaceSlice")(self, 0, len(self), List(items))
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

    append = MutableSequence.append
    clear = MutableSequence.clear
    extend = MutableSequence.extend
    pop = MutableSequence.pop
    remove = MutableSequence.remove
    reverse = MutableSequence.reverse
    __iadd__ = MutableSequence.__iadd__


class _MappingBase(_ContainerBase):
    __slots__ = ()

    def __init__(self, items: Any = (), /, **more: Any) -> None:
        flat = [part for pair in dict(items, **more).items() for part in pair]
        _native._init_object(self, _function(f"ffi.{self._kind}")(*flat))

    def _plain(self) -> dict[Any, Any]:
        return dict(self.items())

    def _flat(self) -> Any:
        """Keys and values in turn, as an Array that later changes do not touch."""
        return _function("isthmus.map_items")(self)

    def _form(self, key: Any) -> Any:
        """The key as it is stored: 1, 1.0 and True are one key to Python and three to C++."""
        count = _function(f"ffi.{self._kind}Count")
        if isinstance(key, (int, float)) and not count(self, key):
            for kind in (int, float, bool):
                with contextlib.suppress(ValueError, OverflowError):
                    form = kind(key)
                    if form == key and count(self, form):
                        return form
        return key

    def _place(self, key: Any) -> int | None:
        """Where in `_flat()` an equal key is that C++ tells by its address: a tuple, say."""
        if key is None or isinstance(key, (str, bytes, int, float)):
            return None
        flat = self._flat()
        return next((i for i in range(0, len(flat), 2) if flat[i] == key), None)

    def __contains__(self, key: Any) -> bool:
        found = _function(f"ffi.{self._kind}Count")(self, self._form(key))
        return bool(found) or self._place(key) is not None

    def __getitem__(self, key: Any) -> Any:
        form = self._form(key)
        if _function(f"ffi.{self._kind}Count")(self, form):
            return _function(f"ffi.{self._kind}GetItem")(self, form)
        place = self._place(key)
        if place is None:
            raise KeyError(key)
        return self._flat()[place + 1]

    def __iter__(self) -> Iterator[Any]:
        n = len(self)
        flat = self._flat()
        for i in range(0, len(flat), 2):
            yield flat[i]
            if len(self) != n:
                raise RuntimeError(f"{type(self).__name__} changed size during iteration")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (_MappingBase, dict)):
            return NotImplemented
        return dict(self.items()) == dict(other.items())

    def __copy__(self) -> Any:
        return self._copied(lambda mapping: _function(f"ffi.{self._kind}")(*mapping._flat()))

    __hash__ = None  # type: ignore[assignment]
    get: Any = Mapping.get
    keys: Any = Mapping.keys
    values: Any = Mapping.values
    items: Any = Mapping.items


@bind_class(72)
class Map(_MappingBase):
    """An immutable mapping of C++ (`tvm::ffi::Map`), in the order of insertion."""

    __slots__ = ()
    _kind = "Map"


@bind_class(76)
class Dict(_MappingBase):
    """A mutable mapping of C++ (`tvm::ffi::Dict`); changes are seen on both sides."""

    __slots__ = ()
    _kind = "Dict"

    def __setitem__(self, key: Any, value: Any) -> None:
        place = self._place(key)
        if place is None:
            _function("ffi.DictSetItem")(self, self._form(key), value)
        else:
            items = list(self.items())
            items[place // 2] = (key, value)
            self._refill(items)

    def __delitem__(self, key: Any) -> None:
        place = self._place(key)
        if place is not None:
            items = list(self.items())
            del items[place // 2]
            self._refill(items)
        elif key in self:
            _function("ffi.DictErase")(self, self._form(key))
        else:
            raise KeyError(key)

    def _refill(self, items: list[tuple[Any, Any]]) -> None:
        _function("ffi.DictClear")(self)
        for key, value in items:
            _function("ffi.DictSetItem")(self, key, value)

    def clear(self) -> None:
        """Removes all items."""
        _function("ffi.DictClear")(self)

    _MutableMapping__marker = MutableMapping._MutableMapping__marker  # type: ignore[attr-defined]
    pop = MutableMapping.pop
    popitem = MutableMapping.popitem
    setdefault = MutableMapping.setdefault
    update = MutableMapping.update


Sequence.register(Array)
MutableSequence.register(List)
Mapping.register(Map)
MutableMapping.register(Dict)
