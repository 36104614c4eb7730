"""Checks of the part of a configuration for Mullick et al."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof_studies.settings.faults import fault, value_at

CLASS_COUNTS = {"breast_cancer": 2, "digits": 10, "iris": 3, "wine": 3}
"""Number of classes of each data set that scikit-learn ships; their labels count from 0."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    yield from _ratio_faults(config)
    yield from _problem_faults(config)


def _ratio_faults(config: Mapping[str, Any]) -> Iterator[str]:
    ratios = value_at(config, "mullick.ratios")
    numbers = isinstance(ratios, list) and all(isinstance(ratio, int | float) for ratio in ratios)
    if numbers and ratios != sorted(ratios):
        yield fault("mullick.ratios", ratios, "numbers in ascending order")


def _problem_faults(config: Mapping[str, Any]) -> Iterator[str]:
    problems = value_at(config, "mullick_experiment.problems")
    for key, problem in problems.items() if isinstance(problems, Mapping) else []:
        classes, data = value_at(problem, "classes"), value_at(problem, "data")
        if not isinstance(data, str) or data not in CLASS_COUNTS or not isinstance(classes, list):
            continue
        labels = [label for joined in classes if isinstance(joined, list) for label in joined]
        if not all(isinstance(label, int) for label in labels):
            continue  # reported by the schema
        if len(set(labels)) < len(labels) or not set(labels) <= set(range(CLASS_COUNTS[data])):
            expected = f"the labels 0 to {CLASS_COUNTS[data] - 1} of {data}, each at most once"
            yield fault(f"mullick_experiment.problems.{key}.classes", classes, expected)
