"""Statements on the guarantees of a metric's value, and on the effect of imbalance on it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from skewproof import ConfusionMatrix
from skewproof.core.algebra import Array, Value
from skewproof.metrics import accuracy, mcc
from skewproof.operating_points import best_point
from skewproof.operating_points.curves import BinormalCurve
from skewproof_studies.statements.drawing import LINES, panels, show_levels
from skewproof_studies.statements.statement import Decision, Statement

RATIOS = tuple(10**power for power in range(0, 7))
"""Negatives per positive."""


def least_rates(value: Value, ratio: Value) -> dict[str, Value]:
    """Return the smallest TPR, TNR, PPV and NPV at an MCC above 0 and a number of negatives per
    positive.

    Examples
    --------
    >>> {name: round(rate, 3) for name, rate in least_rates(0.9, 1).items()}
    {'TPR': 0.895, 'TNR': 0.895, 'PPV': 0.905, 'NPV': 0.905}
    """
    square = value**2
    return {
        "TPR": square * (1 + ratio) / (ratio + square),
        "TNR": square * (1 + ratio) / (1 + ratio * square),
        "PPV": (1 + ratio * square) / (1 + ratio),
        "NPV": (ratio + square) / (1 + ratio),
    }


def decide_high_mcc() -> Decision:
    """Decide whether a high MCC bounds the four rates; they are at least MCC², with bounds by
    level."""
    rows = []
    for value in (0.5, 0.7, 0.9):
        for ratio in (1, 10, 1000):
            rates = {name: f"{rate:.3f}" for name, rate in least_rates(value, ratio).items()}
            rows.append({"MCC": f"{value:g}", "level": f"1:{ratio:,}"} | rates)
    half = least_rates(0.5, 1000)
    return Decision(
        verdict="proved",
        sentence=(
            "It holds with MCC² as the bound: if MCC is *m* > 0, all four rates are at least "
            "*m*², and no larger bound holds at all levels. So an MCC of 0.9 guarantees at least "
            f"{0.9**2:.2f} for each rate, and 0.5 guarantees {0.5**2:.2f}. At a given *r* the "
            "sharp bounds are TPR ≥ *m*²(1 + *r*)/(*r* + *m*²), TNR ≥ *m*²(1 + *r*)/(1 + *rm*²), "
            "PPV ≥ (1 + *rm*²)/(1 + *r*) and NPV ≥ (*r* + *m*²)/(1 + *r*). Conversely, if all "
            "four are at least *h* ≥ 1/2, MCC is at least 2*h* - 1."
        ),
        computed=(
            "MCC² is the product of TPR + TNR - 1 and PPV + NPV - 1. Both factors are at most 1; "
            "the first is at most TPR and TNR, and the second at most PPV and NPV. For the sharp "
            "bounds: at a given TPR the MCC falls with *v*, so it is highest at *v* = 0, where "
            "*m*² = *ru*/(1 + *r* - *u*). At a given PPV it rises with *u*, so it is highest at "
            "*u* = 1, where *m*² = (1 - *v*)/(1 + *rv*). These equations, solved for TPR and PPV, "
            "give the bounds. Exchanging the classes, and so *r* with 1/*r*, gives those of TNR "
            "and NPV. As positives become rare, the bounds of TPR and PPV fall to *m*², and those "
            "of TNR and NPV rise to 1, which calling nothing positive reaches in this limit as "
            "well. With an MCC of 0.5 at 1:1,000 the TPR can be as low as "
            f"{half['TPR']:.3f}, without a false alarm, and the PPV as low as {half['PPV']:.3f}, "
            "without a miss. The converse follows from MCC = √(PPV·TPR·TNR·NPV) - √((1 - PPV)(1 - "
            "TPR)(1 - TNR)(1 - NPV)), and is sharp where all four are *h*. The table has the "
            "lowest rates."
        ),
        table=pd.DataFrame(rows),
        figure=_high_mcc_figure(),
        caption="The lowest TPR (left) and PPV (right) that are possible at an MCC, by level.",
    )


def _high_mcc_figure() -> Figure:
    ratios = np.geomspace(1, 1e4, 100)
    with panels(2, width=6.5) as (figure, grid):
        for axes, name in zip(grid, ("TPR", "PPV"), strict=True):
            for line, value in zip(LINES, (0.9, 0.7, 0.5), strict=False):
                axes.plot(ratios, least_rates(value, ratios)[name], line, label=f"MCC {value:g}")
            show_levels(axes, RATIOS[:5])
            axes.set(ylim=(0, 1), ylabel=f"lowest {name}")
        figure.legend(*grid[0].get_legend_handles_labels(), loc="outside right upper")
    return figure


def best_ratio(tpr: float, fpr: float) -> float:
    """Return the negatives per positive at which MCC is highest, for given rates 0 < FPR < TPR < 1.

    Examples
    --------
    >>> round(best_ratio(0.9, 0.1), 9)
    1.0
    """
    return float(np.sqrt(tpr * (1 - tpr) / (fpr * (1 - fpr))))


def _at_rates(
    metric: Callable[[ConfusionMatrix], Array], tpr: float, fpr: float, ratio: Value
) -> Array:
    return metric(ConfusionMatrix.from_rates(tpr, fpr, positives=1.0, negatives=ratio))


CLASSIFIERS = ((0.9, 0.1), (0.6, 0.01), (0.99, 0.3))
"""TPR and FPR of the classifiers whose MCC is shown."""


def decide_mcc_falls() -> Decision:
    """Decide whether MCC falls under imbalance; at fixed rates it has one maximum over the
    levels."""
    rows = []
    for tpr, fpr in CLASSIFIERS:
        values = {f"1:{r:,}": f"{_at_rates(mcc, tpr, fpr, r):.3f}" for r in (1, 5, 10, 100, 1000)}
        peak = best_ratio(tpr, fpr)
        highest = f"{_at_rates(mcc, tpr, fpr, peak):.3f}"
        rows.append(
            {"TPR": f"{tpr:g}", "FPR": f"{fpr:g}"}
            | values
            | {"highest": highest, "at": f"1:{peak:.2f}"}
        )
    tpr, fpr = CLASSIFIERS[1]
    return Decision(
        verdict="true if",
        sentence=(
            "At fixed rates with 0 < *v* < *u* < 1, MCC is highest at *r* = √(*u*(1 - *u*)/(*v*(1 "
            "- *v*))), with the value √(*u*(1 - *v*)) - √(*v*(1 - *u*)), and falls on both sides "
            "of it. The maximum is at 1:1 if and only if TPR = TNR. For the rates (0.9, 0.1) MCC "
            f"falls from {_at_rates(mcc, 0.9, 0.1, 1):.2f} at 1:1 to "
            f"{_at_rates(mcc, 0.9, 0.1, 1000):.3f} at 1:1,000. For ({tpr:g}, {fpr:g}) it first "
            f"rises, from {_at_rates(mcc, tpr, fpr, 1):.3f} at 1:1 to "
            f"{_at_rates(mcc, tpr, fpr, 5):.3f} at 1:5."
        ),
        computed=(
            "(*u* - *v*)²/MCC² is *u*(1 - *u*)/*r* + *u*(1 - *v*) + *v*(1 - *u*) + *rv*(1 - *v*), "
            "a convex function of *r* with one minimum, where its first and last terms are equal. "
            "The highest value is sin(*h*/2) with Cohen's *h* = 2 arcsin √*u* - 2 arcsin √*v*. "
            "As positives become rare, MCC approaches (*u* - *v*)/√(*rv*(1 - *v*)). With false "
            "alarms it falls to 0, by a factor of √10 if *r* grows tenfold. Without false alarms "
            "it is √(*ru*/(1 + *r* - *u*)), which rises with *r* to √*u*. This is about the value "
            "of MCC; where on a ROC curve MCC is highest is [another "
            "question](#classifiers-that-maximize-f-jaccard-or-mcc-ignore-the-rare-class-in-the-limit)."
        ),
        table=pd.DataFrame(rows),
        figure=_mcc_falls_figure(),
        caption="MCC at fixed rates (TPR, FPR), by level. Dots mark the maxima.",
    )


def _mcc_falls_figure() -> Figure:
    ratios = np.geomspace(1e-2, 1e4, 200)
    with panels() as (figure, (axes,)):
        for line, (tpr, fpr) in zip(LINES, CLASSIFIERS, strict=False):
            (drawn,) = axes.plot(
                ratios, _at_rates(mcc, tpr, fpr, ratios), line, label=f"({tpr:g}, {fpr:g})"
            )
            peak = best_ratio(tpr, fpr)
            axes.plot(peak, _at_rates(mcc, tpr, fpr, peak), "o", color=drawn.get_color())
        axes.set_xscale("log")
        axes.set_xticks([0.01, 1, 100, 10000], ["100:1", "1:1", "1:100", "1:10,000"])
        axes.minorticks_off()
        axes.set(xlabel="level P:N", ylabel="MCC", ylim=(0, 1))
        axes.legend(title="(TPR, FPR)")
    return figure


def decide_accuracy_of_nothing() -> Decision:
    """Decide when a constant answer is more accurate; accuracy exceeds it iff both predictive
    values exceed 1/2."""
    curve = BinormalCurve(mean=2)
    rows = []
    for ratio in (1, 10, 100, 1000):
        point = best_point("accuracy", curve, at=f"1:{ratio}")
        value = _at_rates(accuracy, 0.9, 0.1, ratio)
        rows.append(
            {
                "level": f"1:{ratio:,}",
                "accuracy of calling nothing": f"{ratio / (1 + ratio):.4f}",
                "accuracy at (0.9, 0.1)": f"{value:.4f}",
                "PPV there": f"{0.9 / (0.9 + 0.1 * ratio):.3f}",
                "pairs of rates that lose": f"{100 - 50 / ratio:.2f} %",
                "TPR at the best accuracy": f"{point.tpr:.2g}",
            }
        )
    return Decision(
        verdict="true if",
        sentence=(
            "A classifier is less accurate than calling nothing positive if and only if *v*/*u* > "
            "P/N, that is, if its precision is below 1/2. It is more accurate than calling "
            "nothing and than calling everything positive if and only if PPV and NPV are above "
            f"1/2. At 1:1,000, {100 * (1 - 1 / 2000):.2f} % of all pairs of rates are less "
            "accurate than calling nothing positive."
        ),
        computed=(
            "Accuracy is N/(P + N), the accuracy of calling nothing positive, plus (TP - FP)/(P + "
            "N). So it is higher if and only if there are more hits than false alarms. It exceeds "
            "the accuracy of calling everything positive by (TN - FN)/(P + N). For *r* ≥ 1, *u* < "
            "*rv* on a share 1 - 1/(2*r*) of the unit square of rates. The table has a classifier "
            "with the rates (0.9, 0.1), this share, and the TPR of the best accuracy for normal "
            "scores 2 apart: if a class is rare, maximizing accuracy calls hardly any instance of "
            "it."
        ),
        table=pd.DataFrame(rows),
    )


STATEMENTS = (
    Statement(
        name="high_mcc",
        claim="MCC is high only where TPR, TNR, PPV and NPV are all high.",
        source=(
            "Chicco and Jurman (2020), The advantages of the Matthews correlation coefficient "
            "(MCC) over F1 score and accuracy in binary classification evaluation, BMC Genomics "
            "21:6, doi:10.1186/s12864-019-6413-7; and (2023), The Matthews correlation "
            "coefficient (MCC) should replace the ROC AUC as the standard metric for assessing "
            "binary classification, BioData Mining 16:4, doi:10.1186/s13040-023-00322-4"
        ),
        read="abstract",
        decide=decide_high_mcc,
        recompute="""
