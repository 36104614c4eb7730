"""Forecast probabilities of labeled instances, counted within each class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.labels import check_classes, checked_labels
from skewproof.core.messages import shown
from skewproof.prevalence.adjusting import (
    checked_probabilities,
    odds,
    one_share,
    with_odds,
)
from skewproof.prevalence.prevalence import Prevalence
from skewproof.probabilities.score_functions import NO_START, Sample, Start

MOST_GROUPS = 1000
"""Most groups of neighboring forecasts that are drawn as one. Each has about a thousandth of the
classes, which count alike."""

GROUPS = 250
"""Most groups of instances with about the same forecast, or loss, that are drawn as one."""

BLOCK = 2**19
"""Most numbers that are drawn at a time."""


class Forecasts(NamedTuple):
    """Distinct forecasts, rising, with the number of instances of each class that have them."""

    values: Array
    """Probabilities, shape (forecasts,)."""

    positives: Array
    """Positive instances with each forecast, shape (forecasts,)."""

    negatives: Array
    """Negative instances with each forecast, shape (forecasts,)."""

    @property
    def sizes(self) -> tuple[float, float]:
        """Number of instances of each class."""
        return float(self.positives.sum()), float(self.negatives.sum())

    @property
    def own_share(self) -> float:
        """Prevalence in the test set."""
        positives, negatives = self.sizes
        return positives / (positives + negatives)

    def share_at(self, at: Prevalence) -> float:
        """Return the prevalence inside (0, 1), as a single number, where forecasts will be made."""
        return float(at.share_given(self.own_share))

    def adjusted(self, trained: Prevalence | None, at: Prevalence) -> Forecasts:
        """Adjust forecasts of a model trained at one prevalence to another; keep them if None."""
        if trained is None:
            return self
        ratio = odds(self.share_at(at)) / odds(one_share(trained, "trained"))
        return self._replace(values=with_odds(self.values, ratio))

    def observed(self, share: float, start: Start = NO_START) -> Sample:
        """Return the forecasts as a sample at a prevalence."""
        positives, negatives = self.sizes
        return Sample(
            self.values,
            (self.positives / positives)[np.newaxis],
            (self.negatives / negatives)[np.newaxis],
            np.array([share]),
            start,
        )

    def grouped(self, most: int = MOST_GROUPS) -> Forecasts:
        """Combine neighboring forecasts; each group has the mean of its forecasts.

        Both classes count alike, so that the few forecasts for a rare class keep groups of their
        own. The smallest and the largest forecast do not change.
        """
        if self.values.size <= most:
            return self
        positives, negatives = self.sizes
        weights = self.positives / positives + self.negatives / negatives
        sums = np.cumsum(weights)
        group = np.floor((sums - weights / 2) / sums[-1] * (most - 2)).astype(np.intp) + 1
        group[0], group[-1] = 0, most - 1
        group = np.unique(group, return_inverse=True)[1]
        means = sums_in(group, weights * self.values) / sums_in(group, weights)
        return Forecasts(means, sums_in(group, self.positives), sums_in(group, self.negatives))


def sums_in(groups: NDArray[np.intp], numbers: Array) -> Array:
    """Sum the numbers of each group, shape (groups,)."""
    return np.bincount(groups, numbers).astype(np.float64)


def forecasts_of(y_true: ArrayLike, y_prob: ArrayLike, *, pos_label: Any = 1) -> Forecasts:
    """Count the forecasts of each class.

    Raises
    ------
    ValueError
        If labels are refused or all of one class, a probability is missing or outside [0, 1], or
        their number is not that of the labels.
    """
    true = checked_labels(y_true, "y_true")
    probabilities = checked_probabilities(y_prob, "y_prob")
    check_classes(true, true, pos_label)
    if probabilities.shape != true.shape:
        column = ", of the positive class alone" if probabilities.ndim == 2 else ""
        raise ValueError(
            f"y_true and y_prob have the shapes {true.shape} and {probabilities.shape}: expected"
            f" one probability for each label{column}"
        )
    positive = true == pos_label
    positives = np.count_nonzero(positive)
    if not 0 < positives < positive.size:
        raise ValueError(
            f"{positives} of {positive.size} labels are pos_label = {shown(pos_label)}: expected"
            " both classes"
        )
    values, counts = np.unique(probabilities, return_counts=True)
    of_class, some = np.unique(probabilities[positive], return_counts=True)
    hits = np.zeros(values.size)
    hits[np.searchsorted(values, of_class)] = some
    return Forecasts(values, hits, counts - hits)


def place_of(at: Any) -> Prevalence:
    """Check the prevalence where forecasts will be made, for two classes and any rates."""
    return Prevalence.given(at).for_two_classes().for_any_rates()
