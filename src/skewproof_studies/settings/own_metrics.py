"""Check of a study's own metrics, and search for their bounds, before any computation."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path

from skewproof.core.formulas.metrics import FormulaError, parse_metric, refuse_constant
from skewproof.core.messages import listed, shortened, shown
from skewproof.metrics import METRICS
from skewproof.metrics.atlas.families import written_out
from skewproof.sensitivity.ranges.ranges import normalized_range, with_bounds
from skewproof_studies.settings.definitions import Definition, definition_file, read_definition

LONGEST_KEY = 100
"""Largest number of characters of a key, which becomes part of file names."""

_KEY = re.compile(r"[a-z][a-z0-9_]*")


def resolved(definitions: Mapping[str, str]) -> dict[str, Definition]:
    """Complete the definitions of metrics in a study's configuration.

    Parameters
    ----------
    definitions
        A formula for each key, as for :func:`skewproof.core.formulas.metrics.parse_metric`, or
        "path/to/file.py:function" with a function of a confusion matrix.

    Raises
    ------
    FormulaError
        If a key is invalid or taken, or a definition is not a metric. The message has a line for
        each such key, as many as fit.
    """
    completed: dict[str, Definition] = {}
    faults: list[str] = []
    taken = set(METRICS)
    for key, text in definitions.items():
        try:
            completed[key] = _resolve(key, text, taken)
        except FormulaError as error:
            reason = str(error).removeprefix(f"{shown(text)}, ")
            faults.append(f"extra_metrics.{shortened(str(key))} = {shown(text)}: {reason}")
        taken |= {key, f"{key}_i"}
    if faults:
        raise FormulaError(faults[0] if len(faults) == 1 else listed(faults))
    return completed


def _resolve(key: str, text: str, taken: set[str]) -> Definition:
    if not isinstance(key, str) or not _KEY.fullmatch(key) or len(key) > LONGEST_KEY:
        raise FormulaError(
            f"expected a key of lowercase letters, digits and underscores, at most {LONGEST_KEY}"
        )
    if not isinstance(text, str):
        raise FormulaError('expected a formula in quotes, or "path/to/file.py:function"')
    for name in (key, f"{key}_i"):
        if name in taken:
            raise FormulaError(f"the key {name} is taken: expected another key")
    file, digest = definition_file(text), ""
    if file:
        refuse_constant(metric := read_definition(key, text), text)
        digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    else:
        metric = parse_metric(written_out(text), key=key)
    metric = with_bounds(metric)
    assert metric.bounds is not None
    return Definition(text, metric.bounds, normalized_range(metric), digest)
