"""Metrics by formulas that are printed but not meant."""

from __future__ import annotations

from skewproof.core.metric import Formula, Metric


def metric_as_printed(key: str, formula: Formula) -> Metric:
    """A metric by a formula that is printed but not meant."""
    return Metric(key=key, symbol=key, name=key, source="as printed", formula=formula)
