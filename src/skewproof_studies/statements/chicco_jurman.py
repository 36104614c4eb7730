"""Statements of Chicco, Jurman and their coauthors on the Matthews correlation coefficient.

If a hit is worth c false alarms to a user, a classifier is useful if it does better than calling
nothing positive and than calling everything positive.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb
from typing import NamedTuple

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.special import ndtr

from skewproof import ConfusionMatrix
from skewproof.core.confusion import matrix_of
from skewproof.metrics import accuracy, cohen_kappa, f1, mcc
from skewproof.operating_points import BinormalCurve, best_point
from skewproof.reporting.style import BLUE, STYLE, VERMILION
from skewproof_studies.statements.statement import Decision, Statement


class Cells(NamedTuple):
    """The counts of a confusion matrix."""

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def matrix(self) -> ConfusionMatrix:
        """Matrix of these counts."""
        return matrix_of(self)

    @property
    def mistakes(self) -> int:
        """Number of false alarms and misses."""
        return self.fp + self.fn


CASES = {
    "A1": Cells(tp=90, fp=9, fn=1, tn=0),
    "A2": Cells(tp=5, fp=6, fn=70, tn=19),
    "B1": Cells(tp=47, fp=45, fn=3, tn=5),
    "B2": Cells(tp=10, fp=4, fn=40, tn=46),
    "C1": Cells(tp=9, fp=89, fn=1, tn=1),
    "C2": Cells(tp=2, fp=1, fn=9, tn=88),
}
"""The six matrices of Chicco and Jurman (2020), taken from the authors' public script."""

COMMON = (Cells(tp=90, fp=9, fn=0, tn=1), Cells(tp=70, fp=1, fn=20, tn=9))
RARE = (Cells(tp=90, fp=900, fn=10, tn=9100), Cells(tp=50, fp=10, fn=50, tn=9990))
"""Pairs of classifiers of which MCC prefers the second, and a stated worth of a hit the first."""

RARE_WORTH = 100


def useful_between(cells: Cells) -> tuple[Fraction, Fraction | None]:
    """Return the range of the worth of a hit, in false alarms, for which the classifier is useful:
    above the first number and below the second, which is None if there is no limit."""
    most = Fraction(cells.tn, cells.fn) if cells.fn else None
    return Fraction(cells.fp, cells.tp), most


def against_f1_and_accuracy() -> Decision:
    """Decide whether MCC shows what F1 and accuracy hide."""
    rows = []
    for name, cells in CASES.items():
        low, high = useful_between(cells)
        useful = high is None or low < high
        values = [float(metric(cells.matrix)) for metric in (accuracy, f1, mcc)]
        between = f"{float(low):.3f} to {float(high or 0):.3f}" if useful else "none"
        rows.append((name, *cells, *(f"{value:.2f}" for value in values), between))
    columns = [
        *("case", "tp", "fp", "fn", "tn"),
        *("accuracy", "F1", "MCC"),
        "useful if a hit is worth",
    ]
    table = pd.DataFrame(rows, columns=columns)
    first = table.set_index("case").loc["A1"]
    common, rare = ([float(mcc(cells.matrix)) for cells in pair] for pair in (COMMON, RARE))
    gains = [float(cells.tp - Fraction(cells.fp, RARE_WORTH)) for cells in RARE]
    nobody = ", ".join(table.loc[table["useful if a hit is worth"] == "none", "case"])
    return Decision(
        verdict="true if",
        sentence=(
            "True for the sign. MCC is above 0 if and only if there is a worth of a hit at which "
            "the classifier does better than calling nothing and than calling everything "
            "positive: more than fp/tp and fewer than tn/fn false alarms. Accuracy and F1 do not "
            f"show this: case A1 has an accuracy of {first['accuracy']} and an F1 of "
            f"{first['F1']}, and like {nobody.replace('A1, ', '').replace(', ', ' and ')} it is "
            f"useful at no worth. False for the size: of {tuple(COMMON[0])} and "
            f"{tuple(COMMON[1])}, as (tp, fp, fn, tn), MCC prefers the second ({common[0]:.2f} "
            f"against {common[1]:.2f}), which makes {COMMON[1].mistakes} mistakes instead of "
            f"{COMMON[0].mistakes}; accuracy and F1 prefer the first."
        ),
        computed=(
            "The six matrices of the authors' public script were evaluated in exact fractions. If "
            "a hit is worth *c* false alarms, a classifier gains tp - fp/c; calling nothing "
            "positive gains 0 and calling everything positive P - N/c. The classifier beats both "
            "if and only if fp/tp < c < tn/fn, which some c satisfies if and only if tp·tn > "
            "fp·fn. The difference of these products is the numerator of MCC, kappa, informedness "
            "and markedness. The ratio of the two ends is the diagnostic odds ratio. In terms of "
            "the threshold probability 1/(1 + c), the range goes from FOR to PPV. Markedness is "
            "its length, and the cut-off that maximizes MCC, (PPV + FOR)/2, is its middle. With "
            f"rare positives MCC misleads as well: if a hit is worth {RARE_WORTH} false alarms, "
            f"{tuple(RARE[0])} gains {gains[0]:g} hits and {tuple(RARE[1])} gains {gains[1]:g}, "
            f"and their MCC is {rare[0]:.2f} and {rare[1]:.2f}; F1 and accuracy prefer the second, "
            "too."
        ),
        table=table,
        figure=_useful_figure(),
        caption=(
            "The worth of a hit, in false alarms, at which each of the six classifiers is useful. "
            "A classifier with crosses is useful at no worth: the worth would have to be above "
            "the right end and below the left end. The left end of A1 is 0."
        ),
    )


