"""Blocks of base points, which are computed at once, and chunks of blocks."""

from __future__ import annotations

BLOCK = 2**12
"""Base points to a block: small enough for the cache, large enough for one matrix product."""

MOST_CHUNKS = 64
"""The largest number of chunks."""


def chunk_edges(samples: int) -> list[int]:
    """The beginnings and ends of chunks, in blocks: as equal as can be, of at least one block.

    Examples
    --------
    >>> chunk_edges(2**14)  # four blocks
    [0, 1, 2, 3, 4]
    """
    blocks = -(-samples // BLOCK)
    chunks = min(MOST_CHUNKS, blocks)
    return [blocks * chunk // chunks for chunk in range(chunks + 1)]


def most_shards(log2_samples: int) -> int:
    """The largest number of shards of 2^log2_samples base points: each has at least one chunk.

    Examples
    --------
    >>> most_shards(14), most_shards(24)
    (4, 64)
    """
    return len(chunk_edges(2**log2_samples)) - 1
