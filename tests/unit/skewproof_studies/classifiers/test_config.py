import math
from pathlib import Path

import pytest
import yaml

from skewproof_studies.classifiers.config import family, faults
from skewproof_studies.config import ConfigError, check_config

CONFIG = yaml.safe_load(
    (Path(__file__).parents[4] / "config/paper.yaml").read_text(encoding="utf-8")
)
BOX = {"distribution": "box", "tpr": [0.5, 1], "fpr": [0, 0.1]}


def found(described, name="mine"):
    return list(faults({"classifiers": {name: described}}))


@pytest.mark.parametrize(
    "described",
    [
        BOX,
        {"distribution": "beta", "tpr": [8, 2], "fpr": [1, 9]},
        {"distribution": "binormal", "auc": [0.5, 1], "threshold": [0, 1]},
        {"distribution": "measured", "file": "points.csv"},
    ],
    ids=lambda one: one["distribution"],
)
@pytest.mark.slow
def test_every_distribution_can_be_described(described):
    assert found(described) == []
    assert check_config(CONFIG | {"classifiers": {"mine": described}})


def test_a_description_becomes_its_distribution():
    assert family(BOX).words == "uniform on 0.5 < tpr < 1, 0 < fpr < 0.1"
    scored = {"distribution": "binormal", "auc": [0.7, 0.9], "threshold": [1, 0.5]}
    assert family(scored).inputs == ("separation", "threshold")


@pytest.mark.parametrize(
    ("described", "fault"),
    [
        (
            BOX | {"distribution": "boxs"},
            'mine.distribution = "boxs": expected one of box, beta, binormal, measured; did you'
            " mean 'box'?",
        ),
        ({}, "mine.distribution: missing; expected one of box, beta, binormal, measured"),
        (
            {"distribution": None},
            "mine.distribution = null: expected one of box, beta, binormal, measured",
        ),
        (
            {"distribution": "box", "tpr": [0, 1]},
            "mine.fpr: missing; box has the keys distribution, tpr, fpr",
        ),
        (
            BOX | {"auc": [0, 1]},
            "mine.auc: unknown key; box has the keys distribution, tpr, fpr",
        ),
        (
            BOX | {"tpr": [1, 0.5]},
            "mine.tpr = [1, 0.5]: expected two numbers from 0 to 1, the smaller first",
        ),
        (
            BOX | {"tpr": [0, math.inf]},
            "mine.tpr = [0, inf]: expected two numbers from 0 to 1, the smaller first",
        ),
        (
            {"distribution": "beta", "tpr": [8, 2], "fpr": ["1", 9]},
            "mine.fpr = ['1', 9]: expected two numbers from 0.2 to 1000",
        ),
        (
            {"distribution": "measured", "file": 3},
            "mine.file = 3: expected the path of a CSV file with the columns tpr and fpr",
        ),
    ],
)
def test_what_is_refused(described, fault):
    assert found(described) == [f"classifiers.{fault}"]


def test_the_name_of_the_uniform_distribution_is_taken():
    assert found(BOX, "uniform") == [
        "classifiers.uniform: expected another name; this one is reserved for all pairs of rates"
    ]


@pytest.mark.parametrize(
    ("classifiers", "fault"),
    [
        (["box"], 'classifiers = ["box"]: expected distributions of classifiers by name'),
        ({"mine": 3}, "classifiers.mine = 3: expected the key distribution with the keys that"),
        ({"My own": BOX}, "classifiers = "),
    ],
)
def test_the_whole_config_says_so(classifiers, fault):
    with pytest.raises(ConfigError) as caught:
        check_config(CONFIG | {"classifiers": classifiers})
    (line,) = [line.strip() for line in str(caught.value).splitlines()[1:]]
    assert line.startswith(fault)
    assert len(line) < 400
