"""Decision curves as a figure, in the form of scikit-learn's displays."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from skewproof.core.arguments import (
    expect_choice,
    expect_columns,
    expect_confidence,
    expect_several,
    expect_share,
    expect_text,
)
from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.messages import shortened
from skewproof.core.metric import Metric
from skewproof.decisions.implied import implied_thresholds
from skewproof.decisions.net_benefit import (
    QUANTITIES,
    TREAT_ALL,
    TREAT_NONE,
    decision_curve,
    models_of,
)
from skewproof.intervals.estimates import percent
from skewproof.intervals.other_rates import for_other_rates
from skewproof.plot.display import TITLE_WIDTH, ProbabilityDisplay
from skewproof.prevalence.prevalence import At, Prevalence
from skewproof.reporting.style import BLUE, GREEN, VERMILION, literal

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

LINES = ("-", "--", "-.", ":")
MODEL_COLORS = (BLUE, VERMILION, GREEN, "#CC79A7", "#56B4E9", "#E69F00")

SMALL = 0.01
"""Threshold below which the axis of thresholds is logarithmic."""

BELOW = 0.25
"""Extent of the figure below 0, as a share of the largest value."""

NEAR = 0.025
"""Share of the figure's width within which marks share the place of their names."""

TITLE_PAD, CHARACTER = 8, 3.6
"""Points below the title, and points that each character of a name needs there."""

LABELS = {
    "net_benefit": "net benefit",
    "standardized": "standardized net benefit",
    "interventions_avoided": "interventions avoided, of 100",
}


