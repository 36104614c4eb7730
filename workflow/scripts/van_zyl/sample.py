"""Sample of one level: every (tp, fp) at which metrics are evaluated, in SALib's layout."""

import numpy as np

from skewproof.core.levels import Level
from skewproof_studies.pipeline.writing.files import start, write_whole
from skewproof_studies.van_zyl.salib.values import sample

log, params = start(snakemake), snakemake.params
points = sample(
    Level.parse(params.level),
    float(params.positives),
    log2_samples=params.log2_samples,
    seed=params.seed,
)
write_whole(snakemake.output[0], lambda file: np.save(file, points))
log.info("%d points at %s", len(points), params.level)
