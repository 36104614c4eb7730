"""The whole atlas as one table, a row a measure: what its pages say, to be downloaded."""

from __future__ import annotations

from typing import Any

import pandas as pd
import sympy

from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.metrics.atlas import ATLAS, CATALOG, undefined_cells
from skewproof.metrics.atlas.measures.families import FAMILIES
from skewproof.metrics.atlas.references import cited

BETWEEN = " | "
"""What stands between the parts of a cell that has several."""


def catalog_table() -> pd.DataFrame:
    """Every measure with its names, formula, range, direction, undefined cells and sources.

    Returns
    -------
    Frame with a row a measure, in the atlas's order, and the columns

    - measure: its key, and name: its first name;
    - names: each as "community: name", coined: those whose words are this atlas's;
    - formula: in tp, fp, fn and tn, as SymPy prints it;
    - lowest, highest: the range over real cells of a sum of at least 1, and lowest_of_counts,
      highest_of_counts: over whole counts, where it is another;
    - direction: as :data:`skewproof.metrics.atlas.Direction`;
    - undefined: the smallest sets of cells at whose zeros it has no finite value;
    - families: those that it is a member of;
    - sources: each name's, as "name (community): source", dois: of the publications among them
      whose DOI was seen, places: where these print the formula, as far as that was seen, and
      unverified: those of which no record was seen;
    - remark.

    Parts of a cell stand between :data:`BETWEEN`.
    """
    return pd.DataFrame([_row(key) for key in ATLAS])


def _row(key: str) -> dict[str, Any]:
    metric, entry = ATLAS[key], CATALOG[key]
    lowest, highest = metric.bounds or (None, None)
    of_counts = entry.bounds_of_counts or (None, None)
    parts = [part for name in entry.names for part in cited(name)]
    references = {part.reference.citation: part.reference for part in parts if part.reference}
    return {
        "measure": key,
        "name": metric.name,
        "names": _joined(f"{name.community}: {name.name}" for name in entry.names),
        "coined": _joined(f"{name.community}: {name.name}" for name in entry.names if name.coined),
        "formula": str(sympy.sympify(metric(_matrix()))),
        "lowest": lowest,
        "highest": highest,
        "lowest_of_counts": of_counts[0],
        "highest_of_counts": of_counts[1],
        "direction": entry.direction,
        "undefined": _joined(
            " and ".join(cell for cell in CELLS if cell in cells)
            for cells in undefined_cells(metric)
        ),
        "families": _joined(family.name for family in FAMILIES if key in family.members),
        "sources": _joined(
            f"{name.name} ({name.community}): {name.source}" for name in entry.names
        ),
        "dois": _joined(f"{one.citation}: {one.doi}" for one in references.values() if one.doi),
        "places": _joined(
            dict.fromkeys(
                f"{part.reference.citation}: {part.place}"
                for part in parts
                if part.reference and part.place
            )
        ),
        "unverified": _joined(one.citation for one in references.values() if not one.verified),
        "remark": entry.remark,
    }


def _joined(parts: Any) -> str:
    return BETWEEN.join(parts)


def _matrix() -> ConfusionMatrix:
    """Cells by their names; hits and misses possibly 0, for measures with a case of their own."""
    return ConfusionMatrix(
        **{
            cell: sympy.Symbol(cell, nonnegative=True, positive=cell in ("fp", "tn") or None)
            for cell in CELLS
        }
    )