class DecisionCurveDisplay(ProbabilityDisplay):
    """Decision curves of models with their bands, and the thresholds that metrics imply.

    Parameters
    ----------
    curve
        Result of :func:`skewproof.decision_curve`.
    quantity
        Column to draw: "net_benefit", "standardized" or "interventions_avoided".
    implied
        Result of :func:`skewproof.decisions.implied_thresholds` to mark on the axis of thresholds;
        nothing is marked by default.
    title
        Title of the figure.

    Attributes
    ----------
    curve, implied
        Frames that are drawn.
    ax_, figure_
        Matplotlib's axes and figure.

    Raises
    ------
    ValueError
        If the curve is not such a frame, or the quantity is not one of its columns.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof.plot import DecisionCurveDisplay
    >>> y_true, y_prob = [1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.7, 0.2, 0.6, 0.3, 0.2, 0.1, 0.1]
    >>> display = DecisionCurveDisplay.from_predictions(y_true, y_prob, metrics=["f1"])
    >>> display.ax_.get_xlabel(), display.implied["threshold"].round(3).tolist()
    ('threshold probability', [0.333])
    """

    def __init__(
        self,
        *,
        curve: pd.DataFrame,
        quantity: str = "net_benefit",
        implied: pd.DataFrame | None = None,
        title: str = "",
    ) -> None:
        self.quantity = expect_choice("quantity", quantity, QUANTITIES)
        expect_columns("curve", curve, ["model", "threshold", quantity], "decision_curve")
        if implied is not None:
            expect_columns("implied", implied, ["metric", "threshold"], "implied_thresholds")
        self.curve, self.implied, self.title = curve, implied, expect_text("title", title)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_prob: Any,
        *,
        at: At = "population",
        confidence: float = 0.95,
        simultaneous: bool = False,
        pos_label: Any = 1,
        quantity: str = "net_benefit",
        metrics: str | Metric | Iterable[str | Metric] = (),
        cutoff: float = 0.5,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curves and draw them.

        Parameters
        ----------
        y_true, y_prob, at, confidence, simultaneous, pos_label
            As for :func:`skewproof.decision_curve`, with the same errors.
        quantity
            Column to draw.
        metrics
            Metrics whose implied thresholds are marked, as for
            :func:`skewproof.decisions.implied_thresholds`, at the first model's classifier.
        cutoff
            Least probability, as given in `y_prob`, that this classifier calls positive.
        name
            Name of the model in the legend, for the probabilities of a single one.
        ax
            Axes to draw on; new ones by default.
        **options
            Other arguments of :func:`skewproof.decision_curve`.
        """
        expect_confidence("confidence", confidence)
        where = for_other_rates(at, confidence)
        expect_choice("quantity", quantity, QUANTITIES)
        if name is not None:
            y_prob = {expect_text("name", name): y_prob}
        curve = decision_curve(
            y_true,
            y_prob,
            at=where,
            confidence=confidence,
            simultaneous=simultaneous,
            pos_label=pos_label,
            **options,
        )
        metrics = (
            [metrics]
            if isinstance(metrics, str | Metric)
            else expect_several("metrics", metrics, "metrics, their keys or formulas")
        )
        implied = None
        if metrics:
            matrix = matrix_at(y_true, y_prob, cutoff=cutoff, pos_label=pos_label)
            implied = implied_thresholds(matrix, metrics=metrics, at=where)
        title = curve_title(where, confidence, simultaneous=simultaneous)
        return cls(curve=curve, quantity=quantity, implied=implied, title=title).plot(ax)

    def __repr__(self) -> str:
        models = shortened(", ".join(map(str, self.curve["model"].unique())))
        return f"DecisionCurveDisplay({self.quantity} of {models})"

    def _draw(self, ax: Axes) -> None:
        quantity, models = self.quantity, 0
        for name, rows in self.curve.groupby("model", sort=False):
            rows = rows.sort_values("threshold")
            alike = name in (TREAT_ALL, TREAT_NONE)
            color = "0.45" if alike else MODEL_COLORS[models % len(MODEL_COLORS)]
            line = (":" if name == TREAT_NONE else "--") if alike else LINES[models % len(LINES)]
            ends = (rows[f"{quantity}_low"], rows[f"{quantity}_high"])
            ax.fill_between(rows["threshold"], *ends, color=color, alpha=0.15, lw=0)
            label = literal(shortened(str(name), 40))
            ax.plot(rows["threshold"], rows[quantity], color=color, ls=line, lw=1.3, label=label)
            models += not alike
        self._limit(ax)
        longest = 0 if self.implied is None else self._mark(ax)
        ax.set(xlabel="threshold probability", ylabel=LABELS[quantity])
        title = textwrap.fill(self.title, TITLE_WIDTH)
        ax.set_title(title, pad=TITLE_PAD + CHARACTER * longest)
        ax.legend(fontsize=7)

    def _limit(self, ax: Axes) -> None:
        thresholds = self.curve["threshold"]
        if thresholds.min() < SMALL:
            ax.set_xscale("log")
        if thresholds.min() < thresholds.max():
            ax.set_xlim(thresholds.min(), thresholds.max())
        drawn = ~self.curve["model"].isin([TREAT_NONE])
        top = float(self.curve.loc[drawn, f"{self.quantity}_high"].max())
        if top > 0:
            ax.set_ylim(-BELOW * top, 1.05 * top)

    def _mark(self, ax: Axes) -> int:
        """Draw lines at the implied thresholds, with the metrics' names above the figure.

        Returns the number of characters of the longest name.
        """
        low, high = ax.get_xlim()
        inside = self.implied[self.implied["threshold"].between(low, high)]  # type: ignore[index]
        to_shares = ax.transData + ax.transAxes.inverted()
        names: dict[float, list[str]] = {}
        last = -np.inf
        for threshold, rows in inside.groupby("threshold"):
            ax.axvline(threshold, color="0.7", lw=0.7, zorder=0)
            share = to_shares.transform((threshold, 0.0))[0]
            if share - last < NEAR:
                threshold = max(names)
            else:
                last = share
            names.setdefault(threshold, []).extend(rows["metric"])
        above = ax.secondary_xaxis("top")
        texts = [shortened(", ".join(metrics), 40) for metrics in names.values()]
        above.set_xticks(list(names), list(map(literal, texts)), rotation=90, fontsize=6)
        above.set_xticks([], minor=True)
        return max(map(len, texts), default=0)


def curve_title(at: Prevalence, confidence: float, *, simultaneous: bool = False) -> str:
    """Describe the prevalence of curves and the confidence of their bands."""
    kind = "simultaneous bands" if simultaneous else "intervals"
    return f"{at.where}, {percent(confidence)} {kind}"


def matrix_at(
    y_true: ArrayLike, y_prob: Any, *, cutoff: float, pos_label: Any = 1
) -> ConfusionMatrix:
    """Return the confusion matrix of the first model at a cut-off on its probabilities."""
    expect_share("cutoff", cutoff)
    positive = np.asarray(y_true) == pos_label
    called = next(iter(models_of(y_prob, positive).values())) >= cutoff
    return ConfusionMatrix.from_labels(positive, called, pos_label=True)
