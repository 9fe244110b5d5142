# SPDX-License-Identifier: Apache-2.0
"""The engine that runs operators. Its policy is `naive`: work is complete when the call returns."""

from __future__ import annotations


def get_policy() -> str:
    """Name of the policy in force."""
    return "naive"


def set_policy(policy: str) -> None:
    """Chooses a policy; only "naive" is there.

    Raises
    ------
    ValueError
        For any other name.
    """
    if policy != "naive":
        raise ValueError(f"unknown engine policy {policy!r}, expected 'naive'")


def waitall() -> None:
    """Returns when all pending work is done."""
