"""Rule for weights: whole numbers are counts, and others are worth Kish's effective sizes."""

from fractions import Fraction

import numpy as np
import pytest

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.data.weights import effective_sizes, sampled_sizes
from skewproof.intervals.metric_interval import interval
from skewproof.multiclass.matrix import MulticlassConfusionMatrix
from skewproof.prevalence.prevalence import Prevalence
from skewproof.prevalence.projection import project

TRUE, PREDICTED = [1, 1, 1, 0, 0, 0, 0], [1, 0, 1, 1, 0, 0, 0]
WEIGHTS = [0.5, 1.0, 0.25, 2.0, 0.75, 0.5, 0.0]


def kish(weights):
    exact = list(map(Fraction, weights))
    return sum(exact) ** 2 / sum(one**2 for one in exact)


def test_effective_sizes_are_those_of_kish():
    matrix = ConfusionMatrix.from_labels(TRUE, PREDICTED, sample_weight=WEIGHTS)
    expected = [float(kish(WEIGHTS[:3])), float(kish(WEIGHTS[3:]))]
    assert matrix.effective == pytest.approx(expected, rel=1e-15)
    counts = matrix.effective_counts
    assert [float(counts.positives), float(counts.negatives)] == pytest.approx(expected)
    assert [float(counts.tpr), float(counts.fpr)] == pytest.approx([0.75 / 1.75, 2 / 3.25])
    assert counts.effective is None


@pytest.mark.parametrize("unit", [1e-30, 0.01, 50, 1e30])
def test_effective_sizes_do_not_depend_on_the_unit(unit):
    rows = np.array(TRUE)
    weights = unit * np.array(WEIGHTS) / 3
    expected = effective_sizes(np.array(WEIGHTS), rows, 2)
    assert effective_sizes(weights, rows, 2) == pytest.approx(expected, rel=1e-12)


def test_a_class_has_its_effective_size_beside_much_larger_weights():
    weights = np.array([1e-200, 3e-200, 0.5, 0.5, 0])
    sizes = effective_sizes(weights, np.array([0, 0, 1, 1, 2]), 3)
    assert sizes == pytest.approx([1.6, 2, 0])


def test_whole_numbers_are_counts():
    matrix = ConfusionMatrix.from_labels(TRUE, PREDICTED, sample_weight=[3, 2, 1, 5, 4, 1, 2])
    assert matrix.effective is None
    assert matrix.effective_counts is matrix


@pytest.mark.slow
def test_class_sizes_have_the_variance_of_weighted_shares():
    """Shares of drawn samples vary as much as those of multinomial samples of these sizes."""
    random = np.random.default_rng(0)
    shares, size, samples = np.array([0.6, 0.3, 0.1]), 500, 20_000
    rows = random.choice(3, (samples, size), p=shares)
    spread = np.array([1.0, 0.3, 0.0])[rows]
    weights = np.exp(spread * random.standard_normal(rows.shape) - spread**2 / 2)
    sums = np.stack([np.where(rows == one, weights, 0).sum(axis=1) for one in range(3)], axis=1)
    squares = [np.where(rows == one, weights**2, 0).sum(axis=1) for one in range(3)]
    effective = sums**2 / np.stack(squares, axis=1)
    measured = (sums / sums.sum(axis=1, keepdims=True)).var(axis=0).sum()
    worth = sampled_sizes(sums, effective).sum(axis=1)
    expected = (shares * (1 - shares)).sum() / np.median(worth)
    assert expected == pytest.approx(measured, rel=0.05)


@pytest.mark.parametrize("sizes", [[40.0, 400.0], [3.0, 5.0, 1e-9], [7.0, 0.0]])
def test_unweighted_classes_have_their_own_sizes(sizes):
    assert sampled_sizes(np.array(sizes), np.array(sizes)).tolist() == sizes


def test_two_classes_have_the_same_interval_in_either_matrix():
    two = ConfusionMatrix.from_labels(TRUE * 20, PREDICTED * 20, sample_weight=WEIGHTS * 20)
    many = MulticlassConfusionMatrix.from_labels(
        TRUE * 20, PREDICTED * 20, labels=[1, 0], sample_weight=WEIGHTS * 20
    )
    for at in ("population", "test set"):
        first, second = interval("accuracy", two, at=at), interval("accuracy", many, at=at)
        assert (first.low, first.high) == pytest.approx((second.low, second.high), abs=2e-3)
    assert many.pair.effective == pytest.approx(two.effective)


def test_a_projected_matrix_keeps_what_its_weights_are_worth():
    matrix = ConfusionMatrix.from_labels(TRUE * 9, PREDICTED * 9, sample_weight=WEIGHTS * 9)
    there, counts = interval("f1", project(matrix, at="1:9")), matrix.effective_counts
    expected = interval("f1", counts, at="1:9")
    assert (there.value, there.low, there.high) == pytest.approx(
        (expected.value, expected.low, expected.high)
    )


@pytest.mark.parametrize("effective", [(1.0,), (1.0, -1.0), (1.0, np.nan), 5, "ab"])
def test_wrong_effective_sizes_are_refused(effective):
    with pytest.raises(ValueError, match="effective = "):
        ConfusionMatrix(tp=1, fp=1, fn=1, tn=1, effective=effective)
    with pytest.raises(ValueError, match="effective = "):
        MulticlassConfusionMatrix(np.ones((2, 2)), effective=effective)


def test_where_only_counts_are_read_the_way_out_is_named():
    many = MulticlassConfusionMatrix.from_labels(TRUE, PREDICTED, sample_weight=WEIGHTS)
    with pytest.raises(ValueError, match=r"reference = .*expected .*effective_counts"):
        Prevalence.from_predictions(many, called={0: 3, 1: 2})
    two = ConfusionMatrix.from_labels(TRUE * 50, TRUE * 50, sample_weight=WEIGHTS * 50)
    with pytest.raises(ValueError, match=r"(?s)sums of weights.*expected .*effective_counts"):
        Prevalence.from_predictions(two, called=3, total=5)
    worth = two.effective_counts
    found = interval("f1", worth, at=Prevalence.from_predictions(worth, called=3, total=5))
    assert found.low <= found.value <= found.high
