# SPDX-License-Identifier: Apache-2.0
"""DLPack capsules, made and consumed."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_uint32, c_uint64, c_void_p
from typing import Any

from isthmus._ctypes import _abi, _arrays, _errors, _values
from isthmus._ctypes._abi import byref

MAJOR, MINOR = 1, 3
_READ_ONLY, _IS_COPIED = 1, 2


class _Versioned(Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("dl_tensor", _abi.DLTensor),
    ]


class _Legacy(Structure):
    _fields_ = [
        ("dl_tensor", _abi.DLTensor),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
    ]


_VERSIONED, _LEGACY = b"dltensor_versioned", b"dltensor"
_USED_VERSIONED, _USED_LEGACY = b"used_dltensor_versioned", b"used_dltensor"
_LAYOUT: dict[bytes, Any] = {_VERSIONED: _Versioned, _LEGACY: _Legacy}
_Deleter = CFUNCTYPE(None, c_void_p)

_is_valid = _abi.python_function("PyCapsule_IsValid", c_int, c_void_p, c_char_p)
_pointer = _abi.python_function("PyCapsule_GetPointer", c_void_p, c_void_p, c_char_p)
_set_name = _abi.python_function("PyCapsule_SetName", c_int, ctypes.py_object, c_char_p)
_to_versioned = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))(
    ("TVMFFITensorToDLPackVersioned", _abi.tvm)
)
_to_legacy = ctypes.PYFUNCTYPE(c_int, c_void_p, POINTER(c_void_p))(
    ("TVMFFITensorToDLPack", _abi.tvm)
)


@CFUNCTYPE(None, c_void_p)
def _drop_capsule(capsule: int) -> None:
    """A capsule that nobody consumed still owns its tensor."""
    for name, layout in _LAYOUT.items():
        if _is_valid(capsule, name):
            address = _pointer(capsule, name)
            deleter = layout.from_address(address).deleter
            if deleter:
                _Deleter(deleter)(address)


_new = _abi.python_function("PyCapsule_New", ctypes.py_object, c_void_p, c_char_p, c_void_p)


def export(a: Any, stream: Any, max_version: Any, dl_device: Any, copy: Any) -> Any:
    """The capsule of `ndarray.__dlpack__`."""
    if stream is not None:
        raise RuntimeError("__dlpack__: stream must be None for arrays in host memory")
    if dl_device is not None:
        if not isinstance(dl_device, tuple):
            raise TypeError("__dlpack__: dl_device must be None or a tuple (type, id)")
        kind, index = dl_device
        if (_arrays.index_value(kind), _arrays.index_value(index)) != (1, 0):
            raise BufferError(
                "__dlpack__: the array is in host memory and cannot be exported to another device"
            )
    versioned = False
    if max_version is not None:
        if not isinstance(max_version, tuple):
            raise TypeError("__dlpack__: max_version must be None or a tuple (major, minor)")
        major, minor = max_version
        _arrays.index_value(minor)
        versioned = _arrays.index_value(major) >= 1
    copied = copy is not None and bool(copy)
    writeable = bool(_values.invoke("isthmus.front_end.array_flags", a) & _arrays.WRITEABLE)
    if copied:
        a = _values.invoke("isthmus.front_end.copy", a)
        writeable = True
    elif not versioned and not writeable:
        raise BufferError(
            "Cannot export readonly array since signalling readonly is unsupported by DLPack "
            "(supported by newer DLPack version)."
        )
    else:
        _values.invoke("isthmus.front_end.mark_shared", a)
    out = c_void_p()
    _errors.check((_to_versioned if versioned else _to_legacy)(a._handle, byref(out)))
    assert out.value is not None
    if versioned:
        made = _Versioned.from_address(out.value)
        made.flags = (0 if writeable else _READ_ONLY) | (_IS_COPIED if copied else 0)
    name = _VERSIONED if versioned else _LEGACY
    return _new(out.value, name, ctypes.cast(_drop_capsule, c_void_p))


class _Owner:
    """Calls the deleter of a managed tensor when it goes."""

    def __init__(self, address: int, deleter: int | None) -> None:
        self.address = address
        self.deleter = deleter

    def __del__(self, make: Any = _Deleter) -> None:
        if self.deleter:
            make(self.deleter)(self.address)


def over(t: _abi.DLTensor, writeable: bool, owner: _arrays.Given) -> Any:
    """An array over the memory of a tensor; BufferError when it cannot be described."""

    def refuse(what: str) -> None:
        _abi.decref(owner.handle)
        raise BufferError(f"from_dlpack: the tensor {what}")

    dl = (t.dtype.code, t.dtype.bits, t.dtype.lanes)
    if t.device.device_type != 1:
        refuse("is not in host memory")
    if dl not in _values._FROM_DL:
        _abi.decref(owner.handle)
        raise BufferError("from_dlpack: the tensor's dtype is not supported")
    if not 0 <= t.ndim <= 64:
        refuse("has an unsupported number of dimensions")
    if t.ndim > 0 and not t.shape:
        refuse("has no shape")
    shape = tuple(t.shape[: t.ndim]) if t.ndim else ()
    strides = [0] * t.ndim
    step = size = 1
    for i in reversed(range(t.ndim)):
        if shape[i] < 0:
            refuse("has a negative dimension")
        size *= shape[i]
        strides[i] = t.strides[i] if t.strides and shape[i] > 1 else step
        if size >= 2**63 or abs(strides[i] * shape[i] * 16) >= 2**63:
            _abi.decref(owner.handle)
            what = "size overflows" if size >= 2**63 else "strides overflow"
            raise BufferError(f"from_dlpack: the tensor's {what}")
        step *= max(shape[i], 1)
    address = (t.data or 0) + t.byte_offset
    if size > 0 and not t.data:
        refuse("has no data")
    dtype = _values._FROM_DL[dl]
    if address % min(dtype.itemsize, 8):
        refuse("is not aligned to its element size")
    return _arrays._over_memory(address, shape, dtype, tuple(strides), owner, writeable)


class _Exchange(Structure):
    """DLPack's exchange table, as far as it is used here."""

    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("previous", c_void_p),
        ("allocate", c_void_p),
        ("export", c_void_p),
    ]


