import re
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit, logit, softmax
from scipy.stats import beta
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, mean_squared_error
from sklearn.naive_bayes import GaussianNB

from skewproof import (
    Prevalence,
    adjust_probabilities,
    get_scorer,
    interval,
    probability_scores,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.probabilities.forecasts import Unseen, class_forecasts, two_class_forecasts
from skewproof.probabilities.scores import GROUPS, SCORES, ends_of, values_of

RANDOM = np.random.default_rng(7)
TRUE = np.repeat([1, 0], [60, 400])
P = expit(1.5 * RANDOM.normal(1.5 * TRUE) - 1)
SHARES = (0.001, 0.2, 0.5)

SIZES = {"cat": 30, "dog": 80, "owl": 190}
CLASSES = np.repeat(list(SIZES), list(SIZES.values()))
CLASS_P = softmax(
    np.random.default_rng(11).normal(size=(300, 3)) + 1.5 * (CLASSES[:, np.newaxis] == list(SIZES)),
    axis=1,
)
STREET = {"cat": 0.6, "dog": 0.39, "owl": 0.01}
KEYS = ["brier", "log_loss"]


def weights(share, true=TRUE):
    """Make weights of instances that give the positives a share."""
    positives = true.sum()
    return np.where(true == 1, share / positives, (1 - share) / (true.size - positives))


def values(*arguments, **options):
    frame = probability_scores(*arguments, confidence=None, **options)
    return dict(zip(frame["score"], frame["value"], strict=True))


def brier_of_classes(true, p, sample_weight):
    """Compute the Brier score by scikit-learn, which averages over the columns and does not sum."""
    happened = true[:, np.newaxis] == np.unique(true)
    return p.shape[1] * mean_squared_error(happened, p, sample_weight=sample_weight)


def by_scikit_learn(true, p, shares):
    """Compute scores of instances with weights that give classes their shares."""
    sample_weight = [shares[label] / np.sum(true == label) for label in true]
    brier = brier_score_loss if p.ndim == 1 else brier_of_classes
    return {
        key: loss(true, p, sample_weight=sample_weight)
        for key, loss in zip(KEYS, (brier, log_loss), strict=True)
    }


@pytest.mark.parametrize(
    ("true", "p", "at", "shares"),
    [
        *((TRUE, P, share, {0: 1 - share, 1: share}) for share in SHARES),
        *((CLASSES, CLASS_P, at, at) for at in (STREET, {"cat": 0.01, "dog": 0.02, "owl": 0.97})),
    ],
)
@pytest.mark.slow
def test_losses_and_skills_are_those_of_scikit_learn_with_weights(true, p, at, shares):
    scores = values(true, p, at=at)
    constant = np.full(true.size, at) if p.ndim == 1 else np.tile(list(at.values()), (300, 1))
    unsure = by_scikit_learn(true, constant, shares)
    for key, expected in by_scikit_learn(true, p, shares).items():
        assert scores[key] == pytest.approx(expected, rel=1e-12)
        assert scores[f"{key}_uncertainty"] == pytest.approx(unsure[key], rel=1e-12)
        assert scores[f"{key}_skill"] == pytest.approx(1 - expected / unsure[key], rel=1e-9)
    if p.ndim == 2:
        parts = ("", "_skill", "_uncertainty")
        assert list(scores) == [f"{key}{part}" for key in KEYS for part in parts]


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
        assert scores[f"{key}_miscalibration"] == pytest.approx(score - refinement, rel=1e-5)
        assert scores[f"{key}_resolution"] == pytest.approx(unsure - refinement, rel=1e-5)


@pytest.mark.parametrize(
    ("true", "p", "trained", "at"),
    [(TRUE, P, "1:1", 0.01), (CLASSES, CLASS_P, dict.fromkeys(SIZES, 1 / 3), STREET)],
)
@pytest.mark.slow
def test_adjusted_forecasts_are_scored_as_if_they_were_given(true, p, trained, at):
    adjusted, in_test_set = (
        adjust_probabilities(p, trained=trained, at=there) for there in (at, Prevalence.of(true))
    )
    scores = values(true, p, at=at, trained=trained)
    assert scores == pytest.approx(values(true, adjusted, at=at))
    assert values(true, p, trained=trained) == pytest.approx(values(true, in_test_set))
    unchanged = values(true, p, at=trained, trained=trained)
    assert unchanged == pytest.approx(values(true, p, at=trained))


@pytest.mark.slow
def test_labels_and_their_order_do_not_matter():
    order = RANDOM.permutation(TRUE.size)
    words = np.where(TRUE[order] == 1, "ill", "well")
    scored = probability_scores(words, P[order], pos_label="ill", at=0.01, draws=50)
    pd.testing.assert_frame_equal(scored, probability_scores(TRUE, P, at=0.01, draws=50))


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
    forecasts = two_class_forecasts(true, expit(2 * random.normal(2 * true) - 5))
    assert len(forecasts.values) > 10 * GROUPS
    at, keys = Prevalence.given(0.01), list(SCORES)
    ends = ends_of(forecasts, keys, at, confidence=0.95, draws=1000, seed=0)
    exact, rough = (
        values_of(sample, keys, np.array([0.01, 0.99]))
        for sample in (forecasts, forecasts.grouped(GROUPS))
    )
    for key in keys:
        width = ends[key][1] - ends[key][0]
        assert abs(exact[key] - rough[key]) <= 0.03 * width + 1e-12


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


def test_rounded_forecasts_lose_no_draws():
    """Only the log loss may be infinite; the ends of all other scores are apart from the value."""
    p = np.round(P * 50) / 50
    assert p.min() == 0
    frame = probability_scores(TRUE, p, at="test set", draws=200).set_index("score")
    log = ["log_loss", "log_loss_skill", "log_loss_miscalibration"]
    others = frame[~frame["name"].str.endswith("uncertainty")].drop(index=log)
    assert np.isfinite(others[["low", "high"]].to_numpy()).all()
    assert (others["low"] < others["value"]).all()
    assert (others["value"] < others["high"]).all()
    assert frame.loc[["log_loss", "log_loss_miscalibration"], "high"].tolist() == [np.inf] * 2


@pytest.mark.slow
def test_calibrated_forecasts_may_have_no_miscalibration():
    """A sample has some by chance and a drawn one more, by which the lower end is lowered."""
    random = np.random.default_rng(4)
    p = random.beta(1, 4, 400)
    true, key = random.random(400) < p, "log_loss_miscalibration"
    row = probability_scores(true, p, scores=key, at="test set", draws=200).iloc[0]
    assert row["low"] == 0 < row["value"] < row["high"]


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
    ("at", "shares"),
    [
        ("population", {name: size / 300 for name, size in SIZES.items()}),
        (pd.Series(STREET), STREET),
        (Prevalence.sampled({"cat": 6, "dog": 3, "owl": 1}), {"cat": 0.6, "dog": 0.3, "owl": 0.1}),
    ],
)
@pytest.mark.slow
def test_every_kind_of_class_shares_is_taken(at, shares):
    frame = probability_scores(CLASSES, CLASS_P, at=at, draws=100)
    scores = frame.set_index("score")
    for key, expected in by_scikit_learn(CLASSES, CLASS_P, shares).items():
        assert scores.loc[key, "value"] == pytest.approx(expected, rel=1e-12)
    assert (frame["low"] <= frame["value"]).all()
    assert (frame["value"] <= frame["high"]).all()
    assert frame["at"][0] == str(Prevalence.given(at))
    observed = {name: size / 300 for name, size in SIZES.items()}
    in_test_set = by_scikit_learn(CLASSES, CLASS_P, observed)
    assert scores.loc["brier", "value_in_test_set"] == pytest.approx(in_test_set["brier"])


