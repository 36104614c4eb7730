from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from whole_html import texts_of

from skewproof.metrics import get_metric
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.unlabeled.label_plans import chances_in_bins
from skewproof.unlabeled.labeled_estimates import estimate_from_labels
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates
from skewproof.unlabeled.labeling import plan_labels
from written import check_refusals

RANDOM = np.random.default_rng(3)
CHANCES = RANDOM.beta(0.02, 1, 20_000)
TRUE = RANDOM.random(20_000) < CHANCES
CALLED = CHANCES >= 0.5
PLAN = plan_labels("f1", CHANCES, labels=300)


def estimated(what, plan, labels):
    """Estimate a metric of exactly the instances of a plan."""
    rows = plan.to_frame().assign(y_true=labels)
    return estimate_from_labels(what, rows, of_instances=True, pos_label=True)


def test_rows_are_those_of_the_strata():
    strata = PLAN.strata
    assert len(PLAN.rows) == len(set(PLAN.rows.tolist())) == 300
    assert (np.diff(PLAN.rows) > 0).all()
    assert np.bincount(PLAN.stratum).tolist() == strata["labels"].tolist()
    for number, row in enumerate(strata.itertuples()):
        inside = (row.lowest <= CHANCES) & (row.highest >= CHANCES)
        assert inside.sum() == row.size
        assert inside[PLAN.rows].tolist() == (PLAN.stratum == number).tolist()
        assert (CALLED[inside] == row.called).all()
        assert row.guess == pytest.approx(CHANCES[inside].mean(), rel=1e-9)
    assert strata["size"].sum() == 20_000
    assert PLAN.labels_called == strata.loc[strata["called"], "labels"].sum()
    assert PLAN.labels_not_called == 300 - PLAN.labels_called


def test_strata_of_a_side_share_what_labels_have_to_tell():
    spread = np.sqrt(CHANCES * (1 - CHANCES))
    for side in (CALLED, ~CALLED):
        sums = []
        for row in PLAN.strata.itertuples():
            inside = side & (row.lowest <= CHANCES) & (row.highest >= CHANCES)
            if inside.any():
                sums.append(spread[inside].sum())
        assert len(sums) == 3
        assert np.ptp(sums) <= 2 * spread[side].max()


@pytest.mark.parametrize("key", ["f1", "recall", "precision"])
@pytest.mark.slow
def test_no_label_would_tell_more_elsewhere(key):
    """The variance by the slopes of the metric's formula, against every exchange of a label."""
    strata = plan_labels(key, CHANCES, labels=200).strata
    called, sizes, guess = (strata[name].to_numpy() for name in ("called", "size", "guess"))
    tp, fn, calls = (sizes * guess)[called].sum(), (sizes * guess)[~called].sum(), CALLED.sum()
    f1 = 2 * tp / (calls + tp + fn)
    slopes = {
        "f1": ((2 - f1) / (calls + tp + fn), f1 / (calls + tp + fn)),
        "recall": (fn / (tp + fn) ** 2, tp / (tp + fn) ** 2),
        "precision": (1 / calls, 0),
    }
    weights = np.where(called, *slopes[key])

    def variance(labels):
        some = (1 / labels - 1 / sizes) * (guess + 0.5 / labels) * (1 - guess + 0.5 / labels)
        return np.sum((weights * sizes) ** 2 * some)

    labels = strata["labels"].to_numpy()
    assert labels.sum() == 200
    assert (labels >= 5).all()
    for giver in np.flatnonzero(labels > 5):
        for taker in np.flatnonzero(labels < sizes):
            moved = labels.copy()
            moved[giver] -= 1
            moved[taker] += 1
            assert variance(moved) >= variance(labels) * (1 - 1e-6)
    if key == "precision":
        assert (labels[~called] == 5).all()


@pytest.mark.slow
def test_of_predictions_half_are_guessed_right_and_half_missed():
    plan = plan_labels("f1", CALLED, labels=100)
    strata = plan.strata.set_index("called")
    assert plan.strata["called"].tolist() == [False, True]
    assert strata.loc[True, "guess"] == 0.5
    assert strata.loc[False, "guess"] * strata.loc[False, "size"] == pytest.approx(CALLED.sum() / 2)
    assert plan.value == pytest.approx(0.5)
    assert plan.strata.equals(plan_labels("f1", CALLED.astype(int), labels=100).strata)


@pytest.mark.slow
def test_a_reference_tells_shares_at_the_prevalence_here():
    """Rates .8 and .01 in the reference; here a fiftieth of the instances is positive."""
    known = np.repeat([1, 0, 1, 0], [80_000, 10_000, 20_000, 990_000])
    seen = np.repeat([1, 1, 0, 0], [80_000, 10_000, 20_000, 990_000])
    calls = np.arange(100_000) < 100_000 * (0.02 * 0.8 + 0.98 * 0.01)
    plan = plan_labels("f1", calls, labels=200, reference_true=known, reference_scores=seen)
    missed, right = plan.strata["guess"]
    assert right == pytest.approx(0.016 / 0.0258, rel=1e-3)
    assert missed == pytest.approx(0.004 / 0.9742, rel=1e-3)
    names = pd.Series(known).map({1: "fraud", 0: "fine"})
    reference = {"reference_true": names, "reference_scores": seen, "pos_label": "fraud"}
    named = plan_labels("f1", calls, labels=200, **reference)
    assert named.strata.equals(plan.strata)


