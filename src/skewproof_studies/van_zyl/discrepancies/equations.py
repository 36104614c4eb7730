"""Equations and definitions of van Zyl and Engelbrecht that are printed with an error, or as new.

SymPy and small examples are the evidence. Only that for Eq. 6 uses digits of the paper's tables.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import Value
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas.symbolic import COUNTS, formula, rate_formula, rate_symbols
from skewproof.core.metric import Formula, Metric
from skewproof.core.normalize import normalized
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof_studies.reporting.discrepancies import Discrepancy
from skewproof_studies.reporting.printed import printed_twice

TPR, FPR = rate_symbols()

EXAMPLE = "iba"
"""Metric whose rates enter as a polynomial, so that its integrals are rational."""


def metric_as_printed(key: str, formula: Formula) -> Metric:
    """Return a metric with the printed formula instead of the one that is meant."""
    return Metric(key=key, symbol=key, name=key, source="as printed", formula=formula)


def anova_condition() -> Discrepancy:
    """Check Eq. 3 for its missing right-hand side."""
    shape = rate_formula(METRICS[EXAMPLE])
    mean, parts = _anova(shape)
    integrals = {rate: sympy.integrate(part, (rate, 0, 1)) for rate, part in parts.items()}
    shifted = {rate: sympy.integrate(part + 1, (rate, 0, 1)) for rate, part in parts.items()}
    return Discrepancy(
        place="Eq. 3: the condition of the ANOVA representation",
        printed="∫ f_{i1...is}(x) dx_k for k = i1, ..., is, without a right-hand side.",
        meant="∫ f_{i1...is}(x) dx_k = 0.",
        evidence=f"without it the parts are not unique: for {EXAMPLE}, with mean {mean}, each part"
        f" of one input integrates to {integrals[TPR]}; with 1 added to each part and 2 taken"
        f" from the mean the sum is the same function, but they integrate to {shifted[TPR]}.",
        shown=all(value == 0 for value in integrals.values())
        and all(value != 0 for value in shifted.values()),
    )


def partial_variance(digits: pd.Series) -> Discrepancy:
    """Check Eq. 6, which defines each part of the variance as the sum of all.

    Parameters
    ----------
    digits
        Result of :func:`skewproof_studies.van_zyl.discrepancies.tables.printed_digits`.
    """
    shape = rate_formula(METRICS[EXAMPLE])
    mean, parts = _anova(shape)
    variance = _unit_square((shape - mean) ** 2)
    share = sympy.integrate(parts[TPR] ** 2, (TPR, 0, 1)) / variance
    # The columns of the appendix are swapped: the score of t_p is printed under f_p.
    printed = digits["a12", EXAMPLE, "fp"]
    return Discrepancy(
        place="Eq. 6: the variance of a subset of the inputs",
        printed="D_{i1...is} = Σ Σ ∫ f²_{i1...is} dx, summed over all subsets.",
        meant="D_{i1...is} = ∫ f²_{i1...is} dx, without the sums, which belong in Eq. 4.",
        evidence=f"summed over all subsets it is the whole variance D, so that every index of Eq. 7"
        f" would be 1; without the sums S1(t_p) of {EXAMPLE} is {share} = {float(share):.4f}, and"
        f" Table A.12 prints {printed}.",
        shown=bool(printed_twice(float(share)) == printed and share != 1),
    )


def _anova(shape: sympy.Expr) -> tuple[sympy.Expr, dict[sympy.Symbol, sympy.Expr]]:
    """Return the mean over the unit square, and the part of each rate alone."""
    mean = _unit_square(shape)
    others = {TPR: FPR, FPR: TPR}
    parts = {rate: sympy.integrate(shape, (other, 0, 1)) - mean for rate, other in others.items()}
    return mean, parts


def _unit_square(function: sympy.Expr) -> sympy.Expr:
    return sympy.integrate(sympy.expand(function), (TPR, 0, 1), (FPR, 0, 1))


def false_positive_rate() -> Discrepancy:
    """Check the class in Table 2's description of the false positive rate."""
    matrix = ConfusionMatrix(tp=1, fp=1000, fn=0, tn=0)
    as_described, as_formula = matrix.fp / matrix.positives, matrix.fp / matrix.negatives
    return Discrepancy(
        place="Table 2: the false positive rate",
        printed='false positives "to the number of instances in the target class", that is f_p/P.',
        meant="to the number of instances that are not in the target class, f_p/N, as the formula"
        " next to it says.",
        evidence=f"at 1:1000, with everything called positive, the text gives {as_described:g} and"
        f" the formula {as_formula:g}; a rate is at most 1.",
        shown=as_described > 1 >= as_formula,
    )


