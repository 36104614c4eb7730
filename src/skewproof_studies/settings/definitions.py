"""Metrics of a study's own: a definition in text becomes a metric and its normalized variant."""

from __future__ import annotations

import contextlib
import dataclasses
import importlib.util
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from skewproof.core.algebra import Array, Value
from skewproof.core.confusion import CELLS, ConfusionMatrix
from skewproof.core.formulas.metrics import FormulaError, ParsedFormula, unnamed_metric
from skewproof.core.messages import shortened, shown
from skewproof.core.metric import Bounds, Formula, Metric
from skewproof.core.normalize import normalized
from skewproof.core.registry import Registry
from skewproof.metrics import METRICS
from skewproof.metrics.atlas.families import written_out

LONGEST_PATH = 300
"""Largest number of characters of a file name in a message."""

_FUNCTION = re.compile(r"(?P<file>[^:]+\.py):(?P<function>\w+)")


class Definition(NamedTuple):
    """Definition of a metric of a study's own, completed once before any computation."""

    text: str
    """Formula, member of a family (robust_mcc(d=0.05)), or "path/to/file.py:function" with a
    function of a confusion matrix."""

    bounds: Bounds
    """Smallest and largest value at the default levels."""

    variant_bounds: Bounds
    """Smallest and largest value of the metric of the rates, by which the variant is scaled."""

    digest: str = ""
    """SHA-256 of the file that has the function, so that an edit computes the metric again."""


def study_metrics(keys: Iterable[str], definitions: Mapping[str, Definition]) -> Registry[Metric]:
    """Return the metrics of a study in its order.

    Parameters
    ----------
    keys
        Keys of declared metrics, of the study's own ones, and of the normalized variants of these
        (Section 4).
    definitions
        Definitions of the study's own metrics by key.

    Examples
    --------
    >>> skill = Definition("tp/P - fp/N", (-1, 1), (-1, 1))
    >>> list(study_metrics(["skill_i", "f1"], {"skill": skill}))
    ['skill_i', 'f1']
    """
    metrics = dict(METRICS)
    for key, definition in definitions.items():
        metric = dataclasses.replace(
            read_definition(key, definition.text), bounds=definition.bounds
        )
        metrics[key] = metric
        metrics[f"{key}_i"] = variant(metric, definition.variant_bounds)
    return Registry("metric", (metrics[key] for key in keys))


def variant(metric: Metric, bounds: Bounds) -> Metric:
    """Return the normalized variant of a metric, scaled from its bounds to [0, 1]."""
    low, high = bounds
    return normalized(
        metric,
        source=f"{metric.key} of the rates, scaled from [{low:g}, {high:g}]",
        rescale=lambda value: (value - low) / (high - low),
    )


def definition_file(text: str) -> str | None:
    """Return the file that a definition names, or None if it is a formula."""
    match = _FUNCTION.fullmatch(text.strip())
    return None if match is None else match["file"]


def read_definition(key: str, text: str) -> Metric:
    """Return the metric that a text defines, without bounds.

    Raises
    ------
    FormulaError
        If the text is not a formula; if the file or function does not exist; or if the function
        returns different values for the same matrices, changes the matrix, or returns anything but
        an array with a real number for each matrix.
    """
    match = _FUNCTION.fullmatch(text.strip())
    if match is None:
        return unnamed_metric(key, text, ParsedFormula(written_out(text)))
    function = _from_file(Path(match["file"]), match["function"])
    _check_function(function, _location(match["file"], match["function"]))
    return unnamed_metric(key, text, function)


def _location(file: str, function: str) -> str:
    return f"{shortened(file, LONGEST_PATH)}:{shortened(function)}"


def _from_file(path: Path, name: str) -> Formula:
    """Load a function from a file; its errors name file and function."""
    file, location = shortened(str(path), LONGEST_PATH), _location(str(path), name)
    try:
        is_file = path.is_file()
    except (OSError, ValueError):  # not a possible file name
        is_file = False
    if not is_file:
        raise FormulaError(f"there is no file {file}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with _named_errors(f"{file} can't be imported"):
        spec.loader.exec_module(module)
    function = getattr(module, name, None)
    if not callable(function):
        raise FormulaError(f"{file} has no function {shortened(name)}")

    def formula(matrix: ConfusionMatrix) -> Value:
        with _named_errors(f"{location} fails on confusion matrices"):
            return function(matrix)

    formula.__doc__ = function.__doc__ if isinstance(function, FunctionType) else None
    return formula


@contextlib.contextmanager
def _named_errors(message: str) -> Iterator[None]:
    """Raise any error, also an exit, as a FormulaError with the message; pass on keyboard
    interrupts."""
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = shortened(_said_by(error), longest=400)
        described = type(error).__name__ + (f": {text}" if text else "")
        raise FormulaError(f"{message}: {described}") from error


def _said_by(error: BaseException) -> str:
    try:
        return str(error)
    except BaseException:  # the text of a user's exception may raise an error itself
        return ""


def _check_function(function: Formula, location: str) -> None:
    """Raise an error if a function does not return a value for each confusion matrix."""
    vectors = {"tp": [9.0, 1.0], "fp": [4.0, 2.0], "fn": [3.0, 5.0], "tn": [20.0, 6.0]}
    column, row = [[9.0], [1.0]], [4.0, 2.0, 7.0]
    crossed = {"tp": column, "fp": row, "fn": column[::-1], "tn": row[::-1]}
    for shape, counts in (((2,), vectors), ((2, 3), crossed)):
        first, second = (_called(function, counts, location) for _ in range(2))
        if not _fits(first.shape, shape):
            raise FormulaError(
                f"{location} gives the shape {first.shape} for matrices of the shape {shape}:"
                " expected one value per matrix"
            )
        if not np.array_equal(first, second, equal_nan=True):
            raise FormulaError(
                f"{location} gives {shown(first.tolist())}, and {shown(second.tolist())} the second"
                " time: expected the same values for the same matrices"
            )


def _fits(actual: tuple[int, ...], shape: tuple[int, ...]) -> bool:
    """Return whether an array has one value per matrix, possibly by broadcasting."""
    if len(shape) == 1:
        return actual == shape
    pairs = zip(actual[::-1], shape[::-1], strict=False)
    return 0 < len(actual) <= len(shape) and all(size in (1, most) for size, most in pairs)


def _called(function: Formula, counts: Mapping[str, Any], location: str) -> Array:
    """Return a function's values for new matrices with the counts, which it must not change."""
    matrices, untouched = ConfusionMatrix(**counts), ConfusionMatrix(**counts)
    result = function(matrices)
    for name, value in vars(matrices).items():
        if not _same(value, getattr(untouched, name, None)):
            raise FormulaError(f"{location} changes {name} of the matrix: expected no change")
    if isinstance(result, np.generic):
        result = np.asarray(result)
    if type(result) is not np.ndarray or result.dtype.kind not in "biuf":
        kind = type(result).__name__
        kind = f"an {kind}" if kind == "ndarray" else f"a {shortened(kind)}"
        if isinstance(result, np.ndarray):
            kind += f" of {shortened(str(result.dtype))}"
        raise FormulaError(
            f"{location} gives {shown(result)}, {kind}: expected a NumPy array of real numbers"
        )
    return result.astype(np.float64)


def _same(value: Any, untouched: Any) -> bool:
    if isinstance(value, ConfusionMatrix) and isinstance(untouched, ConfusionMatrix):
        return all(_same(getattr(value, name), getattr(untouched, name)) for name in CELLS)
    if isinstance(value, np.ndarray):
        return np.array_equal(value, untouched, equal_nan=True)
    return bool(value == untouched)
