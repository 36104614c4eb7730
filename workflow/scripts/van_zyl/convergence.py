"""Errors of the sampled indices of every metric."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.convergence import convergence
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.definitions import study_metrics

start(snakemake)
params = snakemake.params
first, last = params.convergence["log2_samples"]
table = convergence(
    [bounded(metric) for metric in study_metrics(**params.metrics).values()],
    [Level.parse(level) for level in params.convergence["levels"]],
    float(params.positives),
    log2_samples=range(first, last + 1),
    seed=params.seed,
    **params.sobol,
)
write_table(table, snakemake.output[0])
