"""The same questions for any number of classes: measures, conditions on them, sensitivity."""

from skewproof.core.registry import Registry, declared_in
from skewproof.multiclass import measures
from skewproof.multiclass.measure import Measure

MEASURES: Registry[Measure] = Registry("measure", declared_in(Measure, measures))
"""Every declared measure by its key."""


def get_measure(key: str) -> Measure:
    """Look up a declared measure by its key.

    Raises
    ------
    KeyError
        If there is none; the message offers the nearest spelling.

    Examples
    --------
    >>> from skewproof import get_measure
    >>> get_measure("cohen_kappa").source
    'Cohen 1960'
    """
    return MEASURES[key]
