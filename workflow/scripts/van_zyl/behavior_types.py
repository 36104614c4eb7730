"""Types of all metrics."""

from skewproof.sensitivity.behavior_types import behavior_types
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log = start(snakemake)
table = behavior_types(
    read_table(snakemake.input.p_values),
    read_table(snakemake.input.deviations),
    alpha=snakemake.params.alpha,
)
log.info("%d metrics", table["metric"].nunique())
write_table(table, snakemake.output[0])
