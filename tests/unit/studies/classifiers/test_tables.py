import numpy as np
import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.classifiers import Classifiers, MeasuredClassifiers
from skewproof.studies.classifiers.figure import distributions_figure
from skewproof.studies.classifiers.report import classifiers_report
from skewproof.studies.classifiers.tables import exchanged_pairs, index_table, shift_table

CHOSEN = [bounded(METRICS[key]) for key in ("accuracy", "mcc", "f1_i")]
LEVEL, BALANCED = Level(1, 1000), Level(1, 1)
POINTS = MeasuredClassifiers.from_frame({"tpr": [0.9, 0.6], "fpr": [0.3, 0.0]})
DISTRIBUTIONS = {
    "uniform": Classifiers.uniform(),
    "top_left": Classifiers.box(tpr=(0.5, 1), fpr=(0, 0.1)),
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


@pytest.mark.slow
def test_ranks_and_exchanges(shifts):
    ranks = shifts.pivot(index="metric", columns="distribution", values="rank")
    assert (ranks.loc["f1_i"] == 1).all()
    assert list(ranks.loc[["accuracy", "mcc"], "uniform"]) == [3, 2]
    assert list(ranks.loc[["accuracy", "mcc"], "top_left"]) == [2, 3]
    found = exchanged_pairs(shifts).set_index("distribution")
    assert list(found.index) == ["top_left", "scored", "ours"]
    assert (found["pairs"] == 3).all()
    assert found.loc["top_left", "exchanged"] == 1
    assert found.loc["top_left", ["metric", "uniform_rank", "rank"]].tolist() == ["accuracy", 3, 2]


def made_shifts(shifts, errors=0.0):
    rows = [
        (name, "1:2", key, shift, errors, rank)
        for name, values in shifts.items()
        for rank, (key, shift) in enumerate(sorted(values.items(), key=lambda one: one[1]), 1)
    ]
    columns = ["distribution", "level", "metric", "mean_shift", "error_estimate", "rank"]
    return pd.DataFrame(rows, columns=columns)


def test_pairs_within_their_errors_are_not_compared():
    shifts = {"uniform": {"a": 0.1, "b": 0.2, "c": 0.9}, "box": {"a": 0.2, "b": 0.1, "c": 0.9}}
    assert exchanged_pairs(made_shifts(shifts)).loc[0, ["pairs", "exchanged"]].tolist() == [3, 1]
    unsure = exchanged_pairs(made_shifts(shifts, errors=0.06))
    assert unsure.loc[0, ["pairs", "exchanged"]].tolist() == [2, 0]


def test_no_metric_is_named_where_no_rank_changes():
    shifts = {"uniform": {"a": 0.1, "b": 0.2}, "box": {"a": 0.3, "b": 0.4}}
    row = exchanged_pairs(made_shifts(shifts)).loc[0]
    assert (row["pairs"], row["exchanged"]) == (1, 0)
    assert row[["metric", "uniform_rank", "rank"]].isna().all()


@pytest.mark.slow
def test_sampled_indices_are_near_the_exact_ones_of_the_same_inputs(indices):
    inputs = indices.groupby("distribution")["input"].agg(lambda one: list(one.unique()))
    assert inputs["top_left"] == ["tp", "fp"]
    assert inputs["scored"] == ["separation", "threshold"]
    # Half-widths are those of independent sampling, far above the error of scrambled points.
    assert ((indices["sampled_s1"] - indices["s1"]).abs() <= indices["s1_conf"]).all()
    assert indices["s1_conf"].max() < 0.2


@pytest.mark.slow
def test_the_report_and_the_figure(shifts, indices):
    verdicts = {"accuracy": "differs", "mcc": "differs", "f1_i": "same"}
    invariance = pd.DataFrame(verdicts.items(), columns=["metric", "verdict"])
    words = {name: one.words for name, one in DISTRIBUTIONS.items()}
    text = classifiers_report(
        words,
        shifts,
        indices,
        invariance.assign(level=str(LEVEL)),
        baseline="1:1",
        registry=METRICS,
    )
    assert "| 0.1663 (3) | 0.1031 (2) |" in text
    assert "Proved not to depend on class sizes: $F_i$. A proof" in text
    assert "uniform on 0.5 < tpr < 1, 0 < fpr < 0.1" in text
    one_metric = shifts[shifts["metric"] == "f1_i"]
    options = {"baseline": "1:1", "registry": METRICS}
    text = classifiers_report(
        words, one_metric, indices, invariance.assign(level=str(LEVEL)), **options
    )
    assert "| ours           | 1:1000  |       0 |           0 |          |" in text
    figure = distributions_figure(shifts, indices, level=str(LEVEL), registry=METRICS)
    first, second = figure.axes
    assert [label.get_text() for label in first.get_yticklabels()] == [
        f"${METRICS[key].symbol}$" for key in ("f1_i", "mcc", "accuracy")
    ]
    drawn = {line.get_label(): line.get_xdata() for line in first.lines}
    assert drawn["top_left"][-1] == pytest.approx(0.1031, abs=1e-4)
    assert np.isnan(second.lines[-1].get_xdata()).all()  # of measured classifiers