@pytest.mark.slow
def test_intervals_of_sure_forecasts_of_one_class_are_those_of_its_error_rate():
    """Classes b and c are always right, and 12 of 60 a are taken for b: the Brier score is twice
    the share of a times its error rate, the Beta distribution of the Bayesian bootstrap with half
    an instance that was not seen. Those of b and c may be wrong, too, but they are rare."""
    true = np.repeat(list("abc"), [60, 40, 40])
    called = np.concatenate([np.repeat(list("ba"), [12, 48]), true[60:]])
    p = (called[:, np.newaxis] == list("abc")).astype(float)
    at = {"a": 1 - 2e-9, "b": 1e-9, "c": 1e-9}
    scored = probability_scores(true, p, scores="brier", at=at, draws=40_000)
    ends = beta.ppf(0.025, 12, 48.5), beta.ppf(0.975, 12.5, 48)
    assert scored[["low", "high"]].to_numpy()[0] == pytest.approx(2 * np.array(ends), rel=0.01)


@pytest.mark.slow
def test_drawn_shares_have_the_moments_of_their_distribution():
    forecasts = class_forecasts(CLASSES, CLASS_P)
    parameters = np.array([4.0, 9.0, 27.0])
    at = Prevalence.believed(dict(zip(SIZES, parameters.tolist(), strict=True)))
    ((sample,),) = forecasts.drawn(at, Unseen.WORST, 20_000, np.random.default_rng(0))
    drawn = sample.shares
    mean = parameters / 40
    deviation = np.sqrt(mean * (1 - mean) / 41)
    assert drawn.mean(axis=0) == pytest.approx(mean, abs=4 * deviation.max() / np.sqrt(20_000))
    assert drawn.std(axis=0) == pytest.approx(deviation, rel=0.03)
    assert drawn.sum(axis=1) == pytest.approx(np.ones(20_000))


