"""Results that are computed once for all tests of the survey's catalog."""

import functools

import pytest

from skewproof.audits.choosing.catalog import load_catalog
from skewproof.audits.choosing.evidence import evidence
from skewproof.audits.choosing.tree import Examined


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
