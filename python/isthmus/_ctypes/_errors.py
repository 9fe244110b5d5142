# SPDX-License-Identifier: Apache-2.0
"""Errors and callables across the boundary: what keeps Python objects on the side of C++."""

from __future__ import annotations

import atexit
import builtins
import ctypes
import itertools
import re
import threading
import types
from typing import Any

import numpy

from isthmus._ctypes import _abi
from isthmus._ctypes._abi import byref, c_void_p

#: Exception classes of kinds, beside the built-in ones.
error_classes: dict[str, type[BaseException]] = {}

_incref = _abi.python_function("Py_IncRef", None, ctypes.py_object)
_decref = _abi.python_function("Py_DecRef", None, c_void_p)


# ---- Objects that C++ holds ----------------------------------------------------------------------


@_abi.Deleter
def _drop_object(handle: int) -> None:
    _decref(handle)


def make_opaque(o: Any) -> int:
    """An object of the FFI that holds any Python object; an owned handle."""
    out = c_void_p()
    _incref(o)
    if _abi.create_opaque(id(o), _abi.OPAQUE_PY, _guarded[2], byref(out)):
        _decref(id(o))
        raise_from_ffi()
    assert out.value is not None
    return out.value


def opaque_value(handle: int) -> Any:
    """The Python object that such an object holds."""
    return ctypes.py_object.from_address(handle + _abi.HEADER).value


# ---- Callbacks -----------------------------------------------------------------------------------

#: Callables by the address of the function that calls them.
_callables: dict[int, Any] = {}
#: Those addresses by the number that the function was made with.
_handles: dict[int, int] = {}
_numbers = itertools.count(1)


@_abi.Deleter
def _drop_callback(number: int) -> None:
    handle = _handles.pop(number, None)
    if handle is not None:
        _callables.pop(handle, None)


#: Callbacks that run on a thread, one inside the other. Bounded well before the interpreter's own
#: recursion is, which ctypes does not report as such from inside its conversions.
_nesting = threading.local()
_MAX_NESTING = 60


@_abi.SafeCall
def _run_callback(number: int, args: Any, count: int, result: Any) -> int:
    depth = getattr(_nesting, "depth", 0)
    _nesting.depth = depth + 1
    try:
        from isthmus._ctypes import _values

        if depth > _MAX_NESTING:
            raise RecursionError("maximum recursion depth exceeded in a callback of C++")
        function = _callables[_handles[number]]
        value = function(*[_values.get(args[i]) for i in range(count)])
        if value is not None:
            made = _abi.Any()
            _values.put(value, made)
            ctypes.memmove(result, byref(made), ctypes.sizeof(_abi.Any))
        return 0
    except BaseException as error:
        try:
            raise_to_ffi(error)
        except BaseException:  # there is no room for anything, at the end of a recursion
            _abi.set_raised_text(b"RecursionError", b"maximum recursion depth exceeded")
        finally:
            del error
        return -1
    finally:
        _nesting.depth = depth
        function = value = None


#: The addresses under which C++ may keep the three functions above: it may hold what they serve
#: longer than the interpreter lives.
_guarded: tuple[int, ...] = ()


def install() -> None:
    """Called once, when the core is there."""
    global _guarded
    from isthmus._ctypes import _values

    functions = (_run_callback, _drop_callback, _drop_object)
    for function in functions:  # they are called from threads that outlive the module
        _incref(function)
    addresses = [ctypes.cast(f, c_void_p).value for f in functions]
    name = "isthmus.front_end.set_host_functions"
    _guarded = tuple(_values.invoke_plain(name, *addresses))
    atexit.register(_values.invoke_plain, name, 0, 0, 0)


def make_callback(function: Any) -> int:
    """A function of the FFI that calls a Python callable, from any thread; an owned handle."""
    number = next(_numbers)
    out = c_void_p()
    call, drop, _ = _guarded
    check(_abi.create_function(number, call, drop, byref(out)))
    assert out.value is not None
    _handles[number] = out.value
    _callables[out.value] = function
    return out.value


def callable_of(handle: int) -> Any:
    """The Python callable that a function calls, or None when it is none of ours."""
    return _callables.get(handle)


# ---- Errors --------------------------------------------------------------------------------------


def check(code: int) -> None:
    """Raises what a call failed with, if it failed."""
    if code:
        raise_from_ffi()


def clear_raised() -> None:
    """Drops the error that a call failed with."""
    out = c_void_p()
    _abi.move_raised(byref(out))
    if out.value:
        _abi.decref(out.value)


