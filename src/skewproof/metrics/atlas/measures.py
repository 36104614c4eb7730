"""The published measures, which are rows of measures.csv, and the names that their formulas share.

Formulas are in the grammar of :mod:`skewproof.core.formulas`, with the names of terms.csv and keys
of other measures in addition to the cells, and the functions of
:mod:`skewproof.metrics.atlas.functions`. The fields of the tables are described, and their cells
limited, in datapackage.json, a tabular data package.
"""

from __future__ import annotations

import csv
import json
import operator
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from inspect import signature
from typing import Any, cast

from skewproof.core import algebra
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import metrics, reader
from skewproof.core.formulas.metrics import FormulaError, evaluated, has_symbols
from skewproof.core.messages import shown
from skewproof.core.metric import Bounds, Direction, Formula, Metric
from skewproof.core.registry import nearest
from skewproof.metrics.atlas.functions import ACCURATE, CALLED
from skewproof.metrics.registered import METRICS

FOLDER = files("skewproof.metrics.atlas")

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


def read_table(name: str, folder: Traversable = FOLDER) -> Iterator[dict[str, str]]:
    """Read the rows of a table of the data package, whose cells fit the description of their field.

    Raises
    ------
    ValueError
        If a column is missing or unknown, or a cell does not fit; the message names the table, row
        and column.
    """
    package = json.loads(FOLDER.joinpath("datapackage.json").read_text("utf-8"))
    (schema,) = (
        resource["schema"] for resource in package["resources"] if resource["name"] == name
    )
    rows = csv.DictReader(folder.joinpath(f"{name}.csv").read_text("utf-8").splitlines())
    fields = [field["name"] for field in schema["fields"]]
    if rows.fieldnames != fields:
        raise ValueError(f"{name}.csv has the columns {rows.fieldnames}: expected {fields}")
    keys: set[str] = set()
    for row in rows:
        key = row[fields[0]]
        location = f"{name}.csv, row {key}"
        if None in row or None in row.values():
            raise ValueError(f"{location}: expected {len(fields)} cells")
        if "primaryKey" in schema and key in keys:
            raise ValueError(
                f"{location}, column {fields[0]}: expected a key that no other row has"
            )
        keys.add(key)
        for field in schema["fields"]:
            _check_cell(f"{location}, column {field['name']}", row[field["name"]], field)
        yield row


def _check_cell(location: str, cell: str, field: Mapping[str, Any]) -> None:
    limits = field.get("constraints", {})
    expected = None
    if not cell:
        expected = "a value" if limits.get("required") else None
    elif "enum" in limits and cell not in limits["enum"]:
        expected = f"one of {', '.join(limits['enum'])}{nearest(cell, limits['enum'])}"
    elif not re.fullmatch(limits.get("pattern", ".*"), cell):
        expected = f"a match of {limits['pattern']}"
    elif field["type"] == "number" and not re.fullmatch(r"-?(INF|\d+(\.\d+)?(e-?\d+)?)", cell):
        expected = "a number, INF or -INF"
    if expected is not None:
        raise ValueError(f"{location} = {shown(cell)}: expected {expected}")


def read_measures(folder: Traversable = FOLDER) -> list[Metric]:
    """Read the published measures of measures.csv.

    Raises
    ------
    ValueError
        As :func:`read_table`, and if a formula has an unknown name.
    """
    rows = list(read_table("measures", folder))
    known = {*SHARED, *FUNCTIONS, *(row["key"] for row in rows)}
    for row in rows:
        location = f"measures.csv, row {row['key']}"
        if row["key"] in SHARED:
            raise ValueError(f"{location}, column key: expected a key that no metric or term has")
        for word in re.findall(r"\b[A-Za-z_]\w*", row["formula"]):
            if word not in known:
                unknown = f"unknown name {word!r}{nearest(word, known)}"
                raise ValueError(f"{location}, column formula: {unknown}")
    return [_measure(row) for row in rows]


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

MEASURES = read_measures()

NAMES = SHARED | {measure.key: measure.formula for measure in MEASURES}
"""Values that a formula may name."""
