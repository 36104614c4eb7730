import numpy as np
import pytest
from sklearn.metrics import confusion_matrix

from skewproof.curves.thresholds import mcc_f1_curve, mcc_f1_score, threshold_matrices
from skewproof.metrics.agreement import mcc
from skewproof.metrics.composite import mcc_f1
from skewproof.metrics.precision_recall import f1
from skewproof.prevalence.prevalence import Prevalence


def scores(number=300, ties=True, seed=0):
    random = np.random.default_rng(seed)
    true = random.random(number) < 0.2
    values = random.normal(true, 1)
    return true.astype(int), np.round(values, 1) if ties else values


def test_the_curve_has_the_scores_at_each_threshold():
    true, values = scores()
    curve = mcc_f1_curve(true, values)
    for x, y, threshold in zip(*curve, strict=True):
        predicted = (values >= threshold).astype(int)
        assert x == pytest.approx((mcc.score(true, predicted) + 1) / 2)
        assert y == pytest.approx(f1.score(true, predicted))


@pytest.mark.slow
def test_matrices_at_another_prevalence_have_negatives_of_another_weight():
    true, values = scores()
    observed, thresholds = threshold_matrices(true, values)
    projected, same = threshold_matrices(true, values, at="1:1000")
    assert same.tolist() == thresholds.tolist()
    weights = np.where(true, 1, 1000 * true.sum() / (true == 0).sum())
    for index, threshold in enumerate(thresholds):
        expected = confusion_matrix(true, values >= threshold, sample_weight=weights)
        cells = [getattr(projected, cell)[index] for cell in ("tn", "fp", "fn", "tp")]
        np.testing.assert_allclose(cells, expected.ravel(), rtol=1e-12, atol=1e-9)
    assert projected.origin.matrix.fp.tolist() == observed.fp.tolist()
    assert str(projected.origin.at) == "1:1000"
    assert threshold_matrices(true, values, at="population")[0].origin is None


@pytest.mark.parametrize(
    "at", ["12/4000", "0.001..0.01", Prevalence.believed(2, 500), "anywhere", 0]
)
def test_matrices_are_projected_to_a_stated_prevalence_only(at):
    with pytest.raises(ValueError, match=r"at = .*: expected a "):
        threshold_matrices([1, 0], [0.1, 0.2], at=at)


@pytest.mark.parametrize(("at", "odds"), [("1:20", 20), (0.5, 1), ("2/102", 50)])
def test_the_curve_at_another_prevalence_is_that_of_weights_of_the_classes(at, odds):
    true, values = scores()
    weights = np.where(true, 1, odds * true.sum() / (true == 0).sum())
    curve, expected = (
        mcc_f1_curve(true, values, at=at),
        mcc_f1_curve(true, values, sample_weight=weights),
    )
    np.testing.assert_allclose(curve.unit_mcc, expected.unit_mcc, rtol=1e-12)
    np.testing.assert_allclose(curve.f1, expected.f1, rtol=1e-12)
    score = mcc_f1_score(true, values, at=at)
    assert score == pytest.approx(mcc_f1_score(true, values, sample_weight=weights))
    assert abs(score - mcc_f1_score(true, values)) > 0.01


def by_definition(true, values, subranges):
    """Compute Eqs. 29 to 34, term by term."""
    x, y, _ = mcc_f1_curve(true, values)
    distance = np.sqrt((x - 1) ** 2 + (y - 1) ** 2)
    width = (x.max() - x.min()) / subranges
    best = int(np.argmax(x))
    means = []
    for side in (range(best + 1), range(best + 1, x.size)):
        for j in range(subranges):
            last = j == subranges - 1
            low, high = x.min() + j * width, x.min() + (j + 1) * width
            inside = [i for i in side if low <= x[i] < high or (last and x[i] >= high)]
            if inside:
                means.append(distance[inside].mean())
    return 1 - np.mean(means) / np.sqrt(2)


@pytest.mark.parametrize("seed", range(5))
def test_the_metric_by_its_definition(seed):
    true, values = scores(seed=seed, ties=False)
    assert mcc_f1_score(true, values, subranges=10) == pytest.approx(
        by_definition(true, values, 10), abs=1e-12
    )


def test_one_threshold_is_the_metric_of_one_matrix():
    """Eq. 35 to 37: the other threshold calls everything positive, where MCC is undefined."""
    sizes = [9, 4, 3, 20]
    true, predicted = np.repeat([1, 0, 1, 0], sizes), np.repeat([1, 1, 0, 0], sizes)
    assert mcc_f1_score(true, predicted) == pytest.approx(mcc_f1.score(true, predicted))


def test_thresholds_beyond_2_to_the_53_stay_what_they_are():
    """The labels at the given threshold are those that the matrix counts."""
    scores_of_ids = np.array([2**53 + 1, 2**53, 2**53 + 2, 5])
    true = np.array([1, 0, 1, 0])
    matrix, thresholds = threshold_matrices(true, scores_of_ids)
    assert thresholds.tolist() == [2**53 + 2, 2**53 + 1, 2**53, 5]
    for threshold, tp, fp in zip(thresholds, matrix.tp, matrix.fp, strict=True):
        called = scores_of_ids >= threshold
        assert (tp, fp) == (sum(called & (true == 1)), sum(called & (true == 0)))


def test_constant_scores_are_refused():
    with pytest.raises(ValueError, match="y_score is constant"):
        mcc_f1_score([1, 0], [0.5, 0.5])


def test_more_subranges_than_points_take_no_more_work():
    """A subrange each, so that all points count alike: the mean of the distances is by hand."""
    true, scores = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
    curve = mcc_f1_curve(true, scores)
    distances = np.hypot(1 - curve.unit_mcc, 1 - curve.f1)
    # Two points at the same MCC are in a subrange of their own each, on the two sides.
    assert len(distances) == 3
    assert mcc_f1_score(true, scores, subranges=10**9) == pytest.approx(
        1 - distances.mean() / np.sqrt(2)
    )