def roc_area() -> Discrepancy:
    """Check the last line of Eq. 14 against the area under a ROC curve of one point."""
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
    """Check balanced accuracy as printed, which is a constant."""

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
    """Check whether both sides of the first "=" of Eq. 37 are equal."""
    perfect = ConfusionMatrix(tp=1, fp=0, fn=0, tn=1)
    distance = float(np.hypot(f1(perfect) - 1, bounded(mcc)(perfect) - 1) / np.sqrt(2))
    value = float(METRICS["mcc_f1"](perfect))
    return Discrepancy(
        place="Eq. 37: MCC-F1 of one threshold",
        printed='D/√2 after the first "=", 1 - √(...)/√2 after the second.',
        meant="1 - D/√2 in both places (Eq. 34).",
        evidence=f"for a perfect classifier D/√2 is {distance:g} and 1 - D/√2 is {value:g}.",
        shown=distance != value,
    )


def f1_i_and_gilbert_ratio_i() -> Discrepancy:
    """Check whether two of the normalized metrics order classifiers alike."""
    f, v = (formula(METRICS[key]) for key in ("f1_i", "gilbert_ratio_i"))
    difference = sympy.simplify(f - 2 * v / (1 + v))
    return Discrepancy(
        place="Eqs. 42 and 43: F_i and v_i are the same metric on two scales",
        printed="two new metrics, F_i and v_i.",
        meant="F_i = 2·v_i/(1 + v_i), which orders classifiers like v_i.",
        evidence=f"SymPy simplifies F_i - 2·v_i/(1 + v_i) to {difference}.",
        shown=difference == 0,
    )


def calibrated_f1() -> Discrepancy:
    """Check whether F_i is the calibrated F1 of a paper that this paper cites."""
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
        evidence=f"SymPy simplifies F_i minus the calibrated F1 at π0 = {reference} to"
        f" {difference}.",
        shown=difference == 0,
    )


def cohen_kappa_i() -> Discrepancy:
    """Check whether normalized kappa, scaled to [0, 1] as in the paper, is balanced accuracy."""
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


def kappa_denominator() -> Discrepancy:
    """Check the second line of Eq. 44, which has f_n/P instead of f_p/N."""
    tp, fp = Fraction(4, 5), Fraction(1, 10)
    fn, tn = 1 - tp, 1 - fp
    top = 2 * (tp * tn - fp * fn)

    def scaled(first: Fraction) -> Fraction:
        return (top / (first + (tp + fn) * (fn + tn)) + 1) / 2

    second = scaled((tp + fp) * (tn + fn))
    third = scaled((tp + fp) * (fp + tn))
    balanced = (tp + tn) / 2
    return Discrepancy(
        place="Eq. 44: the second line",
        printed="(t_p/P + f_p/N)·(t_n/N + f_n/P) as the first term of the denominator.",
        meant="(t_p/P + f_p/N)·(f_p/N + t_n/N), as in the third line and in Eq. 21.",
        evidence=f"with rates Φ_tp = {tp} and Φ_fp = {fp} the second line is {second}, the third"
        f" {third}, which is B = {balanced}.",
        shown=second != third == balanced,
    )


def laplace_scale() -> Discrepancy:
    """Check the third line of Eq. 46, which does not subtract 1/3."""
    perfect = Fraction(1 + 1, 1 + 0 + 2)
    second, third = (perfect - Fraction(1, 3)) / Fraction(1, 3), perfect * 3
    fourth = Fraction(3 * 1 + 3, 1 + 0 + 2) - 1
    return Discrepancy(
        place="Eq. 46: the third line",
        printed="L_ρ·3.",
        meant="L_ρ·3 - 1, which is (L_ρ - 1/3)/(2/3 - 1/3).",
        evidence=f"for a perfect classifier the second line is {second}, the third {third}, the"
        f" fourth {fourth}.",
        shown=second == fourth != third,
    )


def harmonic_mean_and_hmnc() -> Discrepancy:
    """Check whether the harmonic mean of sensitivity and specificity is normalized HMNC of
    Burduk."""
    harmonic = formula(METRICS["sensitivity_specificity_harmonic_mean"])
    difference = sympy.simplify(harmonic - formula(normalized(METRICS["hmnc"])))
    return Discrepancy(
        place="Eq. 52: H_SS is a known metric, normalized",
        printed="a newly proposed metric H_SS.",
        meant="HMNC = TP·TN·(P + N)/((TP + TN)·P·N) (Burduk 2020), normalized as in Section 4.",
        evidence=f"SymPy simplifies H_SS - HMNC_i to {difference}.",
        shown=difference == 0,
    )
