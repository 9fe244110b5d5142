# SPDX-License-Identifier: Apache-2.0
"""The array class of the ctypes backend."""

from __future__ import annotations

import collections
import operator
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy

from isthmus._ctypes import _abi, _arrays, _errors, _values
from isthmus._ctypes._device import make_device

_invoke = _values.invoke
#: What the package gives: array_repr, array_str, array_function, array_ufunc, rebuild.
settings: dict[str, Any] = {}


def _op(name: str) -> Any:
    from isthmus._ctypes import _op as operators

    return operators.get_op(name)


def _is_operand(o: Any) -> bool:
    """Whether an operator takes an object beside an array, or leaves it to the other side."""
    if type(o) in (ndarray, float, int, bool, complex, numpy.ndarray, list, tuple) or isinstance(
        o, numpy.generic
    ):
        return True
    if o is None or isinstance(o, (str, bytes, dict)):
        return False
    missing = object()
    theirs = getattr(type(o), "__array_ufunc__", missing)
    # Another library's array decides itself when it says how, or refuses.
    if theirs is None or (theirs is not missing and not isinstance(o, numpy.ndarray)):
        return False
    if isinstance(o, (float, int, numpy.ndarray, list, tuple, range)):
        return True
    if isinstance(o, slice):
        return False
    return (
        _arrays._has_buffer(o)
        or _values.type_attribute(o, "__dlpack__") is not None
        or hasattr(o, "__array__")
    )


_NUMBERS = (float, int, bool, complex)


def _operand(o: Any) -> Any:
    """The other operand, converted before anything is read of the array: code of its class may
    run, and set the shape of that.
    """
    if type(o) in _NUMBERS or type(o) is ndarray:
        return o
    return _arrays.array_from_object(o)


