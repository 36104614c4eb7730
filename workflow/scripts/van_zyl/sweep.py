"""Exact indices of every metric as curves over imbalance."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.quadrature.sweep import sweep
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
table = sweep(
    [bounded(metric) for metric in study_metrics(**params.metrics).values()],
    float(params.positives),
    start=Level.parse(params.sweep["from"]),
    stop=Level.parse(params.sweep["to"]),
    points_per_decade=params.sweep["points_per_decade"],
)
log.info("%d points", len(table))
write_table(table, snakemake.output[0])
