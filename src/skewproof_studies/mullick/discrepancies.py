"""Places where the text, the proofs and the numbers of Mullick et al. contradict each other.

The evidence is computed when the report is made; places that it does not confirm are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy

from skewproof.core.algebra import Array
from skewproof.multiclass.conditions import condition_3
from skewproof.multiclass.declaration import Formula
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.multiclass.measures import (
    auroc_ova,
    auroc_ovo,
    aurpc_ova,
    maurpc_ova,
    nauroc_ova,
)
from skewproof_studies.reporting.discrepancies import Discrepancy, report_of_discrepancies
from skewproof_studies.reporting.printed import rounds_to

RATES = np.array([[0.8, 0.1, 0.1], [0.2, 0.7, 0.1], [0.3, 0.1, 0.6]])
"""Rates of a classifier of three classes on which formulas are compared."""

SIZES = np.array([1.0, 10.0, 100.0])
"""Unequal class sizes; equal ones are examined as well."""


def discrepancies() -> list[Discrepancy]:
    """Check every known discrepancy, in the paper's order."""
    return [
        normalization_and_condition_1(),
        ova_area_of_example_1(),
        mean_of_precision_and_recall(),
        equality_without_false_alarms(),
        modified_mean(),
        sign_of_equation_20(),
        undefined_precisions(),
        column_sums(),
        index_recommended_by_name(),
        limit_of_another_formula(),
        strict_bound(),
        number_of_classes_in_the_experiment(),
    ]


def discrepancy_report(checks: Sequence[Discrepancy]) -> str:
    """Write the discrepancies that the evidence shows as Markdown."""
    return report_of_discrepancies(
        checks,
        title="Mullick et al.",
        kind="the paper's text, proofs and numbers contradict each other or the mathematics",
    )


def _at_two_sizes(formula: Formula) -> tuple[float, float]:
    """Return a measure of one classifier at equal class sizes and at SIZES."""
    equal, unequal = (
        float(formula(MulticlassConfusionMatrix.from_rates(RATES, sizes)))
        for sizes in (np.ones(3), SIZES)
    )
    return equal, unequal


def normalization_and_condition_1() -> Discrepancy:
    """Check whether nAUROC-OVA satisfies Condition 1, as Table 2 states."""
    equal, unequal = _at_two_sizes(nauroc_ova)
    return Discrepancy(
        place="Table 2: purpose of the normalization of AUROC-OVA",
        printed='"Remedial normalization of AUROC-OVA to satisfy Condition 1".',
        meant="Condition 2 only, as another row of the table says. Section 6 also says that"
        " nAUROC-OVA violates Condition 1.",
        evidence=f"one classifier of three classes has nAUROC-OVA {equal:.4f} at equal class sizes"
        f" and {unequal:.4f} at 1:10:100.",
        shown=not np.isclose(equal, unequal),
    )


def ova_area_of_example_1(printed: str = "0.77") -> Discrepancy:
    """Check whether a printed value of Example 1 is possible.

    Parameters
    ----------
    printed
        AUROC-OVA of six classes with 60 % of each recognized.
    """
    classes, share = 6, 0.6
    by_lemma_2 = (classes * share + classes - 2) / (2 * (classes - 1))
    return Discrepancy(
        place="Example 1: AUROC-OVA of six classes",
        printed=f"{printed} for a classifier that is right on 60 % of each class.",
        meant=f"{by_lemma_2:.2f}.",
        evidence="with equal class sizes AUROC-OVA is AUROC-OVO, which by Lemma 2 is"
        f" (6·0.6 + 4)/10 = {by_lemma_2:.4f} however errors are spread.",
        shown=not rounds_to(by_lemma_2, printed),
    )


def mean_of_precision_and_recall() -> Discrepancy:
    """Check Eq. 7 against Eq. 5, which defines half of that sum."""
    tp, fn, fp, b_1, b_2 = sympy.symbols("TP FN FP b_1 b_2", positive=True)
    recall = b_1 * tp / (b_1 * (tp + fn))
    precision = b_1 * tp / (b_1 * tp + b_2 * fp)
    quotient = sympy.simplify((recall + precision) / ((recall + precision) / 2))
    perfect = (recall + precision).subs({fn: 0, fp: 0})
    return Discrepancy(
        place="Eq. 7: AURPC of the scaled matrix",
        printed="the sum of recall and precision.",
        meant="half of it, by Eq. 5.",
        evidence=f"Eq. 7 is {quotient} times Eq. 5; for a perfect classifier it is"
        f" {sympy.simplify(perfect)}. The conclusion that the class sizes enter holds.",
        shown=quotient != 1,
    )


