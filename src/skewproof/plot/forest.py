"""Values of several metrics with their intervals, at one or several prevalences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from skewproof.core.arguments import expect, expect_columns
from skewproof.core.messages import shortened
from skewproof.plot.display import Display
from skewproof.reporting.style import BLUE, GREEN, MARKERS, VERMILION, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class ForestDisplay(Display):
    """Values of metrics below each other, each with its interval, at one or several prevalences.

    Parameters
    ----------
    values
        Frames of the same metrics by the words for their prevalence, such as "at 1:1000": `name`,
        `value`, `low` and `high`, a row for each metric, as from :func:`skewproof.score`.

    Attributes
    ----------
    values
        The frames.
    ax_, figure_
        Matplotlib's axes and figure.

    Raises
    ------
    ValueError
        If there is no frame, or one has other columns or other metrics than the first.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> from skewproof import score
    >>> from skewproof.plot import ForestDisplay
    >>> y_true, y_pred = [1] * 50 + [0] * 500, [1] * 40 + [0] * 490 + [1] * 20
    >>> values = {
    ...     f"at {at}": score(y_true, y_pred, metrics=["precision", "f1"], at=at)
    ...     for at in ("1:10", "1:1000")
    ... }
    >>> display = ForestDisplay(values=values).plot()
    >>> [label.get_text() for label in display.ax_.get_yticklabels()]
    ['precision', 'F1 score']
    """

    def __init__(self, *, values: Mapping[str, pd.DataFrame]) -> None:
        known = isinstance(values, Mapping) and bool(values)
        expect(known, "values", values, "a frame for each prevalence")
        names = [list(frame["name"]) for frame in values.values() if "name" in frame]
        for frame in values.values():
            expect_columns("values", frame, ["name", "value", "low", "high"], "score")
        expect(all(other == names[0] for other in names), "values", names, "the same metrics")
        self.values, self._names = dict(values), names[0]

    def __repr__(self) -> str:
        return f"ForestDisplay({len(self._names)} metrics {', '.join(self.values)})"

    @property
    def _size(self) -> tuple[float, float]:
        return 4.6, 0.9 + 0.28 * len(self._names)

    def _draw(self, ax: Axes) -> None:
        lines = np.arange(len(self._names))
        styles = zip(MARKERS, (BLUE, VERMILION, GREEN), strict=False)
        offsets = (np.arange(len(self.values)) - (len(self.values) - 1) / 2) * 0.25
        for offset, (where, frame), (marker, color) in zip(
            offsets, self.values.items(), styles, strict=False
        ):
            ends = frame[["low", "high"]].to_numpy(dtype=np.float64)
            ax.hlines(lines + offset, *ends.T, color=color)
            ax.plot(frame["value"], lines + offset, marker, color=color, ms=4, label=where)
        ax.set_yticks(lines, [literal(shortened(name, 40)) for name in self._names])
        ax.invert_yaxis()
        ax.grid(axis="x", color="0.9")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.08), ncols=2, frameon=False)
