"""Statements on the cut-off that a metric implies, and on the weights of its parts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache

import numpy as np
from matplotlib.figure import Figure
from scipy.special import expit, logit
from scipy.stats import norm

from skewproof import ConfusionMatrix, Metric, get_metric
from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS, matrix_of
from skewproof.metrics import f1, parse_metric
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.drawing import LINES
from skewproof_studies.statements.statement import Computation, read_statements

MEAN = 2.0
"""Distance between the means of normal scores."""

LEVELS = (1, 9, 99)
"""Negatives per positive."""

SAMPLES, INSTANCES = 1000, 1000
"""Number of samples, and of instances in each."""


def posterior(threshold: float, ratio: float) -> float:
    """Return the calibrated probability at a score, if means of normal scores are :data:`MEAN`
    apart."""
    return float(expit(MEAN * threshold - MEAN**2 / 2 - np.log(ratio)))


def sampled_misses(ratio: float) -> Array:
    """Return, by sample, the distance of the lowest probability called at the best F1 from half of
    that F1."""
    random = np.random.default_rng(0)
    truth = random.random((SAMPLES, INSTANCES)) < 1 / (1 + ratio)
    scores = random.normal(MEAN * truth)
    order = (-scores).argsort(axis=1)
    hits = np.take_along_axis(truth, order, axis=1).cumsum(axis=1)
    values = 2 * hits / (np.arange(1, INSTANCES + 1) + hits[:, -1:])
    best = values.argmax(axis=1)
    rows = np.arange(SAMPLES)
    lowest = expit(MEAN * scores[rows, order[rows, best]] - MEAN**2 / 2 - np.log(ratio))
    return np.abs(lowest - values[rows, best] / 2)


def half_of_f1() -> Computation:
    """Compute whether the best cut-off of calibrated scores is F1/2, by the exchange rate and on
    curves."""
    rows = []
    misses = {ratio: float(np.median(sampled_misses(ratio))) for ratio in LEVELS}
    for ratio in LEVELS:
        point = best_point("f1", BinormalCurve(mean=MEAN), at=f"1:{ratio}")
        f1_of_everything = 2 / (2 + ratio)
        rows.append(
            (
                ratio,
                point.value,
                point.value / 2,
                posterior(point.threshold, ratio),
                misses[ratio],
                f1_of_everything / 2,
                1 / (1 + ratio),
            )
        )
    half = best_point("f1", BinormalCurve(mean=MEAN), at="1:9").value / 2
    values = {
        "samples": SAMPLES,
        "instances": INSTANCES,
        "least_miss": min(misses.values()),
        "largest_miss": max(misses.values()),
        "cutoff": exchange_rate("f1").cutoff_in_words,
        "half": half,
        "cutoff_of_squared_odds": expit(2 * logit(half)),
    }
    return Computation(rows, values, _half_figure(rows))


def _half_figure(rows: Sequence[Sequence[float]]) -> Figure:
    """Draw F1 against the cut-off on the probability, with half of F1 as the line that each curve
    meets at its highest point."""
    thresholds = np.linspace(-3, 6, 300)
    tpr, fpr = norm.sf(thresholds, MEAN), norm.sf(thresholds)
    with styled_figure((4.5, 3)) as (figure, axes):
        for line, (ratio, best, _, cutoff, *_) in zip(LINES, rows, strict=False):
            value = 2 * tpr / (1 + tpr + ratio * fpr)
            probability = expit(MEAN * thresholds - MEAN**2 / 2 - np.log(ratio))
            (curve,) = axes.plot(probability, value, linestyle=line, label=f"1:{ratio:g}")
            axes.plot(cutoff, best, "o", color=curve.get_color())
        axes.plot([0, 0.5], [0, 1], color="0.6", lw=0.8)
        axes.set(xlabel="cut-off on the probability", ylabel="F1", xlim=(0, 1), ylim=(0, 1))
        axes.legend()
    return figure


GROUP_SIZES = (10, 30, 60)
"""Sizes of three groups of instances."""

GROUP_PERCENTS = (5, 10, 20, 30, 40, 60, 70, 90)
"""Possible probabilities of being positive in a group, in percent."""


class Populations:
    """Populations of three groups, each with one probability, and all ways of calling groups
    positive."""

    def __init__(self) -> None:
        self.percents = np.array(list(itertools.permutations(GROUP_PERCENTS, 3)))
        self.calls = np.array(list(itertools.product((False, True), repeat=3)))
        sizes = np.array(GROUP_SIZES)
        positives, negatives = sizes * self.percents, sizes * (100 - self.percents)
        tp, fp = positives @ self.calls.T, negatives @ self.calls.T
        self.positives, self.total = positives.sum(axis=1), 100 * sizes.sum()
        fn = self.positives[:, None] - tp
        cells = (tp, fp, fn, self.total - tp - fp - fn)
        self.matrix = ConfusionMatrix(
            **dict(zip(CELLS, (cell.astype(float) for cell in cells), strict=True))
        )

    def counterexample(self, metric: Metric, cutoff: float | None) -> tuple[float, float] | None:
        """Return the value of the true probabilities and a higher value of wrong ones, with the
        largest gain; None if there is no gain. If the cut-off is None, it is the prevalence."""
        with np.errstate(all="ignore"):
            values = np.asarray(metric(self.matrix), dtype=float)
        # In whole numbers, so that a probability is not above a prevalence that it equals.
        limits = 100 * self.positives if cutoff is None else 100 * cutoff * self.total
        called = self.total * self.percents > np.broadcast_to(limits, self.positives.shape)[:, None]
        chosen = (self.calls[None] == called[:, None]).all(axis=2).argmax(axis=1)
        true = values[np.arange(chosen.size), chosen]
        gain = np.nanmax(np.where(np.isfinite(values), values, np.nan), axis=1) - true
        gain[~np.isfinite(gain)] = 0
        largest = int(gain.argmax())
        if gain[largest] < 1e-9:
            return None
        return float(true[largest]), float(true[largest] + gain[largest])


@cache
def populations() -> Populations:
    """Return the populations in which counterexamples are searched for."""
    return Populations()


def net_benefit(cutoff: float | None) -> Metric:
    """Return hits minus false alarms at the odds of a cut-off, or of the prevalence, per
    instance."""
    odds = "P/N" if cutoff is None else f"{cutoff}/{1 - cutoff}"
    return parse_metric(f"(tp - fp*{odds})/(P + N)", key="net_benefit")


MEASURES = (
    "accuracy",
    "balanced_accuracy",
    "youden_j",
    "true_positive_rate",
    "precision",
    "f1",
    "mcc",
    "cohen_kappa",
    "g_mean",
)
"""Measures of a classification that are examined."""

CUTOFFS = (0.5, None, 0.15)
"""The cut-offs; None is the prevalence, and the last one is neither 1/2 nor the prevalence."""


def improper_measures() -> Computation:
    """Compute which measures are proper at a cut-off: those that imply it in every population."""
    rows = []
    for key in MEASURES:
        metric = get_metric(key)
        proper = (properness(metric, cutoff) for cutoff in CUTOFFS)
        rows.append((metric.name, exchange_rate(key).cutoff_in_words, *proper))
    proper = (properness(net_benefit(cutoff), cutoff) for cutoff in CUTOFFS)
    rows.append(("net benefit at that cut-off", "that cut-off", *proper))
    return Computation(
        rows, {"populations": len(populations().percents), "group_sizes": GROUP_SIZES}
    )


def properness(metric: Metric, cutoff: float | None) -> str:
    """Return "yes", or "no" with the counterexample of the largest gain."""
    values = populations().counterexample(metric, cutoff)
    return "yes" if values is None else f"no: {values[0]:.3f} → {values[1]:.3f}"


CLASSIFIERS = ((0.9, 0.1), (0.6, 0.01), (0.3, 0.0001))
"""TPR and FPR of classifiers whose weights are shown."""

PREFERRED, OTHER = (3, 4, 1, 4), (4, 7, 0, 1)
"""Cells tp, fp, fn, tn of two classifiers that F1 orders differently than a mean with the weights
of either."""


def weight_of_recall(called: float, positives: float = 1.0) -> float:
    """Return the weight of recall in F1, written as a mean of recall and precision.

    Examples
    --------
    >>> weight_of_recall(called=3)
    0.25
    """
    return positives / (positives + called)


def weighted_mean(cells: tuple[int, int, int, int], weight: float) -> float:
    """Return the mean of recall and precision with the given weight of recall."""
    tp, fp, fn, _ = cells
    return weight * tp / (tp + fn) + (1 - weight) * tp / (tp + fp)


def weights_of_f() -> Computation:
    """Compute how F1 weighs its parts: as w·recall + (1 - w)·precision with w = P/(P + called)."""
    rows = [
        (tpr, fpr, *(weight_of_recall(tpr + fpr * ratio) for ratio in (1, 100, 10000)))
        for tpr, fpr in CLASSIFIERS
    ]
    values = [float(f1(matrix_of(map(float, cells)))) for cells in (PREFERRED, OTHER)]
    weights = [weight_of_recall(tp + fp, tp + fn) for tp, fp, fn, _ in (PREFERRED, OTHER)]
    means = [[weighted_mean(cells, weight) for cells in (PREFERRED, OTHER)] for weight in weights]
    return Computation(rows, {"preferred": PREFERRED, "other": OTHER, "f1": values, "means": means})


STATEMENTS = read_statements("cutoffs", half_of_f1, improper_measures, weights_of_f)
