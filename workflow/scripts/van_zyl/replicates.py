"""First-order indices of metrics, estimated for each of several scrambles."""

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.replicates import replicated_indices
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
rows = []
for level in params.levels:
    indices = replicated_indices(
        metrics,
        Level.parse(level),
        float(params.positives),
        log2_samples=params.log2_samples,
        replicates=params.replicates,
        seed=params.seed,
        undefined=params.undefined,
    )
    rows += [
        (metric.key, level, replicate, name, s1)
        for metric, scrambles in zip(metrics, indices.swapaxes(0, 1), strict=True)
        for replicate, scramble in enumerate(scrambles)
        for name, s1 in zip(INPUTS, scramble, strict=True)
    ]
    log.info("%d scrambles at %s", len(indices), level)
columns = ["metric", "level", "replicate", "input", "s1"]
write_rows(columns, rows, snakemake.output[0])
