import re
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof import ConfusionMatrix, compare, get_metric
from skewproof.unlabeled.labeled_estimates import count_cells, estimate_from_labels
from written import check_refusals

RANDOM = np.random.default_rng(4)
ROWS = 2000
TRUE = (RANDOM.random(ROWS) < 0.2).astype(float)
CALLED = np.where(TRUE == 1, RANDOM.random(ROWS) < 0.8, RANDOM.random(ROWS) < 0.1).astype(int)
SOME = np.where(np.arange(ROWS) < 300, TRUE, np.nan)
KEYS = ["recall", "specificity", "precision", "f1", "mcc"]

LIVER = pd.DataFrame(
    {"called": [True, False], "size": [429, 221], "labels": [263, 81], "positives": [231, 27]}
)
"""Liver scans of Drum and Christacopoulos, as Begg and Greenes (1983) use them."""


def drawn(table, draws, random):
    """Draw the matrix of the population: posteriors of each stratum, and of the strata."""
    called, rest = table.to_dict("records")
    share = random.beta(called["size"] + 0.5, rest["size"] + 0.5, draws)
    right, missed = (
        random.beta(one["positives"] + 0.5, one["labels"] - one["positives"] + 0.5, draws)
        for one in (called, rest)
    )
    tp, fp = share * right, share * (1 - right)
    return tp, fp, (1 - share) * missed, (1 - share) * (1 - missed)


@pytest.mark.parametrize(
    ("key", "value", "low", "high"),
    [("recall", 0.8365, 0.786, 0.881), ("specificity", 0.7384, 0.656, 0.808)],
)
def test_begg_and_greenes(key, value, low, high):
    """Their estimates to the printed digits; the ends are percentiles of draws to .002, which is
    more than the error of rounding, since percentiles and extremes over a ball differ."""
    estimate = estimate_from_labels(key, LIVER)
    assert estimate.value == pytest.approx(value, abs=5e-5)
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=2e-3)


@pytest.mark.parametrize("key", ["prevalence", "f1", "mcc"])
def test_intervals_are_near_the_percentiles_of_draws(key):
    tp, fp, fn, tn = drawn(LIVER, 400_000, np.random.default_rng(1))
    draws = {
        "prevalence": tp + fn,
        "f1": 2 * tp / (2 * tp + fp + fn),
        "mcc": (tp * tn - fp * fn) / np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)),
    }
    ends = np.quantile(draws[key], [0.025, 0.975])
    estimate = estimate_from_labels(key, LIVER)
    assert estimate.metric == key
    assert (estimate.low, estimate.high) == pytest.approx(tuple(ends), abs=0.03 * np.ptp(ends))


def test_with_all_labels_these_instances_have_the_value_of_their_matrix():
    estimates = estimate_from_labels(KEYS, TRUE, CALLED, of_instances=True)
    matrix = ConfusionMatrix.from_labels(TRUE, CALLED)
    expected = [float(get_metric(key)(matrix)) for key in KEYS]
    for column in ("value", "low", "high"):
        assert estimates[column].tolist() == pytest.approx(expected, rel=1e-12)
    population = estimate_from_labels(KEYS, TRUE, CALLED)
    assert (population["high"] - population["low"] > 0.01).all()


def test_labels_of_all_alarms_alone_tell_precision():
    alarms = np.where(CALLED == 1, TRUE, np.nan)
    estimate = estimate_from_labels("precision", alarms, CALLED, of_instances=True)
    assert estimate.low == estimate.value == estimate.high == TRUE[CALLED == 1].mean()


@pytest.mark.parametrize(
    "labels",
    [
        SOME,
        [None if np.isnan(label) else int(label) for label in SOME],
        pd.array([pd.NA if np.isnan(label) else int(label) for label in SOME], dtype="Int64"),
        pd.Series(SOME).map({1: True, 0: False}),
        np.ma.array(np.nan_to_num(SOME, nan=7), mask=np.isnan(SOME)),
    ],
    ids=["nan", "None", "NA", "booleans", "masked"],
)
def test_missing_labels_of_any_kind(labels):
    cells = count_cells([labels], [CALLED], None, 1)
    for position, called in enumerate((0, 1)):
        inside = called == CALLED
        labeled = TRUE[:300][inside[:300]]
        assert cells.called[0, position] == bool(called)
        assert cells.sizes[position] == inside.sum()
        assert cells.labels[position].tolist() == [labeled.sum(), (1 - labeled).sum()]


