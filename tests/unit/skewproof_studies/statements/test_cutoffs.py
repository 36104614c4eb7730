"""Cut-offs by enumeration of exact populations, by bisection in 40 digits, and by scikit-learn."""

import functools
import itertools
from fractions import Fraction
from math import sqrt

import mpmath
import numpy as np
import pytest
from sklearn.metrics import f1_score, precision_recall_curve, precision_score, recall_score

from skewproof_studies.statements.cutoffs import (
    CUTOFFS,
    GROUP_PERCENTS,
    GROUP_SIZES,
    INSTANCES,
    LEVELS,
    OTHER,
    PREFERRED,
    SAMPLES,
    sampled_misses,
    weight_of_recall,
)


@functools.cache
def best_f1_and_probability(ratio):
    """Find the best F1 of normal scores 2 apart, and the probability at its threshold."""
    with mpmath.workdps(40):

        def value(t):
            u, v = mpmath.ncdf(2 - t), mpmath.ncdf(-t)
            return 2 * u / (1 + u + ratio * v)

        threshold = mpmath.findroot(lambda t: mpmath.diff(value, t), (0, 6), solver="anderson")
        odds = mpmath.npdf(threshold, 2) / mpmath.npdf(threshold) / ratio
        return value(threshold), odds / (1 + odds)


@pytest.mark.parametrize("ratio", LEVELS)
@pytest.mark.slow
def test_the_best_cutoff_is_half_of_f1(decision, ratio):
    best, probability = best_f1_and_probability(ratio)
    assert abs(probability - best / 2) < mpmath.mpf(10) ** -15
    row = decision("half_of_f1").table.set_index("level").loc[f"1:{ratio}"]
    assert row["best F1"] == f"{float(best):.4f}"
    assert row["half of it"] == row["probability at its cut-off"] == f"{float(probability):.4f}"
    prevalence = Fraction(1, 1 + ratio)
    everything = 2 * prevalence / (1 + prevalence)
    assert row["F1/2 of constant scores"] == f"{float(everything / 2):.4f}"
    assert everything / 2 < prevalence


@pytest.mark.slow
def test_the_picture_of_half_of_f1(decision):
    """Each curve is highest where the line of half of F1 meets it."""
    (axes,) = decision("half_of_f1").figure.axes
    *lines, half = axes.get_lines()
    assert np.array_equal(half.get_xydata(), [(0, 0), (0.5, 1)])
    for ratio, curve, point in zip(LEVELS, lines[::2], lines[1::2], strict=True):
        best, probability = map(float, best_f1_and_probability(ratio))
        assert point.get_xydata()[0] == pytest.approx((probability, best), abs=1e-9)
        assert curve.get_ydata().max() == pytest.approx(best, abs=1e-4)
        assert curve.get_ydata().max() <= best


@pytest.mark.slow
def test_misses_in_samples(decision):
    """The first samples once more by scikit-learn; the medians as they are printed."""
    misses = sampled_misses(9)
    assert misses.shape == (SAMPLES,)
    random = np.random.default_rng(0)
    truth = random.random((SAMPLES, INSTANCES)) < 1 / 10
    scores = random.normal(2 * truth)
    for row in range(20):
        ratios = np.exp(2 * scores[row] - 2) / 9
        chances = ratios / (1 + ratios)
        precision, recall, thresholds = precision_recall_curve(truth[row], chances)
        with np.errstate(invalid="ignore"):
            values = 2 * precision * recall / (precision + recall)
        best = np.nanmax(values)
        where = np.flatnonzero(values[:-1] >= best - 1e-12)
        expected = np.abs(thresholds[where] - best / 2)
        assert np.abs(expected - misses[row]).min() < 1e-12
    medians = [np.median(sampled_misses(ratio)) for ratio in LEVELS]
    table = decision("half_of_f1").table
    assert list(table["median miss in samples"]) == [f"{one:.3f}" for one in medians]


def by_definition(tp, fp, fn, tn):
    """Compute measures of exact cells, with roots in floats and without undefined ones."""
    positives, negatives, called, spared = tp + fn, fp + tn, tp + fp, fn + tn
    total = positives + negatives
    tpr, tnr = tp / positives, tn / negatives
    found = {
        "accuracy": (tp + tn) / total,
        "balanced accuracy": (tpr + tnr) / 2,
        "Youden's J": tpr + tnr - 1,
        "true positive rate": tpr,
        "F1 score": 2 * tp / (positives + called),
        "geometric mean of sensitivity and specificity": sqrt(tpr * tnr),
    }
    chance = (positives * called + negatives * spared) / total**2
    found["Cohen's kappa"] = ((tp + tn) / total - chance) / (1 - chance)
    if called:
        found["precision"] = tp / called
    if called and spared:
        product = positives * negatives * called * spared
        found["Matthews correlation coefficient"] = (tp * tn - fp * fn) / sqrt(product)
    return found


def cells(shares, chances, calls):
    hits = sum(s * p for s, p, call in zip(shares, chances, calls, strict=True) if call)
    alarms = sum(s * (1 - p) for s, p, call in zip(shares, chances, calls, strict=True) if call)
    positives = sum(s * p for s, p in zip(shares, chances, strict=True))
    return hits, alarms, positives - hits, 1 - positives - alarms


