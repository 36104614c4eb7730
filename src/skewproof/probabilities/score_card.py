"""Card of a score of probabilities: its formula, and the effect of imbalance on it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.special import ndtri

from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.prevalence.adjusting import one_share
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.binormal import binormal_score
from skewproof.probabilities.scores import SCORES
from skewproof.reporting.summary import Summarized, Summary, json_number

TRAINED = "1:10"
"""Prevalence at which forecasts that are left alone are calibrated."""

MEAN = 2.0
"""Mean of the positives' scores; that of the negatives is 0, and both deviations are 1."""

AREAS = (0.6, 0.98)
"""Range of the uniform areas under the ROC curve over which a shift is averaged."""

TOLERANCE = 1e-7
"""Absolute error that the integration of a mean shift aims at."""

SHARES = np.linspace(0.05, 0.95, 7)
"""Evenly spaced prevalences at which the linearity of a score is checked."""

ROUNDING = 1e-9
"""Bound on the second differences of a line, which exceeds the error of a score."""

PopulationScore = Callable[..., float]
"""Score at a prevalence, of forecasts calibrated there or at `trained`."""


class Formula(NamedTuple):
    """Formula of a score of probabilities."""

    text: str
    """The formula as it is typed, with the prevalence pi, the mean loss L1 of the positives and L0
    of the negatives; B1 and B0 are those of Bayes' probabilities at pi."""
    latex: str
    low: float
    high: float


LOSS, BEST = "pi*L1 + (1 - pi)*L0", "pi*B1 + (1 - pi)*B0"
LATEX_LOSS, LATEX_BEST = r"\pi L_1 + (1 - \pi) L_0", r"\pi B_1 + (1 - \pi) B_0"


def _of_loss(key: str, highest: float, unsure: Formula) -> dict[str, Formula]:
    """Write the formulas of the scores that belong to a loss, with that of its uncertainty."""
    return {
        key: Formula(LOSS, f"S = {LATEX_LOSS}", 0, highest),
        f"{key}_skill": Formula(
            f"1 - ({LOSS})/({unsure.text})", f"1 - S / ({unsure.latex})", -math.inf, 1
        ),
        f"{key}_miscalibration": Formula(
            f"{LOSS} - ({BEST})", f"{LATEX_LOSS} - ({LATEX_BEST})", 0, highest
        ),
        f"{key}_resolution": Formula(
            f"{unsure.text} - ({BEST})", f"{unsure.latex} - ({LATEX_BEST})", 0, unsure.high
        ),
        f"{key}_uncertainty": unsure,
    }


VARIANCE = Formula("pi*(1 - pi)", r"\pi (1 - \pi)", 0, 0.25)
ENTROPY = Formula(
    "-pi*log(pi) - (1 - pi)*log(1 - pi)",
    r"-\pi \log \pi - (1 - \pi) \log(1 - \pi)",
    0,
    math.log(2),
)

FORMULAS = _of_loss("brier", 1, VARIANCE) | _of_loss("log_loss", math.inf, ENTROPY)
"""Formulas of scores by their keys, which are those of :func:`skewproof.probability_scores`."""

OTHER_NAMES = {
    "brier_score": "brier",
    "brier_score_loss": "brier",
    "neg_brier_score": "brier",
    "cross_entropy": "log_loss",
    "logarithmic_score": "log_loss",
    "neg_log_loss": "log_loss",
}
"""Keys by other names, such as scikit-learn's."""

LOSSES = {
    "brier": "squared error of the forecast",
    "log_loss": "minus the logarithm of the probability that was forecast for the true class",
}

DIRECTIONS = {
    True: "lower is better",
    False: "higher is better",
    None: "of the prevalence alone: says nothing about the forecasts",
}


def is_line(score: PopulationScore) -> bool:
    """Return whether the score of forecasts that are left alone is linear in the prevalence."""
    values = np.array([score(share, trained=TRAINED) for share in SHARES.tolist()])
    return bool(np.abs(np.diff(values, 2)).max() < ROUNDING)


