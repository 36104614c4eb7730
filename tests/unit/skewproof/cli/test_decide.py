"""The command ``skewproof decide``."""

import io

import pandas as pd
import pytest

from skewproof import decision_curve
from skewproof.core.confusion import ConfusionMatrix
from skewproof.decisions import implied_thresholds

TRUE = ["yes"] * 12 + ["no"] * 40
P = [0.9] * 8 + [0.3] * 3 + [0.05] + [0.9] * 2 + [0.3] * 7 + [0.05] * 31
OTHER = P[::-1]
PATIENTS = [f"p{row // 4}" for row in range(len(TRUE))]

MISSING = "rows that are left out because their label or score is missing or nan: 1"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    columns = zip(TRUE, P, OTHER, PATIENTS, strict=True)
    lines = [f"{label},{p},{other},{patient}" for label, p, other, patient in columns]
    path.write_text("\n".join(["y_true,y_score,other,patient", *lines, "yes,,0.5,p0", ""]))
    return str(path)


@pytest.mark.slow
def test_json_has_the_three_frames(parsed, scores):
    options = ["--pos-label", "yes", "--score", "y_score", "other", "--threshold", "0.1", "0.5"]
    options += ["--trained", "1:1", "--confidence", "0.9", "--groups", "patient", "--cutoff", "0.2"]
    found = parsed("decide", scores, *options, "--at", "30/2000", said=MISSING)
    given = {"at": "30/2000", "thresholds": [0.1, 0.5], "confidence": 0.9, "trained": "1:1"}
    models = {"y_score": P, "other": OTHER}
    curve = decision_curve(TRUE, models, **given, pos_label="yes", groups=PATIENTS)
    assert (found["at"], found["confidence"]) == ("30/2000", 0.9)
    for name in ("model", "net_benefit_low", "grouping"):
        assert [row[name] for row in found["curve"]] == curve[name].tolist()
    assert found["curve"][0]["cutoff"] == curve["cutoff"][0]
    assert [row["model"] for row in found["useful"]] == ["y_score", "other"]
    matrix = ConfusionMatrix(tp=11, fp=9, fn=1, tn=31)
    implied = implied_thresholds(matrix, metrics=["f1", "mcc"], at="30/2000")
    assert [row["threshold"] for row in found["implied"]][:2] == implied["threshold"].tolist()


@pytest.mark.slow
def test_csv_has_the_curve_and_bands_hold_at_once(run, scores):
    options = ["--pos-label", "yes", "--simultaneous", "--threshold", "0.1", "0.5", "--csv"]
    found = pd.read_csv(io.StringIO(run("decide", scores, *options)[1]))
    thresholds = [0.1, 0.5]
    curve = decision_curve(TRUE, P, thresholds=thresholds, pos_label="yes", simultaneous=True)
    assert found["model"].unique().tolist() == ["y_score", "treat all", "treat none"]
    assert found["net_benefit_low"].tolist() == pytest.approx(curve["net_benefit_low"].tolist())
