"""Cells of weighted labels by exact sums, and the labels, scores and weights that are refused."""

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.arrays import checked_numbers
from skewproof.core.data.labels import (
    MOST_CLASSES,
    MOST_COMPARED_CLASSES,
    check_many_classes,
    checked_labels,
    counted_pairs,
    counted_triples,
    has_more_than_two,
)
from skewproof.metrics import METRICS
from skewproof.metrics.agreement import mcc
from written import check_written, refusals


def weighted(random, spread):
    """Draw up to 40 labels with weights; a cell often has none, or only weights of 0."""
    number = random.integers(1, 41)
    true, predicted = (random.random((2, number)) < random.choice([0.1, 0.5, 0.9], (2, 1))).astype(
        int
    )
    weights = 10 ** random.uniform(0, spread, number)
    return true, predicted, np.where(random.random(number) < 0.1, 0.0, weights)


def exact_cells(true, predicted, weights):
    cells = dict.fromkeys([(1, 1), (0, 1), (1, 0), (0, 0)], Fraction(0))
    for cell, weight in zip(zip(true, predicted, strict=True), weights, strict=True):
        cells[cell] += Fraction(weight)
    return tuple(cells.values())


@pytest.mark.parametrize("spread", [0, 1, 12])
@pytest.mark.slow
def test_weighted_cells_are_those_of_exact_sums(spread):
    """Sums of n weights err by at most n roundings; cells without weight are exactly 0."""
    random = np.random.default_rng(spread)
    for _ in range(300):
        true, predicted, weights = weighted(random, spread)
        matrix = ConfusionMatrix.from_labels(true, predicted, sample_weight=weights)
        cells = exact_cells(true, predicted, weights)
        rounding = 2.0**-53 * true.size
        for found, exact in zip((matrix.tp, matrix.fp, matrix.fn, matrix.tn), cells, strict=True):
            assert abs(Fraction(float(found)) - exact) <= rounding * exact


B = 2**53


@pytest.mark.parametrize(
    ("values", "kept"),
    [
        ([1, 2], np.float64),
        ([B, -B], np.float64),
        ([B + 1, B], np.int64),
        (np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), np.uint64),
        ([2**70 + 1, 2**70], np.object_),
        ([Fraction(1, 3), Fraction(1, 2)], np.object_),
        ([Decimal("0.1"), Decimal("0.5")], np.object_),
        ([Decimal("0.25"), 0.5], np.float64),
        (np.array([0.1, 0.2], dtype=np.float32), np.float64),
        ([True, False], np.float64),
    ],
)
def test_numbers_stay_what_they_are(values, kept):
    found = checked_numbers(values, "x")
    assert found.dtype == kept
    # Fractions compare exactly, NumPy and Python with a float rounded.
    assert [*map(Fraction, found.tolist())] == [*map(Fraction, np.asarray(values).tolist())]


def test_a_mask_that_hides_nothing_is_none():
    unmasked = np.ma.array([1, 0], mask=[False, False])
    assert checked_numbers(unmasked, "x").tolist() == [1, 0]
    assert checked_labels(unmasked, "y_true").tolist() == [1, 0]


@pytest.mark.parametrize(
    ("true", "predicted", "positive", "accuracy"),
    [
        (["1.1", "1.10", "1.10"], ["1.1", "1.1", "1.10"], "1.1", 2 / 3),
        (["nan", "inf"], ["inf", "inf"], "inf", 1 / 2),
        (["1.0", "2.0"], ["1.0", "1.0"], "1.0", 1 / 2),
        ([1.0, 0.0], [1, 1], True, 1 / 2),
        ([True, False], [1, 0], 1, 1),
        ([2**53 + 1, 2**53], [2**53, 2**53], 2**53, 1 / 2),
        ([2**63, 1], [1, 1], 1, 1 / 2),
        ([2**70, 2**70 + 1], [2**70, 2**70], 2**70, 1 / 2),
        ([b"a", b"b"], [b"a", b"a"], b"a", 1 / 2),
        (pd.to_datetime(["2026-05-01", "2026-06-01"]), pd.to_datetime(["2026-05-01"] * 2),
         pd.Timestamp("2026-05-01"), 1 / 2),
    ],
    ids=str,
)  # fmt: skip
def test_labels_that_are_taken_as_they_are(true, predicted, positive, accuracy):
    assert METRICS["accuracy"].score(true, predicted, pos_label=positive) == accuracy


