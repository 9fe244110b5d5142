# SPDX-License-Identifier: Apache-2.0
"""Where Isthmus still differs from NumPy: test functions that may fail, each with the reason.

An entry goes when the difference is mended; the tests themselves stay as strict as they are.
"""

KNOWN = {
    "test_full_of_every_value_and_dtype": "fill values beyond 64 bits: other errors than NumPy's",
    "test_copy_in_each_order_has_numpy_strides": "order='A' of arrays with unit axes",
    "test_assignment_of_every_form_of_value": "None as a float is refused instead of being NaN",
    "test_take": "a Python float as an index of take",
    "test_order_of_reshape_and_ravel": "ravel(order='K') is C order; a non-string order",
    "test_transpose_with_every_form_of_axes": "axes beyond 64 bits: OverflowError, not ValueError",
    "test_reduction_of_specials": "median of complex infinities",
    "test_initial_value": "initial=None means none given; an initial of one element is taken",
    "test_where_of_numbers": "a Python list of ints as a mask is refused",
    "test_signature_has_the_parameters_of_numpy": "two-output ufuncs name out1 and out2",
    "test_clip_in_every_form": "bounds of clip beyond 64 bits",
    "test_out_tuple_of_a_wrong_length_raises": "a list as `out` of two-output ufuncs is taken",
}


def reason_for(name: str) -> str | None:
    """The reason why a test function may fail, or None."""
    return KNOWN.get(name)
