import numpy as np
import pytest
from scipy import stats

from skewproof.sensitivity.sampling import resampling
from skewproof.sensitivity.sampling.resampling import (
    BLOCK,
    MOST_CHUNKS,
    block_counts,
    chunk_edges,
    resample_counts,
)


def counts_of(samples, resamples, seed=1):
    """Collect all counts, shape (resamples, base points)."""
    blocks = block_counts(samples, resamples, seed)
    return np.concatenate([np.concatenate(list(tiles)) for tiles in blocks], axis=1)


@pytest.fixture
def by_block(monkeypatch):
    """Counts of each block are drawn separately, at any size."""
    monkeypatch.setattr(resampling, "SALIB_DRAWS", 0)


@pytest.mark.parametrize(("samples", "resamples"), [(2**14, 7), (5000, 150)])
@pytest.mark.slow
def test_counts_are_those_of_salibs_draws(samples, resamples):
    drawn = np.random.default_rng(3).integers(samples, size=(samples, resamples))
    counts = resample_counts(samples, resamples, 3)
    for row, column in zip(counts, drawn.T, strict=True):
        np.testing.assert_array_equal(row, np.bincount(column, minlength=samples))
    np.testing.assert_array_equal(counts_of(samples, resamples, 3), counts)


def test_up_to_which_size_they_are_salibs(monkeypatch):
    salibs = resample_counts(2**13, 4, 1)
    monkeypatch.setattr(resampling, "SALIB_DRAWS", 2**15)
    np.testing.assert_array_equal(counts_of(2**13, 4), salibs)
    monkeypatch.setattr(resampling, "SALIB_DRAWS", 2**15 - 1)
    assert (counts_of(2**13, 4) != salibs).any()


@pytest.mark.parametrize("samples", [1, 100, BLOCK, 3 * BLOCK + 5])
@pytest.mark.slow
def test_every_resample_draws_as_many_base_points_as_there_are(by_block, samples):
    resamples = resampling.TILE + 3
    counts = counts_of(samples, resamples)
    assert counts.shape == (resamples, samples)
    assert (counts.sum(axis=1) == samples).all()


def test_no_resamples(by_block):
    assert counts_of(2**13, 0).shape == (0, 2**13)


def test_each_seed_has_its_own_draws(by_block):
    drawn = [counts_of(2 * BLOCK, 3, seed).tobytes() for seed in (1, 2, (1, 2))]
    assert len(set(drawn)) == 3
    assert counts_of(2 * BLOCK, 3, 1).tobytes() == drawn[0]


@pytest.mark.slow
def test_resamples_and_blocks_are_drawn_apart(by_block):
    counts = counts_of(2 * BLOCK, resampling.TILE + 3)
    assert len({row.tobytes() for row in counts}) == len(counts)
    assert (counts[:, :BLOCK] != counts[:, BLOCK:]).any(axis=1).all()


@pytest.mark.slow
def test_law_is_that_of_draws_with_replacement(by_block):
    """P-values below 1e-3 have one seed in a thousand, or all where the distribution is wrong."""
    samples, resamples = 3 * BLOCK, 200
    counts = counts_of(samples, resamples)

    # Of one base point the count is binomial(n, 1/n); points are nearly independent.
    law = stats.binom(samples, 1 / samples)
    observed = np.bincount(np.minimum(counts.ravel(), 6), minlength=7)
    expected = counts.size * np.append(law.pmf(range(6)), law.sf(5))
    assert stats.chisquare(observed, expected).pvalue > 1e-3

    # All resamples together draw each base point alike: multinomial, so that Pearson's statistic is
    # chi-square. And so it is of the three blocks in each resample, summed over the resamples.
    assert stats.chisquare(counts.sum(axis=0)).pvalue > 1e-3
    blocks = counts.reshape(resamples, 3, BLOCK).sum(axis=-1)
    statistic = ((blocks - BLOCK) ** 2 / BLOCK).sum()
    assert 1e-3 < stats.chi2(2 * resamples).cdf(statistic) < 1 - 1e-3


@pytest.mark.parametrize("samples", [1, 2**13, BLOCK + 1, 100 * BLOCK - 1, 2**24])
def test_chunks_hold_each_block_once_and_are_nearly_equal(samples):
    sizes, blocks = np.diff(chunk_edges(samples)), -(-samples // BLOCK)
    assert (sizes.sum(), len(sizes)) == (blocks, min(MOST_CHUNKS, blocks))
    assert np.ptp(sizes) <= 1
