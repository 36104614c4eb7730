import math
from pathlib import Path

import pytest
import yaml

from skewproof_studies.classifiers.config import family
from skewproof_studies.config import ConfigError, check_config

CONFIG = yaml.safe_load(
    (Path(__file__).parents[4] / "config/paper.yaml").read_text(encoding="utf-8")
)
BOX = {"distribution": "box", "tpr": [0.5, 1], "fpr": [0, 0.1]}


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
def test_every_distribution_can_be_described(described):
    assert check_config(CONFIG | {"classifiers": {"mine": described}})


def test_a_description_becomes_its_distribution():
    assert family(BOX).words == "uniform on 0.5 < tpr < 1, 0 < fpr < 0.1"
    scored = {"distribution": "binormal", "auc": [0.7, 0.9], "threshold": [1, 0.5]}
    assert family(scored).inputs == ("separation", "threshold")


@pytest.mark.parametrize(
    ("classifiers", "fault"),
    [
        (["box"], ' = ["box"]: expected distributions of classifiers by name'),
        (
            {"mine": 3},
            ".mine = 3: expected the key distribution with the keys that belong to it",
        ),
        *(
            (
                {name: BOX},
                f' = "{name}": expected a name of lower-case letters, digits and underscores that'
                " starts with a letter, other than uniform",
            )
            for name in ("My own", "uniform")
        ),
        (
            {"mine": BOX | {"distribution": "boxs"}},
            '.mine.distribution = "boxs": expected one of box, beta, binormal, measured',
        ),
        (
            {"mine": {}},
            ".mine.distribution: missing; expected one of box, beta, binormal, measured",
        ),
        (
            {"mine": {"distribution": "box", "tpr": [0, 1]}},
            ".mine.fpr: missing; expected two numbers",
        ),
        (
            {"mine": BOX | {"auc": [0, 1]}},
            ".mine.auc: unknown key; expected one of distribution, tpr, fpr",
        ),
        (
            {"mine": BOX | {"tpr": [1, 0.5]}},
            ".mine.tpr = [1, 0.5]: expected two numbers from 0 to 1, the smaller first",
        ),
        (
            {"mine": BOX | {"tpr": [0, math.inf]}},
            ".mine.tpr = [0, inf]: expected two numbers from 0 to 1, the smaller first",
        ),
        (
            {"mine": {"distribution": "beta", "tpr": [8, 2], "fpr": ["1", 9]}},
            ".mine.fpr = ['1', 9]: expected two numbers from 0.2 to 1000",
        ),
        (
            {"mine": {"distribution": "measured", "file": 3}},
            ".mine.file = 3: expected the path of a CSV file with the columns tpr and fpr",
        ),
    ],
)
def test_what_is_refused(classifiers, fault):
    with pytest.raises(ConfigError) as caught:
        check_config(CONFIG | {"classifiers": classifiers})
    _, *lines = str(caught.value).splitlines()
    assert lines == [f"  classifiers{fault}"]
