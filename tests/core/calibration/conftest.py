"""Ratings made up with known effects, and a ridge validated on them; shared by the tests that only look."""

from __future__ import annotations

import pytest

from core.calibration.validation import cross_validate
from tests.support.made_ratings import made


@pytest.fixture(scope="package")
def data():
    return made(gaps=6)


@pytest.fixture(scope="package")
def validated(data):
    return cross_validate(data, families=("ridge",), seed=1)
