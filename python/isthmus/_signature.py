# SPDX-License-Identifier: Apache-2.0
"""`inspect.signature` of operators, made from their schemas."""

from __future__ import annotations

import ast
import inspect
from typing import Any

from isthmus import _native

_KINDS = {
    "*": inspect.Parameter.VAR_POSITIONAL,
    "/": inspect.Parameter.POSITIONAL_ONLY,
    "kw": inspect.Parameter.KEYWORD_ONLY,
    "": inspect.Parameter.POSITIONAL_OR_KEYWORD,
}


def signature_of(op: Any) -> inspect.Signature:
    """The Python signature of an operator."""
    parameters = []
    for name, default, kind in op.parameters:
        if name in ("out1", "out2"):  # by position only, as NumPy's text of them is of `out`
            continue
        value = inspect.Parameter.empty if default is None else ast.literal_eval(default)
        parameters.append(inspect.Parameter(name, _KINDS[kind], default=value))
    return inspect.Signature(parameters)


def bound_signature(op: Any, constants: dict[str, Any]) -> inspect.Signature:
    """The signature of an operator without the arguments that are bound."""
    parameters = signature_of(op).parameters.values()
    return inspect.Signature([p for p in parameters if p.name not in constants])


def function_attribute(what: str, name: str | None) -> Any:
    """`__doc__` or `__signature__` of a function of the registry.

    Raises
    ------
    AttributeError
        For the signature of a function that is no operator.
    """
    op = None
    if name is not None:
        try:
            op = _native.get_op(name.removeprefix("isthmus.np."))
        except ValueError:
            op = None
    if what == "__doc__":
        return op.__doc__ if op is not None else None
    if op is None:
        raise AttributeError("__signature__")
    return op.__signature__
