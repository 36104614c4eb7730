import threading

import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.resampling import resample_counts
from skewproof.sensitivity.sampling.saltelli import saltelli_blocks
from skewproof.sensitivity.sampling.sums import Sums, added, in_threads, resampled_sums


def sums(*numbers):
    """Make sums with one of several numbers in every field."""
    return [
        Sums(np.full((2, 6, 1), float(number)), np.ones(1), np.array([number]), np.full(1, 0.5))
        for number in numbers
    ]


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 64])
def test_all_are_added_once(count):
    numbers = range(1, count + 1)
    total = added(sums(*numbers))
    assert (total.columns == sum(numbers)).all()
    assert total.undefined == sum(numbers)
    assert (total.centered, total.center) == (count, 0.5)


def test_neighbors_are_added_first():
    numbers = pairwise = np.random.default_rng(1).normal(size=16)
    total = added(sums(*numbers))
    while len(pairwise) > 1:
        pairwise = pairwise[::2] + pairwise[1::2]
    assert (total.columns == pairwise[0]).all()
    # Added one after another they differ: the bits depend on the order.
    assert (total.columns != sum(numbers)).all()


def test_threads_work_at_once_and_few_tasks_wait():
    both = threading.Barrier(2, timeout=5)  # broken, and an error, if one is alone
    taken = []

    def tasks():
        for task in range(8):
            taken.append(task)
            yield task

    found = in_threads(lambda task: both.wait() * 0 + task, tasks(), 2)
    assert next(found) == 0
    assert len(taken) <= 3
    assert list(found) == list(range(1, 8))
    assert list(in_threads(abs, iter([-1, 2]), 1)) == [1, 2]


def test_an_error_in_a_thread_is_the_callers():
    def fails(task):
        raise KeyError(task)

    with pytest.raises(KeyError):
        list(in_threads(fails, range(3), 2))


def test_sums_are_those_of_the_estimators_summands():
    level = Level(1, 2)
    [matrix] = saltelli_blocks(level, 100, log2_samples=5, seed=4)
    values = np.stack([METRICS["f1"](matrix), METRICS["mcc"](matrix)])
    center = np.array([0.5, 0.1])
    options = {"samples": 32, "resamples": 3, "seed": 4, "total": True, "threads": 1}
    found = resampled_sums([values], level=level, center=center, substitute=None, **options)
    counts = resample_counts(32, 3, 4).astype(float)
    for place in range(2):
        (a, fp_mixed), (tp_mixed, b) = values[place] - center[place]
        summands = [
            a + b,
            a**2 + b**2,
            tp_mixed - a,
            fp_mixed - a,
            b * (tp_mixed - a),
            b * (fp_mixed - a),
            (tp_mixed - a) ** 2,
            (fp_mixed - a) ** 2,
        ]
        np.testing.assert_allclose(found.columns[0, :, place], np.sum(summands, 1), atol=1e-13)
        np.testing.assert_allclose(
            found.columns[1:, :, place], counts @ np.transpose(summands), atol=1e-13
        )
    assert list(found.undefined) == [0, 0]
