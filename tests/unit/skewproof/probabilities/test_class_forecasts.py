import warnings
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from scipy.special import softmax
from scipy.stats import beta
from sklearn.datasets import load_iris
from sklearn.metrics import log_loss, mean_squared_error
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB

from skewproof import Prevalence, adjust_probabilities, get_scorer, probability_scores
from skewproof.probabilities.class_forecasts import class_forecasts_of

RANDOM = np.random.default_rng(11)
SIZES = {"cat": 30, "dog": 80, "owl": 190}
TRUE = np.repeat(list(SIZES), list(SIZES.values()))
P = softmax(RANDOM.normal(size=(300, 3)) + 1.5 * (TRUE[:, np.newaxis] == list(SIZES)), axis=1)
STREET = {"cat": 0.6, "dog": 0.39, "owl": 0.01}
KEYS = ["brier", "log_loss"]


def values(*arguments, **options):
    frame = probability_scores(*arguments, confidence=None, **options)
    return dict(zip(frame["score"], frame["value"], strict=True))


def brier_of_classes(true, p, weights):
    """Compute the Brier score by scikit-learn, which averages over the columns and does not sum."""
    happened = true[:, np.newaxis] == np.unique(true)
    return p.shape[1] * mean_squared_error(happened, p, sample_weight=weights)


def by_scikit_learn(p, shares):
    """Compute scores of instances with weights that give classes their shares."""
    weights = [shares[name] / SIZES[name] for name in TRUE]
    return {
        "brier": brier_of_classes(TRUE, p, weights),
        "log_loss": log_loss(TRUE, p, sample_weight=weights),
    }


@pytest.mark.parametrize("shares", [STREET, {"cat": 0.01, "dog": 0.02, "owl": 0.97}])
def test_losses_and_skills_are_those_of_scikit_learn_with_weights(shares):
    scores = values(TRUE, P, at=shares)
    constant = by_scikit_learn(np.tile(list(shares.values()), (300, 1)), shares)
    for key, expected in by_scikit_learn(P, shares).items():
        assert scores[key] == pytest.approx(expected, rel=1e-12)
        assert scores[f"{key}_uncertainty"] == pytest.approx(constant[key], rel=1e-12)
        assert scores[f"{key}_skill"] == pytest.approx(1 - expected / constant[key], rel=1e-12)
    assert list(scores) == [
        f"{key}{part}" for key in KEYS for part in ("", "_skill", "_uncertainty")
    ]


def test_the_brier_score_by_hand():
    """Three instances of each class have the same forecasts, in quarters and eighths."""
    rows = {"a": "4 2 2", "b": "1 6 1", "c": "2 4 2"}
    eighths = {
        name: [Fraction(int(eighth), 8) for eighth in row.split()] for name, row in rows.items()
    }
    shares = {"a": Fraction(1, 10), "b": Fraction(3, 10), "c": Fraction(6, 10)}
    expected = sum(
        share
        * sum((p - (other == name)) ** 2 for other, p in zip(rows, eighths[name], strict=True))
        for name, share in shares.items()
    )
    p = [[float(share) for share in eighths[name]] for name in "aaabbbccc"]
    scores = values(list("aaabbbccc"), p, at={name: float(share) for name, share in shares.items()})
    assert scores["brier"] == pytest.approx(float(expected), rel=1e-14)


def test_scores_are_linear_in_class_shares():
    ends = [{"cat": 0.8, "dog": 0.1, "owl": 0.1}, {"cat": 0.2, "dog": 0.2, "owl": 0.6}]
    middle = values(TRUE, P, at={name: (ends[0][name] + ends[1][name]) / 2 for name in STREET})
    first, last = (values(TRUE, P, at=end) for end in ends)
    for key in KEYS:
        assert middle[key] == pytest.approx((first[key] + last[key]) / 2, rel=1e-13)


