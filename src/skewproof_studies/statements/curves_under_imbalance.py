"""Statements of Saito and Rehmsmeier (2015) on ROC and precision-recall curves.

Their simulation has two classifiers with the same area under the ROC curve. The early one finds
some positives before many negatives, and the late one rejects some negatives early. With u = TPR
and v = FPR the curves are u = v^(1/4) and u = 1 - (1 - v)^4, which are mirror images of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from scipy.integrate import quad
from scipy.optimize import brentq

from skewproof.reporting.style import BLUE, STYLE, VERMILION
from skewproof_studies.statements.statement import Decision, Statement

EXPONENT = 4
"""Parameter of both curves: the scores of positives or negatives are Beta(4, 1) or Beta(1, 4)."""

STEEPER = 8
"""Exponent of another late curve, with a larger area under the ROC curve."""

RATIOS = (1, 10, 100, 1000)
"""Negatives per positive."""

SHOWN_RATIO = 10

STRICT, EAGER = (0.3, 0.001), (0.6, 0.05)
"""TPR and FPR of two classifiers whose precision-recall areas prefer the less useful one."""

RARE, MODEST_WORTH = 100, 20
"""Negatives per positive, and a worth of a hit in false alarms, of the counterexample."""

SOURCE = (
    "Saito, T., and Rehmsmeier, M. (2015). The precision-recall plot is more informative than the "
    "ROC plot when evaluating binary classifiers on imbalanced datasets. PLOS ONE 10(3), e0118432. "
    "doi:10.1371/journal.pone.0118432"
)


def early_fpr(tpr: float) -> float:
    """Return the FPR of the early curve at a TPR."""
    return tpr**EXPONENT


def late_fpr(tpr: float, exponent: int = EXPONENT) -> float:
    """Return the FPR of a late curve at a TPR."""
    return float(1 - (1 - tpr) ** (1 / exponent))


def precision_recall_area(fpr_at: Callable[[float], float], ratio: float) -> float:
    """Return the area under a precision-recall curve at a ratio of negatives per positive."""
    return float(quad(lambda u: u / (u + ratio * fpr_at(u)), 0, 1, epsabs=1e-12, limit=200)[0])


def early_value(slope: float) -> float:
    """Return the largest u - slope·v on the early curve: the gain of its best cut-off, as a share
    of the positives, if a hit is worth N/(P·slope) false alarms."""
    last_inside = 1 / EXPONENT  # the curve's slope at its end
    if slope <= last_inside:
        return 1 - slope
    best_tpr = (EXPONENT * slope) ** (-1 / (EXPONENT - 1))
    return best_tpr - slope * best_tpr**EXPONENT


def late_value(slope: float) -> float:
    """Return the same for the late curve, by reflection."""
    return 1 - slope + slope * early_value(1 / slope)


def fpr_through(point: tuple[float, float], tpr: float) -> float:
    """Return the FPR at a TPR on the ROC curve of two straight lines through a point."""
    u, v = point
    return v * tpr / u if tpr <= u else v + (1 - v) * (tpr - u) / (1 - u)


def value_through(point: tuple[float, float], ratio: float, worth: float) -> float:
    """Return the gain of the best decision on this ROC curve, as a share of the positives."""
    return max(tpr - fpr * ratio / worth for tpr, fpr in ((0.0, 0.0), point, (1.0, 1.0)))


def turning_ratio(exponent: int = STEEPER) -> float:
    """Return the ratio of the classes at which the precision-recall areas of the early and of a
    late curve are equal."""

    def difference(log_ratio: float) -> float:
        ratio = np.exp(log_ratio)
        late = precision_recall_area(lambda u: late_fpr(u, exponent), ratio)
        return late - precision_recall_area(early_fpr, ratio)

    return float(np.exp(brentq(difference, 0, np.log(RATIOS[1]), xtol=1e-10)))


def roc_misleads() -> Decision:
    """Decide whether ROC curves mislead under imbalance."""
    area = Fraction(EXPONENT, EXPONENT + 1)
    rows = []
    for ratio in RATIOS:
        early = precision_recall_area(early_fpr, ratio)
        late = precision_recall_area(late_fpr, ratio)
        rows.append((f"1:{ratio:,}", f"{float(area):.3f}", f"{early:.3f}", f"{late:.3f}"))
    table = pd.DataFrame(
        rows, columns=["level", "ROC area of both", "PR area, early", "PR area, late"]
    )
    shown = table.set_index("level").loc[f"1:{SHOWN_RATIO}"]
    balanced = table.set_index("level").loc["1:1"]
    worth = 2 * SHOWN_RATIO
    early, late = (value(SHOWN_RATIO / worth) for value in (early_value, late_value))
    roc_areas = [(1 + tpr - fpr) / 2 for tpr, fpr in (STRICT, EAGER)]
    pr_areas = [
        precision_recall_area(partial(fpr_through, point), RARE) for point in (STRICT, EAGER)
    ]
    values = [value_through(point, RARE, MODEST_WORTH) for point in (STRICT, EAGER)]
    return Decision(
        verdict="false",
        sentence=(
            f"False as a rule: at 1:{RARE} let the ROC curve of A be two straight lines through "
            f"TPR {STRICT[0]} and FPR {STRICT[1]}, and that of B through {EAGER[0]} and "
            f"{EAGER[1]}. The precision-recall area prefers A ({pr_areas[0]:.3f} against "
            f"{pr_areas[1]:.3f}) and the ROC area B ({roc_areas[0]:.4g} against "
            f"{roc_areas[1]:.4g}). If a hit is worth {MODEST_WORTH} false alarms, B is better: its "
            f"best decision gains {values[1]:.3f} of the positives, that of A {values[0]:.3f}. The "
            "statement is true of the two classifiers of the simulation, here called early and "
            "late, if a hit is worth fewer false alarms than there are negatives for each "
            f"positive. They have the same ROC area, {area}. At 1:{SHOWN_RATIO} the areas under "
            f"their precision-recall curves are {shown['PR area, early']} (early) and "
            f"{shown['PR area, late']} (late), and early is better if a hit is worth fewer than "
            f"{SHOWN_RATIO} false alarms. If a hit is worth {worth}, late is better: its best "
            f"cut-off gains {late:.3f} of the positives, that of early {early:.3f}. At 1:1 the "
            f"areas differ as well ({balanced['PR area, early']} and "
            f"{balanced['PR area, late']}). So neither area alone says which classifier is more "
            "useful."
        ),
        computed=(
            "The scores of late are uniform for negatives and Beta(4, 1) for positives; those of "
            "early are Beta(1, 4) for negatives and uniform for positives. These are the "
            "simulated distributions of poor and good early retrieval, from memory. The curves "
            "are $u = 1 - (1 - v)^4$ (late) and $u = v^{1/4}$ (early), and the area under each is "
            "exactly 4/5. Areas under precision-recall curves are integrals of *u*/(*u* + *rv*) "
            "over *u*. If a hit is worth *c* false alarms, the gain is $\\max_v (u - sv)$ with $s "
            "= r/c$, in units of the positives: $h(s) = \\frac34 (4s)^{-1/3}$ on the early curve "
            "for $s \\ge 1/4$, and $1 - s + s\\,h(1/s)$ on the late one. The gain of early minus "
            "that of late is 0 at $s = 1$, concave from there to $s = 4$, where it is still above "
            "0, and $h(s)$ beyond. Below 1 it has the opposite sign by reflection. So early wins "
            "if and only if *c* < *r*. The gain of A and B is the largest at the ends of their "
            "lines. The precision is a function of TPR, FPR and *r*, so a ROC "
            "curve with a known level contains everything that the precision-recall curve does, "
            "but its reader has to multiply a small FPR by *r*."
        ),
        table=table,
        figure=_mirrored_figure(),
        caption=(
            "Two classifiers with the same ROC area (left), their precision-recall curves at "
            f"1:{SHOWN_RATIO} (middle), and the gain of the best cut-off of each at that level "
            "(right)."
        ),
    )


def _mirrored_figure() -> Figure:
    tpr = np.linspace(1e-6, 1, 400)
    curves = {
        "early": (tpr**EXPONENT, early_value, BLUE, "-"),
        "late": (1 - (1 - tpr) ** (1 / EXPONENT), late_value, VERMILION, "--"),
    }
    worth = np.geomspace(1, SHOWN_RATIO**2, 200)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7.2, 2.6), layout="constrained")
        left, middle, right = figure.subplots(1, 3)
        for name, (fpr, value, color, line) in curves.items():
            style = {"color": color, "linestyle": line, "label": name}
            left.plot(fpr, tpr, **style)
            middle.plot(tpr, tpr / (tpr + SHOWN_RATIO * fpr), **style)
            right.plot(worth, [value(SHOWN_RATIO / alarms) for alarms in worth], **style)
        left.set(xlabel="FPR", ylabel="TPR", aspect="equal")
        middle.set(xlabel="TPR", ylabel="precision", ylim=(0, 1.02))
        right.set(xlabel="false alarms that a hit is worth", ylabel="gain, share of positives")
        right.set_xscale("log")
        right.axvline(SHOWN_RATIO, color="0.6", linewidth=0.8, linestyle=":")
        left.legend(frameon=False)
    return figure


def precision_recall_predicts() -> Decision:
    """Decide whether a precision-recall curve predicts future performance."""
    tpr, fpr = Fraction(4, 5), Fraction(1, 20)
    tested, deployed = RATIOS[1], RATIOS[-1]
    there, then = (tpr / (tpr + ratio * fpr) for ratio in (tested, deployed))
    turn = turning_ratio()
    early_name, late_name = f"$u = v^{{1/{EXPONENT}}}$", f"$u = 1 - (1 - v)^{STEEPER}$"
    rows = []
    for ratio in (RATIOS[0], RATIOS[1]):
        late = precision_recall_area(lambda u: late_fpr(u, STEEPER), ratio)
        rows.append((f"1:{ratio}", f"{precision_recall_area(early_fpr, ratio):.3f}", f"{late:.3f}"))
    return Decision(
        verdict="true if",
        sentence=(
            "True if positives are as frequent in use as in the test set and the scores within "
            "each class keep their distribution. If positives are rarer, the odds of the precision "
            "fall by the factor by which the ratio of the classes rises: a "
            f"precision of {there}, or {float(there):.3f}, at 1:{tested} becomes {then}, or "
            f"{float(then):.4f}, at 1:{deployed:,}. The order of two classifiers whose ROC curves "
            f"cross can change, too. By the area under the precision-recall curve, {late_name} is "
            f"better than {early_name} at 1:1 ({rows[0][2]} against {rows[0][1]}) and worse at "
            f"1:{RATIOS[1]} ({rows[1][2]} against {rows[1][1]}). They change places at "
            f"1:{turn:.3f}."
        ),
        computed=(
            "A precision is *u*/(*u* + *rv*), so its odds are *u*/(*rv*): exact fractions show "
            "the factor for TPR 4/5 and FPR 1/20. Areas are integrals over the TPR, and the level "
            "at which the two curves change places was found as a root of their difference. "
            "With `at=` the package computes the area that the same scores would have at the "
            "prevalence of deployment. If one ROC curve is nowhere below the other, the order is "
            "the same at every level, since the precision at a given TPR falls with the FPR."
        ),
        table=pd.DataFrame(rows, columns=["level", early_name, late_name]),
    )


STATEMENTS = (
    Statement(
        name="roc_misleads_under_imbalance",
        claim=(
            "Where positives are rare, ROC curves mislead, and precision-recall curves should be "
            "used instead."
        ),
        source=SOURCE,
        read="abstract",
        decide=roc_misleads,
        recompute="""\
