"""Ranges of formulas with kinks, compared with constrained optimization of their smooth pieces."""

import csv
from pathlib import Path

import numpy as np
import pytest

from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.sensitivity.ranges.ranges import value_range

OFF = 1e-9
"""Share of its width by which a range may be off."""

SEARCHED = 0.01
"""Share of the ranges found by search that may be off by more."""


@pytest.mark.slow
def test_ranges_are_those_of_the_corpus():
    """The corpus knows its own ends to 1e-10 of the range (make_formula_ranges.py)."""
    with Path(__file__).with_name("formula_ranges.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 500
    found = [value_range(parse_metric(row["formula"]), DEFAULT_LEVELS) for row in rows]
    expected = np.array([[float(row["low"]), float(row["high"])] for row in rows])
    apart = np.abs(np.array([one.bounds for one in found]) - expected).max(axis=1)
    off = apart > OFF * np.ptp(expected, axis=1)
    proved = np.array([one.proved for one in found])
    wrong = [row["formula"] for row, bad in zip(rows, off, strict=True) if bad]
    assert not (off & proved).any(), wrong
    assert off.sum() <= SEARCHED * (~proved).sum(), wrong
    assert proved.mean() > 0.9
