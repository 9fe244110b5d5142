# SPDX-License-Identifier: Apache-2.0
"""Python values as values of the FFI, and back."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy

from isthmus._ctypes import _abi, _errors
from isthmus._ctypes._abi import byref, c_void_p

MAX_DEPTH = 100
#: What is left for items inside containers; containers that are shared have many more items than
#: there are objects. Less than the native front end allows, since it takes longer.
_NESTED_WORK = 1 << 22
_nested_work = 0

_INT64 = range(-(2**63), 2**63)

#: Characters of the dtypes of the core, in the order of its enumeration.
DTYPE_CHARS = "?bBhHiIqQefdFD"
#: Their indices by every character that NumPy may have for them.
DTYPE_INDEX: dict[str, int] = {numpy.dtype(char).char: i for i, char in enumerate(DTYPE_CHARS)}
for _char in "lLqQ":  # C's names for what is of one width
    _name = numpy.dtype(_char).name
    DTYPE_INDEX[_char] = [numpy.dtype(c).name for c in DTYPE_CHARS].index(_name)
DTYPES = [numpy.dtype(char) for char in "?bBhHiI"] + [
    numpy.dtype(name)
    for name in ("int64", "uint64", "float16", "float32", "float64", "complex64", "complex128")
]
_CODES = {"b": 6, "i": 0, "u": 1, "f": 2, "c": 5}
DL_DTYPES = [(_CODES[d.kind], d.itemsize * 8, 1) for d in DTYPES]
_FROM_DL = dict(zip(DL_DTYPES, DTYPES, strict=True))

#: Classes of object types by their indices; what makes the class of one that is not there yet.
object_classes: dict[int, type] = {}
hooks: dict[str, Any] = {}

ToAny = Callable[[Any, "_abi.Any", int], None]


def function_handle(name: str) -> int:
    """The function of that name in the registry, kept for ever."""
    out = c_void_p()
    data = name.encode()
    _errors.check(_abi.get_global(byref(_abi.lend(data)), byref(out)))
    if not out.value:
        raise ValueError(f"no function named {name!r} in the registry")
    return out.value


_functions: dict[str, int] = {}


def core_function(name: str) -> int:
    """The same, looked up once."""
    handle = _functions.get(name)
    if handle is None:
        handle = _functions[name] = function_handle(name)
    return handle


def invoke(name: str, *args: Any) -> Any:
    """Calls a function of the core by its name."""
    return call(core_function(name), args)


def invoke_plain(name: str, *args: Any) -> Any:
    """The same; Arrays in the result, which have no class yet, are lists."""
    values = (_abi.Any * len(args))()
    result = _abi.Any()
    made = 0
    try:
        for value in args:
            put(value, values[made])
            made += 1
        invoke_raw(core_function(name), values, made, result)
        return _plain(result)
    finally:
        drop(values, made)
        take_dropped(result)


def _plain(value: _abi.Any) -> Any:
    if value.type_index != _abi.ARRAY:
        return get(value)
    cell = _abi.SeqCell.from_address(value.v_ptr + _abi.HEADER)
    return (
        [_plain(item) for item in (_abi.Any * cell.size).from_address(cell.data)]
        if (cell.size)
        else []
    )


def call(handle: int, args: Iterable[Any], releasing: bool = False) -> Any:
    """Calls a function with Python values; its result as a Python value."""
    given = tuple(args)
    values = (_abi.Any * len(given))()
    made = 0
    result = _abi.Any()
    try:
        for slot, value in zip(values, given):
            put(value, slot)
            made += 1
        invoke_raw(handle, values, made, result, releasing)
        return take(result)
    finally:
        drop(values, made)


def invoke_raw(
    handle: int, values: Any, count: int, result: _abi.Any, releasing: bool = False
) -> None:
    """Calls a function with values of the FFI; raises what it failed with."""
    try:
        code = (_abi.call_releasing if releasing else _abi.call_holding)(
            handle, values, count, byref(result)
        )
    except BaseException:
        # A kernel of NumPy raised; the call itself succeeded.
        take_dropped(result)
        raise
    if code:
        _errors.raise_from_ffi()


def drop(values: Any, count: int) -> None:
    """Gives up the references of the first `count` values."""
    for i in range(count):
        if values[i].type_index >= _abi.OBJECT_BEGIN:
            _abi.decref(values[i].v_ptr)


def take_dropped(value: _abi.Any) -> None:
    """Gives up the reference that a value has."""
    if value.type_index >= _abi.OBJECT_BEGIN:
        _abi.decref(value.v_ptr)
        value.type_index = _abi.NONE


# ---- To the FFI ----------------------------------------------------------------------------------


def put(o: Any, slot: _abi.Any, depth: int = 0) -> None:
    """Puts a value into a slot, which owns a reference when it is an object."""
    convert = _by_type.get(type(o))
    if convert is None:
        convert = _put_other
    convert(o, slot, depth)


def _put_int(o: int, slot: _abi.Any, depth: int) -> None:
    if o in _INT64:
        slot.type_index = _abi.INT
        slot.v_int64 = o
        return
    data = o.to_bytes((o.bit_length() // 64 + 1) * 8, sys.byteorder, signed=True)
    if sys.byteorder == "big":  # the lowest word comes first
        data = b"".join(data[i : i + 8] for i in range(len(data) - 8, -1, -8))
    _errors.check(_abi.make_big_int(byref(_abi.lend(data)), byref(slot)))


def _put_float(o: float, slot: _abi.Any, depth: int) -> None:
    slot.type_index = _abi.FLOAT
    slot.v_float64 = o


def _put_bool(o: bool, slot: _abi.Any, depth: int) -> None:
    slot.type_index = _abi.BOOL
    slot.v_int64 = o


def _put_none(o: None, slot: _abi.Any, depth: int) -> None:
    slot.type_index = _abi.NONE
    slot.v_int64 = 0


def _put_str(o: str, slot: _abi.Any, depth: int) -> None:
    data = str.encode(o)
    if len(data) <= 7:
        slot.type_index = _abi.SMALL_STR
        slot.small_len = len(data)
        slot.v_uint64 = int.from_bytes(data.ljust(8, b"\0"), sys.byteorder)
        return
    _errors.check(_abi.make_string(byref(_abi.lend(data)), byref(slot)))


def _put_bytes(o: Any, slot: _abi.Any, depth: int) -> None:
    _errors.check(_abi.make_bytes(byref(_abi.lend(bytes(memoryview(o)))), byref(slot)))


def _give(handle: int, slot: _abi.Any) -> None:
    """Puts an object into a slot that takes over its reference."""
    slot.type_index = _abi.header_of(handle).type_index
    slot.small_len = 0
    slot.v_ptr = handle


def put_object(handle: int, slot: _abi.Any) -> None:
    """Puts an object into a slot, with a reference of its own."""
    _abi.incref(handle)
    _give(handle, slot)


def _check_depth(depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise RecursionError(f"nested deeper than {MAX_DEPTH} levels, or it contains itself")


def _count_items(depth: int, n: int) -> None:
    global _nested_work
    if depth == 0:
        _nested_work = _NESTED_WORK
        return
    _nested_work -= depth * depth * n
    if _nested_work < 0:
        raise RecursionError(
            "too many containers inside others; one that is held twice counts twice"
        )


def _make(
    name: str, items: Iterable[Any], slot: _abi.Any, depth: int, room: int | None = None
) -> None:
    """Puts what a function of the registry makes of the items, `room` of them at most."""
    handle = core_function(name)
    values = (_abi.Any * (len(items) if room is None else room))()  # type: ignore[arg-type]
    made = 0
    try:
        for item in items:
            put(item, values[made], depth + 1)
            made += 1
        # The slot may be part of something that is dropped when this fails.
        result = _abi.Any()
        invoke_raw(handle, values, made, result)
        ctypes.memmove(byref(slot), byref(result), ctypes.sizeof(_abi.Any))
    finally:
        drop(values, made)


def _put_sequence(o: Any, slot: _abi.Any, depth: int) -> None:
    _check_depth(depth)
    is_tuple = isinstance_exactly(o, tuple)
    room = (tuple if is_tuple else list).__len__(o)
    if not all(type(item) is int for item in (tuple if is_tuple else list).__iter__(o)):
        _count_items(depth, room)
    # Converting may shorten a list.
    items = tuple.__iter__(o) if is_tuple else _items_of(o, room)
    _make("ffi.Array", items, slot, depth, room)
    _abi.header_of(slot.v_ptr).padding = _abi.FROM_TUPLE if is_tuple else _abi.FROM_LIST


def _items_of(o: list[Any], room: int) -> Iterator[Any]:
    """The first items of a list that may change meanwhile."""
    for i in range(room):
        if i >= list.__len__(o):
            return
        yield list.__getitem__(o, i)


def _put_dict(o: dict[Any, Any], slot: _abi.Any, depth: int) -> None:
    _check_depth(depth)
    pairs = list(dict.items(o))
    _count_items(depth, len(pairs))
    _make("ffi.Map", [part for pair in pairs for part in pair], slot, depth)
    _abi.header_of(slot.v_ptr).padding = _abi.FROM_DICT


def _put_slice(o: slice, slot: _abi.Any, depth: int) -> None:
    _check_depth(depth)
    parts = [o.start, o.stop, o.step]
    if not all(part is None or type(part) in (int, float) for part in parts):
        _count_items(depth, 3)
    _make("isthmus.Slice", parts, slot, depth)


def _put_ellipsis(o: Any, slot: _abi.Any, depth: int) -> None:
    _make("isthmus.Ellipsis", [], slot, depth)


def _put_complex(o: complex, slot: _abi.Any, depth: int) -> None:
    number = complex.__add__(o, 0)
    _make("isthmus.Complex", [o.real, o.imag] if type(o) is complex else
          [number.real, number.imag], slot, depth)  # fmt: skip


def _put_range(o: range, slot: _abi.Any, depth: int) -> None:
    for part in (o.start, o.stop, o.step):
        if part not in _INT64:
            raise OverflowError("Python int too large to convert to C long")
    _make("isthmus.Range", [o.start, o.stop, o.step], slot, depth)


def put_dtype(d: numpy.dtype[Any], slot: _abi.Any) -> bool:
    """Puts a dtype of numbers; false for another."""
    index = DTYPE_INDEX.get(d.char) if d.isnative else None
    if index is None:
        return False
    slot.type_index = _abi.DTYPE
    slot.v_int64 = 0
    slot.v_dtype = _abi.DLDataType(*DL_DTYPES[index])
    return True


def _put_scalar(o: numpy.generic, slot: _abi.Any, depth: int) -> bool:
    if o.dtype.char not in DTYPE_INDEX:
        return False
    kind = o.dtype.kind
    if kind == "b":
        _put_bool(bool(o), slot, depth)
    elif kind in "iu":
        _put_int(int(o), slot, depth)
    elif kind == "f":
        _put_float(float(o), slot, depth)
    else:
        _put_complex(complex(o), slot, depth)
    return True


def isinstance_exactly(o: Any, cls: type) -> bool:
    """isinstance() that asks neither `__class__` nor the metaclass."""
    return cls in _mro(type(o))


_mro = type.__dict__["__mro__"].__get__
_namespace = type.__dict__["__dict__"].__get__


def type_attribute(o: Any, name: str) -> Any:
    """An attribute of an object's class, found without running code of the class; or None."""
    for base in _mro(type(o)):
        found = _namespace(base).get(name)
        if found is not None:
            return found
    return None