RAGGED, STRUCTURED = [[1], [1, 2]], np.zeros(2, dtype=[("a", int)])
MASKED, LONG = np.ma.array([1, 2], mask=[False, True]), "x" * 10**5

NO_NUMBERS = [
    *([1, 2j], np.array([1, 2j], dtype=object), ["1", "2"], [1, "2"], [1, None], [np.inf]),
    *([[1, 2], [3, np.nan]], [10**400], np.array(["2020-01-01"], dtype="datetime64[D]"), MASKED),
    np.ma.array([[1, 2]], mask=[[False, True]]),
]

NO_LABELS = [
    *(RAGGED, [1j, 0], STRUCTURED, [{}, 1], np.array([*RAGGED], dtype=object), [0.9, 0.2]),
    *(["0.9", "0.2"], [LONG, "y"], [3, 7], MASKED, [2.0**53, 1.0], np.array([1, -(2.0**60)])),
    *(np.array([2**24 + 1, 1], dtype=np.float32), np.array([1e20, 1], dtype=object)),
    *(pd.Series([2**53 + 1, 1.0], dtype=object).astype(float), [2**63, 1.0]),
]
"""Labels that are refused beside 1 and 0. Floats may be other whole numbers, rounded."""

NO_PAIRS = [
    # Scores that would pass for one or two classes.
    *(([1, 1, 1], [0.3, 0.3, 0.3], 1), ([1, 1, 0], [0.3, 1.0, 1.0], 1)),
    *(([1, 1], [Decimal("0.3")] * 2, 1), (["1", "1"], ["0.3", "0.3"], "1")),
    (["1", "1"], ["3e-1", "3e-1"], "1"),
    # Text and numbers, and a positive label of another kind.
    *((["1", "1"], [1, 1], 1), ([1, 1], ["1", "1"], 1), (["1", 1], ["1", "1"], "1")),
    *((["1", "0"], np.array([1, 0], dtype=object), "1"), (["1", "1"], [True, True], "1")),
    *(([0, 0], [0, 0], "1"), (["a", "a"], ["a", "a"], 1), ([1, 1], [1, 1], "1")),
    # NumPy would make it the text "nan".
    (["a", math.nan], ["a", "b"], "a"),
    # Several labels in place of one, and a long one.
    *(([1, 0], [1, 0], label) for label in ([1], np.array([1, 0]), RAGGED, (1,), LONG)),
]

NO_WEIGHTS = [RAGGED, STRUCTURED, {1, 2}, [1, 1j], MASKED]

NO_CLASSES = [
    *(([1, 2], [1]), ([1, 1], [1, 1]), (range(3000), range(3000)), ([1, 2], ["1", "2"])),
    *(([1, 2], [1, 3], [1, 2]), ([1, 2], [1, 2], [1, 1]), ([1, 2], [1, 2], "12")),
    *(([0, 1], [0.2, 0.7]), ([0.5, 0.1], [0, 1])),
]
"""True and predicted labels, and the classes if they are given."""

NO_TRIPLES = [
    *(([1, 2], [1, 2], [1]), ([1, 1], [1, 1], [1, 1]), ([0, 1], [0, 1], [0.3, 0.7])),
    [range(MOST_COMPARED_CLASSES + 1)] * 3,
]

NO_MANY = [
    *(([0, 1, 2], [0.5, 0.25, 2]), ([0.5, 1, 2], [0, 1, 2])),
    *((["a", "b", "c"], ["a", 1, "c"]), (["0", "1", "2"], ["1.0", "1", "2"])),
]


