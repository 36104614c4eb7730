"""Blocks of base points, which are computed at once, and chunks of blocks."""

from __future__ import annotations

BLOCK = 2**12
"""Number of base points of a block, which fit in the cache and suffice for a matrix product."""

MOST_CHUNKS = 64
"""Largest number of chunks."""


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