def _put_other(o: Any, slot: _abi.Any, depth: int) -> None:
    for cls, convert in _by_base:
        if isinstance_exactly(o, cls):
            if convert(o, slot, depth) is not False:
                return
            break
    _put_by_protocol(o, slot)


def _put_int_of_subclass(o: Any, slot: _abi.Any, depth: int) -> None:
    _put_int(int.__add__(o, 0), slot, depth)


def _put_str_of_subclass(o: Any, slot: _abi.Any, depth: int) -> None:
    if type(o).__name__ == "dtype":  # of tvm_ffi
        dl = _abi.DLDataType()
        if _abi.dtype_from_string(byref(_abi.lend(str.encode(o))), byref(dl)) == 0:
            slot.type_index = _abi.DTYPE
            slot.v_int64 = 0
            slot.v_dtype = dl
            return
        _errors.clear_raised()
    _put_str(o, slot, depth)


def _put_type(o: Any, slot: _abi.Any, depth: int) -> bool:
    if not isinstance_type(o, numpy.generic):
        return False
    try:
        return put_dtype(numpy.dtype(o), slot)
    except TypeError:
        return False


def isinstance_type(cls: type, base: type) -> bool:
    """issubclass() that does not ask the metaclass."""
    return base in _mro(cls)


def put_callable(o: Any, slot: _abi.Any, depth: int = 0) -> None:
    """Puts a callable as a function that C++ can call, keep and find again."""
    _give(_errors.make_callback(o), slot)