@pytest.mark.parametrize(
    ("at", "shares"),
    [
        ("test set", {name: size / 300 for name, size in SIZES.items()}),
        ("population", {name: size / 300 for name, size in SIZES.items()}),
        (pd.Series(STREET), STREET),
        (Prevalence.sampled({"cat": 6, "dog": 3, "owl": 1}), {"cat": 0.6, "dog": 0.3, "owl": 0.1}),
        (Prevalence.believed({"cat": 6, "dog": 3, "owl": 1}), {"cat": 0.6, "dog": 0.3, "owl": 0.1}),
    ],
)
@pytest.mark.slow
def test_every_kind_of_class_shares_is_taken(at, shares):
    frame = probability_scores(TRUE, P, at=at, draws=100)
    scores = frame.set_index("score")
    for key, expected in by_scikit_learn(P, shares).items():
        assert scores.loc[key, "value"] == pytest.approx(expected, rel=1e-12)
    assert (frame["low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["high"]).all()
    assert frame["at"][0] == str(Prevalence.given(at))
    in_test_set = by_scikit_learn(P, {name: size / 300 for name, size in SIZES.items()})
    assert scores.loc["brier", "value_in_test_set"] == pytest.approx(in_test_set["brier"])


def test_columns_of_a_frame_may_have_any_order():
    frame = pd.DataFrame(P, columns=list(SIZES))[["owl", "cat", "dog"]]
    assert values(TRUE, frame, at=STREET) == pytest.approx(values(TRUE, P, at=STREET))


def test_trained_adjusts_the_forecasts_before():
    equal = dict.fromkeys(SIZES, 1 / 3)
    adjusted = adjust_probabilities(P, trained=equal, at=STREET)
    scores = values(TRUE, P, at=STREET, trained=equal)
    assert scores == pytest.approx(values(TRUE, adjusted, at=STREET))
    assert values(TRUE, P, trained=equal, at=equal) == pytest.approx(values(TRUE, P, at=equal))
    in_test_set = adjust_probabilities(P, trained=equal, at=Prevalence.of(TRUE))
    assert values(TRUE, P, trained=equal) == pytest.approx(values(TRUE, in_test_set))


@pytest.mark.slow
def test_intervals_of_sure_forecasts_of_one_class_are_those_of_its_error_rate():
    """Classes b and c are always right, and 12 of 60 a are taken for b: the Brier score is twice
    the share of a times its error rate, the Beta distribution of the Bayesian bootstrap with half
    an instance that was not seen. Those of b and c may be wrong, too, but they are rare."""
    true = np.repeat(list("abc"), [60, 40, 40])
    called = np.concatenate([np.repeat(list("ba"), [12, 48]), true[60:]])
    p = (called[:, np.newaxis] == list("abc")).astype(float)
    at = {"a": 1 - 2e-9, "b": 1e-9, "c": 1e-9}
    scored = probability_scores(true, p, scores="brier", at=at, draws=100_000)
    ends = beta.ppf(0.025, 12, 48.5), beta.ppf(0.975, 12.5, 48)
    assert scored[["low", "high"]].to_numpy()[0] == pytest.approx(2 * np.array(ends), rel=0.01)


@pytest.mark.slow
def test_drawn_shares_have_the_moments_of_their_distribution():
    forecasts = class_forecasts_of(TRUE, P)
    parameters = np.array([4.0, 9.0, 27.0])
    at = Prevalence.believed(dict(zip(SIZES, parameters.tolist(), strict=True)))
    drawn = forecasts.drawn(at, 20_000, np.random.default_rng(0), worst=True).shares
    mean = parameters / 40
    deviation = np.sqrt(mean * (1 - mean) / 41)
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=4 * deviation.max() / np.sqrt(20_000))
    assert drawn.std(axis=0) == pytest.approx(deviation, rel=0.03)
    assert drawn.sum(axis=1) == pytest.approx(np.ones(20_000))


@pytest.mark.slow
def test_shares_that_are_less_sure_have_wider_intervals():
    def width(at):
        frame = probability_scores(TRUE, P, scores="brier", at=at, draws=500)
        return float(frame["high"][0] - frame["low"][0])

    counts = {"cat": 6, "dog": 4, "owl": 1}
    known = {name: count / 11 for name, count in counts.items()}
    assert width(Prevalence.sampled(counts)) > width(known)


def test_a_wrong_forecast_of_0_has_an_infinite_log_loss():
    p = [[0.5, 0.5, 0.0], [0.2, 0.7, 0.1], [0.0, 0.1, 0.9]]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        right = probability_scores(list("abc"), p, draws=50).set_index("score")
        wrong = probability_scores(list("cba"), p, draws=50).set_index("score")
    assert np.isfinite(right.loc["log_loss", "value"])
    assert right.loc["log_loss", "high"] == np.inf
    assert wrong.loc["log_loss", ["value", "low", "high"]].tolist() == [np.inf] * 3
    assert wrong.loc["log_loss_skill", "value"] == -np.inf
    assert np.isfinite(wrong.loc["brier", ["value", "low", "high"]].astype(float)).all()


def test_a_scorer_takes_more_than_two_classes():
    features, labels = load_iris(return_X_y=True)
    at = {0: 0.1, 1: 0.8, 2: 0.1}
    crossed = cross_val_score(GaussianNB(), features, labels, scoring=get_scorer("brier", at=at))
    model = GaussianNB().fit(features, labels)
    value = get_scorer("brier", at=at)(model, features, labels)
    weights = np.array([0.1, 0.8, 0.1])[labels] / 50
    expected = brier_of_classes(labels, model.predict_proba(features), weights)
    assert value == pytest.approx(-expected)
    assert crossed.shape == (5,)
    assert (crossed < 0).all()
    with pytest.raises(ValueError, match="scores = 'calibration_slope': expected one of brier"):
        get_scorer("calibration_slope")(model, features, labels)


@pytest.mark.parametrize(
    ("true", "p", "options", "message"),
    [
        (TRUE, P[:, 0], {}, "3 classes, .cat., .dog., .owl.: expected two"),
        (TRUE[:100], P[:100], {}, r"shape \(100, 3\): expected a column for each class of y_true"),
        (TRUE[:299], P, {}, r"shapes \(299,\) and \(300, 3\): expected the probabilities of all"),
        (
            TRUE,
            2 * P / 3,
            {},
            r"y_prob\[0\] sums to 0.666667: expected probabilities of the classes",
        ),
        (TRUE, P - 0.5, {}, r"y_prob\[0, 0\] = .*: expected a probability from 0 to 1"),
        (
            TRUE,
            pd.DataFrame(P, columns=["cat", "dog", "emu"]),
            {},
            "y_prob has the columns cat, dog, emu: expected those of the classes, cat, dog, owl",
        ),
        (TRUE, P, {"scores": "calibration_slope"}, "expected one of brier, .* of more than two"),
        (TRUE, P, {"at": "1:100"}, "expected a number for each class by name: cat, dog, owl"),
        (TRUE, P, {"at": {"cat": 0.5, "dog": 0.5}}, "expected a number for each class by name"),
        (TRUE, P, {"trained": "1:1"}, "trained = .*: expected a number for each class by name"),
    ],
)
def test_what_does_not_fit_is_refused(true, p, options, message):
    with pytest.raises(ValueError, match=message):
        probability_scores(true, p, **options)
