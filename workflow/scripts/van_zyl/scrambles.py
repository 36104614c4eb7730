"""Frequency of rejections by the paper's test where SymPy proves that nothing differs."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.replicates import rejections
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.verdicts.verdicts import false_alarms

log, params = start(snakemake), snakemake.params
registry = study_metrics(**params.metrics)
scores = read_table(snakemake.input.scores)
alarms = false_alarms(
    read_table(snakemake.input.p_values),
    read_table(snakemake.input.invariance),
    alpha=params.alpha,
)
rows = []
for key, level in alarms:
    count = rejections(
        bounded(registry[key]),
        Level.parse(level),
        Level.parse(params.baseline),
        float(params.positives),
        half_widths=scores[scores["metric"] == key],
        log2_samples=params.log2_samples,
        scrambles=params.scrambles,
        seed=params.seed,
        alpha=params.alpha,
        undefined=params.undefined,
    )
    log.info("%s at %s: %d of %d pairs reject", key, level, count, params.scrambles)
    rows.append((key, level, 2**params.log2_samples, params.scrambles, count))
columns = ["metric", "level", "base_points", "pairs", "rejections"]
write_rows(columns, rows, snakemake.output[0])