def equality_without_false_alarms() -> Discrepancy:
    """Check whether precision of a scaled matrix can be the same with different factors."""
    tp, fp, b_1, b_2 = sympy.symbols("TP FP b_1 b_2", positive=True)
    difference = b_1 * tp / (b_1 * tp + b_2 * fp) - tp / (tp + fp)
    without = sympy.simplify(difference.subs(fp, 0))
    elsewhere = difference.subs({tp: 1, fp: 1, b_1: 1, b_2: 2})
    return Discrepancy(
        place="Theorem 1: Eqs. 6 and 7 are the same only when b_1 = b_2",
        printed='"only when b_1 = b_2".',
        meant="also when FP = 0 or TP = 0. The theorem only needs one matrix at which they differ.",
        evidence=f"the difference of precisions is {without} for all b_1 and b_2 if FP = 0;"
        f" for TP = FP = 1 and factors 1 and 2 it is {elsewhere}.",
        shown=without == 0 and elsewhere != 0,
    )


def modified_mean() -> Discrepancy:
    """Check the last line of the proof of Theorem 2 against the line above it."""
    tp, fp, n_1, n_2 = sympy.symbols("TP FP n_1 n_2", positive=True)
    first = tp / n_1 / (2 * tp / n_1 + 2 * fp / n_2)
    second = tp / n_1 / (tp / (2 * n_1) + fp / (2 * n_2))
    quotient = sympy.simplify(second / first)
    perfect = sympy.simplify((tp / (2 * n_1) + second).subs({fp: 0, n_1: tp}))
    return Discrepancy(
        place="Theorem 2: mAURPC of the scaled matrix",
        printed="TP/(2n_1) + (TP/n_1)/(TP/(2n_1) + FP/(2n_2)) in the last line.",
        meant="TP/(2n_1) + (TP/n_1)/(2TP/n_1 + 2FP/n_2), the line above without b_1 and b_2.",
        evidence=f"the second term is {quotient} times that of the line above; for a perfect"
        f" classifier the last line is {float(perfect):g}. The theorem holds.",
        shown=quotient != 1,
    )


def sign_of_equation_20() -> Discrepancy:
    """Check the sign of the difference in the text before Eq. 20."""
    moved = RATES.copy()
    moved[0] = [0.5, 0.4, 0.1]
    before, after = (MulticlassConfusionMatrix.from_rates(r, SIZES) for r in (RATES, moved))
    change = after.counts - before.counts
    hits, columns = np.diagonal(change), change.sum(axis=0)
    right = (hits / SIZES - (columns - hits) / (SIZES.sum() - SIZES)).sum() / 6
    difference = float(auroc_ova(before) - auroc_ova(after))
    return Discrepancy(
        place="Lemma 3: the difference in Eq. 20",
        printed="ρ_a(M) - ρ_a(M') in the text.",
        meant="ρ_a(M') - ρ_a(M), as Eq. 20 has it.",
        evidence=f"if 0.3 of the first class move to the second, the right-hand side is"
        f" {right:.6f} and ρ_a(M) - ρ_a(M') is {difference:.6f}.",
        shown=bool(np.isclose(right, -difference) and not np.isclose(right, difference)),
    )


def undefined_precisions() -> Discrepancy:
    """Check two of the indices for a class that is never predicted."""
    counts = np.array([[0.0, 0, 1], [0, 0, 1], [1, 0, 0]])
    matrix = MulticlassConfusionMatrix(counts)
    values = [float(measure(matrix)) for measure in (aurpc_ova, maurpc_ova)]
    return Discrepancy(
        place="Eqs. 14 and 25: a class that is never predicted",
        printed="m_ii/k_i, and the bound 0 where all m_ii are 0.",
        meant="not stated; for such a class the quotient is 0/0.",
        evidence="if classes 1 and 2 are called 3, and 3 is called 1, all m_ii are 0, and"
        f" AURPC-OVA and mAURPC-OVA are {values[0]} and {values[1]}.",
        shown=bool(np.isnan(values).all()),
    )


def column_sums() -> Discrepancy:
    """Check whether column sums of rates are at most 1."""
    everything_first = np.zeros((4, 4))
    everything_first[:, 0] = 1
    largest = float(MulticlassConfusionMatrix(everything_first).rates.predicted_sizes.max())
    return Discrepancy(
        place="Theorem 4: column sums of rates",
        printed="0 ≤ Σ_j m_ji/n_j ≤ 1.",
        meant="at most C. The quotient (m_ii/n_i)/Σ_j m_ji/n_j is at most 1, and the claimed"
        " bounds follow from that.",
        evidence="a classifier that assigns all instances of four classes to the first has the"
        f" column sum {largest:g}.",
        shown=largest > 1,
    )


