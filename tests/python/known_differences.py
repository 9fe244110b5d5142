# SPDX-License-Identifier: Apache-2.0
"""Where Isthmus still differs from NumPy: test cases that fail, each with the reason.

A case is named as pytest names it, with its parameters. It must fail: an entry goes with the
difference, and the tests themselves stay as strict as they are.
"""

KNOWN: dict[str, str] = {}


def reason_for(name: str) -> str | None:
    """The reason why a test case fails, or None."""
    return KNOWN.get(name)
