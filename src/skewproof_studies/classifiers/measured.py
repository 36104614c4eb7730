"""Measured classifiers, read from the file that a configuration names."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from skewproof.core.messages import shortened, shown
from skewproof.sensitivity.classifiers import WEIGHT_COLUMN, MeasuredClassifiers

LIMITS = {"tpr": 1.0, "fpr": 1.0, WEIGHT_COLUMN: float(np.finfo(float).max)}
"""Largest number in each column; the smallest is 0."""

_COLUMNS = f"the columns tpr, fpr and, optionally, {WEIGHT_COLUMN}"
_FILE = f"expected a CSV file in UTF-8 with {_COLUMNS}"
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


def read_measured(path: str) -> MeasuredClassifiers:
    """Read measured classifiers from a CSV file with the columns tpr, fpr and, optionally, weight.

    Raises
    ------
    ValueError
        If the file does not exist, is not a CSV file with these columns and at least one row, or
        has a missing number or one outside its range. The message has the line and what is
        expected.
    """
    # Reading a pipe would block.
    if not os.path.isfile(path):
        raise ValueError(f"no file; {_FILE}")
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            columns = _columns(file)
    except (UnicodeDecodeError, csv.Error):
        raise ValueError(f"not valid; {_FILE}") from None
    except OSError as error:
        raise ValueError(f"can't be read ({error.strerror}); {_FILE}") from None
    return MeasuredClassifiers.from_frame(columns)


def check_measured(distributions: Mapping[str, Mapping[str, Any]]) -> None:
    """Read the files of the measured classifiers among the distributions of a configuration.

    Raises
    ------
    ValueError
        If a file can't be used; the message has its key, its name and what is expected.
    """
    for name, described in distributions.items():
        if "file" in described:
            try:
                read_measured(described["file"])
            except ValueError as error:
                file = shortened(described["file"])
                raise ValueError(f"classifiers.{name}.file = {file}: {error}") from None


def _columns(lines: Iterable[str]) -> dict[str, list[float]]:
    """Read the numbers below each name of the first line."""
    reader = csv.reader(lines, strict=True)
    names = next(reader, [])
    if not names:
        raise ValueError(f"the first line is empty; {_FILE}")
    if sorted(names) not in (["fpr", "tpr"], ["fpr", "tpr", WEIGHT_COLUMN]):
        raise ValueError(f"the columns are {shown(names)}; expected {_COLUMNS}, each once")
    columns: dict[str, list[float]] = {name: [] for name in names}
    for row in reader:
        if row:
            line = f"line {reader.line_num}"
            if len(row) != len(names):
                fields = f"{len(row)} field" + "s" * (len(row) > 1)
                raise ValueError(f"{line} has {fields}; expected {len(names)}, as in the first")
            for name, text in zip(names, row, strict=True):
                columns[name].append(_number(name, text, line))
    if not columns["tpr"]:
        raise ValueError("no row below the header; expected at least one")
    return columns


def _number(name: str, text: str, line: str) -> float:
    number = float(text) if _NUMBER.fullmatch(text) else np.nan
    if not 0 <= number <= LIMITS[name]:
        expected = "a number from 0 to 1" if LIMITS[name] == 1 else "a finite number of at least 0"
        raise ValueError(f"{line} has {shown(text)} as {name}; expected {expected}")
    return number
