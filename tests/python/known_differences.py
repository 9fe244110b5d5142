# SPDX-License-Identifier: Apache-2.0
"""Where Isthmus still differs from NumPy: test cases that fail, each with the reason.

A case is named as pytest names it, with its parameters. It must fail: an entry goes with the
difference, and the tests themselves stay as strict as they are.
"""

WIDE = "integers beyond 64 bits are not left to NumPy"
KNOWN: dict[str, str] = {
    "test_full_of_every_value_and_dtype[int64-9223372036854775808]": WIDE,
    "test_full_of_every_value_and_dtype[uint8-9223372036854775808]": WIDE,
    "test_full_of_every_value_and_dtype[bool-9223372036854775808]": WIDE,
    "test_full_of_every_value_and_dtype[float32-1180591620717411303424]": WIDE,
    "test_full_of_every_value_and_dtype[complex64-1180591620717411303424]": WIDE,
    "test_clip_in_every_form[(1180591620717411303424, 1)]": WIDE,
    "test_transpose_with_every_form_of_axes[(0, 1, 1180591620717411303424)]": WIDE,
    "test_copy_in_each_order_has_numpy_strides[A]": "np.array(a, order='A') keeps any order",
    "test_out_tuple_of_a_wrong_length_raises[[None, None]]": "a list as `out` is taken",
}


def reason_for(name: str) -> str | None:
    """The reason why a test case fails, or None."""
    return KNOWN.get(name)
