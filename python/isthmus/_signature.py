# SPDX-License-Identifier: Apache-2.0
"""`inspect.signature` of operators, made from their schemas."""

from __future__ import annotations

import ast
import inspect
from typing import Any

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