@pytest.mark.slow
def test_expected_widths_are_those_of_labels_as_guessed():
    plan = plan_labels("f1", CALLED, labels=200)
    random = np.random.default_rng(8)
    guess = plan.strata["guess"].to_numpy()
    chance, planned, at_random = np.where(CALLED, *guess[::-1]), [], []
    for _ in range(60):
        estimate = estimated("f1", plan, random.random(200) < chance[plan.rows])
        planned.append(estimate.high - estimate.low)
        rows = random.choice(20_000, 200, replace=False)
        labels, called = random.random(200) < chance[rows], CALLED[rows]
        by_truth = [
            [(side & known).sum() for known in (labels, ~labels)] for side in (called, ~called)
        ]
        sample = LabeledStrata(
            np.array([[True, False]]),
            np.array([[CALLED.sum(), (~CALLED).sum()]], dtype=float),
            np.array([by_truth], dtype=float),
            True,
        )
        ends = stratified_estimates(get_metric("f1"), [sample], 0.95)
        at_random.append(ends.high[0] - ends.low[0])
    for widths, expected in ((planned, plan.width), (at_random, plan.random_width)):
        error = np.std(widths) * np.sqrt(1 / 60 + 1 / 200)
        assert abs(np.mean(widths) - expected) < 4 * error
    assert plan.width < plan.random_width


def test_plans_and_estimates_are_shown_by_their_sentences():
    estimate = estimated("f1", PLAN, TRUE[PLAN.rows])
    assert str(PLAN) in texts_of(PLAN._repr_html_())
    assert repr(estimate) == f"LabeledEstimate({estimate})"
    assert str(estimate) == ". ".join(texts_of(estimate._repr_html_())[:2])


def test_a_plan_that_was_saved_gives_the_same_estimate():
    saved = PLAN.to_frame("transaction").sample(frac=1, random_state=0)
    columns = ["transaction", "stratum", "called", "size", "instances"]
    assert saved.columns.tolist() == columns
    again = estimate_from_labels(
        "f1", saved.assign(y_true=TRUE[saved["transaction"]]), of_instances=True, pos_label=True
    )
    assert again == estimated("f1", PLAN, TRUE[PLAN.rows])
    called, positive = CALLED[PLAN.rows], TRUE[PLAN.rows]
    assert (again.labels_called, again.labels_not_called) == (called.sum(), (~called).sum())
    assert again.positives_called == (called & positive).sum()
    assert again.positives_not_called == (~called & positive).sum()


@pytest.mark.slow
def test_two_systems_need_labels_where_they_differ():
    """Slopes of the difference in recall by the positives of each pair, by hand."""
    first, second = CHANCES >= 0.5, CHANCES + RANDOM.normal(0, 0.1, 20_000) >= 0.4
    plan = plan_labels("recall", (first, second), labels=200)
    assert np.bincount(plan.stratum).tolist() == plan.strata["labels"].tolist()
    for row in plan.strata.itertuples():
        inside = (first == row.first) & (second == row.second)
        assert inside.sum() == row.size
        assert inside[plan.rows].sum() == row.labels
    strata = plan.strata.set_index(["first", "second"])
    expected = strata["size"] * strata["guess"]
    either = (first | second).sum()
    assert expected[False, False] == pytest.approx(either / 2)
    assert plan.value == pytest.approx(
        (expected[False, True] - expected[True, False]) / expected.sum()
    )
    assert plan.width < plan.random_width
    assert "called positive by the first alone" in plan.sentence


@pytest.mark.slow
def test_two_systems_in_a_frame_have_the_strata_of_arrays():
    first, second = CHANCES >= 0.5, CHANCES >= 0.3
    frame = pd.DataFrame({"id": range(20_000), "a": first.astype(int), "b": second.astype(int)})
    plan = plan_labels("f1", frame, row_id="id", y_pred=("a", "b"), labels=100)
    pd.testing.assert_frame_equal(
        plan.strata, plan_labels("f1", (first, second), labels=100).strata, check_dtype=False
    )
    columns = ["row", "stratum", "first", "second", "size", "instances"]
    assert plan.to_frame().columns.tolist() == columns


@pytest.mark.parametrize(
    ("unlabeled", "share"), [((95, 5), Fraction(1, 100)), ((5, 95), Fraction(99, 100))]
)
def test_at_least_one_instance_of_each_class_is_expected(unlabeled, share):
    """5 % of the scores are above the cut-off, fewer than those of negatives; or 95 %."""
    labeled = ((30,), (10,)), ((20,), (80,))
    bins = PredictionBins(("positive", "negative"), labeled, cuts=((), ()), threshold=0.5)
    bins = bins.with_counts(unlabeled)
    half = Fraction(1, 2)
    positive = [(count + half) / 41 for count in (10, 30)]
    negative = [(count + half) / 101 for count in (80, 20)]
    expected = [
        float(share * chance / (share * chance + (1 - share) * other))
        for chance, other in zip(positive, negative, strict=True)
    ]
    assert chances_in_bins(bins) == pytest.approx(expected, rel=1e-9)


def test_refusals_are_those_that_are_written():
    """Scores of production are probabilities, and those of the last reference are their roots."""
    random = np.random.default_rng(0)
    chances = random.beta(0.5, 5, 2000)
    true = random.random(2000) < chances
    cases = [
        {"labels": 29},
        {"labels": 20_001},
        {"strata": 9},
        {"threshold": 2},
        {"predictions": CHANCES + 0.4},
        {"predictions": [[0.1, 0.9]]},
        {"reference_true": [1, 0]},
        {"predictions": ([1, 0], [0.5, 1])},
        {"predictions": (CALLED, CALLED), "threshold": 0.3},
        {"row_id": "id"},
        {"metric": "1/(tp - fp)", "predictions": CALLED},
        {"reference_true": true, "reference_scores": chances**0.2},
    ]
    options = {"metric": "f1", "predictions": CHANCES, "labels": 100}
    calls = [partial(plan_labels, **options | changes) for changes in cases]
    check_refusals(Path(__file__).with_name("labeling_refusals.txt"), calls)
