"""Net benefit and decision curves."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, chi2, norm

from skewproof import Prevalence, decision_curve
from skewproof.decisions import useful_thresholds

Z = norm.ppf(0.975)
QUANTITIES = ("net_benefit", "standardized", "interventions_avoided")
TRUE = [1] * 12 + [0] * 40
P = [0.9] * 8 + [0.3] * 3 + [0.05] + [0.9] * 2 + [0.3] * 7 + [0.05] * 31


def by_hand(share, tpr, fpr, threshold):
    """Compute the three quantities at one threshold."""
    odds = threshold / (1 - threshold)
    benefit = share * tpr - (1 - share) * fpr * odds
    of_all = share - (1 - share) * odds
    return benefit, benefit / share, 100 * (benefit - of_all) / odds


def row_of(curve, model, threshold):
    rows = curve[(curve["model"] == model) & (curve["threshold"] == threshold)]
    assert len(rows) == 1
    return rows.iloc[0]


@pytest.mark.slow
def test_rates_are_those_of_a_loop():
    random = np.random.default_rng(3)
    p = random.integers(0, 21, 500) / 20
    true = random.random(500) < p
    thresholds = [0.5, 0.05, 0.7, 0.95, 0.5]
    curve = decision_curve(true, p, thresholds=thresholds, pos_label=True)
    rows = curve[curve["model"] == "model"]
    assert rows["threshold"].tolist() == thresholds
    for row in rows.itertuples():
        assert row.tpr == np.mean([forecast >= row.threshold for forecast in p[true]])
        assert row.fpr == np.mean([forecast >= row.threshold for forecast in p[~true]])


def quantile(hits, misses, deviation):
    """Compute the proportion at a deviation, for counts of which neither is 0."""
    return beta.ppf(norm.cdf(deviation), hits + 0.5, misses + 0.5)


def searched(share_at, threshold, dimensions):
    """Find the ends of the three quantities over a dense grid of the ball's surface."""
    first = np.linspace(0, 2 * np.pi, 181)
    second = np.linspace(0, np.pi, 61)[:, np.newaxis] if dimensions == 3 else np.pi / 2
    u = quantile(11, 1, Z * np.cos(first) * np.sin(second))
    v = quantile(9, 31, Z * np.sin(first) * np.sin(second))
    share = share_at(Z * np.cos(second) + 0 * first)
    return [(values.min(), values.max()) for values in by_hand(share, u, v, threshold)]


SHARES = {
    "test set": lambda deviation: 12 / 52 + 0 * deviation,
    "1:999": lambda deviation: 0.001 + 0 * deviation,
    "population": lambda deviation: quantile(12, 40, deviation),
    "30/2000": lambda deviation: quantile(30, 1970, deviation),
    "beta(3, 400)": lambda deviation: beta.ppf(norm.cdf(deviation), 3, 400),
}


@pytest.mark.parametrize("at", SHARES)
@pytest.mark.slow
def test_ends_are_the_extremes_over_the_ball(at):
    row = row_of(decision_curve(TRUE, P, thresholds=0.2, at=at), "model", 0.2)
    is_stated = at in ("test set", "1:999")
    if is_stated:
        known = by_hand(SHARES[at](0.0), 11 / 12, 9 / 40, 0.2)
        assert row[list(QUANTITIES)].tolist() == pytest.approx(known)
    dimensions = 2 if is_stated else 3
    for name, (low, high) in zip(QUANTITIES, searched(SHARES[at], 0.2, dimensions), strict=True):
        width = high - low
        assert row[f"{name}_low"] == pytest.approx(low, abs=1e-3 * width)
        assert row[f"{name}_high"] == pytest.approx(high, abs=1e-3 * width)


@pytest.mark.slow
def test_a_range_has_the_envelope_of_its_prevalences():
    curve = decision_curve(TRUE, P, thresholds=[0.01, 0.2, 0.5], at=Prevalence.between(0.01, 0.3))
    inside = [
        decision_curve(TRUE, P, thresholds=[0.01, 0.2, 0.5], at=share)
        for share in np.linspace(0.01, 0.3, 5)
    ]
    for name in QUANTITIES:
        low = np.min([at_end[f"{name}_low"] for at_end in inside], axis=0)
        high = np.max([at_end[f"{name}_high"] for at_end in inside], axis=0)
        assert curve[f"{name}_low"].to_numpy() == pytest.approx(low)
        assert curve[f"{name}_high"].to_numpy() == pytest.approx(high)


@pytest.mark.slow
def test_treating_all_is_as_sure_as_the_prevalence():
    low, high = beta.ppf([0.025, 0.975], 30.5, 1970.5)
    row = row_of(decision_curve(TRUE, P, thresholds=0.2, at="30/2000"), "treat all", 0.2)
    ends = [row["net_benefit_low"], row["net_benefit_high"]]
    assert ends == pytest.approx([by_hand(share, 1, 1, 0.2)[0] for share in (low, high)])
    row = row_of(decision_curve(TRUE, P, thresholds=0.2, at="30/2000"), "treat none", 0.2)
    assert (row["net_benefit_low"], row["net_benefit_high"]) == (0, 0)
    ends = [row["interventions_avoided_low"], row["interventions_avoided_high"]]
    assert ends == pytest.approx([by_hand(share, 0, 0, 0.2)[2] for share in (high, low)])


