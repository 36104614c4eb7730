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
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric
from skewproof.intervals.deviations import PRIOR
from skewproof.intervals.estimates import percent
from skewproof.intervals.label_shift import fit_of, refuse_other_predictions
from skewproof.prevalence.mixtures import mixing_shares
from skewproof.prevalence.prediction_bins import PredictionBins
from skewproof.reporting.summary import Summarized, Summary
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates

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


@dataclass(frozen=True, eq=False, repr=False)
class LabelPlan(Summarized):
    """Instances to label, with the expected width of the interval from their labels."""

    metric: str
    """Key of the metric that the plan is for."""

    rows: NDArray[Any]
    """The instances to label, in rising order: their positions, from 0, or their ids."""

    strata: pd.DataFrame
    """A row for each stratum: called (whether its instances are called positive), lowest and
    highest score, size, labels (the number of instances to label) and guess, the share of positives
    that the plan expects there."""

    stratum: NDArray[np.intp]
    """The stratum of each of `rows`."""

    value: float
    """The metric that the plan expects."""

    width: float
    """Mean width of the interval that the plan expects."""

    random_width: float
    """Expected mean width with as many labels of instances drawn at random from all."""

    confidence: float

    @property
    def labels_called(self) -> int:
        """Number of labels for instances called positive."""
        return int(self.strata.loc[self.strata["called"], "labels"].sum())

    @property
    def labels_not_called(self) -> int:
        """Number of labels for instances called negative, some of which recall and F1 need."""
        return len(self.rows) - self.labels_called

    @property
    def sentence(self) -> str:
        """The plan in words."""
        sizes = self.strata["size"]
        called, total = int(sizes[self.strata["called"]].sum()), int(sizes.sum())
        return (
            f"Label {len(self.rows):,} of {total:,} instances: {self.labels_called:,} of the"
            f" {called:,} called positive, and {self.labels_not_called:,} of the"
            f" {total - called:,} called negative, without which recall cannot be estimated. If the"
            f" guesses hold, {self.metric} is {self.value:.3g}, and its {percent(self.confidence)}"
            f" interval is about {self.width:.2g} wide; with as many drawn at random from all,"
            f" {self.random_width:.2g}."
        )

    def to_frame(self, row_id: str = "row") -> pd.DataFrame:
        """Return the instances to label, to be saved, a row each.

        The columns are the position or id, under the given name, the stratum, whether it is called
        positive, the size of its stratum, and the number of its instances to label.
        """
        strata_of_rows = self.strata.iloc[self.stratum]
        return pd.DataFrame(
            {
                row_id: self.rows,
                "stratum": self.stratum,
                "called": strata_of_rows["called"].to_numpy(),
                "stratum_size": strata_of_rows["size"].to_numpy(),
                "stratum_labels": strata_of_rows["labels"].to_numpy(),
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


class Drawn(NamedTuple):
    """The instances to label, in rising order, with their strata."""

    rows: NDArray[Any]
    stratum: NDArray[np.intp]


class Instances(NamedTuple):
    """The instances among which to choose."""

    cells: Cells
    threshold: float

    draw: Callable[[list[float], list[NDArray[np.intp]]], Drawn]
    """Function that returns the chosen instances, given the scores at which strata begin, except
    the lowest one, and the positions of those to label among the instances of each stratum."""


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
    positives to be missed as are found.

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
    sizes: NDArray[np.intp]
    guesses: Array

    @classmethod
    def of(cls, called: NDArray[np.bool_], cells: Cells, stratum: NDArray[np.intp]) -> Design:
        """Sum up the cells of each stratum, given whether they are called positive."""
        sizes = np.bincount(stratum, cells.numbers).astype(np.intp)
        is_called = np.bincount(stratum[called], minlength=len(sizes)) > 0
        return cls(is_called, sizes, np.bincount(stratum, cells.numbers * cells.guesses) / sizes)

    @property
    def sides(self) -> NDArray[np.intp]:
        """Numbers of instances called positive and negative."""
        return np.array([self.sizes[self.called].sum(), self.sizes[~self.called].sum()])

    @property
    def totals(self) -> Array:
        """Positives that are found, and positives that are missed.

        They are kept away from none and all of the instances, where a metric may be undefined.
        """
        positives = self.sizes * self.guesses
        tp, fn = positives[self.called].sum(), positives[~self.called].sum()
        return np.clip(np.array([tp, fn]), PRIOR, self.sides - PRIOR)

    def value(self, metric: Metric, totals: Array) -> float:
        """Return the metric for given numbers of found and missed positives."""
        (tp, fn), (fp, tn) = totals, self.sides - totals
        return float(metric(ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)))

    def weights(self, metric: Metric) -> Array:
        """Return the slope of the metric by the number of positives in each stratum."""
        totals = self.totals
        steps = np.diag(STEP * np.minimum(totals, self.sides - totals))
        slopes = [
            (self.value(metric, totals + step) - self.value(metric, totals - step)) / step.sum()
            for step in steps
        ]
        value = self.value(metric, totals)
        if not np.isfinite([value, *slopes]).all():
            raise ValueError(
                f"{metric.key} is {value} if {totals[0]:.3g} positives are found and"
                f" {totals[1]:.3g} missed: expected a metric with a finite value and slope there"
            )
        return np.where(self.called, abs(slopes[0]), abs(slopes[1]))

    def widths(
        self, metric: Metric, numbers: NDArray[np.intp], confidence: float, seed: int
    ) -> tuple[float, float]:
        """Return mean widths of intervals of simulated samples: by strata, and at random."""
        random = np.random.default_rng([seed, len(numbers)])

        def width(
            called: NDArray[np.bool_],
            sizes: NDArray[np.intp],
            labeled: NDArray[np.intp],
            chances: Array,
        ) -> float:
            positives = random.binomial(labeled, chances[:, np.newaxis])
            counts = (array.astype(np.float64) for array in (sizes, labeled, positives))
            ends = stratified_estimates(metric, LabeledStrata(called, *counts), confidence)
            return float(np.nanmean(ends.high - ends.low))

        labeled = np.repeat(numbers[:, np.newaxis], STUDIES, axis=1)
        planned = width(self.called, self.sizes, labeled, self.guesses)
        called, kept = self.sides
        of_called = random.hypergeometric(called, kept, numbers.sum(), STUDIES)
        labeled = np.array([of_called, numbers.sum() - of_called])
        sides = np.array([True, False])
        return planned, width(sides, self.sides, labeled, self.totals / self.sides)


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
