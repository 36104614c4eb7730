"""A report on one classifier, or on several models, from predictions with labels."""

from skewproof.core.namespace import lazy_names as _lazy_names

__getattr__, __dir__, __all__ = _lazy_names(__name__, __file__)
