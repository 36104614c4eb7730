"""The declared metrics of two classes, one module a family, and how they are looked up."""

from skewproof.metrics.lookup import get_metric
from skewproof.metrics.registered import METRICS

__all__ = ["METRICS", "get_metric"]
