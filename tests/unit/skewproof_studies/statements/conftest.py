"""Decisions and output of snippets, computed once for all tests of statements."""

import functools

import pytest

from skewproof_studies.statements.all_statements import SUBJECTS
from skewproof_studies.statements.page import printed

BY_NAME = {entry.name: entry for entries in SUBJECTS.values() for entry in entries}


@pytest.fixture(scope="session")
def decision():
    """The decision on a statement, by its name."""
    return functools.cache(lambda name: BY_NAME[name].decide())


@pytest.fixture(scope="session")
def verdict():
    """The verdict on a statement, by its name."""
    return lambda name: BY_NAME[name].verdict


@pytest.fixture(scope="session")
def recomputed():
    """Return the output of a statement's code by its name."""
    return functools.cache(lambda name: printed(BY_NAME[name].recompute))
