"""Statements on the cut-off that a metric implies, and on the weights of its parts."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pandas as pd
from scipy.special import expit, logit

from skewproof import ConfusionMatrix, Metric, get_metric
from skewproof.core.algebra import Array
from skewproof.core.confusion import CELLS, matrix_of
from skewproof.metrics import f1, parse_metric
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate
from skewproof_studies.statements.statement import Decision, Statement

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


def decide_half_of_f1() -> Decision:
    """Decide whether the best cut-off of calibrated scores is F1/2, by the exchange rate and on
    curves."""
    rows = []
    misses = {ratio: float(np.median(sampled_misses(ratio))) for ratio in LEVELS}
    for ratio in LEVELS:
        point = best_point("f1", BinormalCurve(mean=MEAN), at=f"1:{ratio}")
        everything = 2 / (2 + ratio)
        rows.append(
            {
                "level": f"1:{ratio}",
                "best F1": f"{point.value:.4f}",
                "half of it": f"{point.value / 2:.4f}",
                "probability at its cut-off": f"{posterior(point.threshold, ratio):.4f}",
                "median miss in samples": f"{misses[ratio]:.3f}",
                "F1/2 of constant scores": f"{everything / 2:.4f}",
                "prevalence": f"{1 / (1 + ratio):.4f}",
            }
        )
    half = best_point("f1", BinormalCurve(mean=MEAN), at="1:9").value / 2
    return Decision(
        verdict="proved",
        sentence=(
            "In a population whose scores are calibrated, F1 is highest if exactly the instances "
            "with a probability above half of the best F1 are called positive; instances at half "
            "of it make no difference. Without calibration the statement is false. In samples of "
            f"{INSTANCES:,} the best cut-off differs from half of the best F1 by "
            f"{min(misses.values()):.2f} to {max(misses.values()):.2f} in the median."
        ),
        computed=(
            "Let *F* be the highest F1, and *p* the probability that an instance is positive. F1 "
            "of a set of calls is 2·E[*p*; called]/(π + *q*), so E[2*p* - *F*; called] is at most "
            "*F*π for every set, and equal to it for the best set. It is largest if exactly the "
            "instances with 2*p* > *F* are called. The package derives the same cut-off from the "
            f"exchange rate: {exchange_rate('f1').cutoff_in_words}. For F_β the cut-off is F_β/(1 "
            "+ β²). If the odds that a model gives are the squares of the true ones, the cut-off "
            f"at 1:9 is {expit(2 * logit(half)):.3f} and not {half:.3f}. The table uses normal "
            "scores 2 apart. It has the best F1 of the population and the probability at its "
            f"cut-off. The median miss is over {SAMPLES:,} samples of {INSTANCES:,}: the distance "
            "between the lowest probability that is called positive and half of the sample's best "
            "F1. The last columns apply the rule to constant scores, which carry no information. "
            "Half of the F1 of calling everything positive, π/(1 + π), is below their probability "
            "π, so everything is called positive."
        ),
        table=pd.DataFrame(rows),
    )


GROUP_SIZES = (10, 30, 60)
"""Sizes of three groups of instances."""

GROUP_PERCENTS = (5, 10, 20, 30, 40, 60, 70, 90)
"""Possible probabilities of being positive in a group, in percent."""

LOW_CUTOFF = 0.15
"""A cut-off that is neither 1/2 nor the prevalence."""


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

CUTOFFS = {"1/2": 0.5, "the prevalence": None, f"{LOW_CUTOFF:g}": LOW_CUTOFF}
"""The cut-offs; None is the prevalence."""


def decide_improper() -> Decision:
    """Decide which measures are proper at a cut-off: those that imply it in every population."""
    rows = []
    for key in MEASURES:
        metric = get_metric(key)
        row = {"measure": metric.name, "best cut-off": exchange_rate(key).cutoff_in_words}
        for shown, cutoff in CUTOFFS.items():
            row[f"proper at {shown}"] = _shown(populations().counterexample(metric, cutoff))
        rows.append(row)
    benefit = {"measure": "net benefit at that cut-off", "best cut-off": "that cut-off"}
    for shown, cutoff in CUTOFFS.items():
        counterexample = populations().counterexample(net_benefit(cutoff), cutoff)
        benefit[f"proper at {shown}"] = _shown(counterexample)
    rows.append(benefit)
    return Decision(
        verdict="true if",
        sentence=(
            "It holds for the measures below, and more strictly than stated: at 1/2 only accuracy "
            "is proper, and at the prevalence only balanced accuracy and Youden's index. F1, MCC, "
            "kappa and the G-mean are proper at no cut-off, since their best cut-off depends on "
            "the model. It does not hold for a measure that weighs false alarms by the odds of "
            "the cut-off, as net benefit does. Such a measure is proper at every cut-off."
        ),
        computed=(
            "A measure is proper at a cut-off if no wrong probabilities give a better value in "
            "the population than the true ones. With the true ones exactly the instances above "
            "the cut-off are called positive. The measure is therefore proper if and only if "
            "calling these is best in every population, that is, if the cut-off is always the one "
            "that maximizes the measure: 1/(1 + *c*) at its exchange rate *c*. For accuracy this "
            "is 1/2 and for balanced accuracy π, whatever the scores. For F1 it is half of the "
            "best F1, which is 1/2 only if F1 is 1. The table has this best cut-off. For each of "
            "three cut-offs it has “yes” or the largest gain that was found: the value with the "
            f"true and with wrong probabilities. The search covered {len(populations().percents)} "
            f"populations of three groups with {GROUP_SIZES[0]}, {GROUP_SIZES[1]} and "
            f"{GROUP_SIZES[2]} % of the instances, and all ways to call groups positive."
        ),
        table=pd.DataFrame(rows),
    )


def _shown(values: tuple[float, float] | None) -> str:
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


def decide_weights_of_f() -> Decision:
    """Decide how F1 weighs its parts: F1 = w·recall + (1 - w)·precision with w = P/(P + called)."""
    rows = []
    for tpr, fpr in CLASSIFIERS:
        row = {"TPR": f"{tpr:g}", "FPR": f"{fpr:g}"}
        for ratio in (1, 100, 10000):
            row[f"weight at 1:{ratio:,}"] = f"{weight_of_recall(tpr + fpr * ratio):.4f}"
        rows.append(row)
    values = [float(f1(matrix_of(map(float, cells)))) for cells in (PREFERRED, OTHER)]
    weights = [weight_of_recall(tp + fp, tp + fn) for tp, fp, fn, _ in (PREFERRED, OTHER)]
    means = [[weighted_mean(cells, weight) for cells in (PREFERRED, OTHER)] for weight in weights]
    return Decision(
        verdict="proved",
        sentence=(
            "F1 is *w*·recall + (1 - *w*)·precision with *w* = P/(P + TP + FP): the number of "
            "positives divided by the sum of the positives and the positive calls. The weight "
            "depends on the classifier, and it is unique if recall and precision differ. So the "
            "order of two classifiers by F1 can differ from that by the mean with the weights of "
            "either of them."
        ),
        computed=(
            "F1 is 2TP/(P + Q) with Q = TP + FP positive calls, recall is TP/P and precision is "
            "TP/Q; so P·recall + Q·precision is 2TP. If recall and precision differ, a number "
            "between them is their weighted mean for one weight only. For F_β the weight is "
            "β²P/(β²P + Q). The table has the weight of recall for three classifiers. Even for a "
            "single classifier it goes to 0 as the false alarms grow with the number of "
            "negatives. An example of the reversal has 4 positives and 8 negatives. A classifier "
            f"with {PREFERRED[0]} hits and {PREFERRED[1]} false alarms has a higher F1 than one "
            f"with {OTHER[0]} hits and {OTHER[1]} false alarms ({values[0]:.3f} against "
            f"{values[1]:.3f}). With the weights of the first, though, the means are "
            f"{means[0][0]:.3f} and {means[0][1]:.3f}, and with those of the second "
            f"{means[1][0]:.3f} and {means[1][1]:.3f}: the second is better both times. "
            "Computation cannot decide whether this is a flaw."
        ),
        table=pd.DataFrame(rows),
    )


STATEMENTS = (
    Statement(
        name="half_of_f1",
        claim="The cut-off with the best F1 is half of that F1.",
        source=(
            "Lipton, Elkan and Naryanaswamy (2014), Optimal thresholding of classifiers to "
            "maximize F1 measure, ECML PKDD 2014, LNCS 8725, 225-239, "
            "doi:10.1007/978-3-662-44851-9_15"
        ),
        read="abstract",
        decide=decide_half_of_f1,
        recompute="""
