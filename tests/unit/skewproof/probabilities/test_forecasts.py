import numpy as np
import pytest

from skewproof import Prevalence
from skewproof.probabilities.forecasts import Forecasts, forecasts_of


def test_each_forecast_is_counted_in_its_class():
    forecasts = forecasts_of([1, 0, 1, 0, 0], [0.5, 0.2, 0.9, 0.5, 0.2])
    assert forecasts.values.tolist() == [0.2, 0.5, 0.9]
    assert forecasts.positives.tolist() == [0, 1, 1]
    assert forecasts.negatives.tolist() == [2, 1, 0]
    assert forecasts.sizes == (2, 3)
    assert forecasts.own_share == pytest.approx(2 / 5)


def test_groups_keep_the_ends_and_the_counts():
    random = np.random.default_rng(0)
    true = np.repeat([1, 0], [10, 5000])
    forecasts = forecasts_of(true, random.beta(1 + true, 5))
    grouped = forecasts.grouped(50)
    assert grouped.values.size <= 50
    assert (np.diff(grouped.values) > 0).all()
    assert grouped.values[[0, -1]] == pytest.approx(forecasts.values[[0, -1]], rel=1e-15)
    assert grouped.sizes == forecasts.sizes
    assert grouped.positives.max() <= 2, "forecasts of the rare class are hardly taken together"
    assert forecasts.grouped(10_000) is forecasts


def test_sure_forecasts_stay_sure_in_groups():
    true = np.repeat([1, 0], [500, 500])
    p = np.random.default_rng(0).uniform(size=1000)
    p[:10], p[-10:] = 1, 0
    assert forecasts_of(true, p).grouped(20).values[[0, -1]].tolist() == [0.0, 1.0]


def test_forecasts_are_adjusted_to_what_stands_for_the_place():
    forecasts = Forecasts(np.array([0.0, 0.5, 1.0]), np.array([0.0, 1, 1]), np.array([4.0, 2, 0]))
    trained = Prevalence.given("1:1")
    for at, share in (("1:9", 0.1), ("10/50", 0.2), ("beta(1, 4)", 0.2), ("population", 0.25)):
        adjusted = forecasts.adjusted(trained, Prevalence.given(at))
        assert adjusted.values == pytest.approx([0, share, 1])
    assert forecasts.adjusted(None, Prevalence.given("1:9")) is forecasts
