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


def test_every_distribution_can_be_described():
    described = {
        "box": BOX,
        "beta": {"distribution": "beta", "tpr": [8, 2], "fpr": [1, 9]},
        "binormal": {"distribution": "binormal", "auc": [0.7, 0.9], "threshold": [1, 0.5]},
        "measured": {"distribution": "measured", "file": "points.csv"},
    }
    assert check_config(CONFIG | {"classifiers": described})
    assert family(BOX).words == "uniform on 0.5 < tpr < 1, 0 < fpr < 0.1"
    assert family(described["binormal"]).inputs == ("separation", "threshold")


NAME = (
    "expected a name of lower-case letters, digits and underscores that starts with a letter, other"
    " than uniform"
)
KINDS = "expected one of box, beta, binormal, measured"
ORDERED = "expected two numbers from 0 to 1, the smaller first"
BETA = {"distribution": "beta", "tpr": [8, 2]}


@pytest.mark.parametrize(
    ("classifiers", "fault"),
    [
        (["box"], ' = ["box"]: expected distributions of classifiers by name'),
        ({"My own": BOX}, f' = "My own": {NAME}'),
        ({"uniform": BOX}, f' = "uniform": {NAME}'),
        *(
            ({"mine": described}, f".mine{fault}")
            for described, fault in [
                (3, " = 3: expected the key distribution with the keys that belong to it"),
                (BOX | {"distribution": "boxs"}, f'.distribution = "boxs": {KINDS}'),
                ({}, f".distribution: missing; {KINDS}"),
                ({"distribution": "box", "tpr": [0, 1]}, ".fpr: missing; expected two numbers"),
                (
                    BOX | {"auc": [0, 1]},
                    ".auc: unknown key; expected one of distribution, tpr, fpr",
                ),
                (BOX | {"tpr": [1, 0.5]}, f".tpr = [1, 0.5]: {ORDERED}"),
                (BOX | {"tpr": [0, math.inf]}, f".tpr = [0, inf]: {ORDERED}"),
                (
                    BETA | {"fpr": ["1", 9]},
                    ".fpr = ['1', 9]: expected two numbers from 0.2 to 1000",
                ),
                (
                    {"distribution": "measured", "file": 3},
                    ".file = 3: expected the path of a CSV file with the columns tpr and fpr",
                ),
            ]
        ),
    ],
)
def test_what_is_refused(classifiers, fault):
    with pytest.raises(ConfigError) as caught:
        check_config(CONFIG | {"classifiers": classifiers})
    _, *lines = str(caught.value).splitlines()
    assert lines == [f"  classifiers{fault}"]