from skewproof import ConfusionMatrix
from skewproof.metrics import mcc

m, r = 0.9, 1000
least_tpr = m**2 * (1 + r) / (r + m**2)
least_ppv = (1 + r * m**2) / (1 + r)
fpr = (1 - m**2) / (1 + r * m**2)  # with a TPR of 1, precision is least_ppv
for rates in ((least_tpr, 0), (1, fpr)):
    print(mcc(ConfusionMatrix.from_rates(*rates, positives=1.0, negatives=r)).round(12))
print(f"least TPR {least_tpr:.4f}, least PPV {least_ppv:.4f}")
""",
    ),
    Statement(
        name="mcc_falls",
        claim="MCC falls as the classes become imbalanced.",
        source=(
            "Zhu (2020), On the performance of Matthews correlation coefficient (MCC) for "
            "imbalanced dataset, Pattern Recognition Letters 136, 71-80, "
            "doi:10.1016/j.patrec.2020.03.030"
        ),
        read="from memory",
        decide=decide_mcc_falls,
        recompute="""
from skewproof import ConfusionMatrix
from skewproof.metrics import mcc

for rates in ((0.9, 0.1), (0.6, 0.01)):
    for r in (1, 5, 1000):
        matrix = ConfusionMatrix.from_rates(*rates, positives=1.0, negatives=r)
        print(rates, f"1:{r}", f"{mcc(matrix):.3f}")
""",
    ),
    Statement(
        name="accuracy_of_nothing",
        claim="Where a class is rare, calling nothing positive is more accurate than a classifier.",
        source=(
            "Provost, Fawcett and Kohavi (1998), The case against accuracy estimation for "
            "comparing induction algorithms, ICML 1998, 445-453; and Provost and Fawcett (2001), "
            "Robust classification for imprecise environments, Machine Learning 42, 203-231, "
            "doi:10.1023/A:1007601015854"
        ),
        read="from memory",
        decide=decide_accuracy_of_nothing,
        recompute="""
from skewproof import ConfusionMatrix
from skewproof.metrics import accuracy, precision

for r in (8, 10):
    matrix = ConfusionMatrix.from_rates(0.9, 0.1, positives=1.0, negatives=r)
    gain = accuracy(matrix) - r / (1 + r)
    print(f"1:{r}", f"accuracy less that of nothing {gain:.4f}, precision {precision(matrix):.4f}")
""",
    ),
)
