import numpy as np
import pytest
from scipy import optimize

from skewproof.intervals.label_shift import fit_jointly


def by_search(counts):
    """Maximize the likelihood of counts of two classes and their mixture over all shares."""
    cells = counts.shape[1]
    random = np.random.default_rng(0)

    def negated(numbers):
        first, other = (np.exp(some) / np.exp(some).sum() for some in np.split(numbers[1:], 2))
        share = 1 / (1 + np.exp(-numbers[0]))
        mixture = share * first + (1 - share) * other
        return -sum(
            some @ np.log(shares)
            for some, shares in zip(counts, (first, other, mixture), strict=True)
        )

    starts = [np.append(share, 0.1 * random.normal(size=2 * cells)) for share in (-3, 0, 3)]
    return -min(optimize.minimize(negated, start).fun for start in starts)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(6, 60, 600), (40, 300, 2000), (5, 500, 20_000)])
def test_a_joint_fit_has_the_largest_likelihood(sizes):
    random = np.random.default_rng(sizes)
    for _ in range(6):
        counts = np.array(
            [random.multinomial(size, random.dirichlet(np.ones(4))) for size in sizes]
        )
        counts = counts.astype(float) + 1
        fit = fit_jointly(*counts[:, np.newaxis])
        free_shares = counts / counts.sum(axis=1, keepdims=True)
        free = float((counts * np.log(free_shares)).sum())
        largest, searched = free - fit.ratio[0] / 2, by_search(counts)
        assert searched - 1e-6 <= largest <= searched + 1e-3
        for proportions in fit[:3]:
            assert proportions.sum() == pytest.approx(1, abs=1e-9)
