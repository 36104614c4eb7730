"""Definitions of a study's own metrics, computed once and kept for later starts."""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from skewproof_studies.pipeline.tracking.sources import files_run_by
from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.settings import own_metrics
from skewproof_studies.settings.definitions import Definition, definition_file

RECORD = Path(".snakemake/skewproof_own_metrics.json")
"""Record in the run's folder."""


def known_metrics(definitions: Mapping[str, str], record: Path = RECORD) -> dict[str, Definition]:
    """Define the metrics of a configuration, or read their definitions from a record.

    A formula is looked up by its text in a record that the same code wrote with the same NumPy.
    Functions from files are examined each time. New definitions are added to the record if it can
    be written.

    Parameters
    ----------
    definitions
        As for :func:`skewproof_studies.settings.own_metrics.resolved`.
    record
        The file; if it is missing or can't be read, nothing is known.

    Raises
    ------
    FormulaError
        As :func:`skewproof_studies.settings.own_metrics.resolved`.
    """
    if not definitions:
        return {}
    code = _digest_of_code()
    known = _read(record, code)
    found = own_metrics.resolved(definitions, known=known)
    kept = {one.text: one for one in found.values() if not definition_file(one.text)}
    if not kept.keys() <= known.keys():
        content = {"code": code, "metrics": [list(one) for one in (known | kept).values()]}
        with contextlib.suppress(OSError):  # definitions that are not kept are computed again
            record.parent.mkdir(exist_ok=True)
            write_text(json.dumps(content, indent=1) + "\n", record)
    return found


def definitions_of(
    metrics: Iterable[str], definitions: Mapping[str, Definition]
) -> dict[str, Definition]:
    """Return the definitions that some metrics need, also those needed only for a normalized
    variant."""
    keys = (key for metric in metrics for key in (metric, metric.removesuffix("_i")))
    return {key: definitions[key] for key in keys if key in definitions}


def _digest_of_code() -> str:
    """Return a digest of everything that decides the numbers: NumPy's version and the code that
    uses it."""
    module = Path(own_metrics.__file__)
    files = files_run_by(module, module.parents[2])
    return hashlib.sha256(
        b"".join([np.__version__.encode(), *(file.read_bytes() for file in files)])
    ).hexdigest()


def _read(record: Path, code: str) -> dict[str, Definition]:
    try:
        content = json.loads(record.read_text(encoding="utf-8"))
        if content["code"] != code:
            return {}
        return {one.text: one for one in map(_definition, content["metrics"])}
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return {}


def _definition(row: Any) -> Definition:
    text, bounds, variant_bounds = row
    for low, high in (bounds, variant_bounds):
        if not math.isfinite(low) or not math.isfinite(high):
            raise ValueError
    if not isinstance(text, str):
        raise TypeError
    return Definition(text, tuple(bounds), tuple(variant_bounds))
