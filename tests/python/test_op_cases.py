# SPDX-License-Identifier: Apache-2.0
"""Every operator of the table against NumPy, and the table against the operators."""

import numpy as onp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import helpers as h
import isthmus
from isthmus import np
from op_cases import CASES

# Operators which are no function of np by their name: each with the file that tests it.
TESTED_ELSEWHERE = {}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@given(data=st.data())
def test_operator_equals_numpy(case, data):
    try:
        h.resolve(onp, case.name)
    except AttributeError:
        pytest.skip("this NumPy has the function no more (row_stack) or not yet")
    call = data.draw(case.arguments)

    def invoke(lib, args, kwargs):
        result = h.resolve(lib, case.name)(*args, **kwargs)
        if case.defined is not None:
            return case.defined(lib, result, kwargs.get("axis", -1))
        return result

    h.both(invoke, call.args, call.kwargs, ulps=case.ulps)


def test_names_in_the_table_are_unique():
    names = [case.name for case in CASES]
    assert sorted(names) == sorted(set(names))


def test_every_native_operator_has_a_row():
    native = getattr(isthmus, "_native", None)
    if not hasattr(native, "ops"):
        pytest.skip("this build does not list its native operators")
    known = {case.name for case in CASES} | set(TESTED_ELSEWHERE)
    names = {name.removeprefix("isthmus.").removeprefix("np.") for name in native.ops()}
    # Those that other tests made.
    names = {name for name in names if not name.startswith(("tests.", "test_", "ufunc."))}
    assert not names - known, f"operators without a row in op_cases.py: {sorted(names - known)}"


def test_every_row_names_a_function_of_np():
    for case in CASES:
        assert callable(h.resolve(np, case.name)), case.name
