# SPDX-License-Identifier: Apache-2.0
"""Operators: arguments matched and converted as the schema says, official NumPy for the rest."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy

from isthmus._ctypes import _abi, _arrays, _errors, _function, _values

_MISSING: Any = object()
#: What the package gives: fallback, fp_handler.
settings: dict[str, Any] = {}
_by_name: dict[str, Op] = {}
_UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


class _ArgumentError(TypeError):
    """An argument that cannot be converted; official NumPy may take it, or has its own error."""


class _TooWide(OverflowError):
    """An integer that no dtype holds, which official NumPy would make an object of."""


class _Parameter:
    __slots__ = ("default", "kind", "name", "place", "required")

    def __init__(self, name: str, kind: str, place: str, required: bool, default: Any) -> None:
        self.name = name
        self.kind = kind
        self.place = place
        self.required = required
        self.default = default


class Op:
    """An operator of the registry."""

    __slots__ = (
        "__dict__", "__weakref__", "_count_required", "_defaults", "_function", "_index", "_name",
        "_namedtuple", "_nin", "_nout", "_parameters", "_positional", "_reports", "_returns",
        "_returns_list", "_user", "_variadic",
    )  # fmt: skip

    def __init_subclass__(cls, **keywords: Any) -> None:
        raise TypeError("type 'isthmus.Op' is not an acceptable base type")

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        raise TypeError("cannot create 'isthmus.Op' instances")

    # ---- Facts ----
    @property
    def __name__(self) -> str:
        return self._name.rpartition(".")[2]

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        doc = _values.invoke("isthmus.op_doc", self._name)
        return f"{self.__name__}{self.schema}\n\n{doc}"

    @property
    def __signature__(self) -> Any:
        from isthmus import _signature

        return _signature.signature_of(self)

    @property
    def schema(self) -> str:
        """The operator's signature as registered."""
        return _values.invoke("isthmus.op_signature", self._name)

    @property
    def parameters(self) -> list[tuple[str, str | None, str]]:
        """Rows (name, default text or None, kind)."""
        kinds = {"variadic": "*", "positional_only": "/", "keyword_only": "kw"}
        return [
            (p.name, None if p.required or p.place == "variadic" else repr(p.default),
             kinds.get(p.place, ""))
            for p in self._parameters
        ]  # fmt: skip

    @property
    def nin(self) -> int:
        """Number of inputs of an element-wise operator."""
        if not self._nin:
            raise AttributeError("nin")
        return self._nin

    @property
    def nout(self) -> int:
        """Number of outputs of an element-wise operator."""
        if not self._nin:
            raise AttributeError("nout")
        return self._nout

    def _set_result_type(self, value: Any) -> None:
        self._namedtuple = value

    _result_type = property(None, _set_result_type)

    def _full_name(self) -> str:
        return self._name

    def __getattr__(self, name: str) -> Any:
        if name == "__qualname__":  # no class body can have a property of that name
            return self.__name__
        if name.startswith("_"):
            raise AttributeError(f"an operator has no attribute {name!r}")
        if not self._nin:
            raise AttributeError(f"operator {self._name!r} has no attribute {name!r}")
        from isthmus import _fallback

        return _fallback.ufunc_attribute(self._name, name)

    def __repr__(self) -> str:
        return f"<isthmus operator '{self._name}'>"

    def __reduce__(self) -> Any:
        from isthmus import _native

        return _native.get_op, (self._name,)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else _Method(self, instance)

    # ---- Calls ----
    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            given = self._match(args, keywords)
            slots, count = self._convert(given)
        except _TooWide as error:
            raise OverflowError(str(error)) from None
        except (_ArgumentError, OverflowError) as error:
            return self._fall_back_or_fail(error, args, keywords)
        except _errors.Fallback:
            return self._fall_back(args, keywords)
        try:
            return self._run(slots, count, [*args, *keywords.values()])
        except _errors.Fallback:
            return self._fall_back(args, keywords)
        finally:
            _values.drop(slots, count)

    def _match(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> list[Any]:
        """The arguments in the order of the parameters."""
        parameters = self._parameters
        if self._variadic:
            given = [args, *([_MISSING] * (len(parameters) - 1))]
        else:
            if len(args) > self._positional:
                raise TypeError(
                    f"{self._name}() takes from {self._count_required} to {self._positional} "
                    f"positional arguments but {len(args)} were given"
                )
            given = [*args, *([_MISSING] * (len(parameters) - len(args)))]
        for name, value in keywords.items():
            at = self._index.get(name, -1)
            if at < 0:  # NumPy takes more rare ones, such as the `signature` of a ufunc
                raise _ArgumentError(f"{self._name}() got an unexpected keyword argument '{name}'")
            place = parameters[at].place
            if place in ("positional_only", "variadic"):
                raise TypeError(f"{self._name}() got an unexpected keyword argument '{name}'")
            if given[at] is not _MISSING:
                raise TypeError(f"{self._name}() got multiple values for argument '{name}'")
            given[at] = value
        for at, parameter in enumerate(parameters):
            if given[at] is _MISSING and parameter.required:
                raise TypeError(
                    f"{self._name}() missing required argument: '{parameter.name}' (pos {at + 1})"
                )
        return given

    def _convert(self, given: list[Any]) -> tuple[Any, int]:
        """The values of a call: where the conditions go, then an argument for each parameter."""
        slots = (_abi.Any * (len(given) + 1))()
        made = 1
        try:
            for at, value in enumerate(given):
                if value is _MISSING:
                    _values.put(self._parameters[at].default, slots[made])
                elif self._variadic and at == 0:
                    self._put_arrays(0, value, slots[made])
                else:
                    _PUT[self._parameters[at].kind](self, at, value, slots[made])
                made += 1
        except BaseException:
            _values.drop(slots, made)
            raise
        return slots, made

    def _run(self, slots: Any, count: int, args: Sequence[Any]) -> Any:
        flags = ctypes.c_uint32()
        if self._reports:
            slots[0].type_index = _abi.OPAQUE_PTR
            slots[0].v_ptr = ctypes.addressof(flags)
        result = _abi.Any()
        _values.invoke_raw(self._function, slots, count, result)
        value = self._wrap(result, args)
        if flags.value and settings.get("fp_handler"):
            settings["fp_handler"](self._name, flags.value)
        return value

    def _wrap(self, result: _abi.Any, args: Sequence[Any]) -> Any:
        if result.type_index == _abi.TENSOR:
            handle = result.v_ptr
            for arg in args:  # an array that the caller gave comes back as the same object
                if type(arg) is tuple and len(arg) == 1:
                    arg = arg[0]
                if type(arg) is _arrays.ndarray and arg._handle == handle:
                    _abi.decref(handle)
                    return arg
            return _values.take(result)
        if self._user and self._returns == "Any":
            return _values.take(result)
        if result.type_index not in (_abi.ARRAY, _abi.LIST):
            return _values.take(result)
        items = _values.sequence_items(result, 0)
        _values.take_dropped(result)
        if self._returns_list:
            return items
        return self._namedtuple(*items) if self._namedtuple else tuple(items)

    # ---- Official NumPy ----
    def _fall_back(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        return settings["fallback"](self._name, args, keywords)

    def _fall_back_or_fail(
        self, error: Exception, args: tuple[Any, ...], keywords: dict[str, Any]
    ) -> Any:
        """The call by NumPy. Of two errors of one type ours tells more."""
        ours = TypeError(str(error)) if isinstance(error, _ArgumentError) else error
        try:
            return self._fall_back(args, keywords)
        except (type(ours), NotImplementedError):
            raise ours from None

    # ---- Conversion by the kind of the parameter ----
    def _fail(self, at: int, expected: str, got: Any) -> _ArgumentError:
        return _ArgumentError(
            f"{self._name}(): argument {at + 1} ('{self._parameters[at].name}') must be "
            f"{expected}, not {type(got).__name__}"
        )

    def _put_operand(self, o: Any, slot: _abi.Any, at: int) -> None:
        """An array, or a number that takes the dtype of the others."""
        if type(o) in (_arrays.ndarray, float, bool):
            _values.put(o, slot)
        elif type(o) is int:
            if -(2**63) <= o < 2**63:
                _values.put(o, slot)
            elif self._nin or at > 0:
                raise _errors.Fallback("an integer beyond 64 bits")
            elif 0 <= o < 2**64:
                _values.put(_arrays.array_from_object(numpy.uint64(o)), slot)
            else:
                raise _TooWide("Python int too large to convert to C long")
        elif type(o) is complex:
            _values.put(o, slot)
        elif isinstance(o, slice):  # some of NumPy's functions take them (insert, delete)
            raise _errors.Fallback("a slice")
        else:
            _values.put(_arrays.array_from_object(o), slot)

    def _put_array(self, at: int, o: Any, slot: _abi.Any) -> None:
        if at > 0 and (o is None or isinstance(o, str)):
            raise self._fail(at, "an array or a number", o)
        self._put_operand(o, slot, at)

    def _put_optional_array(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is not None:
            self._put_array(at, o, slot)

    def _put_arrays(self, at: int, o: Any, slot: _abi.Any) -> None:
        if isinstance(o, (str, bytes)) or not _is_sequence(o):
            raise TypeError(
                f"{self._name}(): argument {at + 1} ('{self._parameters[at].name}') must be a "
                f"sequence of arrays, not {type(o).__name__}"
            )
        items = []
        for item in tuple(o):
            if type(item) not in (_arrays.ndarray, float, bool, int, complex):
                if isinstance(item, slice):
                    raise _errors.Fallback("a slice")
                if self._variadic and isinstance(item, str):  # subscripts of einsum
                    if "\0" in item:
                        raise ValueError("embedded null character")
                    items.append(str(item))
                    continue
                item = _arrays.array_from_object(item)
            elif type(item) is int and not -(2**63) <= item < 2**63:
                raise _errors.Fallback("an integer beyond 64 bits")
            items.append(item)
        # An array that is there twice has one shape, whatever another thread sets meanwhile.
        handles = {id(item): item._handle for item in items if type(item) is _arrays.ndarray}
        for at_item, item in enumerate(items):
            if type(item) is _arrays.ndarray:
                items[at_item] = _arrays.given(handles[id(item)])
        _values.put(items, slot)

    def _put_axes(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is None:
            return
        if self._parameters[at].name == "axis" and (
            isinstance(o, bool) or (isinstance(o, list) and self._is_reduction())
        ):
            raise self._fail(at, "None, an integer or a tuple of integers", o)
        _values.put(self._dims(at, o, _arrays.index_value), slot)

    def _is_reduction(self) -> bool:
        """Reductions take their axes as a tuple only; what builds on sorting takes lists too."""
        return "keepdims" in self._index and "overwrite_input" not in self._index

    def _put_shape(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is None:
            raise self._fail(at, "an integer or a sequence of integers", o)
        _values.put(self._dims(at, o, _dimension), slot)

    def _dims(self, at: int, o: Any, convert: Any) -> int | tuple[int, ...]:
        is_array = isinstance(o, (_arrays.ndarray, numpy.ndarray))
        if isinstance(o, int) or (
            not isinstance(o, (list, tuple)) and not is_array and hasattr(o, "__index__")
        ):
            return convert(o)  # C++ tells a lone integer from a sequence of one
        if is_array and o.ndim == 0:
            return (_arrays.index_value(o),)
        if isinstance(o, (str, bytes)) or not _is_sequence(o):
            raise self._fail(at, "an integer or a sequence of integers", o)
        items = tuple(o)
        if len(items) > 64:
            raise ValueError(
                f"maximum supported dimension for an ndarray is currently 64, found {len(items)}"
            )
        for item in items:
            if isinstance(item, float):
                raise self._fail(at, "a sequence of integers", item)
        dims = tuple(convert(item) for item in items)
        if isinstance(o, list) and len(o) != len(items):
            raise self._fail(at, "a sequence that does not change", o)
        return dims

    def _put_dtype(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is not None:
            _values.put_dtype(_arrays.dtype_from_object(o), slot)

    def _put_bool(self, at: int, o: Any, slot: _abi.Any) -> None:
        if self._parameters[at].name == "keepdims" and not isinstance(o, int):
            raise self._fail(at, "a bool", o)
        _values.put(bool(o), slot)

    def _put_int(self, at: int, o: Any, slot: _abi.Any) -> None:
        if not hasattr(type(o), "__index__") or (
            isinstance(o, bool) and self._parameters[at].name == "axis"
        ):
            raise self._fail(at, "an integer", o)
        _values.put(_arrays.index_value(o), slot)

    def _put_optional_int(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is not None:
            self._put_int(at, o, slot)

    def _put_float(self, at: int, o: Any, slot: _abi.Any) -> None:
        if isinstance(o, (str, bytes)):
            raise TypeError(f"must be real number, not {type(o).__name__}")
        _values.put(float(o), slot)

    def _put_text(self, at: int, o: Any, slot: _abi.Any) -> None:
        if not isinstance(o, str):
            raise self._fail(at, "a string", o)
        if "\0" in o:
            raise ValueError("embedded null character")
        _values.put(str(o), slot)

    def _put_optional_text(self, at: int, o: Any, slot: _abi.Any) -> None:
        if o is not None:
            self._put_text(at, o, slot)

    def _put_out(self, at: int, o: Any, slot: _abi.Any) -> None:
        if type(o) is tuple:
            if len(o) != 1:
                raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
            o = o[0]
        if o is None:
            return
        if isinstance(o, numpy.ndarray):
            o = _arrays.borrow(o)
        elif type(o) is not _arrays.ndarray:
            raise TypeError(
                f"{self._name}(): return arrays must be of ArrayType (an ndarray), "
                f"not {type(o).__name__}"
            )
        _values.put(o, slot)

    def _put_any(self, at: int, o: Any, slot: _abi.Any) -> None:
        # The only such parameter of element-wise operators is the `out` of several outputs.
        if self._nin and not isinstance(o, tuple):
            raise self._fail(at, "a tuple of arrays", o)
        _values.put(o, slot)

    def bind(self, *args: Any, **constants: Any) -> BoundOp:
        """A function with these arguments fixed; calls give the others."""
        if args:
            raise TypeError("bind() takes keyword arguments only")
        if self._variadic:
            raise TypeError(f"{self._name}() takes any number of arrays and cannot be bound")
        for name, value in constants.items():
            at = self._index.get(name, -1)
            if at < 0:
                raise TypeError(f"{self._name}() got an unexpected keyword argument '{name}'")
            slot = _abi.Any()
            try:
                _PUT[self._parameters[at].kind](self, at, value, slot)
            except _errors.Fallback:
                pass
            except _ArgumentError as error:
                raise TypeError(str(error)) from None
            _values.take_dropped(slot)
        return _bound(self, constants)


_PUT = {
    "Array": Op._put_array,
    "Array?": Op._put_optional_array,
    "Arrays": Op._put_arrays,
    "Shape": Op._put_shape,
    "Axes": Op._put_axes,
    "DType": Op._put_dtype,
    "bool": Op._put_bool,
    "int": Op._put_int,
    "int?": Op._put_optional_int,
    "float": Op._put_float,
    "str": Op._put_text,
    "str?": Op._put_optional_text,
    "Out": Op._put_out,
    "Any": Op._put_any,
}


def _is_sequence(o: Any) -> bool:
    return isinstance(o, (list, tuple)) or (
        hasattr(type(o), "__getitem__") and not isinstance(o, dict)
    )


def _dimension(o: Any) -> int:
    if isinstance(o, bool):
        raise TypeError("an integer is required, got a bool")
    return _arrays.index_value(o)


class _Method:
    """An operator as a method of an array."""

    def __init__(self, op: Op, instance: Any) -> None:
        self.__func__ = op
        self.__self__ = instance

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return self.__func__(self.__self__, *args, **keywords)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__func__, name)

    def __repr__(self) -> str:
        return f"<bound method {self.__func__!r}>"


class BoundOp(_function.Function):
    """An operator with some arguments bound; see Op.bind."""

    __slots__ = ("_constants", "_op", "_open")

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        raise TypeError("cannot create 'isthmus.ffi.BoundOp' instances")

    @property
    def op(self) -> Op:
        """The operator."""
        return self._op

    @property
    def constants(self) -> dict[str, Any]:
        """Copy of the bound arguments."""
        return dict(self._constants)

    @property
    def __signature__(self) -> Any:
        from isthmus import _signature

        return _signature.bound_signature(self._op, self._constants)

    __doc__ = property(lambda self: self._op.__doc__)
    release_gil = property(lambda self: False)

    def __repr__(self) -> str:
        return f"<isthmus operator '{self._op._name}' with {self._constants!r} bound>"

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if len(args) > len(self._open):
            raise TypeError(
                f"{self._op._name}() takes at most {len(self._open)} positional arguments beside "
                f"the bound ones ({len(args)} given)"
            )
        parameters = self._op._parameters
        given = dict(zip(self._open, args))
        given |= {self._op._index[name]: value for name, value in self._constants.items()}
        leading = 0  # what can be given by position, as some must be
        while leading in given and leading < self._op._positional:
            leading += 1
        positional = [given.pop(at) for at in range(leading)]
        named = {parameters[at].name: value for at, value in given.items()}
        return self._op(*positional, **{**named, **keywords})


def _bound(op: Op, constants: dict[str, Any]) -> BoundOp:
    made = object.__new__(BoundOp)
    made._handle = 0
    made._name = op._name
    made._releases = False
    made._op = op
    made._constants = dict(constants)
    made._open = [at for at in range(op._positional) if op._parameters[at].name not in constants]
    return made


# ---- The registry --------------------------------------------------------------------------------


def _make(name: str) -> Op:
    rows = _values.invoke_plain("isthmus.op_parameters", name)
    made = object.__new__(Op)
    made._name = name
    made._parameters = [_Parameter(*row) for row in rows]
    made._index = {p.name: at for at, p in enumerate(made._parameters)}
    made._variadic = bool(rows) and made._parameters[0].place == "variadic"
    made._positional = sum(p.place != "keyword_only" for p in made._parameters)
    made._count_required = sum(p.required for p in made._parameters)
    made._namedtuple = None
    made._returns = _values.invoke("isthmus.op_returns", name)
    traits = list(_values.invoke_plain("isthmus.front_end.traits", name))
    made._nin, made._nout = traits[0], traits[1]
    made._reports, made._returns_list, made._user = map(bool, traits[2:])
    function = _values.invoke("isthmus.front_end.op", name)
    made._function = function._handle
    made.__dict__["_keep"] = function
    # Operators of users are named in full.
    module = [] if made._user else ["isthmus.np"]
    made.__dict__["__module__"] = ".".join([*module, *name.split(".")[:-1]])
    return made


def get_op(name: Any) -> Op:
    """The operator of that name; ValueError when there is none."""
    found = _by_name.get(name)
    if found is None:
        if not isinstance(name, str) or "\0" in name or name.startswith("isthmus.np."):
            raise ValueError(f"no operator named {name!r}")
        try:
            name.encode()
            found = _make(name)
        except UnicodeEncodeError:
            raise
        except ValueError:
            raise ValueError(f"no operator named {name!r}") from None
        _by_name[name] = found
    return found


def ops() -> dict[str, Op]:
    """All native operators by name."""
    if not _by_name:
        for name in _values.invoke_plain("isthmus.list_ops"):
            _by_name[name] = _make(name)
    return dict(_by_name)


def op_from_loops(ufunc: numpy.ufunc, name: str, doc: str) -> Op | None:
    """An operator that runs the loops of a ufunc; None when it has none that fit."""
    from isthmus._ctypes import _host

    if not isinstance(ufunc, numpy.ufunc):
        raise TypeError(f"expected a numpy.ufunc, not {type(ufunc).__name__}")
    if ufunc.signature or not 1 <= ufunc.nin <= 2 or not 1 <= ufunc.nout <= 2:
        return None
    loops = _host.loops_of(ufunc)
    if not loops:
        return None
    _values.invoke("isthmus.front_end.op_from_loops", name, ufunc.nin, ufunc.nout, doc, loops)
    _host.kept.append(ufunc)  # the loops live as long as the ufunc
    return get_op(name)


def _put_bound(o: BoundOp, slot: _abi.Any, depth: int) -> None:
    assert o._op is not None
    _values.put_callable(o, slot)


_values.register_type(BoundOp, _put_bound)
