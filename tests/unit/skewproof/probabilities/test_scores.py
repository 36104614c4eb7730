import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.special import expit, logit
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss

from skewproof import Prevalence, adjust_probabilities, interval, probability_scores
from skewproof.core.confusion import ConfusionMatrix
from skewproof.probabilities.forecasts import forecasts_of
from skewproof.probabilities.scores import GROUPS, SCORES, ends_of, values_of

RANDOM = np.random.default_rng(7)
TRUE = np.repeat([1, 0], [60, 400])
P = expit(1.5 * RANDOM.normal(1.5 * TRUE) - 1)
SHARES = (0.001, 0.2, 0.5)


def weights(share, true=TRUE):
    """Make weights of instances that give the positives a share."""
    positives = true.sum()
    return np.where(true == 1, share / positives, (1 - share) / (true.size - positives))


def values(*arguments, **options):
    frame = probability_scores(*arguments, confidence=None, **options)
    return dict(zip(frame["score"], frame["value"], strict=True))


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.slow
def test_losses_are_those_of_scikit_learn_with_weights(share):
    scores, sample_weight = values(TRUE, P, at=share), weights(share)
    assert scores["brier"] == pytest.approx(
        brier_score_loss(TRUE, P, sample_weight=sample_weight), rel=1e-12
    )
    assert scores["log_loss"] == pytest.approx(
        log_loss(TRUE, P, sample_weight=sample_weight), rel=1e-12
    )


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.slow
def test_the_decomposition_is_that_of_a_logistic_regression_with_weights(share):
    sample_weight, log_odds = weights(share) * TRUE.size, logit(P)[:, np.newaxis]
    model = LogisticRegression(C=np.inf, tol=1e-12, max_iter=10_000, solver="newton-cholesky")
    model.fit(log_odds, TRUE, sample_weight=sample_weight)
    recalibrated = model.predict_proba(log_odds)[:, 1]
    scores = values(TRUE, P, at=share)
    assert scores["calibration_slope"] == pytest.approx(float(model.coef_[0, 0]), rel=1e-6)
    constant = np.full(TRUE.size, share)
    for key, loss in (("brier", brier_score_loss), ("log_loss", log_loss)):
        score, refinement, unsure = (
            loss(TRUE, p, sample_weight=sample_weight) for p in (P, recalibrated, constant)
        )
        assert scores[f"{key}_uncertainty"] == pytest.approx(unsure, rel=1e-12)
        assert scores[f"{key}_skill"] == pytest.approx(1 - score / unsure, rel=1e-9)
        assert scores[f"{key}_miscalibration"] == pytest.approx(score - refinement, rel=1e-5)
        assert scores[f"{key}_resolution"] == pytest.approx(unsure - refinement, rel=1e-5)


@pytest.mark.parametrize("share", SHARES)
def test_the_intercept_moves_the_mean_forecast_to_the_prevalence(share):
    def missing(shift):
        return np.average(expit(logit(P) + shift), weights=weights(share)) - share

    expected = brentq(missing, -30, 30, xtol=1e-12)
    intercept = values(TRUE, P, at=share)["calibration_intercept"]
    assert intercept == pytest.approx(expected, abs=1e-9)


def test_forecasts_left_alone_have_straight_lines():
    """The mean of two prevalences has the mean of both scores."""
    ends = [values(TRUE, P, at=share) for share in (0.1, 0.3)]
    middle = values(TRUE, P, at=0.2)
    for key in ("brier", "log_loss"):
        assert middle[key] == pytest.approx((ends[0][key] + ends[1][key]) / 2, rel=1e-13)


def test_adjusted_forecasts_are_scored_as_if_they_were_given():
    adjusted = adjust_probabilities(P, trained="1:1", at=0.01)
    assert values(TRUE, P, at=0.01, trained="1:1") == pytest.approx(values(TRUE, adjusted, at=0.01))
    in_test_set = adjust_probabilities(P, trained="1:1", at=60 / 460)
    assert values(TRUE, P, trained="1:1") == pytest.approx(values(TRUE, in_test_set))


def test_an_adjusted_intercept_is_moved_by_the_difference_of_log_odds():
    alone, adjusted = (
        values(TRUE, P, at=0.01, trained=trained)["calibration_intercept"]
        for trained in (None, "1:1")
    )
    assert adjusted - alone == pytest.approx(-logit(0.01), abs=1e-9)


@pytest.mark.slow
def test_columns_and_the_value_in_the_test_set():
    frame = probability_scores(TRUE, P, scores=["brier", "calibration_slope"], at="1:1000")
    assert list(frame) == [
        *("score", "name", "value", "low", "high", "value_in_test_set", "confidence", "at"),
        "remark",
    ]
    assert frame["value_in_test_set"][0] == pytest.approx(brier_score_loss(TRUE, P))
    assert frame["at"].tolist() == ["1:1000"] * 2
    brier = probability_scores(TRUE, P, scores="brier", confidence=None)
    assert list(brier) == ["score", "name", "value", "value_in_test_set", "at", "remark"]
    assert brier["value"][0] == brier["value_in_test_set"][0]


