"""SALib's importance scores of one metric per level, for comparison with the study's."""

import os

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.salib.agreement import chosen_metric, is_recomputed
from skewproof_studies.van_zyl.salib.chain import metric_values, salib_analysis, sample

COLUMNS = ("metric", "level", "input", "s1", "s1_conf")


log, params = start(snakemake), snakemake.params
os.nice(10)  # jobs that the tables wait for run first
registry, positives = study_metrics(params.own_metrics), float(params.positives)
options = {name: params.sobol[name] for name in ("resamples", "confidence", "undefined")}
recomputed = is_recomputed(params.sobol["log2_samples"], params.sobol["resamples"])
rows = []
for level in map(Level.parse, params.levels if recomputed else []):
    metric = bounded(registry[chosen_metric(params.metrics, level, params.seed)])
    points = sample(level, positives, log2_samples=params.sobol["log2_samples"], seed=params.seed)
    values = metric_values(metric, points, level, positives)
    found = salib_analysis(metric.key, values, level, seed=params.seed, **options)
    for row in zip(INPUTS, found.s1, found.s1_conf, strict=True):
        rows.append((metric.key, str(level), *row))
    log.info("%s at %s", metric.key, level)
write_rows(COLUMNS, rows, snakemake.output[0])
