"""Where the kinks that lines cross change their number, kind or order."""

from __future__ import annotations

import itertools

import numpy as np

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.kinks import NotResolvedError, Numbers, Surface
from skewproof.sensitivity.quadrature.lines import (
    Crossings,
    Lines,
    beside,
    crossings,
    search_places,
)

REACHES = (25.0, 13.0, 9.0, 6.0)
"""Outer logits within which changes are looked for: where there are too many in a wider range,
which rounding near the edges makes, a narrower one is tried, and the error estimate judges."""

EVENT_WIDTH = 1e-6
"""Logits between which a change of the crossings is located: what this misplaces is of third
order at a kink, and of second at a jump."""

SAME_EVENT = 3e-5
"""Changes nearer than this, in logits, are one: two kinks that cross change their order there."""

SECTIONS = 160
"""Parts into which all intervals with a change are cut at a time; each into 4 to 16."""

WIDE = 0.05
"""Logits above which the lines of an interval are searched as if nothing was known."""

LEAST_GAP = 0.25
"""Share of the distance of two crossings of a kink to which it falls before it rises, at most,
where they are taken to meet."""

MOST_EVENTS = 60
"""Changes of the crossings along one rate."""


def events(surface: Surface) -> list[Array] | None:
    """For lines along either rate, outer logits at which their crossings change; None if no kink
    crosses the square.

    Raises
    ------
    NotResolvedError
        If there are too many.
    """
    # Between the places along lines: where kinks meet symmetrically, places would lie on them.
    places = (search_places()[1:] + search_places()[:-1]) / 2
    places = places[np.abs(places) <= REACHES[0]]
    lines = Lines(np.repeat([0, 1], places.size), np.tile(places, 2))
    found = crossings(surface, lines)
    if not found.places.size and (found.edge_signs == found.edge_signs[:, :1]).all():
        return None
    first = _changes(lines, found)
    for reach in REACHES:
        far = np.maximum(np.abs(lines.fixed[first]), np.abs(lines.fixed[first + 1])) > reach
        located = _located(surface, lines, found, first[~far])
        if located is not None:
            meetings = _meetings(surface, lines, found)
            return [_distinct(np.concatenate(pair)) for pair in zip(located, meetings, strict=True)]
    raise NotResolvedError(f"its kinks meet in more than {MOST_EVENTS} places")


def _changes(lines: Lines, found: Crossings) -> Numbers:
    """Numbers of the lines whose signature the next line along the same rate does not have."""
    signatures = found.signatures()
    different = [one != other for one, other in itertools.pairwise(signatures)]
    return np.flatnonzero(np.array(different, dtype=bool) & (np.diff(lines.outer) == 0))


def _located(
    surface: Surface, lines: Lines, found: Crossings, first: Numbers
) -> list[Array] | None:
    """The changes after some lines, along each rate, or None where there are too many."""
    while True:
        if np.bincount(lines.outer[first], minlength=2).max() > MOST_EVENTS:
            return None
        low, high = lines.fixed[first], lines.fixed[first + 1]
        width = (high - low).max(initial=0.0)
        if width <= EVENT_WIDTH:
            middle, outer = (low + high) / 2, lines.outer[first]
            return [middle[outer == rate] for rate in (0, 1)]
        count = 1 + min(max(SECTIONS // first.size, 4), 16)
        grid = None if width > WIDE else np.repeat(beside(found.places, first), count, axis=0)
        inner = np.linspace(low, high, count, axis=1)
        # Ends are looked at again, so that neighboring lines are neighbors in the array.
        number = np.repeat(first, count)
        lines = Lines(lines.outer[number], inner.ravel())
        found = crossings(surface, lines, grid)
        first = _changes(lines, found)
        first = first[(first + 1) % count != 0]


def _meetings(surface: Surface, lines: Lines, found: Crossings) -> list[Array]:
    """Where two crossings of one kink meet and part, along each rate: the kink crosses itself, and
    no signature changes. Their distance falls and rises like the absolute value of a line."""
    x, gaps = lines.fixed, np.diff(np.minimum(found.places, np.finfo(float).max), axis=1)
    gaps[(found.labels[:, 1:] != found.labels[:, :-1]) | (found.labels[:, 1:] < 0)] = np.nan
    signatures = found.signatures()
    same = np.array([one == other for one, other in itertools.pairwise(signatures)], dtype=bool)
    same &= np.diff(lines.outer) == 0
    second = 1 + np.flatnonzero(same[:-2] & same[1:-1] & same[2:])
    with np.errstate(all="ignore"):
        slopes = np.diff(gaps, axis=0) / np.diff(x)[:, np.newaxis]
        before, after = slopes[second - 1], slopes[second + 1]
        width = (x[second + 1] - x[second])[:, np.newaxis]
        # Where the lines through two distances on either side intersect, and how high.
        step = (gaps[second + 1] - after * width - gaps[second]) / (before - after)
        low = gaps[second] + before * step
        least = np.minimum(gaps[second], gaps[second + 1])
        meet = (before < 0) & (after > 0) & (low < LEAST_GAP * least)
        meet &= (step >= 0) & (step <= width)
    row, column = np.nonzero(meet)
    middle, outer = x[second[row]] + step[row, column], lines.outer[second[row]]
    half = width[row, 0] / 2
    for narrower in (0.1, 1e-3):
        if middle.size:
            half = half * narrower
            beside_it = Lines(np.tile(outer, 2), np.concatenate([middle - half, middle + half]))
            grid = beside(found.places, np.tile(second[row], 2))
            distances = _gap(crossings(surface, beside_it, grid), np.tile(column, 2))
            one, other = np.split(distances, 2)
            known = np.isfinite(one + other) & (one + other > 0)
            moved = middle + half * (one - other) / np.where(known, one + other, 1.0)
            middle = np.where(known, moved, middle)
    return [middle[outer == rate] for rate in (0, 1)]


def _gap(found: Crossings, column: Numbers) -> Array:
    """Distances of two neighboring crossings of each line."""
    places = np.pad(found.places, ((0, 0), (0, column.max() + 2)), constant_values=np.nan)
    line = np.arange(column.size)
    places[np.isinf(places)] = np.nan
    return np.asarray(places[line, column + 1] - places[line, column])


def _distinct(places: Array) -> Array:
    """Sorted places, of which those that are one are replaced by their mean."""
    places = np.sort(places)
    groups = np.split(places, 1 + np.flatnonzero(np.diff(places) > SAME_EVENT))
    return np.array([group.mean() for group in groups if group.size])
