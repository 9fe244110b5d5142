# SPDX-License-Identifier: Apache-2.0
"""help() and inspect.signature: the parameters of NumPy, a text for each function."""

import inspect
import pydoc

import numpy as onp
import pytest

import helpers as h
import op_cases
from helpers import resolve
from isthmus import np

UFUNCS = ("add", "sin", "divide", "less", "logical_not", "maximum", "bitwise_and", "exp", "power",
          "divmod", "modf", "isnan")  # fmt: skip
FUNCTIONS = (
    "sum", "prod", "max", "min", "any", "all", "mean", "std", "var", "argmax", "argmin", "cumsum",
    "cumprod", "count_nonzero", "ptp", "median", "reshape", "transpose", "swapaxes", "moveaxis",
    "squeeze", "expand_dims", "ravel", "flip", "roll", "broadcast_to", "concatenate", "stack",
    "vstack", "hstack", "dstack", "split", "array_split", "tile", "repeat", "where", "nonzero",
    "take", "sort", "argsort", "searchsorted", "unique", "bincount", "clip", "dot", "outer",
    "inner",
    "tensordot", "zeros", "ones", "empty", "full", "zeros_like", "full_like", "linspace",
    "eye", "trace", "diagonal", "linalg.inv", "linalg.solve", "linalg.norm", "linalg.eigh",
    "linalg.svd", "linalg.cholesky", "linalg.qr", "linalg.det",
)  # fmt: skip
# Parameters which say nothing here: `like` and `subok` are about subclasses of NumPy's array,
# and NumPy's `**kwargs` is a passage for keywords which ours names.
OPTIONAL = {"like", "subok", "device", "signature", "kwargs"}


def parameters(function):
    found = inspect.signature(function).parameters
    return [name for name in found if name not in OPTIONAL]


# Parameters of newer releases of NumPy (2.5), whose own function serves a call that gives them.
NEWER = {"sort": {"descending"}, "argsort": {"descending"}}


def theirs_or_skip(name):
    try:
        newer = NEWER.get(name, set())
        return [p for p in parameters(resolve(onp, name)) if p not in newer]
    except ValueError:
        pytest.skip("this NumPy does not tell the signature")


@pytest.mark.parametrize("name", UFUNCS + FUNCTIONS)
def test_signature_has_the_parameters_of_numpy(name):
    expected = theirs_or_skip(name)
    assert parameters(resolve(np, name)) == expected


@pytest.mark.parametrize("name", FUNCTIONS)
def test_required_parameters_are_those_of_numpy(name):
    theirs_or_skip(name)

    def required(function):
        found = inspect.signature(function).parameters.values()
        return [p.name for p in found if p.default is p.empty and p.name not in OPTIONAL]

    assert required(resolve(np, name)) == required(resolve(onp, name))


@pytest.mark.parametrize("name", UFUNCS + FUNCTIONS)
def test_help_shows_the_signature_and_a_text(name):
    function = resolve(np, name)
    assert function.__doc__
    assert len(function.__doc__) > 20
    assert function.__name__ == name.split(".")[-1]
    text = pydoc.plain(pydoc.render_doc(function))
    assert name.split(".")[-1] in text


@pytest.mark.parametrize("case", op_cases.CASES, ids=lambda case: case.name)
def test_every_operator_has_a_text_a_name_and_a_repr(case):
    function = resolve(np, case.name)
    assert function.__doc__
    assert function.__name__
    assert repr(function)


def test_operators_can_be_compared_hashed_and_pickled_by_name():
    import copy
    import pickle

    assert np.add == np.add
    assert np.add != np.subtract
    assert {np.add: 1}[np.add] == 1
    assert pickle.loads(pickle.dumps(np.add)) is np.add
    assert copy.copy(np.sum) is np.sum


def test_methods_have_texts():
    for name in ("sum", "reshape", "astype", "copy", "asnumpy", "tolist", "item", "transpose"):
        assert getattr(np.ndarray, name).__doc__, name
    assert np.ndarray.__doc__
    assert np.__doc__