_EXCHANGE = b"dlpack_exchange_api"
_Export = ctypes.PYFUNCTYPE(c_int, ctypes.py_object, POINTER(c_void_p))


def exchange_of(producer: Any) -> _Exchange | None:
    """The exchange table of an object's type, of the major version known here; or None."""
    capsule = _values.type_attribute(producer, "__dlpack_c_exchange_api__")
    if capsule is None or not _is_valid(id(capsule), _EXCHANGE):
        return None
    address = _pointer(id(capsule), _EXCHANGE)
    while address:
        table = _Exchange.from_address(address)
        if table.major <= MAJOR:
            return table if table.major == MAJOR else None
        address = table.previous
    return None


def from_dlpack(producer: Any) -> Any:
    """An array over the memory of a DLPack producer or capsule."""
    if type(producer).__name__ == "PyCapsule":
        return _consume(producer)
    exchange = exchange_of(producer)
    if exchange is not None:
        out = c_void_p()
        if _Export(exchange.export)(producer, byref(out)) != 0 or not out.value:
            raise BufferError(f"from_dlpack: {type(producer).__name__} handed out no tensor")
        managed = _Versioned.from_address(out.value)
        return _take_over(out.value, managed, not managed.flags & _READ_ONLY)
    try:
        method = producer.__dlpack__
    except AttributeError:
        raise TypeError(
            f"from_dlpack: {type(producer).__name__} has no __dlpack__ method"
        ) from None
    try:
        capsule = method(max_version=(MAJOR, MINOR))
    except TypeError:  # a producer from before max_version
        capsule = method()
    if type(capsule).__name__ != "PyCapsule":
        raise TypeError(f"from_dlpack: __dlpack__ returned {type(capsule).__name__}, not a capsule")
    return _consume(capsule)


def _take_over(address: int, managed: Any, writeable: bool) -> Any:
    owner = _Owner(address, None)
    made = over(managed.dl_tensor, writeable, _arrays.Given(_errors.make_opaque(owner)))
    owner.deleter = managed.deleter  # ours from here on
    return made


def _consume(capsule: Any) -> Any:
    for name, used in ((_VERSIONED, _USED_VERSIONED), (_LEGACY, _USED_LEGACY)):
        if not _is_valid(id(capsule), name):
            continue
        address = _pointer(id(capsule), name)
        managed = _LAYOUT[name].from_address(address)
        if name == _VERSIONED and managed.major > MAJOR:
            raise BufferError("from_dlpack: the tensor has a newer major version of DLPack")
        writeable = name == _LEGACY or not managed.flags & _READ_ONLY
        made = _take_over(address, managed, writeable)
        _set_name(capsule, used)
        return made
    raise ValueError(
        "from_dlpack: expected a capsule named 'dltensor' or 'dltensor_versioned' that was not "
        "used before"
    )


_values.hooks["from_dlpack"] = from_dlpack
_values.hooks["exchange_of"] = exchange_of