def test_a_table_of_strata_stands_for_the_rows():
    strata = np.arange(ROWS) % 3
    rows = pd.DataFrame({"stratum": strata, "called": CALLED == 1, "y": SOME})
    table = rows.groupby(["stratum", "called"], as_index=False)["y"].agg(
        size="size", labels="count", positives="sum"
    )
    of_rows = estimate_from_labels(KEYS, SOME, CALLED, strata)
    assert estimate_from_labels(KEYS, table).equals(of_rows)


def test_at_another_prevalence_rates_are_kept():
    recall, fpr = (estimate_from_labels(key, LIVER).value for key in ("recall", "fpr"))
    estimate = estimate_from_labels("precision", LIVER, at="1:99")
    assert estimate.value == pytest.approx(recall / (recall + 99 * fpr), rel=1e-12)
    assert estimate.low < estimate.value < estimate.high
    kept, there = (estimate_from_labels("recall", LIVER, at=at) for at in ("population", 0.01))
    assert (kept.low, kept.high) == pytest.approx((there.low, there.high), rel=1e-6)


def test_a_cell_that_random_labels_missed_keeps_its_prior():
    """Ten of 2,000 rows are called, and none of 300 random ones is among the labeled."""
    called = (np.arange(ROWS) >= 1990).astype(int)
    estimate = estimate_from_labels("precision", SOME, called)
    ends = stats.beta.ppf([0.025, 0.975], 0.5, 0.5)
    assert (estimate.low, estimate.high) == pytest.approx(tuple(ends), abs=1e-6)
    assert "None of 10 rows called positive is labeled" in estimate.remark
    assert "None of 10" in str(estimate)


def test_scores_of_a_random_draw_are_those_of_the_rank_sum_test():
    """With one cell that has both, the p-value is that of Wilcoxon's test with ties."""
    scores = np.where(np.isnan(SOME), 0, 0.12) + RANDOM.random(ROWS).round(2)
    called = np.zeros(ROWS, dtype=int)
    called[:20] = 1  # all labeled
    inside, known = called == 0, ~np.isnan(SOME)
    test = stats.mannwhitneyu(
        scores[inside & known], scores[inside & ~known], use_continuity=False, method="asymptotic"
    )
    assert test.pvalue < 0.001
    with pytest.raises(ValueError, match=re.escape(f"(p = {test.pvalue:.2g})")):
        estimate_from_labels("f1", SOME, called, y_score=scores)
    estimate_from_labels("f1", SOME, called, y_score=scores, check_draw=False)
    estimate_from_labels("f1", SOME, called, y_score=RANDOM.random(ROWS))


def systems():
    """Return two predictions and, for judged systems, two truths."""
    random = np.random.default_rng(9)
    other = np.where(TRUE == 1, random.random(ROWS) < 0.6, random.random(ROWS) < 0.05).astype(int)
    second_true = np.where(random.random(ROWS) < 0.8, TRUE, 1 - TRUE)
    return other, second_true


def test_a_difference_of_two_classifiers_is_near_the_percentiles_of_draws():
    """One share in each of the four strata of predictions, and their weights."""
    other, _ = systems()
    random, draws = np.random.default_rng(2), 200_000
    cells, tps = [], 0
    sizes, shares = [], []
    for first, second in ((1, 1), (1, 0), (0, 1), (0, 0)):
        inside = (first == CALLED) & (other == second)
        labeled = TRUE[:300][inside[:300]]
        sizes.append(inside.sum())
        shares.append(random.beta(labeled.sum() + 0.5, (1 - labeled).sum() + 0.5, draws))
        cells.append((first, second))
    weights = random.dirichlet(np.array(sizes) + 0.25, draws).T
    positives = weights * np.array(shares)
    tps = [sum(p for p, cell in zip(positives, cells, strict=True) if cell[i]) for i in (0, 1)]
    ends = np.quantile((tps[1] - tps[0]) / positives.sum(axis=0), [0.025, 0.975])
    found = compare("recall", SOME, CALLED, other, strata="predictions")
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=0.05 * np.ptp(ends))
    assert (found.p_value < 0.05) == (not found.low <= 0 <= found.high)
    assert found.p_value == pytest.approx(2 * min(found.probability, 1 - found.probability))


