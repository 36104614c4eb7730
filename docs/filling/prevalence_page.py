"""Numbers and formulas of the page on scores of probabilities."""

from __future__ import annotations

from functools import partial
from typing import Any, NamedTuple

from scipy.special import logit, ndtr

from skewproof.prevalence.adjusting import one_share
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.binormal import binormal_score
from skewproof.probabilities.score_card import (
    FORMULAS,
    MEAN,
    TRAINED,
    PopulationScore,
    is_line,
)
from skewproof.probabilities.scores import SCORES

LEVELS = ("1:1", "1:10", "1:1000")

THRESHOLD = 0.1
"""Threshold probability of the net benefit."""


class Row(NamedTuple):
    """A score as a row of the page."""

    name: str
    function: str
    formula: str
    value: PopulationScore


def binormal_net_benefit(at: At, *, trained: At | None = None, standardized: bool = False) -> float:
    """Compute the net benefit at the threshold of the page, in its population.

    Examples
    --------
    >>> round(binormal_net_benefit("1:1"), 2)
    0.46
    """
    share = one_share(Prevalence.given(at), "at")
    assumed = share
    if trained is not None:
        assumed = one_share(Prevalence.given(trained, "trained"), "trained")
    cutoff = (logit(THRESHOLD) - logit(assumed)) / MEAN + MEAN / 2
    false_alarms = (1 - share) * ndtr(-cutoff) * THRESHOLD / (1 - THRESHOLD)
    benefit = float(share * ndtr(MEAN - cutoff) - false_alarms)
    return benefit / share if standardized else benefit


ROWS = (
    *(
        Row(
            SCORES[key].name,
            "probability_scores",
            FORMULAS[key].latex,
            partial(binormal_score, key, mean=MEAN),
        )
        for key in ("brier", "log_loss", "brier_skill", "log_loss_skill")
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


def page_values() -> dict[str, Any]:
    """Compute what the template of the page shows."""
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
    return {
        "formulas": formulas,
        "values": values,
        "header": [f"{level}, {how}" for how in ("left alone", "adjusted") for level in LEVELS],
        "trained": TRAINED,
        "mean": f"{MEAN:g}",
        "threshold": f"{THRESHOLD:g}",
    }
