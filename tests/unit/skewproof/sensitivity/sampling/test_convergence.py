import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.convergence import convergence

CHOSEN = [METRICS[key] for key in ("accuracy", "mcc", "f1_i")]


def errors(log2_samples):
    return convergence(
        CHOSEN,
        [Level.parse("1:10")],
        100,
        log2_samples=log2_samples,
        resamples=20,
        confidence=0.95,
        seed=1,
    )


def test_convergence_measures_the_distance_from_the_exact_index():
    table = errors(range(5, 9))
    assert len(table) == 3 * 2 * 4
    assert (table["error"] >= 0).all()
    largest = table.groupby("log2_samples")["error"].max()
    assert largest[8] < largest[5]


def test_each_sample_continues_the_one_before():
    first, longer = errors(range(5, 7)), errors(range(5, 9))
    same = longer[longer["log2_samples"] < 7]
    np.testing.assert_array_equal(same["error"], first["error"])


def never(_):
    raise AssertionError("evaluated before its options were looked at")


UNSEEN = Metric("unseen", "f", "made for a test", "here", never)

OPTIONS = {
    "metrics": [UNSEEN],
    "levels": [Level(1, 2)],
    "positives": 100,
    "log2_samples": [4],
    "resamples": 2,
    "confidence": 0.9,
    "seed": 1,
}


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("log2_samples", 8, "a list of at least one whole number"),
        ("log2_samples", None, "a list of at least one whole number"),
        ("log2_samples", "8", "a list of at least one whole number"),
        ("log2_samples", [], "a list of at least one whole number"),
        ("resamples", 1, "0 or a whole number of at least 2"),
        ("confidence", 1, "a number above 0 and below 1"),
        ("seed", -1, "a whole number of at least 0, or a tuple of such"),
    ],
)
def test_options_are_refused_before_any_work(option, value, expected):
    with pytest.raises(ValueError, match=f"^{option} = ") as caught:
        convergence(**OPTIONS | {option: value})
    assert str(caught.value) == f"{option} = {value!r}: expected {expected}"


@pytest.mark.parametrize("option", ["metrics", "levels"])
def test_there_is_something_to_compare(option):
    with pytest.raises(ValueError, match=f"^{option} is empty: expected at least one$"):
        convergence(**OPTIONS | {option: []})
