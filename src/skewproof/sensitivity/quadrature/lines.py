"""Where lines through the unit square cross the kinks of a metric.

A line has one outer rate, and the inner rate runs along it. Places are logits of rates, so that
those near 0 and 1 have all their digits.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from skewproof.core.algebra import Array
from skewproof.sensitivity.quadrature.kinks import Kinks, Numbers, Surface

LOGIT_OF_EDGE = 32.0
"""Where kinks are no more looked for: 1e-14 from the edges of the square."""

SAME_FOR_SIGNATURE = 1e-5
"""Crossings nearer than this, in logits, have no order."""

NEAR_ZERO = 0.5
"""Share of a kink function at a place that it falls below nearby, where a double root is sought."""

DOUBLE_ROOT_STEPS = 8
"""Steps towards a double root; it is found where one of them passes it."""

ROUNDS = 5
"""Most searches of a line, each with the crossings that the one before has found."""

ROOT_WIDTH, ROOT_WIDTH_AT_JUMP = 1e-9, 1e-13
"""Logits to which a root is found; what this misplaces is of second order at a kink."""

ROOT_WIDTH_IN_ROUNDING = 1e-6
"""The same where the function is not told from 0, and both sides of the kink are the same."""

FAR = 12.0
"""Logits beyond which as much is enough: in rates it is 1e-11."""

ITERATIONS, ITERATIONS_AT_JUMP = 26, 60
"""Most steps to a root; about ten are taken, and those to 1e-6 where it is ill-conditioned."""


@dataclass(frozen=True)
class Lines:
    """Lines along one of the rates."""

    outer: Numbers
    """Shape (lines,), the rate that each holds fixed: 0 is that of true positives, 1 of false."""

    fixed: Array
    """Shape (lines,), its logits."""

    def __getitem__(self, number: Numbers) -> Lines:
        return Lines(self.outer[number], self.fixed[number])

    def rates(self, places: Array) -> tuple[Array, Array, Array, Array]:
        """Both rates with 1 less each at places, shape (lines, ...), along the lines."""
        shape = (-1, *[1] * (places.ndim - 1))
        fixed = (part.reshape(shape) for part in rates(self.fixed))
        return paired(self.outer.reshape(shape), tuple(fixed), rates(places))


@dataclass(frozen=True)
class Crossings:
    """Where lines cross kinks."""

    places: Array
    """Shape (lines, most crossings of a line), logits in rising order, then inf."""

    labels: Numbers
    """Shape (lines, most crossings of a line), numbers of the kinks, then -1."""

    edge_signs: Numbers
    """Shape (kinks, lines), on which side of each kink a line starts."""

    def __getitem__(self, number: Numbers) -> Crossings:
        return Crossings(self.places[number], self.labels[number], self.edge_signs[:, number])

    def signatures(self) -> list[tuple[object, ...]]:
        """For each line, which kinks it crosses and in what order."""
        near = np.zeros(self.places.shape, dtype=bool)
        with np.errstate(invalid="ignore"):
            near[:, 1:] = np.diff(self.places, axis=1) < SAME_FOR_SIGNATURE
        found: list[tuple[object, ...]] = []
        starts = map(bytes, self.edge_signs.T.astype(np.int8) + 1)
        for labels, joined, start in zip(self.labels.tolist(), near.tolist(), starts, strict=True):
            groups: list[list[int]] = []
            for label, join in zip(labels, joined, strict=True):
                if label < 0:
                    break
                if join:
                    groups[-1].append(label)
                else:
                    groups.append([label])
            found.append((start, *(tuple(sorted(group)) for group in groups)))
        return found


def beside(places: Array, first: Numbers) -> Array:
    """For lines between two neighbors, a grid of the crossings of both, the middles between,
    and a few places everywhere."""
    both = np.hstack([places[first], places[first + 1]])
    both = both[:, ~np.isinf(both).all(axis=0)]
    edges = np.full((first.size, 1), LOGIT_OF_EDGE)
    ends = np.sort(np.hstack([-edges, np.minimum(both, LOGIT_OF_EDGE), edges]), axis=1)
    others = np.broadcast_to(search_places()[::6], (first.size, search_places()[::6].size))
    return np.sort(np.hstack([ends, (ends[:, 1:] + ends[:, :-1]) / 2, others]), axis=1)


def rates(logits: Array) -> tuple[Array, Array]:
    """Rates and 1 less each, with all their digits."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logits)), 1 / (1 + np.exp(logits))


def paired(
    outer: Numbers, fixed: tuple[Array, ...], along: tuple[Array, ...]
) -> tuple[Array, Array, Array, Array]:
    """Both rates with 1 less each, of one shape, from the fixed one and that along a line."""
    first = outer == 0
    if first.all() or not first.any():
        one, other = (fixed, along) if first.all() else (along, fixed)
        u, u_complement, v, v_complement = np.broadcast_arrays(*one, *other)
    else:
        u, u_complement = (np.where(first, a, b) for a, b in zip(fixed, along, strict=True))
        v, v_complement = (np.where(first, b, a) for a, b in zip(fixed, along, strict=True))
    return u, u_complement, v, v_complement


