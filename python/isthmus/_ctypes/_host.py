# SPDX-License-Identifier: Apache-2.0
"""NumPy's C interface as ctypes sees it: views of memory, and its kernels for the core."""

from __future__ import annotations

import ctypes
import importlib
from ctypes import (
    POINTER,
    PYFUNCTYPE,
    Structure,
    c_char_p,
    c_int,
    c_ssize_t,
    c_void_p,
    py_object,
)
from typing import Any

import numpy

from isthmus._ctypes import _abi, _values

_umath = importlib.import_module("numpy._core._multiarray_umath")
_pointer = _abi.python_function("PyCapsule_GetPointer", c_void_p, py_object, c_char_p)
_table = ctypes.cast(_pointer(_umath._ARRAY_API, None), POINTER(c_void_p))

# Places in NumPy's table of functions, which never change.
_ARRAY_TYPE, _NEW_FROM_DESCR, _SET_BASE, _ARR_FUNCS = 2, 94, 282, 365

_new_from_descr = PYFUNCTYPE(
    py_object, py_object, py_object, c_int, POINTER(c_ssize_t), POINTER(c_ssize_t), c_void_p,
    c_int, c_void_p,
)(_table[_NEW_FROM_DESCR])  # fmt: skip
_set_base = PYFUNCTYPE(c_int, py_object, py_object)(_table[_SET_BASE])
_arr_funcs = PYFUNCTYPE(c_void_p, py_object)(_table[_ARR_FUNCS])
_incref = _abi.python_function("Py_IncRef", None, py_object)
_WRITEABLE = 0x0400

#: What the core holds addresses of.
kept: list[Any] = []


def view(
    shape: tuple[int, ...], strides: tuple[int, ...], dtype: numpy.dtype[Any], data: int | None,
    writeable: bool, owner: Any,
) -> numpy.ndarray:  # fmt: skip
    """An official array over memory that `owner` keeps; strides in bytes."""
    n = len(shape)
    dims, steps = (c_ssize_t * max(n, 1))(*shape), (c_ssize_t * max(n, 1))(*strides)
    _incref(dtype)  # the reference is stolen
    made = _new_from_descr(
        numpy.ndarray, dtype, n, dims, steps, data, _WRITEABLE if writeable else 0, None
    )
    _incref(owner)  # so is this
    if _set_base(made, owner) < 0:
        raise RuntimeError("NumPy refused the owner of an array")
    return made


class _Ufunc(Structure):
    """The start of PyUFuncObject, which is part of NumPy's binary interface."""

    _fields_ = [
        ("refcount", c_ssize_t),
        ("type", c_void_p),
        ("nin", c_int),
        ("nout", c_int),
        ("nargs", c_int),
        ("identity", c_int),
        ("functions", POINTER(c_void_p)),
        ("data", POINTER(c_void_p)),
        ("ntypes", c_int),
        ("reserved1", c_int),
        ("name", c_char_p),
        ("types", POINTER(ctypes.c_byte)),
    ]


_CORE_INDEX = {
    numpy.dtype(char).num: _values.DTYPE_INDEX[numpy.dtype(char).char]
    for char in "?bBhHiIlLqQefdFD"
}


def loops_of(ufunc: numpy.ufunc) -> list[Any]:
    """Address, data and dtypes of each loop for numbers, in one flat list."""
    u = _Ufunc.from_address(id(ufunc))
    loops: list[Any] = []
    if not u.functions or not u.types or u.nargs > 8:
        return loops
    for i in range(u.ntypes):
        kinds = [_CORE_INDEX.get(u.types[i * u.nargs + k], -1) for k in range(u.nargs)]
        if u.functions[i] and min(kinds) >= 0:
            data = u.data[i] if u.data else 0
            loops += [_signed(u.functions[i]), _signed(data or 0), bytes(kinds)]
    return loops


def _signed(address: int) -> int:
    return address - 2**64 if address >= 2**63 else address


class _ArrFuncs(Structure):
    """The start of PyArray_ArrFuncs."""

    _fields_ = [
        ("cast", c_void_p * 21),
        ("getitem", c_void_p),
        ("setitem", c_void_p),
        ("copyswapn", c_void_p),
        ("copyswap", c_void_p),
        ("compare", c_void_p),
        ("argmax", c_void_p),
        ("dotfunc", c_void_p),
        ("scanfunc", c_void_p),
        ("fromstr", c_void_p),
        ("nonzero", c_void_p),
        ("fill", c_void_p),
        ("fillwithscalar", c_void_p),
        ("sort", c_void_p * 3),
        ("argsort", c_void_p * 3),
        ("castdict", c_void_p),
        ("scalarkind", c_void_p),
        ("cancastscalarkindto", c_void_p),
        ("cancastto", c_void_p),
        ("unused1", c_void_p),
        ("unused2", c_void_p),
        ("unused3", c_void_p),
        ("argmin", c_void_p),
    ]


def lend_kernels() -> None:
    """Gives the core NumPy's loops, sorts and dot products, as the native front end does."""
    for module_name, prefix, elementwise in (
        ("numpy._core._multiarray_umath", "", True),
        ("numpy.linalg._umath_linalg", "umath_linalg.", False),
    ):
        for name, ufunc in vars(importlib.import_module(module_name)).items():
            if not isinstance(ufunc, numpy.ufunc):
                continue
            core = ufunc.signature is not None
            loops = loops_of(ufunc) if core or elementwise else []
            if loops:
                full = prefix + name if core else name
                _values.invoke("isthmus.front_end.lend_loops", full, ufunc.nin, ufunc.nout, core,
                               loops)  # fmt: skip
    for dtype in _values.DTYPES:
        address = _arr_funcs(dtype)
        if not address:
            continue
        f = _ArrFuncs.from_address(address)
        example = numpy.empty(0, dtype)
        kept.append(example)
        addresses = [f.sort[0], f.sort[2], f.argsort[0], f.argsort[2], f.dotfunc, f.argmax,
                     f.argmin]  # fmt: skip
        _values.invoke("isthmus.front_end.lend_kernels", dtype,
                       [_signed(a or 0) for a in addresses], _signed(id(example)))  # fmt: skip
