import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import stats

from skewproof.core.confusion import ConfusionMatrix
from skewproof.curves.areas.area import area
from skewproof.curves.areas.h_measure import h_measure, h_of_one_threshold
from skewproof.curves.areas.roc import convex_hull
from skewproof.curves.counts import ScoreCounts, at_prevalence, score_counts


def test_h_of_the_class_sizes_is_that_of_its_shapes():
    true, scores = np.array([1, 0, 0, 1, 0]), np.array([5, 4, 3, 2, 1])
    assert area("h_measure", true, scores, costs="prior") == area(
        "h_measure", true, scores, costs=(1.4, 1.6)
    )
    assert stats.beta(1.4, 1.6).pdf(0.4) > stats.beta(1.4, 1.6).pdf([0.39, 0.41]).max()


@pytest.mark.parametrize("costs", [(2, 2), (0.5, 3), "prior"])
def test_h_of_several_curves_is_that_of_each(costs):
    """Curves of other numbers of corners, each with its own share of positives."""
    random = np.random.default_rng(3)
    true = np.repeat([1, 0], [10, 20])
    curves = [score_counts(true, random.normal(shift * true))[0] for shift in (0, 1, 3, 9)]
    several = ScoreCounts(
        np.array([curve.tp for curve in curves]),
        np.array([curve.fp * weight for curve, weight in zip(curves, (1, 9, 50, 1), strict=True)]),
    )
    ats = (10 / 30, 10 / 190, 10 / 1010, 10 / 30)
    expected = [
        h_measure(at_prevalence(curve, at), costs=costs)
        for curve, at in zip(curves, ats, strict=True)
    ]
    values = h_measure(several, costs=costs)
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-15)
    assert values[0] < 0.5
    assert values[-1] == 1
    corners = [convex_hull(curve).tp.size for curve in curves]
    assert len(set(corners)) > 1


def test_h_by_hand():
    """One threshold at tpr = 1, fpr = 1/2 of as many of both, costs uniform: it is best for
    c < 2/3, calling none positive above; so the mean loss is 1/18 + 1/36 beside 1/8."""
    value = area("h_measure", [1, 1, 0, 0], [1, 1, 1, 0], costs=(1, 1))
    assert value == pytest.approx(1 - (1 / 18 + 1 / 36) / (1 / 8))


@given(counts=st.tuples(*[st.integers(1, 30)] * 4))
def test_h_of_one_threshold_is_that_of_two_scores(counts):
    tp, fp, fn, tn = counts
    true = np.repeat([1, 0, 1, 0], counts)
    scores = np.repeat([1, 1, 0, 0], counts)
    value = h_of_one_threshold(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn))
    assert value == pytest.approx(area("h_measure", true, scores), abs=1e-12)


def test_costs_that_crowd_at_zero():
    """Beta(a, 1) in closed form; the hull has the corners (0, 0), (1/3, 1/2) and (1, 1)."""
    a = 1e-6

    def losses(low, high):
        of_cost = a / (a + 1) * (high ** (a + 1) - low ** (a + 1))
        return of_cost, np.expm1(a * np.log(high)) - np.expm1(a * np.log(low)) - of_cost

    lowest = a / (a + 1) * np.array([1 / 3, 0.4]) ** (a + 1)
    middle, highest = losses(1 / 3, 1 / 2), losses(1 / 2, 1)
    loss = 0.6 * lowest[0] + 0.2 * sum(middle) + 0.4 * highest[1]
    constant = 0.6 * lowest[1] + 0.4 * losses(0.4, 1)[1]
    value = area("h_measure", [1, 1, 0, 0, 0], [3, 1, 3, 2, 1], costs=(a, 1))
    assert value == pytest.approx(1 - loss / constant, abs=1e-9)


def test_h_of_one_threshold_at_its_ends():
    tp, fp = np.array([[9, 0, 0, 9], [0, 5, 0, 5]])
    at_ends = ConfusionMatrix.from_tp_fp(tp, fp, positives=9, negatives=5)
    values = h_of_one_threshold(at_ends)
    assert values[0] == 1
    assert np.isnan(values[1:]).all()


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        ((0, 1), r"costs = \(0, 1\): expected 'prior' or two numbers"),
        ((1, np.inf), "expected 'prior' or two numbers from"),
        ((5e-324, 1), "expected 'prior' or two numbers from 1e-06 to"),
        ("class", "costs = 'class': expected 'prior'"),
        (2, "costs = 2: expected 'prior'"),
    ],
)
def test_costs_that_are_refused(costs, message):
    with pytest.raises(ValueError, match=message):
        area("h_measure", [1, 0], [1, 2], costs=costs)
