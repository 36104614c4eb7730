"""Equations and definitions that are printed with a slip, shown by small examples."""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import sympy

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.symbolic import rate_formula, rate_symbols
from skewproof.metrics import METRICS
from skewproof_studies.reporting.discrepancies import Discrepancy
from skewproof_studies.reporting.printed import printed_twice

TPR, FPR = rate_symbols()

EXAMPLE = "iba"
"""A metric whose rates enter as a polynomial, so that its integrals are rational."""


def anova_condition() -> Discrepancy:
    """Eq. 3 has no right side."""
    shape = rate_formula(METRICS[EXAMPLE])
    mean, parts = _anova(shape)
    integrals = {rate: sympy.integrate(part, (rate, 0, 1)) for rate, part in parts.items()}
    shifted = {rate: sympy.integrate(part + 1, (rate, 0, 1)) for rate, part in parts.items()}
    return Discrepancy(
        place="Eq. 3: the condition of the ANOVA representation",
        printed="∫ f_{i1...is}(x) dx_k for k = i1, ..., is, without a right side.",
        meant="∫ f_{i1...is}(x) dx_k = 0.",
        evidence=f"without it the parts are not unique: for {EXAMPLE}, with mean {mean}, each part"
        f" of one input integrates to {integrals[TPR]}; with 1 added to each part and 2 taken"
        f" from the mean the sum is the same function, and they integrate to {shifted[TPR]}.",
        shown=all(value == 0 for value in integrals.values())
        and all(value != 0 for value in shifted.values()),
    )


def partial_variance(digits: pd.Series) -> Discrepancy:
    """Eq. 6 defines each part of the variance as the sum of all.

    Parameters
    ----------
    digits
        The result of :func:`skewproof_studies.van_zyl.discrepancies.tables.printed_digits`.
    """
    shape = rate_formula(METRICS[EXAMPLE])
    mean, parts = _anova(shape)
    variance = _unit_square((shape - mean) ** 2)
    share = sympy.integrate(parts[TPR] ** 2, (TPR, 0, 1)) / variance
    # The columns of the appendix are swapped: the score of t_p stands under f_p.
    printed = digits["a12", EXAMPLE, "fp"]
    return Discrepancy(
        place="Eq. 6: the variance of a subset of the inputs",
        printed="D_{i1...is} = Σ Σ ∫ f²_{i1...is} dx, summed over all subsets.",
        meant="D_{i1...is} = ∫ f²_{i1...is} dx, without the sums, which belong into Eq. 4.",
        evidence=f"summed over all subsets it is the whole variance D, so that every index of Eq. 7"
        f" would be 1; without the sums S1(t_p) of {EXAMPLE} is {share} = {float(share):.4f}, and"
        f" Table A.12 prints {printed}.",
        shown=bool(printed_twice(float(share)) == printed and share != 1),
    )


def _anova(shape: sympy.Expr) -> tuple[sympy.Expr, dict[sympy.Symbol, sympy.Expr]]:
    """Mean over the unit square, and the part of each rate alone."""
    mean = _unit_square(shape)
    others = {TPR: FPR, FPR: TPR}
    parts = {rate: sympy.integrate(shape, (other, 0, 1)) - mean for rate, other in others.items()}
    return mean, parts


def _unit_square(function: sympy.Expr) -> sympy.Expr:
    return sympy.integrate(sympy.expand(function), (TPR, 0, 1), (FPR, 0, 1))


def false_positive_rate() -> Discrepancy:
    """Table 2 describes the false positive rate with the wrong class."""
    matrix = ConfusionMatrix(tp=1, fp=1000, fn=0, tn=0)
    as_described, as_formula = matrix.fp / matrix.positives, matrix.fp / matrix.negatives
    return Discrepancy(
        place="Table 2: the false positive rate",
        printed='false positives "to the number of instances in the target class", that is f_p/P.',
        meant="to the number of instances that are not in the target class, f_p/N, as the formula"
        " beside it has.",
        evidence=f"at 1:1000, with everything called positive, the text gives {as_described:g} and"
        f" the formula {as_formula:g}; a rate is at most 1.",
        shown=as_described > 1 >= as_formula,
    )


def kappa_denominator() -> Discrepancy:
    """The second line of Eq. 44 has f_n/P where f_p/N belongs."""
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
        printed="(t_p/P + f_p/N)·(t_n/N + f_n/P) first in the denominator.",
        meant="(t_p/P + f_p/N)·(f_p/N + t_n/N), as in the third line and in Eq. 21.",
        evidence=f"with rates Φ_tp = {tp} and Φ_fp = {fp} the second line is {second}, the third"
        f" {third}, which is B = {balanced}.",
        shown=second != third == balanced,
    )


def laplace_scale() -> Discrepancy:
    """The third line of Eq. 46 forgets to take 1/3 away."""
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
