"""Crossings of lines through the unit square with the kinks of a metric, and their changes.

On a line the outer rate is fixed and the inner rate varies. Places are logits of rates, so that
rates near 0 and 1 have full precision. The outer integral has to be split where the crossings
change their number, kind or order from one line to the next.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass

import numpy as np

from skewproof.core.algebra import Array
from skewproof.sensitivity.classifiers import Rates
from skewproof.sensitivity.quadrature.kinked_surface import (
    Integers,
    KinkedSurface,
    Kinks,
    NotResolvedError,
)

# Settings of the search for crossings with kinks, and for their changes. Distances are in logits.

EDGE = 32.0
"""Largest logit along a line: 1e-14 from the edges of the square."""

SAME_CROSSING = 1e-5
"""Distance below which crossings have no order."""

NEAR_ZERO = 0.5
"""Largest ratio of a kink function's estimated minimum to its value nearby at which a double
root is searched."""

DOUBLE_ROOT_STEPS = 8
"""Number of steps towards a double root; it is found if one of them passes it."""

ROUNDS = 5
"""Largest number of searches of a line; each uses the crossings that the previous one found."""

AT_KINK = (1e-9, 26)
"""Accuracy of a root of a kink, whose error has an effect of second order, and largest number of
steps: about ten are needed, and an ill-conditioned root may take all."""

AT_JUMP = (1e-13, 60)
"""The same if the metric has jumps, where this effect is of first order."""

ROUNDING = 1e-6
"""Accuracy of a root where the function is indistinguishable from 0, or beyond FAR."""

FAR = 12.0
"""Logit beyond which this accuracy is enough: in rates it is 1e-11."""

REACHES = (25.0, 13.0, 9.0, 6.0)
"""Largest outer logits at which changes are searched. If rounding near the edges causes too
many, a narrower range is tried, and the error estimate decides."""

MOST_CHANGES = 60
"""Largest number of changes of the crossings along one rate."""

CHANGE_WIDTH = 1e-6
"""Accuracy of a change of the crossings; its error has an effect of third order at a kink, and
of second order at a jump."""

SAME_CHANGE = 3e-5
"""Distance below which changes count as one, as where two kinks cross and change their
order."""

SECTIONS = 160
"""Number of parts into which all intervals with a change are cut at a time; each into 4 to
16."""

WIDE = 0.05
"""Width above which the lines of an interval are searched without earlier crossings."""

LEAST_GAP = 0.25
"""Largest ratio of the smallest distance of two crossings of a kink to the distances beside it
at which they are taken to meet."""


@dataclass(frozen=True)
class Lines:
    """Lines along one of the rates."""

    outer: Integers
    """Shape (lines,), the rate that is fixed: 0 is the true positive rate, 1 the false one."""

    fixed: Array
    """Shape (lines,), logits of the fixed rate."""

    def __getitem__(self, number: Integers) -> Lines:
        return Lines(self.outer[number], self.fixed[number])

    def rates(self, logits: Array) -> Rates:
        """Compute both rates and their complements at logits, (lines, ...), along the lines."""
        shape = (-1, *[1] * (logits.ndim - 1))
        fixed = (part.reshape(shape) for part in rates_at(self.fixed))
        return on_lines(self.outer.reshape(shape), tuple(fixed), rates_at(logits))


@dataclass(frozen=True)
class Crossings:
    """The logits at which lines cross kinks."""

    logits: Array
    """Shape (lines, most crossings of a line), logits in increasing order, then inf."""

    labels: Integers
    """Shape (lines, most crossings of a line), numbers of the kinks, then -1."""

    edge_signs: Integers
    """Shape (kinks, lines), the side of each kink on which a line starts."""

    def signatures(self) -> list[tuple[object, ...]]:
        """List the kinks that each line crosses, in order, with the sides on which it starts."""
        near = np.zeros(self.logits.shape, dtype=bool)
        with np.errstate(invalid="ignore"):
            near[:, 1:] = np.diff(self.logits, axis=1) < SAME_CROSSING
        signatures: list[tuple[object, ...]] = []
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
            signatures.append((start, *(tuple(sorted(group)) for group in groups)))
        return signatures


def rates_at(logits: Array) -> tuple[Array, Array]:
    """Compute rates and their complements with full precision."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-logits)), 1 / (1 + np.exp(logits))


