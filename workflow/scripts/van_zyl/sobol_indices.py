"""First-order indices of every metric at one level, by SALib and by this project's estimator."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.salib.indices import INDEX_COLUMNS, level_indices

log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
rows = level_indices(
    metrics,
    snakemake.input[0],
    Level.parse(params.level),
    float(params.positives),
    seed=params.seed,
    half_widths=params.half_widths,
    **params.estimate,
)
log.info("%d metrics at %s", len(metrics), params.level)
write_rows(INDEX_COLUMNS, rows, snakemake.output[0])