def put_opaque(o: Any, slot: _abi.Any) -> None:
    """Puts any object as a handle that comes back as the same object."""
    _give(_errors.make_opaque(o), slot)


def _put_chandle(o: Any, slot: _abi.Any) -> bool:
    """The object behind one of tvm_ffi's own Python objects."""
    module = sys.modules.get("tvm_ffi.core")
    cls = getattr(module, "CObject", None)
    if cls is None or not isinstance_exactly(o, cls):
        return False
    handle = cls.__chandle__(o)
    if handle:
        put_object(handle, slot)
    else:
        _put_none(None, slot, 0)
    return True


def _put_by_protocol(o: Any, slot: _abi.Any) -> None:
    if not isinstance_exactly(o, type):
        if _put_chandle(o, slot):
            return
        cls = type(o)
        if f"{cls.__module__}.{cls.__name__}" == "tvm_ffi.core.Device":
            slot.type_index = _abi.DEVICE
            slot.v_device = _abi.DLDevice(int(o.dlpack_device_type()), int(o.index))
            return
        if type_attribute(o, "__tvm_ffi_object__") is not None:
            inner = o.__tvm_ffi_object__()
            if not _put_chandle(inner, slot):
                raise TypeError(
                    f"{cls.__name__}.__tvm_ffi_object__() must return an object of tvm_ffi, "
                    f"not {type(inner).__name__}"
                )
            return
        if hooks["exchange_of"](o) is not None or (
            type_attribute(o, "__dlpack__") is not None and not isinstance_exactly(o, numpy.ndarray)
        ):
            held = hooks["from_dlpack"](o)
            put_object(held._handle, slot)
            return
    if callable(o):
        put_callable(o, slot)
    else:
        put_opaque(o, slot)


