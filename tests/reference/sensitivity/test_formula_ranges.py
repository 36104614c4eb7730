"""Ranges of formulas with kinks, compared with those of a search (make_formula_ranges.py)."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof.core.formulas.metrics import parse_metric
from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.sensitivity.ranges.ranges import value_range

OFF = 1e-9
"""Share of its width by which a range may be off; the corpus knows its own ends to 1e-10."""


@pytest.mark.slow
def test_ranges_are_those_of_the_corpus():
    corpus = pd.read_csv(Path(__file__).with_name("formula_ranges.csv"))
    found = [value_range(parse_metric(text), DEFAULT_LEVELS) for text in corpus["formula"]]
    expected = corpus[["low", "high"]].to_numpy()
    apart = np.abs(np.array([one.bounds for one in found]) - expected).max(axis=1)
    assert corpus["formula"][apart > OFF * np.ptp(expected, axis=1)].tolist() == []
    assert np.mean([one.proved for one in found]) > 0.9
