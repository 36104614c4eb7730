"""Difference between two models, as a result that says what it is in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skewproof.intervals.estimates import Estimate, Grouping
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.summary import Summary


@dataclass(frozen=True, repr=False)
class Difference(Estimate):
    """Difference of two models on the same instances: the second less the first.

    Examples
    --------
    >>> from skewproof import compare
    >>> from skewproof.metrics import accuracy
    >>> difference = compare(accuracy, [1, 0, 1, 0], [1, 0, 0, 0], [1, 0, 1, 0])
    >>> difference.metric, difference.value
    ('accuracy', 0.25)
    """

    metric: str
    """The metric's key."""

    value: float
    """The difference; NaN if the metric is undefined for a model, or equally infinite for both."""

    low: float
    high: float

    probability: float
    """Probability that the second model is better, at least 1/2 if it is observed to be better. For
    labels it is the normal probability of the radius at which the ball of deviations reaches a
    difference of 0, and for scores that of Student's distribution. If the prevalence is a range, it
    is that at the middle. It is NaN if the observed difference is."""

    p_value: float
    """Two-sided p-value of the hypothesis that the models do not differ, of the same distance from
    a difference of 0; NaN if the observed difference is."""

    undefined: bool
    """True if the difference is undefined at some of the examined rates, which are left out."""

    confidence: float
    """Level of the interval."""

    at: Prevalence
    """Prevalence of the interval."""

    remark: str = ""
    """Further remark on the difference, in a sentence."""

    grouping: Grouping | None = None
    """The groups of rows that belong together; None if all rows are independent."""

    @property
    def verdict(self) -> str:
        """Sentence that says if the interval distinguishes the models."""
        if np.isnan([self.value, self.low, self.high]).any():
            return "The difference is undefined."
        if self.low <= 0 <= self.high:
            return (
                "These instances do not distinguish the models: a difference of"
                f" {self.low:.2g} to {self.high:.2g} is possible."
            )
        return "The models differ: 0 is outside the interval."

    def __str__(self) -> str:
        return f"difference in {super().__str__()}"

    def summary(self) -> Summary:
        """Return the summary of the difference."""
        facts = []
        if not np.isnan(self.probability):
            facts.append(("Second model better", f"with probability {self.probability:.1%}"))
            facts.append(("p-value", f"{self.p_value:.2g}"))
        if self.undefined:
            facts.append(("Undefined", "at some rates, left out"))
        title = f"Difference in {self._with_ends}"
        return Summary(
            title,
            verdict=self.verdict,
            paragraphs=list(filter(None, [f"{self._terms}.", self.remark])),
            facts=facts,
        )
