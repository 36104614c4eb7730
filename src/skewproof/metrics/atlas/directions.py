"""What a good value of a measure is, in words."""

from __future__ import annotations

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.metric import Metric

DIRECTIONS = {
    "higher": "higher is better",
    "lower": "lower is better",
    "target": "best at the value of the perfect classifier, between others",
    "association": "largest for the perfect classifier and for the one that is always wrong",
    "association, lowest": "smallest for the perfect classifier and for the one that is always"
    " wrong",
    "quantity": "largest wherever as many are called positive as are",
    "quantity, lowest": "smallest wherever as many are called positive as are",
    "none": "neither higher nor lower is better at all class sizes",
}

CONSTANT = "the same for all classifiers of given classes"


def direction_in_words(metric: Metric) -> str:
    """What a good value is; of a measure without direction, whether any classifier changes it.

    Examples
    --------
    >>> from skewproof import ATLAS
    >>> direction_in_words(ATLAS["error_rate"]), direction_in_words(ATLAS["base_rate"])
    ('lower is better', 'the same for all classifiers of given classes')
    """
    if metric.direction == "none":
        rates = np.random.default_rng(0).random((2, 20))
        values = metric(ConfusionMatrix.from_rates(*rates, positives=100, negatives=1000))
        if np.ptp(values) == 0:
            return CONSTANT
    return DIRECTIONS[metric.direction]
