"""Questions about every slice."""

import numpy as np
import pytest
from scipy import stats

from skewproof.intervals.extremes import Proportions
from skewproof.slices.questions import Question, in_chunks

QUESTION = Question("sampled", 1.959963984540054, None, "holm", 0.1)


def test_a_single_proportion_has_the_limits_of_jeffreys():
    proportions = Proportions(np.array([[8.0]]), np.array([[2.0]]))
    estimates = QUESTION.estimate(lambda shares, _: shares[0], proportions)
    limits = stats.beta.ppf([0.025, 0.975], 8.5, 2.5)
    assert [estimates["_low"][0], estimates["_high"][0]] == pytest.approx(limits.tolist(), rel=1e-6)
    assert estimates[""].tolist() == [0.8]
    assert QUESTION.alpha == pytest.approx(0.05)


def test_p_is_the_probability_of_the_distance_at_which_0_is_reached():
    proportions = Proportions(np.array([[8.0]]), np.array([[2.0]]))
    (p,) = QUESTION.p(lambda shares, _: shares[0] - 1 / 2, proportions)
    assert p == pytest.approx(2 * stats.beta.cdf(1 / 2, 8.5, 2.5), rel=1e-4)


def test_adjusted_p_values_leave_out_what_is_unknown():
    p = np.array([[0.01, np.nan], [0.04, 0.03]])
    expected = [[0.03, np.nan], [0.06, 0.06]]
    np.testing.assert_allclose(QUESTION.adjusted(p), expected)
    assert np.isnan(QUESTION.adjusted(np.array([np.nan]))).all()


@pytest.mark.parametrize("rows", [[4, 2, 7, 1, 0], []])
def test_chunks_are_as_the_whole(rows):
    numbers = in_chunks(lambda some: {"double": 2.0 * some}, np.array(rows, dtype=int), 2)
    assert numbers.index.tolist() == rows
    assert numbers["double"].tolist() == [2 * row for row in rows]