@pytest.mark.slow
def test_what_are_no_numbers_labels_or_weights():
    def labels(true, predicted, positive=1, weights=None):
        ConfusionMatrix.from_labels(true, predicted, pos_label=positive, sample_weight=weights)

    def classes(case):
        true, predicted, *known = case
        known = known[0] if known else None
        counted_pairs(true, predicted, labels=known, sample_weight=None)

    def many(case):
        check_many_classes(*(np.array(labels, dtype=object) for labels in case))

    check_written(
        Path(__file__).with_name("no_numbers_or_labels.txt"),
        numbers=refusals(lambda values: checked_numbers(values, "x"), NO_NUMBERS),
        y_true=refusals(lambda given: labels(given, [1, 0]), NO_LABELS),
        y_pred=refusals(lambda given: labels([1, 0], given), NO_LABELS),
        pairs=refusals(lambda case: labels(*case), NO_PAIRS),
        sample_weight=refusals(lambda given: labels([1, 0], [1, 0], 1, given), NO_WEIGHTS),
        classes=refusals(classes, NO_CLASSES),
        triples=refusals(lambda case: counted_triples(*case), NO_TRIPLES),
        many_classes=refusals(many, NO_MANY),
    )


@pytest.mark.parametrize("names", [range(4), [-1.0, 0.0, 2.0, 7.0], ["d", "b", "c", "a"]])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.slow
def test_pairs_are_counted_as_scikit_learn_does(names, weighted):
    random = np.random.default_rng(0)
    true, predicted = np.array(names)[random.integers(0, 4, (2, 60))]
    weights = random.random(60) if weighted else None
    for labels in (None, list(names)[::-1]):
        counts = counted_pairs(true, predicted, labels=labels, sample_weight=weights).counts
        expected = confusion_matrix(true, predicted, labels=labels, sample_weight=weights)
        np.testing.assert_allclose(counts, expected, rtol=1e-12)


def test_numbers_that_look_like_scores_are_classes_where_they_are_given():
    counts = counted_pairs([0.5, 1.5], [0.5, 0.5], labels=[0.5, 1.5], sample_weight=None).counts
    assert counts.tolist() == [[1, 0], [1, 0]]


@pytest.mark.slow
def test_there_are_no_more_classes_than_said():
    labels = range(MOST_CLASSES)
    counts = counted_pairs(labels, labels, labels=None, sample_weight=None).counts
    assert counts.sum() == MOST_CLASSES


@pytest.mark.parametrize("weight", [1e90, 1e50, 1e308, 1e-51, 1e-90, 5e-324])
def test_weights_with_which_formulas_would_overflow_are_refused(weight):
    expected = r"sample_weight sums to .*: expected a sum from 1e-50 to 1e\+50"
    with pytest.raises(ValueError, match=expected):
        mcc.score([1, 1, 0, 0], [1, 0, 0, 0], sample_weight=[weight] * 4)
    with pytest.raises(ValueError, match=expected):
        counted_pairs([1, 1, 0, 0], [1, 0, 0, 0], labels=None, sample_weight=[weight] * 4)


@pytest.mark.parametrize("weight", [2e49, 1e-49])
def test_largest_and_smallest_weights_change_no_score(weight):
    found = mcc.score([1, 1, 0, 0], [1, 0, 0, 0], sample_weight=[weight] * 4)
    assert found == pytest.approx(1 / math.sqrt(3), rel=1e-12)


def test_triples_are_counted_one_by_one():
    random = np.random.default_rng(0)
    true, first, second = np.array(["x", "y", "z"])[random.integers(0, 3, (3, 80))]
    counted = counted_triples(true, first, second)
    assert counted.classes == ["x", "y", "z"]
    triples = list(zip(true.tolist(), first.tolist(), second.tolist(), strict=True))
    for place, count in np.ndenumerate(counted.counts):
        assert count == triples.count(tuple(counted.classes[one] for one in place))


@pytest.mark.parametrize(
    ("columns", "more"),
    [
        (([0, 1, 0], [1, 1, 1]), False),
        (([0, 0, 0], [0, 0, 0]), False),
        (([0, 1, 0], [1, 1, 2]), True),
        ((["a", "b"], ["c", "c"]), True),
        (([0, 1], ["0", "1"]), False),
        (([0, 1, 1], [0.1, 0.7, 0.9]), False),
        (([3, 3], [2, 2], [1, 1]), True),
    ],
)
def test_more_than_two_classes_are_seen(columns, more):
    names = {f"column {place}": labels for place, labels in enumerate(columns)}
    assert has_more_than_two(**names) is more
