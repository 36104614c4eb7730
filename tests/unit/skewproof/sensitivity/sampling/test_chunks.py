import numpy as np
import pytest

from skewproof.sensitivity.sampling.chunks import BLOCK, MOST_CHUNKS, chunk_edges


@pytest.mark.parametrize("samples", [1, 2**13, BLOCK + 1, 100 * BLOCK - 1, 2**24])
def test_chunks_hold_each_block_once_and_are_nearly_equal(samples):
    sizes, blocks = np.diff(chunk_edges(samples)), -(-samples // BLOCK)
    assert (sizes.sum(), len(sizes)) == (blocks, min(MOST_CHUNKS, blocks))
    assert np.ptp(sizes) <= 1
