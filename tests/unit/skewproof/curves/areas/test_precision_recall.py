"""Areas by their definitions: fractions over all thresholds."""

import itertools
from fractions import Fraction
from math import log

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import integrate

from skewproof.curves.areas.area import area
from skewproof.curves.precision_recall import interpolated_precision

AREAS = (
    "normalized_average_precision",
    "normalized_precision_recall_area",
    "calibrated_average_precision",
    "balanced_average_precision",
    "precision_recall_gain_area",
)


@st.composite
def tied_scores(draw):
    size = draw(st.integers(0, 20))
    true = np.array([0, 1, *draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))])
    scores = draw(st.lists(st.integers(0, 8), min_size=true.size, max_size=true.size))
    return true, np.array(scores)


def points(true, scores):
    """List true and false positives at every threshold, first without positive calls."""
    reached = [scores >= threshold for threshold in sorted(set(scores.tolist()), reverse=True)]
    return [(0, 0)] + [
        (int(true[called].sum()), int((1 - true[called]).sum())) for called in reached
    ]


def steps(true, scores, precision):
    """Compute the area of steps over recall, for any precision of (tp, fp)."""
    corners = points(true, scores)
    return sum(
        Fraction(after[0] - before[0], corners[-1][0]) * precision(*after)
        for before, after in itertools.pairwise(corners)
        if after[0] > before[0]
    )


def gain_area(corners):
    """Compute the area of points as prg does: gains, a point at recall gain 0, trapezoids."""
    positives, negatives = corners[-1]
    odds = Fraction(positives) / negatives
    first = Fraction(positives * positives) / (positives + negatives)
    cut = []
    for (tp, fp), (next_tp, next_fp) in itertools.pairwise(corners):
        if tp < first < next_tp:
            cut.append((first, fp + (next_fp - fp) * (first - tp) / (next_tp - tp)))
        cut.append((next_tp, next_fp))
    gains = [
        (1 - odds * (positives - tp) / tp, 1 - odds * fp / tp)
        for tp, fp in ((Fraction(tp), Fraction(fp)) for tp, fp in cut)
        if tp >= first
    ]
    return sum(
        (right[0] - left[0]) * (left[1] + right[1]) / 2 for left, right in itertools.pairwise(gains)
    )


def outer(corners):
    """Select the corners of the convex hull, which no chord between two others is above."""
    return [
        (tp, fp)
        for tp, fp in corners
        if not any(
            low <= tp <= high
            and (low, left) != (high, right)
            and (tp, fp) not in ((low, left), (high, right))
            and (high - low) * (fp - left) >= (tp - low) * (right - left)
            and left <= fp <= right
            for (low, left), (high, right) in itertools.combinations(corners, 2)
        )
    ]


@given(data=tied_scores())
def test_areas_of_steps(data):
    true, scores = data
    share = Fraction(int(true.sum()), true.size)
    plain = steps(true, scores, lambda tp, fp: Fraction(tp, tp + fp))
    expected = float((plain - share) / (1 - share))
    assert area("normalized_average_precision", true, scores) == pytest.approx(expected, abs=1e-13)
    weight = (1 - share) / share
    balanced = steps(true, scores, lambda tp, fp: weight * tp / (weight * tp + fp))
    expected = pytest.approx(float(balanced), abs=1e-13)
    assert area("balanced_average_precision", true, scores) == expected
    assert area("calibrated_average_precision", true, scores) == expected
    odds = weight / 1000
    rare = steps(true, scores, lambda tp, fp: odds * tp / (odds * tp + fp))
    value = area("calibrated_average_precision", true, scores, at="1:1000")
    assert value == pytest.approx(float(rare), abs=1e-13)


@given(data=tied_scores())
def test_gain_area_is_that_of_trapezoids_between_cut_points(data):
    true, scores = data
    expected = float(gain_area(points(true, scores)))
    assert area("precision_recall_gain_area", true, scores) == pytest.approx(expected, abs=1e-12)
    expected = float(gain_area(outer(points(true, scores))))
    assert area("precision_recall_gain_area", true, scores, hull=True) == pytest.approx(
        expected, abs=1e-12
    )
    assert expected >= area("precision_recall_gain_area", true, scores) - 1e-12


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow
def test_normalized_area_is_taken_from_the_worst_curve_to_1(seed):
    random = np.random.default_rng(seed)
    true = np.array([0, 1, *random.integers(0, 2, 12)])
    scores, share = random.integers(0, 8, true.size), true.mean()
    grid = np.unique(scores)
    recalls = np.unique([np.mean(scores[true == 1] >= threshold) for threshold in grid])
    total = sum(
        integrate.quad(lambda recall: interpolated_precision(true, scores, recall), *ends)[0]
        for ends in itertools.pairwise([0.0, *recalls[recalls > 0]])
    )
    worst = integrate.quad(lambda r: r * share / (r * share + 1 - share), 0, 1)[0]
    value = area("normalized_precision_recall_area", true, scores)
    assert value == pytest.approx((total - worst) / (1 - worst), abs=1e-8)
    assert worst == pytest.approx(1 + (1 - share) * log(1 - share) / share)
