"""The page on how scores of probabilities change with the prevalence.

``python -m skewproof.practice.probabilities.prevalence_page`` writes it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import logit, ndtr

from skewproof.core.prevalence import Prevalence
from skewproof.practice.intervals.metric_interval import At
from skewproof.practice.probabilities.adjusting import one_share
from skewproof.practice.probabilities.binormal import binormal_score
from skewproof.reporting.templates import render

LEVELS = ("1:1", "1:10", "1:1000")

TRAINED = "1:10"
"""Where forecasts that are left alone are calibrated."""

MEAN = 2.0
"""Mean of the positives' scores; the negatives have 0, and both classes the deviation 1."""

THRESHOLD = 0.1
"""Threshold probability of the net benefit."""

SHARES = np.linspace(0.05, 0.95, 7)
"""Evenly spaced prevalences, at which is asked whether a score lies on a straight line."""

ROUNDING = 1e-9
"""More than the error of a score: the second differences of a line are smaller."""


PopulationScore = Callable[..., float]
"""A score at a prevalence, of forecasts calibrated there or where they were `trained`."""


class Row(NamedTuple):
    """A score as the page has it."""

    name: str
    function: str
    formula: str
    value: PopulationScore


def binormal_net_benefit(at: At, *, trained: At | None = None, standardized: bool = False) -> float:
    """The net benefit at the threshold of the page, in its population.

    Examples
    --------
    >>> round(binormal_net_benefit("1:1"), 2)
    0.46
    """
    share = one_share(Prevalence.given(at), "at")
    own = share if trained is None else one_share(Prevalence.given(trained, "trained"), "trained")
    cutoff = (logit(THRESHOLD) - logit(own)) / MEAN + MEAN / 2
    false_alarms = (1 - share) * ndtr(-cutoff) * THRESHOLD / (1 - THRESHOLD)
    benefit = float(share * ndtr(MEAN - cutoff) - false_alarms)
    return benefit / share if standardized else benefit


ROWS = (
    Row(
        "Brier score",
        "probability_scores",
        r"S = \pi L_1 + (1 - \pi) L_0",
        partial(binormal_score, "brier", mean=MEAN),
    ),
    Row(
        "log loss",
        "probability_scores",
        r"S = \pi L_1 + (1 - \pi) L_0",
        partial(binormal_score, "log_loss", mean=MEAN),
    ),
    Row(
        "Brier skill score",
        "probability_scores",
        r"1 - S / (\pi (1 - \pi))",
        partial(binormal_score, "brier_skill", mean=MEAN),
    ),
    Row(
        "log loss skill score",
        "probability_scores",
        r"1 - S / (-\pi \log \pi - (1 - \pi) \log(1 - \pi))",
        partial(binormal_score, "log_loss_skill", mean=MEAN),
    ),
    Row(
        "net benefit",
        "decision_curve",
        r"\pi \, TPR - (1 - \pi) FPR \, t / (1 - t)",
        binormal_net_benefit,
    ),
    Row(
        "standardized net benefit",
        "decision_curve",
        r"TPR - (1 - \pi) / \pi \cdot FPR \, t / (1 - t)",
        partial(binormal_net_benefit, standardized=True),
    ),
)


def is_line(score: PopulationScore) -> bool:
    """Whether the score of forecasts that are left alone is a straight line in the prevalence."""
    values = np.array([score(share, trained=TRAINED) for share in SHARES.tolist()])
    return bool(np.abs(np.diff(values, 2)).max() < ROUNDING)


def prevalence_page() -> str:
    """The page in Markdown."""
    formulas = [
        [row.name, f"`{row.function}`", f"${row.formula}$", "yes" if is_line(row.value) else "no"]
        for row in ROWS
    ]
    values = [
        [
            row.name,
            *(f"{row.value(level, trained=TRAINED):.3g}" for level in LEVELS),
            *(f"{row.value(level):.3g}" for level in LEVELS),
        ]
        for row in ROWS
    ]
    return render(
        "skewproof.practice.probabilities",
        "prevalence_page.md.jinja",
        formulas=formulas,
        values=values,
        header=[f"{level}, {how}" for how in ("left alone", "adjusted") for level in LEVELS],
        trained=TRAINED,
        mean=f"{MEAN:g}",
        threshold=f"{THRESHOLD:g}",
    )


if __name__ == "__main__":
    print(prevalence_page(), end="")
