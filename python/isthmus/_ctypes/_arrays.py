# SPDX-License-Identifier: Apache-2.0
"""Arrays from anything, and one memory with NumPy."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

import numpy

from isthmus._ctypes import _abi, _errors, _host, _values
from isthmus._ctypes._abi import byref, c_void_p

_invoke = _values.invoke
C_CONTIGUOUS, F_CONTIGUOUS, WRITEABLE, SHARED = 1, 2, 4, 8


class Given:
    """An object of the FFI whose reference the next call takes over."""

    __slots__ = ("handle",)

    def __init__(self, handle: int) -> None:
        self.handle = handle


def given(handle: int) -> Given:
    """A new reference for the next call."""
    _abi.incref(handle)
    return Given(handle)


def _put_given(o: Given, slot: _abi.Any, depth: int) -> None:
    slot.type_index = _abi.header_of(o.handle).type_index
    slot.v_ptr = o.handle


_values.register_type(Given, _put_given)


def index_value(o: Any) -> int:
    """An int of 64 bits of anything with `__index__`."""
    value = int(operator.index(o))
    if not -(2**63) <= value < 2**63:
        raise OverflowError("Python int too large to convert to C long")
    return value


def dtype_from_object(o: Any) -> numpy.dtype[Any]:
    """A dtype of numbers; TypeError for another."""
    if type(o) is ndarray:
        raise TypeError("Cannot construct a dtype from an array")
    found = numpy.dtype(o)
    if found.char in _values.DTYPE_INDEX and found.isnative:
        return _values.DTYPES[_values.DTYPE_INDEX[found.char]]
    raise TypeError(
        f"dtype {found!r} is not supported: Isthmus has bool, integers, floats to 64 bits and "
        "complex numbers, in native byte order"
    )


# ---- Shared memory -------------------------------------------------------------------------------


def borrow(a: numpy.ndarray) -> ndarray:
    """An array over the memory of an official one, which it keeps alive.

    Raises
    ------
    TypeError, ValueError
        When the elements or the strides cannot be described to the core.
    """
    dtype = a.dtype
    if dtype.char not in _values.DTYPE_INDEX or not dtype.isnative:
        if dtype.isnative:
            raise TypeError(
                f"cannot share a NumPy array of dtype {dtype!r}: only bool, integer, float16/32/64 "
                "and complex64/128 elements are supported"
            )
        raise ValueError(
            f"cannot share a NumPy array of dtype {dtype!r}: its byte order is not the machine's "
            "(zero_copy=False converts it)"
        )
    size = dtype.itemsize
    interface = a.__array_interface__
    address = interface["data"][0]
    if a.size and (address % min(size, 8) or not a.flags.aligned):
        raise ValueError(
            f"cannot share a NumPy array of dtype {dtype!r} that is not aligned to its element "
            "size (zero_copy=False copies it)"
        )
    strides = []
    for dim, stride in zip(a.shape, a.strides, strict=True):
        if stride % size:
            # The stride of an axis that is never stepped along does not matter.
            if dim > 1:
                raise ValueError(
                    f"cannot share a NumPy array of dtype {dtype!r} whose strides are no multiple "
                    "of the element size (zero_copy=False copies it)"
                )
            stride = size
        strides.append(stride // size)
    return _over_memory(
        address, a.shape, dtype_from_object(dtype), tuple(strides),
        Given(_errors.make_opaque(a)), a.flags.writeable,
    )  # fmt: skip


def _over_memory(
    address: int, shape: tuple[int, ...], dtype: numpy.dtype[Any], strides: tuple[int, ...],
    owner: Given, writeable: bool,
) -> ndarray:  # fmt: skip
    address = address - 2**64 if address >= 2**63 else address
    return _invoke(
        "isthmus.from_pointer", address, tuple(shape), dtype, strides, owner, bool(writeable)
    )


def numpy_view(a: ndarray) -> numpy.ndarray:
    """An official array over the memory of one of ours."""
    _invoke("isthmus.front_end.mark_shared", a)
    flags = _invoke("isthmus.front_end.array_flags", a)
    return _host.view(a.shape, a.strides, a.dtype, tensor_of(a).data, bool(flags & WRITEABLE), a)


def tensor_of(a: ndarray) -> _abi.DLTensor:
    """The DLTensor inside an array."""
    return _abi.DLTensor.from_address(a._handle + _abi.HEADER)


# ---- Nests of lists ------------------------------------------------------------------------------
# NumPy reads the items of a list while it converts them, and crashes when that changes the list.
_QUIET = (float, int, bool, complex, str, numpy.ndarray)


def _is_nest(o: Any, depth: int) -> bool:
    return depth < 64 and type(o) in (list, tuple)


def _converts_quietly(o: Any, outer: tuple[Any, ...], depth: int) -> bool:
    """Whether all that is in a nest converts without running code of the caller's."""
    if not _is_nest(o, depth):
        return type(o) in _QUIET or type(o) is ndarray or isinstance(o, numpy.generic)
    if any(nest is o for nest in outer):
        raise ValueError("cannot make an array of a list that contains itself")
    here = (*outer, o)
    quiet = True
    for item in o:  # all of them: each may be a list that contains itself
        quiet &= _converts_quietly(item, here, depth + 1)
    return quiet