@pytest.mark.slow
def test_trained_adjusts_the_probabilities():
    random = np.random.default_rng(5)
    true = np.repeat([1, 0], 400)
    p = 1 / (1 + np.exp(2 - random.normal(2 * true) * 2))
    adjusted = (p * 0.01 / 0.5) / (p * 0.01 / 0.5 + (1 - p) * 0.99 / 0.5)
    thresholds = [0.005, 0.01, 0.1]
    curve = decision_curve(true, p, at=0.01, trained="1:1", thresholds=thresholds)
    expected = decision_curve(true, adjusted, at=0.01, thresholds=thresholds)
    pd.testing.assert_frame_equal(
        curve.drop(columns="cutoff"), expected.drop(columns="cutoff"), check_exact=True
    )
    odds = np.array(thresholds) / (1 - np.array(thresholds)) * 99
    assert curve["cutoff"][:3].to_numpy() == pytest.approx(odds / (1 + odds))


@pytest.mark.slow
def test_where_a_model_is_of_use():
    true = np.repeat([1, 0], [300, 700])
    p = np.concatenate([np.full(240, 0.6), np.full(60, 0.2), np.full(70, 0.6), np.full(630, 0.2)])
    thresholds = np.arange(1, 100) / 100
    curve = decision_curve(true, {"a": p, "none": np.zeros(1000)}, thresholds=thresholds)
    useful_at = useful_thresholds(curve).set_index("model")
    useful = [
        float(t)
        for t in map(Fraction, map(str, thresholds))
        if Fraction(2, 10) < t <= Fraction(6, 10)
        and 240 - 70 * t / (1 - t) > max(0, 300 - 700 * t / (1 - t))
    ]
    assert useful_at.loc["a", ["first", "last"]].tolist() == [useful[0], useful[-1]]
    first, last = useful_at.loc["a", ["first_sure", "last_sure"]]
    assert useful[0] <= first <= last <= useful[-1]
    assert useful_at.loc["none"].isna().all()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"y_prob": [1.5, *P[1:]]}, r"y_prob\[0\] = 1.5: expected a probability from 0 to 1"),
        ({"y_prob": {"a": [*P[:-1], -0.1]}}, r"y_prob\['a'\]\[51\] = -0.1: expected a prob"),
        ({"y_prob": P[1:]}, "y_true and y_prob have 52 and 51 entries: expected equal"),
        ({"y_prob": {"treat all": P}}, "y_prob = 'treat all': expected another name for a model"),
        ({"y_prob": [float("nan"), *P[1:]]}, r"y_prob\[0\] = nan: expected a finite probability"),
        ({"thresholds": [0.1, 1]}, "thresholds = 1.0: expected threshold probabilities above 0"),
        ({"trained": "12/400"}, "trained = '12/400': expected a prevalence"),
        ({"y_true": [0] * 52}, "0 of 52 labels are pos_label = 1: expected both classes"),
    ],
)
@pytest.mark.slow
def test_bad_input_is_refused_in_a_sentence(changed, message):
    given = {"y_true": TRUE, "y_prob": P} | changed
    with pytest.raises(ValueError, match=message) as caught:
        decision_curve(given.pop("y_true"), given.pop("y_prob"), **given)
    assert "\n" not in str(caught.value)


def test_labels_are_given_once_by_position_or_name():
    named = decision_curve(y_true=TRUE, y_prob=P)
    pd.testing.assert_frame_equal(named, decision_curve(TRUE, P))
    with pytest.raises(TypeError, match="y_true is missing: expected labels, or a data frame"):
        decision_curve(y_prob=P)
    with pytest.raises(TypeError, match="y_true = 'y' beside data of the type list: expected"):
        decision_curve(TRUE, P, y_true="y")
    with pytest.raises(ValueError, match="expected a data frame of decision_curve"):
        useful_thresholds(pd.DataFrame({"model": []}))


def test_a_single_threshold_has_the_radius_of_both_rates():
    """The rates of large classes are nearly normal. The two squared deviations then add up to chi
    squared with two degrees of freedom, which gives the half-width of the interval."""
    true = np.repeat([1, 0], [20_000, 20_000])
    p = np.where(np.arange(40_000) % 10 < np.where(true == 1, 7, 2), 0.9, 0.1)
    curve = decision_curve(true, p, thresholds=0.5, at="1:1", simultaneous=True)
    error = np.sqrt(0.25 * (0.7 * 0.3 + 0.2 * 0.8) / 20_000)
    half = (curve["net_benefit_high"][0] - curve["net_benefit_low"][0]) / 2
    assert half / error == pytest.approx(np.sqrt(chi2.ppf(0.95, 2)), rel=0.08)


@pytest.mark.slow
def test_simultaneous_intervals_hold_at_all_thresholds_at_once():
    """Normal scores, whose rates are known; seeded."""
    random, repetitions, confidence = np.random.default_rng(5), 60, 0.8
    true, share = np.repeat([1, 0], [40, 200]), 1 / 21
    thresholds = np.geomspace(0.01, 0.5, 15)
    odds = thresholds / (1 - thresholds)
    cuts = 2 + norm.ppf(thresholds)
    benefit = share * norm.sf(cuts - 2) - (1 - share) * norm.sf(cuts) * odds
    held = 0
    for _ in range(repetitions):
        p = norm.cdf(random.normal(2 * true) - 2)
        given = {"thresholds": thresholds, "at": "1:20", "confidence": confidence}
        curve = decision_curve(true, p, **given, simultaneous=True).dropna()
        held += bool(
            ((curve["net_benefit_low"] <= benefit) & (benefit <= curve["net_benefit_high"])).all()
        )
    error = np.sqrt(confidence * (1 - confidence) / repetitions)
    assert held / repetitions >= confidence - 2 * error
