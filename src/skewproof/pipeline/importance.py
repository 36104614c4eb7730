"""How both estimators write importance scores and the points they come from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from skewproof.core.algebra import Array
from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.pipeline.files import write_rows

SCORES = ("metric", "level", "positives", "negatives", "input", "s1", "s1_conf")
POINTS = ("metric", "level", "base_points", "undefined", "undefined_base_points")


def write_importance(
    snakemake: Any,
    level: Level,
    s1: Sequence[Array],
    s1_conf: Sequence[Array],
    undefined: Sequence[int],
) -> None:
    """Write the scores of a job's metrics, and at how many base points each is undefined."""
    params, keys = snakemake.params, snakemake.params.metrics
    positives = float(params.positives)
    place = (str(level), positives, level.negatives(positives))
    scores = [
        (key, *place, *row)
        for key, *both in zip(keys, s1, s1_conf, strict=True)
        for row in zip(INPUTS, *both, strict=True)
    ]
    write_rows(SCORES, scores, snakemake.output.scores)
    sample = (str(level), 2 ** params.sobol["log2_samples"], params.sobol["undefined"])
    points = [(key, *sample, count) for key, count in zip(keys, undefined, strict=True)]
    write_rows(POINTS, points, snakemake.output.points)
