"""Where the paper's text, formulas and tables contradict each other, with evidence to recompute."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import Value, sqrt
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.symbolic import formula, rate_formula
from skewproof.metrics import get_metric
from skewproof.metrics.agreement import mcc
from skewproof.metrics.precision_recall import f1
from skewproof.reporting.printed import printed_twice
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.types import behavior_type
from skewproof.studies.van_zyl.setting import IMPORTANCE_TABLES, POSITIVES, TEXT_LEVELS

ALPHA = 0.05
"""The paper's level of significance (Table 3)."""

OTHER = {"tp": "fp", "fp": "tp"}


@dataclass(frozen=True)
class Discrepancy:
    """One place where the paper is not what it says."""

    place: str

    printed: str

    meant: str

    evidence: str
    """Numbers that show it, computed when the report is made."""

    shown: bool
    """Whether they do."""


def discrepancies(printed: pd.DataFrame, widths: pd.DataFrame) -> list[Discrepancy]:
    """Look for every known discrepancy.

    Parameters
    ----------
    printed
        The printed digits as text, under the headings under which they stand in the paper:
        columns table, metric, column, printed.
    widths
        The result of :func:`skewproof.studies.van_zyl.verdicts.half_widths`.
    """
    digits = printed.set_index(["table", "metric", "column"])["printed"]
    exact = _exact_scores([get_metric(key) for key in digits.loc["a12"].index.unique("metric")])
    return [
        _swapped_columns(digits, exact),
        _double_rounding(digits, exact),
        *_optimized_precision(digits, exact),
        _gilbert_ratio(digits),
        _roc_area(),
        _balanced_accuracy(),
        *_formulas(digits),
        _mcc_f1(),
        _missing_level(digits),
        *_not_new(),
        _standard_deviation(widths),
    ]


def discrepancy_report(found: list[Discrepancy]) -> str:
    """The discrepancies that the evidence shows, as Markdown."""
    shown = [one for one in found if one.shown]
    sections = [
        "# Discrepancies in van Zyl and Engelbrecht",
        f"{len(shown)} places where the paper's text, formulas and tables contradict each other"
        " or the mathematics. Each number below is computed when this report is made, from the"
        " printed digits in resources/van_zyl/printed.csv and from exact indices; a place that the"
        " numbers do not bear out would be left out.",
    ]
    for number, one in enumerate(shown, start=1):
        sections += [
            f"## {number}. {one.place}",
            f"- Printed: {one.printed}\n- Meant: {one.meant}\n- Evidence: {one.evidence}",
        ]
    return "\n\n".join(sections) + "\n"


def _exact_scores(metrics: list[Metric]) -> pd.Series:
    """Exact first-order indices at the paper's levels by table, metric and input."""
    rows = {}
    for level, table in IMPORTANCE_TABLES.items():
        negatives = Level.parse(level).negatives(POSITIVES)
        s1 = exact_indices(metrics, positives=POSITIVES, negatives=negatives).s1
        for metric, (tp, fp) in zip(metrics, s1, strict=True):
            rows[table, metric.key, "tp"], rows[table, metric.key, "fp"] = tp, fp
    return pd.Series(rows)


def _agreeing(digits: pd.Series, exact: pd.Series, rule: Callable[[float], str]) -> int:
    """How many printed scores, their columns swapped back, a rule of rounding gives."""
    return sum(
        digits[table, key, OTHER[name]] == rule(s1) for (table, key, name), s1 in exact.items()
    )


def _once(value: float) -> str:
    return f"{value:.2f}"


