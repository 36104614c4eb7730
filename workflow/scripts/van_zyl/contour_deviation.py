"""Contour deviation of every metric at every level from the baseline level."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.surfaces.grid import deviation, grid_matrix
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
metrics = [bounded(metric) for metric in study_metrics(**params.metrics).values()]
size = {"positives": params.positives, "grid": params.grid}
baseline = grid_matrix(Level.parse(params.baseline), **size)
rows = []
for level in params.levels:
    matrix = grid_matrix(Level.parse(level), **size)
    for metric in metrics:
        result = deviation(metric(matrix), metric(baseline), undefined=params.undefined)
        rows.append((metric.key, level, *result))
    log.info("%d metrics at %s", len(metrics), level)
columns = ["metric", "level", "sigma", "points", "undefined_points"]
write_rows(columns, rows, snakemake.output[0])
