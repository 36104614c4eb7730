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
    "What is found where a metric is best": limits.STATEMENTS,
    "Which cut-off a metric asks for": cutoffs.STATEMENTS,
    "What a value says": bounds.STATEMENTS,
    "Which of two classifiers is better": orders.STATEMENTS,
    "Areas under curves": areas.STATEMENTS,
    "Curves under imbalance": curves_under_imbalance.STATEMENTS,
    "The Matthews coefficient compared with others": chicco_jurman.STATEMENTS,
    "Comparing and selecting": comparisons.STATEMENTS,
    "Resampling": resampling.STATEMENTS,
}
"""The statements of each subject, in the page's order."""
