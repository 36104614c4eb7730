"""Exact indices and moments of every metric at every level."""

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
keys, positives = [metric.key for metric in metrics], float(params.positives)
importance, moments = [], []
for level in params.levels:
    negatives = Level.parse(level).negatives(positives)
    exact = exact_indices(metrics, positives=positives, negatives=negatives)
    for key, s1, st, error in zip(keys, exact.s1, exact.st, exact.index_error, strict=True):
        for name, *indices in zip(INPUTS, s1, st, strict=True):
            importance.append((key, level, name, *indices, error))
    columns = (exact.mean, exact.variance, exact.s12, exact.moment_error)
    for key, *row in zip(keys, *columns, strict=True):
        moments.append((key, level, *row))
    log.info("%d metrics at %s", len(metrics), level)
columns = ["metric", "level", "input", "s1", "st", "error_estimate"]
write_rows(columns, importance, snakemake.output.importance)
columns = ["metric", "level", "mean", "variance", "s12", "error_estimate"]
write_rows(columns, moments, snakemake.output.moments)
