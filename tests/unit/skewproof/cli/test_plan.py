"""The command ``skewproof plan``: all options reach the functions."""

import shlex
from dataclasses import asdict

import pytest

from skewproof.planning import plan_scores
from skewproof.planning.study_size import plan

GROUPS = {"rows_per_group": 5, "intraclass_correlation": 0.2, "size_variation": 0.5}
MODELS = {"tpr": (0.7, 0.85), "fpr": 0.1, "at": "1:10", "power": 0.8}
WORDS = "plan f1 --tpr 0.7 0.85 --fpr 0.1 --at 1:10"

STUDIES = [
    (
        "plan f1 --tpr 0.7 --fpr 0.01 --at 0.01 --relative-width 0.2 --sampling enriched"
        " --total 900 --assurance 0.8 --confidence 0.9 --seed 3",
        {"relative_width": 0.2, "sampling": "enriched", "assurance": 0.8, "confidence": 0.9}
        | {"tpr": 0.7, "fpr": 0.01, "at": 0.01, "total": 900, "rng": 3},
    ),
    (f"{WORDS} --agreement 0.5 --total 55", MODELS | {"agreement": 0.5, "total": 55}),
    (
        f"{WORDS} --samples separate --sampling stratified --power 0.7 --total 55",
        MODELS | {"samples": "separate", "sampling": "stratified", "power": 0.7, "total": 55},
    ),
    (
        f"{WORDS} --rows-per-group 5 --intraclass-correlation 0.2 --size-variation 0.5"
        " --class-correlation 0.1 --total 500",
        MODELS | GROUPS | {"class_correlation": 0.1, "total": 500},
    ),
]


@pytest.fixture(autouse=True)
def few_studies(monkeypatch):
    """Fewer studies are drawn, by the command and by the function alike."""
    for number in ("SEARCHED", "CHECKED"):
        monkeypatch.setattr(f"skewproof.planning.study_size.{number}", 400)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "options"), STUDIES)
def test_studies_of_labels(parsed, line, options):
    (row,) = parsed(*shlex.split(line))
    assert row == {"sampling": options.get("sampling", "random"), **asdict(plan("f1", **options))}


@pytest.mark.slow
def test_beside_the_found_size_stands_a_tenth_of_it(parsed):
    found, tenth = parsed(*shlex.split(f"{WORDS} --samples separate --power 0.7"))
    assert tenth["total"] == found["total"] // 10
    assert found["achieved"] >= 0.7 > 0.4 > tenth["achieved"]


@pytest.mark.parametrize(
    ("line", "options"),
    [
        (
            "auc --auc 0.75 0.8 --at 0.1 --correlation 0.8 --power 0.7 --confidence 0.9",
            {"auc": (0.75, 0.8), "at": 0.1, "correlation": 0.8, "power": 0.7, "confidence": 0.9},
        ),
        (
            "calibration_slope --linear-predictor -5 2.5 --width 0.2",
            {"linear_predictor": (-5, 2.5), "width": 0.2},
        ),
        (
            "net_benefit --auc 0.8 --at 0.1 --threshold 0.2 --total 500",
            {"auc": 0.8, "at": 0.1, "threshold": 0.2, "total": 500},
        ),
    ],
)
def test_studies_of_scores(parsed, line, options):
    what, *words = shlex.split(line)
    (row,) = parsed("plan", what, *words)
    study = asdict(plan_scores(what, **options))
    assert row == study | ({} if "power" in options else {"power": None})