BY_NAME = {
    "sum": {"a": [[1, 2], [3, 4]], "axis": 0, "dtype": "float32", "keepdims": True, "initial": 1},
    "mean": {"a": [[1, 2], [3, 4]], "axis": 1, "dtype": None, "out": None, "keepdims": False},
    "reshape": {"a": [1, 2, 3, 4], "shape": (2, 2), "order": "F"},
    "transpose": {"a": [[1, 2, 3]], "axes": (1, 0)},
    "concatenate": {"axis": 0, "dtype": "int8", "casting": "unsafe"},
    "stack": {"arrays": [[1, 2], [3, 4]], "axis": 1},
    "take": {"a": [4, 5, 6], "indices": [2, 0], "axis": 0, "mode": "clip"},
    "where": {},
    "clip": {"a": [1, 2, 3], "a_min": 2, "a_max": 2},
    "zeros": {"shape": (2, 3), "dtype": "int16", "order": "C"},
    "full": {"shape": 3, "fill_value": 7, "dtype": float},
    "arange": {"start": 1, "stop": 9, "step": 3, "dtype": "float64"},
    "linspace": {"start": 0, "stop": 1, "num": 3, "endpoint": False},
    "eye": {"N": 3, "M": 2, "k": 1, "dtype": int},
    "argsort": {"a": [3, 1, 2], "axis": -1, "kind": "stable"},
    "searchsorted": {"a": [1, 2, 3], "v": 2, "side": "right"},
    "unique": {"ar": [1, 1, 2], "return_counts": True},
    "roll": {"a": [1, 2, 3], "shift": 1, "axis": 0},
    "moveaxis": {"a": [[1, 2]], "source": 0, "destination": 1},
    "swapaxes": {"a": [[1, 2]], "axis1": 0, "axis2": 1},
    "repeat": {"a": [1, 2], "repeats": 2, "axis": 0},
    "tile": {"A": [1, 2], "reps": 2},
    "tensordot": {"a": [[1.0]], "b": [[2.0]], "axes": 1},
    "dot": {"a": [1, 2], "b": [3, 4]},
    "bincount": {"x": [0, 1, 1], "minlength": 4},
    "broadcast_to": {"array": [1, 2], "shape": (2, 2)},
    "expand_dims": {"a": [1, 2], "axis": 0},
    "squeeze": {"a": [[1, 2]], "axis": 0},
    "var": {"a": [1.0, 2], "ddof": 1, "axis": None},
    "argmax": {"a": [1, 3, 2], "axis": 0, "keepdims": True},
    "linalg.norm": {"x": [3.0, 4], "ord": 2, "axis": 0, "keepdims": True},
    "linalg.svd": {"a": [[1.0, 2]], "full_matrices": False, "compute_uv": False},
    "linalg.solve": {"a": [[2.0]], "b": [4.0]},
    "median": {"a": [1, 2, 4], "axis": 0, "overwrite_input": False},
}


@pytest.mark.parametrize("name", [name for name in BY_NAME if BY_NAME[name]])
def test_arguments_by_name(name):
    args = ([[1, 2], [3]],) if name == "concatenate" else ()
    h.both(lambda lib: resolve(lib, name)(*args, **BY_NAME[name]), ulps=4)


def test_keywords_whose_strings_are_not_interned():
    name = "".join(["ax", "is"])
    h.both(lambda lib: lib.sum([[1, 2], [3, 4]], **{name: 0}))

    class Text(str):
        pass

    h.both(lambda lib: lib.sum([[1, 2], [3, 4]], **{Text("axis"): 0}))


@pytest.mark.skipif(
    "descending" not in inspect.signature(onp.sort).parameters, reason="NumPy 2.5 has it first"
)
def test_parameters_of_newer_releases_are_served():
    x = onp.array([3.0, 1, 2])
    for name in NEWER:
        expected = getattr(onp, name)(x, descending=True)
        assert getattr(np, name)(np.array(x), descending=True).tolist() == expected.tolist()
