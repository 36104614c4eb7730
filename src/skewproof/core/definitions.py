"""A study's own metrics: a definition in text becomes a metric and its normalized variant."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from skewproof.core.confusion import ConfusionMatrix
from skewproof.core.formulas import FormulaError, ParsedFormula, unnamed_metric
from skewproof.core.metric import Bounds, Metric
from skewproof.core.normalize import normalized

_FUNCTION = re.compile(r"(?P<file>[^:]+\.py):(?P<function>\w+)")


class Definition(NamedTuple):
    """What there is to know of a metric of a study's own, found once before any work."""

    text: str
    """A formula, or "path/to/file.py:function" with a function of a confusion matrix."""

    bounds: Bounds
    """Smallest and largest value at the default levels."""

    kink_at_equal_rates: bool

    variant_bounds: Bounds
    """Smallest and largest value of the metric of the rates, from which the variant is scaled."""


def own_metrics(definitions: Mapping[str, Definition]) -> Iterator[Metric]:
    """Each metric, followed by its normalized variant (Section 4), which is in [0, 1]."""
    for key, definition in definitions.items():
        metric = dataclasses.replace(
            read_definition(key, definition.text),
            bounds=definition.bounds,
            kink_at_equal_rates=definition.kink_at_equal_rates,
        )
        yield metric
        yield variant(metric, definition.variant_bounds)


def variant(metric: Metric, bounds: Bounds) -> Metric:
    """The normalized variant of a metric, scaled from its bounds to [0, 1]."""
    low, high = bounds
    return normalized(
        metric,
        source=f"{metric.key} of the rates, scaled from [{low:g}, {high:g}]",
        rescale=lambda value: (value - low) / (high - low),
    )


def definition_file(text: str) -> str | None:
    """The file that a definition names, or None where it is a formula."""
    match = _FUNCTION.fullmatch(text.strip())
    return None if match is None else match["file"]


def read_definition(key: str, text: str) -> Metric:
    """The metric that a text defines; its bounds are not known.

    Raises
    ------
    FormulaError
        If the text is no formula, or there is no such file or function, or it is none of a
        confusion matrix.
    """
    match = _FUNCTION.fullmatch(text.strip())
    if match is None:
        return unnamed_metric(key, text, ParsedFormula(text))
    path = Path(match["file"])
    if not path.is_file():
        raise FormulaError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    function = getattr(module, match["function"], None)
    if not callable(function):
        raise FormulaError(f"{path} has no function {match['function']}")
    matrices = ConfusionMatrix(tp=[9.0, 1.0], fp=[4.0, 2.0], fn=[3.0, 5.0], tn=[20.0, 6.0])
    try:
        shape = np.shape(function(matrices))
    except Exception as error:
        raise FormulaError(f"{match['function']} fails on confusion matrices: {error}") from error
    if shape != (2,):
        raise FormulaError(
            f"{match['function']} gives the shape {shape} for two matrices: expected a value each"
        )
    return unnamed_metric(key, text, function)
