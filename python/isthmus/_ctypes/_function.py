# SPDX-License-Identifier: Apache-2.0
"""Functions of the registry, and objects of C++ types."""

from __future__ import annotations

from typing import Any

from isthmus._ctypes import _abi, _errors, _values
from isthmus._ctypes._abi import byref, c_void_p


class Function:
    __slots__ = ("__weakref__", "_handle", "_name", "_releases")
    __module__ = "isthmus.ffi"

    def __new__(cls, f: Any, /) -> Any:
        if type(f) is Function:
            return f
        if not callable(f):
            raise TypeError(f"Function() expects a callable, not {type(f).__name__}")
        name = getattr(f, "__name__", None)
        return make_function(_errors.make_callback(f), name if isinstance(name, str) else None)

    def __init_subclass__(cls, **keywords: Any) -> None:
        if cls.__module__ != __name__.replace("_function", "_op"):
            raise TypeError("type 'isthmus.ffi.Function' is not an acceptable base type")

    def __call__(self, *args: Any) -> Any:
        return _values.call(self._handle, args, self._releases)

    def __del__(self, decref: Any = _abi.decref) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            decref(handle)

    def __repr__(self) -> str:
        if self._name is not None:
            return f"<isthmus function {self._name!r}>"
        return f"<isthmus function at {self._handle:#x}>"

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._handle == other._handle

    def __hash__(self) -> int:
        return hash(self._handle >> 4)

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle 'isthmus.ffi.Function' object")

    @property
    def __name__(self) -> str:
        return self._name if self._name is not None else "<anonymous>"

    def __getattr__(self, name: str) -> Any:
        if name == "__qualname__":  # no class body can have a property of that name
            return self.__name__
        raise AttributeError(f"{type(self)!r} object has no attribute {name!r}")

    @property
    def release_gil(self) -> bool:
        """Whether other Python threads run during a call."""
        return self._releases

    @release_gil.setter
    def release_gil(self, value: Any) -> None:
        self._releases = bool(value)

    @property
    def __signature__(self) -> Any:
        return self._attribute("__signature__")

    __doc__ = property(lambda self: self._attribute("__doc__"))

    def _attribute(self, what: str) -> Any:
        from isthmus import _signature

        return _signature.function_attribute(what, self._name)


def make_function(handle: int, name: str | None = None) -> Function:
    """The Python object of a function; takes over the reference."""
    made = object.__new__(Function)
    made._handle = handle
    made._name = name
    core = name is not None and name.startswith(("isthmus.", "ffi."))
    made._releases = not core and _errors.callable_of(handle) is None
    return made


def get_global_func(*args: Any, **keywords: Any) -> Any:
    """The function of that name in the registry; ValueError (or None) when there is none."""
    name = args[0] if args else None
    allow = args[1] if len(args) > 1 else False
    if keywords:
        if list(keywords) != ["allow_missing"]:
            raise TypeError("get_global_func() got an unexpected keyword argument")
        allow = keywords["allow_missing"]
    if len(args) > 2 or not isinstance(name, str):
        raise TypeError("get_global_func() expects the name of a function")
    out = c_void_p()
    _errors.check(_abi.get_global(byref(_abi.lend(name.encode())), byref(out)))
    if out.value:
        return make_function(out.value, name)
    if allow:
        return None
    raise ValueError(f"no function named {name!r} in the registry")


def set_global_func(name: str, function: Function, override: bool) -> None:
    """Puts a function into the registry."""
    _errors.check(_abi.set_global(byref(_abi.lend(name.encode())), function._handle, override))


def set_error_class(kind: Any, cls: Any) -> None:
    """Exceptions of that kind arrive as instances of the class."""
    if not isinstance(kind, str):
        raise TypeError(f"the kind of an error must be a str, not {type(kind).__name__}")
    if not (isinstance(cls, type) and issubclass(cls, BaseException)):
        raise TypeError(f"expected an exception class, not {cls!r}")
    _errors.error_classes[kind] = cls


# ---- Objects -------------------------------------------------------------------------------------


class ObjectBase:
    """An object that C++ made, of any type registered with the FFI."""

    __slots__ = ("__weakref__", "_handle")
    __module__ = "isthmus.ffi"

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        made = object.__new__(cls)
        made._handle = 0
        return made

    def __del__(self, decref: Any = _abi.decref) -> None:
        if self._handle:
            decref(self._handle)


def _put_base(o: ObjectBase, slot: _abi.Any, depth: int) -> None:
    if not o._handle:
        raise TypeError(f"an object of type {type(o).__name__} that was not initialised")
    _values.put_object(o._handle, slot)


def _is_instance(handle: int, index: int) -> bool:
    own = _abi.header_of(handle).type_index
    if own == index:
        return True
    have, want = _abi.get_type_info(own), _abi.get_type_info(index)
    if not have or not want or have.contents.type_depth <= want.contents.type_depth:
        return False
    ancestor = have.contents.type_ancestors[want.contents.type_depth]
    return ancestor.contents.type_index == index


_WRITABLE = 1
_STATIC_METHOD = 4
_SETTER_IS_FUNCTION = 1 << 11


