"""The command ``skewproof plan``."""

from dataclasses import asdict

import pytest

from skewproof.metrics.precision_recall import f1
from skewproof.planning.score_size import plan_scores
from skewproof.planning.study_size import plan

RATES = ["--tpr", "0.7", "--fpr", "0.01", "--at", "0.01"]
MODELS = ["--tpr", "0.7", "0.85", "--fpr", "0.1", "--at", "1:10"]


@pytest.fixture(autouse=True)
def few_studies(monkeypatch):
    """Fewer studies are drawn, by the command and by the function alike."""
    for number in ("SEARCHED", "CHECKED"):
        monkeypatch.setattr(f"skewproof.planning.study_size.{number}", 400)


@pytest.mark.slow
def test_a_width_on_the_command_line(printed):
    options = ["--width", "0.15", "--total", "9000", "--seed", "1"]
    output = printed("plan", "f1", *RATES, *options)
    study = plan(f1, tpr=0.7, fpr=0.01, at=0.01, width=0.15, total=9000, rng=1)
    assert " ".join(output.split()).startswith(study.sentence)
    rows = [line.split() for line in output.splitlines()[-3:]]
    assert [row[0] for row in rows] == ["random", "stratified", "enriched"]
    assert rows[0][1:4] == [f"{study.positives:,}", f"{study.negatives:,}", f"{study.total:,}"]


@pytest.mark.slow
def test_a_width_for_machines(parsed):
    formula = "2*tp/(2*tp + fp + fn)"
    options = ["--relative-width", "0.2", "--sampling", "enriched", "--total", "900"]
    (row,) = parsed("plan", formula, *RATES, *options)
    options = {"relative_width": 0.2, "sampling": "enriched", "total": 900}
    study = plan(f1, tpr=0.7, fpr=0.01, at=0.01, **options)
    assert row == {
        "sampling": "enriched",
        **asdict(study),
        "value": pytest.approx(study.value),
        "mean_width": pytest.approx(study.mean_width),
        "sentence": study.sentence.replace("f1", "metric"),
    }


@pytest.mark.slow
def test_two_samples_on_the_command_line(printed):
    output = printed("plan", "f1", *MODELS, "--samples", "separate", "--power", "0.7")
    (_, *_, total, _, power), (_, *_, tenth, _, less) = (
        line.split() for line in output.splitlines()[-2:]
    )
    assert int(tenth.replace(",", "")) == int(total.replace(",", "")) // 10
    assert float(power[:-1]) >= 70 > 40 > float(less[:-1])


@pytest.mark.slow
def test_two_models_for_machines(parsed):
    rows = parsed("plan", "f1", *MODELS, "--agreement", "0.5", "--total", "55")
    study = plan(f1, power=0.8, tpr=(0.7, 0.85), fpr=0.1, at="1:10", agreement=0.5, total=55)
    assert rows == [{"sampling": "random", **asdict(study)}]


@pytest.mark.slow
def test_groups_on_the_command_line(printed, parsed):
    groups = ["--rows-per-group", "5", "--intraclass-correlation", "0.2", "--size-variation", "0.5"]
    arguments = ["f1", *MODELS, *groups, "--class-correlation", "0.1", "--total", "500"]
    (row,) = parsed("plan", *arguments)
    options = {"rows_per_group": 5, "intraclass_correlation": 0.2, "size_variation": 0.5}
    models = {"tpr": (0.7, 0.85), "fpr": 0.1, "at": "1:10", "power": 0.8, "total": 500}
    study = plan(f1, **models, **options, class_correlation=0.1)
    assert row == {"sampling": "random", **asdict(study)}
    assert study.groups == 100
    header, _, numbers = printed("plan", *arguments).splitlines()[-3:]
    assert "groups" in header.split()
    assert numbers.split()[3:5] == ["100", "500"]
    width = ["--width", "0.3", "--class-correlation", "0.1", "--total", "500"]
    (only,) = parsed("plan", "f1", *RATES, *groups, *width)
    assert only["sampling"] == "random"


def test_scores_on_the_command_line(printed, parsed):
    models = ["auc", "--auc", "0.75", "0.8", "--at", "0.1", "--correlation", "0.8"]
    study = plan_scores("auc", auc=(0.75, 0.8), at=0.1, correlation=0.8, power=0.8)
    output = printed("plan", *models)
    assert " ".join(output.split()).startswith(study.sentence)
    assert output.splitlines()[-1].split()[2] == f"{study.total:,}"
    (row,) = parsed(
        "plan", "calibration_slope", "--linear-predictor", "-5", "2.5", "--width", "0.2"
    )
    slope = plan_scores("calibration_slope", linear_predictor=(-5, 2.5), width=0.2)
    assert row == {**asdict(slope), "power": None}
