from pathlib import Path

import yaml

from skewproof_studies.classifiers.config import family
from skewproof_studies.config import check_config

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