def test_a_scorer_takes_more_than_two_classes():
    features, labels = load_iris(return_X_y=True)
    at = {0: 0.1, 1: 0.8, 2: 0.1}
    model = GaussianNB().fit(features, labels)
    value = get_scorer("brier", at=at)(model, features, labels)
    weights = np.array([0.1, 0.8, 0.1])[labels] / 50
    expected = brier_of_classes(labels, model.predict_proba(features), weights)
    assert value == pytest.approx(-expected)
    with pytest.raises(ValueError, match="scores = 'calibration_slope': expected one of brier"):
        get_scorer("calibration_slope")(model, features, labels)


BY_NAME = "expected a number for each class by name"
EMU = pd.DataFrame(CLASS_P, columns=["cat", "dog", "emu"])


@pytest.mark.parametrize(
    ("true", "p", "options", "message"),
    [
        ([1, 0], [0.2, 1.5], {}, r"y_prob\[1\] = 1.5: expected a probability from 0 to 1"),
        ([1, 0], [0.2], {}, "y_true and y_prob have 2 and 1 entries: expected equal lengths"),
        ([1, 0], [[0.2, 0.8]] * 2, {}, "expected one dimension, such as predict_proba"),
        ([1, 1], [0.2, 0.8], {}, "2 of 2 labels are pos_label = 1: expected both classes"),
        ([1, 0], [0.2, 0.8], {"scores": "briar"}, "scores = 'briar': expected one of .*brier"),
        ([1, 0], [0.2, 0.8], {"scores": []}, r"scores = \[\]: expected at least one"),
        ([1, 0], [0.2, 0.8], {"at": 2}, "at = 2: expected a prevalence above 0 and below 1"),
        ([1, 0], [0.2, 0.8], {"trained": "population"}, "trained = .*: expected one prevalence"),
        (CLASSES, CLASS_P[:, 0], {}, "3 classes, .cat., .dog., .owl.: expected two"),
        (CLASSES[:9], CLASS_P[:9], {}, r"\(9, 3\): expected a column for each class of y_true"),
        (CLASSES[:299], CLASS_P, {}, r"\(299,\) and \(300, 3\): expected the probabilities of all"),
        (CLASSES, 2 * CLASS_P / 3, {}, r"y_prob\[0\] sums to 0.666667: expected probabilities"),
        (CLASSES, EMU, {}, "has the columns cat, dog, emu: expected those of the classes, cat"),
        (CLASSES, CLASS_P, {"scores": "calibration_slope"}, "one of brier, .* of more than two"),
        (CLASSES, CLASS_P, {"at": "1:100"}, f"{BY_NAME}: cat, dog, owl"),
        (CLASSES, CLASS_P, {"at": {"cat": 0.5, "dog": 0.5}}, BY_NAME),
        (CLASSES, CLASS_P, {"trained": "1:1"}, f"trained = .*: {BY_NAME}"),
    ],
)
@pytest.mark.slow
def test_what_does_not_fit_is_refused(true, p, options, message):
    with pytest.raises(ValueError, match=message):
        probability_scores(true, p, **options)


def test_better_probabilities_score_better():
    """Probabilities of both features beat those of the first, with a logit that is too large."""
    features = np.random.default_rng(12).normal(size=(2, 20_000))
    good, bad = expit(features.sum(axis=0) - 1), expit(2 * features[0] + 1)
    true = (np.random.default_rng(13).random(20_000) < good).astype(int)
    better, worse = values(true, good), values(true, bad)
    for key, score in SCORES.items():
        if score.greater_is_better is not None:
            assert (better[key] > worse[key]) == score.greater_is_better, key