def _put_host_array(o: numpy.ndarray, slot: _abi.Any, depth: int) -> bool:
    if not (o.dtype.char in DTYPE_INDEX and o.dtype.isnative and o.flags.aligned):
        return False
    held = hooks["borrow"](o)
    put_object(held._handle, slot)
    return True


_by_type: dict[type, ToAny] = {
    int: _put_int,
    float: _put_float,
    bool: _put_bool,
    type(None): _put_none,
    str: _put_str,
    bytes: _put_bytes,
    bytearray: _put_bytes,
    tuple: _put_sequence,
    list: _put_sequence,
    dict: _put_dict,
    slice: _put_slice,
    type(...): _put_ellipsis,
    complex: _put_complex,
    range: _put_range,
}
_by_base: list[tuple[type, Callable[..., Any]]] = [
    (numpy.generic, _put_scalar),
    (int, _put_int_of_subclass),
    (float, lambda o, slot, depth: _put_float(float.__add__(o, 0.0), slot, depth)),
    (str, _put_str_of_subclass),
    (bytes, _put_bytes),
    (bytearray, _put_bytes),
    (dict, _put_dict),
    (tuple, _put_sequence),
    (list, _put_sequence),
    (complex, _put_complex),
    (numpy.dtype, lambda o, slot, depth: put_dtype(o, slot)),
    (type, _put_type),
    (numpy.ndarray, _put_host_array),
]


def register_type(cls: type, convert: ToAny, bases: bool = False) -> None:
    """Says how instances of a class cross (of its subclasses too)."""
    if bases:
        _by_base.insert(0, (cls, convert))
    else:
        _by_type[cls] = convert


