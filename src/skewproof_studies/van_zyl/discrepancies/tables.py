"""Discrepancies shown by the digits in the tables of van Zyl and Engelbrecht."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import sympy

from skewproof.core.algebra import sqrt
from skewproof.core.confusion import INPUTS
from skewproof.core.formulas.symbolic import rate_formula
from skewproof.core.levels import DEFAULT_POSITIVES, Level
from skewproof.core.metric import Formula, Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.behavior_types import behavior_type
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof_studies.reporting.discrepancies import Discrepancy
from skewproof_studies.reporting.printed import printed_once, printed_twice
from skewproof_studies.van_zyl.discrepancies.equations import metric_as_printed
from skewproof_studies.van_zyl.paper import IMPORTANCE_TABLES, PAPER_ALPHA, TEXT_LEVELS

OTHER_INPUT = {"tp": "fp", "fp": "tp"}


def printed_digits(printed: pd.DataFrame) -> pd.Series:
    """Return the digits in a frame with the column printed as text, by table, metric and column."""
    return printed.set_index(["table", "metric", "column"])["printed"]


def exact_scores(metrics: Iterable[Metric]) -> pd.Series:
    """Return exact first-order indices at the paper's levels by table, metric and input."""
    metrics, scores = list(metrics), {}
    for level, table in IMPORTANCE_TABLES.items():
        negatives = Level.parse(level).negatives(DEFAULT_POSITIVES)
        s1 = exact_indices(metrics, positives=DEFAULT_POSITIVES, negatives=negatives).s1
        for metric, indices in zip(metrics, s1, strict=True):
            for name, index in zip(INPUTS, indices, strict=True):
                scores[table, metric.key, name] = index
    return pd.Series(scores)


def _agreeing(digits: pd.Series, exact: pd.Series, rule: Callable[[float], str]) -> int:
    """Count the printed scores, with swapped columns exchanged, that a rounding rule gives."""
    return sum(
        digits[table, key, OTHER_INPUT[name]] == rule(s1)
        for (table, key, name), s1 in exact.items()
    )


