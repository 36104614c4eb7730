import numpy as np
import pytest

from skewproof.sensitivity.sampling.chunks import BLOCK, MOST_CHUNKS, chunk_edges


@pytest.mark.parametrize("log2_samples", [4, 12, 13, 17, 18, 20, 24])
def test_chunks_of_a_power_of_two_are_of_one_size(log2_samples):
    edges = np.array(chunk_edges(2**log2_samples))
    assert edges[0] == 0
    assert edges[-1] * BLOCK >= 2**log2_samples > (edges[-1] - 1) * BLOCK
    assert len(set(np.diff(edges))) == 1
    assert len(edges) - 1 == min(64, max(1, 2**log2_samples // BLOCK))


@pytest.mark.parametrize("samples", [1, BLOCK + 1, 100 * BLOCK - 1, 1000 * BLOCK])
def test_chunks_of_any_number_hold_each_block_once(samples):
    sizes = np.diff(chunk_edges(samples))
    assert sizes.sum() == -(-samples // BLOCK)
    assert len(sizes) <= MOST_CHUNKS
    assert sizes.min() >= 1
    assert np.ptp(sizes) <= 1
