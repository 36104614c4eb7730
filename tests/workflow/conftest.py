"""Small studies to look at, change and break."""

import pytest

from study import SMALL, Study


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A small study that was run once; copy it before any change."""
    study = Study.create(tmp_path_factory.mktemp("studies") / "finished", SMALL)
    study.run("--cores", "2")
    return study


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished small study, to be changed."""
    return finished.copy(tmp_path / "study")


@pytest.fixture
def fresh(tmp_path):
    """A small study that was not run yet."""
    return Study.create(tmp_path / "study", SMALL)
