"""Simulated studies: the counts that a future study may have, and the intervals that follow.

Counts are an array with a column per study; the rows are the cells that its models fill. Expected
counts may be fractions.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri, stdtrit

from skewproof.core.algebra import Array
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ClassRows, PairedRows
from skewproof.intervals.extremes import extremes, radius_of
from skewproof.intervals.parts import Change
from skewproof.multiclass.against_rest import TWO_CLASSES
from skewproof.multiclass.declaration import of_two_classes
from skewproof.prevalence.prevalence import Prevalence

Sampling = Literal["random", "stratified", "enriched"]
"""Sampling of the instances of a study: see :func:`skewproof.plan`."""

Counts = NDArray[Any]
"""Whole numbers, or fractions as expected counts."""

MOST_INSTANCES = 10**9
"""Largest study that is planned: larger than anybody labels."""

MOST_CELLS = 2**23
"""Most counts by group that are drawn at once."""


FEWEST, MOST = 4, 20_000
"""Fewest groups, two of each class, and most whose studies are simulated in a few minutes."""

NEAREST = 1e-6
"""Least distance of a correlation from 0 and 1 when groups are drawn."""


@dataclass(frozen=True)
class GroupedRows:
    """Sizes of groups of rows, and how alike the rows of a group are.

    Attributes
    ----------
    rows
        Mean number of rows of a group, above 1.
    correlation
        Intraclass correlation of the answers to the rows of a class.
    variation
        Coefficient of variation of the numbers of rows.
    of_classes
        Intraclass correlation of the true class: 1 if each group has rows of a single class.
    """

    rows: float
    correlation: float
    variation: float
    of_classes: float

    def number(self, total: float) -> int:
        """Return the number of groups of about as many rows."""
        return max(FEWEST, ceil(total / self.rows))

    def needed(self, independent: float, confidence: float) -> float:
        """Estimate the groups that tell as much as a number of independent rows.

        The numbers are those of Donner and Klar (2000), with unequal sizes as in Eldridge et al.
        (2006), times the squared ratio of the quantiles of Student's t and of the normal
        distribution.

        Examples
        --------
        >>> round(GroupedRows(10, 0.3, 0, 1).needed(61, 0.95), 1)
        25.0
        """
        alike = 1 + self.variation**2
        effect = 1 + (self.rows * alike - 1) * self.correlation
        known, level = independent / self.rows * effect, (1 + confidence) / 2
        needed = known
        for _ in range(20):
            degrees = max(needed / alike - 1, 1)
            needed = known * float(stdtrit(degrees, level) / ndtri(level)) ** 2
        return needed

    def drawn(
        self, probabilities: tuple[Array, Array], positive: Array, random: np.random.Generator
    ) -> Array:
        """Draw counts by group, (groups, 2, cells).

        Parameters
        ----------
        probabilities
            Probabilities of the cells of the positives and of the negatives. Those of a group have
            a Dirichlet distribution, independent for the two classes.
        positive
            Probability that a row is positive, in each group.
        random
            The generator.
        """
        sizes, groups = np.full(len(positive), self.rows), len(positive)
        if self.variation:
            # The first row is certain, so that the others have all of the variance.
            shape = ((self.rows - 1) / (self.variation * self.rows)) ** 2
            sizes = 1 + random.gamma(shape, (self.rows - 1) / shape, groups)
        # Rounding at random keeps the mean.
        whole = np.floor(sizes + random.random(groups)).astype(np.int64)
        positives = random.binomial(whole, positive)
        strength = 1 / np.clip(self.correlation, NEAREST, 1 - NEAREST) - 1
        by_class = [
            random.multinomial(number, random.dirichlet(np.maximum(cells * strength, 1e-9), groups))
            for number, cells in zip((positives, whole - positives), probabilities, strict=True)
        ]
        return np.stack(by_class, axis=1).astype(np.float64)

    def shares(self, share: float, groups: int, random: np.random.Generator) -> Array:
        """Draw the probability of a positive row in groups that are drawn at random."""
        if self.of_classes == 1:
            return (random.random(groups) < share).astype(np.float64)
        strength = 1 / max(self.of_classes, NEAREST) - 1
        return random.beta(share * strength, (1 - share) * strength, groups)


class Ends(NamedTuple):
    """Ends of the intervals of studies, NaN for a study without an interval."""

    low: Array
    high: Array

    @property
    def width(self) -> Array:
        """Width of the intervals, NaN for a study without an interval."""
        with np.errstate(invalid="ignore"):  # inf less inf is NaN
            return self.high - self.low


@dataclass(frozen=True)
class Study(ABC):
    """Quantity to measure, and the sampling of the instances.

    Attributes
    ----------
    metric
        The metric.
    at
        Statement of the population's prevalence: a stated one, unless the study is enriched.
    sampling
        Sampling of the instances of the study.
    confidence
        Level of the interval.
    groups
        Groups of the rows; None if rows are independent.
    """

    kind: ClassVar[type[ClassRows]] = ClassRows
    """Rows whose intervals are those of the study."""

    metric: Metric
    at: Prevalence
    sampling: Sampling
    confidence: float
    groups: GroupedRows | None = field(default=None, kw_only=True)

    @property
    @abstractmethod
    def samples(self) -> list[tuple[Array, Array]]:
        """Probabilities of the cells of the positives and of the negatives, in each sample."""

    @abstractmethod
    def value(self, total: float) -> float:
        """Return the quantity that the study estimates."""

    def ends(self, counts: Counts, by_group: Sequence[Array] | None = None) -> Ends:
        """Compute the intervals of studies in which every class has instances.

        `by_group` has the counts of each study by group, (groups, 2, cells).
        """
        rows = self.kind.at(
            counts.T.reshape(len(counts.T), 2, -1) * 1.0,
            self.where,
            TWO_CLASSES,
            by_group=by_group,
            confidence=self.confidence,
        )
        estimates = rows.estimates(of_two_classes(self.metric), radius_of(self.confidence))
        return Ends(estimates.low, estimates.high)

    @property
    def most(self) -> float:
        """Largest number of instances that is planned."""
        return MOST_INSTANCES if self.groups is None else MOST * self.groups.rows

    def simulated(
        self, total: int, share: float, studies: int, random: np.random.Generator
    ) -> Ends:
        """Compute the intervals of simulated studies, NaN if a class has no instances.

        In groups, a study has no interval if a class is in fewer than two of them.
        """
        ends = np.full((2, studies), np.nan)
        if self.groups is None:
            counts = self.drawn(total, share, studies, random)
            sizes = counts.reshape(2 * len(self.samples), -1, studies).sum(axis=1)
            both = sizes.all(axis=0)
            if both.any():
                ends[:, both] = self.ends(counts[:, both])
            return Ends(*ends)
        number, (sample,) = self.groups.number(total), self.samples
        positive = (np.arange(number) < self.positive_groups(number, share)).astype(np.float64)
        at_once = max(1, MOST_CELLS // (number * 2 * len(sample[0])))
        for start in range(0, studies, at_once):
            made, by_group = [], []
            for study in range(start, min(start + at_once, studies)):
                if self.sampling == "random":
                    positive = self.groups.shares(share, number, random)
                counts = self.groups.drawn(sample, positive, random)
                if np.count_nonzero(counts.sum(axis=2), axis=0).min() > 1:
                    made.append(study)
                    by_group.append(counts)
            if made:
                totals = np.stack([counts.sum(axis=0).ravel() for counts in by_group], axis=1)
                ends[:, made] = self.ends(totals, by_group)
        return Ends(*ends)

    @staticmethod
    def positive_groups(number: int, share: float) -> int:
        """Return the number of positive groups of a study by class, which has two of each."""
        return int(np.clip(round(number * share), 2, number - 2))

    def expected(self, positives: Array, negatives: Array) -> Array:
        """Return the counts of studies in which every count equals its expectation."""
        counts = [
            np.multiply.outer(probabilities, size)
            for sample in self.samples
            for probabilities, size in zip(sample, (positives, negatives), strict=True)
        ]
        return np.concatenate(counts)

    def drawn(self, total: int, share: float, studies: int, random: np.random.Generator) -> Counts:
        """Draw the counts of studies with a number of instances and a share of positives."""
        counts = []
        for sample in self.samples:
            positives = np.full(studies, whole_positives(total, share))
            if self.sampling == "random":
                positives = random.binomial(total, share, studies)
            for probabilities, size in zip(sample, (positives, total - positives), strict=True):
                counts.append(random.multinomial(size, probabilities))
        return np.concatenate(counts, axis=1).T

    @property
    def prevalence(self) -> float:
        """Share of positives in the population."""
        return self.at.share

    @property
    def where(self) -> Prevalence:
        """Prevalence of the intervals."""
        of_sample: dict[Sampling, Prevalence] = {
            "random": Prevalence.given("population"),
            "stratified": Prevalence.given("test set"),
        }
        return of_sample.get(self.sampling, self.at)


def whole_positives(total: int, share: float) -> int:
    """Return the number of positive instances; each class has at least one instance."""
    return int(np.clip(round(total * share), 1, total - 1))


@dataclass(frozen=True)
class OneModel(Study):
    """Study of the value of a metric with its interval by :func:`skewproof.interval`.

    Counts are tp, fn, fp and tn.
    """

    tpr: float
    fpr: float

    @property
    def samples(self) -> list[tuple[Array, Array]]:
        """Probabilities of hits and misses, and of false alarms and the other negatives."""
        return [_of_calls(self.tpr, self.fpr)]

    def value(self, total: float) -> float:
        """Return the metric in the population."""
        return _population(self.metric, self.tpr, self.fpr, self.prevalence, total)


@dataclass(frozen=True)
class Comparison(Study):
    """Study of a difference of a metric between two pairs of rates."""

    tpr: tuple[float, float]
    fpr: tuple[float, float]

    def value(self, total: float) -> float:
        """Return the second value in the population, less the first."""
        first, second = (
            _population(self.metric, tpr, fpr, self.prevalence, total)
            for tpr, fpr in zip(self.tpr, self.fpr, strict=True)
        )
        return second - first


@dataclass(frozen=True)
class TwoModels(Comparison):
    """Study of the difference of a metric between two models by :func:`skewproof.compare`.

    Counts are, for the positives and then for the negatives, the numbers called positive by both
    models, the first, the second, and neither.
    """

    kind: ClassVar[type[ClassRows]] = PairedRows

    agreement: float

    @property
    def samples(self) -> list[tuple[Array, Array]]:
        """Probabilities of the four cells of each class."""
        return [(_ways(*self.tpr, self.agreement), _ways(*self.fpr, self.agreement))]


@dataclass(frozen=True)
class TwoSamples(Comparison):
    """Study of the change of a metric due to a classifier's rates, between two samples of one size.

    Counts are tp, fn, fp and tn of the first sample, then of the second.
    """

    @property
    def samples(self) -> list[tuple[Array, Array]]:
        """Probabilities of the cells of each of the two samples, as for one model."""
        return list(map(_of_calls, self.tpr, self.fpr))

    def ends(self, counts: Counts, by_group: Sequence[Array] | None = None) -> Ends:
        """Compute the intervals of the classifier's part by :func:`skewproof.explain_change`."""
        before, after = (
            ClassRows.at(part.T.reshape(-1, 2, 2) * 1.0, self.where, TWO_CLASSES)
            for part in np.split(counts, 2)
        )
        change = Change(of_two_classes(self.metric), after, before, {"classifier": (0, 1)})
        part, gradient = change.part("classifier"), change.gradient("classifier")
        ends = extremes(part, change.proportions, radius_of(self.confidence), gradient)
        return Ends(ends.low, ends.high)


def _population(metric: Metric, tpr: float, fpr: float, prevalence: float, total: float) -> float:
    sizes = {"positives": total * prevalence, "negatives": total * (1 - prevalence)}
    return float(metric(ConfusionMatrix.from_rates(tpr, fpr, **sizes)))


def _of_calls(tpr: float, fpr: float) -> tuple[Array, Array]:
    """Return the probabilities of both calls for the positives and for the negatives."""
    return np.array([tpr, 1 - tpr]), np.array([fpr, 1 - fpr])


def _ways(first: float, second: float, agreement: float) -> Array:
    """Return the probabilities that both, the first, the second, or neither call positive."""
    both = (1 - agreement) * first * second + agreement * min(first, second)
    return np.array([both, first - both, second - both, 1 - first - second + both]).clip(0)