# ---- From the FFI --------------------------------------------------------------------------------


def take(value: _abi.Any, depth: int = 0) -> Any:
    """The Python value of a value whose reference is given up."""
    index = value.type_index
    if index == _abi.NONE:
        return None
    try:
        return get(value, depth)
    finally:
        if index >= _abi.OBJECT_BEGIN:
            _abi.decref(value.v_ptr)


def get(value: _abi.Any, depth: int = 0) -> Any:
    """The Python value of a borrowed value."""
    if depth > MAX_DEPTH:
        raise RecursionError("the result is nested too deeply")
    index = value.type_index
    convert = _from_index.get(index)
    if convert is not None:
        return convert(value, depth)
    if index >= _abi.OBJECT_BEGIN:
        return _get_object(value)
    raise TypeError(f"a value of FFI type index {index} has no Python form")


def _get_small(value: _abi.Any) -> bytes:
    return value.v_uint64.to_bytes(8, sys.byteorder)[: value.small_len]


def _get_bytes(value: _abi.Any, depth: int) -> bytes:
    cell = _abi.ByteArray.from_address(value.v_ptr + _abi.HEADER)
    return ctypes.string_at(cell.data, cell.size)


def _get_str(value: _abi.Any, depth: int) -> str:
    return _get_bytes(value, depth).decode("utf-8", "surrogatepass")


def _get_byte_array(value: _abi.Any, depth: int) -> bytes:
    cell = _abi.ByteArray.from_address(value.v_ptr)
    return ctypes.string_at(cell.data, cell.size)


def _get_dtype(value: _abi.Any, depth: int) -> Any:
    dl = value.v_dtype
    found = _FROM_DL.get((dl.code, dl.bits, dl.lanes))
    if found is not None:
        return found
    text = _abi.Any()
    _errors.check(_abi.dtype_to_string(byref(dl), byref(text)))
    name = take(text)
    try:  # one that NumPy has with an extension only (bfloat16)
        return numpy.dtype(name)
    except TypeError:
        return name


def _get_dltensor(value: _abi.Any, depth: int) -> Any:
    return hooks["copy_dltensor"](_abi.DLTensor.from_address(value.v_ptr))


def _get_rvalue(value: _abi.Any, depth: int) -> Any:
    owned = _abi.Any()
    _errors.check(_abi.view_to_owned(byref(value), byref(owned)))
    return take(owned, depth)


def sequence_items(value: _abi.Any, depth: int) -> list[Any]:
    """The items of an Array or a List."""
    cell = _abi.SeqCell.from_address(value.v_ptr + _abi.HEADER)
    if not cell.size:
        return []
    items = (_abi.Any * cell.size).from_address(cell.data)
    return [get(item, depth + 1) for item in items]


def _get_array(value: _abi.Any, depth: int) -> Any:
    made_from = _abi.header_of(value.v_ptr).padding
    if made_from == _abi.FROM_TUPLE:
        return tuple(sequence_items(value, depth))
    if made_from == _abi.FROM_LIST:
        return sequence_items(value, depth)
    return _get_object(value)


def _get_map(value: _abi.Any, depth: int) -> Any:
    if _abi.header_of(value.v_ptr).padding != _abi.FROM_DICT:
        return _get_object(value)
    result = _abi.Any()
    invoke_raw(core_function("isthmus.map_items"), byref(value), 1, result)
    try:
        items = iter(sequence_items(result, depth))
        return dict(zip(items, items))
    finally:
        take_dropped(result)


def _get_shape(value: _abi.Any, depth: int) -> tuple[int, ...]:
    cell = _abi.ShapeCell.from_address(value.v_ptr + _abi.HEADER)
    return tuple(cell.data[: cell.size]) if cell.size else ()


def _get_tensor(value: _abi.Any, depth: int) -> Any:
    return hooks["wrap_tensor"](value.v_ptr)


def _get_function(value: _abi.Any, depth: int) -> Any:
    found = _errors.callable_of(value.v_ptr)
    if found is not None:
        return found
    _abi.incref(value.v_ptr)
    return hooks["make_function"](value.v_ptr)


