"""The whole atlas as one table for download, with one row per measure.

``python -m skewproof_studies.atlas.catalog FILE`` writes it with proofs, in about a minute.
"""

from __future__ import annotations

import sys
from typing import Any

import pandas as pd
import sympy

from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.levels import Level
from skewproof.metrics.atlas import ATLAS, CATALOG, undefined_cells
from skewproof.metrics.atlas.classes import stored_classes
from skewproof.metrics.atlas.families import FAMILIES
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof_studies.atlas.prevalence import evidence
from skewproof_studies.atlas.references import cited

BETWEEN = " | "
"""Separator of the parts of a cell that has several."""


def catalog_table() -> pd.DataFrame:
    """Return every measure with its names, formula, range, direction, undefined cells and sources.

    Returns
    -------
    Frame with one row per measure, in the atlas's order, and these columns:

    - measure, name: the key and the first name;
    - names, coined: all names as "community: name", and those that this atlas coined;
    - formula: in tp, fp, fn and tn, as SymPy prints it;
    - lowest, highest: the range over real cells with a sum of at least 1;
    - lowest_of_counts, highest_of_counts: the range over whole counts, if it differs;
    - direction: as in :data:`skewproof.metrics.atlas.Direction`;
    - undefined: the smallest sets of cells that make the value infinite or undefined if all of
      them are 0;
    - families: the families that have the measure as a member;
    - sources: as "name (community): source", for each name;
    - dois, places: the DOIs of the publications, and where these print the formula, as far as
      both were read;
    - unverified: the publications of which no record was read;
    - remark.

    :data:`BETWEEN` separates the parts of a cell.
    """
    return pd.DataFrame([_row(key) for key in ATLAS])


COMPARED = Level(1, 100), Level(1, 1)
"""The level of the proofs in the table, and the level with which it is compared."""


def with_proofs(table: pd.DataFrame) -> pd.DataFrame:
    """Add what is proved about each measure to rows of :func:`catalog_table`.

    Returns
    -------
    Frame with these columns in addition:

    - equal, affine, ordering_1_1, ordering_1_100, order_invariant: the columns of classes.csv;
    - verdict: "same" or "differs" of the values at 1:100 and 1:1, with 100 positives at both;
    - proof: the measure as a function of u = tp/P and v = fp/N, or the exact values at 1:1 and
      1:100 for rates at which they differ.
    """
    columns = ["equal", "affine", "ordering_1_1", "ordering_1_100", "order_invariant"]
    classes = pd.DataFrame(stored_classes().values()).set_index("measure")[columns]
    proofs = [invariance(ATLAS[key], *COMPARED, positives=100) for key in table["measure"]]
    return table.join(classes, on="measure").assign(
        verdict=[proof.verdict for proof in proofs], proof=list(map(evidence, proofs))
    )


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
        "families": _joined(family.name for family in FAMILIES.values() if key in family.members),
        "sources": _joined(
            f"{name.name} ({name.community}): {name.source}" for name in entry.names
        ),
        "dois": _joined(f"{work.citation}: {work.doi}" for work in references.values() if work.doi),
        "places": _joined(
            dict.fromkeys(
                f"{part.reference.citation}: {part.place}"
                for part in parts
                if part.reference and part.place
            )
        ),
        "unverified": _joined(work.citation for work in references.values() if not work.verified),
        "remark": entry.remark,
    }


def _joined(parts: Any) -> str:
    return BETWEEN.join(parts)


def _matrix() -> ConfusionMatrix:
    """Return a matrix of symbols for the cells; tp and fn may be 0, for measures with a special
    case."""
    return ConfusionMatrix(
        **{
            cell: sympy.Symbol(cell, nonnegative=True, positive=cell in ("fp", "tn") or None)
            for cell in CELLS
        }
    )


if __name__ == "__main__":
    with_proofs(catalog_table()).to_csv(sys.argv[1], index=False, encoding="utf-8")