def on_lines(outer: Integers, fixed: tuple[Array, ...], along: tuple[Array, ...]) -> Rates:
    """Combine the fixed rate and that along a line to both rates and their complements."""
    first = outer == 0
    if first.all() or not first.any():
        first_rate, second_rate = (fixed, along) if first.all() else (along, fixed)
        u, u_complement, v, v_complement = np.broadcast_arrays(*first_rate, *second_rate)
    else:
        u, u_complement = (np.where(first, a, b) for a, b in zip(fixed, along, strict=True))
        v, v_complement = (np.where(first, b, a) for a, b in zip(fixed, along, strict=True))
    return u, u_complement, v, v_complement


@functools.cache
def search_logits() -> Array:
    """List logits that are evenly spaced in the rate in the middle, and in the logit at the edges.

    They are not symmetric about 0, in contrast to many kinks for classes of equal size.
    """
    even = (np.arange(54) + 0.38) / 54
    middle = np.log(even / (1 - even))
    low, high = (np.linspace(abs(end), EDGE, 20) for end in (middle[0], middle[-1]))
    return np.concatenate([-low[:0:-1], middle, high[1:]])


def grid_beside(logits: Array, first: Integers) -> Array:
    """Make a grid for lines between two neighbors: the crossings of both, the middles between them
    and a few logits everywhere."""
    both = np.hstack([logits[first], logits[first + 1]])
    both = both[:, ~np.isinf(both).all(axis=0)]
    edges = np.full((first.size, 1), EDGE)
    ends = np.sort(np.hstack([-edges, np.minimum(both, EDGE), edges]), axis=1)
    others = np.broadcast_to(search_logits()[::6], (first.size, search_logits()[::6].size))
    return np.sort(np.hstack([ends, (ends[:, 1:] + ends[:, :-1]) / 2, others]), axis=1)


def crossings(surface: KinkedSurface, lines: Lines, grid: Array | None = None) -> Crossings:
    """Find where lines cross kinks on which the metric depends there.

    Parameters
    ----------
    surface
        The surface.
    lines
        The lines.
    grid
        Logits, (lines, logits) in increasing order, at which the kink functions are evaluated
        first; those of :func:`search_logits` if None.
    """
    count = lines.fixed.size
    if grid is None:
        grid = np.broadcast_to(search_logits(), (count, search_logits().size))
    at = surface.kinks(lines.rates(grid))
    grid, signs = _with_double_roots(surface, lines, grid, at)
    filled, counted = _filled(signs), -1
    logits, labels = np.empty((count, 0)), np.empty((count, 0), dtype=int)
    all_logits = grid
    for _ in range(ROUNDS):
        label, line, step = np.nonzero(filled[..., :-1] * filled[..., 1:] < 0)
        if label.size == counted:
            break
        counted = label.size
        side = filled[label, line, step]
        ends = all_logits[line, step], all_logits[line, step + 1]
        roots = _roots(surface, lines[line], label, ends, side)
        logits, labels = _in_rows(line, roots, label, count)
        if not counted or surface.number_of_kinks == 1:
            break
        added = np.where(np.isinf(logits), EDGE, logits)
        more = surface.kinks(lines.rates(added)).signs
        all_logits, all_signs = _merged(grid, added, signs, more)
        filled = _filled(all_signs)
    edge_signs = filled[..., 0]
    return _without_unused(surface, lines, Crossings(logits, labels, edge_signs))


def _merged(grid: Array, added: Array, signs: Integers, more: Integers) -> tuple[Array, Integers]:
    logits = np.hstack([grid, added])
    order = np.argsort(logits, axis=1, kind="stable")
    merged = np.concatenate([signs, more], axis=-1)
    return (
        np.take_along_axis(logits, order, axis=1),
        np.take_along_axis(merged, order[np.newaxis], axis=-1),
    )


