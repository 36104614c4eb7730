"""Sums over one shard of the base points of a level, from which importance scores follow."""

import numpy as np

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.sampled import sobol_sums
from skewproof_studies.pipeline.writing.files import start, write_whole
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
registry, level = study_metrics(params.own_metrics), Level.parse(params.level)
shard, shards = int(snakemake.wildcards.shard), int(snakemake.wildcards.shards)
sums = sobol_sums(
    [bounded(registry[key]) for key in params.metrics],
    level,
    float(params.positives),
    seed=params.seed,
    total=False,
    shard=shard - 1,
    shards=shards,
    **params.sobol,
)
write_whole(snakemake.output[0], lambda file: np.savez(file, **sums._asdict()))
log.info("%d metrics at %s, shard %d of %d", len(params.metrics), level, shard, shards)