@dataclass(frozen=True, repr=False)
class ScoreCard(Summarized):
    """Result of the audit of a score of probabilities.

    The classes keep their scores at every level (label shift). Scores are normal in each class with
    the standard deviation 1. Forecasts are Bayes' probabilities: adjusted to each level, or
    calibrated at 1:10 and left alone.
    """

    key: str
    name: str
    formula: str
    latex: str
    low: float
    high: float
    lower_is_better: bool | None
    linear: bool
    """True if the score of forecasts that are left alone is linear in the prevalence, as judged by
    second differences."""
    levels: pd.DataFrame
    """A row per level, with the columns level; adjusted and left_alone, values if the positives'
    mean is 2; adjusted_shift and left_alone_shift, means of the absolute difference from 1:1 over
    areas under the ROC curve that are uniform from 0.6 to 0.98."""

    def to_frame(self) -> pd.DataFrame:
        """Return a row for each level."""
        return self.levels

    def summary(self) -> Summary:
        """Return the summary of the card."""
        first, last = self.levels.iloc[0], self.levels.iloc[-1]
        verdict = (
            f"Imbalance changes it, although the classifier is the same: {first.adjusted:.3g} at"
            f" {first.level} and {last.adjusted:.3g} at {last.level} if the forecasts are adjusted."
            if (self.levels["adjusted_shift"] > ROUNDING).any()
            else f"It is {last.adjusted:.3g} at every level if the forecasts are adjusted. If they"
            f" are left alone, it is {first.left_alone:.3g} at {first.level} and"
            f" {last.left_alone:.3g} at {last.level}, although the classifier is the same."
        )
        loss = next(text for key, text in LOSSES.items() if self.key.startswith(key))
        facts = [
            ("Formula", self.formula),
            ("Loss", f"{loss}; L1 and L0 are its means over positives and negatives"),
            (
                "Bayes",
                "B1 and B0 are these means for Bayes' probabilities" * ("B1" in self.formula),
            ),
            ("Range", f"{self.low:.4g} to {self.high:.4g}; {DIRECTIONS[self.lower_is_better]}"),
            ("Left alone", f"{'' if self.linear else 'not '}linear in the prevalence pi"),
            ("Compare", "two data sets only at the same prevalence, by the argument at="),
            ("Computed by", "probability_scores, with an interval"),
        ]
        rows = self.levels.map(lambda cell: cell if isinstance(cell, str) else f"{cell:.3g}")
        areas = " to ".join(f"{area:g}" for area in AREAS)
        population = (
            "Scores are normal in each class with the standard deviation 1, and the classes keep"
            f" them at every level. Values are for means {MEAN:g} apart. Shifts are mean absolute"
            f" differences from 1:1 over areas under the ROC curve, uniform from {areas}. Forecasts"
            f" that are left alone are calibrated at {TRAINED}."
        )
        return Summary(
            f"{self.name} ({self.key})",
            verdict=verdict,
            paragraphs=[population],
            facts=[fact for fact in facts if fact[1]],
            tables={"Levels": rows.to_dict("records")},
        )

    def to_markdown(self) -> str:
        """Return the card as Markdown."""
        summary = self.summary()
        facts = [("Formula", f"${self.latex}$"), *summary.facts[1:]]
        lines = [
            f"# {summary.title}\n\n{summary.verdict} {summary.paragraphs[0]}\n",
            *(f"- {name}: {text}" for name, text in facts),
            f"\n{self.levels.to_markdown(index=False, floatfmt='.3g')}\n",
        ]
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return the card as a dictionary for JSON, with infinities as text."""
        facts = {name: json_number(value) for name, value in asdict(self).items()}
        return facts | {"levels": self.levels.to_dict("records")}


def score_key(name: str) -> str:
    """Return the key of a score of probabilities by its key, name or scikit-learn's name.

    The result is empty for an unknown name.

    Examples
    --------
    >>> score_key("Brier score"), score_key("neg_log_loss"), score_key("f1")
    ('brier', 'log_loss', '')
    """
    key = name.strip().lower().replace(" ", "_").replace("-", "_")
    names = {SCORES[score].name.lower().replace(" ", "_"): score for score in FORMULAS}
    return key if key in FORMULAS else (OTHER_NAMES | names).get(key, "")


def card_of_score(key: str, at: At | None = None) -> ScoreCard:
    """Examine a score of probabilities at the paper's levels, and at any other prevalence.

    Parameters
    ----------
    key
        One of the keys of `FORMULAS`.
    at
        One prevalence to examine as well; it is the last row.

    Raises
    ------
    ValueError
        If `at` is not one prevalence.
    """
    levels: list[tuple[str, At]] = [(str(level), str(level)) for level in DEFAULT_LEVELS]
    if at is not None:
        one_share(Prevalence.given(at), "at")
        levels.append((str(at), at))
    rows = []
    for level, there in levels:
        ways = {"adjusted": None, "left_alone": TRAINED}
        values = {
            way: binormal_score(key, there, mean=MEAN, trained=trained)
            for way, trained in ways.items()
        }
        shifts = {f"{way}_shift": _mean_shift(key, there, ways[way]) for way in ways}
        rows.append({"level": level, **values, **shifts})
    linear = is_line(partial(binormal_score, key, mean=MEAN))
    higher = SCORES[key].greater_is_better
    lower_is_better = None if higher is None else not higher
    return ScoreCard(
        key, SCORES[key].name, *FORMULAS[key], lower_is_better, linear, pd.DataFrame(rows)
    )


def _mean_shift(key: str, at: At, trained: At | None) -> float:
    """Compute the mean absolute difference from 1:1 over the areas under the ROC curve."""

    def shift(area: float) -> float:
        mean = math.sqrt(2) * float(ndtri(area))
        there, balanced = (
            binormal_score(key, where, mean=mean, trained=trained) for where in (at, "1:1")
        )
        return abs(there - balanced)

    total, _ = quad(shift, *AREAS, epsabs=TOLERANCE, epsrel=0)
    return float(total / (AREAS[1] - AREAS[0]))
