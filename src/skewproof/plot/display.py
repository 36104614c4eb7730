"""The base of all displays: figures in the form of scikit-learn's displays."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from numpy.typing import ArrayLike

from skewproof.core.arguments import expect
from skewproof.core.extras import extra, matplotlib
from skewproof.core.messages import shortened
from skewproof.reporting.style import STYLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLE_WIDTH = 60
"""Most characters in a line of a title."""


class Display:
    """A figure on new or given axes."""

    ax_: Axes
    figure_: Figure

    from_predictions: ClassVar[Callable[..., Any]]
    """Compute what the figure shows from labels and predictions, and draw it."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        **options: Any,
    ) -> Self:
        """Predict, compute what the figure shows, and draw it.

        Parameters
        ----------
        estimator
            A fitted classifier with the methods that return the predictions.
        X, y
            Input of the classifier, and the true labels.
        **options
            Other arguments of `from_predictions`.
        """
        predictions = cls._predictions(estimator, X, options.get("pos_label", 1))
        return cls.from_predictions(y, predictions, **options)

    @property
    def _size(self) -> tuple[float, float]:
        """Width and height of a new figure in inches."""
        return 4.6, 3.8

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on axes, new ones by default."""
        return self._drawn_on(ax, self._draw)

    @staticmethod
    def _predictions(estimator: Any, X: Any, pos_label: Any) -> Any:  # noqa: N803
        """Return what `from_predictions` takes: by default the predicted labels."""
        return estimator.predict(X)

    def _draw(self, ax: Axes) -> None:
        raise NotImplementedError

    def _drawn_on(self, ax: Axes | None, draw: Callable[[Axes], None]) -> Self:
        with extra("a display"):
            import matplotlib.pyplot as plt

        with matplotlib.rc_context(STYLE):
            if ax is None:
                _, ax = plt.subplots(figsize=self._size, layout="constrained")
            draw(ax)
        self.ax_, self.figure_ = ax, ax.figure  # type: ignore[assignment]
        return self


class ProbabilityDisplay(Display):
    """A figure of the probabilities that a classifier predicts, named after it by default."""

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803, scikit-learn's name
        y: ArrayLike,
        *,
        name: str | None = None,
        **options: Any,
    ) -> Self:
        """Predict probabilities, compute what the figure shows, and draw it.

        Parameters
        ----------
        estimator
            A fitted classifier with ``predict_proba``.
        X, y
            Input of the classifier, and the true labels.
        name
            Name in the legend; by default that of the estimator's class.
        **options
            Other arguments of `from_predictions`.
        """
        name = type(estimator).__name__ if name is None else name
        return super().from_estimator(estimator, X, y, name=name, **options)

    @staticmethod
    def _predictions(estimator: Any, X: Any, pos_label: Any) -> Any:  # noqa: N803
        return estimator.predict_proba(X)[:, column_of(estimator, pos_label)]


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