@pytest.mark.slow
def test_labels_and_their_order_do_not_matter():
    order = RANDOM.permutation(TRUE.size)
    words = np.where(TRUE[order] == 1, "ill", "well")
    scored = probability_scores(words, P[order], pos_label="ill", at=0.01, draws=50)
    pd.testing.assert_frame_equal(scored, probability_scores(TRUE, P, at=0.01, draws=50))


@pytest.mark.parametrize(
    "at", [0.01, "population", "test set", "12/400", "beta(2, 50)", "0.01..0.02"]
)
@pytest.mark.slow
def test_intervals_have_the_value(at):
    frame = probability_scores(TRUE, P, at=at, draws=200)
    assert (frame["low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["high"]).all()
    assert frame["at"][0] == str(Prevalence.given(at))


@pytest.mark.slow
def test_what_is_less_sure_has_wider_intervals():
    def width(at, **options):
        frame = probability_scores(TRUE, P, scores="brier_skill", at=at, **options)
        return float(frame["high"][0] - frame["low"][0])

    known = width(0.01)
    assert width(Prevalence.sampled(4, 400)) > known
    assert width(Prevalence.between(0.005, 0.02)) > known
    assert width(0.01, confidence=0.5) < known


@pytest.mark.slow
def test_intervals_of_sure_forecasts_are_those_of_the_error_rate():
    """The Brier score of forecasts of 0 and 1 is the error rate. The Bayesian bootstrap with half
    an instance that was not seen has the ends of Beta(k + 1/2, n - k) and Beta(k, n - k + 1/2)."""
    tp, fp, fn, tn = 40, 30, 20, 370
    true, called = (np.repeat(labels, [tp, fp, fn, tn]) for labels in ([1, 0, 1, 0], [1, 1, 0, 0]))
    scored = probability_scores(true, called, scores="brier", at="test set", draws=40_000)
    matrix = ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    other = interval("error_rate", matrix, at="test set")
    assert scored["value"][0] == pytest.approx(other.value)
    width = other.high - other.low
    assert scored[["low", "high"]].to_numpy()[0] == pytest.approx(
        [other.low, other.high], abs=0.1 * width
    )


def test_the_same_seed_or_generator_gives_the_same_interval():
    generators = [np.random.default_rng(1) for _ in range(2)]
    ends = [
        probability_scores(TRUE, P, scores="brier", draws=100, rng=rng)["low"][0]
        for rng in (1, 1, 2, *generators, generators[0])
    ]
    assert ends[0] == ends[1]
    assert ends[3] == ends[4]
    assert len(set(ends)) == 4


@pytest.mark.slow
def test_forecasts_that_are_drawn_in_groups_have_the_same_ends():
    random = np.random.default_rng(3)
    true = np.repeat([1, 0], [800, 3000])
    forecasts = forecasts_of(true, expit(2 * random.normal(2 * true) - 5))
    assert forecasts.values.size > 10 * GROUPS
    at, keys = Prevalence.given(0.01), list(SCORES)
    ends = ends_of(forecasts, keys, at, confidence=0.95, draws=1000, seed=0)
    grouped = forecasts.grouped(GROUPS)
    assert grouped.values.size <= GROUPS
    assert grouped.sizes == forecasts.sizes
    exact, rough = (values_of(sample, keys, 0.01) for sample in (forecasts, grouped))
    for key in keys:
        width = ends[key][1] - ends[key][0]
        assert abs(exact[key] - rough[key]) <= 0.03 * width + 1e-12


def test_forecasts_of_0_and_1_may_be_right():
    true = np.array([1, 1, 1, 0, 0, 0, 0])
    p = np.array([1.0, 0.6, 0.3, 0.5, 0.2, 0.0, 0.0])
    scores = values(true, p)
    assert scores["log_loss"] == pytest.approx(log_loss(true, p))
    near = values(true, np.clip(p, 1e-9, 1 - 1e-9))
    for key in ("calibration_slope", "calibration_intercept", "brier_resolution"):
        assert scores[key] == pytest.approx(near[key])


@pytest.mark.slow
def test_a_right_forecast_of_1_keeps_the_interval_of_the_slope():
    """The lower end is a quantile of regressions with random weights, in which half a positive has
    the smallest forecast and half a negative the largest one."""
    random = np.random.default_rng(5)
    true = np.repeat([1, 0], [40, 400])
    p = expit(2 * random.normal(2 * true) - 2 + logit(1 / 11))
    p[0] = 1
    scored = probability_scores(true, p, scores="calibration_slope").iloc[0]
    x = logit(np.append(np.clip(p, 1e-9, 1 - 1e-9), [p.min(), 1 - 1e-9]))[:, np.newaxis]
    labels = np.append(true, [1, 0])
    slopes = []
    for _ in range(400):
        weights = random.standard_gamma(np.append(np.ones(440), [0.5, 0.5]))
        share = random.beta(40.5, 400.5)
        weights = np.where(labels == 1, share * weights / weights[labels == 1].sum(), weights)
        weights[labels == 0] *= (1 - share) / weights[labels == 0].sum()
        model = LogisticRegression(C=np.inf, tol=1e-8, solver="newton-cholesky")
        slopes.append(float(model.fit(x, labels, sample_weight=440 * weights).coef_[0, 0]))
    width = scored["high"] - scored["low"]
    assert scored["low"] == pytest.approx(np.quantile(slopes, 0.025), abs=0.1 * width)
    assert scored["low"] < 1 < scored["high"]


@pytest.mark.parametrize("steps", [50, 20])
@pytest.mark.slow
def test_rounded_forecasts_lose_no_draws(steps):
    """Only the log loss may be infinite; the ends of all other scores are apart from the value."""
    p = np.round(P * steps) / steps
    assert p.min() == 0
    frame = probability_scores(TRUE, p, at="test set", draws=200).set_index("score")
    log = ["log_loss", "log_loss_skill", "log_loss_miscalibration"]
    others = frame[~frame["name"].str.startswith("uncertainty")].drop(index=log)
    assert np.isfinite(others[["low", "high"]].to_numpy()).all()
    assert (others["low"] < others["value"]).all()
    assert (others["value"] < others["high"]).all()
    assert frame.loc[["log_loss", "log_loss_miscalibration"], "high"].tolist() == [np.inf] * 2


def test_the_brier_score_can_become_worse_by_recalibration():
    """A wrong forecast of 1 bends the regression; the interval is not cut off at 0."""
    random = np.random.default_rng(1)
    true = np.repeat([1, 0], [40, 400])
    p = expit(2 * random.normal(2 * true) - 2 + logit(1 / 11))
    p[-1] = 1
    frame = probability_scores(true, p, scores="brier_miscalibration", at="test set", draws=200)
    row = frame.iloc[0]
    assert row["low"] < row["value"] < 0 < row["high"]


def test_wrong_forecasts_of_0_and_1_have_an_infinite_loss():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = probability_scores([1, 1, 0, 0], [0.0, 0.9, 0.4, 0.1], draws=20)
    scores = frame.set_index("score")
    assert scores.loc["log_loss", ["value", "low", "high"]].tolist() == [np.inf] * 3
    assert scores.loc["log_loss_skill", "value"] == -np.inf
    log = [key for key in scores.index if key.startswith("log_loss")]
    log.remove("log_loss_resolution"), log.remove("log_loss_uncertainty")
    finite = scores.drop(index=log)[["value", "low", "high"]].to_numpy()
    assert np.isfinite(finite).all()
    assert scores.loc[log, "remark"].str.contains("wrong for 1 instance").all()


@pytest.mark.parametrize("p", [[0.9, 0.8, 0.2, 0.1], [0.3] * 4])
@pytest.mark.slow
def test_separated_and_equal_forecasts_have_no_slope(p):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scored = probability_scores([1, 1, 0, 0], p, draws=20).set_index("score")
    undefined = ["calibration_slope", "brier_miscalibration", "log_loss_resolution"]
    assert scored.loc[undefined, ["value", "low", "high"]].isna().all(axis=None)
    reason = "equal" if len(set(p)) == 1 else "separate the classes"
    assert scored.loc[undefined, "remark"].str.contains(reason).all()
    assert scored.loc["calibration_intercept", "value"] == pytest.approx(
        -np.mean(logit(p)) if len(set(p)) == 1 else 0
    )


@pytest.mark.parametrize(
    ("true", "p", "options", "message"),
    [
        ([1, 0], [0.2, 1.5], {}, r"y_prob\[1\] = 1.5: expected a probability from 0 to 1"),
        ([1, 0], [0.2, float("nan")], {}, r"y_prob\[1\] = nan: expected a finite probability"),
        ([1, 0], [0.2], {}, r"shapes \(2,\) and \(1,\): expected one probability for each label"),
        ([1, 0], [[0.2, 0.8]] * 2, {}, "one probability for each label, of the positive class"),
        ([1, 1], [0.2, 0.8], {}, "2 of 2 labels are pos_label = 1: expected both classes"),
        ([1, 2, 3], [0.2, 0.8, 0.1], {}, "3 classes, 1, 2, 3: expected two"),
        ([1, 0], [0.2, 0.8], {"scores": "briar"}, "scores = 'briar': expected one of .*brier"),
        ([1, 0], [0.2, 0.8], {"scores": []}, r"scores = \[\]: expected at least one"),
        ([1, 0], [0.2, 0.8], {"at": 2}, "at = 2: expected a prevalence above 0 and below 1"),
        ([1, 0], [0.2, 0.8], {"trained": "population"}, "trained = .*: expected one prevalence"),
        ([1, 0], [0.2, 0.8], {"confidence": 95}, "confidence = 95: expected"),
        ([1, 0], [0.2, 0.8], {"draws": 0}, "draws = 0: expected"),
        ([1, 0], [0.2, 0.8], {"rng": -1}, "rng = -1: expected"),
    ],
)
@pytest.mark.slow
def test_what_does_not_fit_is_refused(true, p, options, message):
    with pytest.raises(ValueError, match=message):
        probability_scores(true, p, **options)