def _without_unused(surface: KinkedSurface, lines: Lines, candidates: Crossings) -> Crossings:
    """Select the crossings of kinks on which the metric depends."""
    line, column = np.nonzero(candidates.labels >= 0)
    if not line.size:
        return candidates
    logits, labels = candidates.logits[line, column], candidates.labels[line, column]
    used = surface.used(lines[line].rates(logits))[labels, np.arange(line.size)]
    if used.all():
        return candidates
    kept = _in_rows(line[used], logits[used], labels[used], len(candidates.logits))
    return Crossings(*kept, candidates.edge_signs)


def _with_double_roots(
    surface: KinkedSurface, lines: Lines, grid: Array, at: Kinks
) -> tuple[Array, Integers]:
    """Add to the grid and its signs logits between two crossings that lie between grid points,
    where a kink function comes near 0 and crosses it twice."""
    size, signs = np.abs(at.zeros), at.signs
    left, middle, right = size[..., :-2], size[..., 1:-1], size[..., 2:]
    least = (middle <= left) & (middle <= right) & (signs[..., :-2] != 0)
    least &= (signs[..., 1:-1] == signs[..., :-2]) & (signs[..., 1:-1] == signs[..., 2:])
    label, line, step = np.nonzero(least)
    if not label.size:
        return grid, signs
    low, least_size, high = (size[label, line, step + shift] for shift in range(3))
    bend = low - 2 * least_size + high
    # The minimum of the parabola through three points; if it is far above 0, no root is searched.
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
    added = np.where(np.isinf(added), EDGE, added)
    return _merged(grid, added, signs, surface.kinks(lines.rates(added)).signs)


def _passed(
    surface: KinkedSurface,
    lines: Lines,
    label: Integers,
    ends: list[Array],
    side: Integers,
    size: Array,
) -> Array:
    """Find a logit on the other side of 0 near the middle one of three, or return NaN."""
    result = np.full(label.size, np.nan)
    active: Integers = np.arange(label.size)
    left, middle, right = ends
    for _ in range(DOUBLE_ROOT_STEPS):
        tries = np.concatenate([(left + middle) / 2, (middle + right) / 2])
        twice = np.tile(active, 2)
        values = _kinks_at(surface, lines[twice], label[twice], tries) * side[twice]
        (lower, upper), (at_lower, at_upper) = np.split(tries, 2), np.split(values, 2)
        result[active[at_upper < 0]] = upper[at_upper < 0]
        result[active[at_lower < 0]] = lower[at_lower < 0]
        first = (at_lower < size) & (at_lower <= at_upper)
        second = (at_upper < size) & ~first
        keep = ~(np.minimum(at_lower, at_upper) < 0)
        left, middle, right = (
            np.where(first, left, np.where(second, middle, lower)),
            np.where(first, lower, np.where(second, upper, middle)),
            np.where(first, middle, np.where(second, right, upper)),
        )
        size = np.minimum(size, np.minimum(at_lower, at_upper))
        active = active[keep]
        left, middle, right, size = (x[keep] for x in (left, middle, right, size))
        if not active.size:
            break
    return result


def _kinks_at(surface: KinkedSurface, lines: Lines, label: Integers, logits: Array) -> Array:
    """Evaluate the function of one kink at each logit, shape (logits,)."""
    rates = lines.rates(logits)
    result = np.empty(label.size)
    for kink in np.flatnonzero(np.bincount(label)).tolist():
        here = np.flatnonzero(label == kink)
        u, u_complement, v, v_complement = rates
        if here.size < label.size:
            u, u_complement, v, v_complement = (part[here] for part in rates)
        result[here] = surface.kink(kink, (u, u_complement, v, v_complement))
    return result