def swapped_columns(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check whether each score is printed under the other input.

    Parameters
    ----------
    digits, exact
        Results of :func:`printed_digits`, and of :func:`exact_scores` for the metrics of the
        appendix.
    """
    as_headed = sum(digits[key] == printed_twice(s1) for key, s1 in exact.items())
    swapped = _agreeing(digits, exact, printed_twice)
    printed = [digits["a13", "accuracy", name] for name in INPUTS]
    # A = (tp + tn)/(P + N) is linear, so each index is the squared class size as a share of their
    # sum.
    positives, negatives = 1, 2
    closed = [part**2 / (positives**2 + negatives**2) for part in (positives, negatives)]
    return Discrepancy(
        place="Tables A.12 to A.16: the columns t_p and f_p are swapped",
        printed=f"accuracy at 1:2 has {printed[0]} under t_p and {printed[1]} under f_p.",
        meant="the other way round.",
        evidence="accuracy is linear in both counts, so S1(t_p) = P²/(P² + N²) ="
        f" {closed[0]:.2f} and S1(f_p) = N²/(P² + N²) = {closed[1]:.2f} at 1:2. Of the {len(exact)}"
        f" printed scores {as_headed} are the exact index of their heading, {swapped} that of the"
        " other one.",
        shown=printed == [printed_once(share) for share in reversed(closed)]
        and swapped > as_headed,
    )


def double_rounding(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check whether scores were rounded to three decimals and then to two.

    Parameters
    ----------
    digits, exact
        As for :func:`swapped_columns`.
    """
    once, twice = (_agreeing(digits, exact, rule) for rule in (printed_once, printed_twice))
    examples = [
        f"{key} at {level}, S1({name}) = {exact[table, key, name]:.5f}, printed {shown}"
        for level, table in IMPORTANCE_TABLES.items()
        for key, name in exact[table].index
        if (shown := digits[table, key, OTHER_INPUT[name]]) != printed_once(exact[table, key, name])
        and shown == printed_twice(exact[table, key, name])
    ]
    return Discrepancy(
        place="Tables A.12 to A.16: scores were rounded twice",
        printed="two decimals.",
        meant="the score rounded to three decimals, and then to two.",
        evidence=f"of the {len(exact)} printed scores {once} are the exact index rounded once,"
        f" and {twice} are the index rounded twice: {'; '.join(examples)}.",
        shown=twice > once and bool(examples),
    )


def _printed_test(digits: pd.Series, key: str) -> tuple[list[float], int | str]:
    """Return the p-values of a metric in Table 5, and its type by them and Table 3."""
    p_values = [float(digits["5", key, level]) for level in _compared_levels(digits)]
    return p_values, behavior_type([p < PAPER_ALPHA for p in p_values])


def _compared_levels(digits: pd.Series) -> list[str]:
    return list(digits.loc["5"].index.unique(level="column"))


def optimized_precision_i_rejected(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check a rejection in Table 5 of a metric that is a function of the rates.

    Parameters
    ----------
    digits, exact
        As for :func:`swapped_columns`.
    """
    key = "optimized_precision_i"
    p_values, _ = _printed_test(digits, key)
    of_tp = exact.xs((key, "tp"), level=(1, 2))
    spread = np.ptp(of_tp)
    shape = rate_formula(METRICS[key])
    return Discrepancy(
        place="Table 5: OP_i is rejected at every level although it does not depend on class sizes",
        printed=f"p = {', '.join(printed_once(p, decimals=4) for p in p_values)}.",
        meant="p-values near 1, like those of the other metrics of rates.",
        evidence=f"with u = t_p/P and v = f_p/N the metric is ${sympy.latex(shape)}$, and its exact"
        f" S1(t_p) is {of_tp.iloc[0]:.6f} at every level to within {spread:.0e}. verdicts.md says"
        " why the test rejects.",
        shown=bool(shape is not None and max(p_values) < PAPER_ALPHA and spread < 1e-12),
    )


def optimized_precision_i_type(digits: pd.Series) -> Discrepancy:
    """Check the type of OP_i in Table 6 against the p-values of Table 5."""
    p_values, kind = _printed_test(digits, "optimized_precision_i")
    listed = digits["6", "optimized_precision_i", "type"]
    return Discrepancy(
        place="Tables 5 and 6 disagree on OP_i",
        printed=f"Type {listed} in Table 6.",
        meant=f"Type {kind}, by Table 3 and the p-values of Table 5. Type {listed} is right, but"
        " not what the paper's procedure gives.",
        evidence=f"Table 5 rejects at {sum(p < PAPER_ALPHA for p in p_values)} of {len(p_values)}"
        " levels.",
        shown=str(kind) != listed,
    )


def gilbert_ratio_listed_twice(digits: pd.Series) -> Discrepancy:
    """Check Table 6 for v in place of v_i."""
    _, plain = _printed_test(digits, "gilbert_ratio")
    p_values, variant = _printed_test(digits, "gilbert_ratio_i")
    return Discrepancy(
        place="Table 6: v for v_i",
        printed="v in the rows of Type 1 and of Type 5, v_i in no row.",
        meant="v_i in the row of Type 5.",
        evidence=f"by Table 3 and the p-values of Table 5, v is Type {plain} and v_i Type"
        f" {variant} (its p-values are {min(p_values):.4f} and more).",
        shown=(plain, variant) == (1, 5),
    )


def fowlkes_mallows(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check the printed scores against Eq. 26.

    Parameters
    ----------
    digits, exact
        As for :func:`swapped_columns`.
    """
    evidence, shown = _not_scores_of(
        "the printed formula", "fowlkes_mallows", lambda c: sqrt(c.ppv * c.npv), digits, exact
    )
    return Discrepancy(
        place="Eq. 26: the Fowlkes-Mallows index",
        printed="√(ρ_tp·ρ_tn), with the negative predictive value.",
        meant="√(ρ_tp·Φ_tp), the geometric mean of precision and recall that the text names.",
        evidence=evidence,
        shown=shown,
    )


def precision_recall_root_mean(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check the printed scores of Q_PR against a quadratic mean.

    Parameters
    ----------
    digits, exact
        As for :func:`swapped_columns`.
    """
    return _root_mean(
        "precision_recall_root_mean",
        lambda c: sqrt((c.ppv**2 + c.tpr**2) / 2),
        place='Section 6.9: the "quadratic mean" of precision and recall',
        equation="√((Φ_tp + ρ_tp)/2) in Eq. 51",
        digits=digits,
        exact=exact,
    )


def sensitivity_specificity_root_mean(digits: pd.Series, exact: pd.Series) -> Discrepancy:
    """Check the printed scores of Q_SS against a quadratic mean.

    Parameters
    ----------
    digits, exact
        As for :func:`swapped_columns`.
    """
    return _root_mean(
        "sensitivity_specificity_root_mean",
        lambda c: sqrt((c.tpr**2 + c.tnr**2) / 2),
        place='Section 6.11: the "quadratic mean" of sensitivity and specificity',
        equation="√((Φ_tp + Φ_tn)/2) in Eq. 53",
        digits=digits,
        exact=exact,
    )


def _root_mean(
    key: str,
    quadratic_mean: Formula,
    *,
    place: str,
    equation: str,
    digits: pd.Series,
    exact: pd.Series,
) -> Discrepancy:
    evidence, shown = _not_scores_of("the quadratic mean", key, quadratic_mean, digits, exact)
    return Discrepancy(
        place=place,
        printed=f"quadratic mean in the text, {equation}.",
        meant="the formula, which is the root of the arithmetic mean.",
        evidence=evidence,
        shown=shown,
    )


def _not_scores_of(
    words: str, key: str, other: Formula, digits: pd.Series, exact: pd.Series
) -> tuple[str, bool]:
    """Count a metric's printed scores that the meant and another formula give.

    Returns
    -------
    The counts in a sentence, and True if the meant formula gives all and the other one does not.
    """
    meant = exact[exact.index.get_level_values(1) == key]
    others = exact_scores([metric_as_printed(key, other)])
    used, of_other = (_agreeing(digits, scores, printed_twice) for scores in (meant, others))
    sentence = (
        f"of the {len(meant)} printed scores {used} are those of the meant formula,"
        f" {of_other} those of {words}."
    )
    return sentence, used == len(meant) and of_other < len(meant)


def missing_level(digits: pd.Series) -> Discrepancy:
    """Check whether the text lists every level of the tables."""
    compared = _compared_levels(digits)
    missing = [level for level in compared if level not in TEXT_LEVELS]
    return Discrepancy(
        place="Section 7.1 and Algorithm 1: a level is missing",
        printed=f"the levels {', '.join(TEXT_LEVELS)}.",
        meant=f"{', '.join(missing)} as well.",
        evidence=f"Tables 5 and 7 have a column for each of {', '.join(compared)}.",
        shown=bool(missing),
    )


def standard_deviation(widths: pd.DataFrame) -> Discrepancy:
    """Check the quantity that the paper's test uses as a standard deviation.

    Parameters
    ----------
    widths
        Result of :func:`skewproof_studies.van_zyl.verdicts.verdicts.half_widths`.
    """
    claimed, true = widths["s1_conf"].median(), widths["error"].median()
    return Discrepancy(
        place="Section 7.1 and Algorithm 2: the standard deviation of the t-test",
        printed="means and standard deviations of the importance scores, 2^16 of them.",
        meant="one index at each level, with the half-width of its bootstrap interval: no standard"
        " deviation of a sample, and no sample of 2^16 indices.",
        evidence=f"the median half-width is {claimed:.1e}, and the median true error of the"
        f" same indices {true:.1e} (largest {widths['error'].max():.1e}), so that neither the"
        f" half-width nor half-width/√(2^16) = {claimed / 2**8:.1e}, which the test uses, is their"
        " standard error.",
        shown=bool(claimed > 10 * true),
    )


TEXT_FOLDS = 5
"""Number of folds k of the cross-validation in Section 9."""

TEXT_TEST_SETS = 6
"""Number of test sets in "the average values over each of the six tests sets" (Section 9)."""

THYROID = "D2"
"""Data set on which F1 and F_i match according to Section 9."""


def printed_values(real_world: pd.DataFrame) -> pd.DataFrame:
    """Return Table 11's digits as text, metrics by data sets.

    Parameters
    ----------
    real_world
        Columns table, row, column, printed.
    """
    eleven = real_world[real_world["table"] == "11"]
    return eleven.pivot(index="row", columns="column", values="printed")


def accuracy_overestimates(values: pd.DataFrame) -> Discrepancy:
    """Check whether accuracy is above balanced accuracy on all data sets.

    Parameters
    ----------
    values
        Result of :func:`printed_values`.
    """
    excess = values.loc["accuracy"].astype(float) - values.loc["balanced_accuracy"].astype(float)
    others = list(excess.index[excess <= 0])
    return Discrepancy(
        place="Section 9: accuracy overestimates on all data sets",
        printed='accuracy "clearly overestimates the aptness of the models on all datasets in'
        ' comparison to balanced accuracy".',
        meant="on the imbalanced ones.",
        evidence=f"Table 11 prints A above B on {(excess > 0).sum()} of {len(excess)} data sets; on"
        f" {', '.join(others) or 'none'} both are"
        f" {', '.join(values.loc['accuracy', name] for name in others) or 'apart'}.",
        shown=bool(others),
    )


def f1_matches_on_one(values: pd.DataFrame) -> Discrepancy:
    """Check whether F1 and F_i match on the data set that the text names.

    Parameters
    ----------
    values
        As for :func:`accuracy_overestimates`.
    """
    apart = (values.loc["f1"].astype(float) - values.loc["f1_i"].astype(float)).abs()
    same = list(apart.index[apart == 0])
    return Discrepancy(
        place="Section 9: F1 and F_i match on the thyroid data only",
        printed=f'"other than for the thyroid dataset" ({THYROID}) F1 does not match F_i.',
        meant=f"they match on {' and '.join(same) or 'no data set'}; on {THYROID} they are close.",
        evidence=f"Table 11 prints F1 = {values.loc['f1', THYROID]} and F_i ="
        f" {values.loc['f1_i', THYROID]} on {THYROID}, {apart[THYROID]:.4f} apart; the difference"
        f" is 0 on {', '.join(same) or 'none'}.",
        shown=apart[THYROID] > 0 and bool(same),
    )


def number_of_test_sets(values: pd.DataFrame) -> Discrepancy:
    """Check the number of test sets, six in the text for five folds.

    Parameters
    ----------
    values
        As for :func:`accuracy_overestimates`.
    """
    return Discrepancy(
        place="Section 9: six test sets from five folds",
        printed=f"k = {TEXT_FOLDS} folds, and averages over each of the {TEXT_TEST_SETS} test"
        " sets.",
        meant=f"{TEXT_FOLDS} test sets for each of the {len(values.columns)} data sets.",
        evidence=f"{TEXT_FOLDS} folds have {TEXT_FOLDS} test sets; Table 11 has a column for each"
        f" of {len(values.columns)} data sets. real_world_comparison.md compares it with means"
        " over five.",
        shown=TEXT_TEST_SETS != TEXT_FOLDS and len(values.columns) == TEXT_TEST_SETS,
    )
