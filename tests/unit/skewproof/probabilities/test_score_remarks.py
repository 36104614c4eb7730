import re

import numpy as np
import pytest
from scipy.special import expit, logit

from skewproof import probability_scores

RANDOM = np.random.default_rng(2)
TRUE = np.repeat([1, 0], [40, 400])
P = expit(2 * RANDOM.normal(2 * TRUE) - 2 + logit(1 / 11))


def remarks(*arguments, **options):
    frame = probability_scores(*arguments, **({"confidence": None} | options))
    return dict(zip(frame["score"], frame["remark"], strict=True))


def score(key, *arguments, **options):
    return probability_scores(*arguments, scores=key, confidence=None, **options)["value"][0]


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def test_ordinary_forecasts_have_no_remarks():
    assert set(remarks(TRUE, P, confidence=0.95, draws=20).values()) == {""}


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
    true, p = np.repeat([1, 0], [10, 100]), np.concatenate([P[:10], P[40:140]])
    p[0] = 0
    remark_of = remarks(true, p)
    rest = score("calibration_slope", true[1:], p[1:])
    assert score("calibration_slope", true, p) < rest / 2
    for key in ("calibration_slope", "brier_resolution", "brier_miscalibration"):
        said = remark_of[key].split(";")[1]
        assert "positive" in said
        assert numbers(said) == [0, pytest.approx(rest, rel=0.01)]
    assert remark_of["brier_uncertainty"] == ""


def test_the_log_odds_of_forecasts_of_0_and_1_are_said():
    p = np.where(TRUE == 0, np.where(P < 0.002, 0, P), P)
    said = remarks(TRUE, p)
    assert numbers(said["calibration_slope"]) == [0, pytest.approx(-np.log(1e9), abs=0.05)]
    assert said["brier"] == said["log_loss"] == ""
    assert "unseen" in remarks(TRUE, p, scores="log_loss", confidence=0.95, draws=5)["log_loss"]


def test_wrong_forecasts_of_0_and_1_are_counted():
    p = np.append(P, [0.0, 1.0, 1.0])
    said = remarks(np.append(TRUE, [1, 0, 0]), p)
    for key in ("log_loss", "log_loss_skill", "log_loss_miscalibration"):
        assert numbers(said[key])[-1] == 3
        assert "infinite" in said[key]
    assert "infinite" not in said["log_loss_resolution"] + said["brier"]


def test_a_slope_that_is_undefined_without_an_instance():
    """Without the negative in the middle, the classes are separated."""
    said = remarks([1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.2, 0.1], scores="calibration_slope")
    assert "undefined" in said["calibration_slope"]
    assert np.isfinite(
        score("calibration_slope", [1, 1, 1, 0, 0, 0], [0.9, 0.8, 0.6, 0.7, 0.2, 0.1])
    )


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
