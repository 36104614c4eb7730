"""Exact and sampled shares of the variance of measures under wrong labels."""

from skewproof.core.levels import Level
from skewproof_studies.atlas.label_errors import scaled, share_table, with_samples
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
metrics = scaled(list(chosen_measures(params.measures).values()))
level = Level.parse(params.level)
table = share_table(metrics, level, params.positives, **params.ranges)
log.info("%d measures", table["measure"].nunique())
table = with_samples(
    table,
    metrics,
    level,
    params.positives,
    log2_samples=params.log2_samples,
    scrambles=params.scrambles,
    seed=params.seed,
    **params.ranges,
)
write_table(table, snakemake.output[0])
