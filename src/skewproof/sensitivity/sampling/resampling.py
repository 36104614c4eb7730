"""Counts of how often each bootstrap resample draws each base point, by blocks of base points."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from skewproof.sensitivity.sampling.chunks import BLOCK, chunk_edges

SALIB_DRAWS = 2**27
"""Draws, base points times resamples, up to which they are SALib's: a byte a count, 128 MB."""

TILE = 2**7
"""Resamples whose counts are held together."""

DRAWN = 2**18
"""Draws that are counted together: few enough for the cache, whatever the number of resamples."""

Tiles = Iterator[NDArray[np.integer]]
"""Counts of one block of base points, shape (resamples, block), up to TILE resamples at a time; of
no resamples, one tile without any."""


def block_counts(
    samples: int, resamples: int, seed: int | tuple[int, ...], *, chunks: range
) -> Iterator[Tiles]:
    """Counts of the resamples, for each block of some chunks.

    Up to :data:`SALIB_DRAWS` draws they are counted from SALib's own stream, all of them at once.
    Beyond, the counts of each block are drawn by themselves, so that memory does not grow with base
    points: how many draws fall into each chunk is multinomial, and how many of these into each of
    its blocks; within a block draws are uniform. That is the law of the bootstrap (`samples` draws
    with replacement), from generators that depend on the seed and the block alone.

    Parameters
    ----------
    samples, resamples
        Base points, as many as a resample draws; resamples.
    seed
        A number of at least 0, or several.
    chunks
        Numbers of the chunks, as :func:`skewproof.sensitivity.sampling.chunks.chunk_edges` has
        them.

    Examples
    --------
    >>> [tile] = list(next(block_counts(4, 3, 1, chunks=range(1))))
    >>> tile.sum(axis=1).tolist()  # each of three resamples draws four base points
    [4, 4, 4]
    """
    edges = chunk_edges(samples)
    if samples * resamples > SALIB_DRAWS:
        yield from _drawn_by_block(samples, resamples, seed, chunks)
        return
    counts = resample_counts(samples, resamples, seed)
    for block in range(edges[chunks.start], edges[chunks.stop]):
        yield _cut(counts[:, block * BLOCK : (block + 1) * BLOCK])


@functools.lru_cache(maxsize=1)
def resample_counts(samples: int, resamples: int, seed: int | tuple[int, ...]) -> NDArray[np.uint8]:
    """Count how often each resample draws each base point, from the same draws as SALib.

    Returns
    -------
    Array of shape (resamples, samples), read-only; a row sums to `samples`. Counts beyond 12 are
    not seen in practice (they are Poisson with mean 1), so a byte holds them.
    """
    draws = np.random.default_rng(seed)
    flat = np.zeros(resamples * samples, dtype=np.uint8)
    row_starts = np.arange(resamples, dtype=np.intp) * samples
    step = max(1, DRAWN // max(1, resamples))
    for start in range(0, samples, step):
        rows = min(step, samples - start)
        # 32-bit draws take the same stream as SALib's 64-bit ones, in half the space.
        drawn = draws.integers(samples, size=(rows, resamples), dtype=np.uint32)
        np.add.at(flat, (drawn + row_starts).ravel(), np.uint8(1))
    counts = flat.reshape(resamples, samples)
    counts.flags.writeable = False
    return counts


def _cut(counts: NDArray[np.uint8]) -> Tiles:
    for start in range(0, max(1, len(counts)), TILE):
        yield counts[start : start + TILE]


def _drawn_by_block(
    samples: int, resamples: int, seed: int | tuple[int, ...], chunks: range
) -> Iterator[Tiles]:
    edges = np.array(chunk_edges(samples))
    sizes = np.diff(np.minimum(np.arange(edges[-1] + 1) * BLOCK, samples))
    in_chunks = _generator(seed, 0).multinomial(
        samples, np.add.reduceat(sizes, edges[:-1]) / samples, size=resamples
    )
    for chunk in chunks:
        blocks = slice(edges[chunk], edges[chunk + 1])
        shares = sizes[blocks] / sizes[blocks].sum()
        in_blocks = _generator(seed, 1, chunk).multinomial(in_chunks[:, chunk], shares)
        for block, size, numbers in zip(
            range(blocks.start, blocks.stop), sizes[blocks], in_blocks.T, strict=True
        ):
            yield _drawn(_generator(seed, 2, block), numbers, size)


def _generator(seed: int | tuple[int, ...], *place: int) -> np.random.Generator:
    """Spawned from the seed: no scramble, whose seed has the level in it, has the same numbers."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=place))


def _drawn(draws: np.random.Generator, numbers: NDArray[np.int64], size: int) -> Tiles:
    """Counts of so many draws of each resample among the base points of a block."""
    for start in range(0, max(1, len(numbers)), TILE):
        part = numbers[start : start + TILE]
        points = np.repeat(np.arange(len(part)) * size, part)
        points += draws.integers(size, size=len(points), dtype=np.uint16)
        yield np.bincount(points, minlength=len(part) * size).reshape(-1, size)
