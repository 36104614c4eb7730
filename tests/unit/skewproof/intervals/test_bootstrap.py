import numpy as np
import pytest
from scipy.stats import beta, kstest

from skewproof.intervals import bootstrap
from skewproof.intervals.bootstrap import drawn_weights


@pytest.mark.parametrize("classes", [2, 3])
def test_weights_of_each_class_have_the_dirichlet_distribution(classes):
    """Each weight of a Dirichlet distribution has a Beta distribution."""
    counts = [np.arange(1.0, 4 + column) for column in range(classes)]
    (weights,) = drawn_weights(counts, 2000, np.random.default_rng(0))
    assert len(weights) == classes
    for of_class, parameters in zip(weights, counts, strict=True):
        assert of_class.sum(axis=1) == pytest.approx(np.ones(2000))
        for column, parameter in zip(of_class.T, parameters, strict=True):
            other = parameters.sum() - parameter
            assert kstest(column, beta(parameter, other).cdf).pvalue > 0.001


def test_a_group_without_instances_has_no_weight():
    ((weights,),) = drawn_weights([np.array([0.0, 3, 2])], 10, np.random.default_rng(0))
    assert (weights[:, 0] == 0).all()


def test_samples_are_drawn_in_blocks(monkeypatch):
    counts, random = [np.ones(3), np.ones(7)], np.random.default_rng(0)
    monkeypatch.setattr(bootstrap, "BLOCK", 20)
    sizes = [[len(part) for part in weights] for weights in drawn_weights(counts, 5, random)]
    assert sizes == [[2, 2], [2, 2], [1, 1]]
