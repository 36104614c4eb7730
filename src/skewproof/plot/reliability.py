"""Reliability curve as a figure, in the form of scikit-learn's displays."""

from __future__ import annotations

import textwrap
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from numpy.typing import ArrayLike

from skewproof.core.arguments import expect, expect_columns, expect_confidence, expect_flag
from skewproof.intervals.estimates import percent
from skewproof.plot.display import TITLE_WIDTH, ProbabilityDisplay
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.probabilities.reliability import DEFAULT_BINS, reliability_curve
from skewproof.reporting.style import BLUE

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

RARE = 0.1
"""Prevalence below which axes are logarithmic, since most forecasts are then near 0."""

DECADES = 8
"""Most factors of 10 that logarithmic axes span."""


class ReliabilityDisplay(ProbabilityDisplay):
    """Reliability diagram: the share of positives among forecasts of about the same probability.

    Forecasts are calibrated where the curve is on the diagonal. The axes are logarithmic if the
    prevalence is below 0.1.

    Parameters
    ----------
    curve
        Result of :func:`skewproof.reliability_curve`.
    confidence
        Level of its band.
    simultaneous
        Whether the band holds for all bins at once.

    Attributes
    ----------
    ax_, figure_
        Matplotlib's axes and figure.
    curve
        The frame that is drawn.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from skewproof.plot import ReliabilityDisplay
    >>> random = np.random.default_rng(0)
    >>> p = random.uniform(size=500)
    >>> y = random.uniform(size=500) < p
    >>> display = ReliabilityDisplay.from_predictions(y, p, bins=5)
    >>> len(display.curve), display.ax_.get_ylabel()
    (5, 'frequency of positives')
    """

    def __init__(
        self, curve: pd.DataFrame, *, confidence: float = 0.95, simultaneous: bool = False
    ) -> None:
        columns = ["forecast", "frequency", "low", "high"]
        expect_columns("curve", curve, columns, "reliability_curve")
        self.curve = curve
        self.confidence = expect_confidence("confidence", confidence)
        self.simultaneous = expect_flag("simultaneous", simultaneous)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: ArrayLike,
        *,
        at: At = "population",
        trained: At | None = None,
        bins: int = DEFAULT_BINS,
        simultaneous: bool = False,
        confidence: float = 0.95,
        pos_label: Any = 1,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve and draw it.

        Parameters
        ----------
        y_true, y_prob, at, trained, bins, simultaneous, confidence, pos_label
            As for :func:`skewproof.reliability_curve`, with the same errors.
        name
            Name of the forecasts in the legend.
        ax
            Axes to draw on; new ones by default.
        **options
            Options of Matplotlib's ``plot`` for the curve, such as ``color``.
        """
        expect(name is None or isinstance(name, str), "name", name, "text or None")
        curve = reliability_curve(
            y_true,
            y_prob,
            at=at,
            trained=trained,
            bins=bins,
            simultaneous=simultaneous,
            confidence=confidence,
            pos_label=pos_label,
        )
        drawn = cls(curve, confidence=confidence, simultaneous=simultaneous)
        return drawn.plot(ax, name=name, **options)

    def plot(self, ax: Axes | None = None, *, name: str | None = None, **options: Any) -> Self:
        """Draw on axes, new ones by default; several curves can share axes."""
        line = {"label": name, "color": BLUE, "marker": "o", "ms": 4, "lw": 1.2} | options
        return self._drawn_on(ax, partial(self._draw_line, line=line))

    def __repr__(self) -> str:
        return f"ReliabilityDisplay({len(self.curve)} bins, {self._band})"

    def _draw_line(self, ax: Axes, line: dict[str, Any]) -> None:
        curve = self.curve
        first = not ax.has_data()
        (drawn,) = ax.plot(curve["forecast"], curve["frequency"], **line)
        ax.fill_between(
            curve["forecast"],
            curve["low"],
            curve["high"],
            color=drawn.get_color(),
            alpha=0.2,
            lw=0,
            label=self._band if first else None,
        )
        low = 0.0
        if self._share < RARE:
            shown = curve[["forecast", "frequency"]].to_numpy()
            low = max(10.0**-DECADES, shown[shown > 0].min() / 2)
            low = low if first else min(low, ax.get_xlim()[0])
            ax.set(xscale="log", yscale="log")
        ax.set(xlim=(low, 1), ylim=(low, 1))
        if first:
            ax.axline((0.5, 0.5), (1, 1), color="0.5", ls="--", lw=0.8, label="calibrated")
            ax.set(
                xlabel="forecast probability",
                ylabel="frequency of positives",
                title=textwrap.fill(f"reliability {self._at.where}", TITLE_WIDTH),
            )
        ax.legend(fontsize=7, loc="upper left")

    @property
    def _band(self) -> str:
        bins = "all bins at once" if self.simultaneous else "each bin"
        return f"{percent(self.confidence)} band for {bins}"

    @property
    def _share(self) -> float:
        """Prevalence, as a single number, where the forecasts are made."""
        at, positives = self._at, self.curve["positives"].sum()
        observed = positives / (positives + self.curve["negatives"].sum())
        return float(at.share_given(observed))

    @property
    def _at(self) -> Prevalence:
        return Prevalence.given(str(self.curve["at"].iloc[0]))