def index_recommended_by_name() -> Discrepancy:
    """Check whether AURPC-OVA stands for mAURPC-OVA."""
    plain, modified = _at_two_sizes(aurpc_ova), _at_two_sizes(maurpc_ova)
    return Discrepancy(
        place="Below Theorem 4, and contribution 4: AURPC-OVA",
        printed='"among all only GMean, ACSA, and AURPC-OVA satisfy both"; "both ACSA and AURPC-OVA'
        ' offer invariance under the third condition".',
        meant="mAURPC-OVA in both places (Theorems 3 to 5).",
        evidence=f"one classifier at equal class sizes and at 1:10:100 has AURPC-OVA {plain[0]:.4f}"
        f" and {plain[1]:.4f}, mAURPC-OVA {modified[0]:.4f} and {modified[1]:.4f}.",
        shown=bool(not np.isclose(*plain) and np.isclose(*modified)),
    )


def _as_in_equation_28(rates: Array, sizes: Array) -> float:
    """Evaluate the expression that Eq. 28 starts from, with false alarms as a rate of all other
    classes together."""
    counts = rates * sizes[:, np.newaxis]
    recalls = np.diagonal(rates)
    false_alarms = counts.sum(axis=0) - np.diagonal(counts)
    others = sizes.sum() - sizes
    precisions = recalls / (recalls + false_alarms / others)
    return float((recalls + precisions).sum() / (2 * len(sizes)))


def limit_of_another_formula() -> Discrepancy:
    """Check whether Eq. 28 starts from the index's definition."""
    printed = [_as_in_equation_28(RATES, sizes) for sizes in (np.ones(3), SIZES)]
    defined = _at_two_sizes(maurpc_ova)
    return Discrepancy(
        place="Theorem 5, Eq. 28: start of the limit of mAURPC-OVA",
        printed='"As per (7)", with (k_i - m_jj)/(n - n_j) next to 1 - ε in the denominators.',
        meant="as per (25), with Σ_(i≠j) m_ij/n_i: rates of each class, not of all others"
        " together.",
        evidence=f"one classifier at equal class sizes and at 1:10:100 has {printed[0]:.4f} and"
        f" {printed[1]:.4f} by the printed expression, {defined[0]:.4f} and {defined[1]:.4f} by"
        " Eq. 25.",
        shown=not np.allclose(printed, defined),
    )


def strict_bound() -> Discrepancy:
    """Check the bound of Eq. 28 against the limit's lowest value."""
    classes = 3
    bound = 3 * (classes - 1) / (4 * classes)
    lowest = condition_3(maurpc_ova, classes, lower_bound=0).limit
    return Discrepancy(
        place="Theorem 5, Eq. 28: lowest value of the limit",
        printed=f"above 3(C - 1)/(4C), {bound:g} for three classes.",
        meant="the bound holds but is not reached.",
        evidence=f"a search over class sizes and over the destinations of the missed class finds"
        f" {lowest:.4f} as the lowest limit, with the class spread evenly over the others (in"
        " closed form 11/18).",
        shown=lowest > bound + 0.1,
    )


def number_of_classes_in_the_experiment() -> Discrepancy:
    """Check the effect of Section 5.5 by Lemma 2: it grows more from 3 to 5 classes than from 5 to
    10."""
    shares = {}
    for classes in (3, 5, 10):
        recalls = 0.7 * np.eye(classes) + 0.3 / (classes - 1) * (1 - np.eye(classes))
        shares[classes] = (1 - float(auroc_ovo(MulticlassConfusionMatrix(recalls)))) / 0.3
    text = ", ".join(f"{share:.3f} for {classes}" for classes, share in shares.items())
    return Discrepancy(
        place="Section 5.5: AUROC-OVO and the number of classes",
        printed='"almost equivalently" to ACSA on three and five classes, "significantly higher" on'
        " ten, because of the number of classes.",
        meant="because of the accuracy as well. By Lemma 2, 1 - ρ_o is C/(2(C - 1)) of 1 - α.",
        evidence=f"the share is {text} classes, so that from five to ten classes it changes less"
        " than from three to five. AUROC-OVO is near ACSA where ACSA is near 1.",
        shown=shares[5] - shares[10] < shares[3] - shares[5],
    )
