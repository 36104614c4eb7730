"""Findings of Section 5 of Mullick et al., and how often they hold in the repeated experiment."""

from __future__ import annotations

import pandas as pd

from skewproof_studies.mullick.paper import (
    FIGURE_4A,
    FIGURE_5,
    MULTICLASS,
    NAMES,
    TWO_CLASS,
    TWO_CLASS_NAMES,
    stated_to_satisfy,
)

Finding = tuple[str, str, int, int]

BEYOND_CHANCE = 2.0
"""Multiple of its deviation by chance above which a measure counts as changing."""


def findings(variability: pd.DataFrame, minima: pd.DataFrame, lost: pd.DataFrame) -> pd.DataFrame:
    """Count how often the paper's statements on its Figures 3 to 5 hold here.

    Parameters
    ----------
    variability, minima, lost
        Results of :func:`skewproof_studies.mullick.experiment.statistics.variability`, `minima` and
        `lost_classes`.

    Returns
    -------
    Frame with the columns section, finding, holds, and of (the number of problems, or of pairs of
    problem and measure, that were examined).
    """
    always_zero = lost["zero_means"] > 0
    return pd.DataFrame(
        [
            *_two_class_findings(variability),
            *_many_class_findings(variability),
            *_minimum_findings(minima),
            _finding(
                "5.6", "GMean is 0 on every test set of a classifier and setting", always_zero
            ),
        ],
        columns=["section", "finding", "holds", "of"],
    )


def _finding(section: str, finding: str, holds: pd.Series | pd.DataFrame) -> Finding:
    cells = holds.to_numpy(dtype=bool)
    return section, finding, int(cells.sum()), cells.size


def _by_problem(table: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of a table with one row per problem and one column per measure."""
    wide = table.pivot(index="problem", columns="index", values=column)
    return wide.reindex(columns=list(NAMES))


def _two_class_findings(variability: pd.DataFrame) -> list[Finding]:
    table = variability[variability["classes"] == 2]
    sd = _by_problem(table, "sd")
    moves = sd > BEYOND_CHANCE * _by_problem(table, "sd_by_chance")
    invariant = stated_to_satisfy(1, TWO_CLASS, TWO_CLASS_NAMES)
    dependent = stated_to_satisfy(1, TWO_CLASS, TWO_CLASS_NAMES, satisfied=False)
    others = sd[invariant].max(axis=1)
    between = (sd["precision_recall_mean"] < sd["precision"]) & (
        sd["precision_recall_mean"] > others
    )
    above = f"changes more than {BEYOND_CHANCE:g} times as much as by chance"
    return [
        _finding("5.3", "Precision changes most of the six", sd["precision"] == sd.max(axis=1)),
        _finding("5.3", "AURPC changes less than Precision, more than the other four", between),
        _finding("5.3", f"one of Precision, AURPC {above}", moves[dependent]),
        _finding("5.3", f"none of GMean, AUROC, mPrecision, mAURPC {above}", ~moves[invariant]),
    ]


def _many_class_findings(variability: pd.DataFrame) -> list[Finding]:
    table = variability[variability["classes"] > 2]
    sd, normalized = _by_problem(table, "sd"), _by_problem(table, "normalized_sd")
    five = sd[list(FIGURE_4A)]
    least, most = five.min(axis=1), five.max(axis=1)
    moves = sd > BEYOND_CHANCE * _by_problem(table, "sd_by_chance")
    invariant = stated_to_satisfy(1, MULTICLASS, FIGURE_4A)
    dependent = stated_to_satisfy(1, MULTICLASS, FIGURE_4A, satisfied=False)
    above = f"changes more than {BEYOND_CHANCE:g} times as much as by chance"
    stable = normalized["nauroc_ova"] > normalized["acsa"]
    return [
        _finding("5.4", "mAURPC-OVA changes least of the five", five["maurpc_ova"] == least),
        _finding("5.4", "AURPC-OVA changes most of the five", five["aurpc_ova"] == most),
        _finding("5.4", "ACSA changes more than nAUROC-OVA", sd["acsa"] > sd["nauroc_ova"]),
        _finding("5.4", "normalized, nAUROC-OVA changes more than ACSA", stable),
        _finding("5.4", f"one of AURPC-OVA, nAUROC-OVA {above}", moves[dependent]),
        _finding("5.4", f"none of GMean, ACSA, mAURPC-OVA {above}", ~moves[invariant]),
    ]


def _minimum_findings(minima: pd.DataFrame) -> list[Finding]:
    table = _by_problem(minima[minima["classes"] > 2], "minimum")
    higher = table[["auroc_ova", "auroc_ovo"]].min(axis=1)
    above = higher > table[["acsa", "nauroc_ova"]].max(axis=1)
    lowest = table["g_mean"] == table[list(FIGURE_5)].min(axis=1)
    return [
        _finding("5.5", "AUROC-OVA's and -OVO's minima are above ACSA's and nAUROC-OVA's", above),
        _finding("5.6", "GMean has the lowest minimum of the five", lowest),
    ]