ALL_CALLS = list(itertools.product((False, True), repeat=3))


@functools.cache
def best_values(shares, chances):
    """Return the best value of each measure over all sets of calls."""
    every = [by_definition(*cells(shares, chances, calls)) for calls in ALL_CALLS]
    return {name: max(one[name] for one in every if name in one) for name in every[1]}


def gains(shares, chances, cutoff):
    """List each measure's value with the true probabilities, and its best value."""
    limit = sum(s * p for s, p in zip(shares, chances, strict=True)) if cutoff is None else cutoff
    true = by_definition(*cells(shares, chances, [p > limit for p in chances]))
    return {name: (value, best_values(shares, chances)[name]) for name, value in true.items()}


SHOWN_CUTOFFS = ("1/2", "the prevalence", "0.15")


@pytest.fixture(scope="module")
def largest():
    """The largest gain of each measure by cut-off, over the populations of the page."""
    found = {}
    shares = tuple(Fraction(size, 100) for size in GROUP_SIZES)
    for percents in itertools.permutations(GROUP_PERCENTS, 3):
        exact = tuple(Fraction(percent, 100) for percent in percents)
        for shown, cutoff in zip(SHOWN_CUTOFFS, CUTOFFS, strict=True):
            limit = None if cutoff is None else Fraction(str(cutoff))
            for name, (true, best) in gains(shares, exact, limit).items():
                before = found.get((name, shown), (0, 0))
                if best - true > before[1] - before[0]:
                    found[name, shown] = true, best
    return found


@pytest.mark.slow
def test_gains_of_wrong_probabilities(decision, largest):
    table = decision("improper_measures").table.set_index("measure")
    proper = {("accuracy", "1/2"), ("balanced accuracy", "the prevalence")}
    proper.add(("Youden's J", "the prevalence"))
    for name in table.index[:-1]:
        for shown in SHOWN_CUTOFFS:
            cell = table.loc[name, f"proper at {shown}"]
            if (name, shown) in proper:
                assert cell == "yes"
                assert (name, shown) not in largest
            else:
                true, best = map(float, largest[name, shown])
                gain = float(cell.split("→")[1]) - float(cell.removeprefix("no: ").split(" →")[0])
                assert gain == pytest.approx(best - true, abs=1.1e-3)
    assert (table.loc["net benefit at that cut-off"].iloc[1:] == "yes").all()


@pytest.mark.slow
def test_weights_of_f1(decision):
    assert weight_of_recall(Fraction(3), Fraction(2)) == Fraction(2, 5)
    row = decision("weights_of_f").table.iloc[0]
    assert row["weight at 1:100"] == f"{float(1 / (1 + Fraction(9, 10) + 10)):.4f}"


@pytest.mark.slow
def test_f1_ranks_otherwise_than_either_mean():
    """Compare with scikit-learn on labels with these cells."""
    scored = []
    for tp, fp, fn, tn in (PREFERRED, OTHER):
        labels = np.repeat([1, 0, 1, 0], [tp, fp, fn, tn])
        calls = np.repeat([1, 0], [tp + fp, fn + tn])
        scored.append(
            [score(labels, calls) for score in (f1_score, recall_score, precision_score)]
            + [labels.sum() / (labels.sum() + calls.sum())]
        )
    (preferred, *_, first), (other, *_, second) = scored
    assert preferred > other
    for weight in (first, second):
        means = [weight * recall + (1 - weight) * prec for _, recall, prec, _ in scored]
        assert means[0] < means[1]


@pytest.mark.slow
def test_every_set_of_calls_is_below_the_one_that_the_rule_chooses():
    """Exact populations of five instances with probabilities: all 32 sets of calls."""
    random = np.random.default_rng(0)
    for _ in range(50):
        chances = [Fraction(int(one), 20) for one in random.integers(0, 21, 5)]
        if not sum(chances):
            continue
        values = {
            calls: 2 * sum(itertools.compress(chances, calls)) / (sum(chances) + sum(calls))
            for calls in itertools.product((0, 1), repeat=5)
        }
        best = max(values.values())
        assert values[tuple(int(2 * one > best) for one in chances)] == best
        assert values[tuple(int(2 * one >= best) for one in chances)] == best


@pytest.mark.slow
def test_what_is_proper_is_so_in_other_populations():
    """Accuracy at 1/2, balanced accuracy at π and net benefit anywhere, in exact populations."""
    random = np.random.default_rng(1)
    for _ in range(100):
        parts = [Fraction(int(one)) for one in random.integers(1, 20, 3)]
        shares = tuple(one / sum(parts) for one in parts)
        chances = tuple(Fraction(int(one), 23) for one in random.integers(1, 23, 3))
        true, best = gains(shares, chances, Fraction(1, 2))["accuracy"]
        assert true == best
        true, best = gains(shares, chances, None)["balanced accuracy"]
        assert true == best
        cutoff = Fraction(int(random.integers(1, 20)), 20)
        odds = cutoff / (1 - cutoff)
        values = {
            calls: (lambda tp, fp, *_: tp - odds * fp)(*cells(shares, chances, calls))
            for calls in ALL_CALLS
        }
        assert values[tuple(p > cutoff for p in chances)] == max(values.values())