@functools.cache
def search_places() -> Array:
    """Logits that are even in the rate in the middle, and in the logit towards the edges.

    They are not symmetric about 0, as kinks of classes of equal size often are.
    """
    even = (np.arange(54) + 0.38) / 54
    middle = np.log(even / (1 - even))
    low, high = (np.linspace(abs(end), LOGIT_OF_EDGE, 20) for end in (middle[0], middle[-1]))
    return np.concatenate([-low[:0:-1], middle, high[1:]])


def crossings(surface: Surface, lines: Lines, grid: Array | None = None) -> Crossings:
    """Find where lines cross kinks that have a part in the metric there.

    Parameters
    ----------
    surface
        The surface.
    lines
        The lines.
    grid
        Places, (lines, places) in rising order, at which the kink functions are first looked at;
        those of :func:`search_places` if None.
    """
    count = lines.fixed.size
    if grid is None:
        grid = np.broadcast_to(search_places(), (count, search_places().size))
    at = Kinks(*surface.kinks(*lines.rates(grid)))
    grid, signs = _with_double_roots(surface, lines, grid, at)
    filled, counted = _filled(signs), -1
    places, labels = np.empty((count, 0)), np.empty((count, 0), dtype=int)
    all_places = grid
    for _ in range(ROUNDS):
        label, line, step = np.nonzero(filled[..., :-1] * filled[..., 1:] < 0)
        if label.size == counted:
            break
        counted = label.size
        side = filled[label, line, step]
        ends = all_places[line, step], all_places[line, step + 1]
        found = _roots(surface, lines[line], label, ends, side)
        places, labels = _in_rows(line, found, label, count)
        if not counted or surface.number_of_kinks == 1:
            break
        added = np.where(np.isinf(places), LOGIT_OF_EDGE, places)
        more = surface.kinks(*lines.rates(added)).signs
        all_places, all_signs = _merged(grid, added, signs, more)
        filled = _filled(all_signs)
    edge_signs = filled[..., 0]
    return _without_unused(surface, lines, Crossings(places, labels, edge_signs))


def _merged(grid: Array, added: Array, signs: Numbers, more: Numbers) -> tuple[Array, Numbers]:
    places = np.hstack([grid, added])
    order = np.argsort(places, axis=1, kind="stable")
    merged = np.concatenate([signs, more], axis=-1)
    return (
        np.take_along_axis(places, order, axis=1),
        np.take_along_axis(merged, order[np.newaxis], axis=-1),
    )


def _without_unused(surface: Surface, lines: Lines, found: Crossings) -> Crossings:
    """The crossings of kinks that have a part in the metric."""
    line, column = np.nonzero(found.labels >= 0)
    if not line.size:
        return found
    places, labels = found.places[line, column], found.labels[line, column]
    used = surface.used(*lines[line].rates(places))[labels, np.arange(line.size)]
    if used.all():
        return found
    kept = _in_rows(line[used], places[used], labels[used], len(found.places))
    return Crossings(*kept, found.edge_signs)


def _with_double_roots(
    surface: Surface, lines: Lines, grid: Array, at: Kinks
) -> tuple[Array, Numbers]:
    """The grid, and signs, with places where a kink function comes near 0 between two places and
    crosses it, which are two crossings between them."""
    size, signs = np.abs(at.zeros), at.signs
    left, middle, right = size[..., :-2], size[..., 1:-1], size[..., 2:]
    least = (middle <= left) & (middle <= right) & (signs[..., :-2] != 0)
    least &= (signs[..., 1:-1] == signs[..., :-2]) & (signs[..., 1:-1] == signs[..., 2:])
    label, line, step = np.nonzero(least)
    if not label.size:
        return grid, signs
    low, least_size, high = (size[label, line, step + shift] for shift in range(3))
    bend = low - 2 * least_size + high
    # Of the parabola through three places; what is far above 0 there is left alone.
    with np.errstate(all="ignore"):
        near = least_size - (high - low) ** 2 / (8 * bend) < least_size * NEAR_ZERO
    kept = near & (bend > 0)
    label, line, step, least_size = (x[kept] for x in (label, line, step, least_size))
    ends = [grid[line, step + shift] for shift in range(3)]
    side = signs[label, line, step + 1]
    crossed = _passed(surface, lines[line], label, ends, side, least_size)
    hit = np.isfinite(crossed)
    if not hit.any():
        return grid, signs
    added, _ = _in_rows(line[hit], crossed[hit], label[hit], len(grid))
    added = np.where(np.isinf(added), LOGIT_OF_EDGE, added)
    return _merged(grid, added, signs, surface.kinks(*lines.rates(added)).signs)


