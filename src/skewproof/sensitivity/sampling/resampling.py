"""Numbers of draws of each base point in each bootstrap resample, by blocks of base points."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

BLOCK = 2**12
"""Number of base points of a block, which are computed at once: they fit in the cache and suffice
for a matrix product."""

MOST_CHUNKS = 64
"""Largest number of chunks, into which blocks are summed."""

SALIB_DRAWS = 2**27
"""Largest number of draws, base points times resamples, that are SALib's: at a byte per count, they
take 128 MB."""

TILE = 2**7
"""Number of resamples whose counts are held together."""

DRAWN = 2**18
"""Number of draws that are counted together, which fit in the cache for any number of resamples."""

Tiles = Iterator[NDArray[np.integer]]
"""Counts for one block of base points, shape (resamples, block), up to TILE resamples at a time;
without resamples there is one empty tile."""


def chunk_edges(samples: int) -> list[int]:
    """Compute the edges of chunks, in blocks: as equal as possible, of at least one block.

    Examples
    --------
    >>> chunk_edges(2**14)  # four blocks
    [0, 1, 2, 3, 4]
    """
    blocks = -(-samples // BLOCK)
    chunks = min(MOST_CHUNKS, blocks)
    return [blocks * chunk // chunks for chunk in range(chunks + 1)]


def block_counts(samples: int, resamples: int, seed: int | tuple[int, ...]) -> Iterator[Tiles]:
    """Count the draws of the resamples, for each block of base points.

    Up to :data:`SALIB_DRAWS` draws are counted from SALib's own stream, all at once. For more, the
    counts of each block are drawn separately, so that memory does not grow with base points. The
    numbers of draws from each chunk (:func:`chunk_edges`) are multinomial, and so are those from
    each of its blocks; within a block draws are uniform. This is the distribution of the bootstrap
    (`samples` draws with replacement).

    Parameters
    ----------
    samples, resamples
        Number of base points, which is also that of a resample's draws; number of resamples.
    seed
        A number of at least 0, or several.

    Examples
    --------
    >>> [tile] = list(next(block_counts(4, 3, 1)))
    >>> tile.sum(axis=1).tolist()  # each of three resamples draws four base points
    [4, 4, 4]
    """
    if samples * resamples > SALIB_DRAWS:
        return _drawn_by_block(samples, resamples, seed)
    counts = resample_counts(samples, resamples, seed)
    return (_cut(counts[:, start : start + BLOCK]) for start in range(0, samples, BLOCK))


@functools.lru_cache(maxsize=1)
def resample_counts(samples: int, resamples: int, seed: int | tuple[int, ...]) -> NDArray[np.uint8]:
    """Count how often each resample draws each base point, from the same draws as SALib.

    Returns
    -------
    Read-only array of shape (resamples, samples), whose rows sum to `samples`. Counts are nearly
    Poisson with mean 1 and in practice at most 12, so a byte holds them.
    """
    draws = np.random.default_rng(seed)
    flat = np.zeros(resamples * samples, dtype=np.uint8)
    row_starts = np.arange(resamples, dtype=np.intp) * samples
    step = max(1, DRAWN // max(1, resamples))
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        # 32-bit draws use the same stream as SALib's 64-bit ones, in half the space.
        drawn = draws.integers(samples, size=(rows, resamples), dtype=np.uint32)
        np.add.at(flat, (drawn + row_starts).ravel(), np.uint8(1))
    counts = flat.reshape(resamples, samples)
    counts.flags.writeable = False
    return counts


def _cut(counts: NDArray[np.uint8]) -> Tiles:
    for start in range(0, max(1, len(counts)), TILE):
        yield counts[start : start + TILE]


def _drawn_by_block(samples: int, resamples: int, seed: int | tuple[int, ...]) -> Iterator[Tiles]:
    edges = chunk_edges(samples)
    sizes = np.diff(np.minimum(np.arange(edges[-1] + 1) * BLOCK, samples))
    in_chunks = _generator(seed, 0).multinomial(
        samples, np.add.reduceat(sizes, edges[:-1]) / samples, size=resamples
    )
    for chunk, (first, last) in enumerate(itertools.pairwise(edges)):
        shares = sizes[first:last] / sizes[first:last].sum()
        in_blocks = _generator(seed, 1, chunk).multinomial(in_chunks[:, chunk], shares)
        for block, numbers in enumerate(in_blocks.T, start=first):
            yield _drawn(_generator(seed, 2, block), numbers, sizes[block])


def _generator(seed: int | tuple[int, ...], *key: int) -> np.random.Generator:
    """Spawn a generator from the seed, whose numbers no scramble has: their seeds have a level."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def _drawn(draws: np.random.Generator, numbers: NDArray[np.int64], size: int) -> Tiles:
    """Count given numbers of draws of each resample among the base points of a block."""
    for start in range(0, max(1, len(numbers)), TILE):
        part = numbers[start : start + TILE]
        points = np.repeat(np.arange(len(part)) * size, part)
        points += draws.integers(size, size=len(points), dtype=np.uint16)
        yield np.bincount(points, minlength=len(part) * size).reshape(-1, size)
