"""Importance scores of metrics at some levels, whatever the estimator and the number of shards."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.sampled import SampledIndices, merged_indices, sobol_indices
from skewproof.sensitivity.sampling.sums import Sums
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.salib.chain import salib_analysis

SCORES = ("metric", "level", "positives", "negatives", "input", "s1", "s1_conf")
POINTS = ("metric", "level", "base_points", "undefined", "undefined_base_points")


def indices_at(
    level: Level, metrics: Sequence[Metric], params, values_or_sums: Sequence[str]
) -> SampledIndices:
    """Return the indices at a level, from results of other jobs if there are any."""
    sobol = params.sobol
    if params.estimator == "salib":
        options = {name: sobol[name] for name in ("resamples", "confidence", "undefined")}
        analyses = [
            salib_analysis(key, np.load(path, mmap_mode="r"), level, seed=params.seed, **options)
            for key, path in zip(params.metrics, values_or_sums, strict=True)
        ]
        return SampledIndices(*map(np.array, zip(*analyses, strict=True)))
    if values_or_sums:
        options = {name: sobol[name] for name in ("log2_samples", "confidence", "undefined")}
        return merged_indices(read_sums(values_or_sums), metrics, level, **options)
    positives, seed = float(params.positives), params.seed
    return sobol_indices(metrics, level, positives, seed=seed, total=False, **sobol)


def read_sums(paths: Iterable[str]) -> Iterator[Sums]:
    """Yield the sums of each shard."""
    for path in paths:
        with np.load(path) as shard:
            yield Sums(**shard)


log, params = start(snakemake), snakemake.params
registry = study_metrics(params.own_metrics)
metrics, positives = [bounded(registry[key]) for key in params.metrics], float(params.positives)
design = (2 ** params.sobol["log2_samples"], params.sobol["undefined"])
scores, points = [], []
for level in map(Level.parse, params.levels):
    indices = indices_at(level, metrics, params, snakemake.input.values_or_sums)
    place = (str(level), positives, level.negatives(positives))
    for key, *both in zip(params.metrics, indices.s1, indices.s1_conf, strict=True):
        scores += [(key, *place, *row) for row in zip(INPUTS, *both, strict=True)]
    counts = zip(params.metrics, indices.undefined, strict=True)
    points += [(key, str(level), *design, count) for key, count in counts]
    log.info("%d metrics at %s", len(params.metrics), level)
write_rows(SCORES, scores, snakemake.output.scores)
write_rows(POINTS, points, snakemake.output.points)
