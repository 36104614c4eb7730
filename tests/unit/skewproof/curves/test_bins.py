"""Bounds of areas from counts, compared with exact areas of all scores with these counts."""

from fractions import Fraction

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, strategies as st

from skewproof.curves.bins import BINNED, ROUNDING, area_bounds, count_scores


def areas(true, scores):
    """Compute AUC and average precision in fractions, by pairs and by the positives found."""
    positives = [score for label, score in zip(true, scores, strict=True) if label]
    negatives = [score for label, score in zip(true, scores, strict=True) if not label]
    won = sum(Fraction((p > n) + (p >= n), 2) for p in positives for n in negatives)
    precisions = [
        Fraction(
            sum(other >= score for other in positives), sum(other >= score for other in scores)
        )
        for score in positives
    ]
    return won / (len(positives) * len(negatives)), sum(precisions) / len(positives)


@st.composite
def scored(draw):
    size = draw(st.integers(0, 25))
    true = [0, 1, *draw(st.lists(st.integers(0, 1), min_size=size, max_size=size))]
    value = st.integers(-6, 6).map(lambda number: number / 3)
    return true, draw(st.lists(value, min_size=len(true), max_size=len(true)))


@given(data=scored(), bins=st.integers(1, 12), weight=st.sampled_from([1, 7, 1000]))
@pytest.mark.slow
def test_areas_and_those_of_repeated_negatives_are_between_their_bounds(data, bins, weight):
    true, scores = data
    frame = pd.DataFrame({"y": true, "s": scores})
    counts = count_scores(frame, y_true="y", y_score="s", bins=bins)
    here = area_bounds(counts)
    for (low, high), area in zip(here.to_numpy(), areas(true, scores), strict=True):
        assert Fraction(low) <= area <= Fraction(high)
    if (counts["low"] == counts["high"]).all():
        assert (here["high"] - here["low"]).max() < 3 * ROUNDING
    share = Fraction(sum(true), sum(true) + weight * (len(true) - sum(true)))
    bounds = area_bounds(counts, at=float(share))
    repeated = [
        pair for pair in zip(true, scores, strict=True) for _ in range(1 if pair[0] else weight)
    ]
    low, high = bounds.loc["average_precision"]
    assert Fraction(low) <= areas(*zip(*repeated, strict=True))[1] <= Fraction(high)
    assert bounds.loc["auc"].equals(here.loc["auc"])
    if weight == 1:
        assert bounds.to_numpy() == pytest.approx(here.to_numpy(), rel=1e-12)


def test_the_bounds_are_met_by_the_worst_and_the_best_order():
    """The bounds of AUC and the best average precision are exact, the worst nearly."""
    counts = pd.DataFrame([(5, 9, 3, 2), (1, 3, 2, 4)], columns=BINNED)
    worst = areas([0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1], range(11, 0, -1))
    best = areas([1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0], [9, 9, 9, 5, 5, 3, 3, 1, 1, 1, 1])
    bounds = area_bounds(counts)
    assert bounds["high"].tolist() == pytest.approx([float(area) for area in best], abs=1e-13)
    assert bounds["low"]["auc"] == pytest.approx(float(worst[0]), abs=1e-13)
    assert float(worst[1]) - 0.005 < bounds["low"]["average_precision"] < float(worst[1])


def drawn(number=3000):
    """Draw labels and scores, of which some are missing."""
    random = np.random.default_rng(1)
    true = (random.random(number) < 0.2).astype(float)
    scores = random.normal(true)
    true[:3], scores[2:7] = np.nan, np.nan
    return pd.DataFrame({"y": pd.array(true, dtype="Int64"), "s": scores})


@pytest.mark.parametrize("make", [pd.DataFrame, duckdb.from_df])
def test_bins_have_the_instances_between_their_ends(make):
    """The other engines are in tests/reference/slices/test_engines.py."""
    frame = drawn()
    known = frame.dropna()
    counts = count_scores(make(frame), y_true="y", y_score="s", bins=50)
    assert list(counts.columns) == BINNED
    assert (counts["high"][1:].to_numpy() < counts["low"][:-1].to_numpy()).all()
    assert counts["low"].min() == known["s"].min()
    assert counts["high"].max() == known["s"].max()
    assert 25 < len(counts) <= 51
    for low, high, positives, negatives in counts.itertuples(index=False):
        inside = known[(known["s"] >= low) & (known["s"] <= high)]
        assert (inside["y"] == 1).sum() == positives
        assert (inside["y"] == 0).sum() == negatives


@pytest.mark.slow
def test_scores_at_the_ends_of_all_floats():
    frame = pd.DataFrame({"y": ["no", "yes", "yes"], "s": [-1.7e308, 1.7e308, 5]})
    counts = count_scores(frame, y_true="y", y_score="s", pos_label="yes")
    assert counts["low"].tolist() == [1.7e308, 5, -1.7e308]
    constant = count_scores(frame.assign(s=1), y_true="y", y_score="s", pos_label="yes")
    assert constant.to_numpy().tolist() == [[1, 1, 2, 1]]


@pytest.mark.parametrize(
    ("frame", "options", "message"),
    [
        ({}, {"bins": 10**9}, "bins = 1000000000: expected a whole number"),
        ({}, {"y_score": "t"}, "y_score = 't': expected one of the columns y, s"),
        ({}, {"pos_label": 3}, "pos_label = 3: expected one of the labels 0, 1"),
        ({"y": ["a", "b"]}, {"y_score": "y", "y_true": "s"}, "y_score = 'y' is of the type String"),
        ({"s": [0.5, np.inf]}, {}, "y_score = 's' has an infinite number: expected finite ones"),
        ({"y": [1, 1]}, {}, "have one class: expected positives and negatives"),
        ({"s": [0.5, np.nan]}, {}, "have one class: expected positives and negatives"),
        ({"s": [np.nan, np.nan]}, {}, "have no labels: expected positives and negatives"),
    ],
)
@pytest.mark.slow
def test_what_is_not_counted(frame, options, message):
    table = pd.DataFrame({"y": [0, 1], "s": [0.1, 0.2]} | frame)
    with pytest.raises((ValueError, KeyError), match=message):
        count_scores(table, **{"y_true": "y", "y_score": "s"} | options)


COUNTS = pd.DataFrame([(2, 3, 1, 0), (0, 1, 1, 1)], columns=BINNED)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        (COUNTS.drop(columns="low"), "expected a frame with the columns low, high, positives"),
        ([1], "counts is 'list': expected a frame"),
        (COUNTS.assign(positives=0), "counts has no positives: expected instances of both"),
        (COUNTS.assign(negatives=[0.5, 1]), "counts has 0.5 negatives in a bin"),
        (COUNTS.assign(positives=[-1, 2]), "counts has -1 positives in a bin"),
        (COUNTS.assign(positives=np.nan), r"counts\['positives'\]\[0\] = nan: expected a finite"),
        (COUNTS.assign(low=[2, np.nan]), r"counts\['low'\]\[1\] = nan: expected a finite number"),
        (COUNTS.assign(positives="x"), r"counts\['positives'\]\S* .*: expected a finite number"),
        (COUNTS.assign(high="x"), r"counts\['high'\]\S* .*: expected a finite number"),
        (COUNTS[[*BINNED, "low"]], "low, high, positives, negatives, each once"),
        (COUNTS.assign(low=[1, 0]), "counts has bins that overlap"),
        (COUNTS.assign(low=[4, 0]), "counts has bins that overlap"),
    ],
)
@pytest.mark.slow
def test_what_is_not_bounded(counts, message):
    with pytest.raises(ValueError, match=message):
        area_bounds(counts)
