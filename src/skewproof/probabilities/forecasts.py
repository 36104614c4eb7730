"""Forecast probabilities of labeled instances, counted within each class."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skewproof.core.algebra import Array
from skewproof.core.data.arrays import checked_probabilities, positive_class_probabilities
from skewproof.core.data.labels import checked_labels, positives_of
from skewproof.core.messages import shortened
from skewproof.intervals.bootstrap import drawn_weights
from skewproof.intervals.class_rows import ConditionalBinomials
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.grouped.jackknife import GroupedCells, neighbors
from skewproof.prevalence.adjusting import (
    check_rows,
    class_shares,
    one_share,
    with_ratios,
)
from skewproof.prevalence.prevalence import RAREST, At, Prevalence
from skewproof.probabilities.score_functions import (
    BRIER,
    LOSSES,
    NO_START,
    Losses,
    Sample,
    Start,
    TwoClassSample,
    class_means,
    mean_loss,
    start_of,
)

MOST_GROUPS = 1000
"""Most groups of neighboring forecasts that are drawn as one. Each has about a thousandth of the
classes, which count alike."""

CellSamples = Callable[[Array, Array | None], Sample]
"""Function of numbers of instances by cell, (samples, cells), and of class shares, None for those
of the instances."""

GROUPS = 250
"""Most groups of instances with about the same forecast, or loss, that are drawn as one."""

FEWEST = 3
"""Least number of columns of probabilities of several classes."""


class Unseen(Enum):
    """Forecasts of unseen instances of two classes, or of any number of classes."""

    WORST = "the worst forecasts for their class"
    BEST = "the best forecasts for their class"
    SMALLEST = "the smallest forecast of the positive class"
    LARGEST = "the largest forecast of the positive class"

    def position(self, losses: Array, column: int) -> int:
        """Return the position of the loss of an unseen instance of the class of a column.

        The positive class of two classes has the column 0.
        """
        worst = {"WORST": True, "BEST": False, "SMALLEST": column == 0, "LARGEST": column == 1}
        return int(np.argmax(losses) if worst[self.name] else np.argmin(losses))


@dataclass(frozen=True)
class Forecasts:
    """Forecasts of all classes, with the number of instances of each class that have them."""

    classes: list[Any]
    """The names of the classes, in the order of the columns."""

    values: Array
    """Probabilities, shape (forecasts, classes)."""

    counts: Array
    """Instances of each class with each forecast, shape (classes, forecasts)."""

    cells: NDArray[np.intp] = field(default_factory=lambda: np.empty(0, np.intp), kw_only=True)
    """Number of each instance's class times that of forecasts, plus the number of its forecast,
    in the order of the labels, shape (instances,)."""

    worth: float = field(default=1.0, kw_only=True)
    """Number of independent instances that tell as much as one of these, in draws."""

    @property
    def sizes(self) -> Array:
        """Number of instances of each class."""
        return self.counts.sum(axis=1)

    @property
    def test_shares(self) -> Array:
        """Class shares in the test set."""
        return self.sizes / self.sizes.sum()

    @cached_property
    def losses(self) -> dict[Losses, Array]:
        """Loss of each forecast for an instance of each class, shape (classes, forecasts)."""
        return {losses: losses.of_classes(self.values).T for losses in LOSSES.values()}

    def shares_at(self, at: Prevalence) -> Array:
        """Return positive class shares, as single numbers, where the forecasts will be made."""
        numbers = at.for_classes(self.classes)
        return self.test_shares if numbers is None else np.maximum(numbers / numbers.sum(), RAREST)

    def points(self, at: Prevalence) -> list[Array]:
        """Return the class shares that stand for what is known: several for a range, else one."""
        return [self.shares_at(at)]

    def trained_shares(self, trained: Prevalence) -> Array:
        """Return the class shares in the training data."""
        return class_shares("trained", trained, self.classes)

    def adjusted(self, trained: At | Mapping[Any, float] | None, at: Prevalence) -> Self:
        """Adjust forecasts of a model trained at class shares to others; keep them if None."""
        if trained is None:
            return self
        ratios = self.shares_at(at) / self.trained_shares(Prevalence.given(trained, "trained"))
        return replace(self, values=with_ratios(self.values, ratios))

    def grouped(self, most: int = MOST_GROUPS) -> Forecasts:
        """Combine neighboring forecasts; those of more than two classes have no neighbors."""
        return self

    def observed(self, shares: Array, *, fitted: bool = False) -> Sample:
        """Return the forecasts as a sample at class shares.

        `fitted` is whether coefficients will be fitted.
        """
        weights = (self.counts / self.sizes[:, np.newaxis])[:, np.newaxis]
        means = {
            losses: class_means(weights, of_classes) for losses, of_classes in self.losses.items()
        }
        return Sample(means, shares[np.newaxis])

    def drawn(
        self,
        at: Prevalence,
        unseen: Unseen,
        draws: int,
        random: np.random.Generator,
        *,
        fitted: bool = False,
    ) -> Iterator[list[Sample]]:
        """Draw samples by the Bayesian bootstrap within each class, some at a time.

        Class shares are drawn too if they are uncertain. Half an unseen instance of each class is
        added.

        Yields
        ------
        Some of the samples, at each of the `points` of what is known of the class shares.
        """
        shares = self._drawn_shares(at, draws, random)
        means = {losses: self._drawn_means(losses, unseen, draws, random) for losses in self.losses}
        yield [Sample(means, np.broadcast_to(shares, (draws, len(self.classes))))]

    def _drawn_means(
        self, losses: Losses, unseen: Unseen, draws: int, random: np.random.Generator
    ) -> Array:
        """Draw samples, and return the mean losses of each class, (draws, classes)."""
        means_of_classes = []
        for column, (of_class, counts) in enumerate(
            zip(self.losses[losses], self.counts, strict=True)
        ):
            of_instances = np.sort(np.repeat(of_class, counts.astype(np.intp)))
            parts = np.array_split(of_instances, min(of_instances.size, GROUPS))
            of_unseen = of_class[unseen.position(of_class, column)]
            means = np.array([*(part.mean() for part in parts), of_unseen])
            sizes = np.array([*(self.worth * part.size for part in parts), PRIOR])
            drawn = [
                mean_loss(weights, means) for (weights,) in drawn_weights([sizes], draws, random)
            ]
            means_of_classes.append(np.concatenate(drawn))
        return np.array(means_of_classes).T

    def _drawn_shares(self, at: Prevalence, draws: int, random: np.random.Generator) -> Array:
        """Draw class shares, (draws, classes), or (1, classes) if they are known exactly."""
        if at.is_exact:
            return self.shares_at(at)[np.newaxis]
        numbers = at.for_classes(self.classes)
        counts = self.worth * self.sizes if numbers is None else numbers
        counts = counts[np.newaxis, np.newaxis]
        order = np.argsort(-counts, axis=-1, kind="stable")
        drawn = ConditionalBinomials(counts, order, believed=at.is_belief).draw(draws, random)
        return np.maximum(drawn[:, 0, 0], RAREST)

    def in_groups(self, groups: ArrayLike, losses: Losses) -> tuple[GroupedCells, CellSamples]:
        """Put instances into cells, and return how samples of numbers by cell are made.

        Parameters
        ----------
        groups
            Label of each instance's group.
        losses
            Loss function that the samples have to know.
        """
        classes, forecasts = np.divmod(self.cells, len(self.values))
        of_instances = self.losses[losses][classes, forecasts]
        cells = np.empty(len(classes), dtype=np.intp)
        for column in range(len(self.classes)):
            of_class = np.flatnonzero(classes == column)
            ranks = np.argsort(np.argsort(of_instances[of_class], kind="stable"))
            cells[of_class] = column * GROUPS + ranks * GROUPS // of_class.size
        size = len(self.classes) * GROUPS
        numbers = np.bincount(cells, minlength=size)
        means = np.bincount(cells, of_instances, minlength=size) / np.maximum(numbers, 1)

        def sample_of(counts: Array, shares: Array | None) -> Sample:
            weights, shares = _weights_and_shares(counts, len(self.classes), shares)
            return Sample({losses: class_means(weights, means.reshape(-1, GROUPS))}, shares)

        owners = np.repeat(np.arange(len(self.classes)), GROUPS)
        return GroupedCells.of(groups, cells, owners, self.classes), sample_of

    def described(self, column: int, forecast: int) -> str:
        """Describe an instance by its class and its forecast."""
        name, value = self.classes[column], self.values[forecast, column]
        return f"of the class {name} with the forecast {value:.3g} for it"


@dataclass(frozen=True)
class TwoClassForecasts(Forecasts):
    """Distinct forecasts of two classes, of which the first is the positive class.

    The forecasts of the positive class rise, so that forecasts have neighbors, and coefficients can
    be fitted.
    """

    @classmethod
    def of(cls, values: Array, positives: Array, negatives: Array) -> TwoClassForecasts:
        """Return forecasts of the positive class with the number of instances that have each.

        All arrays have the shape (forecasts,).
        """
        of_both = np.column_stack([values, 1 - values])
        return cls(["positive", "negative"], of_both, np.array([positives, negatives]))

    @property
    def of_positive(self) -> Array:
        """Forecasts of the positive class, rising, shape (forecasts,)."""
        return self.values[:, 0]

    def shares_at(self, at: Prevalence) -> Array:
        """Return the shares of both classes where the forecasts will be made, inside (0, 1)."""
        return _of_both(at.share_given(self.test_shares[0]))

    def points(self, at: Prevalence) -> list[Array]:
        """Return the class shares that stand for what is known: several for a range, else one."""
        return [_of_both(share) for share in at.points(self.test_shares[0])]

    def trained_shares(self, trained: Prevalence) -> Array:
        """Return the class shares in the training data."""
        return _of_both(one_share(trained, "trained"))

    def grouped(self, most: int = MOST_GROUPS) -> TwoClassForecasts:
        """Combine neighboring forecasts; each group has the mean of its forecasts.

        Both classes count alike, so that the few forecasts for a rare class keep groups of their
        own. The smallest and the largest forecast do not change.
        """
        if len(self.values) <= most:
            return self
        weights, group = self.class_weights, neighbors(self.counts, most)
        means = sums_in(group, weights * self.of_positive) / sums_in(group, weights)
        return self.of(means, *(sums_in(group, counts) for counts in self.counts))

    @property
    def class_weights(self) -> Array:
        """Weight of each forecast if both classes count alike, shape (forecasts,)."""
        return np.sum(self.counts / self.sizes[:, np.newaxis], axis=0)

    def observed(self, shares: Array, *, fitted: bool = False) -> TwoClassSample:
        """Return the forecasts as a sample at class shares."""
        start = NO_START
        if fitted and len(self.values) > GROUPS:
            start = start_of(self.grouped(GROUPS).sample(shares))
        return self.sample(shares, start)

    def sample(self, shares: Array, start: Start = NO_START) -> TwoClassSample:
        """Return the forecasts as a sample whose coefficients are fitted from a start."""
        weights = list((self.counts / self.sizes[:, np.newaxis])[:, np.newaxis])
        return TwoClassSample.at(shares[:1], self.of_positive, weights, start)

    def drawn(
        self,
        at: Prevalence,
        unseen: Unseen,
        draws: int,
        random: np.random.Generator,
        *,
        fitted: bool = False,
    ) -> Iterator[list[Sample]]:
        """Draw samples in which both classes have weights of the same groups of forecasts."""
        grouped = self.grouped(GROUPS)
        counts = self.worth * grouped.counts
        for column, losses in enumerate(grouped.losses[BRIER]):
            counts[column, unseen.position(losses, column)] += PRIOR
        positives, negatives = self.worth * self.sizes
        shares = [
            np.broadcast_to(share, draws)
            for share in at.drawn_shares(positives, negatives, draws, random)
        ]
        starts = [
            start_of(grouped.sample(point)) if fitted else NO_START for point in self.points(at)
        ]
        first = 0
        for weights in drawn_weights(list(counts), draws, random):
            some = slice(first, first + len(weights[0]))
            first = some.stop
            yield [
                TwoClassSample.at(share[some], grouped.of_positive, weights, start)
                for share, start in zip(shares, starts, strict=True)
            ]

    def in_groups(self, groups: ArrayLike, losses: Losses) -> tuple[GroupedCells, CellSamples]:
        """Put instances of neighboring forecasts into cells; samples know all losses."""
        grouped, numbers = self.grouped(GROUPS), np.arange(len(self.values))
        if len(self.values) > GROUPS:
            numbers = neighbors(self.counts, GROUPS)
        classes, forecasts = np.divmod(self.cells, len(self.values))
        size, start = len(grouped.values), start_of(grouped.sample(self.test_shares))

        def sample_of(counts: Array, shares: Array | None) -> Sample:
            weights, shares = _weights_and_shares(counts, 2, shares)
            return TwoClassSample.at(shares[:, 0], grouped.of_positive, list(weights), start)

        cells, owners = classes * size + numbers[forecasts], np.repeat([0, 1], size)
        return GroupedCells.of(groups, cells, owners, self.classes), sample_of

    def described(self, column: int, forecast: int) -> str:
        """Describe an instance by its class and its forecast of the positive class."""
        return f"a {self.classes[column]} with the forecast {self.of_positive[forecast]:.3g}"


def _weights_and_shares(counts: Array, classes: int, shares: Array | None) -> tuple[Array, Array]:
    """Return the weights of the cells of each class, and class shares, of the counts' own if None.

    Their shapes are (classes, samples, cells) and (samples, classes).
    """
    of_classes = np.moveaxis(counts.reshape(len(counts), classes, -1), 1, 0)
    sizes = of_classes.sum(axis=2)
    own = sizes.T / sizes.sum(axis=0)[:, np.newaxis]
    known = own if shares is None else np.broadcast_to(shares, own.shape)
    return of_classes / sizes[..., np.newaxis], known


def _of_both(share: float) -> Array:
    """Return the shares of both classes."""
    return np.array([share, 1 - share])


def sums_in(groups: NDArray[np.intp], numbers: Array) -> Array:
    """Sum the numbers of each group, shape (groups,)."""
    return np.bincount(groups, numbers).astype(np.float64)


def has_class_columns(y_prob: ArrayLike) -> bool:
    """Return whether probabilities have a column for each of more than two classes.

    Raises
    ------
    ValueError
        If one is missing or outside [0, 1].
    """
    probabilities = checked_probabilities(y_prob, "y_prob")
    return probabilities.ndim == 2 and probabilities.shape[1] >= FEWEST


def two_class_forecasts(
    y_true: ArrayLike, y_prob: ArrayLike, *, pos_label: Any = 1
) -> TwoClassForecasts:
    """Count the forecasts of each of two classes.

    Raises
    ------
    ValueError
        If labels are refused or all of one class, a probability is missing or outside [0, 1], or
        their number is not that of the labels.
    """
    positive = positives_of(y_true, pos_label)
    probabilities = positive_class_probabilities(y_prob, "y_prob", positive)
    values, numbers = np.unique(probabilities, return_inverse=True)
    classes = positive.astype(float), (~positive).astype(float)
    counts = (sums_in(numbers, of_class) for of_class in classes)
    cells = np.where(positive, numbers, values.size + numbers)
    return replace(TwoClassForecasts.of(values, *counts), cells=cells)


def class_forecasts(y_true: ArrayLike, y_prob: Any) -> Forecasts:
    """Find the column of each label of more than two classes.

    Raises
    ------
    ValueError
        If labels are refused, a probability is missing or outside [0, 1], those of an instance do
        not sum to 1, or columns are not the classes of the labels.
    """
    true = checked_labels(y_true, "y_true")
    probabilities = checked_probabilities(y_prob, "y_prob")
    try:
        names = np.unique(true).tolist()
    except TypeError:
        raise ValueError(
            "y_true has labels without an order: expected labels of one type"
        ) from None
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
    counts = np.array([true == name for name in columns], dtype=np.float64)
    cells = counts.argmax(axis=0) * len(true) + np.arange(len(true))
    return Forecasts(columns, probabilities, counts, cells=cells)
