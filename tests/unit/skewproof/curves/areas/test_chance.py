import math
from itertools import combinations

import numpy as np
import pytest

from skewproof.curves.areas.area import area
from skewproof.curves.areas.chance import MEANS, chance_area


def rankings(positives, negatives):
    """List labels in every order, the first ranked highest."""
    for ranks in combinations(range(positives + negatives), positives):
        true = np.zeros(positives + negatives, dtype=int)
        true[list(ranks)] = 1
        yield true


@pytest.mark.parametrize("kind", MEANS)
@pytest.mark.parametrize(("positives", "negatives"), [(1, 1), (1, 5), (2, 4), (4, 2)])
@pytest.mark.slow
def test_the_mean_over_all_rankings(kind, positives, negatives):
    scores = -np.arange(positives + negatives)
    values = [area(kind, true, scores) for true in rankings(positives, negatives)]
    assert chance_area(kind, positives, negatives) == pytest.approx(np.mean(values), abs=1e-13)


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("partial_auc", {"max_fpr": 0.3}),
        ("calibrated_average_precision", {}),
        *((kind, {"at": "1:100"}) for kind in MEANS),
        ("average_precision", {"at": "3/4"}),
    ],
)
@pytest.mark.slow
def test_options_are_the_area_s(kind, options):
    scores = -np.arange(7)
    values = [area(kind, true, scores, **options) for true in rankings(3, 4)]
    assert chance_area(kind, 3, 4, **options) == pytest.approx(np.mean(values), abs=1e-13)


@pytest.mark.slow
def test_average_precision_of_many_instances():
    """Compare it with the closed form of harmonic numbers."""
    for positives, negatives in ((3, 5), (5, 50), (20, 2000), (2000, 20), (1, 10**5)):
        size = positives + negatives
        harmonic = math.fsum(1 / rank for rank in range(1, size + 1))
        closed = (harmonic + (positives - 1) / (size - 1) * (size - harmonic)) / size
        mean = chance_area("average_precision", positives, negatives)
        assert mean == pytest.approx(closed, rel=1e-13)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("partial_auc", 5, 50), {"max_fpr": 0}, "max_fpr = 0: expected a number above 0 and"),
        (("average_precision", 5, 50), {"costs": "prior"}, "costs = 'prior': expected no option"),
        (("average_precision", 5, 50), {"at": "2:2"}, "at = '2:2': expected lowest terms"),
        (("average_precision", 0, 5), {}, "positives = 0: expected a whole number from 1 to 1,00"),
        (("average_precision", 10**5, 10**4), {}, "negatives = 1000000000: expected at most 100"),
        (("average_precision", 1, 10**7), {}, "negatives = 10000000: expected a whole number"),
        (("h_measure", 5, 5), {}, "kind = 'h_measure': expected one of auc"),
    ],
)
def test_what_is_refused(arguments, options, message):
    with pytest.raises(ValueError, match=message):
        chance_area(*arguments, **options)
