"""Drawings of the survey's decision trees."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import NamedTuple

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyBboxPatch

from skewproof.audits.choosing.tree import Advice, Examined, Question, leaves
from skewproof.reporting.style import COLORS, STYLE
from skewproof.sensitivity.behavior_types import INVARIANT

COLUMN_INCHES = 2.3
"""Distance in inches from a question to the next node."""

QUESTION_INCHES = 1.75
"""Width of a question in inches."""

LEAF_INCHES = 3.7
"""Width of a leaf in inches."""

LINE_INCHES = 0.15
"""Height of a line of text in inches."""

LEGEND_INCHES = 8.2
"""Width of the legend in inches."""

CHARACTER_INCHES = 0.08
"""Largest width of a character of the title in inches."""

QUESTION_CHARACTERS = 26
"""Largest number of characters in a line of a question."""


class _Mark(NamedTuple):
    """Mark of a measure."""

    marker: str
    shade: float
    """Place on the color scale."""

    label: str


_SAME = _Mark("o", 0.85, "the same from 1:1 to 1:1000 (Type 5)")
_MOVED = _Mark("X", 0.1, "changed by imbalance (mean shift to 1:1000)")


class _Box(NamedTuple):
    """A node of the tree and its place."""

    column: int
    y: float
    height: float
    lines: list[str]
    measures: tuple[str, ...]
    following: list[_Box]

    @property
    def left(self) -> float:
        return 0.1 + self.column * COLUMN_INCHES

    @property
    def width(self) -> float:
        return LEAF_INCHES if self.measures else QUESTION_INCHES

    def line_y(self, number: int) -> float:
        """Return the middle of a line of text."""
        return self.y - self.height / 2 + 0.05 + LINE_INCHES / 2 + number * LINE_INCHES


def tree_figure(tree: Question, measures: Mapping[str, Examined]) -> Figure:
    """Draw questions from left to right, with a mark at each measure for the effect of imbalance.

    Parameters
    ----------
    tree
        The first question.
    measures
        The measures of the leaves, and possibly others, by key.
    """
    root, height = _placed(tree, 0, 0.05, [])
    width = max(_depth(root) * COLUMN_INCHES + LEAF_INCHES + 0.2, LEGEND_INCHES)
    origin = next(advice.origin for _, advice in leaves(tree))
    title = textwrap.fill(origin, int(width / CHARACTER_INCHES))
    title_height = LINE_INCHES * (title.count("\n") + 1) + 0.1
    total = height + 0.55 + title_height
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(width, total))
        figure.suptitle(
            title, x=0.1 / width, y=1 - 0.05 / total, ha="left", va="top", size="medium"
        )
        axes = figure.add_axes((0, 0.5 / total, 1, height / total))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.set_axis_off()
        _draw(axes, root, measures)
        keys = [_legend_key(mark) for mark in (_SAME, _MOVED)]
        keys.append(Line2D([], [], ls="", label="no mark: not examined"))
        figure.legend(handles=keys, loc="lower center", ncols=3, frameon=False)
    return figure


def _legend_key(mark: _Mark) -> Line2D:
    return Line2D(
        [], [], ls="", marker=mark.marker, color=_color(mark), mec="black", label=mark.label
    )


def _placed(
    node: Question | Advice, column: int, top: float, lines: list[str]
) -> tuple[_Box, float]:
    """Return a node with all nodes below it, and the place where the next node may start."""
    if isinstance(node, Advice):
        height = (1 + len(node.measures)) * LINE_INCHES + 0.1
        box = _Box(column, top + height / 2, height, lines, node.measures, [])
        return box, top + height + 0.1
    following, bottom = [], top
    for name, answer in node.answers.items():
        box, bottom = _placed(answer.following, column + 1, bottom, [name.replace("-", " ")])
        following.append(box)
    lines = [*lines, *textwrap.wrap(node.text, QUESTION_CHARACTERS)]
    height = len(lines) * LINE_INCHES + 0.1
    bottom = max(bottom, top + height + 0.1)
    middle = (following[0].y + following[-1].y) / 2
    return _Box(column, middle, height, lines, (), following), bottom


def _depth(box: _Box) -> int:
    return max([box.column, *map(_depth, box.following)])


def _color(mark: _Mark) -> tuple[float, float, float, float]:
    return matplotlib.colormaps[COLORS](mark.shade)


def _draw(axes: Axes, box: _Box, measures: Mapping[str, Examined]) -> None:
    _draw_frame(axes, box)
    for number, line in enumerate(box.lines):
        answer = number == 0 and box.column > 0
        weight = "bold" if answer else "normal"
        axes.text(box.left + 0.08, box.line_y(number), line, va="center", weight=weight)
    for number, key in enumerate(box.measures, start=1):
        _draw_measure(axes, box.left, box.line_y(number), measures[key])
    for after in box.following:
        start = box.left + box.width
        bend = (start + after.left) / 2
        axes.plot(
            [start, bend, bend, after.left], [box.y, box.y, after.y, after.y], color="0.4", lw=0.8
        )
        _draw(axes, after, measures)


def _draw_frame(axes: Axes, box: _Box) -> None:
    axes.add_patch(
        FancyBboxPatch(
            (box.left, box.y - box.height / 2),
            box.width,
            box.height,
            boxstyle="round,pad=0,rounding_size=0.05",
            facecolor="white" if box.measures else matplotlib.colormaps["Greys"](0.12),
            edgecolor="0.4",
            lw=0.8,
        )
    )


def _draw_measure(axes: Axes, x: float, y: float, measure: Examined) -> None:
    axes.text(x + 0.28, y, measure.entry.short_name, va="center")
    evidence = measure.evidence
    if evidence is None:
        return
    mark = _SAME if evidence.type == INVARIANT else _MOVED
    axes.plot(x + 0.16, y, marker=mark.marker, color=_color(mark), mec="black", mew=0.5, ms=6)
    if mark is _MOVED:
        right = x + LEAF_INCHES - 0.08
        axes.text(right, y, f"{evidence.shift:.2f}", va="center", ha="right")
