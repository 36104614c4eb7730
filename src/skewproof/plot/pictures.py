"""Figures that draw themselves on new or given axes, in the form of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import ArrayLike

from skewproof.core.arguments import expect
from skewproof.core.extras import extra
from skewproof.core.messages import shortened
from skewproof.reporting.style import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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


class LabelPicture(Picture):
    """A figure of the labels that a classifier predicts."""

    from_predictions: ClassVar[Callable[..., Any]]
    """Count labels and draw the figure."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        *,
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
        ax
            Axes to draw on; new ones by default.
        options
            Other arguments of `from_predictions`.
        """
        return cls.from_predictions(y, estimator.predict(X), ax=ax, **options)


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
