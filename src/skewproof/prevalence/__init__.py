"""Knowledge of the prevalence where a classifier runs, and projections to it."""

from skewproof.core.namespace import lazy_names as _lazy_names

__getattr__, __dir__, __all__ = _lazy_names(__name__, __file__)
