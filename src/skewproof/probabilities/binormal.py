"""Scores of the probabilities of a whole population whose scores are normal in each class.

Each loss is an integral over the score. Forecasts are analytic in it, and Gauss's rule on short
panels computes the integrals to about 1e-12.
"""

from __future__ import annotations

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_number
from skewproof.curves.areas.binormal import DEVIATIONS, LARGEST_MEAN, Population, over_thresholds
from skewproof.prevalence.adjusting import odds, one_share
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.score_functions import LOSSES, Losses


def binormal_score(
    score: str,
    at: At,
    *,
    mean: float,
    deviation: float = 1.0,
    trained: At | None = None,
) -> float:
    """Compute the score of probabilities in a population whose scores are normal in each class.

    The forecasts are Bayes' probabilities of the positive class at the prevalence of `at`, or at
    that of `trained` for a model that was trained there and is left alone. The Brier score and the
    log loss of forecasts that are left alone are linear in the prevalence. Those of adjusted
    forecasts are concave curves below these lines, and touch them at the prevalence of `trained`.

    Parameters
    ----------
    score
        "brier", "log_loss", or either followed by "_skill", "_miscalibration", "_resolution" or
        "_uncertainty", as for :func:`skewproof.probability_scores`. The miscalibration is the loss
        of the forecasts beyond that of Bayes' probabilities at the prevalence of `at`.
    at
        One prevalence: a number, a level or a sample.
    mean, deviation
        Mean and standard deviation of the positives' scores, from -30 to 30 and from 1/30 to 30;
        those of the negatives are 0 and 1.
    trained
        The prevalence at which the forecasts are calibrated; by default that of `at`.

    Returns
    -------
    The score, with an error of at most 1e-10 in all tests.

    Raises
    ------
    ValueError
        If there is no such score, `at` or `trained` is not one prevalence, or a number is out of
        its range.

    Examples
    --------
    Forecasts of a model trained at 1:1, used where one in 1001 is positive, left alone and then
    adjusted:

    >>> from skewproof.probabilities import binormal_score
    >>> round(binormal_score("log_loss", "1:1000", mean=2, trained="1:1"), 4)
    0.3563
    >>> round(binormal_score("log_loss", "1:1000", mean=2), 4)
    0.0059
    """
    keys = [f"{key}{part}" for key in LOSSES for part in ("", *PARTS)]
    expect(isinstance(score, str) and score in keys, "score", score, f"one of {', '.join(keys)}")
    mean = expect_number("mean", mean, -LARGEST_MEAN, LARGEST_MEAN)
    deviation = expect_number("deviation", deviation, *DEVIATIONS)
    share = one_share(Prevalence.given(at), "at")
    assumed = share
    if trained is not None:
        assumed = one_share(Prevalence.given(trained, "trained"), "trained")
    key = next(key for key in LOSSES if score.startswith(key))
    losses, part = LOSSES[key], score.removeprefix(key)
    of_forecasts, best = (
        _mean_loss(losses, Population(mean, deviation, share), calibrated)
        for calibrated in (assumed, share)
    )
    unsure = float(losses.of_shares(np.array([[share, 1 - share]]))[0])
    return {
        "": of_forecasts,
        "_skill": 1 - of_forecasts / unsure,
        "_miscalibration": of_forecasts - best,
        "_resolution": unsure - best,
        "_uncertainty": unsure,
    }[part]


PARTS = ("_skill", "_miscalibration", "_resolution", "_uncertainty")
"""Suffixes of the keys of losses."""


def _mean_loss(losses: Losses, population: Population, calibrated: float) -> float:
    """Compute the mean loss at one prevalence of forecasts that are calibrated at another."""
    mean, deviation, share = population

    def integrand(x: Array) -> Array:
        standard = (x - mean) / deviation
        log_odds = np.log(odds(calibrated)) + (x**2 - standard**2) / 2 - np.log(deviation)
        of_positives, of_negatives = losses.of_log_odds(log_odds)
        density = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
        return share * population.density(x) * of_positives + (1 - share) * density * of_negatives

    return over_thresholds(population, integrand, *population.ends())
