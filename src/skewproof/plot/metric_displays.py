"""Figures of a metric and one confusion matrix: contours over the rates, values by prevalence."""

from __future__ import annotations

import textwrap
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_choice, expect_flag
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import MissingExtraError, matplotlib
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import ClassRows, check_observed, check_total
from skewproof.intervals.deviations import PRIOR, nearby
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.against_rest import TWO_CLASSES, matrix_of_two
from skewproof.multiclass.declaration import of_two_classes
from skewproof.operating_points.curves import BinormalCurve
from skewproof.operating_points.cutoff_values import extreme_in_words
from skewproof.operating_points.demands import has_best_point
from skewproof.operating_points.optimum import best_point
from skewproof.plot.display import Display
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.style import BLUE, COLORS, VERMILION, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


RADIUS = float(np.sqrt(-2 * np.log(0.05)))
"""Radius of the disk that contains 95 % of two independent normal deviations."""

LABEL_WIDTH = 44
"""Most characters in a line of the legend."""


class MetricDisplay(Display):
    """A metric and the confusion matrix of one classifier, at the prevalence where it will run."""

    def __init__(
        self,
        *,
        metric: str | Metric,
        matrix: ConfusionMatrix,
        at: At = "population",
        total: float | None = None,
    ) -> None:
        self.metric = as_metric(metric)
        expect(isinstance(matrix, ConfusionMatrix), "matrix", matrix, "a ConfusionMatrix")
        check_observed(matrix.effective_counts)
        self.matrix = matrix
        self.interval = interval(self.metric, matrix, at=at, total=total)
        where = self.interval.at
        there = matrix.total if where.instances is None else where.instances
        self._total = float(there if total is None else total)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Count labels and draw the figure.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As for :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors.
        ax
            Axes to draw on; new ones by default.
        options
            Arguments of the class other than its matrix: `metric`, and any others.

        Raises
        ------
        KeyError
            If there is no such metric.
        ValueError
            If labels are refused or all of one class, or another argument is refused.
        """
        matrix = ConfusionMatrix.from_labels(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls(matrix=matrix, **options).plot(ax)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.interval})"

    @property
    def _share(self) -> float:
        """Prevalence, as a single number, where the classifier will run."""
        at = self.interval.at
        return float(at.share_given(1 / (1 + self._negatives_per_positive)))

    @property
    def _negatives_per_positive(self) -> float:
        """Negatives per positive in the test set."""
        return float(self.matrix.negatives / self.matrix.positives)

    @property
    def _meant(self) -> str:
        """Value with its interval, and its prevalence."""
        interval = self.interval
        value, low, high = in_digits_of_width(interval.value, interval.low, interval.high)
        text = f"{self._name} = {value} ({low} to {high}) {interval.at.where}"
        return textwrap.fill(text, LABEL_WIDTH)

    @property
    def _name(self) -> str:
        """Name of the metric for texts, in which dollar signs begin no formula."""
        return literal(shortened(self.metric.name, 40))


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