def _binary(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return _op(name)(self, _operand(other)) if _is_operand(other) else NotImplemented

    return method


def _reflected(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return _op(name)(_operand(other), self) if _is_operand(other) else NotImplemented

    return method


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if not _is_operand(other):
            return NotImplemented
        _op(name)(self, _operand(other), out=self)
        return self

    return method


def _unary(name: str) -> Callable[[Any], Any]:
    return lambda self: _op(name)(self)


def _comparison(name: str) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        if _is_operand(other):
            return _op(name)(self, _operand(other))
        if name not in ("equal", "not_equal"):
            return NotImplemented
        # No element equals what is no number; a type with a comparison of its own is asked first.
        asks = type(other).__eq__ is not object.__eq__
        if asks and not isinstance(other, (str, bytes, dict)) and other is not None:
            return NotImplemented
        return _op("full")(self.shape, name == "not_equal", bool)

    return method


class _Iterator:
    """Iterates over the first axis."""

    __slots__ = ("_array", "_index")
    __module__ = "isthmus"

    def __init__(self, array: Any) -> None:
        self._array = array
        self._index = 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        # The shape may have been set since the iterator was made.
        shape = self._array.shape if self._array is not None else ()
        if not shape or self._index >= shape[0]:
            self._array = None
            raise StopIteration
        self._index += 1
        return self._array[self._index - 1]

    def __length_hint__(self) -> int:
        shape = self._array.shape if self._array is not None else ()
        return max(shape[0] - self._index, 0) if shape else 0


class ndarray:
    """ndarray(shape, dtype=float64)

    N-dimensional array of numbers; NumPy's ndarray in behaviour.
    """

    __slots__ = ("__weakref__", "_handle", "_replaced")
    _handle: int
    _replaced: collections.deque[Any]
    __module__ = "isthmus"

    def __new__(cls, shape: Any, dtype: Any = None) -> Any:
        return _op("empty")(shape) if dtype is None else _op("empty")(shape, dtype)

    def __init_subclass__(cls, **keywords: Any) -> None:
        raise TypeError("type 'isthmus.ndarray' is not an acceptable base type")

    def __del__(self, decref: Any = _abi.decref) -> None:
        handle = getattr(self, "_handle", 0)
        if handle:
            decref(handle)

    # ---- Attributes ----
    @property
    def shape(self) -> tuple[int, ...]:
        """Tuple of dimensions."""
        t = _abi.DLTensor.from_address(self._handle + _abi.HEADER)
        return tuple(t.shape[: t.ndim]) if t.ndim else ()

    @shape.setter
    def shape(self, value: Any) -> None:
        view = _op("reshape")(self, value)
        if _data(view) != _data(self):
            raise AttributeError(
                "Incompatible shape for in-place modification. Use `.reshape()` to make a copy "
                "with the desired shape."
            )
        try:
            replaced = self._replaced
        except AttributeError:
            replaced = self._replaced = collections.deque(maxlen=1000)
        # Another thread may have read the handle and not yet used it. What is kept is small: the
        # memory of the elements is the same.
        replaced.append(view)
        self._handle, view._handle = view._handle, self._handle

    @shape.deleter
    def shape(self) -> None:
        raise AttributeError("Cannot delete array shape")

    @property
    def strides(self) -> tuple[int, ...]:
        """Tuple of steps in bytes."""
        t = _abi.DLTensor.from_address(self._handle + _abi.HEADER)
        size = self.itemsize
        return tuple([s * size for s in t.strides[: t.ndim]]) if t.ndim else ()

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return _abi.DLTensor.from_address(self._handle + _abi.HEADER).ndim

    @property
    def size(self) -> int:
        """Number of elements."""
        n = 1
        for dim in self.shape:
            n *= dim
        return n

    @property
    def dtype(self) -> numpy.dtype[Any]:
        """Element type, a numpy.dtype."""
        dl = _abi.DLTensor.from_address(self._handle + _abi.HEADER).dtype
        return _values._FROM_DL[dl.code, dl.bits, dl.lanes]

    itemsize = property(lambda self: self.dtype.itemsize, doc="Bytes of one element.")
    nbytes = property(lambda self: self.size * self.itemsize, doc="Bytes of all elements.")
    device = property(lambda self: make_device(1, 0), doc="Device that holds the elements.")
    ctx = property(lambda self: make_device(1, 0), doc="Same as device.")
    context = property(lambda self: make_device(1, 0), doc="Same as device.")
    T = property(lambda self: self.transpose(), doc="View with the axes reversed.")
    is_shared = property(
        lambda self: bool(_flags(self) & _arrays.SHARED),
        doc="Whether code outside Isthmus can see this memory.",
    )

    @property
    def mT(self) -> Any:
        """View with the last two axes swapped."""
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return _op("swapaxes")(self, -1, -2)

    def _part(self, part: int) -> Any:
        dtype = self.dtype
        if dtype.kind != "c":
            if part == 0:
                return self
            zero = _op("zeros")(self.shape, dtype)
            _arrays.set_writeable(zero, False)
            return zero
        t = _arrays.tensor_of(self)
        strides = tuple([2 * s for s in t.strides[: t.ndim]]) if t.ndim else ()
        real = numpy.dtype(f"f{dtype.itemsize // 2}")
        return _arrays._view(self, self.shape, strides, part * real.itemsize, real)

    @property
    def real(self) -> Any:
        """Real part (a view for complex dtypes)."""
        return self._part(0)

    @real.setter
    def real(self, value: Any) -> None:
        self._part(0)[...] = value

    @property
    def imag(self) -> Any:
        """Imaginary part (a view for complex dtypes)."""
        return self._part(1)

    @imag.setter
    def imag(self, value: Any) -> None:
        if self.dtype.kind != "c":
            raise TypeError("array does not have imaginary part to set")
        self._part(1)[...] = value

    @property
    def base(self) -> Any:
        """What owns the memory when this array does not."""
        found = _invoke("isthmus.front_end.base", self)
        return found if isinstance(found, (ndarray, numpy.ndarray)) else _owner(found)

    @property
    def flags(self) -> Any:
        """Memory layout and whether the array may be written."""
        from isthmus import _flags as module

        f = _flags(self)
        return module.Flags(self, bool(f & _arrays.C_CONTIGUOUS), bool(f & _arrays.F_CONTIGUOUS),
                            bool(f & _arrays.WRITEABLE))  # fmt: skip

    @property
    def flat(self) -> Any:
        """Iterator over the elements in row-major order."""
        from isthmus import _flat

        return _flat.FlatIter(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        self.flat[...] = value

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return _arrays.numpy_view(self).__array_interface__

    # ---- Arithmetic ----
    for _name, _operator in (
        ("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "divide"),
        ("floordiv", "floor_divide"), ("mod", "remainder"), ("lshift", "left_shift"),
        ("rshift", "right_shift"), ("and", "bitwise_and"), ("or", "bitwise_or"),
        ("xor", "bitwise_xor"),
    ):  # fmt: skip
        locals()[f"__{_name}__"] = _binary(_operator)
        locals()[f"__r{_name}__"] = _reflected(_operator)
        locals()[f"__i{_name}__"] = _in_place(_operator)
    for _name, _operator in (
        ("lt", "less"), ("le", "less_equal"), ("eq", "equal"), ("ne", "not_equal"),
        ("gt", "greater"), ("ge", "greater_equal"),
    ):  # fmt: skip
        locals()[f"__{_name}__"] = _comparison(_operator)
    for _name, _operator in (
        ("neg", "negative"), ("pos", "positive"), ("abs", "absolute"), ("invert", "invert"),
    ):  # fmt: skip
        locals()[f"__{_name}__"] = _unary(_operator)
    del _name, _operator
    __matmul__, __rmatmul__ = _binary("matmul"), _reflected("matmul")
    __divmod__, __rdivmod__ = _binary("divmod"), _reflected("divmod")
    __hash__ = None  # type: ignore[assignment]

    def __imatmul__(self, other: Any) -> Any:
        product = self.__matmul__(other)
        if product is NotImplemented:
            return product
        if product.shape != self.shape:
            raise ValueError(
                "inplace matrix multiplication requires the result to have the shape of the first "
                "operand"
            )
        if not _flags(self) & _arrays.WRITEABLE:
            raise ValueError("output array is read-only")
        if not numpy.can_cast(product.dtype, self.dtype, "same_kind"):
            raise TypeError(
                f"Cannot cast matmul output from dtype('{product.dtype}') to "
                f"dtype('{self.dtype}') with casting rule 'same_kind'"
            )
        _invoke("isthmus.front_end.assign", self, product)
        return self

    def __pow__(self, exponent: Any, modulo: Any = None) -> Any:
        if modulo is not None or not _is_operand(exponent):
            return NotImplemented
        name = _special_power(self.dtype, exponent)
        return _op(name)(self) if name else _op("power")(self, exponent)

    def __rpow__(self, base: Any, modulo: Any = None) -> Any:
        if modulo is not None or not _is_operand(base):
            return NotImplemented
        return _op("power")(base, self)

    __ipow__ = _in_place("power")

    # ---- Numbers ----
    def __bool__(self) -> bool:
        if self.size == 1:
            return bool(self.item())
        if self.size == 0:
            raise ValueError(
                "The truth value of an empty array is ambiguous. Use `array.size > 0` to check "
                "that an array is not empty."
            )
        raise ValueError(
            "The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all()"
        )

    def _only(self) -> Any:
        if self.ndim:
            raise TypeError("only 0-dimensional arrays can be converted to Python scalars")
        return self.item()

    def __int__(self) -> int:
        return int(self._only())

    def __float__(self) -> float:
        return float(self._only())

    def __complex__(self) -> complex:
        return complex(self._only())

    def __index__(self) -> int:
        if self.ndim or self.dtype.kind not in "iu":
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return self.item()

    def __round__(self, digits: Any = None) -> Any:
        if digits is None and self.ndim == 0 and self.dtype.kind != "c":
            return self.item().__round__()
        return _op("round")(self) if digits is None else _op("round")(self, digits)

    def __format__(self, spec: str) -> str:
        if self.ndim == 0:
            return format(self.item(), spec)
        if not spec:
            return str(self)
        raise TypeError("unsupported format string passed to isthmus.ndarray.__format__")

    def __repr__(self) -> str:
        return settings["array_repr"](self)

    def __str__(self) -> str:
        return settings["array_str"](self)

    # ---- Items ----
    def __len__(self) -> int:
        shape = self.shape
        if not shape:
            raise TypeError("len() of unsized object")
        return shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return _Iterator(self)

    def __contains__(self, value: Any) -> bool:
        equal = self == value
        return bool(equal.any()) if isinstance(equal, ndarray) else bool(equal)

    def __getitem__(self, key: Any) -> Any:
        return _invoke("isthmus.getitem", self, _index(key))

    def __setitem__(self, key: Any, value: Any) -> None:
        index = _index(key)
        try:
            if type(value) is complex:
                raise _errors.Fallback("a complex number, which not every dtype takes")
            if type(value) not in (ndarray, float, bool) and not (
                type(value) is int and -(2**63) <= value < 2**63
            ):
                value = _arrays.array_from_object(value) if type(value) is not int else value
            if type(value) is int and not -(2**63) <= value < 2**63:
                raise _errors.Fallback("an integer beyond 64 bits")
        except TypeError:
            if not _flags(self) & _arrays.WRITEABLE:
                raise
            # What only the dtype of the array gives a meaning (None is NaN among floats).
            _arrays.numpy_view(self)[_host_index(key)] = value
            return
        _invoke("isthmus.setitem", self, value, index)

    def __delitem__(self, key: Any) -> None:
        raise ValueError("cannot delete array elements")

    # ---- Methods ----
    def reshape(self, *shape: Any, **keywords: Any) -> Any:
        """A view with another shape where possible, else a copy."""
        if not shape and "shape" not in keywords:
            raise TypeError("reshape() takes at least 1 argument (0 given)")
        if len(shape) == 1 and type(shape[0]) is not int:
            return _op("reshape")(self, shape[0], **keywords)
        return _op("reshape")(self, *([shape] if shape else []), **keywords)

    def transpose(self, *axes: Any) -> Any:
        """A view with its axes permuted."""
        if not axes or (len(axes) == 1 and axes[0] is None):
            return _op("transpose")(self)
        one = len(axes) == 1 and not isinstance(axes[0], int)
        return _op("transpose")(self, axes[0] if one else axes)

    def copy(self, order: Any = "C") -> Any:
        """A new array with the same elements."""
        order = _order(order, "C")
        if order == "K":
            return _invoke("isthmus.front_end.copy", self)
        f = _flags(self)
        fortran = order == "F" or (
            order == "A" and bool(f & _arrays.F_CONTIGUOUS) and not f & _arrays.C_CONTIGUOUS
        )
        if fortran:
            block = _op("empty")(self.shape[::-1], self.dtype).transpose()
        else:
            block = _op("empty")(self.shape, self.dtype)
        _invoke("isthmus.front_end.assign", block, self)
        return block

    def flatten(self, order: Any = "C") -> Any:
        """A one-dimensional copy."""
        made = self.copy(order)
        return _arrays._view(made, (made.size,), (1,), 0, made.dtype)

    def astype(
        self, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True,
        copy: Any = True,
    ) -> Any:  # fmt: skip
        """Converted copy."""
        want = _arrays.dtype_from_object(dtype)
        order = _order(order, "K")
        if casting not in ("no", "equiv", "safe", "same_kind", "unsafe"):
            raise ValueError(
                "casting must be one of 'no', 'equiv', 'safe', 'same_kind', 'unsafe' "
                f"(got {casting!r})"
            )
        own = self.dtype
        if not numpy.can_cast(own, want, casting):
            raise TypeError(
                f"Cannot cast array data from dtype('{own}') to dtype('{want}') according to the "
                f"rule '{casting}'"
            )
        copy = bool(copy)
        if own == want:
            return self.copy(order) if copy else self
        if own.kind == "c" and want.kind not in "cb":
            warnings.warn(
                "Casting complex values to real discards the imaginary part",
                numpy.exceptions.ComplexWarning,
                stacklevel=2,
            )
            source = self.real
        else:
            source = self
        host = _arrays.numpy_view(source).astype(want, order)
        return _arrays.array_from_object(host)

    def item(self, *index: Any) -> Any:
        """One element as a Python number."""
        if not index:
            if self.size != 1:
                raise ValueError("can only convert an array of size 1 to a Python scalar")
            return _arrays.numpy_view(self).item()
        if len(index) == 1 and isinstance(index[0], tuple):
            index = index[0]
        elif len(index) == 1 and self.ndim != 1:
            flat, size = _arrays.index_value(index[0]), self.size
            if not -size <= flat < size:
                raise IndexError(f"index {flat} is out of bounds for size {size}")
            return _arrays.numpy_view(self).item(flat)
        if len(index) != self.ndim:
            raise ValueError("incorrect number of indices for array")
        return _arrays.numpy_view(self).item(tuple([_arrays.index_value(i) for i in index]))

    def tolist(self) -> Any:
        """Nested lists of Python numbers."""
        return _arrays.numpy_view(self).tolist()

    def fill(self, value: Any) -> None:
        """Sets every element."""
        self[...] = value

    def sort(self, *args: Any, **keywords: Any) -> None:
        """Sorts in place."""
        if not _flags(self) & _arrays.WRITEABLE:
            raise ValueError("sort array is read-only")
        _invoke("isthmus.front_end.assign", self, _op("sort")(self, *args, **keywords))

    def asnumpy(self, shared: Any = False) -> numpy.ndarray:
        """A numpy.ndarray with a copy of the elements, or over the same memory."""
        source = self if shared else _invoke("isthmus.front_end.copy", self)
        return _arrays.numpy_view(source)

    def wait_to_read(self) -> None:
        """Returns when pending writes to the array are done."""

    def wait_to_write(self) -> None:
        """Returns when pending reads and writes are done."""

    def __array__(self, dtype: Any = None, *, copy: Any = None) -> numpy.ndarray:
        host = _arrays.numpy_view(self)
        if dtype is not None and numpy.dtype(dtype) != host.dtype:
            if copy is False:
                raise ValueError(_arrays._NO_COPY)
            return host.astype(dtype)
        return host.copy() if copy is True else host

    def __copy__(self) -> Any:
        return _invoke("isthmus.front_end.copy", self)

    def __deepcopy__(self, memo: Any) -> Any:
        return _invoke("isthmus.front_end.copy", self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return settings["rebuild"], (_arrays.numpy_view(self),)

    def __sizeof__(self) -> int:
        own = object.__sizeof__(self) + 128 + 16 * self.ndim
        return own + (self.nbytes if self.base is None else 0)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return settings["array_function"](func, types, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: Any, *inputs: Any, **keywords: Any) -> Any:
        if method == "__call__" and isinstance(ufunc, numpy.ufunc) and "out" not in keywords:
            from isthmus._ctypes import _op as operators

            found = operators.ops().get(ufunc.__name__)
            if found is not None:
                return found(*inputs, **keywords)
        return settings["array_ufunc"](self, ufunc, method, *inputs, **keywords)

    def __dlpack__(
        self, stream: Any = None, *, max_version: Any = None, dl_device: Any = None,
        copy: Any = None,
    ) -> Any:  # fmt: skip
        from isthmus._ctypes import _dlpack

        return _dlpack.export(self, stream, max_version, dl_device, copy)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    if sys.version_info >= (3, 12):

        def __buffer__(self, flags: int, /) -> memoryview:
            if flags & 1 and not _flags(self) & _arrays.WRITEABLE:
                raise BufferError("the array is read-only")
            return _arrays.numpy_view(self).__buffer__(flags)


def _flags(a: Any) -> int:
    return _invoke("isthmus.front_end.array_flags", a)


def _data(a: Any) -> int | None:
    return _arrays.tensor_of(a).data


def _owner(found: Any) -> Any:
    return None if isinstance(found, _abi.DLTensor) or not hasattr(found, "shape") else found


def _order(order: Any, default: str) -> str:
    if order is None:
        return default
    if isinstance(order, bytes):
        order = order.decode("ascii", "replace")
    if not isinstance(order, str):
        raise TypeError(f"order must be str, not {type(order).__name__}")
    order.encode()  # lone surrogates are an error of their own
    if len(order) != 1 or order not in "CFAKcfak":
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    return order.upper()


def _special_power(dtype: numpy.dtype[Any], exponent: Any) -> str | None:
    """The function that NumPy takes for an exponent that is a Python number, or None."""
    inexact = dtype.kind in "fc"
    if type(exponent) is float:
        names = {2.0: "square", 0.5: "sqrt", 1.0: "positive", -1.0: "reciprocal"}
        return names.get(exponent) if inexact else None
    if type(exponent) is int:
        if exponent == 2:
            return "square"
        if dtype.kind != "b" and exponent == 1:
            return "positive"
        if inexact and exponent == -1:
            return "reciprocal"
    return None


_INDEX_HELP = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


def _index(key: Any) -> tuple[Any, ...]:
    """An index expression in the forms that the core knows."""
    if isinstance(key, tuple):
        if len(key) > 72:
            raise IndexError("too many indices for array")
        return tuple([_index_item(item) for item in tuple(key)])
    return (_index_item(key),)


def _index_item(key: Any) -> Any:
    if key is None or key is ... or type(key) is bool:
        return key
    if isinstance(key, slice):
        return slice(*[_slice_part(part) for part in (key.start, key.stop, key.step)])
    if isinstance(key, (bool, numpy.bool)):
        return bool(key)
    if isinstance(key, (int, numpy.integer)):
        value = int(operator.index(key))
        if not -(2**63) <= value < 2**63:
            # To NumPy, what fits 64 bits without a sign is an array that no index can be made of.
            cls = OverflowError if 0 <= value < 2**64 else IndexError
            raise cls("cannot fit 'int' into an index-sized integer")
        return value
    if isinstance(key, (str, float, complex, dict, bytes)):
        raise IndexError(f"{_INDEX_HELP}, got {type(key).__name__}")
    if isinstance(key, (list, tuple)):
        if not len(key):
            return _op("empty")((0,), "int64")
        try:
            found = _arrays.array_from_object(key)
        except TypeError:
            raise IndexError(f"{_INDEX_HELP}, got {type(key).__name__}") from None
        if found.size == 0 and found.dtype == numpy.float64:
            found = _op("empty")(found.shape, "int64")
    elif isinstance(key, (ndarray, numpy.ndarray)):
        found = key if isinstance(key, ndarray) else _arrays.borrow(key)
    elif hasattr(type(key), "__index__"):
        return _arrays.index_value(key)
    elif hasattr(key, "__array__") or hasattr(key, "__dlpack__") or hasattr(key, "__getitem__"):
        found = _arrays.array_from_object(key)
    else:
        raise IndexError(f"{_INDEX_HELP}, got {type(key).__name__}")
    if found.ndim == 0 and found.dtype.kind in "iu":
        value = found.item()
        if not -(2**63) <= value < 2**63:
            raise OverflowError("an index beyond 63 bits")
        return value
    return found


def _slice_part(part: Any) -> Any:
    if part is None or (type(part) is int and -(2**63) <= part < 2**63):
        return part
    try:
        value = int(operator.index(part))
    except TypeError as error:
        if isinstance(part, (ndarray, numpy.ndarray)):
            raise
        raise TypeError(
            "slice indices must be integers or None or have an __index__ method"
        ) from error
    return max(min(value, 2**63 - 1), -(2**63))


def _host_index(key: Any) -> Any:
    from isthmus import _fallback

    return _fallback.to_host(key, {})
