import pytest

from skewproof.operating_points.extreme_cutoffs import extreme_in_words


@pytest.mark.parametrize(
    ("tpr", "share_called", "words"),
    [
        (0.1, 0.9, ""),
        (0.0999, 0.5, "finds next to nothing: 10 % of the positives"),
        (0.0, 0.0, "finds next to nothing: 0 % of the positives"),
        (1.0, 0.9001, "calls nearly everything positive: 90.01 % of all instances"),
        (0.05, 0.95, "finds next to nothing: 5 % of the positives"),
    ],
)
def test_less_than_a_tenth_is_extreme(tpr, share_called, words):
    assert extreme_in_words(tpr, share_called) == words
