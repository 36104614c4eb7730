import numpy as np
import pytest
from scipy import optimize

from skewproof.intervals.joint_fit import fit_jointly


def by_search(counts):
    """Maximize the likelihood of counts of two classes and their mixture over all shares."""
    cells = counts.shape[1]
    random = np.random.default_rng(0)

    def negated(numbers):
        one, other = (np.exp(some) / np.exp(some).sum() for some in np.split(numbers[1:], 2))
        share = 1 / (1 + np.exp(-numbers[0]))
        mixture = share * one + (1 - share) * other
        return -sum(
            some @ np.log(of) for some, of in zip(counts, (one, other, mixture), strict=True)
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
        found = fit_jointly(*counts[:, np.newaxis])
        own = counts / counts.sum(axis=1, keepdims=True)
        free = float((counts * np.log(own)).sum())
        largest, searched = free - found.ratio[0] / 2, by_search(counts)
        assert searched - 1e-6 <= largest <= searched + 1e-3
        for of in found[:3]:
            assert of.sum() == pytest.approx(1, abs=1e-9)


def test_a_mixture_without_a_class_is_fitted_by_the_pooled_counts():
    """The unlabeled instances lie beyond the second class, so that all of them are of it."""
    first, second, mixed = np.array([[[30.0, 10, 5]], [[10, 40, 90]], [[50, 200, 600]]])
    found = fit_jointly(first, second, mixed)
    assert found.second[0] == pytest.approx(((second + mixed) / 990)[0], abs=1e-3)
    assert found.mixture[0] == pytest.approx(found.second[0], abs=1e-3)
    assert found.first[0] == pytest.approx((first / 45)[0], abs=1e-3)