def _useful_figure() -> Figure:
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6, 2.2), layout="constrained")
        axes = figure.subplots()
        for row, cells in enumerate(CASES.values()):
            low, high = (float(end or 0) for end in useful_between(cells))
            ends = [max(end, 1 / 100) for end in (low, high)]
            useful = low < high
            axes.plot(
                ends,
                [row, row],
                color=BLUE if useful else VERMILION,
                linestyle="-" if useful else ":",
                marker="|" if useful else "x",
                linewidth=2,
            )
        axes.set_xscale("log")
        axes.set_yticks(range(len(CASES)), CASES)
        axes.invert_yaxis()
        axes.set_xlabel("false alarms that a hit is worth")
    return figure


HIGH = Fraction(9, 10)
"""Value that counts as high."""


def guaranteed(metric: str, value: Fraction) -> tuple[tuple[Fraction, ...], Fraction | None]:
    """Return the bounds on the basic rates that a value of a metric guarantees at any prevalence.

    These are the greatest lower bounds above 0 of single rates, and the lower bound of the larger
    of the other two rates if there is one.
    """
    bounds: dict[str, tuple[tuple[Fraction, ...], Fraction | None]] = {
        "MCC": ((value**2,) * 4, None),
        "informedness": ((value,) * 2, (1 + value) / 2),
        "balanced accuracy": ((2 * value - 1,) * 2, value),
        "markedness": ((value,) * 2, (1 + value) / 2),
        "F1": ((value / (2 - value),) * 2, None),
        "accuracy": ((2 * value - 1, 1 / (3 - 2 * value)), None),
    }
    return bounds[metric]


RATES_OF = {
    "MCC": "TPR, TNR, PPV and NPV",
    "informedness": "TPR and TNR; PPV or NPV",
    "balanced accuracy": "TPR and TNR; PPV or NPV",
    "markedness": "PPV and NPV; TPR or TNR",
    "F1": "TPR and PPV",
    "accuracy": "TPR and PPV, or TNR and NPV",
}