class Field:
    """A field of a C++ type: reads and writes it through its accessors."""

    __slots__ = ("_index", "_info")
    __module__ = "isthmus.ffi"

    def __init__(self, info: _abi.FieldInfo, index: int) -> None:
        self._info = info
        self._index = index

    @property
    def __name__(self) -> str:
        return _abi.text_at(self._info.name)

    __doc__ = property(lambda self: _abi.text_at(self._info.doc))
    writable = property(lambda self: bool(self._info.flags & _WRITABLE))
    metadata = property(lambda self: _abi.text_at(self._info.metadata))
    flags = property(lambda self: self._info.flags)

    def __repr__(self) -> str:
        return f"<isthmus field {self.__name__!r}>"

    def _address(self, owner: Any) -> int:
        if (
            not isinstance(owner, ObjectBase)
            or not owner._handle
            or not _is_instance(owner._handle, self._index)
        ):
            raise TypeError(
                f"field {self.__name__!r} belongs to another type than {type(owner).__name__}, "
                "or it was not initialised"
            )
        return owner._handle + self._info.offset

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        if owner is None:
            return self
        result = _abi.Any()
        getter = _abi.Getter(self._info.getter)
        _errors.check(getter(self._address(owner), byref(result)))
        return _values.take(result)

    def __set__(self, owner: Any, value: Any) -> None:
        self._address(owner)
        if not self.writable or not self._info.setter:
            raise AttributeError(f"field {self.__name__!r} is read-only")
        slot = _abi.Any()
        _values.put(value, slot)
        try:
            # Python code that ran meanwhile may have initialised the owner anew.
            address = self._address(owner)
            if self._info.flags & _SETTER_IS_FUNCTION:
                args = (_abi.Any * 2)()
                args[0].type_index, args[0].v_ptr = _abi.OPAQUE_PTR, address
                args[1].type_index, args[1].small_len = slot.type_index, slot.small_len
                args[1].v_uint64 = slot.v_uint64
                _values.invoke_raw(self._info.setter, args, 2, _abi.Any())
            else:
                setter = _abi.Setter(self._info.setter)
                _errors.check(setter(address, byref(slot)))
        finally:
            _values.take_dropped(slot)

    def __delete__(self, owner: Any) -> None:
        self._address(owner)
        raise AttributeError(f"field {self.__name__!r} cannot be deleted")


def type_info(index: int) -> Any:
    """(key, parent's index or -1, doc, fields, methods) of a registered type."""
    found = _abi.get_type_info(index) if 0 <= index < 2**31 else None
    if not found:
        raise ValueError(f"no FFI type of index {index}")
    info = found.contents
    depth = info.type_depth
    parent = info.type_ancestors[depth - 1].contents.type_index if depth > 0 else -1
    fields = [Field(info.fields[i], info.type_index) for i in range(info.num_fields)]
    methods = []
    for i in range(info.num_methods):
        row = info.methods[i]
        methods.append((_abi.text_at(row.name), _abi.text_at(row.doc),
                        bool(row.flags & _STATIC_METHOD), _values.get(row.method)))  # fmt: skip
    doc = _abi.text_at(info.metadata.contents.doc) if info.metadata else ""
    return _abi.text_at(info.type_key), parent, doc, fields, methods


def type_attr(index: int, name: str) -> Any:
    """The attribute that a type registered under the name, or None."""
    column = _abi.get_attr_column(byref(_abi.lend(name.encode())))
    if not column:
        return None
    at = index - column.contents.begin_index
    return _values.get(column.contents.data[at]) if 0 <= at < column.contents.size else None


def init_object(made: Any, other: Any) -> None:
    """Makes `made` the object that `other` is."""
    for o in (made, other):
        if not isinstance(o, ObjectBase):
            raise TypeError(f"expected an isthmus.ffi.Object, not {type(o).__name__}")
    handle, old = other._handle, made._handle
    if handle:
        _abi.incref(handle)
    made._handle = handle
    if old:
        _abi.decref(old)


def object_address(o: Any) -> int:
    """Where the C++ object is, 0 before it was made."""
    if not isinstance(o, ObjectBase):
        raise TypeError(f"expected an isthmus.ffi.Object, not {type(o).__name__}")
    return o._handle


def object_type_index(o: Any) -> int:
    """The type of the C++ object."""
    if not isinstance(o, ObjectBase) or not o._handle:
        raise TypeError(f"expected an initialised isthmus.ffi.Object, not {type(o).__name__}")
    return _abi.header_of(o._handle).type_index


def set_object_class(index: int, cls: type) -> None:
    """Objects of that type arrive as instances of the class."""
    if not (isinstance(cls, type) and issubclass(cls, ObjectBase)):
        raise TypeError(f"{cls!r} does not derive from isthmus.ffi.Object")
    _values.object_classes[index] = cls


_values.register_type(Function, lambda o, slot, depth: _values.put_object(o._handle, slot))
_values.register_type(ObjectBase, _put_base, bases=True)
_values.hooks["make_function"] = make_function
_values.hooks["object_base"] = ObjectBase
