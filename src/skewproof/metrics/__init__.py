"""The declared metrics of two classes, with a module per family, and the search for them."""

from skewproof.metrics.lookup import get_metric
from skewproof.metrics.registered import METRICS

__all__ = ["METRICS", "get_metric"]