RARE = np.repeat([1, 0], [40, 400])
RARE_P = expit(2 * np.random.default_rng(2).normal(2 * RARE) - 2 + logit(1 / 11))


def remarks(*arguments, **options):
    frame = probability_scores(*arguments, **({"confidence": None} | options))
    return dict(zip(frame["score"], frame["remark"], strict=True))


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def test_ordinary_forecasts_have_no_remarks():
    assert set(remarks(RARE, RARE_P, confidence=0.95, draws=20).values()) == {""}


def test_the_instance_with_most_of_a_loss_is_named():
    """A missed positive has 0.9²/5 of the mean loss of the positives, and the others 4 · 0.1²/5."""
    true, p = np.repeat([1, 0], [5, 20]), np.array([0.1] + [0.9] * 4 + [0.1] * 20)
    said = remarks(true, p, at=0.5)
    part = 0.5 * 0.81 / 5 / (0.5 * (0.81 + 0.04) / 5 + 0.5 * 0.01)
    for key in ("brier", "brier_skill"):
        assert numbers(said[key]) == [round(100 * part), 0.1]
        assert "positive" in said[key]
    assert remarks(true, p, at=0.01)["brier"] == ""
    mirrored = remarks(1 - true, 1 - p, at=0.5)["brier"]
    assert "negative" in mirrored
    assert numbers(mirrored) == [round(100 * part), 0.9]


def test_the_slope_without_an_instance_that_it_depends_on():
    """One of ten positives has the forecast 0, whose log odds are far from all others."""
    true, p = np.repeat([1, 0], [10, 100]), np.concatenate([RARE_P[:10], RARE_P[40:140]])
    p[0] = 0
    remark_of = remarks(true, p)
    rest = values(true[1:], p[1:])["calibration_slope"]
    assert values(true, p)["calibration_slope"] < rest / 2
    for key in ("calibration_slope", "brier_resolution", "brier_miscalibration"):
        said = remark_of[key].split(";")[1]
        assert "positive" in said
        assert numbers(said) == [0, pytest.approx(rest, rel=0.01)]
    assert remark_of["brier_uncertainty"] == ""


def test_the_log_odds_of_forecasts_of_0_and_1_are_said():
    p = np.where(RARE == 0, np.where(RARE_P < 0.002, 0, RARE_P), RARE_P)
    said = remarks(RARE, p)
    assert numbers(said["calibration_slope"]) == [0, pytest.approx(-np.log(1e9), abs=0.05)]
    assert said["brier"] == said["log_loss"] == ""
    assert "unseen" in remarks(RARE, p, scores="log_loss", confidence=0.95, draws=5)["log_loss"]


def test_wrong_forecasts_of_0_and_1_are_counted():
    p = np.append(RARE_P, [0.0, 1.0, 1.0])
    said = remarks(np.append(RARE, [1, 0, 0]), p)
    for key in ("log_loss", "log_loss_skill", "log_loss_miscalibration"):
        assert numbers(said[key])[-1] == 3
        assert "infinite" in said[key]
    assert "infinite" not in said["log_loss_resolution"] + said["brier"]


def test_a_slope_that_is_undefined_without_an_instance():
    """Without the negative in the middle, the classes are separated."""
    true, p = [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.2, 0.1]
    assert "undefined" in remarks(true, p)["calibration_slope"]
    assert np.isfinite(values(true, p)["calibration_slope"])


def test_several_classes_have_the_same_remarks():
    """The missed a has 2 · 0.9² · 5/4 / 10 of its class; the others have almost nothing."""
    true = np.repeat(list("abc"), 10)
    sure = np.eye(3)[np.repeat([0, 1, 2], 10)]
    p = 0.98 * sure + 0.02 / 3
    p[0] = [0.1, 0.9, 0.0]
    said = remarks(true, p)
    of_others = (0.02 / 3) ** 2 * 6
    part = (0.81 * 2) / (0.81 * 2 + 29 * of_others)
    assert numbers(said["brier"]) == [round(100 * part), 0.1]
    assert "class a" in said["brier"]
    assert said["brier_uncertainty"] == ""
    assert "infinite" not in said["log_loss"]
    assert "unseen" in remarks(true, p, confidence=0.95, draws=5)["log_loss"]
    p[0] = [0.0, 0.9, 0.1]
    wrong = remarks(true, p)["log_loss_skill"]
    assert "infinite" in wrong
    assert numbers(wrong)[-1] == 1
