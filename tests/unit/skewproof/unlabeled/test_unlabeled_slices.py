from functools import partial
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.intervals.label_shift import check_fit
from skewproof.intervals.metric_interval import interval
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.slices.counting import count_slices
from skewproof.unlabeled.prevalence_estimates import estimate_prevalence
from skewproof.unlabeled.unlabeled_slices import check_estimates, score_unlabeled
from written import check_refusals

pytestmark = pytest.mark.slow

CUT = 1.5


def predictions(positives, negatives, month, random, raised=0.0):
    """Draw normal scores, those of positives two standard deviations higher."""
    true = np.repeat([1, 0], [positives, negatives])
    scores = random.normal(size=true.size) + 2 * true + raised
    return pd.DataFrame({"y": true, "s": scores, "p": (scores >= CUT).astype(int), "month": month})


RANDOM = np.random.default_rng(7)
REFERENCE = predictions(200, 2000, "2026-01", RANDOM)
PRODUCTION = pd.concat(
    [
        predictions(30, 1970, "2026-02", RANDOM),
        predictions(200, 1800, "2026-03", RANDOM),
        predictions(1990, 10, "2026-04", RANDOM, raised=2),
    ],
    ignore_index=True,
)
MATRIX = ConfusionMatrix.from_labels(REFERENCE["y"], REFERENCE["p"])


def test_each_slice_is_estimated_from_its_calls():
    estimates = score_unlabeled(
        PRODUCTION, REFERENCE, y_true="y", y_pred="p", by="month", metrics=["f1", "recall"]
    )
    assert list(estimates["metric"]) == ["prevalence", "f1", "true_positive_rate"] * 3
    for month, rows in estimates.groupby("month"):
        calls = PRODUCTION.loc[PRODUCTION["month"] == month, "p"]
        at = Prevalence.from_predictions(MATRIX, called=int(calls.sum()), total=len(calls))
        if month == "2026-04":
            assert rows[["value", "low", "high"]].isna().all(axis=None)
            assert rows["sentence"].str.startswith("Refused: ").all()
            continue
        (prevalence,) = estimate_prevalence(at).itertuples()
        estimate = interval("f1", MATRIX, at=at)
        for row, known in zip(rows.itertuples(), (prevalence, estimate), strict=False):
            assert (row.value, row.low, row.high) == (known.value, known.low, known.high)
            assert np.isnan(row.fit_p)
        assert rows["sentence"].iloc[:2].tolist() == [prevalence.sentence, str(estimate)]


def test_scores_are_counted_where_the_data_are():
    """The bins and the estimate are those of the arrays of each slice, refused or not."""
    options = {"y_true": "y", "y_score": "s", "threshold": CUT, "by": ["month"]}
    frame = duckdb.from_df(PRODUCTION[["month", "s"]])
    estimates = score_unlabeled(frame, REFERENCE, **options).groupby("month").first()
    for month, rows in PRODUCTION.groupby("month"):
        at = Prevalence.from_scores(REFERENCE["y"], REFERENCE["s"], rows["s"], threshold=CUT)
        assert estimates.loc[month, "fit_p"] == check_fit(at).p
        if month != "2026-04":
            (expected,) = estimate_prevalence(at).itertuples()
            ends = [expected.value, expected.low, expected.high]
            assert estimates.loc[month, ["value", "low", "high"]].tolist() == ends


def test_without_keys_the_frame_is_one_slice_and_missing_predictions_are_counted():
    frame = pd.DataFrame({"p": [1.0] * 60 + [0.0] * 940 + [np.nan] * 5})
    estimates = score_unlabeled(frame, REFERENCE.astype({"p": float}), y_true="y", y_pred="p")
    assert estimates.columns[0] == "metric"
    assert set(estimates["missing"]) == {5}
    assert set(estimates["instances"]) == {1000}


