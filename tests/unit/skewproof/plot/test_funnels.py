"""The funnel plot of groups."""

import matplotlib as mpl
import numpy as np
import pytest
from scipy import stats

from skewproof.intervals import intraclass_correlation
from skewproof.plot import FunnelDisplay

mpl.use("agg")


def rows(groups=80, different=None):
    """Draw labels of which hits vary between groups, and one group that never hits."""
    random = np.random.default_rng(0)
    names = np.repeat(np.arange(groups), random.integers(10, 40, groups))
    rate = random.beta(0.8 * 20, 0.2 * 20, groups)
    if different is not None:
        rate[different] = 0.1
    true = (random.random(len(names)) < 0.6).astype(int)
    hit, alarm = random.random((2, len(names)))
    called = np.where(true == 1, hit < rate[names], alarm < 0.2)
    return true, called.astype(int), names


def test_a_group_that_differs_stands_out_and_is_named():
    true, called, names = rows(different=17)
    texts = np.array([f"clinic {name}" for name in names])
    display = FunnelDisplay.from_predictions(true, called, groups=texts)
    assert display.outside == ["clinic 17"]
    assert [text.get_text().strip() for text in display.ax_.texts] == ["clinic 17"]
    assert repr(display) == "FunnelDisplay(true_positive_rate of 80 groups, 1 outside)"
    assert FunnelDisplay.from_predictions(*rows()[:2], groups=texts).outside == []


@pytest.mark.parametrize("rate", ["true_positive_rate", "false_positive_rate", "prevalence"])
def test_rates_and_correlations_are_those_of_the_rows(rate):
    true, called, names = rows()
    display = FunnelDisplay.from_predictions(true, called, groups=names, rate=rate)
    expected = intraclass_correlation(true, called, names).set_index("rate").loc[rate]
    assert (display.share, display.correlation) == pytest.approx((expected.share, expected.value))
    assert sum(display.sizes) == expected.rows


def test_limits_have_the_variance_of_the_design_effect():
    display = FunnelDisplay(hits=[8, 2, 6, 9, 1], sizes=[10] * 5, names=range(5))
    sizes = np.array([3.0, 20.0, 500.0])
    variance = display.share * (1 - display.share) * (1 + (sizes - 1) * display.correlation) / sizes
    total = display.share * (1 - display.share) / variance - 1
    normal = stats.beta(total * display.share, total * (1 - display.share))
    assert normal.var() == pytest.approx(variance)
    low, high = display.limits(sizes, 0.95)
    np.testing.assert_allclose([low, high], normal.ppf([[0.025], [0.975]]))


@pytest.mark.slow
def test_all_groups_of_one_kind_are_inside_as_often_as_was_said():
    random, inside = np.random.default_rng(1), 0
    for _ in range(200):
        sizes = random.integers(5, 60, 40)
        hits = random.binomial(sizes, random.beta(7, 3, 40))
        inside += not FunnelDisplay(hits=hits, sizes=sizes, names=range(40)).outside
    assert inside / 200 > 0.88


def test_any_number_of_classes_has_an_accuracy():
    true, called, names = rows()
    display = FunnelDisplay.from_predictions(
        true + (names % 2), called, groups=names, rate="accuracy"
    )
    assert display.share == pytest.approx(np.mean(true + (names % 2) == called), abs=0.1)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"hits": [1, 9]}, "hits = .* expected a number from 0 to that of the rows"),
        (
            {"hits": [1]},
            "hits and sizes and names have 1 and 2 and 2 entries: expected equal lengths",
        ),
        ({"sizes": [5, 0], "hits": [1, 0]}, "sizes = .* expected at least two groups with rows"),
        ({"names": ["a"]}, "hits and sizes and names have 2 and 2 and 1 entries: expected equal"),
    ],
)
def test_refused_groups(changed, message):
    with pytest.raises(ValueError, match=message):
        FunnelDisplay(**{"hits": [1, 2], "sizes": [5, 5], "names": ["a", "b"]} | changed)
