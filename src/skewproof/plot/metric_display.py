"""Common base of the figures of a metric and one confusion matrix."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.arguments import expect
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.intervals.class_rows import check_observed
from skewproof.intervals.estimates import in_digits_of_width
from skewproof.intervals.metric_interval import interval
from skewproof.metrics.lookup import as_metric
from skewproof.prevalence.prevalence import At
from skewproof.reporting.style import literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from skewproof.plot.display import Display

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
