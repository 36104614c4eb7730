"""Where lines through the unit square cross the kinks of a metric.

A line has one outer rate, and the inner rate runs along it. Places are logits of rates, so that
those near 0 and 1 have all their digits.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skewproof.core.algebra import Array
from skewproof.sensitivity.kinks import Kinks, Surface

LOGIT_OF_EDGE = 46.0
"""Where lines end: 1e-20 from the edges of the square."""

REACH = 25.0
"""Outer logits within which kinks are looked for: 1e-11 from the edges of the square."""

SAME_FOR_SIGNATURE = 1e-5
"""Crossings nearer than this, in logits, have no order."""

NEAR_ZERO = 0.5
"""Share of a kink function at a place that it falls below nearby, where a double root is sought."""

ROUNDS = 5
"""Most searches of a line, each with the crossings that the one before has found."""

ITERATIONS = 60
"""Most steps to a root; about ten are taken."""


Numbers = NDArray[np.integer[Any]]
"""Of kinks, of lines, or of places."""


class Crossings(NamedTuple):
    """Where lines cross kinks."""

    places: Array
    """Shape (lines, most crossings of a line), logits in rising order, then inf."""

    labels: Numbers
    """Shape (lines, most crossings of a line), numbers of the kinks, then -1."""

    edge_signs: Numbers
    """Shape (kinks, lines), on which side of each kink a line starts."""

    def signatures(self) -> list[tuple[object, ...]]:
        """For each line, which kinks it crosses and in what order."""
        near = np.zeros(self.places.shape, dtype=bool)
        with np.errstate(invalid="ignore"):
            near[:, 1:] = np.diff(self.places, axis=1) < SAME_FOR_SIGNATURE
        found: list[tuple[object, ...]] = []
        starts = self.edge_signs.T.tolist()
        for labels, joined, start in zip(self.labels.tolist(), near.tolist(), starts, strict=True):
            groups: list[list[int]] = []
            for label, join in zip(labels, joined, strict=True):
                if label < 0:
                    break
                if join:
                    groups[-1].append(label)
                else:
                    groups.append([label])
            found.append((tuple(start), *(tuple(sorted(group)) for group in groups)))
        return found


def rates(logits: Array) -> tuple[Array, Array]:
    """Rates and 1 less each, with all their digits."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logits)), 1 / (1 + np.exp(logits))


def search_places() -> Array:
    """Logits that are even in the rate in the middle, and in the logit towards the edges."""
    even = (np.arange(54) + 0.5) / 54
    towards_edges = np.linspace(np.log(54), LOGIT_OF_EDGE, 28)
    middle = np.log(even / (1 - even))
    return np.unique(np.concatenate([middle, towards_edges, -towards_edges]))