@pytest.mark.slow
def test_a_difference_of_two_judged_systems_is_near_the_percentiles_of_draws():
    """Four truths in each of the four strata of verdicts, with 1/4 added to each count."""
    other, second_true = systems()
    some = np.where(np.isnan(SOME), np.nan, second_true)
    random, draws = np.random.default_rng(3), 200_000
    sizes, gains = [], []
    for first, second in ((1, 1), (1, 0), (0, 1), (0, 0)):
        inside = ((first == CALLED) & (other == second))[:300]
        pairs = 2 * TRUE[:300][inside] + second_true[:300][inside]
        counts = np.bincount(pairs.astype(int), minlength=4)
        shares = random.dirichlet(counts + 0.25, draws)
        sizes.append(((first == CALLED) & (other == second)).sum())
        gains.append(shares[:, 1] - shares[:, 2])
    weights = random.dirichlet(np.array(sizes) + 0.25, draws).T
    ends = np.quantile((weights * np.array(gains)).sum(axis=0), [0.025, 0.975])
    found = compare("prevalence", (SOME, some), CALLED, other, strata="predictions")
    assert found.metric == "prevalence"
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=0.05 * np.ptp(ends))


def test_unpaired_systems_vary_as_two_independent_ones():
    other, second_true = systems()
    some = np.where(np.arange(ROWS) % 5 == 0, second_true, np.nan)
    found = compare("prevalence", (SOME, some), CALLED, other, strata="predictions", paired=False)
    alone = [
        estimate_from_labels("prevalence", labels, calls)
        for labels, calls in ((SOME, CALLED), (some, other))
    ]
    assert found.value == pytest.approx(alone[1].value - alone[0].value, rel=1e-12)
    width = np.hypot(*(one.high - one.low for one in alone))
    assert found.high - found.low == pytest.approx(width, rel=0.02)
    strata = CALLED, other
    assert compare("prevalence", (SOME, some), *strata, strata=strata, paired=False) == found


def test_exchanged_systems_have_the_mirrored_difference():
    other, _ = systems()
    ahead, back = (
        compare("f1", SOME, *pair, strata="predictions")
        for pair in ((CALLED, other), (other, CALLED))
    )
    assert ahead.value == pytest.approx(-back.value, rel=1e-12)
    assert (ahead.low, ahead.high) == pytest.approx((-back.high, -back.low), abs=2e-3)
    assert ahead.probability == pytest.approx(1 - back.probability, abs=2e-3)


def test_refusals_are_those_that_are_written():
    rows = np.arange(ROWS)
    estimates = [
        {"y_true": np.where(rows < 4, TRUE, np.nan)},
        {"y_true": np.where(rows < 9, 2, SOME)},
        {"strata": rows % 9},
        {"strata": np.where(rows < 9, np.nan, 1)},
        {"strata": rows < 300},
        {"metric": "precision", "y_pred": (rows >= 1950).astype(int)},
        {"metric": "recall", "y_true": np.where(CALLED == 1, TRUE, np.nan)},
        {"groups": [1, 2]},
        {"metric": "prevalence", "at": 0.1},
        {"at": "12/4000"},
        {"y_true": LIVER, "y_pred": [1, 0]},
        {"y_true": LIVER.assign(size=9), "y_pred": None},
        {"y_true": LIVER[["size"]], "y_pred": None},
        {"y_pred": CALLED[:9]},
    ]
    differences = [
        {"strata": None},
        {"strata": None, "metric": "auc"},
        {"metric": "auc"},
        {"metric": "prevalence"},
        {"groups": [1, 2]},
        {"y_true": (SOME, TRUE)},
        {"paired": False},
    ]
    options = {"metric": "f1", "y_true": SOME, "y_pred": CALLED}
    calls = [partial(estimate_from_labels, **options | changes) for changes in estimates]
    options = {"metric": "f1", "y_true": SOME, "first": CALLED, "second": CALLED[::-1]}
    options["strata"] = "predictions"
    calls += [partial(compare, **options | changes) for changes in differences]
    check_refusals(Path(__file__).with_name("labeled_estimates_refusals.txt"), calls)
