"""Normalized values are those at 1:1 if a common factor of all counts does not matter."""

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.normalize import normalized
from skewproof.metrics import METRICS

RATES = np.random.default_rng(1).uniform(0.02, 0.98, size=(2, 200))
FACTOR = 37.0


def values(metric, positives, negatives):
    return metric(ConfusionMatrix.from_rates(*RATES, positives=positives, negatives=negatives))


def keeps_a_factor(metric):
    return np.allclose(
        values(metric, 10.0, 70.0), values(metric, 10 * FACTOR, 70 * FACTOR), rtol=1e-9, atol=1e-12
    )


def is_the_value_at_equal_sizes(metric):
    at_equal_sizes = values(metric, 500.0, 500.0)
    variant = values(normalized(metric), 20.0, 7000.0)
    return np.allclose(variant, at_equal_sizes, rtol=1e-9, atol=1e-12)


def test_the_variant_is_the_value_at_equal_sizes():
    assert [key for key, metric in METRICS.items() if is_the_value_at_equal_sizes(metric)] == [
        key for key, metric in METRICS.items() if keeps_a_factor(metric)
    ]


def test_the_laplace_estimate_is_the_papers_exception():
    assert not keeps_a_factor(METRICS["laplace"])
    others = ["accuracy", "gilbert_ratio", "f1", "cohen_kappa", "mcc", "optimized_precision"]
    others.append("mcc_f1")
    assert all(keeps_a_factor(METRICS[key]) for key in others)
