"""Rates of groups of rows against their sizes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv

from skewproof.core.algebra import Array
from skewproof.core.arguments import (
    expect,
    expect_choice,
    expect_confidence,
    expect_several,
    expect_text,
)
from skewproof.core.data.arrays import checked_numbers, expect_equal_lengths
from skewproof.core.data.groups import group_codes
from skewproof.core.data.labels import check_classes, check_pos_label, checked_labels
from skewproof.core.messages import shortened
from skewproof.intervals.grouped.correlations import correlation_of
from skewproof.plot.display import Display
from skewproof.reporting.style import BLUE, VERMILION, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RATES = ("true_positive_rate", "false_positive_rate", "prevalence", "accuracy")
"""Rates that are counted from labels."""

MOST_NAMED = 12
"""Most groups that are named, those farthest outside first."""


class FunnelDisplay(Display):
    """A funnel plot: rates of groups of rows against their numbers of rows (Spiegelhalter 2005).

    The limits allow for how much groups differ on the whole: the variance of a group's rate is that
    of independent rows times the design effect 1 + (n - 1) r, with the intraclass correlation r of
    :func:`skewproof.intervals.intraclass_correlation`. They are quantiles of the beta distribution
    with this variance. The inner ones hold for each group, the outer ones for all at once; groups
    beyond these stand out and are named. Dotted lines are the inner limits of independent rows.

    A single group that differs makes the correlation large. So each is first judged by the others,
    and the limits are those of the groups that this leaves.

    Parameters
    ----------
    hits, sizes
        Numbers of hits and of rows of each group, (groups,). Groups without rows are left out.
    names
        Names of the groups.
    rate
        Name of the rate.
    confidence
        Share of groups within the inner limits, and probability that all are within the outer ones.

    Raises
    ------
    ValueError
        If there are fewer than two groups with rows, numbers of hits or rows are invalid, or there
        is not one name for each group.

    Attributes
    ----------
    correlation, share
        The intraclass correlation and the rate of the groups that set the limits; a correlation
        that is unknown is 0.
    names, sizes, shares
        Names of the groups with rows, their numbers of rows and their rates.
    outside
        Names of the groups that stand out, the farthest first.
    ax_, figure_
        Matplotlib's axes and figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof.plot import FunnelDisplay
    >>> hits, names = [8, 7, 9, 8, 9, 7, 8, 8, 7, 9, 8, 0], list("ABCDEFGHIJKL")
    >>> FunnelDisplay(hits=hits, sizes=[10] * 12, names=names).plot().outside
    ['L']
    """

    def __init__(
        self,
        *,
        hits: ArrayLike,
        sizes: ArrayLike,
        names: Sequence[Any],
        rate: str = "rate",
        confidence: float = 0.95,
    ) -> None:
        counts, rows = (
            checked_numbers(part, name).astype(np.float64)
            for part, name in ((hits, "hits"), (sizes, "sizes"))
        )
        texts = np.array([str(name) for name in expect_several("names", names, "a name of each")])
        expect_equal_lengths(hits=counts, sizes=rows, names=texts)
        within = bool(((counts >= 0) & (counts <= rows)).all())
        expect(within, "hits", hits, "a number from 0 to that of the rows, for each group")
        present = rows > 0
        expect(present.sum() > 1, "sizes", sizes, "at least two groups with rows")
        self.rate = expect_text("rate", rate)
        self.confidence = expect_confidence("confidence", confidence)
        self.names = texts[present].tolist()
        counts, self.sizes = counts[present], rows[present]
        self.shares = counts / self.sizes
        every = np.arange(len(self.names))
        self._all_at_once = self.confidence ** (1 / len(every))
        judged = every >= 0
        self._set(counts, judged)
        for group in every[self._beyond(every, 0.0) > 0]:
            self._set(counts, every != group)
            judged[group] = self._beyond(every[[group]]).item() <= 0
        self._set(counts, judged | ~judged.any())
        beyond = self._beyond(every)
        self._outside = [group for group in np.argsort(-beyond) if beyond[group] > 0]
        self.outside = [self.names[group] for group in self._outside]

    def _set(self, hits: Array, chosen: NDArray[np.bool_]) -> None:
        """Set the limits by some of the groups."""
        of_chosen, rows = hits[chosen], self.sizes[chosen]
        self.share = float(of_chosen.sum() / rows.sum())
        known = correlation_of(of_chosen, rows, self.confidence).value
        self.correlation = 0.0 if np.isnan(known) else known

    def _beyond(self, groups: NDArray[np.intp], correlation: float | None = None) -> Array:
        """Compute how far beyond the outer limits groups are, below 0 for those inside."""
        sizes, shares = self.sizes[groups], self.shares[groups]
        low, high = self.limits(sizes, self._all_at_once, correlation)
        # Half a hit, since rates of few rows lie far apart.
        return np.maximum(low - shares, shares - high) - 0.5 / sizes

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        groups: ArrayLike,
        rate: str = "true_positive_rate",
        pos_label: Any = 1,
        confidence: float = 0.95,
        ax: Axes | None = None,
    ) -> Self:
        """Count the rows of each group and draw the figure.

        Parameters
        ----------
        y_true, y_pred, groups, pos_label
            As for :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors; any number
            of classes for the accuracy.
        rate
            "true_positive_rate", "false_positive_rate", "prevalence" or "accuracy".
        confidence
            As for the class.
        ax
            Axes to draw on; new ones by default.
        """
        rate = expect_choice("rate", rate, RATES)
        check_pos_label(pos_label)
        true, predicted = checked_labels(y_true, "y_true"), checked_labels(y_pred, "y_pred")
        expect_equal_lengths(y_true=true, y_pred=predicted)
        positive, called = true == pos_label, predicted == pos_label
        if rate != "accuracy":
            check_classes(true, predicted, pos_label)
        rows, hits = {
            "true_positive_rate": (positive, called),
            "false_positive_rate": (~positive, called),
            "prevalence": (positive | ~positive, positive),
            "accuracy": (positive | ~positive, true == predicted),
        }[rate]
        codes, number = group_codes(groups, len(true))
        first = np.unique(codes, return_index=True)[1]
        return cls(
            hits=np.bincount(codes, rows & hits, number),
            sizes=np.bincount(codes, rows, number),
            names=np.asarray(groups)[first].tolist(),
            rate=rate,
            confidence=confidence,
        ).plot(ax)

    def __repr__(self) -> str:
        return (
            f"FunnelDisplay({self.rate} of {len(self.names)} groups, {len(self.outside)} outside)"
        )

    def limits(
        self, sizes: Array, confidence: float, correlation: float | None = None
    ) -> tuple[Array, Array]:
        """Compute the limits of the rates of groups.

        Parameters
        ----------
        sizes
            Numbers of rows.
        confidence
            Probability that a group is within the limits.
        correlation
            The intraclass correlation; by default that of these groups.
        """
        correlation = self.correlation if correlation is None else correlation
        worth = sizes / (1 + (sizes - 1) * correlation)
        # The variance of this distribution is that of the share of as many independent rows.
        parameters = np.maximum(worth - 1, 1e-3)
        ends = (1 - confidence) / 2, (1 + confidence) / 2
        if not 0 < self.share < 1:
            return np.full_like(sizes, self.share), np.full_like(sizes, self.share)
        low, high = (
            betaincinv(parameters * self.share, parameters * (1 - self.share), end) for end in ends
        )
        return low, high

    def _draw(self, ax: Axes) -> None:
        start, end = self.sizes.min(), self.sizes.max()
        at = np.linspace(max(start - 0.1 * (end - start), 1), end + 0.1 * (end - start) + 1, 200)
        inner, outer = (self.limits(at, level) for level in (self.confidence, self._all_at_once))
        ax.fill_between(at, *outer, color="0.92", lw=0, label="limits of all groups at once")
        ax.fill_between(at, *inner, color="0.82", lw=0, label="limits of each group")
        independent = np.transpose(self.limits(at, self.confidence, 0.0))
        labels = ["of each, if rows were independent", ""]
        ax.plot(at, independent, ":", color="0.3", lw=0.8, label=labels)
        ax.axhline(self.share, color="0.3", lw=0.8)
        ax.plot(self.sizes, self.shares, "o", ms=3.5, color=BLUE, alpha=0.7)
        far = self._outside[:MOST_NAMED]
        ax.plot(self.sizes[far], self.shares[far], "D", ms=4.5, color=VERMILION)
        for group in far:
            text = f" {literal(shortened(self.names[group], 24))}"
            ax.text(self.sizes[group], self.shares[group], text, fontsize=7, va="bottom")
        ax.set(
            xlabel="rows of the group",
            ylabel=self.rate,
            xlim=(at[0], at[-1]),
            title=f"{len(self.names)} groups, intraclass correlation {self.correlation:.2g}",
        )
        ax.legend(fontsize=7)
