import itertools

import numpy as np
import pytest
from scipy import stats

from skewproof.metrics import get_metric
from skewproof.unlabeled.labeled_strata import LabeledStrata, stratified_estimates

Z = stats.norm.ppf(0.975)


def strata(called, sizes, labeled, positives, *, of_instances=True):
    """Draw one sample."""
    labels = np.stack([positives, np.subtract(labeled, positives)], axis=-1).astype(float)
    sizes = np.array([sizes], dtype=float)
    return LabeledStrata(np.array([called]), sizes, labels[np.newaxis], of_instances)


def number_at(deviation, size, labeled, positives):
    """Compute a stratum's positives at a deviation: quantiles for a sample of n (1 - n/N), with the
    ends of the 95 % interval half an instance further out. Labels of one class count for 0.68."""
    left = (1 - labeled / size) * (0.68 if positives in (0, labeled) else 1)
    a, b = positives * left + 0.5, (labeled - positives) * left + 0.5

    def share_at(score):
        edge = positives == 0 if score <= 0 else positives == labeled
        return float(edge and score > 0) if edge else stats.beta.ppf(stats.norm.cdf(score), a, b)

    observed, share = positives / labeled, share_at(deviation)
    end = share_at(np.copysign(Z, deviation))
    unlabeled = size - labeled
    number = unlabeled * share
    if end != observed:
        number += (share - observed) / abs(end - observed) / 2
    return positives + np.clip(number, 0, unlabeled)


@pytest.mark.parametrize(("labeled", "positives"), [(50, 0), (50, 3), (50, 50), (190, 20)])
@pytest.mark.slow
def test_precision_of_one_stratum_is_its_own_interval(labeled, positives):
    sample = strata([True, False], [200, 5000], [labeled, 10], [positives, 0])
    estimates = stratified_estimates(get_metric("precision"), [sample], 0.95)
    ends = [number_at(sign * Z, 200, labeled, positives) / 200 for sign in (-1, 1)]
    assert estimates.values == pytest.approx([positives / labeled], abs=1e-12)
    assert (estimates.low[0], estimates.high[0]) == pytest.approx(ends, abs=1e-9)
    assert estimates.high[0] - estimates.low[0] > 0.01


@pytest.mark.parametrize("missed", [0, 2, 30])
@pytest.mark.slow
def test_f1_of_two_strata_has_its_extremes_on_a_circle(missed):
    sample = strata([True, False], [300, 20_000], [60, 400], [40, missed])
    estimates = stratified_estimates(get_metric("f1"), [sample], 0.95)
    values = []
    for angle in np.linspace(0, 2 * np.pi, 721):
        tp = number_at(Z * np.cos(angle), 300, 60, 40)
        fn = number_at(Z * np.sin(angle), 20_000, 400, missed)
        values.append(2 * tp / (300 + tp + fn))
    tp, fn = 300 * 40 / 60, 20_000 * missed / 400
    assert estimates.values == pytest.approx([2 * tp / (300 + tp + fn)], rel=1e-12)
    assert estimates.low == pytest.approx([min(values)], abs=1e-4)
    assert estimates.high == pytest.approx([max([*values, estimates.values[0]])], abs=1e-4)


def test_of_many_labels_the_width_is_that_of_a_stratified_ratio():
    """F1 = 2TP/(C + K) linearized, with the variance of a stratified total (Cochran 1977)."""
    called = np.array([True, True, False])
    sizes = np.array([3e5, 2e5, 2e6])
    labeled, share = np.array([1e5, 5e4, 5e5]), np.array([0.8, 0.3, 0.05])
    sample = strata(called, sizes, labeled, labeled * share)
    positives = sizes * share
    tp, both = positives[called].sum(), positives.sum() + sizes[called].sum()
    slope = np.where(called, 2 / both, 0) - 2 * tp / both**2
    variance = slope**2 * sizes**2 * (1 - labeled / sizes) * share * (1 - share) / labeled
    estimates = stratified_estimates(get_metric("f1"), [sample], 0.95)
    assert estimates.values == pytest.approx([2 * tp / both], rel=1e-12)
    width = 2 * Z * np.sqrt(variance.sum())
    assert estimates.high - estimates.low == pytest.approx([width], rel=1 / np.sqrt(labeled.min()))


def test_without_labels_a_stratum_has_the_interval_of_its_prior():
    sample = strata([True, False], [300, 20_000], [300, 0], [200, 0])
    estimates = stratified_estimates(get_metric("recall"), [sample], 0.95)
    least, most = 20_000 * stats.beta.ppf([0.025, 0.975], 0.5, 0.5) + [-0.5, 0.5]
    assert estimates.low == pytest.approx([200 / (200 + most)], rel=1e-6)
    assert estimates.high == pytest.approx([200 / (200 + least)], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("labels", [(15, 40), (28, 90), (30, 100)])
def test_average_coverage_over_all_populations_is_the_confidence(labels):
    """Every population of 30 called and 100 called negative, some missed, and every outcome."""
    sizes = (30, 100)
    outcomes = np.array(list(itertools.product(*(range(count + 1) for count in labels)))).T
    by_truth = np.stack([outcomes.T, np.array(labels) - outcomes.T], axis=-1).astype(float)
    all_sizes = np.tile(np.array(sizes, dtype=float), (outcomes.shape[1], 1))
    sample = LabeledStrata(np.array([[True, False]]), all_sizes, by_truth, True)
    estimates = stratified_estimates(get_metric("f1"), [sample], 0.95)
    covered = []
    for tp, fn in itertools.product(range(0, 31, 3), range(0, 31, 3)):
        f1 = 2 * tp / (30 + tp + fn)
        inside = (estimates.low <= f1 + 1e-9) & (f1 - 1e-9 <= estimates.high)
        chances = [
            stats.hypergeom(size, hits, count).pmf(some)
            for size, hits, count, some in zip(sizes, (tp, fn), labels, outcomes, strict=True)
        ]
        covered.append(np.sum(inside * chances[0] * chances[1]))
    assert np.mean(covered) >= 0.95


@pytest.mark.parametrize("labeled", [20, 100, 1000])
def test_without_a_positive_the_share_ends_where_that_of_beta_does(labeled):
    """Beta(1, n), as for verified alarms without a missed case, to a fiftieth."""
    sample = strata([True, False], [300, 10**6], [60, labeled], [40, 0], of_instances=False)
    ends = stratified_estimates(get_metric("false_omission_rate"), [sample], 0.95)
    assert ends.low == [0]
    assert ends.high == pytest.approx([stats.beta.ppf(0.975, 1, labeled)], rel=0.02)
