"""Inspection of predictions: the roles of columns, remarks, and the commands that answer."""

from skewproof.core.namespace import lazy_names as _lazy_names

__getattr__, __dir__, __all__ = _lazy_names(__name__, __file__)
