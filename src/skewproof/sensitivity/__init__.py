"""Effects of imbalance and of wrong labels on a metric: indices, proofs and deviations."""

from skewproof.core.namespace import lazy_names as _lazy_names

__getattr__, __dir__, __all__ = _lazy_names(__name__, __file__)
