"""All statements, by subject."""

from __future__ import annotations

from skewproof_studies.statements import (
    areas,
    bounds,
    chicco_jurman,
    comparisons,
    curves_under_imbalance,
    cutoffs,
    limits,
    orders,
    resampling,
)
from skewproof_studies.statements.statement import Statement

SUBJECTS: dict[str, tuple[Statement, ...]] = {
    "Classifiers that maximize a metric": limits.STATEMENTS,
    "Cut-offs that a metric implies": cutoffs.STATEMENTS,
    "Values of a metric": bounds.STATEMENTS,
    "Which of two classifiers is better": orders.STATEMENTS,
    "Areas under curves": areas.STATEMENTS,
    "Curves under imbalance": curves_under_imbalance.STATEMENTS,
    "MCC compared with other metrics": chicco_jurman.STATEMENTS,
    "Comparing data sets and selecting classifiers": comparisons.STATEMENTS,
    "Resampling": resampling.STATEMENTS,
}
"""The statements of each subject, in the page's order."""
