"""Plans of instances to label: strata by score, with labels where they are most informative.

Instances are known by their cells, each a single instance or a bin of scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import percent
from skewproof.intervals.label_shift import fit_of, refuse_other_predictions
from skewproof.prevalence.mixtures import mixing_shares
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.reporting.summary import Summarized, Summary
from skewproof.unlabeled.labeled_strata import LabeledStrata, labeled_value, stratified_estimates

STRATA = 3
"""Number of strata on either side of the cut-off by default."""

MOST_STRATA = 8
"""Most strata on either side; more make no interval narrower."""

LEAST = 5
"""Least number of labels in each stratum by default."""

STUDIES = 200
"""Number of simulated samples whose mean width of the intervals is the expected width."""

CALLED = 0.5
"""Cut-off by default, also for predictions that are 1 and 0."""

STEP = 1e-4
"""Share of a count by which it is varied for a metric's slope."""


BOTH = ("first", "second")
"""Columns that say which of two systems call a stratum positive."""

SIDES = {
    (True,): "called positive",
    (False,): "called negative",
    (True, True): "called positive by both systems",
    (True, False): "called positive by the first alone",
    (False, True): "called positive by the second alone",
    (False, False): "called positive by neither",
}
"""Words for instances by what each system calls them."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelPlan(Summarized):
    """Instances to label, with the expected width of the interval from their labels."""

    metric: str
    """Key of the metric that the plan is for, or in whose difference two systems are compared."""

    rows: NDArray[Any]
    """The instances to label, in rising order: their positions, from 0, or their ids."""

    strata: pd.DataFrame
    """A row for each stratum: called (whether its instances are called positive), lowest and
    highest score, size, labels (the number of instances to label) and guess, the share of positives
    that the plan expects there. For two systems first and second stand in place of called and of
    scores."""

    stratum: NDArray[np.intp]
    """The stratum of each of `rows`."""

    value: float
    """The metric, or the difference, that the plan expects."""

    width: float
    """Mean width of the interval for exactly these instances that the plan expects."""

    random_width: float
    """Expected mean width with as many labels of instances drawn at random from all."""

    confidence: float

    @property
    def _called(self) -> list[str]:
        """Columns of what each system calls."""
        return ["called"] if "called" in self.strata else list(BOTH)

    @property
    def labels_called(self) -> int:
        """Number of labels for instances called positive, by any of the systems."""
        return int(self.strata.loc[self.strata[self._called].any(axis=1), "labels"].sum())

    @property
    def labels_not_called(self) -> int:
        """Number of labels for instances called negative, some of which recall and F1 need."""
        return len(self.rows) - self.labels_called

    @property
    def sentence(self) -> str:
        """The plan in words."""
        sides = self.strata.groupby(self._called, sort=False)[["labels", "size"]].sum()[::-1]
        parts = [
            f"{labels:,} of the {size:,} {SIDES[tuple(np.atleast_1d(called).tolist())]}"
            for called, labels, size in sides.itertuples()
        ]
        what = self.metric if self._called == ["called"] else f"the difference in {self.metric}"
        return (
            f"Label {len(self.rows):,} of {int(sides['size'].sum()):,} instances:"
            f" {', '.join(parts[:-1])}, and {parts[-1]}, without which recall cannot be estimated."
            f" If the guesses hold, {what} is {self.value:.3g}, and its"
            f" {percent(self.confidence)} interval for these instances is about {self.width:.2g}"
            f" wide; with as many drawn at random from all, {self.random_width:.2g}."
        )

    def to_frame(self, row_id: str = "row") -> pd.DataFrame:
        """Return the instances to label, to be saved, a row each.

        The columns are the position or id, under the given name, the stratum, whether it is called
        positive (or by which system), its size, and the number of all instances. With a column
        y_true of labels, :func:`skewproof.estimate_from_labels` takes the frame of a single system.
        """
        of_rows = self.strata.iloc[self.stratum]
        return pd.DataFrame(
            {
                row_id: self.rows,
                "stratum": self.stratum,
                **{name: of_rows[name].to_numpy() for name in (*self._called, "size")},
                "instances": self.strata["size"].sum(),
            }
        )

    def __str__(self) -> str:
        return self.sentence

    def summary(self) -> Summary:
        """Return the summary of the plan."""
        tables = {"Strata": self.strata.to_dict("records")}
        title = f"{len(self.rows):,} instances to label"
        return Summary(title, paragraphs=[self.sentence], tables=tables)


class Cells(NamedTuple):
    """Groups of instances that are alike as far as is known, in arrays of the shape (cells,).

    A cell is a single instance or a bin of scores.
    """

    lowest: Array
    """The lowest score."""

    highest: Array
    """The highest score."""

    numbers: NDArray[np.intp]
    """Number of instances, at least 1."""

    guesses: Array
    """Guessed mean chance to be positive."""


Drawn = tuple[NDArray[Any], NDArray[np.intp]]
"""The instances to label, in rising order, and their strata."""


class Instances(NamedTuple):
    """The instances among which to choose."""

    cells: Cells
    threshold: float

    draw: Callable[[list[float], list[NDArray[np.intp]]], Drawn]
    """Function that returns the chosen instances, given the scores at which strata begin, except
    the lowest one, and the positions of those to label among the instances of each stratum."""

    pairs: bool = False
    """True if scores are twice what the first of two systems calls them, plus what the second
    does."""


def chances_in_bins(bins: PredictionBins) -> Array:
    """Guess the chance to be positive in each bin, at the prevalence that unlabeled scores imply.

    Raises
    ------
    ValueError
        If the unlabeled scores are not a mixture of those of the reference's classes.
    """
    if len(bins.edges) > 1:
        refuse_other_predictions(fit_of(bins))
    smoothed = bins.rising + PRIOR
    positive, negative, unlabeled = smoothed / smoothed.sum(axis=1, keepdims=True)
    mixing = mixing_shares(np.array([positive, negative]), unlabeled)
    share = np.clip(mixing[0], 1 / bins.total, 1 - 1 / bins.total)
    return np.asarray(share * positive / (share * positive + (1 - share) * negative))


def chances_by_scores(
    lowest: Array,
    highest: Array,
    means: Array,
    numbers: NDArray[np.intp],
    threshold: float,
    name: str,
) -> Array:
    """Guess the chance to be positive in each cell from its scores alone, as from probabilities.

    If all are predictions, half of those called positive are assumed to be positive, and as many
    positives to be missed as are found. Of two systems either one's call counts.

    Raises
    ------
    ValueError
        If scores are not probabilities; the message has the name of the argument.
    """
    if np.isin([lowest, highest], (0, 1)).all():
        called = lowest >= threshold
        missed = PRIOR * numbers[called].sum() / max(numbers[~called].sum(), 1)
        return np.where(called, PRIOR, min(PRIOR, missed))
    outside = [*lowest[lowest < 0], *highest[highest > 1]]
    if outside:
        raise ValueError(
            f"{name} = {outside[0]:g}: expected probabilities from 0 to 1, or a labeled reference"
        )
    return np.clip(means, 0, 1)


class Design(NamedTuple):
    """Strata, with the guessed share of positives of each."""

    called: NDArray[np.bool_]
    """True for a stratum whose instances are called positive, shape (systems, strata)."""

    sizes: NDArray[np.intp]
    guesses: Array

    @classmethod
    def of(cls, called: NDArray[np.bool_], cells: Cells, stratum: NDArray[np.intp]) -> Design:
        """Sum up the cells of each stratum, given what each system calls them."""
        sizes = np.bincount(stratum, cells.numbers).astype(np.intp)
        first = np.unique(stratum, return_index=True)[1]
        guesses = np.bincount(stratum, cells.numbers * cells.guesses) / sizes
        return cls(called[:, first], sizes, guesses)

    @property
    def sides(self) -> Design:
        """Strata of all instances that the systems call alike.

        Their positives are kept away from none and all of the instances, where a metric may be
        undefined.
        """
        called, side = np.unique(self.called, axis=1, return_inverse=True)
        sizes = np.bincount(side, self.sizes).astype(np.intp)
        positives = np.bincount(side, self.sizes * self.guesses)
        return Design(called, sizes, np.clip(positives, PRIOR, sizes - PRIOR) / sizes)

    def value(self, metric: Metric) -> float:
        """Return the metric, or its difference, if the guesses hold."""
        sizes = self.sizes.astype(np.float64)
        numbers = sizes[:, np.newaxis] * np.stack([self.guesses, 1 - self.guesses], axis=-1)
        block = LabeledStrata(self.called, sizes[np.newaxis], numbers[np.newaxis], True)
        return float(labeled_value(metric, [block], [numbers], None))

    def weights(self, metric: Metric) -> Array:
        """Return the slope of the metric by the number of positives in each stratum."""
        sides = self.sides
        steps = STEP * np.minimum(sides.guesses, 1 - sides.guesses)
        ways = np.diag(steps)
        slopes = np.array(
            [
                sides._replace(guesses=sides.guesses + way).value(metric)
                - sides._replace(guesses=sides.guesses - way).value(metric)
                for way in ways
            ]
        ) / (2 * steps * sides.sizes)
        value = sides.value(metric)
        if not np.isfinite([value, *slopes]).all():
            found = ", ".join(f"{share:.3g}" for share in sides.guesses)
            raise ValueError(
                f"{metric.key} is {value} if {found} of the instances called alike are positive:"
                " expected a metric with a finite value and slope there"
            )
        side = np.unique(self.called, axis=1, return_inverse=True)[1]
        return np.asarray(np.abs(slopes)[side])

    def widths(
        self, metric: Metric, numbers: NDArray[np.intp], confidence: float, seed: int
    ) -> tuple[float, float]:
        """Return mean widths of intervals of simulated samples: by strata, and at random."""
        random = np.random.default_rng([seed, len(numbers)])

        def width(design: Design, labeled: NDArray[np.intp]) -> float:
            """Return the mean width with numbers of labels of the shape (samples, strata)."""
            positives = random.binomial(labeled, design.guesses)
            labels = np.stack([positives, labeled - positives], axis=-1).astype(np.float64)
            sizes = np.tile(design.sizes.astype(np.float64), (STUDIES, 1))
            block = LabeledStrata(design.called, sizes, labels, True)
            ends = stratified_estimates(metric, [block], confidence)
            return float(np.nanmean(ends.high - ends.low))

        planned = width(self, np.tile(numbers, (STUDIES, 1)))
        sides = self.sides
        drawn = random.multivariate_hypergeometric(sides.sizes, numbers.sum(), STUDIES)
        return planned, width(sides, drawn)


def allocated(
    sizes: NDArray[np.intp],
    guesses: Array,
    weights: Array,
    first: NDArray[np.intp],
    labels: int,
) -> NDArray[np.intp]:
    """Allocate labels to strata.

    After the first ones each label goes where it most reduces the sum of weight² N² V(n), with V(n)
    = (1/n - 1/N) (p + 1/(2n)) (1 - p + 1/(2n)), about the posterior's variance in a stratum of N
    with n labels and a share p of positives. V is convex: the largest reductions are the first ones
    of each stratum.
    """
    left = labels - int(first.sum())
    numbers = first[:, np.newaxis] + np.arange(left + 1)
    there = np.minimum(numbers, sizes[:, np.newaxis])
    share, prior = guesses[:, np.newaxis], PRIOR / there
    variance = (1 / there - 1 / sizes[:, np.newaxis]) * (share + prior) * (1 - share + prior)
    gains = -np.diff((weights * sizes)[:, np.newaxis] ** 2 * variance, axis=1)
    gains[numbers[:, 1:] > sizes[:, np.newaxis]] = -1
    best = np.argsort(-gains, axis=None, kind="stable")[:left]
    chosen = np.unravel_index(best, gains.shape)[0]
    return first + np.bincount(chosen, minlength=len(sizes))
