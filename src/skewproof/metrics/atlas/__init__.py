"""The atlas: published measures of two classes by their formulas, with what each field calls them.

:data:`ATLAS` has the registered metrics first, and the others behind them; a declaration is a
function of (tp, fp, fn, tn), whatever it is called. :data:`CATALOG` has the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, declared_in
from skewproof.metrics.atlas.entry import COMMUNITIES, Community, Entry, Name, catalog
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
    "Community",
    "Direction",
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

CATALOG: Mapping[str, Entry] = MappingProxyType(catalog(ATLAS))
"""Facts about each measure of the atlas in addition to its formula, in the same order."""
