"""Statements on areas under curves: the effect of imbalance, and the weights of mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from scipy.special import logit
from scipy.stats import norm

from skewproof.core.algebra import Array
from skewproof.curves import area, binormal_area
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.statement import Computation, read_statements

MEAN = 2.0
"""Distance between the means of normal scores."""

RATIOS = (1, 10, 100, 1000)
"""Negatives per positive."""

EASY = -3.0
"""Mean of the scores of negatives that are easy to recognize."""


def auc_with_easy_negatives(share: float) -> float:
    """Return the area under the ROC curve if a share of the negatives has scores around
    :data:`EASY`.

    Examples
    --------
    >>> round(auc_with_easy_negatives(0), 5)
    0.92135
    """
    hard, easy = norm.cdf(MEAN / np.sqrt(2)), norm.cdf((MEAN - EASY) / np.sqrt(2))
    return float((1 - share) * hard + share * easy)


def auroc_stays() -> Computation:
    """Compute whether the area under the ROC curve stays the same under imbalance."""
    rows = []
    for ratio in RATIOS:
        areas = (
            binormal_area(kind, f"1:{ratio}", mean=MEAN)
            for kind in ("auc", "average_precision", "calibrated_average_precision")
        )
        rows.append((ratio, *areas, auc_with_easy_negatives(1 - 1 / ratio)))
    return Computation(rows, {"easy": EASY})


def ranking_auroc(ranking: Sequence[int]) -> float:
    """Return the AUROC of labels from the highest score to the lowest."""
    return float(area("auc", ranking, -np.arange(len(ranking))))


def ranking_ap(ranking: Sequence[int]) -> float:
    """Return the average precision of labels from the highest score to the lowest."""
    return float(area("average_precision", ranking, -np.arange(len(ranking))))


HIGH_MISTAKE, LOW_MISTAKE = 10, 30
"""Ranks of two negatives just above a positive."""

RANKING = (0,) * HIGH_MISTAKE + (1,) * (LOW_MISTAKE - HIGH_MISTAKE - 1) + (0, 1) + (0,) * 69
"""Labels in the order of their scores, with two mistakes of which the lower one weighs more."""


def corrected(ranking: Sequence[int], rank: int) -> tuple[int, ...]:
    """Return a ranking with the negative at a rank and the positive below it exchanged."""
    return (*ranking[: rank - 1], 1, 0, *ranking[rank + 1 :])


PREVALENCES = (0.2, 0.02)
"""Prevalences of two groups of the same size."""

GROUP_MEAN = 1.5
"""Distance between the means of normal scores within each group."""

CALIBRATED = float(logit(PREVALENCES[1]) - logit(PREVALENCES[0])) / GROUP_MEAN
"""Shift of the second group's scores if both groups are calibrated, in standard deviations: the
logarithm of the odds of being positive is GROUP_MEAN times the score, plus a constant."""


Order = Literal["whole", "own"]
"""Ranking in which the two instances of a mistake are neighbors: all, or their own group."""

Area = Literal["AP", "AUROC"]


class Weights(NamedTuple):
    """Mean gain of an area by a correction within each group, in arbitrary units."""

    frequent: float
    rare: float


def mean_weights(shift: float, order: Order = "whole", area: Area = "AP") -> Weights:
    """Return the mean gain of a correction within the group with more and with fewer positives.

    A correction exchanges a negative and the positive below it, which are neighbors in the whole
    ranking or in that of their own group. At the threshold t a step of the positive gains TP/q² of
    average precision, the limit of m/(k(k + 1)), and the same of the AUROC everywhere. Such pairs
    have the density f₀f₁/f, with f₀ and f₁ of the group and f of the ranking in which they are
    neighbors. Neighbors in their own group are as many steps apart as there are instances of both
    groups for each of the own one.

    Parameters
    ----------
    shift
        Difference by which scores of the group with fewer positives are higher, in standard
        deviations.
    """
    thresholds = np.linspace(-14, 14, 14001)
    tp = np.zeros_like(thresholds)
    called, density = tp.copy(), tp.copy()
    groups: list[tuple[Array, Array]] = []
    for prevalence, start in zip(PREVALENCES, (0.0, shift), strict=True):
        positive = prevalence / 2 * norm.pdf(thresholds - start - GROUP_MEAN)
        negative = (1 - prevalence) / 2 * norm.pdf(thresholds - start)
        tp += prevalence / 2 * norm.sf(thresholds - start - GROUP_MEAN)
        called += (1 - prevalence) / 2 * norm.sf(thresholds - start)
        density += positive + negative
        groups.append((positive * negative, positive + negative))
    step = tp / (called + tp) ** 2 if area == "AP" else np.ones_like(tp)
    gains = []
    for pairs, group in groups:
        ranking = density if order == "whole" else group
        mistakes = pairs / ranking
        gains.append(float((step * density / ranking * mistakes).sum() / mistakes.sum()))
    return Weights(*gains)


def favor(shift: float, order: Order = "whole", area: Area = "AP") -> float:
    """Return the ratio of the gains by a correction: more positives to fewer positives."""
    weights = mean_weights(shift, order, area)
    return weights.frequent / weights.rare


def weights_of_mistakes() -> Computation:
    """Compute which mistakes the areas weigh most, and which of two groups they favor."""
    rows = []
    positives, size = sum(RANKING), len(RANKING)
    for rank in (HIGH_MISTAKE, LOW_MISTAKE):
        better, above = corrected(RANKING, rank), sum(RANKING[: rank + 1])
        rows.append(
            (
                rank,
                above,
                ranking_auroc(better) - ranking_auroc(RANKING),
                1 / (positives * (size - positives)),
                ranking_ap(better) - ranking_ap(RANKING),
                above / (rank * (rank + 1) * positives),
            )
        )
    values = {
        "size": size,
        "positives": positives,
        "ranks": (HIGH_MISTAKE, LOW_MISTAKE),
        "gains": [gain for *_, gain, _ in rows],
        "prevalences": PREVALENCES,
        "mean": GROUP_MEAN,
        "shift": CALIBRATED,
        "favor": favor(CALIBRATED),
        "favor_in_own_order": favor(CALIBRATED, "own"),
    }
    return Computation(rows, values, _favor_figure())


def _favor_figure() -> Figure:
    shifts = np.linspace(-2, 2, 41)
    with styled_figure((4.5, 3)) as (figure, axes):
        axes.plot(shifts, [favor(float(shift)) for shift in shifts])
        axes.axhline(1, color="0.6", lw=0.8)
        axes.axvline(CALIBRATED, color="0.3", linestyle=":")
        axes.set(
            yscale="log",
            xlabel="shift of the rarer group's scores, in deviations",
            ylabel="gain, more frequent / rarer group",
        )
    return figure


ONE, OTHER = (0, 1, 1, 0, 0), (1, 0, 0, 0, 1)
"""Two rankings that AUROC and average precision order differently."""

BETTER, WORSE = ((0.5, 0.1), (0.8, 0.3)), ((0.5, 0.2), (0.8, 0.4))
"""Points (TPR, FPR) of a ROC curve that dominates another at the same true positive rates."""


def dominance() -> Computation:
    """Compute whether both curves order classifiers alike: precision at a given recall falls with
    FPR."""
    rows = []
    for ratios in ((1, 1), (100, 100), (100, 10)):
        for (tpr, low), (_, high) in zip(BETTER, WORSE, strict=True):
            first, second = (
                1 / (1 + ratio * fpr / tpr) for ratio, fpr in zip(ratios, (low, high), strict=True)
            )
            rows.append(
                (
                    "1:{} and 1:{}".format(*ratios),
                    tpr,
                    f"{low} and {high}",
                    f"{first:.3f} and {second:.3f}",
                    "higher" if first > second else "lower",
                )
            )
    rankings = [
        {
            "auroc": ranking_auroc(ranking),
            "ap": ranking_ap(ranking),
            "signs": "".join("+" if label else "−" for label in ranking),
        }
        for ranking in (ONE, OTHER)
    ]
    return Computation(rows, {"rankings": rankings})


STATEMENTS = read_statements("areas", auroc_stays, weights_of_mistakes, dominance)
