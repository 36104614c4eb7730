"""Decisions and output of snippets, computed once for all tests of statements."""

import functools
from contextlib import redirect_stdout
from io import StringIO

import pytest

from skewproof_studies.statements.all_statements import SUBJECTS

BY_NAME = {entry.name: entry for entries in SUBJECTS.values() for entry in entries}


def printed(code):
    """Return the output of code."""
    with redirect_stdout(StringIO()) as text:
        exec(code, {"__name__": "__main__"})
    return text.getvalue()


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
