"""Figures of one classifier, in the form of scikit-learn's displays.

``from_predictions`` and ``from_estimator`` count and draw, ``plot`` draws again, and the axes and
the figure are attributes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect, expect_choice, expect_columns, expect_flag
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.extras import MissingExtraError, extra
from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.core.prevalence import Prevalence
from skewproof.metrics.lookup import as_metric
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.practice.choices.best_point import best_point
from skewproof.practice.choices.curves import BinormalCurve
from skewproof.practice.choices.demands import has_best_point
from skewproof.practice.choices.extreme_cutoffs import extreme_in_words
from skewproof.practice.decisions.bands import CURVES, curve_bands
from skewproof.practice.intervals.class_rows import check_observed_classes
from skewproof.practice.intervals.deviations import PRIOR, nearby
from skewproof.practice.intervals.extremes import Proportions, extremes
from skewproof.practice.intervals.metric_interval import (
    At,
    check_observed,
    check_total,
    in_digits_of_width,
    interval,
    metric_of_proportions,
)
from skewproof.reporting.style import BLUE, COLORS, STYLE, VERMILION, literal

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GRID = 101
"""Number of points along each rate at which a metric's contours are computed."""

RADIUS = float(np.sqrt(-2 * np.log(0.05)))
"""Radius of the disk that contains 95 % of two independent normal deviations."""

Z = float(ndtri(0.975))
"""Deviation at the ends of a 95 % interval."""

FARTHEST = 6
"""Largest number of negatives per positive, as a power of 10."""

MOST_WRITTEN = 12
"""Most classes for which every rate is written and every class is named."""

RATE_COLORS, CHANGE_COLORS = "Blues", "PuOr"
"""Matplotlib's color maps of rates, and of their changes."""

LEVELS_A_DECADE = 8
"""Number of points per factor of 10 at which a metric's value is computed."""

RAREST_DRAWN = 1e-4
"""Smallest rate on the axes of a DET curve."""

BAND = "95 % interval at {} prevalence{}"
"""Label of the band of a metric over prevalences."""

LABEL_WIDTH = 44
"""Most characters in a line of the legend."""


class Picture:
    """A figure on new or given axes."""

    ax_: Axes
    figure_: Figure

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones by default."""
        return self._drawn_on(ax, self._draw)

    def _drawn_on(self, ax: Axes | None, draw: Callable[[Axes], None]) -> Self:
        with extra("a display"):
            import matplotlib
            import matplotlib.pyplot as plt

        with matplotlib.rc_context(STYLE):
            if ax is None:
                _, ax = plt.subplots(figsize=(4.6, 3.8), layout="constrained")
            draw(ax)
        self.ax_, self.figure_ = ax, ax.figure  # type: ignore[assignment]
        return self

    def _draw(self, ax: Axes) -> None:
        raise NotImplementedError


def column_of(estimator: Any, pos_label: Any) -> int:
    """Return the column of the positive class in an estimator's probabilities.

    Raises
    ------
    ValueError
        If the estimator has no such class.
    """
    classes = list(estimator.classes_)
    listed = shortened(", ".join(map(str, classes)))
    expect(pos_label in classes, "pos_label", pos_label, f"one of the classes {listed}")
    return classes.index(pos_label)


class _Display(Picture):
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
        there = matrix.total if where.reference is None else where.numbers[1]
        self._total = float(there if total is None else total)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        metric: str | Metric,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        at: At = "population",
        total: float | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Count labels and draw the figure.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As for :meth:`skewproof.ConfusionMatrix.from_labels`, with the same errors.
        metric
            Key of a metric, a formula, or a metric.
        at, total
            Prevalence and number of instances where the classifier will run, as for
            :func:`skewproof.interval`.
        ax
            Axes to draw on; new ones by default.
        options
            Further arguments of the class.

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
        return cls(metric=metric, matrix=matrix, at=at, total=total, **options).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        *,
        metric: str | Metric,
        pos_label: Any = 1,
        sample_weight: ArrayLike | None = None,
        at: At = "population",
        total: float | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Predict labels, count them and draw the figure.

        Parameters
        ----------
        estimator
            A fitted classifier, whose ``predict`` returns labels.
        X, y
            Input of the classifier, and the true labels.
        metric, pos_label, sample_weight, at, total, ax, options
            As for `from_predictions`.
        """
        return cls.from_predictions(
            y,
            estimator.predict(X),
            metric=metric,
            pos_label=pos_label,
            sample_weight=sample_weight,
            at=at,
            total=total,
            ax=ax,
            **options,
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.interval})"

    @property
    def _share(self) -> float:
        """Prevalence, as a single number, where the classifier will run."""
        at = self.interval.at
        return at.share_inside if at.elsewhere else 1 / (1 + self._own)

    @property
    def _own(self) -> float:
        """Negatives per positive in the test set."""
        return float(self.matrix.negatives / self.matrix.positives)

    @property
    def _meant(self) -> str:
        """Value with its interval, and its prevalence."""
        found = self.interval
        value, low, high = in_digits_of_width(found.value, found.low, found.high)
        text = f"{self._name} {found.at.where}: {value} ({low} to {high})"
        return textwrap.fill(text, LABEL_WIDTH)

    @property
    def _name(self) -> str:
        """Name of the metric for texts, in which dollar signs begin no formula."""
        return literal(shortened(self.metric.name, 40))


