"""Rates of each class as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect
from skewproof.core.messages import shortened
from skewproof.intervals.class_rows import check_observed
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.reporting.style import literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from skewproof.plot.display import Display

RATE_COLORS, CHANGE_COLORS = "Blues", "PuOr"
"""Matplotlib's color maps of rates, and of their changes."""


MOST_WRITTEN = 12
"""Most classes for which every rate is written and every class is named."""


class ClassRatesDisplay(Display):
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
    >>> from skewproof import MulticlassConfusionMatrix
    >>> from skewproof.plot import ClassRatesDisplay
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
        for name, value in given.items():
            known = isinstance(value, MulticlassConfusionMatrix)
            expect(known, name, value, "a MulticlassConfusionMatrix")
            check_observed(value.effective_counts, name)
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
        ticks = range(0, classes, step)
        ax.set_xticks(ticks, names[::step], rotation=45, ha="right")
        ax.set_yticks(ticks, names[::step])
        ax.set(xlabel="predicted class", ylabel="true class")
