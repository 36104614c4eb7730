"""The Python code of README and docs runs and has the stated results; their settings are valid."""

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate

import skewproof
from namespaces import namespaces
from skewproof.core.algebra import sqrt
from skewproof_studies.config import check_config

PROJECT = Path(__file__).parents[2]


def blocks_of(page, language):
    text = (PROJECT / page).read_text()
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def code_of(page, first):
    return [block for block in blocks_of(page, "python") if first in block or "import" in block]


@pytest.fixture
def names():
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 2))
    y = (x[:, 0] + random.normal(size=200) > 1).astype(int)
    first, second = (x > 1).astype(int).T
    return {
        **{"X": x, "y": y, "y_true": y, "y_pred": first, "y_score": x[:, 0]},
        **{"first_model": first, "second_model": second, "model": LogisticRegression()},
        **{"cross_val_score": cross_val_score, "cross_validate": cross_validate},
    }


def test_readme(names, capsys):
    first, block = code_of("README.md", "skewproof")
    exec(first, names)
    readme = (PROJECT / "README.md").read_text()
    printed = capsys.readouterr().out
    for page in (readme, (PROJECT / "docs/index.md").read_text()):
        assert first in page
        assert printed in page
    tested = skewproof.ConfusionMatrix(tp=80, fp=30, fn=20, tn=970)
    assert f"On the test set F1 is {float(skewproof.metrics.f1(tested)):.2f}." in readme
    exec(block, names)
    f1, f1_i, matrix = names["f1"], names["f1_i"], names["matrix"]
    assert float(f1(matrix)) == pytest.approx(0.333, abs=5e-4)
    assert float(f1_i(matrix)) == pytest.approx(0.887, abs=5e-4)
    assert float(f1(names["project"](matrix, at="1:1"))) == pytest.approx(0.887, abs=5e-4)


def test_tour(names):
    for block in code_of("docs/guide/tour.md", "skewproof"):
        exec(block, names)
    matrix, indices = names["matrix"], names["exact_indices"]
    assert float(names["f1"](matrix)) == pytest.approx(0.333, abs=5e-4)
    assert float(names["f1_i"](matrix)) == pytest.approx(0.887, abs=5e-4)
    assert indices([names["f1"]], positives=100, negatives=1000).s1.shape == (1, 2)
    shown = [
        names["invariance"](names[key], names["imbalanced"], names["balanced"], 100)
        for key in ("f1_i", "f1")
    ]
    assert str(shown[0].formula) == "2*u/(u + v + 1)"
    assert [str(value) for value in shown[1].values] == ["1/2", "2/1003"]
    proof = names["condition_1"](names["acsa"], 3).proof
    assert proof == "r11/3 + r22/3 - r31/3 - r32/3 + 1/3"


def test_scoring(names):
    fraud = {key: np.where(names[key] == 1, "fraud", "fair") for key in ("y_true", "y_pred")}
    first, second = code_of("docs/guide/scoring.md", "skewproof")
    exec(first, names | fraud)
    exec(second, names)


def test_a_metric_of_the_package_is_declared_as_the_page_says():
    block, _ = blocks_of("docs/guide/changing.md", "python")
    names = {"metric": skewproof.metric, "sqrt": sqrt}
    exec(block, names)
    matrix = skewproof.ConfusionMatrix(tp=8, fp=2, fn=1, tn=4)
    assert float(names["predictive_value_mean"](matrix)) == pytest.approx(0.8)


def test_indices_of_a_large_sample_are_computed_as_the_page_says():
    _, block = blocks_of("docs/guide/changing.md", "python")
    names = {}
    exec(block.replace(": 22", ": 12"), names)
    exact = skewproof.sensitivity.exact_indices(names["metrics"], positives=100, negatives=100_000)
    assert (np.abs(names["indices"].s1 - exact.s1) < names["indices"].s1_conf).all()


@pytest.mark.parametrize("page", ["README.md", "docs/guide/changing.md"])
def test_settings_are_valid(page):
    (block,) = blocks_of(page, "yaml")
    settings = yaml.safe_load(block)
    config = yaml.safe_load((PROJECT / "config/paper.yaml").read_text())
    assert check_config(config | settings)["extra_metrics"] == settings["extra_metrics"]


def test_the_workflow_is_a_module_in_the_way_that_is_tested():
    (block,) = blocks_of("docs/develop/architecture.md", "python")
    tested = (PROJECT / "tests/workflow/test_module.py").read_text()
    page = block.replace("path/to/skewproof", "{project}")
    assert "".join(page.split()) in "".join(tested.split())


@pytest.mark.slow
def test_lint_names_nothing_but_the_missing_container():
    command = [sys.executable, "-m", "snakemake", "--lint"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    lints = set(re.findall(r"^    \* (.*)", done.stdout + done.stderr, flags=re.MULTILINE))
    assert lints == {"Specify a conda environment or container for each rule.:"}


def test_every_public_name_is_on_the_page_of_the_api():
    page = (PROJECT / "docs/reference/api.md").read_text()
    public = {name for module in (skewproof, *namespaces()) for name in module.__all__}
    others = public - set(skewproof.metrics.METRICS)
    classes = {"Catalog", "Community", "Entry", "Name"}
    assert {name for name in others - classes if not re.search(rf"\b{name}\b", page)} == set()