def _swapped_columns(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    as_headed = sum(digits[place] == printed_twice(s1) for place, s1 in exact.items())
    swapped = _agreeing(digits, exact, printed_twice)
    printed = [digits["a13", "accuracy", name] for name in ("tp", "fp")]
    # A = (tp + tn)/(P + N) is linear: each input has the share of its class size squared.
    positives, negatives = 1, 2
    closed = [part**2 / (positives**2 + negatives**2) for part in (positives, negatives)]
    return Discrepancy(
        "Tables A.12 to A.16: the columns t_p and f_p are swapped",
        f"accuracy at 1:2 has {printed[0]} under t_p and {printed[1]} under f_p.",
        "the other way round.",
        "accuracy is linear in both counts, so S1(t_p) = P²/(P² + N²) ="
        f" {closed[0]:.2f} and S1(f_p) = N²/(P² + N²) = {closed[1]:.2f} at 1:2. Of the {len(exact)}"
        f" printed scores {as_headed} are the exact index of their heading, {swapped} that of the"
        " other one.",
        printed == [_once(share) for share in reversed(closed)] and swapped > as_headed,
    )


def _double_rounding(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    once, twice = _agreeing(digits, exact, _once), _agreeing(digits, exact, printed_twice)
    examples = [
        f"{key} at {level}, S1({name}) = {exact[table, key, name]:.5f}, printed {shown}"
        for level, table in IMPORTANCE_TABLES.items()
        for key, name in exact[table].index
        if (shown := digits[table, key, OTHER[name]]) != _once(exact[table, key, name])
        and shown == printed_twice(exact[table, key, name])
    ]
    return Discrepancy(
        "Tables A.12 to A.16: scores were rounded twice",
        "two decimals.",
        "the score rounded to three decimals first, and that to two.",
        f"of the {len(exact)} printed scores {once} are the exact index rounded once, {twice} the"
        f" one rounded twice: {'; '.join(examples)}.",
        twice > once and bool(examples),
    )


def _type_of(digits: pd.Series, key: str) -> tuple[list[float], int | str]:
    p_values = [float(digits["5", key, level]) for level in _compared_levels(digits)]
    return p_values, behavior_type([p < ALPHA for p in p_values])


def _compared_levels(digits: pd.Series) -> list[str]:
    return list(digits.loc["5"].index.unique(level="column"))


def _optimized_precision(digits: pd.Series, exact: pd.Series) -> Iterator[Discrepancy]:
    key = "optimized_precision_i"
    p_values, kind = _type_of(digits, key)
    listed = digits["6", key, "type"]
    scores = exact[exact.index.get_level_values(1) == key]
    spread = np.ptp(scores[scores.index.get_level_values(2) == "tp"])
    shape = rate_formula(get_metric(key))
    yield Discrepancy(
        "Table 5: OP_i is rejected at every level although no class size enters it",
        f"p = {', '.join(map('{:.4f}'.format, p_values))}.",
        "p-values near 1, as those of the other metrics of rates.",
        f"with u = t_p/P and v = f_p/N the metric is ${sympy.latex(shape)}$, and its exact S1(t_p)"
        f" is {scores.iloc[0]:.6f} at every level to within {spread:.0e}. verdicts.md says why the"
        " test rejects.",
        shape is not None and max(p_values) < ALPHA and spread < 1e-12,
    )
    yield Discrepancy(
        "Tables 5 and 6 disagree on OP_i",
        f"Type {listed} in Table 6.",
        f"Type {kind}, by Table 3 and the p-values of Table 5. Type {listed} is right, but not what"
        " the paper's procedure gives.",
        f"Table 5 rejects at {sum(p < ALPHA for p in p_values)} of {len(p_values)} levels.",
        str(kind) != listed,
    )


def _gilbert_ratio(digits: pd.Series) -> Discrepancy:
    (_, kind), (p_values, kind_i) = (
        _type_of(digits, key) for key in ("gilbert_ratio", "gilbert_ratio_i")
    )
    return Discrepancy(
        "Table 6: v for v_i",
        "v both in the row of Type 1 and in that of Type 5, v_i in none.",
        "v_i in the row of Type 5.",
        f"by Table 3 and the p-values of Table 5 v is Type {kind} and v_i Type {kind_i} (its"
        f" p-values are {min(p_values):.4f} and more).",
        (kind, kind_i) == (1, 5),
    )


def _roc_area() -> Discrepancy:
    fpr, tpr = 0.25, 0.7
    area = np.trapezoid([0, tpr, 1], [0, fpr, 1])
    as_printed, corrected = (tpr + fpr) / 2, (tpr + 1 - fpr) / 2
    return Discrepancy(
        "Eq. 14: the area under a ROC curve of one point",
        "(Φ_tp + Φ_fp)/2 in the last line.",
        "(Φ_tp + 1 - Φ_fp)/2, balanced accuracy.",
        f"the area under the lines (0, 0), ({fpr}, {tpr}), (1, 1) is {area:.3f}; Eq. 14 gives"
        f" {as_printed:.3f}, corrected {corrected:.3f}.",
        bool(not np.isclose(area, as_printed) and np.isclose(area, corrected)),
    )


def _balanced_accuracy() -> Discrepancy:
    def as_printed(c: ConfusionMatrix) -> Value:
        return (c.tpr + c.fnr) / 2

    value = rate_formula(_unregistered("balanced_accuracy", as_printed))
    return Discrepancy(
        "Eqs. 15 and 16: balanced accuracy",
        "(Φ_tp + Φ_fn)/2.",
        "(Φ_tp + Φ_tn)/2.",
        f"the printed formula is {value} for every classifier, since Φ_fn = 1 - Φ_tp.",
        value == sympy.Rational(1, 2),
    )


def _formulas(digits: pd.Series) -> Iterator[Discrepancy]:
    """Formulas that the printed scores tell apart."""

    def fowlkes_mallows(c: ConfusionMatrix) -> Value:
        return sqrt(c.ppv * c.npv)

    def precision_recall_quadratic(c: ConfusionMatrix) -> Value:
        return sqrt((c.ppv**2 + c.tpr**2) / 2)

    def sensitivity_specificity_quadratic(c: ConfusionMatrix) -> Value:
        return sqrt((c.tpr**2 + c.tnr**2) / 2)

    for place, key, other_formula, printed, meant in (
        (
            "Eq. 26: the Fowlkes-Mallows index",
            "fowlkes_mallows",
            fowlkes_mallows,
            "√(ρ_tp·ρ_tn), with the negative predictive value.",
            "√(ρ_tp·Φ_tp), the geometric mean of precision and recall that the text names.",
        ),
        (
            'Section 6.9: the "quadratic mean" of precision and recall',
            "precision_recall_root_mean",
            precision_recall_quadratic,
            "quadratic mean in the text, √((Φ_tp + ρ_tp)/2) in Eq. 51.",
            "the formula, which is the root of the arithmetic mean.",
        ),
        (
            'Section 6.11: the "quadratic mean" of sensitivity and specificity',
            "sensitivity_specificity_root_mean",
            sensitivity_specificity_quadratic,
            "quadratic mean in the text, √((Φ_tp + Φ_tn)/2) in Eq. 53.",
            "the formula, which is the root of the arithmetic mean.",
        ),
    ):
        used, other = (
            _agreeing(digits, _exact_scores([metric]), printed_twice)
            for metric in (get_metric(key), _unregistered(key, other_formula))
        )
        count = 2 * len(IMPORTANCE_TABLES)
        described = "printed formula" if key == "fowlkes_mallows" else "quadratic mean"
        yield Discrepancy(
            place,
            printed,
            meant,
            f"of the {count} printed scores {used} are those of what is meant, {other} those of the"
            f" {described}.",
            used == count and other < count,
        )


def _mcc_f1() -> Discrepancy:
    perfect = ConfusionMatrix(tp=1, fp=0, fn=0, tn=1)
    distance = float(np.hypot(f1(perfect) - 1, mcc(perfect) - 1) / np.sqrt(2))
    value = float(get_metric("mcc_f1")(perfect))
    return Discrepancy(
        "Eq. 37: MCC-F1 of one threshold",
        'D/√2 behind the first "=", 1 - √(...)/√2 behind the second.',
        "1 - D/√2 in both places (Eq. 34).",
        f"for a perfect classifier D/√2 is {distance:g} and 1 - D/√2 is {value:g}.",
        distance != value,
    )


def _missing_level(digits: pd.Series) -> Discrepancy:
    compared = _compared_levels(digits)
    missing = [level for level in compared if level not in TEXT_LEVELS]
    return Discrepancy(
        "Section 7.1 and Algorithm 1: a level is missing",
        f"the levels {', '.join(TEXT_LEVELS)}.",
        f"{', '.join(missing)} as well.",
        f"Tables 5 and 7 have a column for each of {', '.join(compared)}.",
        bool(missing),
    )


def _not_new() -> Iterator[Discrepancy]:
    kappa, balanced, f, v = (
        formula(get_metric(key))
        for key in ("cohen_kappa_i", "balanced_accuracy", "f1_i", "gilbert_ratio_i")
    )
    difference = sympy.simplify(kappa - balanced)
    yield Discrepancy(
        "Eq. 44: κ_i is not new",
        "a new metric κ_i.",
        "balanced accuracy B.",
        f"SymPy simplifies κ_i - B to {difference}; in the rates u and v both are"
        f" {rate_formula(get_metric('cohen_kappa_i'))}.",
        difference == 0,
    )
    difference = sympy.simplify(f - 2 * v / (1 + v))
    yield Discrepancy(
        "Eqs. 42 and 43: F_i and v_i are one metric on two scales",
        "two new metrics, F_i and v_i.",
        "F_i = 2·v_i/(1 + v_i), which orders classifiers as v_i does.",
        f"SymPy simplifies F_i - 2·v_i/(1 + v_i) to {difference}.",
        difference == 0,
    )


def _standard_deviation(widths: pd.DataFrame) -> Discrepancy:
    claimed, true = widths["s1_conf"].median(), widths["error"].median()
    return Discrepancy(
        "Section 7.1 and Algorithm 2: the standard deviation of the t-test",
        "means and standard deviations of the importance scores, 2^16 of them.",
        "one index at each level, with the half-width of its bootstrap interval: no standard"
        " deviation of a sample, and no sample of 2^16 indices.",
        f"the half-widths' median is {claimed:.1e}, the median of the true error of the same"
        f" indices {true:.1e} (largest {widths['error'].max():.1e}), so neither the half-width nor"
        f" the half-width/√(2^16) = {claimed / 2**8:.1e} that the test takes is their standard"
        " error.",
        claimed > 10 * true,
    )


def _unregistered(key: str, as_printed: Callable[[ConfusionMatrix], Value]) -> Metric:
    return Metric(key, key, key, "as printed", as_printed)
