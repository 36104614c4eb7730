import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, strategies as st
from scipy import integrate
from sklearn import metrics as sklearn_metrics

from skewproof.curves.areas.area import area
from skewproof.curves.areas.roc import multiclass_auc
from skewproof.curves.precision_recall import interpolated_precision, precision_recall_curve
from skewproof.curves.thresholds import equal_error_rate

KINDS = ("auc", "average_precision", "interpolated_average_precision")


@st.composite
def tied_scores(draw, classes=2):
    """Draw labels of both classes, and scores from a few values, so that many are equal."""
    others = draw(st.lists(st.integers(0, classes - 1), max_size=30))
    true = np.array(draw(st.permutations([*range(classes), *others])))
    columns = st.lists(st.integers(0, 6), min_size=true.size, max_size=true.size)
    scores = [np.array(draw(columns)) / 4 for _ in range(1 if classes == 2 else classes)]
    return true, scores[0] if classes == 2 else np.stack(scores, axis=1)


def by_pairs(true, scores, tie):
    """Compute AUC as the share of pairs in the right order; a tie counts as given."""
    positives, negatives = scores[true == 1], scores[true == 0]
    wins = sum(
        Fraction(1) if p > n else tie if p == n else Fraction(0)
        for p in positives
        for n in negatives
    )
    return float(wins / (len(positives) * len(negatives)))


@given(data=tied_scores())
def test_auc_counts_pairs(data):
    true, scores = data
    for ties, share in (("expected", Fraction(1, 2)), ("optimistic", 1), ("pessimistic", 0)):
        assert area("auc", true, scores, ties=ties) == pytest.approx(
            by_pairs(true, scores, share), abs=1e-14
        )


@given(data=tied_scores())
def test_precision_between_points_elsewhere_is_that_of_repeated_instances(data):
    """Each negative is there as often as makes the classes 1:3."""
    true, scores = data
    times = np.where(true == 1, np.sum(true == 0), 3 * np.sum(true == 1))
    recall = np.linspace(0, 1, 7)
    expected = interpolated_precision(np.repeat(true, times), np.repeat(scores, times), recall)
    precision = interpolated_precision(true, scores, recall, at="1:3")
    np.testing.assert_allclose(precision, expected, rtol=1e-9)


@given(data=tied_scores(classes=3))
@pytest.mark.slow
def test_multiclass_auc_is_that_of_scikit_learn(data):
    true, scores = data
    shares = (scores + 1) / (scores + 1).sum(axis=1, keepdims=True)
    expected = sklearn_metrics.roc_auc_score(true, shares, multi_class="ovr", average="weighted")
    assert multiclass_auc(true, shares) == pytest.approx(expected, abs=1e-14)


@given(data=tied_scores())
@pytest.mark.slow
def test_interpolated_area_is_the_integral_of_the_interpolated_curve(data):
    true, scores = data
    corners = np.unique(precision_recall_curve(true, scores).recall)
    integral = sum(
        integrate.quad(lambda recall: interpolated_precision(true, scores, recall), low, high)[0]
        for low, high in itertools.pairwise(corners)
    )
    assert area("interpolated_average_precision", true, scores) == pytest.approx(integral, abs=1e-9)


def test_interpolation_by_hand():
    """Section 5 has precision 0.778 at recall 0.35, between (tp, fp) = (3, 1) and (4, 1)."""
    true = [1, 1, 0, 1, 1] + [1] * 6 + [0] * 9
    scores = -np.arange(20.0)
    middle = interpolated_precision(true, scores, 0.35)
    assert middle == pytest.approx(3.5 / 4.5)
    two_thirds = interpolated_precision([1, 0, 0, 1], [3, 2, 1, 1], [0, 0.5, 0.75, 1])
    np.testing.assert_allclose(two_thirds, [1, 1, 1.5 / 3, 2 / 4])


def test_the_curve_starts_with_the_precision_of_its_first_step():
    assert interpolated_precision([0, 1], [2, 1], [0, 1]).tolist() == [0, 0.5]
    assert interpolated_precision([0, 1], [1, 1], [0, 0.5, 1]).tolist() == [0.5, 0.5, 0.5]


@given(data=tied_scores())
def test_equal_error_rate_is_on_the_roc_curve_and_its_diagonal(data):
    fpr, tpr, _ = sklearn_metrics.roc_curve(*data)
    rate = equal_error_rate(*data).rate
    segments = np.stack([fpr[:-1], fpr[1:], tpr[:-1], tpr[1:]], axis=1)
    near = []
    for x0, x1, y0, y1 in segments:
        # Distance of (rate, 1 - rate) from the segment, of which at least one must be 0.
        along = np.array([x1 - x0, y1 - y0])
        point = np.array([rate - x0, 1 - rate - y0])
        share = np.clip(point @ along / (along @ along), 0, 1)
        near.append(np.hypot(*(point - share * along)))
    assert min(near) < 1e-12


