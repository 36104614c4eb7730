"""The Python of README and docs runs, and gives what stands behind it."""

import re
from pathlib import Path

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, cross_validate

import skewproof

PROJECT = Path(__file__).parents[2]


def code_of(page, first):
    text = (PROJECT / page).read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    return [block for block in blocks if first in block or "import" in block]


@pytest.fixture
def names():
    random = np.random.default_rng(0)
    x = random.normal(size=(200, 2))
    y = (x[:, 0] + random.normal(size=200) > 1).astype(int)
    return {
        "X": x,
        "y": y,
        "y_true": y,
        "y_pred": (x[:, 0] > 1).astype(int),
        "y_score": x[:, 0],
        "first_model": (x[:, 0] > 1).astype(int),
        "second_model": (x[:, 1] > 1).astype(int),
        "model": LogisticRegression(),
        "cross_val_score": cross_val_score,
        "cross_validate": cross_validate,
    }


def test_readme(names):
    (block,) = code_of("README.md", "skewproof")
    exec(block, names)
    f1, f1_i, matrix = names["f1"], names["f1_i"], names["matrix"]
    assert float(f1(matrix)) == pytest.approx(0.333, abs=5e-4)
    assert float(f1_i(matrix)) == pytest.approx(0.887, abs=5e-4)
    assert float(f1(names["project"](matrix, to="1:1"))) == pytest.approx(0.887, abs=5e-4)


def test_tour(names):
    for block in code_of("docs/tour.md", "skewproof"):
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
    first, second = code_of("docs/scoring.md", "skewproof")
    exec(first, names | fraud)
    exec(second, names)


def test_every_public_name_is_on_the_page_of_the_api():
    page = (PROJECT / "docs/api.md").read_text()
    others = set(skewproof.__all__) - set(skewproof.METRICS)
    assert {name for name in others if not re.search(rf"\b{name}\b", page)} == set()
