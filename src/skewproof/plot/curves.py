"""ROC, precision-recall and DET curves with their bands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri

from skewproof.core.algebra import Array
from skewproof.core.arguments import expect_choice, expect_columns, expect_share
from skewproof.curves.areas.area import area
from skewproof.curves.bands import CURVES, curve_bands
from skewproof.reporting.style import BLUE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

from skewproof.plot.display import Display, column_of

RAREST_DRAWN = 1e-4
"""Smallest rate on the axes of a DET curve."""


class CurveDisplay(Display):
    """A ROC, precision-recall or DET curve with its band.

    The band lies between the ends from :func:`skewproof.curves.curve_bands` at each cut-off, in
    both directions. A DET curve has axes of normal deviates.

    Parameters
    ----------
    bands
        Result of :func:`skewproof.curves.curve_bands`.
    curve
        "roc", "precision_recall" or "det", as for the bands.
    auc
        Area under the ROC curve, for the legend.

    Attributes
    ----------
    bands, auc
        The points, with the ends of both coordinates, and the area.
    ax_, figure_
        Matplotlib's axes and figure.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from skewproof.plot import CurveDisplay
    >>> y_true = np.repeat([1, 0], [50, 500])
    >>> y_score = np.random.default_rng(0).normal(2 * y_true)
    >>> display = CurveDisplay.from_predictions(y_true, y_score, curve="roc")
    >>> display.ax_.get_xlabel(), display.ax_.get_ylabel()
    ('false positive rate', 'true positive rate')
    """

    def __init__(
        self, *, bands: pd.DataFrame, curve: str = "roc", auc: float | None = None
    ) -> None:
        expect_choice("curve", curve, CURVES)
        expect_columns("bands", bands, ["threshold", "x", "y", "y_low"], "curve_bands")
        self.bands, self.curve = bands, curve
        self.auc = None if auc is None else expect_share("auc", auc)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        curve: str = "roc",
        pos_label: Any = 1,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the band and draw it.

        Parameters
        ----------
        y_true, y_score, curve, pos_label
            As for :func:`skewproof.curves.curve_bands`, with the same errors.
        ax
            Axes to draw on; new ones by default.
        **options
            Other arguments of :func:`skewproof.curves.curve_bands`.
        """
        bands = curve_bands(y_true, y_score, curve=curve, pos_label=pos_label, **options)
        auc = area("auc", y_true, y_score, pos_label=pos_label) if curve == "roc" else None
        return cls(bands=bands, curve=curve, auc=auc).plot(ax)

    @staticmethod
    def _predictions(estimator: Any, X: Any, pos_label: Any) -> Any:  # noqa: N803
        """Return probabilities of the positive class, or decision values that rise with them."""
        column = column_of(estimator, pos_label)
        if hasattr(estimator, "predict_proba"):
            return estimator.predict_proba(X)[:, column]
        return estimator.decision_function(X) * (1 if column else -1)

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
        ax.plot(x, y, color=BLUE, lw=1.4, label=self.auc and f"AUC = {self.auc:.3g}")
        # Random calls: equal rates, and a precision that is the prevalence, as if all are called.
        ends = np.array([0.0, 1.0])
        chance = {"roc": ends, "det": 1 - ends, "precision_recall": bands["y"].iloc[[-1, -1]]}
        ends, heights = map(self._placed, (pd.Series(ends), pd.Series(chance[self.curve])))
        ax.plot(ends, heights, color="0.5", ls="--", lw=0.8, label="chance")
        ax.legend(fontsize=7)
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
