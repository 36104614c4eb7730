"""The atlas: published measures of two classes by formula, with their names in each field.

:data:`ATLAS` has the registered metrics first, then the others. Measures with the same function of
(tp, fp, fn, tn) are one entry under whatever names. :data:`CATALOG` has the names.
"""

from __future__ import annotations

from skewproof.core.metric import Metric
from skewproof.core.registry import Registry
from skewproof.metrics.atlas.entry import COMMUNITIES, Catalog, catalog
from skewproof.metrics.atlas.measures import MEASURES
from skewproof.metrics.atlas.undefined import undefined_cells
from skewproof.metrics.registered import METRICS

__all__ = ["ATLAS", "CATALOG", "COMMUNITIES", "undefined_cells"]

ATLAS: Registry[Metric] = METRICS.extended(MEASURES)
"""Every metric and published measure by its key, those of :data:`skewproof.metrics.METRICS`
first."""

CATALOG = Catalog("measure", catalog(ATLAS))
"""The facts about each measure of the atlas in addition to its formula, in the same order."""
