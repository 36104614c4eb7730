"""Mean scores over folds, as a publication prints them."""

from statistics import mean, pstdev, stdev

import pytest

from skewproof.audits import printed_means

SIZES = {"positives": 38, "negatives": 262}
PRETERM = {"accuracy": "0.9447", "sensitivity": "0.9139", "specificity": "0.9733"}
"""Scores of electrohysterograms of 38 preterm and 262 term births (Fele-Žorž et al. 2008) over five
folds, which the documentation of mlscorecheck 1.0.3 refutes."""


@pytest.mark.parametrize("rounding", ["half up", "any"])
def test_published_means_that_are_impossible(rounding):
    found = printed_means(PRETERM, **SIZES, rounding=rounding)
    assert found.possible is False
    assert found.verdict == (
        f"Impossible: no matrices of 5 folds have these means with rounding {rounding}, proved by"
        " weights of the scores."
    )
    assert found.to_frame().empty


def test_a_solution_has_the_printed_means():
    scores = {"accuracy": "0.9033", "recall": "0.8500", "AUC": "0.9"}
    found = printed_means(scores, positives=100, negatives=200)
    frame = found.to_frame()
    assert (frame.sum(axis=1) == 60).all()
    assert (frame["tp"] + frame["fn"] == 20).all()
    assert frame["tp"].sum() == 85
    assert (frame["tp"] + frame["tn"]).sum() == 271
    assert found.left_out == ("AUC",)
    assert "One of many solutions" in repr(found)
    assert "AUC: no confusion matrix has them" in repr(found)


def test_sizes_of_each_fold():
    found = printed_means({"recall": "0.75"}, positives=[4, 2, 6], negatives=[5, 5, 9])
    frame = found.to_frame()
    positives = frame["tp"] + frame["fn"]
    assert sorted(positives) == [2, 4, 6]
    assert 0.745 <= (frame["tp"] / positives).mean() <= 0.755


@pytest.mark.slow
def test_a_solution_has_the_printed_deviation():
    # Recalls of 4, 5, 6, 7 and 8 of 10 have a deviation of 0.141, or 0.158 with divisor 4.
    for text in ("0.14", "0.16"):
        found = printed_means({"recall": f"0.60 ± {text}"}, positives=50, negatives=50)
        recalls = [tp / 10 for tp in found.to_frame()["tp"]]
        assert mean(recalls) == pytest.approx(0.6)
        assert text in [f"{deviation(recalls):.2f}" for deviation in (pstdev, stdev)]
        assert f"recall 0.60 ± {text}" in repr(found)


def test_a_range_over_folds():
    # Recalls are tenths: 0.4 and 0.8 in two folds leave 1.8 to the other three.
    sizes = {"positives": 50, "negatives": 50}
    found = printed_means({"recall": "60.0 % (range 40-80)"}, **sizes)
    hits = sorted(found.to_frame()["tp"])
    assert (hits[0], hits[-1], sum(hits)) == (4, 8, 30)
    # Without a smaller one, the mean with a fold of 0.5 and four of at most 0.7 is below 0.67.
    assert printed_means({"recall": "0.66 (range 0.5-0.7)"}, **sizes).possible
    assert printed_means({"recall": "0.68 (range 0.5-0.7)"}, **sizes).possible is False
    # No fold has the score 0.45.
    assert printed_means({"recall": "0.60 (range 0.45-0.80)"}, **sizes).possible is False


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scores": {"recall": 0.5}}, "scores['recall'] = 0.5: expected a text"),
        ({"scores": {"recall": "0.5 (0.4-0.6)"}}, "(range 0.8-0.9)"),
        ({"folds": 1}, "folds = 1: expected a whole number from 2 to 100"),
        ({"positives": 4}, "positives = 4: expected at least 5"),
        ({"negatives": 10.5}, "negatives = 10.5: expected at least 5"),
        ({"positives": [4, 4], "negatives": [5]}, "expected whole numbers of at least 1"),
        ({"positives": [4, 0], "negatives": [5, 5]}, "expected whole numbers of at least 1"),
        ({"rounding": "up"}, "rounding = 'up'"),
    ],
)
def test_refused_arguments(arguments, message):
    with pytest.raises(ValueError, match=r"expected|rounding") as error:
        printed_means(**({"scores": PRETERM} | SIZES | arguments))
    assert message in str(error.value)
