"""A metric over prevalences, with its interval."""

from __future__ import annotations

import textwrap
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import betaincinv, ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_flag
from skewproof.core.extras import MissingExtraError
from skewproof.core.formulas.metrics import FormulaError
from skewproof.intervals.class_rows import ClassRows, check_total
from skewproof.intervals.deviations import PRIOR
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.operating_points.curves import BinormalCurve
from skewproof.operating_points.demands import has_best_point
from skewproof.operating_points.extreme_cutoffs import extreme_in_words
from skewproof.operating_points.optimum import best_point
from skewproof.prevalence.prevalence import Prevalence
from skewproof.reporting.style import BLUE, VERMILION, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from skewproof.plot.metric_display import LABEL_WIDTH, RADIUS, MetricDisplay

Z = float(ndtri(0.975))
"""Deviation at the ends of a 95 % interval."""


FARTHEST = 6
"""Largest number of negatives per positive, as a power of 10."""


LEVELS_A_DECADE = 8
"""Number of points per factor of 10 at which a metric's value is computed."""


BAND = "95 % interval at {} prevalence{}"
"""Label of the band of a metric over prevalences."""


class PrevalenceDisplay(MetricDisplay):
    """A metric's value against prevalence, if the classifier keeps its rates.

    Prevalences go from 1:1 to 1:1,000,000, and further if the test set's or that of `at` is beyond.
    At each prevalence the band shows the metric's 95 % interval, as from
    :func:`skewproof.interval`.

    One mark, with its interval as an error bar, shows the value where the classifier will run. If
    the prevalence comes from another sample or a belief, the mark also has its 95 % interval; a
    range is shaded. The other mark, on a dashed line, shows the value in the test set.

    Parameters
    ----------
    metric
        Key of a metric, a formula, or a metric.
    matrix
        One confusion matrix of observed instances of both classes.
    at
        Prevalence where the classifier will run, as for :func:`skewproof.interval`.
    total
        Number of instances, for the few metrics that depend on it.
    simultaneous
        Whether the band holds at all prevalences at once, as the region of both rates does.

    Raises
    ------
    ValueError
        If the metric depends on the number of instances and `total` is missing, or as for
        :func:`skewproof.interval`.

    Attributes
    ----------
    interval
        The metric's :class:`~skewproof.intervals.Interval` where the classifier will run.
    ax_, figure_
        Matplotlib's axes and figure.
    levels
        Negatives per positive, shape (levels,), rising.
    values, low, high
        The metric at each level, and the ends of its interval.
    remark
        A warning, also shown in the legend: on the ROC curve of two normal distributions of equal
        width that passes through this classifier, the metric's best cut-off at this prevalence
        finds less than a tenth of the positives or calls more than nine tenths of the instances
        positive. Otherwise empty, as for a classifier that is no better than chance, and for a
        metric that SymPy cannot read.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof import ConfusionMatrix
    >>> from skewproof.plot import PrevalenceDisplay
    >>> matrix = ConfusionMatrix(tp=80, fp=30, fn=20, tn=870)
    >>> display = PrevalenceDisplay(metric="precision", matrix=matrix, at="1:100").plot()
    >>> [round(float(value), 4) for value in display.values[[0, -1]]]
    [0.96, 0.0]
    >>> round(display.interval.value, 3)
    0.194

    >>> print(PrevalenceDisplay(metric="f1", matrix=matrix, at="1:1000000").remark)
    Maximizing f1 at 1:1000000, on the normal ROC curve through this classifier, finds next to \
nothing: 1.8 % of the positives.
    """

    levels: Array
    values: Array
    low: Array
    high: Array

    def __init__(
        self, *, total: float | None = None, simultaneous: bool = False, **options: Any
    ) -> None:
        super().__init__(total=total, **options)
        self.simultaneous = expect_flag("simultaneous", simultaneous)
        shown = np.log10([self._negatives_per_positive, *_levels(self._marked)])
        start, end = min(0.0, *shown), max(float(FARTHEST), *shown)
        steps = np.linspace(start, end, round(LEVELS_A_DECADE * (end - start)) + 1)
        self.levels = 10.0**steps
        shares = 1 / (1 + self.levels)
        check_total(self.metric, Prevalence.between(shares[-1], shares[0]), total)
        test_set = Prevalence.given("test set")
        totals = np.array([self._total])
        observed = ClassRows.at(
            matrix_of_two(self.matrix).counts[np.newaxis], test_set, TWO_CLASSES, totals
        )
        band = observed.at_prevalences(shares[np.newaxis]).estimates(
            of_two_classes(self.metric), RADIUS if self.simultaneous else Z
        )
        self.values, self.low, self.high = band.values, band.low, band.high

    @cached_property
    def remark(self) -> str:
        """Warning that the cut-off of the metric's choice is extreme, or empty."""
        misses, hits, spared, alarms = (
            float(cell) + PRIOR
            for cell in (self.matrix.fn, self.matrix.tp, self.matrix.tn, self.matrix.fp)
        )
        mean = float(ndtri(hits / (hits + misses)) - ndtri(alarms / (alarms + spared)))
        if not has_best_point(self.metric) or mean <= 0:
            return ""
        try:
            best = best_point(self.metric, BinormalCurve(mean), at=self._share, total=self._total)
        except (FormulaError, MissingExtraError):
            return ""
        extreme = extreme_in_words(best.tpr, best.share_called)
        where = f"{self.interval.at.where}, on the normal ROC curve through this classifier"
        verb = "Minimizing" if self.metric.lower_is_better else "Maximizing"
        return extreme and f"{verb} {self.metric.key} {where}, {extreme}."

    @property
    def _marked(self) -> list[float]:
        """Prevalences that the figure has to include."""
        at = self.interval.at
        if at.ends:
            return list(at.ends)
        return [at.share] if at.elsewhere and 0 < at.share < 1 else []

    def _draw(self, ax: Axes) -> None:
        together = ("all", "s at once") if self.simultaneous else ("each", "")
        ax.fill_between(
            self.levels, self.low, self.high, color="0.85", lw=0, label=BAND.format(*together)
        )
        ax.plot(self.levels, self.values, color=BLUE, lw=1.4, label=self._name)
        value = float(self.metric(self.matrix))
        ax.axvline(self._negatives_per_positive, color="0.5", ls="--", lw=0.8)
        test_set = f"{value:.3g} in the test set, 1:{self._negatives_per_positive:.4g}"
        ax.plot([self._negatives_per_positive], [value], "o", color="0.5", label=test_set)
        self._mark(ax)
        if self.remark:
            ax.plot([], [], " ", label=textwrap.fill(literal(self.remark), LABEL_WIDTH))
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda negatives, _: f"1:{negatives:.7g}")
        ax.set(
            xlim=(self.levels[0], self.levels[-1]),
            xlabel="positives : negatives",
            ylabel=self._name,
            title=f"{self._name} of one classifier, by prevalence",
        )
        ax.legend(fontsize=7)

    def _mark(self, ax: Axes) -> None:
        """Mark where the classifier will run; an infinite value or end is not drawn."""
        at, interval = self.interval.at, self.interval
        level = np.clip(_levels([self._share]), self.levels[0], self.levels[-1])
        to_sides = None
        parameters = at.posterior(self.matrix.positives, self.matrix.negatives)
        if at.ends:
            ax.axvspan(*sorted(_levels(at.ends)), color=VERMILION, alpha=0.15, lw=0)
        elif at.elsewhere and parameters is not None:
            likely = betaincinv(*parameters, [0.025, 0.975])
            right, left = np.clip(_levels(likely), self.levels[0], self.levels[-1])
            to_sides = np.maximum([level - left, right - level], 0)
        drawn = np.array([interval.low, interval.value, interval.high])
        low, value, high = np.where(np.isfinite(drawn), drawn, np.nan)
        ax.errorbar(
            level,
            [value],
            yerr=[[value - low], [high - value]],
            xerr=to_sides,
            fmt="o",
            color=VERMILION,
            capsize=3,
            zorder=5,
            label=self._meant,
        )


def _levels(shares: Any) -> Array:
    """Return the negatives per positive at prevalences."""
    shares = np.asarray(shares, dtype=np.float64)
    return (1 - shares) / shares
