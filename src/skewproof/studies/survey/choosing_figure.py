"""The survey's decision trees, drawn."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch

from skewproof.reporting.style import COLORS, STYLE
from skewproof.studies.survey.catalog import CatalogEntry
from skewproof.studies.survey.choosing import Advice, Question
from skewproof.studies.survey.evidence import INVARIANT, Evidence

COLUMN = 2.3
"""Inches from a question to what follows it."""

BOX = 1.75
"""Width of a question in inches."""

LEAF = 3.7
"""Width of a leaf in inches."""

LINE = 0.15
"""Height of a line of text in inches."""

LEGEND = 8.2
"""Width of the legend in inches."""

WRAP = 26
"""Characters in a line of a question."""

MARKS = {"same": ("o", 0.85), "differs": ("X", 0.1)}
"""Marker of what imbalance leaves as it is, and of what it changes, with place on the scale."""


class _Box(NamedTuple):
    """A node of the tree, placed."""

    column: int
    y: float
    height: float
    lines: list[str]
    measures: tuple[str, ...]
    following: list[_Box]


def tree_figure(
    tree: Question, measures: Mapping[str, CatalogEntry], found: Mapping[str, Evidence | None]
) -> Figure:
    """Draw questions from left to right; a mark at each measure says what imbalance does to it.

    Parameters
    ----------
    tree
        The first question.
    measures, found
        By key, at least those of the leaves.
    """
    root, height = _placed(tree, 0, 0.05, [])
    width = max(_depth(root) * COLUMN + LEAF + 0.2, LEGEND)
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, height + 0.55))
        axes = figure.add_axes((0, 0.5 / (height + 0.55), 1, height / (height + 0.55)))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        _draw(axes, root, measures, found)
        scale = matplotlib.colormaps[COLORS]
        labels = {
            "same": "the same from 1:1 to 1:1000 (Type 5)",
            "differs": "moved by imbalance (mean shift to 1:1000)",
        }
        keys = [
            Line2D([], [], ls="", marker=mark, color=scale(place), mec="black", label=labels[kind])
            for kind, (mark, place) in MARKS.items()
        ]
        keys.append(Line2D([], [], ls="", label="no mark: not examined"))
        figure.legend(handles=keys, loc="lower center", ncols=3, frameon=False)
    return figure


def _placed(
    node: Question | Advice, column: int, top: float, lines: list[str]
) -> tuple[_Box, float]:
    """A node with all below it, and where the next one may start."""
    if isinstance(node, Advice):
        height = (1 + len(node.measures)) * LINE + 0.1
        return _Box(column, top + height / 2, height, lines, node.measures, []), top + height + 0.1
    following, bottom = [], top
    for answer, (_, after) in node.answers.items():
        box, bottom = _placed(after, column + 1, bottom, [answer.replace("-", " ")])
        following.append(box)
    lines = [*lines, *textwrap.wrap(node.text, WRAP)]
    height = len(lines) * LINE + 0.1
    bottom = max(bottom, top + height + 0.1)
    middle = (following[0].y + following[-1].y) / 2
    return _Box(column, middle, height, lines, (), following), bottom


def _depth(box: _Box) -> int:
    return max([box.column, *map(_depth, box.following)])


def _draw(
    axes: Axes,
    box: _Box,
    measures: Mapping[str, CatalogEntry],
    found: Mapping[str, Evidence | None],
) -> None:
    left, width = 0.1 + box.column * COLUMN, LEAF if box.measures else BOX
    shade = "white" if box.measures else matplotlib.colormaps["Greys"](0.12)
    axes.add_patch(
        FancyBboxPatch(
            (left, box.y - box.height / 2),
            width,
            box.height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor=shade,
            edgecolor="0.4",
            lw=0.8,
        )
    )
    top = box.y - box.height / 2 + 0.05 + LINE / 2
    for number, line in enumerate(box.lines):
        answer = number == 0 and box.column > 0
        weight = "bold" if answer else "normal"
        axes.text(left + 0.08, top + number * LINE, line, va="center", weight=weight)
    for number, key in enumerate(box.measures, start=1):
        _draw_measure(axes, (left, top + number * LINE), measures[key], found[key])
    for after in box.following:
        end = 0.1 + after.column * COLUMN
        bend = (left + width + end) / 2
        axes.plot(
            [left + width, bend, bend, end], [box.y, box.y, after.y, after.y], color="0.4", lw=0.8
        )
        _draw(axes, after, measures, found)


def _draw_measure(
    axes: Axes, place: tuple[float, float], measure: CatalogEntry, found: Evidence | None
) -> None:
    x, y = place
    axes.text(x + 0.28, y, measure.name.split(" (")[0], va="center")
    if found is None:
        return
    mark, shade = MARKS["same" if found.type == INVARIANT else "differs"]
    color = matplotlib.colormaps[COLORS](shade)
    axes.plot(x + 0.16, y, marker=mark, color=color, mec="black", mew=0.5, ms=6)
    if found.type != INVARIANT:
        axes.text(x + LEAF - 0.08, y, f"{found.shift:.2f}", va="center", ha="right")
