"""The measures that the study compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from skewproof.core.metric import Metric
from skewproof.core.normalize import normalized
from skewproof.core.registry import Registry
from skewproof.metrics import METRICS
from skewproof.metrics.lookup import get_metric
from skewproof_studies.settings.definitions import study_metrics


def compared_measures(metrics: Mapping[str, Any], texts: Iterable[str]) -> Registry[Metric]:
    """Return metrics, measures that were proposed, and normalized variants of these.

    A measure that is one of the metrics, or a variant that is, is not repeated.

    Parameters
    ----------
    metrics
        Arguments of :func:`skewproof_studies.settings.definitions.study_metrics`.
    texts
        Keys of measures, or members of families.

    Examples
    --------
    >>> metrics = {"keys": ["f1", "f1_i"], "definitions": {}}
    >>> list(compared_measures(metrics, ["f1", "robust_mcc(d=0.05)"]))
    ['f1', 'f1_i', 'robust_mcc_0_05', 'robust_mcc_0_05_i']
    """
    proposed = [get_metric(text) for text in texts]
    variants = [METRICS.get(f"{metric.key}_i", normalized(metric)) for metric in proposed]
    by_key = {metric.key: metric for metric in (*proposed, *variants)}
    known = study_metrics(**metrics)
    return known.extended(metric for key, metric in by_key.items() if key not in known)
