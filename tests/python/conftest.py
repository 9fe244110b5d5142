# SPDX-License-Identifier: Apache-2.0
"""Hypothesis profiles and the floating-point state every test starts from."""

import os

import numpy as onp
import pytest
from hypothesis import HealthCheck, settings

import known_differences

CHECKS = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)

settings.register_profile(
    "ci",
    derandomize=True,
    max_examples=60,
    deadline=None,
    database=None,
    suppress_health_check=CHECKS,
)
settings.register_profile(
    "dev",
    derandomize=True,
    max_examples=12,
    deadline=None,
    database=None,
    suppress_health_check=CHECKS,
)
settings.register_profile(
    "explore",
    max_examples=500,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=CHECKS,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure(config):
    # Overflow, division by zero and invalid values are data here, not mistakes: they are part
    # of what is compared. Any other warning is an error (pyproject.toml).
    config.addinivalue_line("filterwarnings", "ignore::RuntimeWarning")
    config.addinivalue_line("filterwarnings", "ignore::numpy.exceptions.ComplexWarning")


def pytest_collection_modifyitems(items):
    for item in items:
        reason = known_differences.reason_for(item.name)
        if reason:
            item.add_marker(pytest.mark.xfail(reason=reason, strict=True))


@pytest.fixture(autouse=True)
def same_print_options():
    """Restore the print options, which are global, after each test."""
    with onp.printoptions():
        yield
