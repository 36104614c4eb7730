"""Ranges by hand, of metrics of any scale."""

import dataclasses
import itertools

import numpy as np
import pytest

from skewproof.core.formulas.metrics import FormulaError, parse_metric
from skewproof.core.levels import DEFAULT_LEVELS, Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.curves.areas.h_measure import h_of_one_threshold
from skewproof.sensitivity.ranges.ranges import normalized_range, value_range, with_bounds
from skewproof.sensitivity.surfaces.grid import grid_matrix


def scaled(formula, scale):
    return Metric("own", "o", "own", "", lambda c: scale * formula(c), bounds=None)


SCALES = [1e-300, 1e-12, 1.0, 1e100]


@pytest.mark.slow
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
def test_ranges_at_every_scale(formula, low, high, subtests):
    """The search finds extremes that are not at a node, inside or along a kink."""
    for scale in SCALES:
        own = scaled(formula, scale)
        with subtests.test(scale=scale):
            found = value_range(own, [Level(1, 1), Level(1, 1000)]).bounds
            assert np.array(found) / scale == pytest.approx([low, high], abs=2e-9)
            coarse = value_range(own, [Level(1, 1)], spacing=8).bounds
            assert coarse == pytest.approx(found, rel=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        # At N = 10^5 and fp = N, where fn² - sqrt(N) = 100·tp.
        ("max(fn**2 - sqrt(fp), P*tp)", 100 * (150 - np.sqrt(150**2 - 1e4 + 1e5**0.5)), 1e4),
        ("sqrt(fp)/(1 + sqrt(fp))", 0, 1e5**0.5 / (1 + 1e5**0.5)),
        ("fp/(fp + 0.001)", 0, 1e5 / (1e5 + 0.001)),
        ("min(fp, 0.001)*1000", 0, 1),
        ("min(3, tn/fp)", 0, 3),
        ("tp/(tp + fp)", 0, 1),
        ("exp(-abs(tp - 3*fp)/P)", np.exp(-3000), 1),
    ],
)
def test_proved_ranges(text, low, high):
    """Extremes on edges, and where values are infinite on the way; kinks are in tests/reference."""
    found = value_range(parse_metric(text), DEFAULT_LEVELS)
    assert found.proved
    assert found.bounds == pytest.approx((low, high), rel=1e-12, abs=1e-9 * (high - low))


@pytest.mark.slow
@pytest.mark.parametrize("text", ["abs(tp/P - fp/N)/(tp/P + fp/N)", "tp*fn/(tp + fp)"])
def test_what_no_box_at_a_corner_encloses_is_found_by_search(text):
    found = value_range(parse_metric(text), [Level(1, 1)])
    assert not found.proved
    assert found.bounds == pytest.approx((0, 100 if "*fn" in text else 1), abs=1e-8)


def own_function(c):
    """Return the smaller rate, by a choice that branch and bound does not see."""
    return np.sort(np.stack(np.broadcast_arrays(c.tpr, c.tnr)), axis=0)[0]


@pytest.mark.slow
def test_a_function_whose_operations_are_not_enclosed_is_searched():
    metric = Metric("own", "o", "own", "", own_function, bounds=None)
    assert value_range(metric, [Level(1, 1)]) == (0, 1, False)


@pytest.mark.slow
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


@pytest.mark.slow
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
def test_unbounded_at_every_scale(formula, message, subtests):
    for scale, spacing in itertools.product(SCALES, (None, 8)):
        own = scaled(formula, scale)
        with subtests.test(scale=scale), pytest.raises(FormulaError, match=message):
            value_range(own, [Level(1, 1)], spacing=spacing)


def test_what_does_not_tell_classifiers_apart_has_no_bounds():
    same = Metric("own", "o", "own", "", lambda c: c.positives, bounds=None)
    with pytest.raises(
        FormulaError, match="own is 100 for all classifiers of 100 positives at 1:1 to"
    ):
        with_bounds(same)
    rounded = Metric("own", "o", "own", "", lambda c: (c.fn + c.tp) / 100 - 1e-15 * c.tpr)
    with pytest.raises(FormulaError, match="own is 1 for all classifiers"):
        with_bounds(dataclasses.replace(rounded, bounds=None))
    # With one positive, as a metric of rates has, it is 0 but for rounding.
    with pytest.raises(FormulaError, match="own_i is 0 for all classifiers of classes of size 1:"):
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


@pytest.mark.slow
def test_extremes_that_rounding_makes_are_not_looked_for():
    """The H-measure is in [0, 1]; next to the corners what is left of its parts is not."""
    metric = Metric("h", "h", "h", "", h_of_one_threshold, bounds=None)
    assert value_range(metric, DEFAULT_LEVELS).bounds == pytest.approx((0, 1), abs=1e-8)