class ClassRatesDisplay(Picture):
    """Rates of each class as a figure, or their change between two matrices.

    A row has the shares of the instances of a true class that were predicted as each class. With a
    reference matrix the figure shows the differences of the rates.

    Parameters
    ----------
    matrix
        One matrix with instances of every class.
    reference
        The matrix to compare with, of the same classes; no comparison by default.

    Attributes
    ----------
    ax_, figure_
        Matplotlib's axes and figure.
    rates
        Drawn values, (C, C): rates, or rates less those of the reference.

    Raises
    ------
    ValueError
        If `matrix` or `reference` is not a single matrix of any number of classes, or has a class
        without instances; or if the two have different classes.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof import ClassRatesDisplay, MulticlassConfusionMatrix
    >>> spring = MulticlassConfusionMatrix([[8, 2], [1, 3]], labels=["cat", "dog"])
    >>> autumn = MulticlassConfusionMatrix([[6, 4], [1, 3]], labels=["cat", "dog"])
    >>> ClassRatesDisplay(matrix=autumn, reference=spring).plot().rates.round(2).tolist()
    [[-0.2, 0.2], [0.0, 0.0]]
    """

    def __init__(
        self,
        *,
        matrix: MulticlassConfusionMatrix,
        reference: MulticlassConfusionMatrix | None = None,
    ) -> None:
        given = {"matrix": matrix} | ({} if reference is None else {"reference": reference})
        for name, one in given.items():
            known = isinstance(one, MulticlassConfusionMatrix)
            expect(known, name, one, "a MulticlassConfusionMatrix")
            check_observed_classes(one.effective_counts, name)
        self.matrix, self.reference = matrix, reference
        self.rates: Array = matrix.rates.counts
        if reference is not None:
            alike = reference.labels == matrix.labels
            expected = f"those of the matrix, {shortened(str(matrix.labels))}"
            expect(alike, "reference.labels", reference.labels, expected)
            self.rates = self.rates - reference.rates.counts

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        reference: MulticlassConfusionMatrix | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Count labels and draw the figure.

        Parameters
        ----------
        y_true, y_pred, labels, sample_weight
            As for :meth:`skewproof.MulticlassConfusionMatrix.from_labels`, with the same errors;
            `labels` are those of the reference if there is one.
        reference
            The matrix to compare with, or None.
        ax
            Axes to draw on; new ones by default.

        Raises
        ------
        ValueError
            If labels are refused, or a class has no instances.
        """
        if labels is None and reference is not None:
            labels = getattr(reference, "labels", None)  # checked with the matrix
        matrix = MulticlassConfusionMatrix.from_labels(
            y_true, y_pred, labels=labels, sample_weight=sample_weight
        )
        return cls(matrix=matrix, reference=reference).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        *,
        labels: Sequence[Any] | None = None,
        sample_weight: ArrayLike | None = None,
        reference: MulticlassConfusionMatrix | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Predict labels, count them and draw the figure.

        Parameters
        ----------
        estimator
            A fitted classifier, whose ``predict`` returns labels.
        X, y
            Input of the classifier, and the true labels.
        labels, sample_weight, reference, ax
            As for `from_predictions`.
        """
        return cls.from_predictions(
            y,
            estimator.predict(X),
            labels=labels,
            sample_weight=sample_weight,
            reference=reference,
            ax=ax,
        )

    def __repr__(self) -> str:
        compared = "" if self.reference is None else ", compared with a reference"
        return f"ClassRatesDisplay({self.matrix.classes} classes{compared})"

    def _draw(self, ax: Axes) -> None:
        classes, changed = self.matrix.classes, self.reference is not None
        most = float(np.abs(self.rates).max()) or 1.0
        low, high, colors = (-most, most, CHANGE_COLORS) if changed else (0.0, 1.0, RATE_COLORS)
        drawn = ax.imshow(self.rates, cmap=colors, vmin=low, vmax=high)
        what = "change of the share of the class" if changed else "share of the class"
        ax.figure.colorbar(drawn, ax=ax, label=what)
        if classes <= MOST_WRITTEN:
            for (row, column), rate in np.ndenumerate(self.rates):
                dark = abs(rate) > (0.6 * most if changed else 0.6)
                ax.text(
                    column,
                    row,
                    f"{rate:+.2f}" if changed else f"{rate:.2f}",
                    ha="center",
                    va="center",
                    fontsize=7,
                    color="white" if dark else "black",
                )
        names = [literal(shortened(str(label), 20)) for label in self.matrix.labels]
        step = -(-classes // MOST_WRITTEN)
        places = range(0, classes, step)
        ax.set_xticks(places, names[::step], rotation=45, ha="right")
        ax.set_yticks(places, names[::step])
        ax.set(xlabel="predicted class", ylabel="true class")


class ContourDisplay(_Display):
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
        The metric's :class:`~skewproof.Interval` there.
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
    >>> from skewproof import ContourDisplay
    >>> true, predicted = [1, 1, 1, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0, 1]
    >>> display = ContourDisplay.from_predictions(true, predicted, metric="f1")
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('false positive rate', 'true positive rate')
    """

    def __init__(self, *, fpr_scale: str = "linear", **options: Any) -> None:
        super().__init__(**options)
        self.fpr_scale = expect_choice("fpr_scale", fpr_scale, ("linear", "log"))

    def _draw(self, ax: Axes) -> None:
        import matplotlib
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
            title=f"{self._name} {self._place}",
        )
        ax.legend(loc="lower right", fontsize=7)

    @property
    def _place(self) -> str:
        """Prevalence of the contours, in words."""
        at = self.interval.at
        if not at.elsewhere:
            return f"at the test set's 1:{self._own:.4g}"
        return at.where if at.kind == "stated" else f"at prevalence {self._share:.3g}"

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


class PrevalenceDisplay(_Display):
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
        The metric's :class:`~skewproof.Interval` where the classifier will run.
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
    >>> from skewproof import ConfusionMatrix, PrevalenceDisplay
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
        self,
        *,
        metric: str | Metric,
        matrix: ConfusionMatrix,
        at: At = "population",
        total: float | None = None,
        simultaneous: bool = False,
    ) -> None:
        super().__init__(metric=metric, matrix=matrix, at=at, total=total)
        self.simultaneous = expect_flag("simultaneous", simultaneous)
        shown = np.log10([self._own, *_levels(self._marked)])
        start, end = min(0.0, *shown), max(float(FARTHEST), *shown)
        steps = np.linspace(start, end, round(LEVELS_A_DECADE * (end - start)) + 1)
        self.levels = 10.0**steps
        shares = 1 / (1 + self.levels)
        check_total(self.metric, Prevalence.between(shares[-1], shares[0]), total)
        hits, misses = (
            np.repeat([[float(first)], [float(second)]], len(steps), axis=1)
            for first, second in ((matrix.tp, matrix.fp), (matrix.fn, matrix.tn))
        )
        rates = Proportions(hits, misses)
        sizes = np.full(len(steps), self._total)
        function = metric_of_proportions(self.metric, sizes, shares)
        self.values = function(rates.observed, rates.slices)
        found = extremes(function, rates, RADIUS if self.simultaneous else Z)
        self.low, self.high = found.low, found.high

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
            found = best_point(self.metric, BinormalCurve(mean), at=self._share, total=self._total)
        except (FormulaError, MissingExtraError):
            return ""
        extreme = extreme_in_words(found.tpr, found.share_called)
        where = f"{self.interval.at.where}, on the normal ROC curve through this classifier"
        verb = "Minimizing" if self.metric.lower_is_better else "Maximizing"
        return extreme and f"{verb} {self.metric.key} {where}, {extreme}."

    @property
    def _marked(self) -> list[float]:
        """Prevalences that the figure has to include."""
        at = self.interval.at
        if at.kind == "between":
            return list(at.numbers)
        return [at.share] if at.elsewhere and 0 < at.share < 1 else []

    def _draw(self, ax: Axes) -> None:
        together = ("all", "s at once") if self.simultaneous else ("each", "")
        ax.fill_between(
            self.levels, self.low, self.high, color="0.85", lw=0, label=BAND.format(*together)
        )
        ax.plot(self.levels, self.values, color=BLUE, lw=1.4, label=self._name)
        value = float(self.metric(self.matrix))
        ax.axvline(self._own, color="0.5", ls="--", lw=0.8)
        test_set = f"{value:.3g} in the test set, 1:{self._own:.4g}"
        ax.plot([self._own], [value], "o", color="0.5", label=test_set)
        self._mark(ax)
        if self.remark:
            ax.plot([], [], " ", label=textwrap.fill(literal(self.remark), LABEL_WIDTH))
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda negatives, _: f"$1:10^{{{np.log10(negatives):.0f}}}$")
        ax.set(
            xlim=(self.levels[0], self.levels[-1]),
            xlabel="positives : negatives",
            ylabel=self._name,
            title=f"{self._name} of one classifier, by prevalence",
        )
        ax.legend(fontsize=7)

    def _mark(self, ax: Axes) -> None:
        """Mark where the classifier will run; an infinite value or end is not drawn."""
        at, found = self.interval.at, self.interval
        place = np.clip(_levels([self._share]), self.levels[0], self.levels[-1])
        to_sides = None
        if at.kind == "between":
            ax.axvspan(*sorted(_levels(at.numbers)), color=VERMILION, alpha=0.15, lw=0)
        elif at.kind in ("sampled", "believed"):
            right, left = np.clip(_levels(_likely_shares(at)), self.levels[0], self.levels[-1])
            to_sides = np.maximum([place - left, right - place], 0)
        drawn = np.array([found.low, found.value, found.high])
        low, value, high = np.where(np.isfinite(drawn), drawn, np.nan)
        ax.errorbar(
            place,
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


def _likely_shares(at: Prevalence) -> Array:
    """Return the ends of the 95 % interval of a prevalence from a sample or a belief."""
    first, second = at.numbers
    if at.kind == "sampled":
        first, second = first + PRIOR, second - first + PRIOR
    return np.asarray(betaincinv(first, second, [0.025, 0.975]))


class CurveDisplay(Picture):
    """A ROC, precision-recall or DET curve with its band.

    The band lies between the ends from :func:`skewproof.curve_bands` at each cut-off, in both
    directions. A DET curve has axes of normal deviates.

    Parameters
    ----------
    bands
        Result of :func:`skewproof.curve_bands`.
    curve
        "roc", "precision_recall" or "det", as for the bands.

    Attributes
    ----------
    bands
        The points, with the ends of both coordinates.
    ax_, figure_
        Matplotlib's axes and figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from skewproof import CurveDisplay
    >>> y_true = np.repeat([1, 0], [50, 500])
    >>> y_score = np.random.default_rng(0).normal(2 * y_true)
    >>> display = CurveDisplay.from_predictions(y_true, y_score, curve="roc")
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('false positive rate', 'true positive rate')
    """

    def __init__(self, *, bands: pd.DataFrame, curve: str = "roc") -> None:
        expect_choice("curve", curve, CURVES)
        expect_columns("bands", bands, ["threshold", "x", "y", "y_low"], "curve_bands")
        self.bands, self.curve = bands, curve

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        curve: str = "roc",
        at: At = "population",
        confidence: float = 0.95,
        simultaneous: bool = True,
        pos_label: Any = 1,
        ax: Axes | None = None,
    ) -> Self:
        """Compute the band and draw it.

        Parameters
        ----------
        y_true, y_score, curve, at, confidence, simultaneous, pos_label
            As for :func:`skewproof.curve_bands`, with the same errors.
        ax
            Axes to draw on; new ones by default.
        """
        bands = curve_bands(
            y_true,
            y_score,
            curve=curve,
            at=at,
            confidence=confidence,
            simultaneous=simultaneous,
            pos_label=pos_label,
        )
        return cls(bands=bands, curve=curve).plot(ax)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        *,
        pos_label: Any = 1,
        **options: Any,
    ) -> Self:
        """Compute scores and draw the curve.

        Parameters
        ----------
        estimator
            A fitted classifier of two classes with ``predict_proba`` or ``decision_function``.
        X, y
            Input of the classifier, and the true labels.
        pos_label
            Label of the positive class.
        **options
            Other arguments of `from_predictions`.
        """
        place = column_of(estimator, pos_label)
        if hasattr(estimator, "predict_proba"):
            scores = estimator.predict_proba(X)[:, place]
        else:
            scores = estimator.decision_function(X) * (1 if place else -1)
        return cls.from_predictions(y, scores, pos_label=pos_label, **options)

    def __repr__(self) -> str:
        return f"CurveDisplay({self.curve} at {len(self.bands)} cut-offs)"

    def _draw(self, ax: Axes) -> None:
        bands, names = self.bands, [key.replace("_", " ") for key in CURVES[self.curve]]
        x, x_low, x_high, y, y_low, y_high = (
            self._placed(bands[name]) for name in ("x", "x_low", "x_high", "y", "y_low", "y_high")
        )
        # Corners of the boxes around the points, on the sides of better and of worse curves; the
        # first and the last box have one corner more.
        falls, rises = self.curve == "precision_recall", self.curve == "roc"
        better, worse = (x_high, x_low) if falls else (x_low, x_high)
        above, below = (y_low, y_high) if self.curve == "det" else (y_high, y_low)
        first, last = (y_low, y_high) if rises else (y_high, y_low)
        edge = [
            np.concatenate([better, end, worse[::-1], start])
            for better, end, worse, start in (
                (better, x_high[-1:], worse, x_low[:1]),
                (above, last[-1:], below, first[:1]),
            )
        ]
        ax.fill(*edge, color="0.85", lw=0, label="band")
        ax.plot(x, y, color=BLUE, lw=1.4)
        ax.set(xlabel=names[0], ylabel=names[1])
        if self.curve == "det":
            ticks = np.array([0.001, 0.01, 0.1, 0.5, 0.9, 0.99])
            for axis in (ax.xaxis, ax.yaxis):
                axis.set_ticks(ndtri(ticks), [f"{tick:g}" for tick in ticks])
        else:
            ax.set(xlim=(0, 1), ylim=(0, 1))

    def _placed(self, rates: pd.Series[float]) -> Array:
        """Return rates on the axes; on those of a DET curve, none is infinite."""
        values = rates.to_numpy(dtype=np.float64)
        return (
            ndtri(np.clip(values, RAREST_DRAWN, 1 - RAREST_DRAWN))
            if self.curve == "det"
            else values
        )
