"""Classification metrics: whether they still mean the same when the classes are imbalanced.

``__init__.pyi`` lists the public names; each is imported when it is first used. The packages, from
the bottom up, are ``core``, ``metrics``, ``sensitivity`` and ``multiclass`` on the same level,
``reporting``, ``practice`` and ``cli``. A package imports only from those below it.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
__version__ = "0.1.0"
