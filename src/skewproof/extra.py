"""Metrics that a study's config adds to the registered ones, each with its normalized variant."""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from skewproof.confusion import ConfusionMatrix
from skewproof.formulas import FormulaError, parse_metric, unnamed_metric
from skewproof.levels import Level
from skewproof.normalize import normalized
from skewproof.quadrature import with_resolving_kink
from skewproof.ranges import LEVELS, normalized_range, rescaled, value_range
from skewproof.registry import REGISTRY, Metric, register

_KEY = re.compile(r"[a-z][a-z0-9_]*")
_FUNCTION = re.compile(r"(?P<file>[^:]+\.py):(?P<function>\w+)")


def register_extra(definitions: Mapping[str, str]) -> None:
    """Register metrics and their normalized variants (Section 4), both scaled to [0, 1].

    Parameters
    ----------
    definitions
        For each key a formula, as for :func:`skewproof.formulas.parse_metric`, or
        "path/to/file.py:function" with a function of a confusion matrix. Where a metric is not in
        [0, 1] already, it is scaled from its range at the paper's levels.

    Raises
    ------
    FormulaError
        If a key is taken or no key, or a definition is no metric; the message names the key.
    """
    for key, text in definitions.items():
        try:
            _register(key, text)
        except FormulaError as error:
            raise FormulaError(f"extra_metrics.{key} = {text!r}: {error}") from None


def _register(key: str, text: str) -> None:
    if not _KEY.fullmatch(key):
        raise FormulaError("expected a key of small letters, digits and underscores")
    for name in (key, f"{key}_i"):
        if name in REGISTRY:
            raise FormulaError(f"the key {name} is taken: expected another one")
    metric = with_resolving_kink(_load(key, text))
    low, high = value_range(metric, [Level.parse(level) for level in LEVELS])
    if (low, high) != (0, 1):
        metric = dataclasses.replace(
            rescaled(metric, low, high), source=f"{metric.source}, scaled from [{low:g}, {high:g}]"
        )
    register(metric)
    low, high = normalized_range(metric)
    normalized(
        metric,
        key=f"{key}_i",
        symbol=rf"{{{metric.symbol}}}_i",
        name=f"normalized {metric.name}",
        source=f"{key} of the rates, scaled from [{low:g}, {high:g}]",
        rescale=lambda value: (value - low) / (high - low),
    )


def _load(key: str, text: str) -> Metric:
    match = _FUNCTION.fullmatch(text.strip())
    if match is None:
        return parse_metric(text, key=key)
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
