# SPDX-License-Identifier: Apache-2.0
"""NumPy ufuncs of other libraries as operators."""

from __future__ import annotations

from typing import Any

import numpy

from isthmus import _native


def op_from_ufunc(ufunc: Any, name: str | None = None) -> Any:
    """An operator that computes what a NumPy ufunc or gufunc computes.

    Parameters
    ----------
    ufunc : numpy.ufunc
        Any ufunc with typed loops: of SciPy, of Numba's `@vectorize`, of your own. One of Numba
        without signatures, which compiles its loops when it meets their types, stays that.
    name : str, optional
        Name of the operator and of its function in the registry; "ufunc." and the ufunc's own name
        by default.

    Returns
    -------
    Op
        With promotion, broadcasting and `out`; other languages in this process call it through the
        registry. Loops of up to two inputs and two outputs run in the core; a ufunc of more, or a
        gufunc, is called through Python over shared memory.

    Raises
    ------
    TypeError
        When it is no ufunc.
    ValueError
        When the name is taken.
    """
    # Numba's objects hold theirs.
    inner = ufunc if isinstance(ufunc, numpy.ufunc) else getattr(ufunc, "ufunc", None)
    if not isinstance(inner, numpy.ufunc):
        raise TypeError(f"op_from_ufunc() expects a numpy.ufunc, not {type(ufunc).__name__}")
    if name is None:
        name = "ufunc." + inner.__name__
    doc = (inner.__doc__ or inner.__name__).strip()
    if inner.types:
        op = _native._op_from_loops(inner, name, doc)
        if op is not None:
            return op
    return _through_python(ufunc, inner.nin, inner.nout, name, doc)


def _through_python(ufunc: Any, nin: int, nout: int, name: str, doc: str) -> Any:

    def call(*args: Any) -> Any:
        inputs = [x.asnumpy(shared=True) for x in args[:nin]]
        outs = [None if x is None else x.asnumpy(shared=True) for x in args[nin:]]
        keywords = {"out": tuple(outs)} if any(x is not None for x in outs) else {}
        results = ufunc(*inputs, **keywords)
        if nout == 1:
            return args[nin] if outs[0] is not None else _native.asarray(results)
        return [
            given if given is not None else _native.asarray(result)
            for given, result in zip(args[nin:], results, strict=True)
        ]

    inputs = ", ".join(f"x{i + 1}: Array" for i in range(nin))
    outputs = ", ".join(f"{'out' if nout == 1 else f'out{i + 1}'}: Out = None" for i in range(nout))
    returns = "Array" if nout == 1 else f"tuple[{', '.join(['Array'] * nout)}]"
    from isthmus.ffi import register_op

    return register_op(name, call, f"({inputs}, /, {outputs}) -> {returns}", doc)
