"""What is written in two places agrees."""

import re
import tomllib
from pathlib import Path

import yaml

from skewproof.reporting.metric_page import page
from skewproof.studies.survey import catalog

PROJECT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
CONDA_NAMES = {"snakemake": "snakemake-minimal", "matplotlib": "matplotlib-base"}


def test_conda_environment_agrees_with_pyproject():
    wanted = PYPROJECT["dependencies"] + PYPROJECT["optional-dependencies"]["workflow"]
    pairs = [re.fullmatch(r"([A-Za-z0-9_.-]+)(.*)", line).groups() for line in wanted]
    expected = {CONDA_NAMES.get(name.lower(), name.lower()) + pins for name, pins in pairs}
    expected |= {"python" + PYPROJECT["requires-python"], "pip"}
    environment = yaml.safe_load((PROJECT / "environment.yml").read_text())
    assert set(environment["dependencies"]) == expected


def test_lock_pins_every_dependency_with_hashes_and_names_no_registry():
    lock = (PROJECT / "requirements.lock").read_text()
    pinned = {name.lower() for name in re.findall(r"^([\w.-]+)==", lock, flags=re.MULTILINE)}
    locked = ("workflow", "scoring", "test", "check")
    extras = [PYPROJECT["optional-dependencies"][name] for name in locked]
    for line in sum(extras, PYPROJECT["dependencies"]):
        assert re.match(r"[\w.-]+", line)[0].lower() in pinned
    assert lock.count("==") <= lock.count("--hash=sha256:")
    assert "://" not in lock
    assert "index" not in re.sub(r"#.*", "", lock)


def test_page_of_metrics_is_current():
    assert (PROJECT / "docs/metrics.md").read_text() == page(), "run `make docs`"


def test_page_of_measures_is_current():
    assert (PROJECT / "docs/catalog.md").read_text() == catalog.page(), "run `make docs`"


def test_citation_has_the_version():
    citation = yaml.safe_load((PROJECT / "CITATION.cff").read_text())
    assert citation["version"] == PYPROJECT["version"]


def test_changelog_has_the_version():
    assert f"## {PYPROJECT['version']}" in (PROJECT / "CHANGELOG.md").read_text()
