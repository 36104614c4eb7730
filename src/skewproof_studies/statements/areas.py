"""Statements on areas under curves: the effect of imbalance, and the weights of mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.special import logit
from scipy.stats import norm

from skewproof.core.algebra import Array
from skewproof.curves import area, binormal_area
from skewproof_studies.statements.drawing import panels
from skewproof_studies.statements.statement import Decision, Statement

MEAN = 2.0
"""Distance between the means of normal scores."""

LEVELS = ("1:1", "1:10", "1:100", "1:1000")

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


def decide_auroc_stays() -> Decision:
    """Decide whether the area under the ROC curve stays the same under imbalance."""
    rows = []
    for level in LEVELS:
        ratio = int(level.removeprefix("1:"))
        kept = {
            kind: binormal_area(kind, level, mean=MEAN)
            for kind in ("auc", "average_precision", "calibrated_average_precision")
        }
        rows.append(
            {
                "level": f"1:{ratio:,}",
                "AUROC": f"{kept['auc']:.5f}",
                "average precision": f"{kept['average_precision']:.3f}",
                "calibrated to 1:1": f"{kept['calibrated_average_precision']:.3f}",
                "AUROC, easy negatives added": f"{auc_with_easy_negatives(1 - 1 / ratio):.5f}",
            }
        )
    return Decision(
        verdict="true if",
        sentence=(
            "It is true if the scores within each class keep their distribution. Average "
            f"precision then falls, here from {rows[0]['average precision']} at 1:1 to "
            f"{rows[-1]['average precision']} at 1:1,000. It can be false if the classes change "
            "with the imbalance: negatives that are easy to recognize raise the AUROC, here from "
            f"{rows[0]['AUROC, easy negatives added']} to "
            f"{rows[-1]['AUROC, easy negatives added']}."
        ),
        computed=(
            "The AUROC is the probability that a positive has a higher score than a negative, and "
            "does not depend on the prevalence. Precision does: PPV is 1/(1 + *rv*/*u*), which "
            "falls at every threshold as *r* grows, and so does its mean over the positives. "
            "Average precision that is calibrated to one prevalence does not change either, so "
            "the AUROC is not alone in this. The table uses normal scores 2 apart. In its last "
            "column, as many negatives as positives have these scores, and all further negatives "
            f"have scores around {EASY:g}, as in a wider search. The AUROC is then the weighted "
            "mean of the AUROCs against the two kinds of negatives."
        ),
        table=pd.DataFrame(rows),
    )


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


def decide_weights_of_mistakes() -> Decision:
    """Decide which mistakes the areas weigh most, and which of two groups they favor."""
    rows = []
    positives, size = sum(RANKING), len(RANKING)
    for rank in (HIGH_MISTAKE, LOW_MISTAKE):
        better, above = corrected(RANKING, rank), sum(RANKING[: rank + 1])
        rows.append(
            {
                "rank *k*": str(rank),
                "positives *m* down to *k* + 1": str(above),
                "gain of AUROC": f"{ranking_auroc(better) - ranking_auroc(RANKING):.6f}",
                "1/(PN)": f"{1 / (positives * (size - positives)):.6f}",
                "gain of AP": f"{ranking_ap(better) - ranking_ap(RANKING):.6f}",
                "*m*/(*k*(*k* + 1)P)": f"{above / (rank * (rank + 1) * positives):.6f}",
            }
        )
    first, second = (float(row["gain of AP"]) for row in rows)
    calibrated, in_own_order = favor(CALIBRATED), favor(CALIBRATED, "own")
    more, fewer = PREVALENCES
    return Decision(
        verdict="true if",
        sentence=(
            "The AUROC weighs all mistakes between neighbors alike: correcting one gains 1/(PN). "
            "In average precision a correction at rank *k* gains *m*/(*k*(*k* + 1)P), with *m* "
            "positives down to rank *k* + 1. So a mistake among high scores weighs more if the "
            "precision there is not lower. If it is lower, a mistake further down can weigh more, "
            f"in the example {second / first:.1f} times. Average precision favors the group with "
            "more positives if its mistakes are at higher scores and precision does not rise with "
            "the rank. In the example with calibrated scores, a correction of neighbors in the "
            f"whole ranking gains {calibrated:.0f} times as much on average in this group as in "
            "the other. A correction of neighbors in the order of their own group favors the other "
            f"group instead: in the limit of many instances it gains {in_own_order:.2f} times as "
            "much in this group, by average precision and by the AUROC alike. Where scores have "
            "the same distribution in each class of both groups, the first kind favors neither."
        ),
        computed=(
            "A negative at rank *k* and the positive below it change places. Then one more of the "
            "PN pairs is in order. The precision at the positive rises from *m*/(*k* + 1) to "
            "*m*/*k*, and nothing else changes. With the precision ρ = *m*/(*k* + 1) the gain is "
            "ρ/(*k*P). At equal precision it falls with the rank, but precision can rise with the "
            f"rank. The table has a ranking of {size} instances with {positives} positives: "
            f"{HIGH_MISTAKE} negatives, {LOW_MISTAKE - HIGH_MISTAKE - 1} positives, a negative, a "
            "positive, and the other negatives. The two groups have the same size, the "
            f"prevalences {more:g} and {fewer:g}, and normal scores {GROUP_MEAN:g} apart within "
            "each group. The mean gain of a correction within a group was integrated over the "
            "threshold, which is its limit for many instances. Where scores have the same "
            "distribution within each class of both groups, the mistakes of both are at the same "
            "ranks and gain the same on average. Neighbors in the order of their own group have "
            "instances of the other group between them, and exchanging them gains one more step "
            "for each of these. With calibrated scores both groups then gain the same in total in "
            "the limit, by each area, so the means differ as the numbers of mistakes do. In "
            "smaller rankings they differ less. The figure shows the ratio of the gains for "
            "shifted scores of the rarer group. Calibrated probabilities correspond to a shift of "
            f"{CALIBRATED:.2f} deviations."
        ),
        table=pd.DataFrame(rows),
        figure=_favor_figure(),
        caption=(
            "The gain in average precision from a correction of neighbors in the whole ranking, in "
            "the group with more positives, divided by that in the other group, by the shift of "
            "the other group's scores. The dotted line is at calibrated scores. For the AUROC the "
            "ratio is 1 throughout."
        ),
    )


def _favor_figure() -> Figure:
    shifts = np.linspace(-2, 2, 41)
    with panels() as (figure, (axes,)):
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


def decide_dominance() -> Decision:
    """Decide whether both curves order classifiers alike: precision at a given recall falls with
    FPR."""
    rows = []
    for ratios in ((1, 1), (100, 100), (100, 10)):
        for (tpr, low), (_, high) in zip(BETTER, WORSE, strict=True):
            shown = [1 / (1 + r * fpr / tpr) for r, fpr in zip(ratios, (low, high), strict=True)]
            rows.append(
                {
                    "levels": " and ".join(f"1:{ratio}" for ratio in ratios),
                    "recall": f"{tpr:g}",
                    "FPR": f"{low:g} and {high:g}",
                    "precision": f"{shown[0]:.3f} and {shown[1]:.3f}",
                    "precision of the better ROC curve": "higher"
                    if shown[0] > shown[1]
                    else "lower",
                }
            )
    areas = [(ranking_auroc(ranking), ranking_ap(ranking)) for ranking in (ONE, OTHER)]
    return Decision(
        verdict="proved",
        sentence=(
            "It holds at every level, provided that both curves are at the same level. For curves "
            "from test sets of different imbalance it is false: the dominant ROC curve can have "
            "the lower precision at every recall. It also says nothing about the areas of curves "
            f"that cross: AUROC {areas[0][0]:.3f} and {areas[1][0]:.3f} go with average precision "
            f"{areas[0][1]:.3f} and {areas[1][1]:.3f}."
        ),
        computed=(
            "At a recall *u* > 0 precision is 1/(1 + *rv*/*u*), which falls strictly with *v*. So "
            "at every recall a curve has a lower FPR if and only if it has a higher precision, "
            "for any *r* that both share. The table has points of two ROC curves, at the same "
            "levels and at different ones. The first curve has the lower FPR at each recall. The "
            f"smallest rankings whose areas disagree have five instances: {_shown(ONE)} and "
            f"{_shown(OTHER)}, from the highest score down."
        ),
        table=pd.DataFrame(rows),
    )


def _shown(ranking: Sequence[int]) -> str:
    return "".join("+" if label else "−" for label in ranking)


STATEMENTS = (
    Statement(
        name="auroc_stays",
        claim="The area under the ROC curve does not change with imbalance.",
        source=(
            "Richardson, Trevizani, Greenbaum, Carter, Nielsen and Peters (2024), The receiver "
            "operating characteristic curve accurately assesses imbalanced datasets, Patterns "
            "5(6), 100994, doi:10.1016/j.patter.2024.100994"
        ),
        read="abstract",
        decide=decide_auroc_stays,
        recompute="""
