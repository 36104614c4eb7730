import numpy as np
import pytest

from skewproof import Prevalence
from skewproof.probabilities.forecasts import (
    Forecasts,
    TwoClassForecasts,
    Unseen,
    two_class_forecasts,
)
from skewproof.probabilities.score_functions import BRIER, LOG


def test_groups_keep_the_ends_and_the_counts():
    random = np.random.default_rng(0)
    true = np.repeat([1, 0], [10, 5000])
    forecasts = two_class_forecasts(true, random.beta(1 + true, 5))
    grouped = forecasts.grouped(50)
    assert len(grouped.values) <= 50
    assert (np.diff(grouped.of_positive) > 0).all()
    assert grouped.of_positive[[0, -1]] == pytest.approx(forecasts.of_positive[[0, -1]], rel=1e-15)
    assert grouped.sizes.tolist() == forecasts.sizes.tolist()
    assert grouped.counts[0].max() <= 2, "forecasts of the rare class are hardly taken together"
    assert forecasts.grouped(10_000) is forecasts


def test_forecasts_are_adjusted_to_what_stands_for_the_place():
    forecasts = TwoClassForecasts.of(
        np.array([0.0, 0.5, 1.0]), np.array([0.0, 1, 1]), np.array([4.0, 2, 0])
    )
    trained = Prevalence.given("1:1")
    for at, share in (("1:9", 0.1), ("10/50", 0.2), ("beta(1, 4)", 0.2), ("population", 0.25)):
        adjusted = forecasts.adjusted(trained, Prevalence.given(at))
        assert adjusted.of_positive == pytest.approx([0, share, 1])
    assert forecasts.adjusted(None, Prevalence.given("1:9")) is forecasts


@pytest.mark.parametrize("losses", [BRIER, LOG])
@pytest.mark.slow
def test_two_classes_are_a_case_of_several(losses):
    """Their losses and intervals do not need the order of the forecasts."""
    random = np.random.default_rng(2)
    true = np.repeat([1, 0], [40, 300])
    of_two = two_class_forecasts(true, random.beta(1 + true, 5))
    of_several = Forecasts(of_two.classes, of_two.values, of_two.counts)
    shares, at = np.array([0.3, 0.7]), Prevalence.given("test set")
    assert of_two.observed(shares).mean(losses) == pytest.approx(
        of_several.observed(shares).mean(losses), rel=1e-13
    )
    ends = []
    for forecasts in (of_two, of_several):
        drawn = forecasts.drawn(at, Unseen.WORST, 20_000, np.random.default_rng(0))
        means = np.concatenate([sample.mean(losses) for (sample,) in drawn])
        ends.append(np.quantile(means, [0.025, 0.975]))
    assert ends[0] == pytest.approx(ends[1], rel=0.01)
