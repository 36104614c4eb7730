"""Checks of the part of a configuration for Mullick et al."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault

CLASS_COUNTS = {"breast_cancer": 2, "digits": 10, "iris": 3, "wine": 3}
"""Number of classes of each data set that scikit-learn ships; their labels count from 0."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that a configuration has although it fits its schema."""
    ratios = config["mullick"]["ratios"]
    if ratios != sorted(ratios):
        yield fault("mullick.ratios", ratios, "numbers in ascending order")
    for key, problem in config["mullick_experiment"]["problems"].items():
        classes, data = problem["classes"], problem["data"]
        labels = [label for joined in classes for label in joined]
        if len(set(labels)) < len(labels) or max(labels) >= CLASS_COUNTS[data]:
            expected = f"the labels 0 to {CLASS_COUNTS[data] - 1} of {data}, each at most once"
            yield fault(f"mullick_experiment.problems.{key}.classes", classes, expected)