def _roots(
    surface: KinkedSurface, lines: Lines, label: Integers, ends: tuple[Array, Array], side: Integers
) -> Array:
    """Find roots between two logits of lines, by Chandrupatla's method (1997)."""
    if not label.size:
        return np.empty(0)
    result = np.empty(label.size)
    (b, a), tiny = ends, np.finfo(float).tiny
    fb, fa = (_kinks_at(surface, lines, label, end) for end in (b, a))
    # If the function is 0 at an end, the root is most often there.
    with np.errstate(divide="ignore"):
        short = np.minimum(ROUNDING / np.abs(b - a), 0.5)
    part = np.where(fa == 0, short, np.where(fb == 0, 1 - short, 0.5))
    # A value that is indistinguishable from 0 takes the sign of its neighbor.
    sign = side.astype(float)
    fa, fb = -sign * np.maximum(np.abs(fa), tiny), sign * np.maximum(np.abs(fb), tiny)
    accuracy, steps = AT_JUMP if surface.graph.jumps else AT_KINK
    active, c, fc = np.arange(label.size), b, fb
    for _ in range(steps):
        x = a + part * (b - a)
        fx = _kinks_at(surface, lines[active], label[active], x)
        fx = np.where(fx == 0, sign[active] * tiny, fx)
        same = np.sign(fx) == np.sign(fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best = np.where(np.abs(fa) < np.abs(fb), a, b)
        with np.errstate(all="ignore"):
            flat = np.minimum(np.abs(fa), np.abs(fb)) <= tiny
            coarse = flat | (np.abs(best) > FAR)
            least = np.where(coarse, ROUNDING, accuracy) / np.abs(b - a)
            done = (least > 0.5) | ~np.isfinite(fa)
            xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
            inverse = fa / (fb - fa) * fc / (fb - fc)
            inverse += (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            useful = (phi**2 < xi) & ((1 - phi) ** 2 < 1 - xi) & np.isfinite(inverse)
            # If the function has become 0, the root is most often there; else halve the interval.
            here = (np.abs(fa) <= tiny) & (np.abs(a - c) > 2 * ROUNDING)
            part = np.where(here, 0.0, np.where(useful, inverse, 0.5))
            part = np.clip(part, least, 1 - least)
            # Between the last two logits the function is taken as linear.
            line = a - fa * (b - a) / (fb - fa)
        result[active] = np.where(coarse | ~np.isfinite(line), best, line)
        keep = ~done
        if not keep.any():
            break
        active = active[keep]
        a, b, c, fa, fb, fc, part = (x[keep] for x in (a, b, c, fa, fb, fc, part))
    return result


def _filled(signs: Integers) -> Integers:
    """Replace 0 along lines by the sign before it, or at the start by that after it."""
    if not signs.size or signs.all():
        return signs
    steps = np.arange(signs.shape[-1], dtype=np.int16)
    last = np.maximum.accumulate(np.where(signs != 0, steps, np.int16(-1)), axis=-1)
    first = np.argmax(signs != 0, axis=-1)[..., np.newaxis]
    return np.take_along_axis(signs, np.where(last < 0, first, last), axis=-1)


def _in_rows(line: Integers, logits: Array, label: Integers, lines: int) -> tuple[Array, Integers]:
    """Sort logits by line in increasing order, padded with inf, and labels, padded with -1."""
    order = np.lexsort((label, logits, line))
    line, logits, label = line[order], logits[order], label[order]
    rank = np.arange(line.size) - np.searchsorted(line, line)
    most = 1 + rank.max(initial=-1)
    sorted_logits = np.full((lines, most), np.inf)
    sorted_labels = np.full((lines, most), -1)
    sorted_logits[line, rank], sorted_labels[line, rank] = logits, label
    return sorted_logits, sorted_labels


def crossing_changes(surface: KinkedSurface) -> list[Array] | None:
    """Find the outer logits at which crossings change, for lines along either rate, or return None
    if no kink crosses the square.

    Raises
    ------
    NotResolvedError
        If there are too many.
    """
    # Outer logits lie between those along lines; otherwise points would lie on symmetric kinks.
    logits = (search_logits()[1:] + search_logits()[:-1]) / 2
    logits = logits[np.abs(logits) <= REACHES[0]]
    lines = Lines(np.repeat([0, 1], logits.size), np.tile(logits, 2))
    crossed = crossings(surface, lines)
    if not crossed.logits.size and (crossed.edge_signs == crossed.edge_signs[:, :1]).all():
        return None
    first = _changing_lines(lines, crossed)
    for reach in REACHES:
        far = np.maximum(np.abs(lines.fixed[first]), np.abs(lines.fixed[first + 1])) > reach
        located = _located(surface, lines, crossed, first[~far])
        if located is not None:
            meetings = _meetings(surface, lines, crossed)
            return [_distinct(np.concatenate(pair)) for pair in zip(located, meetings, strict=True)]
    raise NotResolvedError(f"its kinks meet in more than {MOST_CHANGES} places")


def _changing_lines(lines: Lines, crossed: Crossings) -> Integers:
    """List the lines whose signature differs from that of the next line along the same rate."""
    signatures = crossed.signatures()
    different = [left != right for left, right in itertools.pairwise(signatures)]
    return np.flatnonzero(np.array(different, dtype=bool) & (np.diff(lines.outer) == 0))


def _located(
    surface: KinkedSurface, lines: Lines, crossed: Crossings, first: Integers
) -> list[Array] | None:
    """Locate the changes after some lines, along each rate, or return None for too many."""
    while True:
        if np.bincount(lines.outer[first], minlength=2).max() > MOST_CHANGES:
            return None
        low, high = lines.fixed[first], lines.fixed[first + 1]
        width = (high - low).max(initial=0.0)
        if width <= CHANGE_WIDTH:
            middle, outer = (low + high) / 2, lines.outer[first]
            return [middle[outer == rate] for rate in (0, 1)]
        count = 1 + min(max(SECTIONS // first.size, 4), 16)
        grid = None if width > WIDE else grid_beside(crossed.logits, first).repeat(count, axis=0)
        inner = np.linspace(low, high, count, axis=1)
        # Ends are searched again, so that neighboring lines are neighbors in the array.
        number = np.repeat(first, count)
        lines = Lines(lines.outer[number], inner.ravel())
        crossed = crossings(surface, lines, grid)
        first = _changing_lines(lines, crossed)
        first = first[(first + 1) % count != 0]


def _meetings(surface: KinkedSurface, lines: Lines, crossed: Crossings) -> list[Array]:
    """Find the outer logits, along each rate, at which two crossings of one kink meet and part.

    The kink crosses itself there, and no signature changes. The distance of the crossings decreases
    and increases like the absolute value of a linear function.
    """
    x, gaps = lines.fixed, np.diff(np.minimum(crossed.logits, np.finfo(float).max), axis=1)
    gaps[(crossed.labels[:, 1:] != crossed.labels[:, :-1]) | (crossed.labels[:, 1:] < 0)] = np.nan
    signatures = crossed.signatures()
    same = np.array([left == right for left, right in itertools.pairwise(signatures)], dtype=bool)
    same &= np.diff(lines.outer) == 0
    second = 1 + np.flatnonzero(same[:-2] & same[1:-1] & same[2:])
    with np.errstate(all="ignore"):
        slopes = np.diff(gaps, axis=0) / np.diff(x)[:, np.newaxis]
        before, after = slopes[second - 1], slopes[second + 1]
        width = (x[second + 1] - x[second])[:, np.newaxis]
        # The intersection, and its height, of the lines through two distances on either side.
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
            grid = grid_beside(crossed.logits, np.tile(second[row], 2))
            distances = _gap(crossings(surface, beside_it, grid), np.tile(column, 2))
            below, above = np.split(distances, 2)
            known = np.isfinite(below + above) & (below + above > 0)
            moved = middle + half * (below - above) / np.where(known, below + above, 1.0)
            middle = np.where(known, moved, middle)
    return [middle[outer == rate] for rate in (0, 1)]


def _gap(crossed: Crossings, column: Integers) -> Array:
    """Compute the distances of two neighboring crossings of each line."""
    logits = np.pad(crossed.logits, ((0, 0), (0, column.max() + 2)), constant_values=np.nan)
    line = np.arange(column.size)
    logits[np.isinf(logits)] = np.nan
    return np.asarray(logits[line, column + 1] - logits[line, column])


def _distinct(logits: Array) -> Array:
    """Sort logits and replace those that count as one by their mean."""
    logits = np.sort(logits)
    groups = np.split(logits, 1 + np.flatnonzero(np.diff(logits) > SAME_CHANGE))
    return np.array([group.mean() for group in groups if group.size])
