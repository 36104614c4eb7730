"""Descriptions of the direction of a measure's good values."""

from __future__ import annotations

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "best at the value of the perfect classifier, which is between others",
    "association": "largest for the perfect classifier and for the one that is always wrong",
    "association, lowest": "smallest for the perfect classifier and for the one that is always"
    " wrong",
    "quantity": "largest if as many instances are called positive as are positive",
    "quantity, lowest": "smallest if as many instances are called positive as are positive",
    "none": "neither higher nor lower is better at all class sizes",
}

CONSTANT = "the same for all classifiers of given classes"


def direction_in_words(metric: Metric) -> str:
    """Describe good values; without direction, tell whether the value depends on the classifier.

    Examples
    --------
    >>> from skewproof.metrics.atlas import ATLAS
    >>> direction_in_words(ATLAS["error_rate"]), direction_in_words(ATLAS["base_rate"])
    ('lower is better', 'the same for all classifiers of given classes')
    """
    if metric.direction == "none":
        rates = np.random.default_rng(0).random((2, 20))
        values = metric(ConfusionMatrix.from_rates(*rates, positives=100, negatives=1000))
        if np.ptp(values) == 0:
            return CONSTANT
    return DIRECTIONS[metric.direction]