from skewproof.curves import binormal_area

for level in ("1:1", "1:100", "1:1000"):
    areas = [binormal_area(kind, level, mean=2) for kind in ("auc", "average_precision")]
    print(level, " ".join(f"{value:.3f}" for value in areas))
""",
    ),
    Statement(
        name="weights_of_mistakes",
        claim=(
            "AUROC weighs mistakes alike, while average precision weighs those among high scores "
            "more and so favors the group with more positives."
        ),
        source=(
            "McDermott, Zhang, Hansen, Angelotti and Gallifant (2024), A closer look at AUROC and "
            "AUPRC under class imbalance, NeurIPS 2024, arXiv:2401.06091"
        ),
        read="abstract",
        decide=decide_weights_of_mistakes,
        recompute="""
from skewproof.curves import area

labels = [0] * 10 + [1] * 19 + [0, 1] + [0] * 69
scores = list(range(100, 0, -1))
for k in (10, 30):  # the negative at rank k and the positive below it change places
    better = labels[: k - 1] + [1, 0] + labels[k + 1 :]
    for kind in ("auc", "average_precision"):
        print(k, kind, f"{area(kind, better, scores) - area(kind, labels, scores):.6f}")
""",
    ),
    Statement(
        name="dominance",
        claim=(
            "Of two curves on the same data, one dominates in ROC space if and only if it does in "
            "precision-recall space."
        ),
        source=(
            "Davis and Goadrich (2006), The relationship between precision-recall and ROC curves, "
            "ICML 2006, 233-240, doi:10.1145/1143844.1143874"
        ),
        read="abstract",
        decide=decide_dominance,
        recompute="""
from skewproof.curves import area

scores = [5, 4, 3, 2, 1]
for labels in ([0, 1, 1, 0, 0], [1, 0, 0, 0, 1]):
    areas = [area(kind, labels, scores) for kind in ("auc", "average_precision")]
    print(labels, " ".join(f"{value:.4f}" for value in areas))
for r in ((100, 100), (100, 10)):
    print(r, [round(1 / (1 + ratio * fpr / 0.5), 3) for ratio, fpr in zip(r, (0.1, 0.2))])
""",
    ),
)
