"""Sums over base points, from which the indices and all their replicates are computed.

A bootstrap replicate of an index depends on the resample only through the number of draws of each
base point. With these counts as a matrix W (resamples x base points) and the summands of all
metrics side by side as columns, ``W @ columns`` yields all replicates of all metrics at once.

Blocks are added up to chunks, and chunks pairwise, neighbors first. The order does not depend on
the number of threads, so results are bitwise the same.
"""

from __future__ import annotations

import functools
import itertools
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from skewproof.core.algebra import Array
from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.resampling import TILE, Tiles, block_counts, chunk_edges

Task = TypeVar("Task")
Result = TypeVar("Result")

LOG = logging.getLogger(__name__)


class Sums(NamedTuple):
    """Sums over some base points of values from which a center of each metric is subtracted."""

    columns: Array
    """Shape (1 + resamples, 6 or 8, metrics), sums of :func:`_summands`: those of the sample, then
    those of each resample."""

    centered: Array
    """Shape (metrics,), sums of the values in all four rows."""

    undefined: NDArray[np.int64]
    """Shape (metrics,), number of base points at which a metric is undefined in one of the rows."""

    center: Array
    """Shape (metrics,), the centers, which are the same for all base points."""

    def add(self, other: Sums) -> Sums:
        """Add the sums of further base points, in place."""
        for total, part in zip(self[:-1], other[:-1], strict=True):
            np.add(total, part, out=total)
        return self


def resampled_sums(
    values: Iterable[Iterable[Array]],
    *,
    level: Level,
    samples: int,
    resamples: int,
    seed: int | tuple[int, ...],
    center: Array,
    substitute: float | None,
    total: bool,
    threads: int,
) -> Sums:
    """Sum over all base points, and over each bootstrap resample of them.

    Parameters
    ----------
    values
        For each block of base points, the values of each metric, shape (2, 2, block).
    level
        The level, which is named in the log.
    samples, resamples, seed
        Number of base points, and number and seed of the resamples, as for
        :func:`skewproof.sensitivity.sampling.resampling.block_counts`.
    center
        Shape (metrics,), centers to subtract from the values, so that no digits are lost.
    substitute
        A number that replaces undefined values; with None, sums of such a metric are undefined,
        too.
    total
        True to include the sums for total indices.
    threads
        Number of threads that multiply while the calling one evaluates; it does not change the
        result. The many short steps of a metric would make threads wait for each other, while a
        matrix product is a single long step.
    """
    evaluated = (
        (_evaluated(block, center, substitute, total), tiles)
        for block, tiles in zip(values, block_counts(samples, resamples, seed), strict=True)
    )
    blocks = in_threads(functools.partial(_resampled, resamples=resamples), evaluated, threads)
    # More threads of the linear algebra change the last bits, and compete with those that resample.
    with threadpool_limits(limits=1, user_api="blas"):
        return added(_chunks(blocks, level, chunk_edges(samples), resamples))


def _chunks(
    blocks: Iterator[Sums], level: Level, edges: Sequence[int], resamples: int
) -> Iterator[Sums]:
    """Add the sums of the blocks of each chunk, one after another."""
    for chunk, (first, last) in enumerate(itertools.pairwise(edges), start=1):
        sums = functools.reduce(Sums.add, itertools.islice(blocks, last - first))
        if resamples:  # which take long
            LOG.info("chunk %d of %d at %s", chunk, len(edges) - 1, level)
        yield sums


def added(parts: Iterable[Sums]) -> Sums:
    """Add sums pairwise, neighbors first, then pairs of pairs; the parts are used up."""
    waiting: list[tuple[int, Sums]] = []
    for part in parts:
        count = 1
        while waiting and waiting[-1][0] == count:
            part, count = waiting.pop()[1].add(part), 2 * count
        waiting.append((count, part))
    return functools.reduce(lambda right, left: left.add(right), [x for _, x in waiting[::-1]])


def in_threads(
    function: Callable[[Task], Result], tasks: Iterable[Task], threads: int
) -> Iterator[Result]:
    """Map a function over tasks in several threads, in order.

    The calling thread makes the tasks meanwhile. At most one task waits, which saves memory.
    """
    if threads == 1:
        yield from map(function, tasks)
        return
    with ThreadPoolExecutor(threads) as pool:
        pending: deque[Future[Result]] = deque()
        for task in tasks:
            pending.append(pool.submit(function, task))
            if len(pending) > threads:
                yield pending.popleft().result()
        while pending:
            yield pending.popleft().result()


def _evaluated(
    values: Iterable[Array], center: Array, substitute: float | None, total: bool
) -> Sums:
    """Evaluate the summands of one block, shape (6 or 8, metrics, block)."""
    metrics = len(center)
    centered, undefined = np.empty(metrics), np.zeros(metrics, dtype=np.int64)
    kinds = 8 if total else 6
    columns = np.empty((kinds, metrics, 0))
    for index, value in enumerate(values):  # one at a time, to stay in the cache
        value = value - center[index]
        with np.errstate(invalid="ignore"):
            centered[index] = value.sum()
        if not np.isfinite(centered[index]):
            invalid = ~np.isfinite(value)
            undefined[index] = np.count_nonzero(invalid.any(axis=(0, 1)))
            if substitute is not None:
                value[invalid] = substitute - center[index]
                centered[index] = value.sum()
        if not columns.size:
            columns = np.empty((kinds, metrics, value.shape[-1]))
        _summands(value, out=columns[:, index])
    return Sums(columns, centered, undefined, center)


def _resampled(block: tuple[Sums, Tiles], resamples: int) -> Sums:
    """Sum over one block and over each resample of it."""
    evaluated, tiles = block
    kinds, metrics, size = evaluated.columns.shape
    summands = evaluated.columns.reshape(kinds * metrics, size).T
    sums = np.empty((1 + resamples, kinds * metrics))
    weights = np.empty((1 + min(TILE, resamples), size))
    weights[0] = 1  # the sample itself
    done = 0
    for counts in tiles:
        weights[1 : 1 + len(counts)] = counts
        used = weights[min(done, 1) : 1 + len(counts)]
        np.matmul(used, summands, out=sums[done : done + len(used)])
        done += len(used)
    return evaluated._replace(columns=sums.reshape(1 + resamples, kinds, metrics))


def _summands(value: Array, out: Array) -> None:
    """Compute the summands of the estimators, (6 or 8, block), from centered values, (2, 2, block).

    They are A + B, A² + B², and for each input j AB_j - A, B (AB_j - A) and, for total indices,
    (AB_j - A)².
    """
    a, b = value[0, 0], value[1, 1]
    np.add(a, b, out=out[0])
    np.multiply(a, a, out=out[1])
    out[1] += b * b
    for j, mixed in enumerate((value[1, 0], value[0, 1])):
        difference = np.subtract(mixed, a, out=out[2 + j])
        np.multiply(b, difference, out=out[4 + j])
        if len(out) > 6:
            np.multiply(difference, difference, out=out[6 + j])
