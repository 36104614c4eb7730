"""The command ``skewproof threshold``."""

import json

import numpy as np
import pytest

from skewproof import choose_threshold

RANDOM = np.random.default_rng(0)
TRUE = np.repeat([1, 0], [80, 800])
SCORES = RANDOM.normal(3 * TRUE).round(3)


@pytest.fixture
def scores(tmp_path):
    path = tmp_path / "scores.csv"
    rows = [f"{label},{score}" for label, score in zip(TRUE, SCORES, strict=True)]
    path.write_text("\n".join(["y_true,y_score", *rows, "1,", ",0.5"]) + "\n")
    return str(path)


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        (["--at", "1:20"], {"at": "1:20"}),
        (
            ["--at", "0.01..0.1", "--confidence", "0.8", "--maximize", "mcc"],
            {"at": "0.01..0.1", "confidence": 0.8, "maximize": "mcc"},
        ),
        (["--start", "2.5"], {"at": "population", "start": 2.5}),
        (["--start", "everywhere"], {"at": "population", "start": "everywhere"}),
    ],
)
@pytest.mark.slow
def test_what_is_printed_for_machines_is_what_the_package_finds(run, scores, options, arguments):
    code, output, said = run(
        "threshold", scores, "--require", "precision >= 0.5", *options, "--json"
    )
    expected = choose_threshold(TRUE, SCORES, require="precision >= 0.5", **arguments).to_dict()
    found = json.loads(output)
    assert code == 0
    assert found.pop("positives_needed") is None
    assert np.isnan(expected.pop("positives_needed"))
    assert found == expected
    assert "rows that are left out because their label or score is missing or nan: 2" in said


@pytest.mark.slow
def test_the_promise_on_a_terminal(run, scores):
    require = ["--require", "alarms <= 400", "recall >= 0.2"]
    code, output, _ = run("threshold", scores, *require, "--per", "10000", "--at", "1:100")
    assert code == 0
    assert output.startswith("A cut-off with a promise\n====")
    assert "meets alarms <= 400 and recall >= 0.2 at 1:100" in " ".join(output.split())
    assert max(map(len, output.splitlines())) <= 80


@pytest.mark.slow
def test_a_refusal_has_an_exit_code_of_its_own(run, scores):
    code, output, _ = run("threshold", scores, "--require", "precision >= 0.9", "--at", "1:1000")
    assert code == 1
    assert output.startswith("No cut-off can be promised\n")
    assert "with 80 positives and 800 negatives" in " ".join(output.split())


@pytest.mark.slow
def test_labels_and_columns_have_names(run, tmp_path):
    path = tmp_path / "scores.csv"
    rows = [
        f"{'ill' if label else 'well'},{score}" for label, score in zip(TRUE, SCORES, strict=True)
    ]
    path.write_text("\n".join(["truth,risk", *rows]) + "\n")
    columns = ["--true", "truth", "--score", "risk", "--pos-label", "ill"]
    code, _, _ = run("threshold", str(path), *columns, "--require", "recall >= 0.5")
    assert code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--require", "precision > 0.5"], "expected a metric, >= or <=, and a number"),
        (["--require", "alarms <= 5"], "--per is not given: expected the number of instances"),
        (
            ["--require", "recall >= 0.5", "--start", "high"],
            "--start has 'high': expected a number",
        ),
        (["--require", "recall >= 0.5", "--at", "2"], "--at = 2.0: expected a prevalence"),
        (["--require", "recall"], "--require = 'recall': expected a metric"),
        (["--require", "recall >= 0.5", "--confidence", "1"], "--confidence = 1.0: expected"),
        (
            ["--require", "recall >= 0.5", "--score", "other"],
            "--score = 'other': expected one of the columns",
        ),
        (["--require", "recall >= 0.5", "--pos-label", "yes"], "--pos-label = 'yes'"),
    ],
)
@pytest.mark.slow
def test_bad_input_is_told_in_a_line(run, scores, options, said):
    code, _, error = run("threshold", scores, *options)
    assert code == 2
    assert said in error
    assert "Traceback" not in error


@pytest.mark.slow
def test_a_score_that_is_no_number_is_told(run, tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y_true,y_score\n1,0.5\n0,low\n")
    code, _, error = run("threshold", str(path), "--require", "recall >= 0.5")
    assert code == 2
    assert "column 'y_score' has 'low': expected a number" in error