def _get_opaque(value: _abi.Any, depth: int) -> Any:
    return _errors.opaque_value(value.v_ptr)


def _get_big_int(value: _abi.Any, depth: int) -> int:
    content = _abi.big_int_content(byref(value))
    data = ctypes.string_at(content.data, content.size)
    return int.from_bytes(data, "little", signed=True)


def _get_error(value: _abi.Any, depth: int) -> BaseException:
    return _errors.exception_of(value.v_ptr)


def _get_object(value: _abi.Any) -> Any:
    index = value.type_index
    special = _special_objects().get(index)
    if special is not None:
        return special(_attributes(value))
    cls = object_classes.get(index)
    if cls is None:
        cls = hooks["class_of_type"](index)
    if not (isinstance(cls, type) and issubclass(cls, hooks["object_base"])):
        raise TypeError("the class of an FFI type must derive from isthmus.ffi.Object")
    made = hooks["object_base"].__new__(cls)
    _abi.incref(value.v_ptr)
    made._handle = value.v_ptr
    return made


def _attributes(value: _abi.Any) -> dict[str, Any]:
    """The fields of an object by name."""
    info = _abi.get_type_info(value.type_index).contents
    found = {}
    for i in range(info.num_fields):
        field = info.fields[i]
        result = _abi.Any()
        _errors.check(_abi.Getter(field.getter)(value.v_ptr + field.offset, byref(result)))
        found[_abi.text_at(field.name)] = take(result)
    return found


_specials: dict[int, Callable[[dict[str, Any]], Any]] = {}


def _special_objects() -> dict[int, Callable[[dict[str, Any]], Any]]:
    if not _specials:
        makers: dict[str, Callable[[dict[str, Any]], Any]] = {
            "isthmus.Slice": lambda f: slice(f["start"], f["stop"], f["step"]),
            "isthmus.Ellipsis": lambda f: ...,
            "isthmus.Complex": lambda f: complex(f["real"], f["imag"]),
            "isthmus.Range": lambda f: range(f["start"], f["stop"], f["step"]),
        }
        for key, maker in makers.items():
            _specials[type_index(key)] = maker
    return _specials


def type_index(key: str) -> int:
    """The index of a registered type; ValueError when there is none."""
    if not isinstance(key, str):
        raise TypeError("type_index() expects the key of a type")
    index = _abi.c_int32(-1)
    if _abi.key_to_index(byref(_abi.lend(key.encode())), byref(index)) != 0:
        _errors.clear_raised()
        raise ValueError(f"no FFI type named {key!r}")
    return index.value


_from_index: dict[int, Callable[[_abi.Any, int], Any]] = {
    _abi.NONE: lambda v, depth: None,
    _abi.INT: lambda v, depth: v.v_int64,
    _abi.BOOL: lambda v, depth: v.v_int64 != 0,
    _abi.FLOAT: lambda v, depth: v.v_float64,
    _abi.OPAQUE_PTR: lambda v, depth: c_void_p(v.v_ptr),
    _abi.DTYPE: _get_dtype,
    _abi.DEVICE: lambda v, depth: hooks["make_device"](
        v.v_device.device_type, v.v_device.device_id
    ),
    _abi.DLTENSOR_PTR: _get_dltensor,
    _abi.RAW_STR: lambda v, depth: ctypes.string_at(v.v_ptr).decode("utf-8", "surrogatepass"),
    _abi.BYTE_ARRAY_PTR: _get_byte_array,
    _abi.RVALUE_REF: _get_rvalue,
    _abi.SMALL_STR: lambda v, depth: _get_small(v).decode("utf-8", "surrogatepass"),
    _abi.SMALL_BYTES: lambda v, depth: _get_small(v),
    _abi.STR: _get_str,
    _abi.BYTES: _get_bytes,
    _abi.ERROR: _get_error,
    _abi.FUNCTION: _get_function,
    _abi.SHAPE: _get_shape,
    _abi.TENSOR: _get_tensor,
    _abi.ARRAY: _get_array,
    _abi.MAP: _get_map,
    _abi.OPAQUE_PY: _get_opaque,
    _abi.BIG_INT: _get_big_int,
}
