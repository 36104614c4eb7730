"""Compute what imbalance does to scores of probabilities, over a family of binormal models.

It writes ``docs/evidence/probability_imbalance.md`` and its table. The scores of both classes are
normal with the deviation 1. A model has three independent inputs: how far the classes are apart,
and by how much the log odds of its forecasts are moved and stretched. All integrals are Gauss'
rules: over the scores, and over the family.
"""

from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pages import Task, markdown
from scipy.special import expit, logit
from scipy.stats import norm

from skewproof import Level
from skewproof.probabilities.score_functions import TwoClassSample
from skewproof.probabilities.scores import SCORES

AUC = (0.6, 0.98)
MOVED = (-1.0, 1.0)
STRETCHED = (0.5, 2.0)
"""Ends of the uniform distributions of the area under the ROC curve and of the number that is added
to the log odds, and of the factor of their distance from those of the prevalence, whose logarithm
is uniform."""
LEVELS = ("1:1", "1:10", "1:100", "1:1000")
INPUTS = ("separation", "intercept", "slope")
NODES = 8
PANELS, PANEL_NODES = 60, 8
FURTHEST = 9.0
ROUNDING = 1e-9

KEYS = tuple(key for key in SCORES if not key.endswith("_uncertainty"))
Numbers = NDArray[np.float64]


def rule(nodes: int) -> tuple[Numbers, Numbers]:
    """Return the nodes and weights of Gauss' rule on (0, 1)."""
    places, weights = np.polynomial.legendre.leggauss(nodes)
    return (1 + places) / 2, weights / 2


def population(
    mean: float, moved: float, factor: float, share: float, made_for: float
) -> TwoClassSample:
    """Return the forecasts for a whole population, at nodes of the score."""
    places, weights = rule(PANEL_NODES)
    edges = np.linspace(-FURTHEST, FURTHEST + mean, PANELS + 1)
    widths = np.diff(edges)
    x = (edges[:-1, np.newaxis] + widths[:, np.newaxis] * places).ravel()
    mass = (widths[:, np.newaxis] * weights).ravel()
    of_classes = [mass * norm.pdf(x - center) for center in (mean, 0.0)]
    positives, negatives = ((part / part.sum())[np.newaxis] for part in of_classes)
    log_odds = logit(made_for) + moved + factor * (mean * x - mean**2 / 2)
    least = np.finfo(float).epsneg  # a forecast of 1 has an infinite log loss
    forecasts = np.clip(expit(log_odds), least, 1 - least)
    return TwoClassSample.at(np.array([share]), forecasts, [positives, negatives])


@cache
def on_the_family(share: float, made_for: float) -> dict[str, Numbers]:
    """Return each score at the nodes of the family, of shape (nodes, nodes, nodes)."""
    places = rule(NODES)[0]
    means = np.sqrt(2) * norm.ppf(AUC[0] + (AUC[1] - AUC[0]) * places)
    moved = MOVED[0] + (MOVED[1] - MOVED[0]) * places
    factors = np.exp(np.log(STRETCHED[0]) + np.log(STRETCHED[1] / STRETCHED[0]) * places)
    found = {key: [] for key in KEYS}
    for model in product(means, moved, factors):
        sample = population(*model, share, made_for)
        for key, values in found.items():
            values.append(float(SCORES[key].function(sample)[0]))
    return {key: np.reshape(values, (NODES,) * 3) for key, values in found.items()}


def mean_over(values: Numbers, axes: tuple[int, ...]) -> Numbers:
    """Return the mean over some inputs."""
    weights = rule(NODES)[1]
    for axis in sorted(axes, reverse=True):
        values = np.tensordot(values, weights, axes=(axis, 0))
    return values


def indices(values: Numbers) -> dict[str, float]:
    """Return the first-order and total Sobol' indices of the inputs; NaN where nothing varies."""
    every = (0, 1, 2)
    mean = mean_over(values, every)
    variance = float(mean_over((values - mean) ** 2, every))
    found = {}
    for place, name in enumerate(INPUTS):
        others = tuple(axis for axis in every if axis != place)
        of_one = mean_over(values, others) - mean
        of_others = mean_over(values, (place,)) - mean
        first = float(mean_over(of_one**2, (0,)))
        rest = float(mean_over(of_others**2, (0, 1)))
        known = variance > 1e-18
        found[f"S1 {name}"] = cleared(first / variance) if known else np.nan
        found[f"ST {name}"] = cleared(1 - rest / variance) if known else np.nan
    return found


def cleared(value: Numbers | float) -> float:
    """Return a number, or 0 if it is rounding."""
    return float(value) if abs(value) > ROUNDING else 0.0


def measured(forecasts: str, level: str) -> Iterator[dict[str, Any]]:
    """Return the mean, mean shift from 1:1 and indices of each score at a level."""
    own = Level.parse(LEVELS[0]).prevalence
    base = on_the_family(own, own)
    share = Level.parse(level).prevalence
    values = on_the_family(share, share if forecasts == "adjusted" else own)
    for key in KEYS:
        mean = cleared(mean_over(values[key], (0, 1, 2)))
        shift = cleared(mean_over(np.abs(values[key] - base[key]), (0, 1, 2)))
        yield {"score": key, "mean": mean, "mean shift": shift} | indices(values[key])


def by_level(frame: pd.DataFrame, kind: str, column: str) -> str:
    """Return a column in Markdown: a row for each score and a column for each level."""
    some = frame[frame["forecasts"] == kind]
    table = some.pivot(index="score", columns="level", values=column).loc[list(KEYS), list(LEVELS)]
    return markdown(table.reset_index(), ".3g")


TABLES = {
    "probability_imbalance": Task(measured, product(("adjusted", "left alone"), LEVELS), "%.6g", ())
}


def page(frame: pd.DataFrame) -> dict[str, Any]:
    """Return what the page has beside the constants."""
    rarest = frame[(frame["level"] == LEVELS[-1]) & (frame["forecasts"] == "adjusted")]
    still = frame.groupby("score", sort=False)["mean shift"].max()
    return {
        "by_level": partial(by_level, frame),
        "still": ", ".join(f"`{key}`" for key, shift in still.items() if shift == 0),
        "indices": rarest.drop(columns=["forecasts", "level", "mean", "mean shift"]),
    }
