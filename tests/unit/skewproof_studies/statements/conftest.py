"""Decisions, computed once for all tests of statements."""

import functools

import pytest

from skewproof_studies.statements.all_statements import SUBJECTS

BY_NAME = {entry.name: entry for entries in SUBJECTS.values() for entry in entries}


@pytest.fixture(scope="session")
def decision():
    """The decision on a statement, by its name."""
    return functools.cache(lambda name: BY_NAME[name].decide())