def test_equal_error_rate_by_hand():
    far_and_frr = equal_error_rate([1, 0, 1, 0], [4, 3, 2, 1])
    assert far_and_frr == (0.5, 3)
    assert equal_error_rate([1, 1, 0, 0], [4, 3, 2, 1]) == (0, 3)


def test_an_equal_error_rate_shows_its_summary():
    result = equal_error_rate([1, 0, 1, 0, 0], [5, 4, 3, 2, 1])
    assert "cross at 0.3333." in repr(result)
    assert "Threshold: 4," in repr(result)
    assert "cross at 0.3333." in result._repr_html_()


@given(data=tied_scores(), offset=st.sampled_from([2**53, 2**62, -(2**63), 2**63]))
def test_scores_beyond_2_to_the_53_are_told_apart(data, offset):
    """Whole numbers whose floats are equal rank as small ones do."""
    true, scores = data
    small = np.round(4 * scores).astype(np.int64)
    large = np.array([offset + score for score in small.tolist()])
    assert large.dtype == (np.uint64 if offset == 2**63 else np.int64)
    for kind in KINDS:
        assert area(kind, true, large) == area(kind, true, small)
    curves = precision_recall_curve(true, large), precision_recall_curve(true, small)
    for numbers, expected in zip(curves[0][:-1], curves[1][:-1], strict=True):
        np.testing.assert_array_equal(numbers, expected)
    assert equal_error_rate(true, large).rate == equal_error_rate(true, small).rate
    columns = np.stack([-small, small], axis=1)
    wide = np.array([[2**62 + score for score in row] for row in columns.tolist()])
    assert multiclass_auc(true, wide) == multiclass_auc(true, columns)


@pytest.mark.parametrize(
    ("true", "scores", "message"),
    [
        ([], [], "y_true is empty"),
        ([1, 0], [0.5, 1j], "y_score is of the type complex128: expected a finite score"),
        (np.ma.array([1, 0], mask=[0, 1]), [0.5, 0.6], r"y_true\[1\] is masked: expected a value"),
        ([1, 0], [0.5], "y_true and y_score have 2 and 1 entries: expected equal lengths"),
        ([1, 1], [0.5, 0.6], "2 of 2 labels are pos_label = 1: expected both classes"),
        ([0, 1, 2], [0.1, 0.2, 0.3], "3 classes, 0, 1, 2: expected two"),
    ],
)
def test_bad_scores_are_refused(true, scores, message):
    with pytest.raises(ValueError, match=message):
        precision_recall_curve(true, scores)


@pytest.mark.parametrize(
    ("true", "scores", "message"),
    [
        ([], [], "y_true is empty"),
        ([1, 1], [[0.1], [0.2]], "y_true has one class"),
        (np.array([1, "a"], object), [[1, 2], [1, 2]], "y_true has labels that can't be sorted"),
        ([0, 1, 2], [[0.1, 0.2]] * 3, r"y_score has the shape \(3, 2\): expected \(3, 3\)"),
        ([0, 1, np.nan], np.zeros((3, 2)), r"y_true\[2\] = nan: expected a label"),
        ([0, 1], [[0.1, 0.2], [np.nan, 0.3]], r"y_score\[1, 0\] = nan: expected a finite score"),
    ],
)
def test_bad_scores_of_several_classes_are_refused(true, scores, message):
    with pytest.raises(ValueError, match=message):
        multiclass_auc(true, scores)


def test_a_bad_recall_is_refused():
    with pytest.raises(ValueError, match=r"recall\[1\] = 1.5: expected a number from 0 to 1"):
        interpolated_precision([1, 0], [0.1, 0.2], [0.5, 1.5])


def test_a_curve_is_shown_by_the_ranges_of_its_numbers():
    curve = precision_recall_curve([0, 1] * 20, np.arange(40) / 40)
    for name, numbers in curve._asdict().items():
        shown = f"{numbers.min():.4g} to {numbers.max():.4g}"
        assert f"{name}={len(numbers)} numbers from {shown}" in repr(curve)


@given(data=tied_scores(), odds=st.floats(0.01, 1e5))
def test_the_curve_elsewhere_is_that_of_scikit_learn_with_weights_of_the_classes(data, odds):
    true, scores = data
    weights = np.where(true == 1, 1, odds * np.sum(true == 1) / np.sum(true == 0))
    precision, recall, thresholds = sklearn_metrics.precision_recall_curve(
        true, scores, sample_weight=weights
    )
    curve = precision_recall_curve(true, scores, at=1 / (1 + odds))
    np.testing.assert_allclose(curve.recall[1:], recall[-2::-1], atol=1e-15)
    np.testing.assert_allclose(curve.precision[1:], precision[-2::-1], rtol=1e-9)
    np.testing.assert_array_equal(curve.thresholds[1:], thresholds[::-1])
    # scikit-learn has 1 here; Section 5 has the precision of the second point.
    assert (curve.recall[0], curve.precision[0]) == (0, curve.precision[1])
