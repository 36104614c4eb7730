"""The command ``skewproof decide``."""

import io

import pandas as pd
import pytest

from skewproof import decision_curve
from skewproof.core.confusion import ConfusionMatrix
from skewproof.decisions import implied_thresholds, useful_thresholds

USAGE = "Usage: skewproof decide [OPTIONS] FILE...\n"

TRUE = ["yes"] * 12 + ["no"] * 40
P = [0.9] * 8 + [0.3] * 3 + [0.05] + [0.9] * 2 + [0.3] * 7 + [0.05] * 31
OTHER = P[::-1]

MISSING = "rows that are left out because their label or score is missing or nan: 1"


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    lines = [f"{label},{p},{other}" for label, p, other in zip(TRUE, P, OTHER, strict=True)]
    path.write_text("\n".join(["y_true,y_score,other", *lines, "yes,,0.5", ""]))
    return str(path)


@pytest.mark.slow
def test_text_says_where_a_model_is_of_use(printed, scores):
    output = printed("decide", scores, "--pos-label", "yes", "--at", "1:9", said=MISSING)
    curve = decision_curve(TRUE, P, at="1:9", pos_label="yes")
    useful = useful_thresholds(curve).iloc[0]
    flat = " ".join(output.split())
    run_of = f"thresholds from {useful['first_sure']:g} to {useful['last_sure']:g}"
    assert f"y_score is worth more than treating all and treating none at {run_of}" in flat
    lines = [line.split() for line in output.splitlines()]
    shown = [line[0] for line in lines if line[1:2] == ["y_score"]]
    assert shown == 2 * ["0.01", "0.02", "0.05", "0.1", "0.2", "0.5"]


@pytest.mark.slow
def test_json_has_the_three_frames(parsed, scores):
    options = ["--pos-label", "yes", "--score", "y_score", "other", "--threshold", "0.1", "0.5"]
    found = parsed("decide", scores, *options, "--at", "30/2000", said=MISSING)
    p = {"y_score": P, "other": OTHER}
    curve = decision_curve(TRUE, p, at="30/2000", thresholds=[0.1, 0.5], pos_label="yes")
    assert (found["at"], found["confidence"]) == ("30/2000", 0.95)
    assert pd.DataFrame(found["curve"])["net_benefit_low"].tolist() == pytest.approx(
        curve["net_benefit_low"].tolist()
    )
    assert [row["model"] for row in found["useful"]] == ["y_score", "other"]
    matrix = ConfusionMatrix(tp=8, fp=2, fn=4, tn=38)
    implied = implied_thresholds(matrix, metrics=["f1", "mcc"], at="30/2000")
    assert [row["threshold"] for row in found["implied"]][:2] == implied["threshold"].tolist()


@pytest.mark.slow
def test_csv_has_the_curve(run, scores):
    options = ["--pos-label", "yes", "--trained", "1:1", "--at", "1:9", "--threshold", "0.1"]
    found = pd.read_csv(io.StringIO(run("decide", scores, *options, "--csv")[1]))
    assert found["model"].tolist() == ["y_score", "treat all", "treat none"]
    assert found["cutoff"][0] == pytest.approx(0.5)


@pytest.mark.slow
def test_a_figure_is_drawn(printed, scores, tmp_path):
    figure = tmp_path / "curve.svg"
    output = printed("decide", scores, "--pos-label", "yes", "--figure", str(figure), said=MISSING)
    assert figure.stat().st_size > 1000
    assert "Interventions avoided" in output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--threshold", "1"], "--threshold = 1.0: expected threshold probabilities above 0"),
        (["--at", "2"], "--at = 2.0: expected a prevalence above 0 and below 1"),
        (["--score", "y_true"], "column 'y_true' has 'yes': expected a number"),
        (["--score", "p"], "--score = 'p': expected one of the columns y_true, y_score, other"),
        (["--figure", "curve.txt"], "--figure 'curve.txt': expected a suffix of"),
        (["--csv", "--json"], "--csv and --json: expected only one of them"),
        (["--cutoff", "2"], "--cutoff = 2.0: expected a number from 0 to 1"),
        (["--trained", "0"], "--trained = 0.0: expected a prevalence above 0 and below 1"),
    ],
)
@pytest.mark.slow
def test_bad_input_is_refused_in_a_sentence(refused, scores, options, message):
    errors = refused("decide", scores, "--pos-label", "yes", *options)
    assert message in errors
    assert len(errors.removeprefix(USAGE).splitlines()) == 1


@pytest.mark.slow
def test_rows_of_the_same_group_count_for_less(tmp_path, parsed):
    path, names = tmp_path / "groups.csv", [f"p{row // 4}" for row in range(len(TRUE))]
    lines = [f"{label},{p},{name}" for label, p, name in zip(TRUE, P, names, strict=True)]
    path.write_text("\n".join(["y_true,y_score,patient", *lines, ""]))
    options = ["--pos-label", "yes", "--threshold", "0.2", "--groups", "patient"]
    found = pd.DataFrame(parsed("decide", str(path), *options)["curve"])
    expected = decision_curve(TRUE, P, thresholds=0.2, pos_label="yes", groups=names)
    assert found["net_benefit_low"].tolist() == expected["net_benefit_low"].tolist()
    assert found["grouping"].tolist() == expected["grouping"].tolist()
