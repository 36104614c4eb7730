"""Does a classification metric still mean the same thing when the classes are imbalanced?

What one imports from here is listed in ``__init__.pyi``; each name is imported when it is first
used. The packages, from the bottom: ``core``, ``metrics``, ``sensitivity`` beside ``multiclass``,
``reporting``, ``practice``, ``studies``; each imports only from those before it.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
__version__ = "0.1.0"
