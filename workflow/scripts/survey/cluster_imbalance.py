"""Effect of the sizes of two clusters on measures of a clustering."""

from skewproof.core.levels import Level
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.survey.cluster_imbalance import cluster_sensitivity, cluster_shifts

start(snakemake)
params = snakemake.params
levels, baseline = [Level.parse(level) for level in params.levels], Level.parse(params.baseline)
indices = cluster_sensitivity(
    levels,
    replicates=params.replicates,
    log2_samples=params.log2_samples,
    seed=params.seed,
)
write_table(indices, snakemake.output.indices)
write_table(cluster_shifts(levels, baseline), snakemake.output.shifts)
