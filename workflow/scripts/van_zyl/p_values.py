"""P-values of the importance scores against the baseline level."""

from skewproof.sensitivity.sampling.welch import p_values
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, params = start(snakemake), snakemake.params
table = p_values(
    read_table(snakemake.input.scores),
    baseline=params.baseline,
    base_points=2**params.log2_samples,
)
log.info("%d comparisons with %s", len(table), params.baseline)
write_table(table, snakemake.output[0])