def raise_from_ffi() -> None:
    """Raises the error that the last call of this thread failed with."""
    out = c_void_p()
    _abi.move_raised(byref(out))
    if not out.value:
        raise RuntimeError("the call failed without an error")
    try:
        error = exception_of(out.value, with_frames=True)
        raise error
    except ctypes.ArgumentError:
        raise RecursionError("maximum recursion depth exceeded") from None
    finally:
        _abi.decref(out.value)
        error = None  # type: ignore[assignment]


def exception_of(handle: int, with_frames: bool = False) -> BaseException:
    """The exception of an error: the one that it carries, or one of its kind."""
    cell = _abi.ErrorCell.from_address(handle + _abi.HEADER)
    context = cell.extra_context
    if context and _abi.header_of(context).type_index == _abi.OPAQUE_PY:
        carried = opaque_value(context)
        if isinstance(carried, BaseException):
            return carried
    kind, message = _abi.text_at(cell.kind), _abi.text_at(cell.message)
    error = _make_exception(kind, message)
    if with_frames:
        if cell.cause_chain:
            error.__cause__ = exception_of(cell.cause_chain)
        _add_frames(error, _abi.text_at(cell.backtrace))
    return error


def _class_of_kind(kind: str) -> type[BaseException] | None:
    if kind == "AxisError":
        return numpy.exceptions.AxisError
    if kind == "LinAlgError":
        return numpy.linalg.LinAlgError
    found = error_classes.get(kind) or getattr(builtins, kind, None)
    return found if isinstance(found, type) and issubclass(found, BaseException) else None


class Fallback(TypeError):
    """What only official NumPy computes."""


def _make_exception(kind: str, message: str) -> BaseException:
    cls = _class_of_kind(kind)
    if kind == "InternalError" and (message == "std::bad_alloc" or message.startswith("vector::")):
        cls = MemoryError  # also for more items than any container holds
    if kind == "TypeError" and message.startswith(("Mismatched ", "Cannot ")):
        from isthmus._ctypes._function import get_global_func  # which imports this module

        message = get_global_func("isthmus.plain_message")(message, "", [])
    if kind == "Fallback":
        return Fallback("expected numbers, not " + message)
    if cls is None:
        # The kind is all that tells what happened, so it stays in the message.
        text = message if kind == "InternalError" else f"{kind}: {message}"
        return RuntimeError(text)
    try:
        error = cls(message)
    except Exception:  # a class that wants more than a message (UnicodeDecodeError)
        return RuntimeError(message)
    return error if isinstance(error, BaseException) else RuntimeError(message)


_FRAME = re.compile(r'File "(.*?)", line (\d+)(?:, in (.*))?$')
_INTERPRETER = ("Python/", "Objects/", "Modules/", "./Include/")


def _add_frames(error: BaseException, backtrace: str) -> None:
    """Adds the frames of C++ to the traceback: innermost first in the text, last in Python."""
    found = None
    for line in backtrace.splitlines():
        match = _FRAME.search(line)
        if match is None or match[1].startswith(_INTERPRETER):
            continue
        number = int(match[2])
        code = compile("def f(): raise _error", match[1], "exec").co_consts[0].replace(
            co_name=match[3] or "<unknown>", co_firstlineno=max(number, 1)
        )  # fmt: skip
        frame = _frame_of(code)
        if frame is not None:
            found = types.TracebackType(found, frame, 0, number)
    if found is not None:
        error.__traceback__ = found


class _Marker(Exception):
    pass


def _frame_of(code: types.CodeType) -> types.FrameType | None:
    """A frame that runs nothing any more, of the given code."""
    try:
        types.FunctionType(code, {"_error": _Marker()})()
    except _Marker as marker:
        last = marker.__traceback__.tb_next if marker.__traceback__ else None
        return last.tb_frame if last else None
    return None


def raise_to_ffi(error: BaseException) -> None:
    """Makes a Python exception the error of this thread; the exception itself travels along."""
    try:
        text = str(error).encode("utf-8", "surrogatepass")
    except Exception:
        text = b"<exception whose str() failed>"
    context = make_opaque(error)
    out = c_void_p()
    try:
        code = _abi.create_error(
            byref(_abi.lend(type(error).__name__.encode())), byref(_abi.lend(text)),
            byref(_abi.lend(b"")), None, context, byref(out),
        )  # fmt: skip
        if code == 0:
            _abi.set_raised(out.value)
            _abi.decref(out.value)
    finally:
        _abi.decref(context)
