"""Worth of grouped rows for areas and scores, by brute force, by other formulas, and simulated."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from skewproof import (
    area_interval,
    best_threshold,
    choose_threshold,
    decision_curve,
    probability_scores,
    reliability_curve,
)
from skewproof.curves import area, binormal_area, curve_bands
from skewproof.intervals.grouped.effective_numbers import degrees_of_freedom
from skewproof.intervals.grouped.jackknife import GroupedCells, neighbors
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.prevalence.prevalence import Prevalence

MEAN = 1.5


def rows(groups=40, size=10, seed=0, correlation=0.3):
    """Draw labels, scores and groups; scores of a class vary between groups."""
    random = np.random.default_rng(seed)
    names = np.repeat(np.arange(groups), size)
    true = (random.random(len(names)) < random.beta(1.2, 1.8, groups)[names]).astype(int)
    shifts = np.sqrt(correlation) * random.normal(size=(groups, 2))[names, true]
    rest = np.sqrt(1 - correlation) * random.normal(size=len(names))
    return true, MEAN * true + shifts + rest, names


def probabilities(scores):
    return 1 / (1 + np.exp(1 - 1.4 * scores))


def worth_by_hand(statistic, names, sizes):
    """Compute it with a loop over groups and one over rows, from a function of chosen rows."""
    every = np.ones(len(names), dtype=bool)
    value = statistic(every)
    variances = []
    for labels in (names, np.arange(len(names))):
        distinct = np.unique(labels)
        squares = [(statistic(labels != label) - value) ** 2 for label in distinct]
        variances.append((1 - 1 / len(distinct)) * sum(squares))
    effect = variances[0] / variances[1]
    ratios = []
    for of_class in sizes:
        total = of_class.sum()
        largest = (of_class**2).sum() / total
        correlation = min(max((effect - 1) / (largest - 1), 0), 1)
        freedom = degrees_of_freedom(of_class[of_class > 0], correlation)
        ratios.append(stats.t.ppf(0.975, total - 1) / stats.t.ppf(0.975, freedom))
    return min(ratios) ** 2 / effect


@pytest.mark.slow
def test_worth_is_that_of_the_jackknife_by_brute_force():
    true, scores, names = rows(size=7)
    sizes = [np.bincount(names[true == label]).astype(float) for label in (1, 0)]
    for kind in ("auc", "average_precision"):
        by_hand = worth_by_hand(
            lambda some, kind=kind: area(kind, true[some], scores[some]), names, sizes
        )
        grouping = area_interval(kind, true, scores, groups=names, draws=10).grouping
        assert grouping.design_effect == pytest.approx(1 / by_hand, rel=1e-6)
    forecasts = probabilities(scores)
    keys = ["brier", "log_loss_skill", "calibration_slope"]
    table = probability_scores(true, forecasts, scores=keys, groups=names, draws=50)
    for key, remark in zip(keys, table["remark"], strict=True):
        by_hand = worth_by_hand(
            lambda some, key=key: probability_scores(
                true[some], forecasts[some], scores=key, confidence=None
            ).loc[0, "value"],
            names,
            sizes,
        )
        # Scores are drawn in neighborhoods of about the same forecast.
        assert float(remark.split("count as ")[1]) == pytest.approx(280 * by_hand, rel=0.02)


@pytest.mark.slow
def test_the_variance_of_the_auc_is_obuchowskis():
    """Obuchowski (1997): sums of placements in each cluster, with the covariance of both."""
    true, scores, names = rows(groups=300, size=8)
    positive, negative = scores[true == 1], scores[true == 0]
    wins = (positive[:, np.newaxis] > negative) + 0.0
    value, number = wins.mean(), 300
    of_groups = [
        np.bincount(names[true == label], placements - value, minlength=number)
        for label, placements in ((1, wins.mean(axis=1)), (0, wins.mean(axis=0)))
    ]
    totals = len(positive), len(negative)
    variance = 0.0
    for label, sums, total in zip((1, 0), of_groups, totals, strict=True):
        present = len(np.unique(names[true == label]))
        variance += present / (present - 1) * (sums**2).sum() / total**2
    variance += 2 * number / (number - 1) * (of_groups[0] * of_groups[1]).sum() / np.prod(totals)
    order = np.argsort(scores)
    cells = np.where(true == 1, 0, len(true)) + np.argsort(order)
    grouped = GroupedCells.of(names, cells, np.repeat([0, 1], len(true)), TWO_CLASSES)

    def auc(counts):
        hits, alarms = np.moveaxis(counts.reshape(len(counts), 2, -1), 1, 0)
        below = np.cumsum(alarms, axis=1) - alarms
        return (hits * below).sum(axis=1) / hits.sum(axis=1) / alarms.sum(axis=1)

    by_group, _ = grouped._squares(auc)
    assert (number - 1) / number * by_group.sum() == pytest.approx(variance, rel=0.02)


def test_whole_weights_are_rows_of_the_same_group():
    true, scores, _ = rows()
    copied = [np.repeat(part, 5) for part in (true, scores, np.arange(len(true)))]
    interval = area_interval("auc", copied[0], copied[1], groups=copied[2])
    weighted = area_interval(
        "auc", true, scores, sample_weight=np.full(len(true), 5), groups=np.arange(len(true))
    )
    assert (weighted.low, weighted.high) == (interval.low, interval.high)


def frames(true, scores, groups, at):
    """Compute every result that takes groups of scores, as frames."""
    forecasts = probabilities(scores)
    kinds = ["auc", "average_precision", "partial_auc"]
    areas = [area_interval(kind, true, scores, groups=groups, at=at, draws=50) for kind in kinds]
    best = best_threshold("f1", true, scores, groups=groups, at=at)
    return [
        pd.DataFrame([(found.low, found.high) for found in [*areas, best]]),
        probability_scores(true, forecasts, groups=groups, at=at, draws=50),
        reliability_curve(true, forecasts, groups=groups, at=at, bins=4, simultaneous=True),
        decision_curve(
            true, forecasts, groups=groups, at=at, thresholds=[0.2, 0.5], simultaneous=True
        ),
        curve_bands(true, scores, groups=groups, at=at),
    ]


@pytest.mark.parametrize("at", ["population", "12/400"])
@pytest.mark.slow
def test_groups_of_one_row_change_nothing(at):
    true, scores, _ = rows(groups=10)
    alone = frames(true, scores, None, at)
    for frame, single in zip(alone, frames(true, scores, np.arange(100), at), strict=True):
        columns = [name for name in frame if name != "remark"]
        pd.testing.assert_frame_equal(single[columns], frame[columns], check_exact=True)


@pytest.mark.slow
def test_neither_the_order_of_rows_nor_the_labels_of_groups_matter():
    true, scores, names = rows(groups=10)
    order = np.random.default_rng(4).permutation(len(true))
    texts = pd.Categorical([f"patient {name}" for name in names])[order]
    once = frames(true, scores, names, "population")
    for frame, again in zip(
        once, frames(true[order], scores[order], texts, "population"), strict=True
    ):
        pd.testing.assert_frame_equal(frame, again, check_exact=True)


@pytest.mark.slow
def test_any_number_of_classes():
    random = np.random.default_rng(5)
    names = np.repeat(np.arange(60), 5)
    true = np.repeat(random.integers(0, 3, 60), 5)
    odds = random.normal(size=(60, 3))[names] + 0.3 * random.normal(size=(300, 3))
    odds[np.arange(300), true] += 1
    forecasts = np.exp(odds) / np.exp(odds).sum(axis=1, keepdims=True)
    alone, grouped = (
        probability_scores(true, forecasts, groups=groups, draws=400) for groups in (None, names)
    )
    assert (grouped["low"] < alone["low"]).all()
    # A mean loss of grouped rows has the variance of a ratio of sums.
    losses = ((forecasts - np.eye(3)[true]) ** 2).sum(axis=1)
    deviations = np.bincount(names, losses - losses.mean())
    effect = 60 / 59 * (deviations**2).sum() / ((losses - losses.mean()) ** 2).sum()
    worth = float(grouped.loc[0, "remark"].split("count as ")[1].split(".")[0].split(";")[0])
    assert worth == pytest.approx(300 / effect * (stats.t.ppf(0.975, 60) / 2) ** -2, rel=0.15)


@pytest.mark.slow
def test_a_range_counts_the_fewest_rows_of_its_prevalences():
    """They can be between its ends, where the deviations of both classes weigh alike."""
    true, scores, names = rows(groups=12, seed=7, correlation=0.8)
    forecasts = probabilities(scores)
    at = Prevalence.between(0.05, 0.95)

    def effects(where):
        yield area_interval(
            "average_precision", true, scores, groups=names, at=where, draws=10
        ).grouping.design_effect
        said = probability_scores(
            true, forecasts, scores="brier", groups=names, at=where, draws=10
        ).loc[0, "remark"]
        yield 120 / float(said.split("count as ")[1].split(";")[0].split(".")[0])

    of_range = list(effects(at))
    of_places = np.array([list(effects(float(share))) for share in at.points(None)])
    assert of_range == pytest.approx(of_places.max(axis=0))
    assert of_range[0] > of_places[[0, -1], 0].max()


def test_neighbors_keep_the_ends_and_have_about_the_same_shares():
    counts = np.array([np.arange(1.0, 1001), np.ones(1000)])
    numbers = neighbors(counts, 50)
    assert numbers[0] == 0
    assert numbers[-1] == 49
    assert np.bincount(numbers)[[0, -1]].tolist() == [1, 1]
    shares = np.bincount(numbers, (counts / counts.sum(axis=1, keepdims=True)).sum(axis=0))
    assert shares[1:-1].max() < 2 * shares[1:-1].min()


PROMISE = {"at": "1:5", "require": "precision >= 0.5"}


@pytest.mark.slow
def test_promises_allow_for_groups():
    true, scores, names = rows(groups=150, seed=1)
    scores = scores + true
    alone = choose_threshold(true, scores, **PROMISE)
    single = choose_threshold(true, scores, groups=np.arange(len(true)), **PROMISE)
    grouped = choose_threshold(true, scores, groups=names, **PROMISE)
    pd.testing.assert_frame_equal(single.tested, alone.tested, check_exact=True)
    pd.testing.assert_frame_equal(single.rates, alone.rates, check_exact=True)
    assert alone.threshold == single.threshold < grouped.threshold
    assert "if groups are independent" in grouped.sentence
    assert str(grouped.grouping) in grouped.to_dict()["sentence"]
    frame = pd.DataFrame({"y": true, "s": scores, "patient": names.astype(str)})
    by_name = choose_threshold(frame, y_true="y", y_score="s", groups="patient", **PROMISE)
    assert by_name == grouped


@pytest.mark.slow
def test_refusals_of_promises_count_the_labels_that_are_needed():
    true, scores, names = rows(groups=12)
    refused = choose_threshold(true, scores, groups=names, **PROMISE)
    assert not refused.promised
    assert ", which count as " in refused.sentence
    alone = choose_threshold(true, scores, **PROMISE)
    assert alone.promised or refused.positives_needed > alone.positives_needed


def test_frames_have_their_groups_in_a_column():
    true, scores, names = rows(groups=20)
    forecasts = probabilities(scores)
    frame = pd.DataFrame({"y": true, "p": forecasts, "patient": names.astype(str)})
    frame.loc[len(frame)] = [np.nan, 0.3, "0"]
    options = {"thresholds": [0.2, 0.5], "at": "1:20"}
    curve = decision_curve(frame, y_true="y", y_prob="p", groups="patient", **options)
    expected = decision_curve(true, {"p": forecasts}, groups=names, **options)
    pd.testing.assert_frame_equal(curve, expected)


@pytest.mark.slow
def test_intervals_cover():
    """Thirty positive and seventy negative groups of ten rows each, intraclass correlation .3."""
    random = np.random.default_rng(8)
    names = np.repeat(np.arange(100), 10)
    true = (names < 30).astype(int)
    covered = {"auc": 0, "average_precision": 0}
    expected = {kind: binormal_area(kind, "3:7", mean=MEAN) for kind in covered}
    for _ in range(100):
        shifts = np.sqrt(0.3) * random.normal(size=100)[names]
        scores = MEAN * true + shifts + np.sqrt(0.7) * random.normal(size=1000)
        for kind, truth in expected.items():
            found = area_interval(kind, true, scores, groups=names, at="test set", draws=200)
            covered[kind] += found.low <= truth <= found.high
    # Three standard errors below .95.
    assert min(covered.values()) > 100 * (0.95 - 3 * 0.0218)


def test_without_a_variance_rows_count_as_their_groups():
    """Perfect scores in four groups of five of each class."""
    true, names = np.repeat([1, 0], 20), np.arange(40) // 5
    grouping = area_interval("auc", true, true, groups=names, draws=10).grouping
    assert grouping.effective_rows == pytest.approx(8)


def test_fractions_beside_groups_are_refused():
    with pytest.raises(ValueError, match="sample_weight has fractions beside groups"):
        area_interval("auc", [1, 0], [0.1, 0.9], groups=[1, 2], sample_weight=[0.5, 1])
