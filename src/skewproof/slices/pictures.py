"""Figures of slices: values and the parts of their differences, and drift over time."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from skewproof.core.arguments import expect_columns
from skewproof.core.data.label_texts import slice_name
from skewproof.core.messages import shortened
from skewproof.reporting.style import BLUE, GREEN, VERMILION, literal, new_figure
from skewproof.slices.changes import largest_changes
from skewproof.slices.slice_table import rows_of_slice

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PARTS = {"prevalence": (BLUE, ""), "classifier": (VERMILION, "///"), "size": ("0.6", "xxx")}
"""Parts with their colors and hatches, which also differ in gray print."""

CLASS_LOOKS = ((VERMILION, "///"), (GREEN, "..."), ("0.3", "++"), ("0.8", "---"))
"""Colors and hatches of the parts of classes, in turn."""

LONGEST_NAME = 24
"""Most characters of a slice's name."""

LONGEST_METRIC, LONGEST_LINE = 60, 37
"""Most characters of a metric's name and of a line of it; the longest key has 37."""

NARROWEST = 5.6
"""Least width of a figure in inches, enough for the longest legend beside the name of a metric."""

NEGLIGIBLE = 1e-12
"""Largest height of a part that is not drawn: it is 0 up to rounding."""

MARGIN = 0.1
"""Space between the outermost marks and a panel's edge, as a share of the panel."""

MOST_COLUMNS = 4
"""Most slices beside each other."""

MOST_TICKS = 24
"""Most periods with a name below them."""


def plot_changes(changes: pd.DataFrame) -> Figure:
    """Draw values of slices beside those at the reference's prevalence, and the differences' parts.

    Parameters
    ----------
    changes
        Frame of :func:`skewproof.explain_change`. If there are more than 40 slices, those with the
        largest differences are drawn.

    Returns
    -------
    Figure with two panels per metric, metrics below each other: values with their intervals, and
    bars of the parts, above 0 if they raise the metric and below 0 if they lower it. Slices that
    are not assessable, and parts that are undefined, are marked "n/a".

    Raises
    ------
    ValueError
        If the frame has no rows.

    Examples
    --------
    >>> import pandas as pd
    >>> from skewproof import explain_change
    >>> from skewproof.slices import plot_changes
    >>> counts = pd.DataFrame(
    ...     [("May", 80, 90, 20, 810), ("June", 16, 98, 4, 882)],
    ...     columns=["month", "tp", "fp", "fn", "tn"],
    ... )
    >>> changes = explain_change(counts, metrics=["f1"], reference={"month": "May"})
    >>> len(plot_changes(changes).axes)
    2
    """
    expect_columns("changes", changes, ["metric", "difference"], "explain_change")
    if changes.empty:
        raise ValueError("changes has no rows: expected a slice in each, as of explain_change")
    drawn = largest_changes(changes)
    groups = dict(list(drawn.groupby("metric", sort=False)))
    keys = list(changes.columns[: changes.columns.get_loc("metric")])
    number = len(changes) // len(groups)
    shown = len(drawn) // len(groups)
    width = min(max(NARROWEST, 1.6 + 0.28 * shown), 12.0)
    with new_figure(width, 0.9 + 3.9 * len(groups)) as figure:
        panels = figure.subplots(2 * len(groups), 1, sharex=True, squeeze=False)[:, 0]
        of_values, of_parts = panels[::2], panels[1::2]
        for upper, lower, (metric, rows) in zip(of_values, of_parts, groups.items(), strict=True):
            _draw_values(upper, rows)
            upper.set_ylabel(_label(metric))
            _draw_parts(lower, rows)
        _name_slices(panels[-1], next(iter(groups.values()))[keys])
        of_all = f": the {shown} of {number} with the largest differences" if shown < number else ""
        figure.suptitle(f"Slices and what their differences are made of{of_all}", fontsize=9)
    return figure


