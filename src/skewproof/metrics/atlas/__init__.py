"""The atlas: published measures of two classes by their formulas, with what each field calls them.

:data:`ATLAS` has the registered metrics first, and the others behind them; a declaration is a
function of (tp, fp, fn, tn), whatever it is called. :data:`CATALOG` has the names.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry, declared_in
from skewproof.metrics import METRICS
from skewproof.metrics.atlas import (
    agreement,
    association,
    baulieu,
    correlation,
    detection,
    diagnosis,
    families,
    faults,
    forecast,
    implications,
    information,
    land,
    learning,
    matches,
    overlap,
    rules,
    statistics,
    weighted_overlap,
)
from skewproof.metrics.atlas.entry import COMMUNITIES, Community, Direction, Entry, Measure, Name
from skewproof.metrics.atlas.names import completed, registered_entries
from skewproof.metrics.atlas.undefined import undefined_cells

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

_MEASURES = declared_in(
    Measure,
    learning,
    forecast,
    diagnosis,
    agreement,
    association,
    statistics,
    information,
    rules,
    implications,
    overlap,
    weighted_overlap,
    matches,
    land,
    correlation,
    baulieu,
    detection,
    faults,
    families,
)

ATLAS: Registry[Metric] = METRICS.extended(declared.metric for declared in _MEASURES)
"""Every measure by its key: the registered metrics first, in their order."""

CATALOG: Mapping[str, Entry] = MappingProxyType(
    completed(
        registered_entries(METRICS) | {declared.key: declared.entry for declared in _MEASURES}
    )
)
"""What is known of each measure of the atlas beside its formula, in the same order."""