def test_later_labels_are_compared_with_what_was_said():
    said = score_unlabeled(PRODUCTION, REFERENCE, y_true="y", y_pred="p", by="month")
    counts = count_slices(PRODUCTION, y_true="y", y_pred="p", by="month")
    checked = check_estimates(said, counts).set_index(["month", "metric"])
    shares = PRODUCTION.groupby("month")["y"].mean()
    for month, share in shares.items():
        assert checked.loc[(month, "prevalence"), "labeled_value"] == pytest.approx(share)
    rows = checked.dropna(subset="value")
    inside = rows["labeled_value"].between(rows["low"], rows["high"])
    assert (rows["inside"] == inside).all()
    assert checked.loc["2026-04", "inside"].isna().all()
    with pytest.raises(ValueError, match="expected a row for each slice of estimates"):
        check_estimates(said, counts[counts["month"] != "2026-02"])


NAMES = ["cat", "dog", "owl"]
CELLS = [80, 15, 5, 10, 80, 10, 0, 10, 90]
LABELED = pd.DataFrame({"y": np.repeat(NAMES, 100), "p": np.repeat(NAMES * 3, CELLS)})
PETS = MulticlassConfusionMatrix.from_labels(LABELED["y"], LABELED["p"])
MONTHS = {
    "2026-02": {"cat": 510, "dog": 260, "owl": 230},
    "2026-03": {"cat": 700, "dog": 200},
    "2026-04": {"cat": 1990, "dog": 10},
    "2026-05": {},
}
UNLABELED = pd.DataFrame(
    [
        {"month": month, "p": name}
        for month, counts in MONTHS.items()
        for name, count in [*counts.items(), (None, 5)]
        for _ in range(count)
    ]
)


def test_many_classes_are_estimated_from_the_numbers_of_predictions():
    frame = polars.from_pandas(UNLABELED).lazy()
    estimates = score_unlabeled(frame, LABELED, y_true="y", y_pred="p", by="month")
    names = [f"prevalence of {name}" for name in NAMES]
    assert list(estimates["metric"]) == [*names, "macro_f1", "accuracy"] * 4
    assert (estimates["missing"] == 5).all()
    for month, rows in estimates.groupby("month"):
        counts = MONTHS[month]
        assert rows["called"].iloc[:3].tolist() == [counts.get(name, 0) for name in NAMES]
        assert rows["called"].iloc[3:].isna().all()
        assert set(rows["instances"]) == {sum(counts.values())}
        if month in ("2026-03", "2026-04"):
            assert rows[["value", "low", "high"]].isna().all(axis=None)
            assert rows["sentence"].str.startswith("Refused: ").all()
        elif not counts:
            assert set(rows["sentence"]) == {"The slice has no predictions."}
        else:
            at = Prevalence.from_predictions(PETS, called=counts)
            ends = ["value", "low", "high", "sentence"]
            known = estimate_prevalence(at)[ends].to_numpy().tolist()
            for key in ("macro_f1", "accuracy"):
                estimate = interval(key, PETS, at=at)
                known.append([estimate.value, estimate.low, estimate.high, str(estimate)])
            assert rows[ends].to_numpy().tolist() == known


def test_a_class_that_no_row_has_has_the_prevalence_0():
    row = {"month": 5, "metric": "prevalence of owl", "value": 0.1, "low": 0.0, "high": 0.2}
    accuracy = row | {"metric": "accuracy", "value": 1.0, "high": 1.0}
    labels = ["cat", "dog", "elk"]
    rows = pd.DataFrame({"month": 5, "y": labels, "p": labels})
    counts = count_slices(rows, y_true="y", y_pred="p", by="month")
    checked = check_estimates(pd.DataFrame([row, accuracy]), counts)
    assert checked["labeled_value"].tolist() == [0, 1]
    assert checked["inside"].all()


def test_refusals_are_those_that_are_written():
    two, elk = (PRODUCTION, REFERENCE), (pd.DataFrame({"p": ["cat", "elk"]}), LABELED)
    many = UNLABELED, LABELED
    cases = [
        (two, {"y_pred": None}),
        (two, {"y_pred": "q"}),
        (many, {"pos_label": "cat"}),
        (many, {"metrics": "f1"}),
        (elk, {}),
    ]
    options = {"y_true": "y", "y_pred": "p"}
    calls = [partial(score_unlabeled, *frames, **options | changes) for frames, changes in cases]
    check_refusals(Path(__file__).with_name("unlabeled_slices_refusals.txt"), calls)