def _frozen(o: Any, depth: int) -> Any:
    """The same nest of tuples, which nobody can change."""
    if not _is_nest(o, depth):
        return o
    return tuple([_frozen(item, depth + 1) for item in tuple(o)])


# ---- Arrays of anything --------------------------------------------------------------------------


def array_from_object(o: Any, copy: bool = False, dtype: numpy.dtype[Any] | None = None) -> ndarray:
    """The argument as an array, over its memory where it has any."""
    if type(o) is ndarray:
        if dtype is not None and o.dtype != dtype:
            return _invoke("isthmus.front_end.astype", o, dtype)
        return _invoke("isthmus.front_end.copy", o) if copy else o
    if isinstance(o, numpy.ndarray) and _shareable(o):
        shared = borrow(o)
        if dtype is not None and shared.dtype != dtype:
            return _invoke("isthmus.front_end.astype", shared, dtype)
        return _invoke("isthmus.front_end.copy", shared) if copy else shared
    given = o
    if _is_nest(o, 0) and not _converts_quietly(o, (), 0):
        o = _frozen(o, 0)
    host = numpy.array(o, dtype, copy=None, subok=False)
    if not host.dtype.isnative:
        host = host.astype(host.dtype.newbyteorder("="))
    if not host.flags.aligned:
        host = host.copy()
    if host.dtype.char not in _values.DTYPE_INDEX:
        raise TypeError(
            f"cannot make an array of {type(given).__name__}: its dtype would be {host.dtype!r}, "
            "and Isthmus has numbers only"
        )
    made = borrow(host)
    own = host.flags.owndata and host is not o
    return _invoke("isthmus.front_end.copy", made) if copy and not own else made


def _shareable(o: numpy.ndarray) -> bool:
    return o.dtype.char in _values.DTYPE_INDEX and o.dtype.isnative and o.flags.aligned


_NO_COPY = "Unable to avoid copy while creating an array as requested."


def _check_rest(function: str, order: Any, device: Any, ndmin: Any = 0) -> str | None:
    if device is not None and device != "cpu" and type(device).__name__ != "Device":
        raise ValueError(f"device must be 'cpu' or None, got {device!r}")
    if not 0 <= ndmin <= 64:
        raise ValueError(f"ndmin must be between 0 and 64, got {ndmin!r}")
    if order is None:
        return None
    if not isinstance(order, str) or len(order) != 1 or order not in "CFAKcfak":
        cls = ValueError if isinstance(order, str) else TypeError
        raise cls(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order.upper()


def array(
    object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", subok: Any = False,
    ndmin: Any = 0, like: Any = None, device: Any = None, ctx: Any = None,
) -> ndarray:  # fmt: skip
    """A new array with the values of an array or of nested sequences."""
    order = _check_rest("array", order, device, index_value(ndmin))
    if order == "K":
        order = None
    want = dtype_from_object(dtype) if dtype is not None else None
    never = copy is not None and not copy
    copy = copy is not None and bool(copy)
    host = isinstance(object, numpy.ndarray)
    if never and not host and type(object) is not ndarray and not _has_buffer(object):
        raise ValueError(_NO_COPY)
    if (
        not copy and type(object) is ndarray and (want is None or object.dtype == want)
        and order is None and ndmin == 0
    ):  # fmt: skip
        return object
    made = array_from_object(object, copy, want)
    if never and (type(object) is ndarray or host):
        source = object if type(object) is ndarray else None
        address = tensor_of(source).data if source is not None else object.ctypes.data
        if (tensor_of(made).data or 0) != (address or 0):
            raise ValueError(_NO_COPY)
    return _with_order(made, object, order, ndmin)


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None,
    like: Any = None, ctx: Any = None,
) -> ndarray:  # fmt: skip
    """The argument as an array, sharing its memory where it has any."""
    if copy is not None:
        return array(a, dtype, copy=copy, order="K" if order is None else order, device=device)
    order = _check_rest("asarray", order, device)
    if order == "K":
        order = None
    want = dtype_from_object(dtype) if dtype is not None else None
    if type(a) is ndarray and (want is None or a.dtype == want) and order is None:
        return a
    return _with_order(array_from_object(a, False, want), a, order, 0)


