# SPDX-License-Identifier: Apache-2.0
"""Python classes of C++ object types, made from what the FFI's reflection tells."""

from __future__ import annotations

import inspect
import json
import re
import types
from collections.abc import Callable
from functools import cache
from typing import Any

from isthmus import _native

_ROOT = 64  # the type index of tvm-ffi's own root type

_PYTHON_TYPES = {
    "int": "int",
    "float": "float",
    "bool": "bool",
    "None": "None",
    "ffi.String": "str",
    "std::string": "str",
    "const char*": "str",
    "ffi.Bytes": "bytes",
    "ffi.Tensor": "isthmus.ndarray",
    "ffi.Function": "isthmus.ffi.Function",
    "Device": "isthmus.Device",
    "DataType": "numpy.dtype",
    "ffi.Array": "isthmus.ffi.Array",
    "ffi.List": "isthmus.ffi.List",
    "ffi.Map": "isthmus.ffi.Map",
    "ffi.Dict": "isthmus.ffi.Dict",
}


@cache
def _function(name: str) -> Any:
    return _native.get_global_func(name)


class Object(_native.ObjectBase):
    """An object that C++ made; the base of the classes of all registered types.

    Fields and methods are those that the type registered. `copy.copy` copies the fields,
    `copy.deepcopy` what they refer to as well. Two objects are equal when they are the same one,
    or when they have the same type and equal fields.
    """

    __slots__ = ()
    _type_index = _ROOT

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        init = _native._type_attr(self._type_index, "__ffi_init__")
        if init is None:
            raise TypeError(f"objects of type {type(self).__name__} cannot be made from Python")
        if kwargs:
            args += (_function("ffi.GetKwargsObject")(),)
            for item in kwargs.items():
                args += item
        try:
            made = init(*args)
        except TypeError as error:
            if kwargs and re.search(r"takes \d+ arguments? |number of arguments", str(error)):
                raise TypeError(
                    f"{type(self).__name__}() takes positional arguments only"
                ) from error
            raise
        _native._init_object(self, made)

    def __repr__(self) -> str:
        if not _native._object_address(self):
            return f"<{type(self).__name__} that was not initialised>"
        return _function("ffi.ReprPrint")(self)

    def same_as(self, other: Any) -> bool:
        """Whether both are the same C++ object."""
        return isinstance(other, Object) and (
            _native._object_address(self) == _native._object_address(other)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Object):
            return NotImplemented
        if self.same_as(other):
            return True
        if not (_native._object_address(self) and _native._object_address(other)):
            return False
        if _native._object_type_index(self) != _native._object_type_index(other):
            return False
        return _function("ffi.RecursiveEq")(self, other)

    def __hash__(self) -> int:
        return _function("ffi.RecursiveHash")(self)

    def __copy__(self) -> Any:
        return self._copied(_native._type_attr(self._type_index, "__ffi_shallow_copy__"))

    def __deepcopy__(self, memo: Any) -> Any:
        return self._copied(_function("ffi.DeepCopy"))

    def _copied(self, copy: Any) -> Any:
        if copy is None:
            raise TypeError(f"objects of type {type(self).__name__} cannot be copied")
        made = type(self).__new__(type(self))
        _native._init_object(made, copy(self))
        if hasattr(self, "__dict__"):
            made.__dict__.update(self.__dict__)
        return made

    def __reduce__(self) -> Any:
        raise TypeError(f"cannot pickle objects of type {type(self).__name__}")


class _Method:
    """A function of the registry as a method: the object is its first argument."""

    def __init__(self, function: Any, name: str, doc: str) -> None:
        self.function = function
        self.__name__ = name
        self.__doc__ = doc

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any) -> Any:
        return self.function(*args)


def _annotation(metadata: str) -> str:
    try:
        schema = json.loads(json.loads(metadata)["type_schema"])
    except (ValueError, KeyError, TypeError):
        return "typing.Any"
    name = _PYTHON_TYPES.get(schema.get("type", ""), "typing.Any")
    if schema.get("type") == "Optional" and schema.get("args"):
        inner = _PYTHON_TYPES.get(schema["args"][0].get("type", ""), "typing.Any")
        return f"{inner} | None"
    return name


def _describe(index: int) -> tuple[str, type, dict[str, Any]]:
    """Key, base class and namespace of a type's class."""
    key, parent, doc, fields, methods = _native._type_info(index)
    base = Object if parent < 0 or index == _ROOT else class_of_type(parent)
    namespace: dict[str, Any] = {
        "__slots__": (),
        "__doc__": doc or f"Objects of the C++ type {key}.",
        "__module__": "isthmus.ffi",
        "__annotations__": {},
        "_type_index": index,
        "_type_key": key,
    }
    for field in fields:
        namespace[field.__name__] = field
        namespace["__annotations__"][field.__name__] = _annotation(field.metadata)
    for name, text, static, function in methods:
        if not name.startswith("__ffi_"):
            namespace[name] = staticmethod(function) if static else _Method(function, name, text)
    return key, base, namespace


_classes: dict[int, type] = {_ROOT: Object}


def class_of_type(index: int) -> type:
    """The class of a type, made when it is first asked for."""
    cls = _classes.get(index)
    if cls is None:
        key, base, namespace = _describe(index)
        cls = type(base)(key.rsplit(".", 1)[-1], (base,), namespace)
        _classes[index] = cls
        _native._set_object_class(index, cls)
    return cls


def register_object(key: str, cls: type | None = None) -> Any:
    """Makes a class of yours the Python class of a C++ type. A decorator.

    The class derives from `Object` (or from the class of the type's parent) and may add methods;
    the fields and methods of the type are added to it unless it has its own.

    Raises
    ------
    ValueError
        When no type has that key.
    TypeError
        When the class does not derive from `Object`.
    """
    if cls is None:
        return lambda c: register_object(key, c)
    index = _native._type_index(key)
    if not (isinstance(cls, type) and issubclass(cls, Object)):
        raise TypeError(f"a class of FFI objects must derive from isthmus.ffi.Object, not {cls!r}")
    namespace = _describe(index)[2]
    annotations = namespace.pop("__annotations__")
    for name, value in namespace.items():
        if name.startswith("_type_") or (not name.startswith("__") and name not in cls.__dict__):
            setattr(cls, name, value)
    cls.__annotations__ = {**annotations, **inspect.get_annotations(cls)}
    _classes[index] = cls
    _native._set_object_class(index, cls)
    return cls


def bind_class(index: int) -> Callable[[type], type]:
    """Decorator: the class of one of tvm-ffi's own types."""

    def bind(cls: Any) -> type:
        cls._type_index = index
        _classes[index] = cls
        _native._set_object_class(index, cls)
        return cls

    return bind


_native._set_object_class(_ROOT, Object)
_native._setup(class_of_type=class_of_type)
