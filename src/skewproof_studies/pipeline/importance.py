"""How both estimators write importance scores and the points they come from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.sampled import SampledIndices
from skewproof_studies.pipeline.writing.files import write_rows

SCORES = ("metric", "level", "positives", "negatives", "input", "s1", "s1_conf")
POINTS = ("metric", "level", "base_points", "undefined", "undefined_base_points")


def write_importance(snakemake: Any, found: Mapping[Level, SampledIndices]) -> None:
    """Write the scores of a job's metrics at its levels, and at how many base points each metric is
    undefined."""
    params, keys = snakemake.params, snakemake.params.metrics
    positives = float(params.positives)
    design = (2 ** params.sobol["log2_samples"], params.sobol["undefined"])
    scores, points = [], []
    for level, indices in found.items():
        place = (str(level), positives, level.negatives(positives))
        for key, *both in zip(keys, indices.s1, indices.s1_conf, strict=True):
            scores += [(key, *place, *row) for row in zip(INPUTS, *both, strict=True)]
        counts = zip(keys, indices.undefined, strict=True)
        points += [(key, str(level), *design, count) for key, count in counts]
    write_rows(SCORES, scores, snakemake.output.scores)
    write_rows(POINTS, points, snakemake.output.points)
