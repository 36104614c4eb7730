from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from figure_text import figure_text
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof_studies.classifiers.report import classifiers_report, distributions_figure
from skewproof_studies.classifiers.tables import exchanges_by_distribution, index_table, shift_table
from written import check_written

CHOSEN = [bounded(METRICS[key]) for key in ("accuracy", "mcc", "f1_i")]
LEVEL, BALANCED = Level(1, 1000), Level(1, 1)
TOP_LEFT = Classifiers.box(tpr=(0.5, 1), fpr=(0, 0.1))
POINTS = MeasuredClassifiers.from_frame({"tpr": [0.9, 0.6], "fpr": [0.3, 0.0]})
DISTRIBUTIONS = {
    "uniform": Classifiers.uniform(),
    "top_left": TOP_LEFT,
    "scored": Classifiers.binormal(auc=(0.7, 0.95), threshold=(1, 0.5)),
    "ours": POINTS,
}


@pytest.fixture(scope="module")
def shifts():
    parts = [
        shift_table(CHOSEN, [LEVEL], BALANCED, 100, one).assign(distribution=name)
        for name, one in DISTRIBUTIONS.items()
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="module")
def indices():
    sampling = {"log2_samples": 12, "resamples": 20, "seed": 3, "confidence": 0.99}
    parts = [
        index_table(CHOSEN, [LEVEL], 100, one, sampling=sampling).assign(distribution=name)
        for name, one in DISTRIBUTIONS.items()
        if isinstance(one, Classifiers)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.mark.slow
def test_measured_classifiers_have_means_and_shifts_by_hand(shifts):
    """Accuracy is (u + N (1 - v))/(1 + N): 0.8 and 0.8 at 1:1."""
    row = shifts.set_index(["distribution", "metric"]).loc[("ours", "accuracy")]
    values = np.array([0.9 + 1000 * 0.7, 0.6 + 1000]) / 1001
    assert row["mean"] == pytest.approx(values.mean(), abs=1e-14)
    assert row["mean_shift"] == pytest.approx(np.abs(values - 0.8).mean(), abs=1e-14)


def made_shifts(shifts, errors=0.0):
    rows = [
        (name, "1:2", key, shift, errors, rank)
        for name, values in shifts.items()
        for rank, (key, shift) in enumerate(sorted(values.items(), key=lambda one: one[1]), 1)
    ]
    columns = ["distribution", "level", "metric", "mean_shift", "error_estimate", "rank"]
    return pd.DataFrame(rows, columns=columns)


RISING, FALLING = {"a": 0.1, "b": 0.2, "c": 0.3}, {"a": 0.3, "b": 0.2, "c": 0.1}
NAMED = ["metric", "uniform_rank", "rank"]


def test_pairs_within_their_errors_are_not_compared():
    shifts = {"uniform": {"a": 0.1, "b": 0.2, "c": 0.9}, "box": {"a": 0.2, "b": 0.1, "c": 0.9}}
    for errors, counts in ((0.0, [3, 1]), (0.06, [2, 0])):
        found = exchanges_by_distribution(made_shifts(shifts, errors=errors))
        assert found.loc[0, ["pairs", "exchanged"]].tolist() == counts


def test_every_metric_is_named_whose_rank_changes_most():
    rows = exchanges_by_distribution(made_shifts({"uniform": RISING, "box": FALLING}))
    assert rows[["pairs", "exchanged"]].drop_duplicates().to_numpy().tolist() == [[3, 3]]
    assert sorted(rows[NAMED].to_numpy().tolist()) == [["a", 1, 3], ["c", 3, 1]]
    # None is named where no rank changes, and ranks change only among metrics that have one.
    table = made_shifts({"uniform": RISING, "ours": RISING}).astype({"rank": "Int64"})
    (row,) = exchanges_by_distribution(table).to_dict("records")
    assert (row["pairs"], row["exchanged"]) == (3, 0)
    table.loc[(table["distribution"] == "ours") & (table["metric"] == "a"), "rank"] = pd.NA
    table.loc[table["distribution"] == "ours", "rank"] -= 1
    row = exchanges_by_distribution(table).loc[0]
    assert (row["pairs"], row["exchanged"]) == (1, 0)
    assert row[NAMED].isna().all()


@pytest.mark.slow
def test_sampled_indices_are_near_the_exact_ones_of_the_same_inputs(indices):
    inputs = indices.groupby("distribution")["input"].agg(lambda one: list(one.unique()))
    assert inputs["top_left"] == ["tp", "fp"]
    assert inputs["scored"] == ["separation", "threshold"]
    # Half-widths are those of independent sampling, far above the error of scrambled points.
    assert ((indices["sampled_s1"] - indices["s1"]).abs() <= indices["s1_conf"]).all()
    assert indices["s1_conf"].max() < 0.2


SAMPLING = {"log2_samples": 8, "resamples": 3, "seed": 1}
NEARLY_A_POINT = Classifiers.box(tpr=(0.5, 0.5000000000000002), fpr=(0.1, 0.1000000000000001))


def test_a_metric_that_is_constant_under_a_distribution_has_no_indices(caplog):
    found = index_table(CHOSEN[:1], [BALANCED], 100, NEARLY_A_POINT, sampling=SAMPLING)
    assert found[["s1", "st", "sampled_s1", "s1_conf"]].isna().all(axis=None)
    reason = "accuracy is constant (0.7): expected a metric that varies"
    assert f"no sampled indices at 1:1: {reason}" in caplog.messages
    with pytest.raises(ValueError, match=r"^resamples = 1: "):
        index_table(CHOSEN[:1], [LEVEL], 100, TOP_LEFT, sampling=SAMPLING | {"resamples": 1})


@pytest.mark.slow
def test_a_constant_metric_leaves_the_others_their_indices():
    def either(matrix):
        return np.maximum(matrix.tpr, 0.6)

    low = Classifiers.box(tpr=(0, 0.4), fpr=(0.6, 1))
    constant = Metric("either", "f", "made for a test", "here", either)
    alone = index_table(CHOSEN[:1], [LEVEL], 100, low, sampling=SAMPLING)
    both = index_table([constant, CHOSEN[0]], [LEVEL], 100, low, sampling=SAMPLING)
    assert both.loc[:1, ["s1", "sampled_s1"]].isna().all(axis=None)
    pd.testing.assert_frame_equal(both[2:].reset_index(drop=True), alone)


@pytest.fixture(scope="module")
def partly_undefined():
    """Precision is undefined where nothing is called positive: at one point of three with a weight,
    and in the second table at all."""
    metrics = [bounded(METRICS[key]) for key in ("accuracy", "precision")]
    points = {
        "ours": {"tpr": [0, 0.5, 0.5, 0], "fpr": [0, 0.5, 0.5, 0], "weight": [1, 1, 1, 0]},
        "theirs": {"tpr": [0], "fpr": [0]},
    }
    ours, theirs = (
        shift_table(metrics, [Level(1, 3)], BALANCED, 100, MeasuredClassifiers.from_frame(one))
        for one in points.values()
    )
    # The uniform one need not be computed here.
    uniform = ours.assign(left_out=0, rank=[1, 2], mean_shift=0.25)
    parts = {"uniform": uniform, "ours": ours, "theirs": theirs}
    return pd.concat([part.assign(distribution=name) for name, part in parts.items()])


@pytest.mark.slow
def test_points_where_a_metric_is_undefined_are_left_out_and_counted(partly_undefined):
    """Precision goes from 1/2 to 1/4 at the others; it is not ranked beside shifts over all."""
    rows = partly_undefined.set_index(["distribution", "metric"])
    assert rows.loc[("ours", "precision"), ["mean", "mean_shift"]].tolist() == [0.25, 0.25]
    assert rows["left_out"].tolist() == [0, 0, 0, 1, 0, 1]
    assert rows["rank"].isna().tolist() == [False, False, False, True, False, True]
    assert exchanges_by_distribution(partly_undefined)["pairs"].tolist() == [0, 0]


def report(words, shifts, indices, verdicts, level):
    invariance = pd.DataFrame(verdicts.items(), columns=["metric", "verdict"]).assign(level=level)
    options = {"baseline": "1:1", "registry": METRICS}
    return classifiers_report(words, shifts, indices, invariance, **options)


@pytest.mark.slow
def test_the_whole_report_and_its_figure(shifts, indices, partly_undefined):
    verdicts = {"accuracy": "differs", "mcc": "differs", "f1_i": "same"}
    words = {name: one.words for name, one in DISTRIBUTIONS.items()}
    sampled = pd.DataFrame({"s1": [0.5]})
    one_metric = shifts[shifts["metric"] == "f1_i"]
    check_written(
        Path(__file__).with_name("report.txt"),
        four_distributions=report(words, shifts, indices, verdicts, str(LEVEL)),
        one_metric=report(words, one_metric, indices, verdicts, str(LEVEL)),
        left_out=report({"ours": "points"}, partly_undefined, sampled, verdicts, "1:3"),
        figure=figure_text(
            distributions_figure(shifts, indices, level=str(LEVEL), registry=METRICS)
        ),
    )
