"""All statements, by subject."""

from __future__ import annotations

from skewproof_studies.statements import bounds, limits
from skewproof_studies.statements.statement import Statement

SUBJECTS: dict[str, tuple[Statement, ...]] = {
    "What is found where a metric is best": limits.STATEMENTS,
    "What a value guarantees": bounds.STATEMENTS,
}
"""The statements of each subject, in the page's order."""
