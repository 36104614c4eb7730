"""Metrics at every point of the sample of one level."""

import numpy as np

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof_studies.pipeline.writing.files import start, write_whole
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.salib.chain import metric_values

log, params = start(snakemake), snakemake.params
registry, level = study_metrics(params.own_metrics), Level.parse(params.level)
points = np.load(snakemake.input.samples, mmap_mode="r")
for key, path in zip(params.metrics, snakemake.output, strict=True):
    values = metric_values(bounded(registry[key]), points, level, float(params.positives))
    write_whole(path, lambda file, values=values: np.save(file, values))
    log.info("%s at %s", key, level)
