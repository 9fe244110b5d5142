# SPDX-License-Identifier: Apache-2.0
"""tvm-ffi's C interface as ctypes sees it: structures, prototypes, calls."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    Union,
    byref,
    c_char,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from typing import Any as _Any

from isthmus import _loader

# Type indices (TVMFFITypeIndex).
NONE, INT, BOOL, FLOAT, OPAQUE_PTR, DTYPE, DEVICE, DLTENSOR_PTR = range(8)
RAW_STR, BYTE_ARRAY_PTR, RVALUE_REF, SMALL_STR, SMALL_BYTES = range(8, 13)
OBJECT_BEGIN = 64
STR, BYTES, ERROR, FUNCTION, SHAPE, TENSOR, ARRAY, MAP, MODULE, OPAQUE_PY = range(65, 75)
LIST, DICT = 75, 76
BIG_INT = 78

#: Where the cell of an object starts, after its header.
HEADER = 24
#: What a container was made from, in the padding of its header, as the native front end has it.
FROM_TUPLE, FROM_LIST, FROM_DICT = 1, 2, 3


class DLDataType(Structure):
    """Code, bits and lanes of a dtype."""

    _fields_ = [("code", c_uint8), ("bits", c_uint8), ("lanes", c_uint16)]


class DLDevice(Structure):
    """Kind and index of a device."""

    _fields_ = [("device_type", c_int32), ("device_id", c_int32)]


class _Payload(Union):
    _fields_ = [
        ("v_int64", c_int64),
        ("v_uint64", c_uint64),
        ("v_float64", c_double),
        ("v_ptr", c_void_p),
        ("v_dtype", DLDataType),
        ("v_device", DLDevice),
        ("v_bytes", c_char * 8),
    ]


class Any(Structure):
    """One value of the FFI (TVMFFIAny)."""

    _anonymous_ = ("payload",)
    _fields_ = [
        ("type_index", c_int32),
        ("small_len", c_uint32),
        ("payload", _Payload),
    ]


class ByteArray(Structure):
    """Bytes that somebody else owns (TVMFFIByteArray)."""

    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Object(Structure):
    """The header of every object (TVMFFIObject)."""

    _fields_ = [
        ("combined_ref_count", c_uint64),
        ("type_index", c_int32),
        ("padding", c_uint32),
        ("deleter", c_void_p),
    ]


class DLTensor(Structure):
    """A tensor of DLPack; strides count elements."""

    _fields_ = [
        ("data", c_void_p),
        ("device", DLDevice),
        ("ndim", c_int32),
        ("dtype", DLDataType),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class SeqCell(Structure):
    """The cell of an Array or a List."""

    _fields_ = [
        ("data", c_void_p),
        ("size", c_int64),
        ("capacity", c_int64),
        ("data_deleter", c_void_p),
    ]


class ShapeCell(Structure):
    """The cell of a Shape."""

    _fields_ = [("data", POINTER(c_int64)), ("size", c_size_t)]


class ErrorCell(Structure):
    """The cell of an Error."""

    _fields_ = [
        ("kind", ByteArray),
        ("message", ByteArray),
        ("backtrace", ByteArray),
        ("update_backtrace", c_void_p),
        ("cause_chain", c_void_p),
        ("extra_context", c_void_p),
    ]


SafeCall = CFUNCTYPE(c_int, c_void_p, POINTER(Any), c_int32, POINTER(Any))
Deleter = CFUNCTYPE(None, c_void_p)
Getter = CFUNCTYPE(c_int, c_void_p, POINTER(Any))
Setter = CFUNCTYPE(c_int, c_void_p, POINTER(Any))


class FieldInfo(Structure):
    """A field of a registered type (TVMFFIFieldInfo)."""

    _fields_ = [
        ("name", ByteArray),
        ("doc", ByteArray),
        ("metadata", ByteArray),
        ("flags", c_int64),
        ("size", c_int64),
        ("alignment", c_int64),
        ("offset", c_int64),
        ("getter", c_void_p),
        ("setter", c_void_p),
        ("default_value_or_factory", Any),
        ("field_static_type_index", c_int32),
    ]


class MethodInfo(Structure):
    """A method of a registered type (TVMFFIMethodInfo)."""

    _fields_ = [
        ("name", ByteArray),
        ("doc", ByteArray),
        ("metadata", ByteArray),
        ("flags", c_int64),
        ("method", Any),
    ]


class TypeMetadata(Structure):
    """What a type registered beside its fields (TVMFFITypeMetadata)."""

    _fields_ = [("doc", ByteArray), ("creator", c_void_p), ("total_size", c_int32)]


class TypeInfo(Structure):
    """A registered type (TVMFFITypeInfo)."""


TypeInfo._fields_ = [
    ("type_index", c_int32),
    ("type_depth", c_int32),
    ("type_key", ByteArray),
    ("type_ancestors", POINTER(POINTER(TypeInfo))),
    ("type_key_hash", c_uint64),
    ("num_fields", c_int32),
    ("num_methods", c_int32),
    ("fields", POINTER(FieldInfo)),
    ("methods", POINTER(MethodInfo)),
    ("metadata", POINTER(TypeMetadata)),
]


class TypeAttrColumn(Structure):
    """One attribute of all types (TVMFFITypeAttrColumn)."""

    _fields_ = [("data", POINTER(Any)), ("size", c_int32), ("begin_index", c_int32)]


tvm = ctypes.CDLL(_loader.find_tvm_ffi(), mode=ctypes.RTLD_GLOBAL)
#: The same library, called without giving up the GIL: for functions of the core, which are short,
#: and whose kernels of NumPy may raise.
_tvm_holding = ctypes.PyDLL(_loader.find_tvm_ffi())
core = ctypes.CDLL(_loader.find_core())


def _prototype(library: _Any, name: str, result: _Any, *arguments: _Any) -> _Any:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments
    return function


def python_function(name: str, result: _Any, *arguments: _Any) -> _Any:
    """A function of the interpreter, in an object of its own: the shared ones have the prototype
    that somebody gave them last.
    """
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_handle_out = POINTER(c_void_p)
incref = _prototype(_tvm_holding, "TVMFFIObjectIncRef", c_int, c_void_p)
#: The GIL is held: deleters are short, or take it themselves.
decref = _prototype(_tvm_holding, "TVMFFIObjectDecRef", c_int, c_void_p)
create_opaque = _prototype(
    _tvm_holding, "TVMFFIObjectCreateOpaque", c_int, c_void_p, c_int32, c_void_p, _handle_out
)
create_function = _prototype(
    _tvm_holding, "TVMFFIFunctionCreate", c_int, c_void_p, c_void_p, c_void_p, _handle_out
)
get_global = _prototype(
    _tvm_holding, "TVMFFIFunctionGetGlobal", c_int, POINTER(ByteArray), _handle_out
)
set_global = _prototype(
    _tvm_holding, "TVMFFIFunctionSetGlobal", c_int, POINTER(ByteArray), c_void_p, c_int
)
_call_arguments = (c_void_p, c_void_p, c_int32, POINTER(Any))
call_releasing = _prototype(tvm, "TVMFFIFunctionCall", c_int, *_call_arguments)
call_holding = _prototype(_tvm_holding, "TVMFFIFunctionCall", c_int, *_call_arguments)
view_to_owned = _prototype(
    _tvm_holding, "TVMFFIAnyViewToOwnedAny", c_int, POINTER(Any), POINTER(Any)
)
move_raised = _prototype(_tvm_holding, "TVMFFIErrorMoveFromRaised", None, _handle_out)
set_raised = _prototype(_tvm_holding, "TVMFFIErrorSetRaised", None, c_void_p)
set_raised_text = _prototype(
    _tvm_holding, "TVMFFIErrorSetRaisedFromCStr", None, ctypes.c_char_p, ctypes.c_char_p
)
create_error = _prototype(
    _tvm_holding, "TVMFFIErrorCreateWithCauseAndExtraContext", c_int, POINTER(ByteArray),
    POINTER(ByteArray), POINTER(ByteArray), c_void_p, c_void_p, _handle_out,
)  # fmt: skip
make_string = _prototype(
    _tvm_holding, "TVMFFIStringFromByteArray", c_int, POINTER(ByteArray), POINTER(Any)
)
make_bytes = _prototype(
    _tvm_holding, "TVMFFIBytesFromByteArray", c_int, POINTER(ByteArray), POINTER(Any)
)
make_big_int = _prototype(
    _tvm_holding, "TVMFFIBigIntFromByteArray", c_int, POINTER(ByteArray), POINTER(Any)
)
big_int_content = _prototype(
    _tvm_holding, "TVMFFIBigIntGetContentByteArray", ByteArray, POINTER(Any)
)
dtype_from_string = _prototype(
    _tvm_holding, "TVMFFIDataTypeFromString", c_int, POINTER(ByteArray), POINTER(DLDataType)
)
dtype_to_string = _prototype(
    _tvm_holding, "TVMFFIDataTypeToString", c_int, POINTER(DLDataType), POINTER(Any)
)
key_to_index = _prototype(
    _tvm_holding, "TVMFFITypeKeyToIndex", c_int, POINTER(ByteArray), POINTER(c_int32)
)
get_type_info = _prototype(_tvm_holding, "TVMFFIGetTypeInfo", POINTER(TypeInfo), c_int32)
get_attr_column = _prototype(
    _tvm_holding, "TVMFFIGetTypeAttrColumn", POINTER(TypeAttrColumn), POINTER(ByteArray)
)
init_core = _prototype(core, "IsthmusInit", c_void_p, c_uint32)


def check_version() -> None:
    """ImportError when the tvm-ffi that is loaded has another interface than this module knows."""
    version = (c_uint32 * 3)()
    _prototype(_tvm_holding, "TVMFFIGetVersion", None, c_void_p)(version)
    if tuple(version[:2]) != (0, 1):
        raise ImportError(
            f"isthmus was made for tvm-ffi 0.1, but version {'.'.join(map(str, version))} is loaded"
        )


def text_at(array: ByteArray) -> str:
    """The text that a ByteArray lends."""
    return ctypes.string_at(array.data, array.size).decode("utf-8", "replace") if array.data else ""


def lend(data: bytes) -> ByteArray:
    """A ByteArray over `data`, which the caller keeps alive."""
    array = ByteArray(ctypes.cast(ctypes.c_char_p(data), c_void_p), len(data))
    array._keep = data
    return array


def header_of(handle: int) -> Object:
    """The header of an object."""
    return Object.from_address(handle)


__all__ = [name for name in dir() if not name.startswith("_")] + ["byref"]