def guaranteed_rates() -> Decision:
    """Decide how many basic rates a high value guarantees to be high."""
    rows = []
    for metric, rates in RATES_OF.items():
        each, other = guaranteed(metric, HIGH)
        ends = " and ".join(dict.fromkeys(f"{float(bound):.3f}" for bound in each))
        ends += "" if other is None else f"; {float(other):.3f}"
        number = len(each) + (other is not None)
        rows.append((metric, rates, number, ends))
    table = pd.DataFrame(
        rows, columns=["metric", "rates", "how many", f"at {float(HIGH)} at least"]
    )
    four, three = guaranteed("MCC", HIGH)[0][0], guaranteed("informedness", HIGH)[0][0]
    return Decision(
        verdict="proved",
        sentence=(
            "Proved, with sharp bounds: four rates for MCC, three for informedness, balanced "
            "accuracy and markedness, two for F1 and accuracy. The bounds differ more than the "
            f"numbers of rates. An MCC of {float(HIGH)} guarantees {float(four):.2f} for each "
            f"rate, while an informedness of {float(HIGH)} guarantees {float(three):.2f} for TPR "
            f"and TNR and {float((1 + HIGH) / 2):.2f} for the larger predictive value; the other "
            "predictive value can then be arbitrarily low."
        ),
        computed=(
            "The bounds are the greatest lower bounds over all prevalences. MCC² is informedness "
            "times markedness, and neither is above 1, so each is at least m². Also u ≥ u - v and "
            "PPV ≥ PPV - FOR; fp = 0 and rare positives approach the bound. Balanced accuracy b, "
            "with w = 1 - v: u = 2b - w ≥ 2b - 1. The odds of the two predictive values have the "
            "product uw/((1 - u)(1 - w)) at every prevalence, so the larger odds are at least its "
            "square root, which is smallest at u = w = b and is b/(1 - b) there. Markedness "
            "follows by exchanging truth and prediction. F1 f: 1/PPV = 2/f - 1/u ≤ 2/f - 1. "
            "Accuracy a, with e = 1 - a: the larger class has at least half of the instances. If "
            "it is the positive class, u ≥ 1 - 2e, and PPV is smallest if all mistakes are false "
            "alarms, (1/2)/(1/2 + e). Tests search all matrices with cells of up to 8 for a "
            "violation, and approach each bound."
        ),
        table=table,
    )


Counts = NDArray[np.int64]

SIZES = ((30, 30), (10, 90))
"""Numbers of positives and negatives for which all classifiers are compared with each other."""


def all_cells(positives: int, negatives: int) -> tuple[Counts, Counts, Counts, Counts]:
    """Return tp, fp, fn and tn of all matrices with both positive and negative calls."""
    tp, fp = (
        cell.ravel()
        for cell in np.meshgrid(
            np.arange(positives + 1, dtype=np.int64), np.arange(negatives + 1, dtype=np.int64)
        )
    )
    called = tp + fp
    kept = (called > 0) & (called < positives + negatives)
    tp, fp = tp[kept], fp[kept]
    return tp, fp, positives - tp, negatives - fp


Quotient = Callable[[Counts, Counts, Counts, Counts], tuple[Counts, Counts]]


def _mcc_order(tp: Counts, fp: Counts, fn: Counts, tn: Counts) -> tuple[Counts, Counts]:
    """Return MCC² with its sign, without the constant factor PN."""
    upper = tp * tn - fp * fn
    return np.sign(upper) * upper**2, (tp + fp) * (fn + tn)


ORDERS: dict[str, Quotient] = {
    "MCC": _mcc_order,
    "accuracy": lambda tp, fp, fn, tn: (tp + tn, np.ones_like(tp)),
    "balanced accuracy": lambda tp, fp, fn, tn: (
        tp * (fp + tn) + tn * (tp + fn),
        np.ones_like(tp),
    ),
    "markedness": lambda tp, fp, fn, tn: (tp * tn - fp * fn, (tp + fp) * (fn + tn)),
    "F1": lambda tp, fp, fn, tn: (2 * tp, 2 * tp + fp + fn),
}
"""Numerators and denominators of quotients that order classifiers as a metric does at given class
sizes. They are whole numbers, so that comparisons are exact."""


def share_against(metric: str, positives: int, negatives: int, worth: int) -> Fraction:
    """Return the share of pairs of classifiers with different gains that a metric orders against
    the gain, if a hit is worth so many false alarms."""
    tp, fp, fn, tn = all_cells(positives, negatives)
    upper, lower = ORDERS[metric](tp, fp, fn, tn)
    order = np.sign(np.multiply.outer(upper, lower) - np.multiply.outer(lower, upper))
    gain = worth * tp - fp
    wanted = np.sign(np.subtract.outer(gain, gain))
    return Fraction(int((order * wanted < 0).sum()), int((wanted != 0).sum()))


