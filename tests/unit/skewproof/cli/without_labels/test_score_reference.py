"""The command ``skewproof score --reference``: predictions without labels."""

import numpy as np
import pandas as pd
import pytest

from skewproof import ConfusionMatrix, Prevalence, estimate_prevalence, interval, score_unlabeled

CUT = 1.5


def scores(positives, negatives, month, random, raised=0.0):
    """Draw scores, those of positives two standard deviations higher."""
    true = np.repeat([1, 0], [positives, negatives])
    found = (random.normal(size=true.size) + 2 * true + raised).round(4)
    called = (found >= CUT).astype(int)
    return pd.DataFrame({"y": true, "score": found, "p": called, "month": month})


RANDOM = np.random.default_rng(11)
LABELED = scores(200, 2000, "2026-01", RANDOM)
PRODUCTION = pd.concat(
    [
        scores(60, 1940, "2026-02", RANDOM),
        scores(200, 1800, "2026-03", RANDOM),
        scores(1990, 10, "2026-04", RANDOM, raised=2),
    ]
).drop(columns="y")
MATRIX = ConfusionMatrix.from_labels(LABELED["y"], LABELED["p"])


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Arguments that name a labeled reference and a file of production without labels."""
    folder = tmp_path_factory.mktemp("files")
    LABELED.to_csv(folder / "labeled.csv", index=False)
    lost = pd.DataFrame({"month": ["2026-02"]})
    pd.concat([PRODUCTION, lost]).to_csv(folder / "production.csv", index=False)
    return str(folder / "production.csv"), "--reference", str(folder / "labeled.csv")


COLUMNS = ("--true", "y", "--predicted", "p")
SCORES = ("--true", "y", "--score", "score", "--threshold", str(CUT))


def rows_of(frame):
    """Convert a frame as JSON does: keys and sentences, and NaN as None."""
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


@pytest.mark.slow
def test_calls_of_all_instances(parsed, files):
    prevalence, f1 = parsed("score", *files, *COLUMNS, "--metrics", "f1")
    called = int(PRODUCTION["p"].sum())
    at = Prevalence.from_predictions(MATRIX, called=called, total=len(PRODUCTION))
    columns = ["value", "low", "high", "sentence"]
    (expected,) = estimate_prevalence(at)[columns].to_numpy().tolist()
    assert [prevalence[key] for key in columns] == expected
    estimate = interval("f1", MATRIX, at=at)
    expected = [estimate.value, estimate.low, estimate.high, str(estimate)]
    assert [f1[key] for key in columns] == expected
    assert [row["metric"] for row in (prevalence, f1)] == ["prevalence", "f1"]
    for row, number in ((prevalence, called), (f1, None)):
        numbers = [row[key] for key in ("instances", "called", "missing", "fit_p")]
        assert numbers == [len(PRODUCTION), number, 1, None]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [COLUMNS, SCORES])
def test_slices_are_those_of_the_frame(parsed, files, columns):
    options = {"y_pred": "p"} if columns is COLUMNS else {"y_score": "score", "threshold": CUT}
    expected = score_unlabeled(
        PRODUCTION, LABELED, y_true="y", by="month", metrics=["f1", "tp/(tp+fp)"], **options
    )
    arguments = ["--by", "month", "--metrics", "f1", "tp/(tp+fp)"]
    # The file has a row more without a prediction.
    rows = [row | {"missing": 0} for row in parsed("score", *files, *columns, *arguments)]
    assert rows == rows_of(expected)
    refused = [row for row in rows if row["value"] is None]
    assert {row["month"] for row in refused} == {"2026-04"}
    assert all(row["sentence"].startswith("Refused: ") for row in refused)


@pytest.mark.slow
def test_the_exit_status_is_3_where_all_is_refused(run, files, tmp_path):
    month = tmp_path / "april.csv"
    PRODUCTION[PRODUCTION["month"] == "2026-04"].to_csv(month, index=False)
    code, output, _ = run("score", str(month), *files[1:], *SCORES, "--metrics", "f1")
    assert code == 3
    assert "Refused: " in output
    assert "No check can confirm the estimate" not in output


PETS = pd.DataFrame(
    {
        "y": np.repeat(["cat", "dog", "owl"], 100),
        "p": np.repeat(["cat", "dog", "owl"] * 3, [80, 15, 5, 10, 80, 10, 0, 10, 90]),
    }
)
LATER = pd.DataFrame({"p": np.repeat(["cat", "dog", "owl"], [780, 160, 60])})


@pytest.mark.slow
def test_more_than_two_labels(parsed, tmp_path):
    PETS.to_csv(tmp_path / "labeled.csv", index=False)
    LATER.to_csv(tmp_path / "production.csv", index=False)
    files = str(tmp_path / "production.csv"), "--reference", str(tmp_path / "labeled.csv")
    expected = score_unlabeled(LATER, PETS, y_true="y", y_pred="p", metrics="macro_f1")
    assert parsed("score", *files, *COLUMNS, "--metrics", "macro_f1") == rows_of(expected)
