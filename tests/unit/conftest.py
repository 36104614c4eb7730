"""Results that are computed once for all tests of the survey's catalog."""

import functools

import pytest

from skewproof.audit.choosing.catalog import load_catalog
from skewproof.audit.choosing.choosing import Examined
from skewproof.audit.choosing.evidence import evidence


@pytest.fixture(scope="session")
def catalog():
    return load_catalog()


@pytest.fixture(scope="session")
def examine(catalog):
    """A measure with its evidence, by its key."""

    @functools.cache
    def examined(key):
        return Examined(catalog[key], evidence(catalog[key]))

    return examined
