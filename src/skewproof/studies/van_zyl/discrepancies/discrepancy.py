"""What a discrepancy is."""

from __future__ import annotations

from dataclasses import dataclass

from skewproof.core.metric import Formula, Metric


@dataclass(frozen=True, kw_only=True)
class Discrepancy:
    """One place where the paper is not what it says."""

    place: str

    printed: str

    meant: str

    evidence: str
    """Numbers that show it, computed when the report is made."""

    shown: bool
    """Whether they do."""


def metric_as_printed(key: str, formula: Formula) -> Metric:
    """A metric by a formula that is printed but not meant."""
    return Metric(key=key, symbol=key, name=key, source="as printed", formula=formula)
