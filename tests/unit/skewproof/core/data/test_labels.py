"""Cells of weighted labels by exact sums, and the labels, scores and weights that are refused."""

import math
from decimal import Decimal
from fractions import Fraction

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


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 2j], "x is of the type complex128: expected a finite number"),
        (np.array([1, 2j], dtype=object), r"x\[1\] = 2j: expected a finite number"),
        (["1", "2"], "x is of the type <U1: expected a finite number"),
        ([1, "2"], "expected a finite number"),
        ([1, None], r"x\[1\] = None: expected a finite number"),
        ([[1, 2], [3, np.nan]], r"x\[1, 1\] = nan: expected a finite number"),
        ([np.inf], r"x\[0\] = inf: expected a finite number"),
        ([10**400], "x has a number too large for a float"),
        (np.array(["2020-01-01"], dtype="datetime64[D]"), "x is of the type datetime64"),
        (np.ma.array([1, 2], mask=[False, True]), r"x\[1\] is masked: expected a value"),
        (np.ma.array([[1, 2]], mask=[[False, True]]), r"x\[0, 1\] is masked: expected a value"),
    ],
)
def test_what_is_no_number_is_refused(values, message):
    with pytest.raises(ValueError, match=message):
        checked_numbers(values, "x")


def test_a_mask_that_hides_nothing_is_none():
    unmasked = np.ma.array([1, 0], mask=[False, False])
    assert checked_numbers(unmasked, "x").tolist() == [1, 0]
    assert checked_labels(unmasked, "y_true").tolist() == [1, 0]


RAGGED, STRUCTURED = [[1], [1, 2]], np.zeros(2, dtype=[("a", int)])


@pytest.mark.parametrize("name", ["y_true", "y_pred"])
@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (RAGGED, "{} is ragged .its entries differ in length.: expected an array of labels"),
        ([1j, 0], "{} is of the type complex128: expected labels"),
        (STRUCTURED, r"{} is of the type \[\('a', '<i8'\)\]: expected labels"),
        ([{}, 1], "{} contains a dict: expected labels"),
        (np.array([*RAGGED], dtype=object), "{} contains a list: expected labels"),
        ([0.9, 0.2], "{} has 2 different numbers, 0.2, 0.9: these look like scores; expected la"),
        (["0.9", "0.2"], "{} has 2 different numbers, '0.2', '0.9': these look like scores"),
        (["x" * 10**5, "y"], r"the labels mix numbers \(0\) and text \('xxx.*\(100002 char"),
        ([3, 7], "4 classes, 0, 1, 3, 7: expected two"),
    ],
    ids=lambda value: str(value)[:20],
)
@pytest.mark.slow
def test_what_is_no_list_of_labels(name, labels, message):
    given = {"y_true": [1, 0], "y_pred": [1, 0]} | {name: labels}
    with pytest.raises(ValueError, match=message.format(name)) as caught:
        ConfusionMatrix.from_labels(**given)
    assert len(str(caught.value)) < 2000


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([1, 1, 1], [0.3, 0.3, 0.3], "y_pred has one number, 0.3: it looks like a score; expected"),
        ([1, 1, 0], [0.3, 1.0, 1.0], "y_pred has 2 different numbers, 0.3, 1.0: these look like"),
        ([1, 1], [Decimal("0.3")] * 2, "y_pred has one number, Decimal('0.3'): it looks like"),
        (["1", "1"], ["0.3", "0.3"], "y_pred has one number, '0.3': it looks like a score; exp"),
        (["1", "1"], ["3e-1", "3e-1"], "y_pred has one number, '3e-1': it looks like a score"),
    ],
)
@pytest.mark.slow
def test_scores_that_would_pass_for_one_or_two_classes(true, predicted, message):
    """scikit-learn refuses these numbers, too: continuous is not supported."""
    expected = r"labels of two classes, such as y_score >= 0\.5$"
    with pytest.raises(ValueError, match=expected) as error:
        ConfusionMatrix.from_labels(true, predicted, pos_label=type(true[0])(1))
    assert str(error.value).startswith(message)
    if not isinstance(predicted[0], (str, Decimal)):
        with pytest.raises(ValueError, match="continuous"):
            confusion_matrix(true, predicted)


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


@pytest.mark.parametrize(
    ("true", "predicted", "positive"),
    [
        (["1", "1"], [1, 1], 1),
        ([1, 1], ["1", "1"], 1),
        (["1", "0"], np.array([1, 0], dtype=object), "1"),
        (["1", 1], ["1", "1"], "1"),
        (["1", "1"], [True, True], "1"),
    ],
)
def test_text_and_numbers_are_not_mixed(true, predicted, positive):
    """scikit-learn refuses the mix of two columns, too."""
    message = r"the labels mix numbers \((0|1|True)\) and text \('[01]'\): expected labels of one"
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_labels(true, predicted, pos_label=positive)
    if len({type(label) for label in true}) == 1:
        with pytest.raises((ValueError, TypeError), match=r"(?i)mix of|same type"):
            confusion_matrix(true, predicted)


@pytest.mark.parametrize(("labels", "positive"), [([0, 0], "1"), (["a", "a"], 1), ([1, 1], "1")])
def test_a_positive_label_of_another_kind_is_refused_though_there_is_one_class(labels, positive):
    message = rf"pos_label = {positive!r}: expected one of the labels {labels[0]!r}$"
    with pytest.raises(ValueError, match=message):
        ConfusionMatrix.from_labels(labels, labels, pos_label=positive)


