import threading

import numpy as np
import pytest

from skewproof.sensitivity.sampling.sums import Sums, added, in_threads


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
