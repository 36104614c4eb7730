"""Forecast probabilities of more than two classes, and the mean losses of each class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.labels import checked_labels
from skewproof.core.messages import shortened
from skewproof.intervals.class_rows import ConditionalBinomials
from skewproof.intervals.deviations import PRIOR
from skewproof.prevalence.adjusting import (
    check_rows,
    checked_probabilities,
    class_shares,
    with_ratios,
)
from skewproof.prevalence.prevalence import RAREST, Prevalence
from skewproof.probabilities.forecasts import BLOCK, GROUPS
from skewproof.probabilities.score_functions import (
    BRIER,
    LOG,
    ClassSample,
    Losses,
    mean_loss,
)

FEWEST = 3
"""Least number of columns of probabilities of several classes."""


def has_class_columns(y_prob: ArrayLike) -> bool:
    """Return whether probabilities have a column for each of more than two classes.

    Raises
    ------
    ValueError
        If one is missing or outside [0, 1].
    """
    probabilities = checked_probabilities(y_prob, "y_prob")
    return probabilities.ndim == 2 and probabilities.shape[1] >= FEWEST


@dataclass(frozen=True)
class ClassForecasts:
    """Forecasts of the classes of labeled instances."""

    classes: list[Any]
    """The names of the classes, in the order of the columns."""

    values: Array
    """Probabilities, shape (instances, classes)."""

    true: NDArray[np.intp]
    """The column of each instance's class, shape (instances,)."""

    @property
    def sizes(self) -> Array:
        """Number of instances of each class."""
        return np.bincount(self.true, minlength=len(self.classes)).astype(np.float64)

    @property
    def own_share(self) -> Array:
        """Class shares in the test set."""
        return self.sizes / self.true.size

    @property
    def of_true(self) -> Array:
        """Forecast for the class of each instance, shape (instances,)."""
        return self.values[np.arange(self.true.size), self.true]

    def losses_of_true(self, losses: Losses) -> Array:
        """Return the loss of each instance, shape (instances,)."""
        return self._losses[losses][np.arange(self.true.size), self.true]

    def share_at(self, at: Prevalence) -> Array:
        """Return positive class shares, as single numbers, where the forecasts will be made."""
        numbers = at.for_classes(self.classes)
        return self.own_share if numbers is None else np.maximum(numbers / numbers.sum(), RAREST)

    def adjusted(self, trained: Prevalence | None, at: Prevalence) -> ClassForecasts:
        """Adjust forecasts of a model trained at class shares to others; keep them if None."""
        if trained is None:
            return self
        ratios = self.share_at(at) / class_shares("trained", trained, self.classes)
        return ClassForecasts(self.classes, with_ratios(self.values, ratios), self.true)

    def observed(self, shares: Array) -> ClassSample:
        """Compute the mean losses of each class, at class shares."""

        def means(losses: Losses) -> Array:
            columns = enumerate(self._losses[losses].T)
            return np.array([[of_class[self.true == k].mean() for k, of_class in columns]])

        return ClassSample({losses: means(losses) for losses in self._losses}, shares[np.newaxis])

    def drawn(
        self, at: Prevalence, draws: int, random: np.random.Generator, *, worst: bool
    ) -> ClassSample:
        """Draw samples by the Bayesian bootstrap within each class.

        Class shares are drawn too if they are uncertain. Half an unseen instance of each class is
        added. It has the worst of all forecasts for its class, or the best one.
        """
        shares = self._drawn_shares(at, draws, random)
        unseen = np.max if worst else np.min
        return ClassSample(
            {losses: self._drawn_means(losses, unseen, draws, random) for losses in self._losses},
            np.broadcast_to(shares, (draws, len(self.classes))),
        )

    @cached_property
    def _losses(self) -> dict[Losses, Array]:
        """Loss of each forecast for an instance of each class, (instances, classes)."""
        return {losses: losses.of_classes(self.values) for losses in (BRIER, LOG)}

    def _drawn_means(
        self,
        losses: Losses,
        unseen: Callable[[Array], Any],
        draws: int,
        random: np.random.Generator,
    ) -> Array:
        """Draw samples, and return the mean losses of each class, (draws, classes)."""
        means_of_classes = []
        for k, of_class in enumerate(self._losses[losses].T):
            losses_inside = np.sort(of_class[self.true == k])
            parts = np.array_split(losses_inside, min(losses_inside.size, GROUPS))
            means = np.array([*(part.mean() for part in parts), unseen(of_class)])
            counts = np.array([*(part.size for part in parts), PRIOR])
            rows = max(1, BLOCK // counts.size)
            drawn = []
            for begin in range(0, draws, rows):
                weights = random.standard_gamma(counts, (min(rows, draws - begin), counts.size))
                weights /= weights.sum(axis=1, keepdims=True)
                drawn.append(mean_loss(weights, means))
            means_of_classes.append(np.concatenate(drawn))
        return np.array(means_of_classes).T

    def _drawn_shares(self, at: Prevalence, draws: int, random: np.random.Generator) -> Array:
        """Draw class shares, (draws, classes), or (1, classes) if they are known exactly."""
        if at.is_exact:
            return self.share_at(at)[np.newaxis]
        numbers = at.for_classes(self.classes)
        counts = (self.sizes if numbers is None else numbers)[np.newaxis, np.newaxis]
        order = np.argsort(-counts, axis=-1, kind="stable")
        binomials = ConditionalBinomials(counts, order, believed=at.is_belief)
        hits, misses = (
            part[:, np.newaxis] + PRIOR
            for part in (binomials.proportions.hits, binomials.proportions.misses)
        )
        parts = random.beta(hits, misses, (len(hits), draws, 1))
        return np.maximum(binomials.shares(parts, np.arange(1))[:, 0, 0], RAREST)


def class_forecasts_of(y_true: ArrayLike, y_prob: Any) -> ClassForecasts:
    """Find the column of each label.

    Raises
    ------
    ValueError
        If labels are refused, a probability is missing or outside [0, 1], those of an instance do
        not sum to 1, or columns are not the classes of the labels.
    """
    true = checked_labels(y_true, "y_true")
    probabilities = checked_probabilities(y_prob, "y_prob")
    try:
        classes, places = np.unique(true, return_inverse=True)
    except TypeError:
        raise ValueError(
            "y_true has labels without an order: expected labels of one type"
        ) from None
    names = classes.tolist()
    listed = shortened(", ".join(map(str, names)), 200)
    if len(names) != probabilities.shape[1]:
        raise ValueError(
            f"y_prob has the shape {probabilities.shape}: expected a column for each class of"
            f" y_true, {listed}"
        )
    if len(true) != len(probabilities):
        raise ValueError(
            f"y_true and y_prob have the shapes {true.shape} and {probabilities.shape}: expected"
            " the probabilities of all classes for each label"
        )
    check_rows(probabilities, len(names), "y_prob")
    columns = list(getattr(y_prob, "columns", names))
    if set(columns) != set(names):
        of_frame = shortened(", ".join(map(str, columns)), 200)
        raise ValueError(
            f"y_prob has the columns {of_frame}: expected those of the classes, {listed}"
        )
    order = np.array([columns.index(name) for name in names])
    return ClassForecasts(columns, probabilities, order[places])
