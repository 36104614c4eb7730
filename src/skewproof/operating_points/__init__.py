"""Choices that a metric makes: exchange rates, best points of a curve, and their limits."""

from skewproof.core.namespace import lazy_names as _lazy_names

__getattr__, __dir__, __all__ = _lazy_names(__name__, __file__)