def _name_slices(axes: Axes, keys: pd.DataFrame) -> None:
    """Name slices below the axis, upright if their names are too long."""
    names = [
        literal(shortened(slice_name(row), LONGEST_NAME)) for row in keys.itertuples(index=False)
    ]
    upright = max(map(len, names)) * len(names) > 60
    axes.set_xticks(range(len(names)), names, rotation=90 * upright)
    axes.set_xlim(-0.6, len(names) - 0.4)
    axes.set_xlabel(", ".join(_axis_name(key) for key in keys))


def _draw_values(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw values with intervals, each beside its value at the reference's prevalence."""
    positions = np.arange(len(rows))
    value = rows["value"].where(rows["low"].notna()).to_numpy(dtype=float)
    drawn = np.where(np.isfinite(value), value, np.nan)
    ends = np.array([drawn - rows["low"], rows["high"] - drawn])
    reference = rows["reference_value"].to_numpy(dtype=float)
    axes.hlines(reference, positions - 0.4, positions + 0.4, color="0.5", lw=1, label="reference")
    axes.errorbar(
        positions - 0.12, drawn, yerr=ends, fmt="o", ms=4, color=BLUE, lw=1, label="value, interval"
    )
    axes.plot(
        positions + 0.12,
        rows["value_at_reference_prevalence"],
        ls="none",
        marker="D",
        ms=4,
        color=VERMILION,
        fillstyle="none",
        label="at the reference's prevalence",
    )
    _finish(axes, value)


def _draw_parts(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw bars of the parts, stacked from 0 upward and downward, and mark the difference."""
    positions = np.arange(len(rows))
    above = below = np.zeros(len(rows))
    for name, part, (color, hatch) in _drawn_parts(rows):
        height = np.where(np.isfinite(part), part, 0.0)
        axes.bar(
            positions,
            height,
            0.7,
            bottom=np.where(height > 0, above, below),
            color=color,
            hatch=hatch,
            edgecolor="white",
            lw=0,
            label=name,
        )
        above, below = above + np.maximum(height, 0), below + np.minimum(height, 0)
    axes.axhline(0, color="black", lw=0.6)
    axes.plot(positions, rows["difference"], "k_", ms=9, mew=1.6, label="difference")
    axes.set_ylabel("difference and its parts")
    difference, part = (rows[name].to_numpy(float) for name in ("difference", "prevalence_part"))
    _finish(axes, np.where(np.isfinite(difference), part, difference))


def _drawn_parts(
    rows: pd.DataFrame,
) -> Iterator[tuple[str, NDArray[np.float64], tuple[str, str]]]:
    """Yield the name, the heights and the look of each part that is not 0 in all slices.

    The parts of classes replace that of the classifier, up to what is left of it.
    """
    start = "part_of_"
    classes = [
        name.removeprefix(start)
        for name in map(str, rows)
        if name.startswith(start) and not name.endswith(("_low", "_high"))
    ]
    for name, look in PARTS.items():
        part = rows[f"{name}_part"]
        if name == "classifier":
            for label, looks in zip(classes, itertools.cycle(CLASS_LOOKS), strict=False):
                yield label, rows[start + label].to_numpy(dtype=float), looks
            part = part - rows[[start + label for label in classes]].sum(axis=1)
        if (part.abs() > NEGLIGIBLE).any():
            yield name, part.to_numpy(dtype=float), look


def _finish(axes: Axes, numbers: NDArray[np.float64]) -> None:
    """Add the legend, margins around the marks, and words in place of missing marks."""
    for position in np.flatnonzero(~np.isfinite(numbers)):
        number = numbers[position]
        axes.text(
            float(position),
            0.5,
            "n/a" if np.isnan(number) else f"{number:g}",
            transform=axes.get_xaxis_transform(),
            ha="center",
            va="center",
            color="0.4",
            fontsize=7,
        )
    axes.use_sticky_edges = False
    axes.margins(y=MARGIN)
    _legend(axes)


def _axis_name(key: object) -> str:
    return literal(shortened(str(key), LONGEST_NAME))


def _label(metric: str) -> str:
    return literal(textwrap.fill(shortened(metric, LONGEST_METRIC), LONGEST_LINE))


def _legend(axes: Axes) -> None:
    """Name all marks in one line above the panel, in the order in which they were drawn."""
    handles, labels = axes.get_legend_handles_labels()
    marks = sorted(zip(labels, handles, strict=True), key=lambda mark: mark[0] == "difference")
    axes.legend(
        [handle for _, handle in marks],
        [label for label, _ in marks],
        loc="lower left",
        bbox_to_anchor=(-0.02, 0.99),
        ncols=5,
        frameon=False,
        fontsize=7,
        columnspacing=1.0,
        handletextpad=0.5,
    )


def drift_figure(
    table: pd.DataFrame,
    changes: pd.DataFrame,
    *,
    slices: Sequence[Mapping[str, Any]],
    time: str,
    alpha: float,
) -> Figure:
    """Draw the figure of :meth:`Drift.plot <skewproof.slices.Drift.plot>`.

    `table` and `changes` are its frames, and `slices` the keys of each slice.
    """
    drawn = sorted(slices, key=lambda keys: -len(rows_of_slice(changes, keys)))[:MOST_COLUMNS]
    names = list(table["series"].unique())
    width = max(NARROWEST, 3.6 * len(drawn))
    with new_figure(width, 0.9 + 2.1 * len(names)) as figure:
        panels = figure.subplots(len(names), len(drawn), sharex="col", squeeze=False)
        for column, keys in zip(panels.T, drawn, strict=True):
            periods, dated = (rows_of_slice(frame, keys) for frame in (table, changes))
            times = periods.loc[periods["series"] == names[0], time].tolist()
            for axes, name in zip(column, names, strict=True):
                _draw_period_values(axes, periods[periods["series"] == name])
                _draw_dates(axes, times, dated[dated["rate"] == name])
            _name_periods(column[-1], times, time)
            if keys:
                title = shortened(slice_name(keys.values()), LONGEST_NAME)
                column[0].set_title(literal(title), pad=18)
        for axes, name in zip(panels[:, 0], names, strict=True):
            axes.set_ylabel(_label(name))
            _legend(axes)
        of_all = f"{len(drawn)} of {len(slices)} slices, " if len(drawn) < len(slices) else ""
        figure.suptitle(
            f"{of_all}any alarm with probability {alpha:g}\n"
            "if the classifier does not change and periods are independent",
            fontsize=9,
        )
    return figure


def _draw_period_values(axes: Axes, rows: pd.DataFrame) -> None:
    """Draw values within the limits of the classifier before any change."""
    positions = np.arange(len(rows))
    low, high = (rows[end].to_numpy(dtype=float) for end in ("low", "high"))
    axes.fill_between(positions, low, high, step="mid", color="0.85", lw=0, label="limits")
    axes.step(positions, rows["expected"], where="mid", color="0.5", lw=0.8, label="expected")
    axes.plot(positions, rows["value"], color=BLUE, marker="o", ms=3, lw=0.8, label="value")
    axes.margins(y=MARGIN)


def _draw_dates(axes: Axes, times: list[object], changes: pd.DataFrame) -> None:
    """Draw the region of each date, and the rate as a step."""
    if changes.empty:
        return
    since = [times.index(time) for time in changes["since"]]
    edges = np.array([0, *since, len(times)]) - 0.5
    rates = [changes["before"].iloc[0], *changes["after"]]
    axes.hlines(rates, edges[:-1], edges[1:], color=VERMILION, lw=1.4, label="rate")
    regions = zip(changes["since_first"], changes["since_last"], strict=True)
    for number, (first, last) in enumerate(regions):
        axes.axvspan(
            times.index(first) - 0.5,
            times.index(last) + 0.5,
            color=VERMILION,
            alpha=0.15,
            lw=0,
            label="" if number else "since",
        )


def _name_periods(axes: Axes, times: list[object], time: str) -> None:
    names = [literal(slice_name([when])) for when in times]
    step = -(-len(names) // MOST_TICKS)
    upright = sum(map(len, names[::step])) > 40
    axes.set_xticks(range(0, len(names), step), names[::step], rotation=90 * upright)
    axes.set_xlabel(_axis_name(time))