from scipy.integrate import quad
early, late = lambda u: u**4, lambda u: 1 - (1 - u) ** 0.25
for curve in (early, late):
    roc_area = 1 - quad(curve, 0, 1)[0]
    pr_area = quad(lambda u: u / (u + 10 * curve(u)), 0, 1)[0]
    print(round(roc_area, 6), round(pr_area, 3))
for u, v in ((0.3, 0.001), (0.6, 0.05)):  # A and B at 1:100, and a hit worth 20 false alarms
    fpr = lambda x: v * x / u if x < u else v + (1 - v) * (x - u) / (1 - u)
    pr_area = quad(lambda x: x / (x + 100 * fpr(x)), 0, 1, points=[u])[0]
    print(round((1 + u - v) / 2, 4), round(pr_area, 3), round(max(0, u - 5 * v, 1 - 5), 3))
""",
    ),
    Statement(
        name="precision_recall_predicts_performance",
        claim="A precision-recall curve predicts how a classifier will perform in use.",
        source=SOURCE,
        read="abstract",
        decide=precision_recall_predicts,
        recompute="""\
from skewproof import ConfusionMatrix, project
from skewproof.metrics import precision
tested = ConfusionMatrix.from_rates(0.8, 0.05, positives=100, negatives=1000)
print(float(precision(tested).round(3)))
print(float(precision(project(tested, at="1:1000")).round(4)))
""",
    ),
)
