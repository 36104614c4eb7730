"""Discrepancies that mathematics shows, without the paper's tables."""

from __future__ import annotations

import numpy as np
import sympy

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from skewproof.core.symbolic import COUNTS, formula, rate_formula
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof_studies.reporting.discrepancies import Discrepancy
from skewproof_studies.van_zyl.discrepancies.as_printed import metric_as_printed


def roc_area() -> Discrepancy:
    """The last line of Eq. 14 is not the area under a ROC curve of one point."""
    fpr, tpr = 0.25, 0.7
    area = np.trapezoid([0, tpr, 1], [0, fpr, 1])
    as_printed, corrected = (tpr + fpr) / 2, (tpr + 1 - fpr) / 2
    return Discrepancy(
        place="Eq. 14: the area under a ROC curve of one point",
        printed="(Φ_tp + Φ_fp)/2 in the last line.",
        meant="(Φ_tp + 1 - Φ_fp)/2, balanced accuracy.",
        evidence=f"the area under the lines (0, 0), ({fpr}, {tpr}), (1, 1) is {area:.3f}; Eq. 14"
        f" gives {as_printed:.3f}, corrected {corrected:.3f}.",
        shown=bool(not np.isclose(area, as_printed) and np.isclose(area, corrected)),
    )


def balanced_accuracy() -> Discrepancy:
    """Balanced accuracy as printed is a constant."""

    def as_printed(c: ConfusionMatrix) -> Value:
        return (c.tpr + c.fnr) / 2

    value = rate_formula(metric_as_printed("balanced_accuracy", as_printed))
    return Discrepancy(
        place="Eqs. 15 and 16: balanced accuracy",
        printed="(Φ_tp + Φ_fn)/2.",
        meant="(Φ_tp + Φ_tn)/2.",
        evidence=f"the printed formula is {value} for every classifier, since Φ_fn = 1 - Φ_tp.",
        shown=value == sympy.Rational(1, 2),
    )


def mcc_f1() -> Discrepancy:
    """The two sides of the first "=" of Eq. 37 are not equal."""
    perfect = ConfusionMatrix(tp=1, fp=0, fn=0, tn=1)
    distance = float(np.hypot(f1(perfect) - 1, bounded(mcc)(perfect) - 1) / np.sqrt(2))
    value = float(METRICS["mcc_f1"](perfect))
    return Discrepancy(
        place="Eq. 37: MCC-F1 of one threshold",
        printed='D/√2 behind the first "=", 1 - √(...)/√2 behind the second.',
        meant="1 - D/√2 in both places (Eq. 34).",
        evidence=f"for a perfect classifier D/√2 is {distance:g} and 1 - D/√2 is {value:g}.",
        shown=distance != value,
    )


def cohen_kappa_i() -> Discrepancy:
    """The normalized kappa, scaled to [0, 1] as the paper has it, is balanced accuracy."""
    kappa, balanced = (bounded(METRICS[key]) for key in ("cohen_kappa_i", "balanced_accuracy"))
    difference = sympy.simplify(formula(kappa) - formula(balanced))
    return Discrepancy(
        place="Eq. 44: κ_i is not new",
        printed="a new metric κ_i.",
        meant="balanced accuracy B.",
        evidence=f"scaled to [0, 1], κ_i is {rate_formula(kappa)} in the rates u and v; SymPy"
        f" simplifies κ_i - B to {difference}.",
        shown=difference == 0,
    )


def f1_i_and_gilbert_ratio_i() -> Discrepancy:
    """Two of the normalized metrics order classifiers alike."""
    f, v = (formula(METRICS[key]) for key in ("f1_i", "gilbert_ratio_i"))
    difference = sympy.simplify(f - 2 * v / (1 + v))
    return Discrepancy(
        place="Eqs. 42 and 43: F_i and v_i are one metric on two scales",
        printed="two new metrics, F_i and v_i.",
        meant="F_i = 2·v_i/(1 + v_i), which orders classifiers as v_i does.",
        evidence=f"SymPy simplifies F_i - 2·v_i/(1 + v_i) to {difference}.",
        shown=difference == 0,
    )


def harmonic_mean_and_hmnc() -> Discrepancy:
    """The harmonic mean of sensitivity and specificity is Burduk's HMNC, normalized."""
    harmonic = formula(METRICS["sensitivity_specificity_harmonic_mean"])
    difference = sympy.simplify(harmonic - formula(normalized(METRICS["hmnc"])))
    return Discrepancy(
        place="Eq. 52: H_SS is a known metric, normalized",
        printed="a newly proposed metric H_SS.",
        meant="what Section 4 makes of HMNC = TP·TN·(P + N)/((TP + TN)·P·N) (Burduk 2020).",
        evidence=f"SymPy simplifies H_SS - HMNC_i to {difference}.",
        shown=difference == 0,
    )


def calibrated_f1() -> Discrepancy:
    """F_i is the calibrated F1 of a paper that this one cites."""
    tp, fp, fn, tn = (sympy.Symbol(name, positive=True) for name in COUNTS)
    share = (tp + fn) / (tp + fn + fp + tn)
    reference = sympy.Rational(1, 2)
    weight = share * (1 - reference) / (reference * (1 - share))
    precision, recall = tp / (tp + weight * fp), tp / (tp + fn)
    calibrated = 2 * precision * recall / (precision + recall)
    difference = sympy.simplify(formula(METRICS["f1_i"]) - calibrated)
    return Discrepancy(
        place="Eq. 43: F_i is the calibrated F1 of Siblini et al. (reference 23)",
        printed="a new metric F_i.",
        meant="the F1 of recall and calibrated precision TP/(TP + π(1 - π0)/(π0(1 - π))·FP), with"
        " the reference ratio π0 = 1/2.",
        evidence=f"SymPy simplifies F_i less the calibrated F1 at π0 = {reference} to"
        f" {difference}.",
        shown=difference == 0,
    )
