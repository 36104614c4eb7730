import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.exact import exact_indices
from skewproof.sensitivity.sampled import sobol_indices

EVERY_METRIC = [bounded(metric) for metric in METRICS.values()]
REFERENCE = pd.read_csv(Path(__file__).parents[2] / "reference/mpmath_indices.csv")


def made(function, **options):
    """A metric that is not registered."""
    return Metric(function.__name__, "f", "made for a test", "here", function, **options)


def exact(metric, level="1:1"):
    found = exact_indices([metric], positives=100, negatives=Level.parse(level).negatives(100))
    return type(found)(*(part[0] for part in found))


@pytest.mark.parametrize(
    "row", list(REFERENCE.itertuples()), ids=lambda row: f"{row.metric} {row.level}"
)
def test_against_mpmath_at_30_digits(row):
    found = exact(METRICS[row.metric], row.level)
    tolerance = 1e-9 if "000000" in row.level else 1e-12
    np.testing.assert_allclose(found.s1, [row.s1_tp, row.s1_fp], rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.st, [1 - row.s1_fp, 1 - row.s1_tp], rtol=0, atol=tolerance)
    np.testing.assert_allclose(found.s12, 1 - row.s1_tp - row.s1_fp, rtol=0, atol=tolerance)
    np.testing.assert_allclose(
        [found.mean, found.variance], [row.mean, row.variance], rtol=0, atol=tolerance
    )
    assert found.index_error <= tolerance
    assert found.moment_error <= tolerance


@pytest.mark.parametrize(
    ("level", "largest"),
    [
        ("1:1", 1e-12),
        ("1:1000", 1e-12),
        ("1000:1", 1e-12),
        ("1:1000000", 1e-9),
        ("1000000:1", 1e-9),
    ],
)
def test_every_metric_is_resolved(level, largest):
    negatives = Level.parse(level).negatives(100)
    found = exact_indices(EVERY_METRIC, positives=100, negatives=negatives)
    assert found.index_error.max() <= largest
    assert found.moment_error.max() <= largest
    for part in found:
        assert np.isfinite(part).all()


@pytest.mark.parametrize("level", ["1:1", "1:10", "7:3", "1:1000000"])
def test_accuracy_in_closed_form(level):
    negatives = Level.parse(level).negatives(100)
    found = exact(METRICS["accuracy"], level)
    share = np.array([100**2, negatives**2]) / (100**2 + negatives**2)
    np.testing.assert_allclose(found.s1, share, rtol=0, atol=1e-14)
    assert found.mean == pytest.approx(1 / 2, abs=1e-14)
    variance = (100**2 + negatives**2) / (12 * (100 + negatives) ** 2)
    assert found.variance == pytest.approx(variance, abs=1e-14)


def test_product_in_closed_form():
    found = exact(made(lambda c: c.tpr * c.fpr))
    np.testing.assert_allclose(found.s1, 3 / 7, rtol=1e-13)
    np.testing.assert_allclose(found.st, 4 / 7, rtol=1e-13)
    assert found.s12 == pytest.approx(1 / 7, rel=1e-13)
    assert found.mean == pytest.approx(1 / 4, rel=1e-13)
    assert found.variance == pytest.approx(7 / 144, rel=1e-13)


def test_only_one_input_matters():
    found = exact(made(lambda c: c.tpr))
    np.testing.assert_allclose(found.s1, [1, 0], rtol=0, atol=1e-13)
    assert found.variance == pytest.approx(1 / 12, rel=1e-13)


def test_invariant_metrics_have_the_same_indices_at_every_level():
    op_i = METRICS["optimized_precision_i"]
    for level in ["1:2", "1:1000", "50:1"]:
        np.testing.assert_allclose(exact(op_i, level).s1, exact(op_i).s1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(exact(op_i).s1, 0.391501, rtol=0, atol=5e-7)


def test_exchanging_the_classes_exchanges_the_inputs():
    # MCC takes the same value when both classes and predictions change their names.
    one, other = exact(METRICS["mcc"], "1:50"), exact(METRICS["mcc"], "50:1")
    np.testing.assert_allclose(one.s1, other.s1[::-1], rtol=0, atol=1e-13)


def test_sampling_comes_to_the_same_values():
    level = Level.parse("1:10")
    sampled = sobol_indices(
        EVERY_METRIC, level, 100, log2_samples=14, resamples=2, confidence=0.95, seed=3
    )
    found = exact_indices(EVERY_METRIC, positives=100, negatives=1000)
    np.testing.assert_allclose(sampled.s1, found.s1, rtol=0, atol=2e-3)
    np.testing.assert_allclose(sampled.st, found.st, rtol=0, atol=2e-2)


@pytest.mark.parametrize(
    "metric",
    [
        dataclasses.replace(METRICS["optimized_precision"], kink_at_equal_rates=False),
        made(lambda c: np.where(c.tpr > 0.3, c.tnr, c.tpr)),
        made(lambda c: np.where(c.tpr > 0.3, c.tnr, np.nan)),
        made(lambda c: 0 * c.tp + 1),
    ],
    ids=["kink", "jump", "undefined", "constant"],
)
def test_what_is_not_resolved_says_so(metric, caplog):
    found = exact(metric)
    for part in (found.s1, found.st, found.s12, found.mean, found.variance):
        assert np.isnan(part).all()
    assert not found.index_error <= 1e-8
    assert "is not resolved" in caplog.text


def test_a_declared_kink_costs_no_accuracy():
    # |tpr - tnr| = |u + v - 1|: mean 1/3, second moment 1/6.
    found = exact(made(lambda c: abs(c.tpr - c.tnr), kink_at_equal_rates=True))
    assert found.mean == pytest.approx(1 / 3, abs=1e-14)
    assert found.variance == pytest.approx(1 / 6 - 1 / 9, abs=1e-14)
    # Given u the mean is (u² + (1 - u)²)/2, whose variance is 1/180.
    np.testing.assert_allclose(found.s1, 1 / 10, rtol=0, atol=1e-13)
