"""Small studies to look at, change and break."""

import os
from pathlib import Path

import pytest
from filelock import FileLock

from study import EVERY_STUDY, SMALL, TARGETS, Study, supply


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """A function that makes a study by its name, or takes the one that another worker made."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "studies"
    folder.mkdir(exist_ok=True)

    def made(name, make):
        with FileLock(folder / f"{name}.lock"):
            place, done = folder / name, folder / f"{name}.done"
            if not done.exists():
                make(place)
                done.touch()
            return Study(place)

    return made


@pytest.fixture(scope="session")
def finished(made_once):
    """A small study that was run once; copy it before any change."""

    def make(place: Path):
        Study.create(place, SMALL).run("--cores", "2")

    return made_once("finished", make)


@pytest.fixture(scope="session")
def whole(made_once, finished):
    """A small study of which every target was run; copy it before any change."""

    def make(place: Path):
        study = supply(finished.copy(place), "csv", "npz")
        study.configure(**EVERY_STUDY)
        study.run("--cores", "2", *TARGETS)

    return made_once("whole", make)


@pytest.fixture
def study(finished, tmp_path):
    """A copy of the finished small study, to be changed."""
    return finished.copy(tmp_path / "study")


@pytest.fixture
def fresh(tmp_path):
    """A small study that was not run yet."""
    return Study.create(tmp_path / "study", SMALL)
