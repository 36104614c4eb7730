"""Contours of a metric over the rates, with the confidence region of a classifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_choice
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import matplotlib
from skewproof.intervals.deviations import nearby
from skewproof.reporting.style import COLORS, VERMILION

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from skewproof.plot.metric_display import RADIUS, MetricDisplay

GRID = 101
"""Number of points along each rate at which a metric's contours are computed."""


class ContourDisplay(MetricDisplay):
    """A metric over all false and true positive rates, with one classifier as a dot.

    Contours are drawn at one prevalence, which the title names: a single number for where the
    classifier will run. The region around the dot contains 95 % of the posterior of both rates
    under Jeffreys' prior. The legend has the value with its interval, and its prevalence.

    Parameters
    ----------
    metric
        Key of a metric, a formula, or a metric.
    matrix
        One confusion matrix of observed instances of both classes.
    at, total
        Prevalence and number of instances where the classifier will run, as for
        :func:`skewproof.interval`.
    fpr_scale
        "linear", or "log" for classifiers with few false alarms. The log axis begins at a tenth of
        the smallest false positive rate above 0 that the negatives can show, 1/N, or of the
        classifier's own rate if that is smaller.

    Attributes
    ----------
    interval
        The metric's :class:`~skewproof.intervals.Interval` there.
    ax_, figure_
        Matplotlib's axes and figure.

    Raises
    ------
    ValueError
        If `fpr_scale` is neither of the two.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof.plot import ContourDisplay
    >>> true, predicted = [1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 1]
    >>> display = ContourDisplay.from_predictions(true, predicted, metric="f1")
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('false positive rate', 'true positive rate')
    """

    def __init__(self, *, fpr_scale: str = "linear", **options: Any) -> None:
        super().__init__(**options)
        self.fpr_scale = expect_choice("fpr_scale", fpr_scale, ("linear", "log"))

    def _draw(self, ax: Axes) -> None:
        from matplotlib.colors import BoundaryNorm

        rates, share = np.linspace(0, 1, GRID), self._share
        alarms, least = rates, 0.0
        if self.fpr_scale == "log":
            seen = [rate for rate in (self.matrix.fpr, 1 / self.matrix.negatives) if rate > 0]
            least = float(min(seen)) / 10
            alarms = np.geomspace(least, 1, GRID)
        sizes = {"positives": self._total * share, "negatives": self._total * (1 - share)}
        values = self.metric(ConfusionMatrix.from_rates(rates[:, None], alarms, **sizes))
        drawn = np.ma.masked_invalid(values)
        levels = self._contours(drawn)
        even = BoundaryNorm(levels, matplotlib.colormaps[COLORS].N)
        filled = ax.contourf(alarms, rates, drawn, levels=levels, cmap=COLORS, norm=even)
        filled.set_edgecolor("face")  # closes the hairlines that PDF viewers show between bands
        ax.contour(alarms, rates, drawn, levels=filled.levels, colors="white", linewidths=0.5)
        ax.figure.colorbar(filled, ax=ax, label=self._name, format="%.3g")
        region = self._region()
        ax.plot(region.fpr, region.tpr, color=VERMILION, lw=1.2, label="95 % region")
        ax.plot(
            [max(self.matrix.fpr, least)],
            [self.matrix.tpr],
            ls="none",
            marker="o",
            color=VERMILION,
            mec="white",
            clip_on=False,
            zorder=5,
            label=self._meant,
        )
        ax.set(
            xscale=self.fpr_scale,
            xlim=(least, 1),
            ylim=(0, 1),
            xlabel="false positive rate",
            ylabel="true positive rate",
            title=f"{self._name} {self._where}",
        )
        ax.legend(loc="lower right", fontsize=7)

    @property
    def _where(self) -> str:
        """Prevalence of the contours, in words."""
        at = self.interval.at
        if not at.elsewhere:
            return f"at the test set's 1:{self._negatives_per_positive:.4g}"
        return at.where if at.is_exact else f"at prevalence {self._share:.3g}"

    def _contours(self, values: np.ma.MaskedArray) -> Array:
        """Return the edges of ten bands: even if the metric is bounded, else with equal counts."""
        bounds = self.metric.bounds
        if bounds is not None and np.isfinite(bounds).all():
            return np.linspace(*bounds, 11)
        return np.unique(np.quantile(values.compressed(), np.linspace(0, 1, 11)))

    def _region(self) -> ConfusionMatrix:
        """Return matrices along the edge of the region."""
        angles = np.linspace(0, 2 * np.pi, 181)
        matrix = self.matrix
        return ConfusionMatrix.from_rates(
            nearby(matrix.tp, matrix.fn, RADIUS * np.cos(angles)).proportions,
            nearby(matrix.fp, matrix.tn, RADIUS * np.sin(angles)).proportions,
            positives=matrix.positives,
            negatives=matrix.negatives,
        )
