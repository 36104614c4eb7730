"""Measures of any number of classes, conditions on them, and their sensitivity."""

from skewproof.core.registry import Registry, declared_in
from skewproof.metrics.lookup import simplified
from skewproof.multiclass import measures
from skewproof.multiclass.measure import Measure

MEASURES: Registry[Measure] = Registry("measure", declared_in(Measure, measures))
"""Every declared measure by its key."""

get_measure = MEASURES.__getitem__
"""Look up a declared measure by its key."""


def measures_named(word: str) -> list[Measure]:
    """The measures that have a key, a name or an alias in any spelling.

    Examples
    --------
    >>> [measure.key for measure in measures_named("macro recall")]
    ['acsa']
    """
    form = simplified(word)
    return [
        measure
        for measure in MEASURES.values()
        if form in map(simplified, (measure.key, measure.name, *measure.aliases))
    ]
