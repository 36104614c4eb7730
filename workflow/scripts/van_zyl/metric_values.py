"""Values of every metric, scaled to [0, 1], at the sample of one level: a row for each metric."""

import numpy as np

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof_studies.pipeline.writing.files import start, write_whole
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.salib.values import write_values

log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
points = np.load(snakemake.input[0], mmap_mode="r")
level, positives = Level.parse(params.level), float(params.positives)
write_whole(snakemake.output[0], lambda file: write_values(file, metrics, points, level, positives))
log.info("%d metrics at %s", len(metrics), level)
