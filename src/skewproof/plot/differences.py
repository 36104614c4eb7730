"""Values of several models, and their differences to the best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import pandas as pd

from skewproof.core.arguments import expect
from skewproof.core.extras import extra, matplotlib
from skewproof.core.messages import shortened
from skewproof.plot.display import Display
from skewproof.reporting.style import BLUE, STYLE, VERMILION, literal

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = {"metric", "first", "second", "value", "low", "high", "probability"}


class DifferencesDisplay(Display):
    """Values of models with their intervals, beside the differences to the best model.

    The best model is the one that is observed to be better in most of its pairs. A difference whose
    interval excludes 0 has another color.

    Parameters
    ----------
    differences
        Differences of all pairs in one metric, from :func:`skewproof.compare` of several models.
    values
        Each model's value with its interval, by the names of the models: results of
        :func:`skewproof.interval` or :func:`skewproof.area_interval`, or rows with `value`, `low`
        and `high`.

    Attributes
    ----------
    best
        Name of the best model.
    to_best
        Differences to it, the other model less the best, with their ends in `value`, `low` and
        `high`; the index has the names of the other models.
    axes_, ax_, figure_
        Matplotlib's axes of the values and of the differences, the latter, and the figure.

    Raises
    ------
    ValueError
        If `differences` has other columns or more than one metric, or `values` other models.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")
    >>> import numpy as np
    >>> from skewproof import compare, interval
    >>> from skewproof.plot import DifferencesDisplay
    >>> true = np.repeat([1, 0], 100)
    >>> models = {"coin": np.tile([1, 0], 100), "good": np.where(np.arange(200) % 9, true, 0)}
    >>> values = {name: interval("f1", true, answers) for name, answers in models.items()}
    >>> DifferencesDisplay(differences=compare("f1", true, models), values=values).plot().best
    'good'
    """

    def __init__(self, *, differences: pd.DataFrame, values: Mapping[Any, Any]) -> None:
        known = isinstance(differences, pd.DataFrame) and {*differences} >= COLUMNS
        expect(known, "differences", differences, "the frame of compare for several models")
        metrics = differences["metric"].unique().tolist()
        expect(len(metrics) == 1, "differences", metrics, "differences in one metric")
        self.metric = metrics[0]
        names = list(dict.fromkeys([*differences["first"], *differences["second"]]))
        same = isinstance(values, Mapping) and {*values} == {*names}
        expect(
            same, "values", values, f"a value for each of {shortened(', '.join(map(str, names)))}"
        )
        self.values = {name: values[name] for name in names}
        wins = dict.fromkeys(names, 0)
        rows = differences.to_dict("records")
        for row in rows:
            wins[row["second" if row["probability"] > 0.5 else "first"]] += 1
        self.best = max(names, key=wins.__getitem__)
        to_best = {}
        for row in rows:
            value, low, high = row["value"], row["low"], row["high"]
            if row["first"] == self.best:
                to_best[row["second"]] = (value, low, high)
            elif row["second"] == self.best:
                to_best[row["first"]] = (-value, -high, -low)
        self.to_best = pd.DataFrame.from_dict(
            to_best, orient="index", columns=["value", "low", "high"]
        )

    def __repr__(self) -> str:
        return f"DifferencesDisplay({self.metric} of {len(self.values)} models, best {self.best})"

    def plot(self, ax: tuple[Axes, Axes] | None = None) -> Self:  # type: ignore[override]
        """Draw on axes of the values and of the differences, new ones by default."""
        with extra("a display"):
            import matplotlib.pyplot as plt

        with matplotlib.rc_context(STYLE):
            if ax is None:
                size = 6.4, 1.2 + 0.3 * len(self.values)
                _, ax = plt.subplots(1, 2, figsize=size, sharey=True, layout="constrained")
            self.axes_ = ax
            of_values, of_differences = ax
            for place, (name, value) in enumerate(self.values.items()):
                of_values.plot([value.low, value.high], [place, place], color=BLUE)
                of_values.plot(value.value, place, "o", color=BLUE)
                if name in self.to_best.index:
                    difference, low, high = self.to_best.loc[name]
                    color = BLUE if low <= 0 <= high else VERMILION
                    of_differences.plot([low, high], [place, place], color=color)
                    of_differences.plot(difference, place, "o", color=color)
            of_values.set_yticks(
                range(len(self.values)), [literal(shortened(str(name), 24)) for name in self.values]
            )
            of_values.invert_yaxis()
            of_values.set_xlabel(literal(self.metric))
            of_values.margins(y=0.15)
            of_differences.axvline(0, color="0.3", lw=0.8)
            of_differences.set_xlabel(literal(shortened(f"difference to {self.best}", 40)))
            self.ax_, self.figure_ = of_differences, of_differences.figure  # type: ignore[assignment]
        return self
