"""The atlas: published measures of two classes by formula, with their names in each field.

:data:`ATLAS` has the registered metrics first, then the others. Measures with the same function of
(tp, fp, fn, tn) are one entry under whatever names. :data:`CATALOG` has the names.
"""

from __future__ import annotations

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, declared_in
from skewproof.metrics.atlas.entry import COMMUNITIES, Catalog, Community, Entry, Name, catalog
from skewproof.metrics.atlas.measures import families
from skewproof.metrics.atlas.measures.contingency import (
    agreement,
    association,
    information,
    statistics,
)
from skewproof.metrics.atlas.measures.fields import (
    association_rules,
    detection,
    diagnosis,
    fault_localization,
    forecast,
    land,
    learning,
)
from skewproof.metrics.atlas.measures.similarity import baulieu, beyond_chance, matches, overlap
from skewproof.metrics.atlas.undefined import undefined_cells
from skewproof.metrics.registered import METRIC_MODULES

__all__ = [
    "ATLAS",
    "CATALOG",
    "COMMUNITIES",
    "Catalog",
    "Community",
    "Entry",
    "Name",
    "undefined_cells",
]

ATLAS: Registry[Metric] = Registry(
    "metric",
    declared_in(
        Metric,
        *METRIC_MODULES,
        learning,
        forecast,
        diagnosis,
        agreement,
        association,
        statistics,
        information,
        association_rules,
        overlap,
        matches,
        land,
        beyond_chance,
        baulieu,
        detection,
        fault_localization,
        families,
    ),
)
"""Every declared metric by its key, those of :data:`skewproof.metrics.METRICS` first."""

CATALOG = Catalog(catalog(ATLAS))
"""The facts about each measure of the atlas in addition to its formula, in the same order."""
