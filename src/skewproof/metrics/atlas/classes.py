"""Which measures are the same, as a run of the atlas's study found it: data.

``classes.csv`` is that run's ``results/atlas/classes.csv``. What is asked of a measure that the run
did not have is not known, and a measure that the atlas no longer has is not given.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files
from typing import Literal

from skewproof.metrics.atlas import ATLAS

Column = Literal["equal", "affine", "ordering_1_1", "ordering_1_100"]
"""A way of being the same: in value, up to a linear function, or in the order of classifiers on
classes of equal size, or with 100 negatives to a positive."""


@cache
def stored_classes() -> dict[str, dict[str, str]]:
    """The rows of classes.csv by measure; a class that is undecided is an empty text."""
    text = files("skewproof.metrics.atlas").joinpath("classes.csv").read_text("utf-8")
    return {row["measure"]: row for row in csv.DictReader(text.splitlines())}


def same(key: str, column: Column) -> list[str] | None:
    """The other measures of a measure's class; None where the class is not known.

    Examples
    --------
    >>> "error_rate" in same("accuracy", "affine"), same("accuracy", "equal")
    (True, [])
    """
    classes = stored_classes()
    own = classes.get(key, {}).get(column)
    if not own:
        return None
    others = (other for other, row in classes.items() if row[column] == own and other != key)
    return [other for other in others if other in ATLAS]
