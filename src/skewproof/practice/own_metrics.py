"""A study's own metrics: definitions are checked, bounds and kinks found, before any work."""

from __future__ import annotations

import re
from collections.abc import Mapping

from skewproof.core.definitions import Definition, definition_file, read_definition
from skewproof.core.formulas import FormulaError, parse_metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.exact import with_noted_kink
from skewproof.sensitivity.ranges import normalized_range, with_bounds

_KEY = re.compile(r"[a-z][a-z0-9_]*")


def resolved(definitions: Mapping[str, str]) -> dict[str, Definition]:
    """Find what there is to know of metrics that a study's config defines.

    Parameters
    ----------
    definitions
        For each key a formula, as for :func:`skewproof.core.formulas.parse_metric`, or
        "path/to/file.py:function" with a function of a confusion matrix.

    Raises
    ------
    FormulaError
        If a key is taken or no key, or a definition is no metric; the message names the key.
    """
    found: dict[str, Definition] = {}
    taken = set(METRICS)
    for key, text in definitions.items():
        try:
            found[key] = _resolve(key, text, taken)
        except FormulaError as error:
            raise FormulaError(f"extra_metrics.{key} = {text!r}: {error}") from None
        taken |= {key, f"{key}_i"}
    return found


def _resolve(key: str, text: str, taken: set[str]) -> Definition:
    if not _KEY.fullmatch(key):
        raise FormulaError("expected a key of small letters, digits and underscores")
    for name in (key, f"{key}_i"):
        if name in taken:
            raise FormulaError(f"the key {name} is taken: expected another one")
    metric = read_definition(key, text) if definition_file(text) else parse_metric(text, key=key)
    metric = with_bounds(with_noted_kink(metric))
    assert metric.bounds is not None
    return Definition(text, metric.bounds, metric.kink_at_equal_rates, normalized_range(metric))
