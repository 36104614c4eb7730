"""Expected costs and cost curves."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, norm

from skewproof import ConfusionMatrix, Prevalence, expected_cost
from skewproof.curves import threshold_matrices
from skewproof.decisions import cost_curve

Z = norm.ppf(0.975)
TRUE = [1] * 50 + [0] * 200
BOLD = [1] * 45 + [0] * 5 + [1] * 40 + [0] * 160
SHY = [1] * 30 + [0] * 20 + [1] * 4 + [0] * 196
MODELS = {"bold": BOLD, "shy": SHY}


def cost(share, threshold, tpr, fpr):
    """Divide the cost of errors by that of the costliest classifier, as in the definition."""
    miss, alarm = 1 - threshold, threshold
    paid = share * (1 - tpr) * miss + (1 - share) * fpr * alarm
    return paid / (share * miss + (1 - share) * alarm)


@pytest.mark.parametrize(
    ("at", "share"),
    [("population", Fraction(1, 5)), ("test set", Fraction(1, 5)), ("1:99", Fraction(1, 100))],
)
@pytest.mark.slow
def test_costs_are_those_by_hand(at, share):
    frame = expected_cost(TRUE, MODELS, threshold="1:20", at=at, draws=10).set_index("model")
    rates = {
        "bold": (Fraction(45, 50), Fraction(40, 200)),
        "shy": (Fraction(30, 50), Fraction(4, 200)),
        "treat all": (Fraction(1), Fraction(1)),
        "treat none": (Fraction(0), Fraction(0)),
    }
    for model, (tpr, fpr) in rates.items():
        expected = float(cost(share, Fraction(1, 21), tpr, fpr))
        assert frame.loc[model, "cost"] == pytest.approx(expected)


def quantile(hits, misses, deviation):
    return beta.ppf(norm.cdf(deviation), hits + 0.5, misses + 0.5)


def searched(share_at, threshold_at):
    """Find the ends of the bold model's cost over random points of the ball's surface."""
    points = np.random.default_rng(0).normal(size=(4, 20_000))
    used = np.array([1, 1, share_at is not None, threshold_at is not None])[:, np.newaxis]
    points *= used
    points *= Z / np.sqrt((points**2).sum(axis=0))
    u, v = quantile(45, 5, points[0]), quantile(40, 160, points[1])
    share = 0.01 if share_at is None else share_at(points[2])
    threshold = 0.05 if threshold_at is None else threshold_at(points[3])
    costs = cost(share, threshold, u, v)
    return costs.min(), costs.max()


@pytest.mark.parametrize(
    ("at", "threshold", "share_at", "threshold_at"),
    [
        (0.01, 0.05, None, None),
        ("20/2000", 0.05, lambda x: quantile(20, 1980, x), None),
        (0.01, "beta(5, 95)", None, lambda x: beta.ppf(norm.cdf(x), 5, 95)),
    ],
)
@pytest.mark.slow
def test_ends_are_the_extremes_over_the_ball(at, threshold, share_at, threshold_at):
    row = expected_cost(TRUE, MODELS, threshold=threshold, at=at, draws=10).iloc[0]
    low, high = searched(share_at, threshold_at)
    assert row["low"] == pytest.approx(low, abs=5e-3 * (high - low))
    assert row["high"] == pytest.approx(high, abs=5e-3 * (high - low))


@pytest.mark.slow
def test_a_range_has_the_envelope_of_its_ends():
    between = Prevalence.between("1:50", "1:5")
    costs_between = expected_cost(TRUE, MODELS, threshold=between, at="0.01..0.1", draws=10)
    inside = [
        expected_cost(TRUE, MODELS, threshold=threshold, at=share, draws=10)
        for threshold in np.linspace(*between.ends, 3)
        for share in np.linspace(0.01, 0.1, 3)
    ]
    for end, extreme in (("low", np.min), ("high", np.max)):
        ends = extreme([frame[end] for frame in inside], axis=0)
        assert costs_between[end].tolist() == pytest.approx(ends)


def test_treating_all_alike_is_sure_at_a_stated_prevalence():
    frame = expected_cost(TRUE, MODELS, threshold=0.05, at=0.01, draws=10).iloc[2:]
    assert (frame["low"] == frame["high"]).all()
    uncertain = expected_cost(TRUE, MODELS, threshold=0.05, at="20/2000", draws=10).iloc[2:]
    ends = beta.ppf([0.975, 0.025], 20.5, 1980.5)
    expected = [cost(end, 0.05, 1, 1) for end in ends]
    assert uncertain.iloc[0][["low", "high"]].tolist() == pytest.approx(expected)


def test_probabilities_are_those_of_a_simulation():
    frame = expected_cost(TRUE, MODELS, threshold=0.02, at=0.01, draws=40_000)
    random = np.random.default_rng(7)
    drawn = []
    for counts in ([30, 15, 0, 5], [4, 36, 0, 160]):  # both, bold, shy, neither
        weights = random.dirichlet(np.array(counts) + 1 / 4, 40_000).T
        drawn.append((weights[0] + weights[1], weights[0] + weights[2]))
    (u_bold, u_shy), (v_bold, v_shy) = drawn
    costs = [cost(0.01, 0.02, u_bold, v_bold), cost(0.01, 0.02, u_shy, v_shy)]
    costs += [np.full(40_000, cost(0.01, 0.02, rate, rate)) for rate in (1, 0)]
    shares = np.bincount(np.argmin(costs, axis=0), minlength=4) / 40_000
    assert frame["best_low"].tolist() == frame["best_high"].tolist()
    error = np.sqrt(2 * shares * (1 - shares) / 40_000)
    assert (np.abs(frame["best_low"] - shares) <= 4 * error).all()
    assert 0.05 < shares[0] < 0.95


def test_a_cost_curve_is_the_lower_envelope():
    random = np.random.default_rng(2)
    true = np.repeat([1, 0], [40, 90])
    score = random.normal(1.5 * true).round(1)
    matrices, thresholds = threshold_matrices(true, score)
    places = [0.0, 0.2, 0.5, 0.9, 1.0]
    curve = cost_curve({"model": matrices}, places=places)
    for weight in places:
        paid = [
            weight * np.mean(score[true == 1] < t) + (1 - weight) * np.mean(score[true == 0] >= t)
            for t in thresholds
        ]
        rows = curve[curve["probability_cost"] == weight].set_index("model")
        assert rows.loc["model", "cost"] == pytest.approx(min(paid))
        assert rows["cost"].tolist()[1:] == pytest.approx([1 - weight, weight])
        least = rows["cost"].min()
        assert rows["best"].tolist() == [paid_there == least for paid_there in rows["cost"]]
    assert len(cost_curve({"model": matrices})) == 3 * 201


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"threshold": "12/400"}, "threshold = '12/400': expected a threshold probability"),
        ({"y_pred": {"treat all": BOLD}}, "y_pred = 'treat all': expected another name"),
        ({"y_pred": {"a": BOLD[1:]}}, r"y_true and y_pred\['a'\] have 250 and 249 entries"),
        ({"y_pred": {"a": np.linspace(0, 1, 250)}}, "these look like scores"),
        ({"y_true": [0] * 250}, "0 of 250 labels are pos_label = 1: expected both classes"),
    ],
)
def test_bad_input_is_refused(changed, message):
    given = {"y_true": TRUE, "y_pred": MODELS, "threshold": 0.1} | changed
    with pytest.raises(ValueError, match=message):
        expected_cost(given.pop("y_true"), given.pop("y_pred"), **given)


def test_bad_curves_are_refused():
    matrix = ConfusionMatrix(tp=1, fp=1, fn=1, tn=1)
    with pytest.raises(ValueError, match=r"places\[1\] = 1.5: expected a number from 0 to 1"):
        cost_curve({"a": matrix}, places=[0.5, 1.5])
    with pytest.raises(ValueError, match=r"matrices\['a'\] = .*: expected a ConfusionMatrix with"):
        cost_curve({"a": ConfusionMatrix(tp=0, fp=1, fn=0, tn=1)})
    with pytest.raises(ValueError, match="expected a mapping from each model"):
        cost_curve(pd.DataFrame())