def _passed(
    surface: Surface,
    lines: Lines,
    label: Numbers,
    ends: list[Array],
    side: Numbers,
    size: Array,
) -> Array:
    """A place on the other side of 0 near the middle one of three, or NaN where there is none."""
    result = np.full(label.size, np.nan)
    active: Numbers = np.arange(label.size)
    left, middle, right = ends
    for _ in range(DOUBLE_ROOT_STEPS):
        tries = np.concatenate([(left + middle) / 2, (middle + right) / 2])
        twice = np.tile(active, 2)
        found = _zeros(surface, lines[twice], label[twice], tries) * side[twice]
        (one, other), (at_one, at_other) = np.split(tries, 2), np.split(found, 2)
        result[active[at_other < 0]] = other[at_other < 0]
        result[active[at_one < 0]] = one[at_one < 0]
        first = (at_one < size) & (at_one <= at_other)
        second = (at_other < size) & ~first
        keep = ~(np.minimum(at_one, at_other) < 0)
        left, middle, right = (
            np.where(first, left, np.where(second, middle, one)),
            np.where(first, one, np.where(second, other, middle)),
            np.where(first, middle, np.where(second, right, other)),
        )
        size = np.minimum(size, np.minimum(at_one, at_other))
        active = active[keep]
        left, middle, right, size = (x[keep] for x in (left, middle, right, size))
        if not active.size:
            break
    return result


def _zeros(surface: Surface, lines: Lines, label: Numbers, places: Array) -> Array:
    """At each place the function of the kink there."""
    pairs = lines.rates(places)
    result = np.empty(label.size)
    for one in np.flatnonzero(np.bincount(label)).tolist():
        here = np.flatnonzero(label == one)
        chosen = pairs if here.size == label.size else [part[here] for part in pairs]
        result[here] = surface.zero(one, *chosen)
    return result


def _roots(
    surface: Surface, lines: Lines, label: Numbers, ends: tuple[Array, Array], side: Numbers
) -> Array:
    """Roots between two places of lines, by Chandrupatla's method (1997)."""
    if not label.size:
        return np.empty(0)
    result = np.empty(label.size)
    (b, a), tiny = ends, np.finfo(float).tiny
    fb, fa = (_zeros(surface, lines, label, place) for place in (b, a))
    # Beside a place where the function is 0 the root is most often at that place.
    with np.errstate(divide="ignore"):
        short = np.minimum(ROOT_WIDTH_IN_ROUNDING / np.abs(b - a), 0.5)
    part = np.where(fa == 0, short, np.where(fb == 0, 1 - short, 0.5))
    # Of what is not told from 0 the sign is that of its neighbor.
    sign = side.astype(float)
    fa, fb = -sign * np.maximum(np.abs(fa), tiny), sign * np.maximum(np.abs(fb), tiny)
    jumps = surface.program.jumps
    tolerance = ROOT_WIDTH_AT_JUMP if jumps else ROOT_WIDTH
    active, c, fc = np.arange(label.size), b, fb
    for _ in range(ITERATIONS_AT_JUMP if jumps else ITERATIONS):
        x = a + part * (b - a)
        fx = _zeros(surface, lines[active], label[active], x)
        fx = np.where(fx == 0, sign[active] * tiny, fx)
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        with np.errstate(all="ignore"):
            flat = np.minimum(np.abs(fa), np.abs(fb)) <= tiny
            coarse = flat | (np.abs(best) > FAR)
            least = np.where(coarse, ROOT_WIDTH_IN_ROUNDING, tolerance) / np.abs(b - a)
            done = (least > 0.5) | ~np.isfinite(fa)
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            inverse = fa / (fb - fa) * fc / (fb - fc)
            inverse += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            useful = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(inverse)
            # Where the function has become 0 the root is most often there; else it is halved.
            here = (np.abs(fa) <= tiny) & (np.abs(a - c) > 2 * ROOT_WIDTH_IN_ROUNDING)
            part = np.where(here, 0.0, np.where(useful, inverse, 0.5))
            part = np.clip(part, least, 1 - least)
            # Between the last two places the function is a line.
            line = a - fa * (b - a) / (fb - fa)
        result[active] = np.where(coarse | ~np.isfinite(line), best, line)
        keep = ~done
        if not keep.any():
            break
        active = active[keep]
        a, b, c, fa, fb, fc, part = (x[keep] for x in (a, b, c, fa, fb, fc, part))
    return result


def _filled(signs: Numbers) -> Numbers:
    """Signs along lines, where 0 takes the sign before it, or at the start that after it."""
    if not signs.size or signs.all():
        return signs
    steps = np.arange(signs.shape[-1], dtype=np.int16)
    last = np.maximum.accumulate(np.where(signs != 0, steps, np.int16(-1)), axis=-1)
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
