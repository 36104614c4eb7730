"""Commands that read labels and scores from files."""

import numpy as np
import pandas as pd
import pytest

from skewproof import choose_threshold
from skewproof.cli import threshold
from skewproof.cli.shared import scores

RANDOM = np.random.default_rng(1)
TRUE = np.repeat([1, 0], [60, 300])
P = 1 / (1 + np.exp(2 - RANDOM.normal(3 * TRUE)))
FRAME = pd.DataFrame({"y_true": TRUE, "y_score": P, "id": np.arange(TRUE.size)})
THRESHOLD = ["--require", "precision >= 0.5", "--at", "1:10"]
PROMISED = choose_threshold(TRUE, P, require="precision >= 0.5", at="1:10")


@pytest.fixture(params=["csv", "parquet"])
def file(request, tmp_path):
    path = tmp_path / f"all.{request.param}"
    if request.param == "csv":
        FRAME.to_csv(path, index=False)
    else:
        FRAME.to_parquet(path)
    return str(path)


@pytest.mark.slow
def test_too_many_rows_are_binned_and_the_bound_is_told(run, parsed, file, monkeypatch):
    monkeypatch.setattr(threshold, "MOST_ROWS", TRUE.size - 1)
    monkeypatch.setattr(threshold, "BINS", 40)
    found = parsed("threshold", file, *THRESHOLD)
    width = (P.max() - P.min()) / 40
    bins = np.round((P - P.min()) / width).astype(int)
    several = [one for one in set(bins) if len(set(P[bins == one])) > 1]
    for side, label in {"positives": 1, "negatives": 0}.items():
        shares = [np.mean(bins[label == TRUE] == one) for one in several]
        assert found["largest_bin"][side] == pytest.approx(max(shares))
    assert found["threshold"] in [P[bins == one].min() for one in set(bins)]
    text = " ".join(run("threshold", file, *THRESHOLD)[1].split())
    assert f"The {TRUE.size} scores are counted in bins" in text
    assert f"{100 * found['largest_bin']['positives']:.2g} % of the positives" in text
    monkeypatch.setattr(threshold, "BINS", 10_000_000)
    assert parsed("threshold", file, *THRESHOLD)["rates"] == PROMISED.to_dict()["rates"]


@pytest.mark.parametrize("command", [["threshold", "--require", "recall >= 0.1"], ["decide"]])
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["1;0,5", "0;0,25"], "column 'y_score' has '0,5': expected a number, with a decimal p"),
        (["1;low", "0;0.5"], "column 'y_score' has 'low': expected a number"),
        (["1;inf", "0;0.5"], "has an infinite score: expected finite numbers"),
        (["1;nan", "0;"], "has no row with a label and a score: expected some"),
        (["1;0.5", "0;0.2", "2;0.1"], "3 classes, '0', '1', '2': expected two"),
        (["a;0.5", "b;0.2"], "--pos-label = '1': expected one of the labels 'a', 'b'"),
        (["1;0.5", "1;0.2"], "the rows with a score have one class"),
    ],
)
@pytest.mark.slow
def test_bad_rows_are_told_in_one_sentence(refused, tmp_path, command, rows, said):
    path = tmp_path / "rows.csv"
    path.write_text("\n".join(["y_true;y_score", *rows]) + "\n")
    errors = refused(command[0], str(path), *command[1:])
    assert said in errors
    assert errors.count("\n") == 1


def test_the_help_says_how_many_scores_are_exact(run):
    assert f"{scores.MOST_ROWS:,}" in run("threshold", "--help")[1]
