# SPDX-License-Identifier: Apache-2.0
"""Device, where an array's elements are."""

from __future__ import annotations

import operator
from typing import Any

from isthmus._ctypes import _abi, _values

_NAMES = {1: "cpu", 2: "gpu", 3: "cpu_pinned"}


class Device:
    """Device(device_type, device_id=0): where an array's elements are."""

    __slots__ = ("_id", "_type")
    __module__ = "isthmus"

    def __new__(cls, device_type: str, device_id: int = 0) -> Any:
        if not isinstance(device_type, str):
            raise TypeError(f"device_type must be a str, not {type(device_type).__name__}")
        if device_type not in ("cpu", "gpu"):
            raise ValueError(f"unknown device type '{device_type}', expected 'cpu' or 'gpu'")
        return make_device(1 if device_type == "cpu" else 2, operator.index(device_id))

    def __init_subclass__(cls, **keywords: Any) -> None:
        raise TypeError("type 'isthmus.Device' is not an acceptable base type")

    @property
    def device_type(self) -> str:
        """Kind of device, such as 'cpu'."""
        return _NAMES.get(self._type, "device")

    @property
    def device_id(self) -> int:
        """Index among devices of the kind."""
        return self._id

    def __repr__(self) -> str:
        return f"{self.device_type}({self._id})"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Device):
            return (self._type, self._id) == (other._type, other._id)
        if isinstance(other, str):  # the array API spells devices as strings: "cpu"
            return other == self.device_type and self._id == 0
        return NotImplemented

    def __hash__(self) -> int:
        return self._type * 1000003 + self._id

    def __reduce__(self) -> Any:
        return Device, (self.device_type, self._id)


def make_device(kind: int, index: int) -> Device:
    """The device of a kind of DLPack."""
    made = object.__new__(Device)
    made._type, made._id = kind, index
    return made


def _of_kind(kind: int, name: str, args: tuple[Any, ...]) -> Device:
    if len(args) > 1:
        raise TypeError(f"{name}() takes at most 1 argument ({len(args)} given)")
    index = operator.index(args[0]) if args else 0
    if not -(2**63) <= index < 2**63:
        raise OverflowError("Python int too large to convert to C long")
    if not 0 <= index < 2**31:
        raise ValueError(f"device id out of range: {index}")
    return make_device(kind, index)


def cpu(*args: Any) -> Device:
    """The host as a device."""
    return _of_kind(1, "cpu", args)


def gpu(*args: Any) -> Device:
    """A graphics processor as a device."""
    return _of_kind(2, "gpu", args)


def _put_device(o: Device, slot: _abi.Any, depth: int) -> None:
    slot.type_index = _abi.DEVICE
    slot.v_device = _abi.DLDevice(o._type, o._id)


_values.register_type(Device, _put_device)
_values.hooks["make_device"] = make_device
