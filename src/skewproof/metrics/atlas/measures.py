"""The published measures, which are rows of measures.csv, and the names that their formulas share.

Formulas are in the grammar of :mod:`skewproof.core.formulas`, with the names of terms.csv and keys
of other measures in addition to the cells, and the functions of
:mod:`skewproof.metrics.atlas.functions`. The fields of the tables are described, and their cells
limited, in datapackage.json, a tabular data package.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from inspect import signature
from typing import cast

from skewproof.core import algebra
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import metrics, reader
from skewproof.core.formulas.metrics import FormulaError, evaluated, has_symbols
from skewproof.core.metric import Bounds, Direction, Formula, Metric
from skewproof.metrics.atlas.entry import read_table
from skewproof.metrics.atlas.functions import ACCURATE, CALLED
from skewproof.metrics.registered import METRICS

FUNCTIONS = reader.FUNCTIONS | {
    name: len(signature(function).parameters) for name, function in CALLED.items()
}
"""Functions that a formula may call, with their numbers of arguments."""

OPERATIONS = metrics.OPERATIONS | {"/": algebra.ratio, "**": operator.pow} | CALLED
"""Operators and functions of a formula; -0 has its sign, and errors of SymPy are not caught, as in
the metrics that are functions."""

OF_MATRIX: dict[str, Formula] = {
    name: operator.attrgetter({"P": "positives", "N": "negatives"}.get(name, name))
    for name in (
        *("tp", "fp", "fn", "tn", "P", "N", "predicted_positives", "predicted_negatives", "total"),
        *("tpr", "fpr", "fnr", "tnr", "ppv", "npv"),
    )
}
"""Terms that a matrix has as attributes, which may be symbols of their own."""


@dataclass(frozen=True)
class PublishedFormula:
    """A formula of the atlas, which is read when it is first evaluated.

    Raises
    ------
    FormulaError
        If the text is no formula; the message names the table, row and column.
    """

    table: str
    key: str
    text: str
    description: str

    @cached_property
    def steps(self) -> tuple[reader.Step, ...]:
        """The steps of the calculation, in their order."""
        try:
            return reader.read_steps(self.text, NAMES, FUNCTIONS)
        except FormulaError as error:
            raise FormulaError(
                f"{self.table}.csv, row {self.key}, column formula: {error}"
            ) from None

    def __call__(self, matrix: ConfusionMatrix) -> algebra.Value:
        """Evaluate the formula, or for numbers the function that keeps its digits."""
        if self.key in ACCURATE and not has_symbols(matrix):
            return ACCURATE[self.key](matrix)
        return evaluated(self.steps, matrix, NAMES, OPERATIONS)


def _measure(row: Mapping[str, str]) -> Metric:
    return Metric(
        key=row["key"],
        symbol=row["symbol"],
        name=row["name"],
        source=row["source"],
        formula=PublishedFormula("measures", row["key"], row["formula"], row["description"]),
        bounds=_bounds(row["lower"], row["upper"]),
        bounds_of_counts=_bounds(row["lower_of_counts"], row["upper_of_counts"]),
        direction=cast(Direction, row["direction"]),
        remark=row["remark"],
        community=row["community"],
    )


def _bounds(*ends: str) -> Bounds | None:
    if not all(ends):
        return None
    low, high = (int(end) if end.lstrip("-").isdigit() else float(end) for end in ends)
    return low, high


TERMS = {row["key"]: PublishedFormula("terms", *row.values()) for row in read_table("terms")}

SHARED: dict[str, Formula] = (
    {key: metric.formula for key, metric in METRICS.items()}
    | TERMS
    | OF_MATRIX
    | {"pi": lambda c: algebra.pi(c.predicted_positives)}
)
"""Values that a formula may name in addition to published measures."""

MEASURES = list(map(_measure, read_table("measures")))

NAMES = SHARED | {measure.key: measure.formula for measure in MEASURES}
"""Values that a formula may name."""
