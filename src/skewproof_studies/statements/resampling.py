"""Statements on resampling the training data.

Scores are normal in each class, with equal standard deviations, so that log odds are linear and
rates at any cut-off are known without a test sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr
from sklearn.linear_model import LogisticRegression

from skewproof.operating_points import BinormalCurve, best_point
from skewproof.reporting.style import BLUE, GREEN, VERMILION
from skewproof_studies.reporting.figures import styled_figure
from skewproof_studies.statements.statement import Computation, read_statements

Array = NDArray[np.float64]

MEAN = 2.0
"""Distance between the means of the classes, in standard deviations."""

RATIOS = (2, 10, 100, 1000, 10_000)
"""Negatives per positive."""

MOST = 10**5
"""Largest ratio up to which turning points are searched for."""


class Rates(NamedTuple):
    """Rates at a cut-off."""

    tpr: float
    fpr: float


def rates_at(cutoff: float, ratio: float, mean: float = MEAN) -> Rates:
    """Return the rates if everything with at least this probability is called positive."""
    threshold = (np.log(ratio) + np.log(cutoff / (1 - cutoff))) / mean + mean / 2
    return Rates(float(ndtr(mean - threshold)), float(ndtr(-threshold)))


def f1_of(rates: Rates, ratio: float) -> float:
    """Return F1 of rates."""
    return 2 * rates.tpr / (1 + rates.tpr + ratio * rates.fpr)


def cutoff_of_undersampling(kept: float, cutoff: float = 0.5) -> float:
    """Return the cut-off on all data that calls the same instances positive as one after
    undersampling."""
    return kept * cutoff / (1 - cutoff + kept * cutoff)


def gain_in_f1(ratio: float, mean: float = MEAN) -> float:
    """Return the gain in F1 by balanced undersampling at the cut-off 1/2."""
    moved = rates_at(cutoff_of_undersampling(1 / ratio), ratio, mean)
    return f1_of(moved, ratio) - f1_of(rates_at(0.5, ratio, mean), ratio)


def turning_ratios(mean: float = MEAN) -> list[float]:
    """Return the ratios of the classes at which the gain in F1 changes its sign."""
    logs = np.linspace(0.05, np.log(MOST), 120)
    signs = np.sign([gain_in_f1(np.exp(log), mean) for log in logs])
    return [
        float(np.exp(brentq(lambda x: gain_in_f1(np.exp(x), mean), *logs[step : step + 2])))
        for step in np.flatnonzero(np.diff(signs))
    ]


def undersampling_is_a_cutoff() -> Computation:
    """Compute whether undersampling is equivalent to another cut-off."""
    rows = []
    best = {
        ratio: best_point("f1", BinormalCurve(mean=MEAN), at=f"1:{ratio}").value for ratio in RATIOS
    }
    for ratio in RATIOS:
        plain, moved = (
            f1_of(rates_at(cutoff, ratio), ratio)
            for cutoff in (0.5, cutoff_of_undersampling(1 / ratio))
        )
        rows.append((ratio, plain, moved, best[ratio]))
    values = {
        "turns": turning_ratios(),
        "turns_of_wider_apart": turning_ratios(MEAN + 1),
        "most": MOST,
    }
    return Computation(rows, values, _cutoff_figure(best))


def _cutoff_figure(best: Mapping[int, float]) -> Figure:
    ratios = np.geomspace(1, RATIOS[-1], 60)
    lines = {
        "cut-off 1/2": ([0.5] * len(ratios), BLUE, "-"),
        "undersampled, cut-off 1/2": (
            [cutoff_of_undersampling(1 / ratio) for ratio in ratios],
            VERMILION,
            "--",
        ),
    }
    with styled_figure((4.6, 3)) as (figure, axes):
        for name, (cutoffs, color, line) in lines.items():
            values = [
                f1_of(rates_at(cutoff, ratio), ratio)
                for cutoff, ratio in zip(cutoffs, ratios, strict=True)
            ]
            axes.plot(ratios, values, color=color, linestyle=line, label=name)
        axes.plot(
            list(best),
            list(best.values()),
            color=GREEN,
            linestyle=":",
            marker="o",
            label="best cut-off",
        )
        axes.set(xscale="log", yscale="log", xlabel="negatives for each positive", ylabel="F1")
        axes.legend(frameon=False)
    return figure


FEATURES, TRAINED, RATIO, FITS, SEED = 5, 4200, 20, 8, 20261123
"""Numbers of features, instances, negatives per positive, and runs of the simulation, and its
seed."""

WAYS = ("all data, 1/2", "undersampled, 1/2", "all data, prevalence", "all data, best")


@lru_cache(maxsize=1)
def regressions() -> pd.DataFrame:
    """Return mean area, rates and F1 of logistic regressions on all data and after undersampling.

    Returns
    -------
    Frame with one row for each kind of training data and cut-off: area, tpr, fpr, f1.
    """
    random = np.random.default_rng(SEED)
    positives = TRAINED // (1 + RATIO)
    truth = np.repeat([1, 0], [positives, TRAINED - positives])
    shift = np.full(FEATURES, MEAN / np.sqrt(FEATURES))
    fits = []
    for _ in range(FITS):
        features = random.normal(size=(TRAINED, FEATURES)) + np.outer(truth, shift)
        kept = np.concatenate(
            [
                np.arange(positives),
                random.choice(np.arange(positives, TRAINED), positives, replace=False),
            ]
        )
        everything, balanced = (
            LogisticRegression(C=1e6).fit(features[rows], truth[rows])
            for rows in (slice(None), kept)
        )
        fits.append(_cut(everything, balanced, shift))
    return pd.DataFrame(
        np.mean(fits, axis=0), index=list(WAYS), columns=["area", "tpr", "fpr", "f1"]
    )


def _cut(everything: LogisticRegression, balanced: LogisticRegression, shift: Array) -> Array:
    """Return area, rates and F1 of both regressions in the population."""
    rows = []
    for model, log_odds in (
        (everything, np.zeros(1)),
        (balanced, np.zeros(1)),
        (everything, np.array([-np.log(RATIO)])),
        (everything, np.linspace(-np.log(RATIO), 2, 400)),
    ):
        weights = model.coef_[0]
        length = float(np.linalg.norm(weights))
        apart = float(weights @ shift) / length
        thresholds = (log_odds - model.intercept_[0]) / length
        tpr, fpr = ndtr(apart - thresholds), ndtr(-thresholds)
        values = 2 * tpr / (1 + tpr + RATIO * fpr)
        best = int(np.argmax(values))
        rows.append([ndtr(apart / np.sqrt(2)), tpr[best], fpr[best], values[best]])
    return np.array(rows)


Shares = tuple[int, int, int, int]

RAISED: tuple[Shares, Shares] = (1, 4, 3, 2), (2, 1, 1, 6)
LOWERED: tuple[Shares, Shares] = (1, 5, 2, 2), (3, 3, 1, 3)
"""Tenths of the positives and of the negatives with the features (0, 0), (1, 0), (0, 1) and (1, 1),
in two populations whose log odds are not linear and in which balancing raises or lowers the
area."""

CORNERS = np.array([(0, 0), (1, 0), (0, 1), (1, 1)])


def population_area(shares: tuple[Shares, Shares], ratio: int) -> float:
    """Return the area of a linear logistic regression fitted to the whole population of the
    training data."""
    weights = np.concatenate([np.array(shares[0]), ratio * np.array(shares[1])])
    model = LogisticRegression(C=1e12, tol=1e-12, max_iter=10_000)
    model.fit(np.vstack([CORNERS, CORNERS]), np.repeat([1, 0], 4), weights)
    scores = CORNERS @ model.coef_[0]
    wins = (np.sign(np.subtract.outer(scores, scores)) + 1) / 2
    return float(np.array(shares[0]) @ wins @ np.array(shares[1])) / 100


def resampling_is_a_threshold() -> Computation:
    """Compute whether resampling is equivalent to moving the threshold."""
    means = regressions()
    values = {
        "ratio": RATIO,
        "fits": FITS,
        "instances": TRAINED,
        "mean": MEAN,
        "ways": means.to_dict("records"),
        "raised": [population_area(RAISED, ratio) for ratio in (100, 1)],
        "lowered": [population_area(LOWERED, ratio) for ratio in (100, 1)],
    }
    return Computation(list(means.itertuples()), values)


LEARNED = 20
"""Number of features of the classifier whose training set is designed."""

DESIGNED = 1122
"""Number of instances of its training set, which can be split 1:1, 1:10 and 1:50."""

DRAWS = 20_000


def variance_factor(positives: float, negatives: float) -> float:
    """Return the variance of each component of the difference of class means, in squared
    deviations."""
    return 1 / positives + 1 / negatives


def expected_area(positives: float, negatives: float) -> float:
    """Return the mean area of the linear discriminant with known covariances, over training
    sets."""
    random = np.random.default_rng(SEED)
    spread = np.sqrt(variance_factor(positives, negatives))
    along = MEAN + spread * random.normal(size=DRAWS)
    across = spread**2 * random.chisquare(LEARNED - 1, DRAWS)
    apart = MEAN * along / np.sqrt(along**2 + across)
    return float(ndtr(apart / np.sqrt(2)).mean())


def balanced_training_for_area() -> Computation:
    """Compute whether balanced training data are best for the area under the ROC curve."""
    rows = []
    for ratio in (1, 10, 50):
        positives = DESIGNED // (1 + ratio)
        rows.append((ratio, positives, expected_area(positives, DESIGNED - positives)))
    ratio, rare, _ = rows[-1]
    values = {
        "instances": DESIGNED,
        "features": LEARNED,
        "draws": DRAWS,
        "ratio": ratio,
        "growth": variance_factor(rare, rare) / variance_factor(rare, ratio * rare),
        "kept": expected_area(rare, ratio * rare),
        "discarded": expected_area(rare, rare),
    }
    return Computation(rows, values)


STATEMENTS = read_statements(
    "resampling", undersampling_is_a_cutoff, resampling_is_a_threshold, balanced_training_for_area
)