def classes_matter_equally() -> Decision:
    """Decide whether MCC is the right metric if both classes matter equally."""
    rows = []
    for metric in ORDERS:
        shares = [
            share_against(metric, positives, negatives, worth)
            for positives, negatives in SIZES
            for worth in sorted({1, negatives // positives})
        ]
        rows.append((metric, *(f"{100 * float(share):.1f} %" for share in shares)))
    columns = ["metric", "30:30", "10:90, all mistakes alike", "10:90, both classes alike"]
    table = pd.DataFrame(rows, columns=columns)
    share = table.set_index("metric")
    chosen = share.loc["MCC"]
    return Decision(
        verdict="cannot be tested as stated",
        sentence=(
            "“More informative” cannot be tested. If it means choosing the preferred classifier, "
            "the statement is false under either meaning of equal importance. If all mistakes "
            "count alike, accuracy orders all classifiers as preferred, and MCC orders "
            f"{chosen.iloc[1]} of the pairs the other way, among all classifiers of 10 positives "
            "and 90 negatives but the two constant ones. If both classes count alike, balanced "
            f"accuracy orders all as preferred, and MCC orders {chosen.iloc[2]} of the pairs the "
            "other way. At 30:30 the "
            f"two meanings coincide, and MCC contradicts them in {chosen.iloc[0]} of the pairs."
        ),
        computed=(
            "All matrices with 30 positives and 30 negatives were compared with each other in "
            "whole numbers, and so were all with 10 and 90. The constant classifiers, which call "
            "everything or nothing positive, were left out, since MCC and markedness are undefined "
            "for them. A hit is worth one false alarm under "
            "the first meaning, and N/P under the second. The table has the share of the pairs "
            "with different gains that a metric orders against the gain. MCC weighs something "
            "else: its square is informedness times markedness. The authors name three cases in "
            "which informedness fits better: an unrepresentative prevalence, a comparison between "
            "data sets, and the assessment of the level of random guessing."
        ),
        table=table,
    )


class BetaScores(NamedTuple):
    """A setting of the authors' simulation: positives follow a mixture of two Beta distributions
    with weights .7 and .3, and negatives follow a third one."""

    first: tuple[int, int]
    second: tuple[int, int]
    negatives: tuple[int, int]
    prevalence: Fraction


EXTREMES = (
    BetaScores((9, 15), (9, 15), (12, 7), Fraction(1, 2)),
    BetaScores((3, 8), (6, 15), (15, 7), Fraction(1, 11)),
    BetaScores((7, 15), (8, 14), (15, 8), Fraction(1, 11)),
    BetaScores((7, 15), (7, 15), (14, 6), Fraction(10, 11)),
)
"""Settings with the largest differences of MCC and 1 - Brier in the authors' public results.
"""

WEIGHTS = (Fraction(7, 10), Fraction(3, 10))


def _above_half(shapes: tuple[int, int]) -> Fraction:
    """Return P(score >= 1/2) for whole-number shapes, a binomial sum."""
    a, b = shapes
    trials = a + b - 1
    return sum((Fraction(comb(trials, hits), 2**trials) for hits in range(a)), Fraction(0))


def _moments(shapes: tuple[int, int]) -> tuple[Fraction, Fraction]:
    a, b = shapes
    return Fraction(a, a + b), Fraction(a * (a + 1), (a + b) * (a + b + 1))


class Judged(NamedTuple):
    """Scores of a setting in the population, at the cut-off 1/2."""

    brier: Fraction
    skill: Fraction
    kappa: float
    mcc: float


def judged(scores: BetaScores) -> Judged:
    """Return Brier's score, its skill against the base rate, kappa and MCC."""
    share = scores.prevalence
    positives = list(zip(WEIGHTS, (scores.first, scores.second), strict=True))
    missed = sum(
        weight * (1 - 2 * mean + square)
        for weight, (mean, square) in ((weight, _moments(shapes)) for weight, shapes in positives)
    )
    brier = share * missed + (1 - share) * _moments(scores.negatives)[1]
    tpr = sum((weight * _above_half(shapes) for weight, shapes in positives), Fraction(0))
    matrix = ConfusionMatrix.from_rates(
        float(tpr),
        float(_above_half(scores.negatives)),
        positives=float(share),
        negatives=float(1 - share),
    )
    skill = 1 - brier / (share * (1 - share))
    return Judged(brier, skill, float(cohen_kappa(matrix)), float(mcc(matrix)))


GROUPS = (
    (Fraction(5, 100), Fraction(9, 10)),
    (Fraction(10, 100), Fraction(4, 10)),
    (Fraction(85, 100), Fraction(1, 100)),
)
"""Groups of instances: the share of each group, and the share of positives in it."""

INFLATED = Fraction(3, 5)
"""Forecast of a rival for the second group."""


def judged_groups(forecasts: tuple[Fraction, ...]) -> tuple[Fraction, float]:
    """Return Brier's score and the MCC at the cut-off 1/2 of forecasts, by group."""
    brier, cells = Fraction(0), [Fraction(0)] * 4
    for (share, chance), forecast in zip(GROUPS, forecasts, strict=True):
        brier += share * (chance * (1 - forecast) ** 2 + (1 - chance) * forecast**2)
        first = 0 if forecast >= Fraction(1, 2) else 2
        cells[first] += share * chance
        cells[first + 1] += share * (1 - chance)
    tp, fp, fn, tn = map(float, cells)
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn, unobserved="one of shares")
    return brier, float(mcc(matrix))


def against_kappa_and_brier() -> Decision:
    """Decide whether MCC is more truthful than kappa and the Brier score; compute both readings."""
    rows = []
    for scores in EXTREMES:
        judgment = judged(scores)
        constant = 1 - scores.prevalence * (1 - scores.prevalence)
        shown = (1 - judgment.brier, constant, judgment.skill, judgment.kappa, judgment.mcc)
        rows.append((f"{float(scores.prevalence):.3f}", *(f"{float(v):.3f}" for v in shown)))
    columns = ["prevalence", "1 - Brier", "1 - Brier of the base rate", "skill", "kappa", "MCC"]
    table = pd.DataFrame(rows, columns=columns)
    chances = tuple(chance for _, chance in GROUPS)
    (calibrated, true_mcc), (inflated, rival_mcc) = (
        judged_groups(forecasts) for forecasts in (chances, (chances[0], INFLATED, chances[2]))
    )
    first = table.iloc[0]
    return Decision(
        verdict="cannot be tested as stated",
        sentence=(
            "“More truthful” cannot be tested. The authors' largest disagreements with the Brier "
            "score are about its reference. In the largest of them 1 minus the score "
            f"is {first['1 - Brier']}. This is bad, since always forecasting the prevalence has "
            f"{first['1 - Brier of the base rate']}; the skill is {first['skill']}, and MCC is "
            f"{first['MCC']}. Skill and MCC have the same sign in all {len(table)} settings. If "
            "truthful means that true probabilities score best, the statement is false: MCC at the "
            "cut-off 1/2 can prefer the worse forecast. Raising a calibrated "
            f"{float(chances[1])} to {float(INFLATED)} takes the Brier score from "
            f"{float(calibrated):.4f} to {float(inflated):.4f} and MCC from {true_mcc:.3f} to "
            f"{rival_mcc:.3f}. Kappa always has the sign of MCC. It is nearer to 0, unless "
            "the number of positive calls equals the number of positives or both metrics are 0."
        ),
        computed=(
            "The settings with the largest disagreements are those of the authors' public "
            "results, which come from a search over settings and samples. Here they are computed "
            "for the population, in exact fractions: moments of Beta distributions, and binomial "
            "sums for the rates at the cut-off 1/2. Skill is 1 - Brier/(π(1 - π)). Kappa is "
            "2(tp·tn - fp·fn) divided by P·N' + N·P', with P' and N' the numbers of positive and "
            "negative calls. MCC has the geometric mean of these two products in place of the "
            "arithmetic mean, so |kappa| ≤ |MCC|, with equality if and only if P = P' or both are "
            "0. In the example 5 % of the instances are positive with probability .9, 10 % with .4 "
            "and the others with .01. The rival calls the 10 % positive, too: a loss if a hit is "
            "worth one false alarm. Computation cannot decide whether a forecast, an "
            "agreement or a correlation is more informative."
        ),
        table=table,
    )


PERFECT = Cells(tp=253, fp=0, fn=247, tn=5)
"""Case of the authors' public results in which all positives rank above all negatives."""

GOOD_CURVE = BinormalCurve(mean=2)


def least_area(value: Fraction) -> tuple[Fraction, Fraction]:
    """Return the smallest area under a ROC curve through a point with an MCC above 0, and under a
    concave one, over all prevalences."""
    return value**2, (1 + value**2) / 2


def instead_of_auc() -> Decision:
    """Decide whether MCC should replace the area under the ROC curve."""
    least, least_concave = least_area(HIGH)
    at_half = float(mcc(PERFECT.matrix))
    points = {
        f"1:{ratio:,}": best_point("mcc", GOOD_CURVE, at=f"1:{ratio}") for ratio in (1, 100, 10_000)
    }
    rows = [(level, f"{point.value:.3f}", f"{point.tpr:.3f}") for level, point in points.items()]
    area = float(ndtr(GOOD_CURVE.mean / 2**0.5))
    return Decision(
        verdict="true if",
        sentence=(
            f"The first half is true: a ROC curve through a point with an MCC of {float(HIGH)} has "
            f"an area of at least {float(least):.2f}, and of at least {float(least_concave):.3f} "
            "if it is concave. The second half is true of a cut-off and not of the scores: in a "
            f"case of the authors with the area 1 and an MCC of {at_half:.3f}, the cut-off 1/2 is "
            "to blame, and MCC is 1 at another cut-off. If positives are rare, no cut-off helps: "
            f"on a curve with the area {area:.3f} the best MCC is {rows[0][1]} at {rows[0][0]} and "
            f"{rows[-1][1]} at {rows[-1][0]}. It does not follow that MCC should replace the area, "
            "since the area judges a ranking and MCC a decision."
        ),
        computed=(
            "MCC² is informedness times markedness, so informedness is at least m². The curve "
            "rises through (v, u), so its area is at least u(1 - v) ≥ u - v ≥ m². A concave curve "
            "lies above the lines to the corners, under which the area is (1 + u - v)/2. Both "
            "bounds are approached with v = 0, u = m² and increasingly rare positives. The "
            f"authors' case has {PERFECT.tp + PERFECT.fn} positives and {PERFECT.fp + PERFECT.tn} "
            "negatives. The table has the best MCC over all cut-offs for normal scores two "
            "deviations apart."
        ),
        table=pd.DataFrame(rows, columns=["level", "best MCC", "TPR there"]),
    )


SERIES = "Chicco, D., and Jurman, G."

STATEMENTS = (
    Statement(
        name="mcc_against_f1_and_accuracy",
        claim=(
            "Accuracy and F1 can be high on imbalanced data for a useless classifier, and MCC "
            "shows it."
        ),
        source=(
            f"{SERIES} (2020). The advantages of the Matthews correlation coefficient (MCC) over "
            "F1 score and accuracy in binary classification evaluation. BMC Genomics 21, 6. "
            "doi:10.1186/s12864-019-6413-7"
        ),
        read="abstract",
        decide=against_f1_and_accuracy,
        recompute="""\
from skewproof import ConfusionMatrix
from skewproof.metrics import accuracy, f1, mcc
a1 = ConfusionMatrix(tp=90, fp=9, fn=1, tn=0)
print(a1.fp / a1.tp < a1.tn / a1.fn, *(float(m(a1).round(2)) for m in (accuracy, f1, mcc)))
pair = ConfusionMatrix(tp=[90, 70], fp=[9, 1], fn=[0, 20], tn=[1, 9])
print(mcc(pair).round(2), pair.fp + pair.fn)
""",
    ),
    Statement(
        name="mcc_guarantees_four_rates",
        claim=(
            "A high MCC guarantees four high rates; a high balanced accuracy, informedness or "
            "markedness three; a high F1 or accuracy two."
        ),
        source=(
            f"{SERIES} (2023). The Matthews correlation coefficient (MCC) should replace the ROC "
            "AUC as the standard metric for assessing binary classification. BioData Mining 16, 4, "
            "Table 2. doi:10.1186/s13040-023-00322-4"
        ),
        read="part of the text",
        decide=guaranteed_rates,
        recompute="""\
from skewproof import ConfusionMatrix
from skewproof.metrics import mcc, youden_j
low = ConfusionMatrix.from_rates(0.81, 0, positives=1, negatives=1e9)
print(round(float(mcc(low)), 6), float(low.tpr))
balanced = ConfusionMatrix.from_rates(0.95, 0.05, positives=1, negatives=1)
print(round(float(youden_j(balanced)), 6), round(float(balanced.ppv), 6))
""",
    ),
    Statement(
        name="mcc_if_classes_matter_equally",
        claim=(
            "Where both classes are equally important, MCC is more informative than balanced "
            "accuracy, informedness and markedness."
        ),
        source=(
            "Chicco, D., Tötsch, N., and Jurman, G. (2021). The Matthews correlation coefficient "
            "(MCC) is more reliable than balanced accuracy, bookmaker informedness, and markedness "
            "in two-class confusion matrix evaluation. BioData Mining 14, 13. "
            "doi:10.1186/s13040-021-00244-z"
        ),
        read="abstract",
        decide=classes_matter_equally,
        recompute="""\
import numpy as np
from skewproof import ConfusionMatrix
from skewproof.metrics import mcc
tp, fp = np.array([(t, f) for t in range(11) for f in range(91) if 0 < t + f < 100]).T
value = mcc(ConfusionMatrix.from_tp_fp(tp, fp, positives=10, negatives=90)).round(12)
for gain in (tp - fp, 9 * tp - fp):  # a mistake as a mistake, a class as a class
    wanted = np.subtract.outer(gain, gain)
    print((wanted * np.subtract.outer(value, value) < 0).sum() / (wanted != 0).sum())
""",
    ),
    Statement(
        name="mcc_against_kappa_and_brier",
        claim=(
            "Where Cohen's kappa or the Brier score disagrees with MCC, MCC is the more truthful."
        ),
        source=(
            "Chicco, D., Warrens, M. J., and Jurman, G. (2021). The Matthews correlation "
            "coefficient (MCC) is more informative than Cohen's kappa and Brier score in binary "
            "classification assessment. IEEE Access 9, 78368-78381. doi:10.1109/ACCESS.2021.3084050"
        ),
        read="abstract",
        decide=against_kappa_and_brier,
        recompute="""\
from scipy.stats import beta
positive, negative = beta(9, 15), beta(12, 7)
brier = (1 - 2 * positive.mean() + positive.moment(2) + negative.moment(2)) / 2
print(round(1 - brier, 3), 1 - 0.25, round(1 - brier / 0.25, 3))
""",
    ),
    Statement(
        name="mcc_should_replace_auc",
        claim=(
            "A high MCC implies a high area under the ROC curve and not the reverse, so MCC should "
            "replace the area."
        ),
        source=(
            f"{SERIES} (2023). The Matthews correlation coefficient (MCC) should replace the ROC "
            "AUC as the standard metric for assessing binary classification. BioData Mining 16, 4. "
            "doi:10.1186/s13040-023-00322-4"
        ),
        read="abstract",
        decide=instead_of_auc,
        recompute="""\
from skewproof import ConfusionMatrix
from skewproof.metrics import mcc
from skewproof.operating_points import BinormalCurve, best_point
print(round(float(mcc(ConfusionMatrix(tp=253, fp=0, fn=247, tn=5))), 3))
for level in ("1:1", "1:10000"):
    print(level, round(best_point("mcc", BinormalCurve(mean=2), at=level).value, 3))
""",
    ),
)