@pytest.mark.parametrize(
    ("labels", "float_"),
    [
        ([2.0**53, 1.0], "9007199254740992"),
        (np.array([1, -(2.0**60)]), "-1152921504606846976"),
        (np.array([2**24 + 1, 1], dtype=np.float32), "16777216"),
        (pd.Series([2**53 + 1, 1.0], dtype=object).astype(float), "9007199254740992"),
        (np.array([1e20, 1], dtype=object), "100000000000000000000"),
        ([2**63, 1.0], "9223372036854775808"),
    ],
)
def test_floats_that_may_be_other_whole_numbers_are_refused(labels, float_):
    with pytest.raises(ValueError, match=f"y_pred has the float {float_}, to which other whole"):
        ConfusionMatrix.from_labels([1, 0], labels)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"sample_weight": RAGGED}, "sample_weight is ragged .its entries differ"),
        ({"sample_weight": STRUCTURED}, "sample_weight is of the type"),
        ({"sample_weight": {1, 2}}, r"sample_weight = \{1, 2\}: expected a finite number"),
        ({"sample_weight": [1, 1j]}, "sample_weight is of the type complex128"),
        *(
            ({name: np.ma.array([1, 0], mask=[False, True])}, rf"{name}\[1\] is masked")
            for name in ("y_true", "y_pred", "sample_weight")
        ),
        # NumPy would make it the text "nan".
        ({"y_true": ["a", math.nan], "pos_label": "a"}, r"y_true\[1\] = nan: expected a label"),
        *(
            ({"pos_label": label}, r"pos_label = .*: expected one label")
            for label in ([1], np.array([1, 0]), RAGGED, (1,))
        ),
        ({"pos_label": "x" * 10**6}, "expected one of the labels 0, 1"),
    ],
)
def test_what_is_no_list_of_weights_and_no_label_is_refused(given, message):
    with pytest.raises(ValueError, match=message) as caught:
        ConfusionMatrix.from_labels(**{"y_true": [1, 0], "y_pred": [1, 0]} | given)
    assert len(str(caught.value)) < 300


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


@pytest.mark.parametrize(
    ("true", "predicted", "labels", "message"),
    [
        ([1, 2], [1], None, "y_true and y_pred have 2 and 1 entries: expected equal lengths"),
        ([1, 1], [1, 1], None, "1 classes, 1: expected at least 2 and at most 2000"),
        (range(3000), range(3000), None, "3000 classes, 0, 1, 2, 3, 4, ...: expected at least 2"),
        ([1, 2], ["1", "2"], None, "the labels 1, '1', 2, '2' have no order: expected one"),
        ([1, 2], [1, 3], [1, 2], "y_pred has 3: expected one of 1, 2"),
        ([1, 2], [1, 2], [1, 1], r"labels = \[1, 1\]: expected at least 2 classes, each once"),
        ([1, 2], [1, 2], "12", "labels = '12': expected at least 2 classes, each once"),
        ([0, 1], [0.2, 0.7], None, "y_pred has 2 different numbers, 0.2, 0.7: these look like sco"),
        ([0.5, 0.1], [0, 1], None, "y_true has 2 different numbers, 0.1, 0.5: these look like sco"),
    ],
)
def test_labels_of_which_no_pairs_are_counted(true, predicted, labels, message):
    with pytest.raises(ValueError, match=message):
        counted_pairs(true, predicted, labels=labels, sample_weight=None)


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


@pytest.mark.parametrize(
    ("true", "predicted", "message"),
    [
        ([0, 1, 2], [0.5, 0.25, 2], "y_pred has 3 different numbers, .* these look like scores"),
        ([0.5, 1, 2], [0, 1, 2], "y_true has 3 different numbers, .* these look like scores"),
        (["a", "b", "c"], ["a", 1, "c"], "the labels mix numbers .1. and text .'a'."),
        (
            ["0", "1", "2"],
            ["1.0", "1", "2"],
            "the labels '1', '1.0' are the same number: expected one",
        ),
    ],
)
def test_labels_of_many_classes_that_are_refused(true, predicted, message):
    both = (np.array(labels, dtype=object) for labels in (true, predicted))
    with pytest.raises(ValueError, match=message):
        check_many_classes(*both)


def test_labels_of_many_classes_need_no_order():
    check_many_classes(np.array([3, 1, 2]), np.array([2, 2, 9]))
    check_many_classes(np.array(["b", "a"]), np.array(["c", "c"]))


def test_triples_are_counted_one_by_one():
    random = np.random.default_rng(0)
    true, first, second = np.array(["x", "y", "z"])[random.integers(0, 3, (3, 80))]
    counted = counted_triples(true, first, second)
    assert counted.classes == ["x", "y", "z"]
    triples = list(zip(true.tolist(), first.tolist(), second.tolist(), strict=True))
    for place, count in np.ndenumerate(counted.counts):
        assert count == triples.count(tuple(counted.classes[one] for one in place))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        (([1, 2], [1, 2], [1]), "have 2 and 2 and 1 entries: expected equal lengths"),
        (([1, 1], [1, 1], [1, 1]), "1 classes, 1: expected at least 2 and at most 50"),
        (([range(MOST_COMPARED_CLASSES + 1)] * 3), "51 classes, 0, 1, 2, 3, 4, ...: expected at l"),
        (([0, 1], [0, 1], [0.3, 0.7]), "second has 2 different numbers, 0.3, 0.7: these look lik"),
    ],
)
def test_labels_of_which_no_triples_are_counted(columns, message):
    with pytest.raises(ValueError, match=message):
        counted_triples(*columns)


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