import math
from skewproof.operating_points import BinormalCurve, best_point, exchange_rate

print(exchange_rate("f1").cutoff_in_words)
point = best_point("f1", BinormalCurve(mean=2), at="1:9")
odds = math.exp(2 * point.threshold - 2) / 9  # the likelihood ratio at the threshold, times P/N
print(f"F1/2 {point.value / 2:.6f}, probability at its cut-off {odds / (1 + odds):.6f}")
""",
    ),
    Statement(
        name="improper_measures",
        claim=(
            "Measures of a classification are improper unless its cut-off is 1/2 or the prevalence."
        ),
        source=(
            "Van Calster, Collins, Vickers and others (2025), Evaluation of performance measures "
            "in predictive artificial intelligence models to support medical decisions: overview "
            "and guidance, The Lancet Digital Health, arXiv:2412.10288"
        ),
        read="abstract",
        decide=decide_improper,
        recompute="""
from skewproof import ConfusionMatrix
from skewproof.metrics import f1

# Groups of 10, 30 and 60 instances, with 6, 12 and 3 positives; only the first is above 1/2.
print("true probabilities", f1(ConfusionMatrix(tp=6.0, fp=4.0, fn=15.0, tn=75.0)).round(3))
print("the second group too", f1(ConfusionMatrix(tp=18.0, fp=22.0, fn=3.0, tn=57.0)).round(3))
""",
    ),
    Statement(
        name="weights_of_f",
        claim=(
            "F1 is a weighted mean of precision and recall whose weights depend on the classifier."
        ),
        source=(
            "Hand and Christen (2018), A note on using the F-measure for evaluating record linkage "
            "algorithms, Statistics and Computing 28, 539-547, doi:10.1007/s11222-017-9746-6"
        ),
        read="abstract",
        decide=decide_weights_of_f,
        recompute="""
import sympy

tp, fp, fn = sympy.symbols("tp fp fn", positive=True)
weight = (tp + fn) / (tp + fn + tp + fp)
mean = weight * tp / (tp + fn) + (1 - weight) * tp / (tp + fp)
print(sympy.simplify(mean - 2 * tp / (2 * tp + fp + fn)))
""",
    ),
)