def _has_buffer(o: Any) -> bool:
    try:
        memoryview(o).release()
    except (TypeError, BufferError, ValueError):
        return False
    return True


def _with_order(a: ndarray, source: Any, order: str | None, ndmin: int) -> ndarray:
    flags = _invoke("isthmus.front_end.array_flags", a)
    from_rows = order == "A" and _copied_from_rows(a, source)
    if not flags & C_CONTIGUOUS and (order == "C" or from_rows):
        a = a.copy("C")
    elif order == "F" and not flags & F_CONTIGUOUS:
        a = a.copy("F")
    grow = ndmin - a.ndim
    if grow > 0:
        t = tensor_of(a)
        n = t.ndim
        return _view(a, (1,) * grow + a.shape, (a.size,) * grow + tuple(t.strides[:n]), 0, a.dtype)
    return a


def _copied_from_rows(a: ndarray, source: Any) -> bool:
    """Whether elements were copied from an array that is not in column-major order."""
    if type(source) is ndarray:
        return tensor_of(source).data != tensor_of(a).data and not source.flags.f_contiguous
    if not isinstance(source, numpy.ndarray):
        return False
    return source.ctypes.data != tensor_of(a).data and not source.flags.f_contiguous


def _view(
    a: ndarray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int,
    dtype: numpy.dtype[Any],
) -> ndarray:  # fmt: skip
    """A view; strides in elements of the new dtype, the offset in bytes."""
    return _invoke("isthmus.front_end.view", a, Given(_shape(shape)), Given(_shape(strides)),
                   offset, dtype)  # fmt: skip


def _shape(dims: tuple[int, ...]) -> int:
    """An owned Shape."""
    handle = _values.core_function("ffi.Shape")
    values = (_abi.Any * len(dims))()
    for slot, dim in zip(values, dims):
        slot.type_index, slot.v_int64 = _abi.INT, dim
    result = _abi.Any()
    _values.invoke_raw(handle, values, len(dims), result)
    return result.v_ptr


def from_numpy(a: Any, zero_copy: Any = True) -> ndarray:
    """An array over the memory of a numpy.ndarray (a copy with zero_copy=False)."""
    if not isinstance(a, numpy.ndarray):
        raise TypeError(f"from_numpy() expects a numpy.ndarray, not {type(a).__name__}")
    return borrow(a) if zero_copy else array_from_object(a, True)


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """Whether the extents of two arrays overlap."""
    found = [x if type(x) is ndarray else array_from_object(x) for x in (a, b)]
    return _invoke("isthmus.front_end.may_share_memory", *found)


def set_writeable(a: ndarray, value: bool) -> None:
    """Makes an array read-only or writeable again."""
    _invoke("isthmus.front_end.set_writeable", a, bool(value))


# ---- Tensors of the FFI --------------------------------------------------------------------------


def wrap(handle: int) -> ndarray:
    """The Python object of an array of ours; takes over the reference."""
    made = object.__new__(ndarray)
    made._handle = handle
    return made


_deleter: list[int] = []


def wrap_tensor(handle: int) -> ndarray:
    """The array of a borrowed tensor; another library's is seen through a view."""
    if not _deleter:
        empty = _abi.Any()
        _values.invoke_raw(_values.core_function("isthmus.np.empty"), byref(_zero), 1, empty)
        _deleter.append(_abi.header_of(empty.v_ptr).deleter)
        _abi.decref(empty.v_ptr)
    if _abi.header_of(handle).deleter == _deleter[0]:
        _abi.incref(handle)
        return wrap(handle)
    args = (_abi.Any * 2)()
    args[0].type_index, args[0].v_ptr = _abi.TENSOR, handle
    _values.put((), args[1])
    result = _abi.Any()
    try:
        _values.invoke_raw(_values.core_function("isthmus.getitem"), args, 2, result)
    finally:
        _abi.decref(args[1].v_ptr)
    return wrap(result.v_ptr)


_zero = _abi.Any()
_zero.type_index = _abi.INT


def copy_dltensor(t: _abi.DLTensor) -> ndarray:
    """A copy of a bare DLTensor, which lives only as long as the call that lends it."""
    from isthmus._ctypes import _dlpack

    return _invoke("isthmus.front_end.copy", _dlpack.over(t, True, Given(_errors.make_opaque(t))))


_values.hooks["wrap_tensor"] = wrap_tensor
_values.hooks["borrow"] = borrow
_values.hooks["copy_dltensor"] = copy_dltensor
_values.register_type(numpy.ndarray, lambda o, slot, depth: _values._put_other(o, slot, depth))

from isthmus._ctypes._ndarray import ndarray  # noqa: E402 - it is made of what is above

_values.register_type(ndarray, lambda o, slot, depth: _values.put_object(o._handle, slot))
_ = ctypes, c_void_p