class Lines:
    """Lines through a surface along one of its rates.

    Parameters
    ----------
    surface
        The surface.
    outer
        The rate that each line holds fixed, 0 for the true and 1 for the false positive rate.
    """

    def __init__(self, surface: Surface, outer: int) -> None:
        self.surface, self.outer = surface, outer

    def values(self, fixed: tuple[Array, Array], along: tuple[Array, Array]) -> Array:
        """The metric at outer and inner rates, given with 1 less each."""
        pairs = (fixed, along) if self.outer == 0 else (along, fixed)
        return self.surface.values(*pairs[0], *pairs[1])

    def kinks(self, fixed: Array, along: Array) -> Kinks:
        """The metric's kinks at outer and inner logits of one shape."""
        pairs = [rates(fixed), rates(along)]
        first, second = pairs if self.outer == 0 else pairs[::-1]
        return self.surface.kinks(*first, *second)

    def crossings(self, fixed: Array) -> Crossings:
        """Find where lines at some outer logits cross kinks, shape (lines,)."""
        base = np.broadcast_to(search_places(), (fixed.size, search_places().size))
        grid, counted = base, -1
        places, labels = np.empty((fixed.size, 0)), np.empty((fixed.size, 0), dtype=int)
        edge_signs: Numbers = np.empty((0, fixed.size), dtype=int)
        for _ in range(ROUNDS):
            fixed_at = np.broadcast_to(fixed[:, np.newaxis], grid.shape)
            kinks = self.kinks(fixed_at, grid)
            signs = _filled(kinks.signs)
            if len(signs):
                grid, signs = self._with_double_roots(fixed, grid, kinks.zeros, signs)
            label, line, step = np.nonzero(signs[..., :-1] * signs[..., 1:] < 0)
            edge_signs = signs[..., 0].astype(int)
            if label.size == counted:
                break
            counted = label.size
            found = self._roots(fixed, grid, label, line, step, signs[label, line, step])
            places, labels = _in_rows(line, found, label, fixed.size)
            if not counted:
                break
            grid = np.sort(np.hstack([base, np.where(np.isinf(places), LOGIT_OF_EDGE, places)]))
        return Crossings(places, labels, edge_signs)

    @cached_property
    def searched(self) -> tuple[Array, Crossings]:
        """Outer logits of a search, and the crossings of the lines there."""
        places = search_places()
        places = places[np.abs(places) <= REACH]
        return places, self.crossings(places)

    def are_cut(self) -> bool:
        """Whether kinks cross the square, as seen on the lines of the search."""
        _, found = self.searched
        return bool(found.places.size or (np.ptp(found.edge_signs, axis=1) > 0).any())

    def _with_double_roots(
        self, fixed: Array, grid: Array, zeros: Array, signs: Array
    ) -> tuple[Array, Array]:
        """The grid with the places where a kink function comes near 0 between two places and
        crosses it, which are two crossings between them."""
        size = np.abs(zeros)
        same = (signs[..., 1:-1] * signs[..., :-2] > 0) & (signs[..., 1:-1] * signs[..., 2:] > 0)
        least = (size[..., 1:-1] <= size[..., :-2]) & (size[..., 1:-1] <= size[..., 2:])
        # Of the parabola through three places; what is far above 0 there is left alone.
        bend = size[..., :-2] - 2 * size[..., 1:-1] + size[..., 2:]
        with np.errstate(all="ignore"):
            lowest = size[..., 1:-1] - (size[..., 2:] - size[..., :-2]) ** 2 / (8 * bend)
        near = lowest < size[..., 1:-1] * NEAR_ZERO
        label, line, step = np.nonzero(same & least & near & (bend > 0))
        if not label.size:
            return grid, signs
        left, middle, right = (grid[line, step + shift] for shift in range(3))
        least_size, side = size[label, line, step + 1], signs[label, line, step + 1]
        crossed = np.zeros(label.size, dtype=bool)
        for _ in range(12):
            tries = np.stack([(left + middle) / 2, (middle + right) / 2])
            found = self._of_kink(np.stack([label] * 2), np.stack([fixed[line]] * 2), tries)
            beyond = found * side < 0
            for number in range(2):
                hit = beyond[number] & ~crossed
                middle = np.where(hit, tries[number], middle)
                crossed |= hit
            better = np.abs(found) < least_size
            first = better[0] & ~crossed & (np.abs(found[0]) <= np.abs(found[1]))
            second = better[1] & ~crossed & ~first
            left, right = (
                np.where(first, left, np.where(second, middle, np.where(crossed, left, tries[0]))),
                np.where(
                    first, middle, np.where(second, right, np.where(crossed, right, tries[1]))
                ),
            )
            least_size = np.where(
                first, np.abs(found[0]), np.where(second, np.abs(found[1]), least_size)
            )
            middle = np.where(first, tries[0], np.where(second, tries[1], middle))
            if crossed.all():
                break
        if not crossed.any():
            return grid, signs
        added, _ = _in_rows(line[crossed], middle[crossed], label[crossed], fixed.size)
        grid = np.sort(np.hstack([grid, np.where(np.isinf(added), LOGIT_OF_EDGE, added)]))
        at = np.broadcast_to(fixed[:, np.newaxis], grid.shape)
        return grid, _filled(self.kinks(at, grid).signs)

    def _of_kink(self, label: Numbers, fixed: Array, along: Array) -> Array:
        zeros = self.kinks(fixed, along).zeros
        return np.take_along_axis(zeros, label[np.newaxis], axis=0)[0]

    def _roots(
        self, fixed: Array, grid: Array, label: Numbers, line: Numbers, step: Numbers, side: Array
    ) -> Array:
        """Roots between places of the grid, by Chandrupatla's method (1997)."""
        if not label.size:
            return np.empty(0)
        result = np.empty(label.size)
        a, b = grid[line, step + 1], grid[line, step]
        tiny = np.finfo(float).tiny
        fa, fb = (self._of_kink(label, fixed[line], x) for x in (a, b))
        # Of what is not told from 0 the sign is that of its neighbor.
        fa = -side * np.maximum(np.abs(fa), tiny)
        fb = side * np.maximum(np.abs(fb), tiny)
        active, c, fc, part = np.arange(label.size), b, fb, np.full(label.size, 0.5)
        for _ in range(ITERATIONS):
            x = a + part * (b - a)
            fx = self._of_kink(label[active], fixed[line[active]], x)
            same = np.sign(fx) == np.sign(fa)
            c, fc = np.where(same, a, b), np.where(same, fa, fb)
            b, fb = np.where(same, b, a), np.where(same, fb, fa)
            a, fa = x, fx
            best = np.where(np.abs(fa) < np.abs(fb), a, b)
            with np.errstate(all="ignore"):
                least = (4e-16 * np.abs(best) + 1e-16) / np.abs(b - a)
                done = (least > 0.5) | (fa == 0) | ~np.isfinite(fa)
                xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
                inverse = fa / (fb - fa) * fc / (fb - fc)
                inverse += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
                useful = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(inverse)
                part = np.clip(np.where(useful, inverse, 0.5), least, 1 - least)
            result[active] = best
            keep = ~done
            if not keep.any():
                break
            active = active[keep]
            a, b, c, fa, fb, fc, part = (x[keep] for x in (a, b, c, fa, fb, fc, part))
        return result


def _filled(signs: Array) -> Array:
    """Signs along lines, where 0 takes the sign before it, or at the start that after it."""
    if not signs.size or signs.all():
        return signs
    steps = np.arange(signs.shape[-1])
    last = np.maximum.accumulate(np.where(signs != 0, steps, -1), axis=-1)
    first = np.argmax(signs != 0, axis=-1)[..., np.newaxis]
    return np.take_along_axis(signs, np.where(last < 0, first, last), axis=-1)


def _in_rows(line: Numbers, places: Array, label: Numbers, lines: int) -> tuple[Array, Numbers]:
    """Places by line in rising order, padded with inf, and their labels, padded with -1."""
    order = np.lexsort((label, places, line))
    line, places, label = line[order], places[order], label[order]
    rank = np.arange(line.size) - np.searchsorted(line, line)
    most = 1 + rank.max(initial=-1)
    sorted_places = np.full((lines, most), np.inf)
    sorted_labels = np.full((lines, most), -1)
    sorted_places[line, rank], sorted_labels[line, rank] = places, label
    return sorted_places, sorted_labels
