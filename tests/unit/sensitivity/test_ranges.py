"""Ranges by hand, of metrics of any scale."""

import dataclasses

import numpy as np
import pytest

from skewproof.core.formulas import FormulaError, parse_metric
from skewproof.core.levels import DEFAULT_LEVELS, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.practice.h_measure import h_of_one_threshold
from skewproof.sensitivity.ranges import normalized_range, value_range, with_bounds
from skewproof.sensitivity.surfaces import grid_matrix

SCALES = [1e-300, 1e-100, 1e-12, 1e-9, 1.0, 1e9, 1e12, 1e100]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("formula", "low", "high"),
    [
        (lambda c: c.tpr, 0, 1),
        (lambda c: c.tpr - c.fpr, -1, 1),
        (lambda c: c.tpr * c.fnr, 0, 0.25),
        (lambda c: abs(c.tpr - 0.3217), 0, 0.6783),
        (lambda c: abs(c.tpr - c.fpr - 0.125) * (1 + c.tpr), 0, 1.75),
        (lambda c: c.tpr * c.fnr * c.fpr * c.tnr, 0, 1 / 16),
        (lambda c: -np.exp(-((10 * (c.tpr - 0.37)) ** 2) - (30 * (c.fpr - c.tpr)) ** 2), -1, 0),
    ],
)
def test_ranges_at_every_scale(formula, low, high, scale):
    """Without an extreme at a node the search has to find it, inside or along a kink."""
    metric = Metric("own", "o", "own", "", lambda c: scale * formula(c), bounds=None)
    found = value_range(metric, [Level(1, 1), Level(1, 1000)]).bounds
    assert np.array(found) / scale == pytest.approx([low, high], abs=2e-9)
    assert value_range(metric, [Level(1, 1)], spacing=8).bounds == pytest.approx(found, rel=1e-8)


@pytest.mark.parametrize(
    ("text", "bounds", "variant"),
    [
        ("1.26e-9*tp/P + 1e-10*fp/N", (0, 1.36e-9), (0, 1.36e-9)),
        ("tp/1e12", (0, 1e-10), (0, 1e-12)),
        ("1e12*tp", (0, 1e14), (0, 1e12)),
        ("1 + 1e-10*tp/P", (1, 1 + 1e-10), (1, 1 + 1e-10)),
        ("max(tp - P*0.999999, 0)", (0, 1e-4), (0, 1e-6)),
        ("tp/P - 1e6", (-1e6, 1 - 1e6), (-1e6, 1 - 1e6)),
    ],
)
def test_small_and_large_formulas(text, bounds, variant):
    metric = parse_metric(text)
    found = with_bounds(metric)
    assert found.bounds == pytest.approx(bounds, rel=1e-9)
    assert found.bounds[1] - found.bounds[0] == pytest.approx(bounds[1] - bounds[0], rel=1e-9)
    assert normalized_range(metric) == pytest.approx(variant, rel=1e-9)
    values = bounded(found)(grid_matrix(Level(1, 1), 100, grid=11))
    assert (values.min(), values.max()) == (0, pytest.approx(1, rel=1e-6))


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (lambda c: c.tp / c.fp, "own is unbounded above at 1:1, near tp/P = 1 and fp/N = 3.4"),
        (lambda c: -c.tp / c.fp, "own is unbounded below at 1:1, near tp/P = 1 and fp/N = 3.4"),
        (lambda c: np.log(c.tpr), "own is unbounded below at 1:1"),
        (lambda c: 1 / (c.tpr - 0.3217), "own is unbounded below at 1:1, inside the square"),
        (lambda c: 1 / (c.tpr - c.fpr - 0.3217) ** 2, "own is unbounded above at 1:1, inside the"),
        (lambda c: np.sqrt(c.tpr - c.fpr), "own is undefined inside the square"),
    ],
)
def test_unbounded_at_every_scale(formula, message, scale):
    metric = Metric("own", "o", "own", "", lambda c: scale * formula(c), bounds=None)
    for spacing in (None, 8):
        with pytest.raises(FormulaError, match=message):
            value_range(metric, [Level(1, 1)], spacing=spacing)


def test_what_does_not_tell_classifiers_apart_has_no_bounds():
    same = Metric("own", "o", "own", "", lambda c: c.positives, bounds=None)
    with pytest.raises(FormulaError, match="own is 100 for all classifiers"):
        with_bounds(same)
    rounded = Metric("own", "o", "own", "", lambda c: (c.fn + c.tp) / 100 - 1e-15 * c.tpr)
    with pytest.raises(FormulaError, match="own is 1 for all classifiers"):
        with_bounds(dataclasses.replace(rounded, bounds=None))
    # With one positive, as a metric of rates has, it is 0 but for rounding.
    with pytest.raises(FormulaError, match="own_i is 0 for all classifiers"):
        normalized_range(parse_metric("tp*(P - 1)", key="own"))
    huge = dataclasses.replace(same, formula=lambda c: (c.tpr - c.fpr) * 1.5e308)
    with pytest.raises(FormulaError, match=r"own has values from -1.5e\+308 to 1.5e\+308"):
        with_bounds(huge)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("tp/P" + "+(fp/N)**.3" * 900, 0, 901),
        ("+".join(["tp"] * 3333), 0, 333_300),
        ("tp/P" + "+abs(tp/P-.25)" * 600, 0.25, 451),
    ],
    ids=lambda text: str(text)[:12],
)
def test_long_formulas_are_looked_at_on_fewer_nodes(text, low, high):
    # At the rates next to 0, which are 3e-22, a power of 0.3 is 4e-7.
    assert with_bounds(parse_metric(text)).bounds == pytest.approx((low, high), abs=5e-7 * high)


def test_extremes_that_rounding_makes_are_not_looked_for():
    """The H-measure is in [0, 1]; next to the corners what is left of its parts is not."""
    metric = Metric("h", "h", "h", "", h_of_one_threshold, bounds=None)
    assert value_range(metric, DEFAULT_LEVELS).bounds == pytest.approx((0, 1), abs=1e-8)
