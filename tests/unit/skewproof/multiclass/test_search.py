"""The search for the highest value."""

import dataclasses

import numpy as np

from skewproof.multiclass.search import Search


def hill(points):
    """Evaluate two hills, of which the one at (2, 2) is higher."""
    high = 2 * np.exp(-((points - 2) ** 2).sum(axis=-1))
    return high + np.exp(-((points + 2) ** 2).sum(axis=-1))


def test_the_higher_of_two_hills_is_climbed():
    search = Search(samples=200, starts=2)
    points = search.random(3).normal(0, 2, (search.samples, 2))
    summit = search.climb(hill, points)
    np.testing.assert_allclose(summit.point, [2, 2], atol=1e-3)
    assert summit.height == hill(summit.point)
    assert summit.height > hill(points).max()


def test_the_best_points_are_the_highest():
    points = np.arange(10.0)[:, np.newaxis]
    assert Search(starts=2).best(points, np.sin(np.arange(10))).ravel().tolist() == [2, 8]


def test_another_seed_or_number_of_classes_draws_other_points():
    search = Search(seed=1)
    draws = [
        one.random(classes).random()
        for one, classes in (
            (search, 2),
            (search, 3),
            (dataclasses.replace(search, seed=2), 2),
        )
    ]
    assert len(set(draws)) == 3
    assert draws[0] == Search(seed=1).random(2).random()
