"""The same questions for any number of classes: measures, conditions on them, sensitivity."""

from skewproof.core.registry import Registry, declared_in
from skewproof.multiclass import measures
from skewproof.multiclass.measure import Measure

MEASURES: Registry[Measure] = Registry("measure", declared_in(Measure, measures))
"""Every declared measure by its key."""

get_measure = MEASURES.__getitem__
"""Look up a declared measure by its key."""
