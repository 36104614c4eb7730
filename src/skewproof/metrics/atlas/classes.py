"""Classes of measures that are the same, as stored by a run of the atlas's study.

``classes.csv`` is that run's ``results/atlas/classes.csv``. The classes of measures that were not
in the run are not known, and measures that are no longer in the atlas are left out.
"""

from __future__ import annotations

from functools import cache
from typing import Literal

from skewproof.metrics.atlas import ATLAS
from skewproof.metrics.atlas.entry import read_table

Column = Literal["equal", "affine", "ordering_1_1", "ordering_1_100"]
"""A kind of equality: in value, up to a linear function, or in the order of classifiers on classes
of equal size or with 100 negatives per positive."""


@cache
def stored_classes() -> dict[str, dict[str, str]]:
    """Read the rows of classes.csv by measure; an undecided class is an empty text."""
    return {row["measure"]: row for row in read_table("classes")}


def same(key: str, column: Column) -> list[str] | None:
    """List the other measures of a measure's class, or return None if the class is not known.

    Examples
    --------
    >>> "error_rate" in same("accuracy", "affine"), same("accuracy", "equal")
    (True, [])
    """
    classes = stored_classes()
    class_key = classes.get(key, {}).get(column)
    if not class_key:
        return None
    others = (other for other, row in classes.items() if row[column] == class_key and other != key)
    return [other for other in others if other in ATLAS]
