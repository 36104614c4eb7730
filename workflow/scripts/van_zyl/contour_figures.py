"""Contours of each metric at every level."""

from pathlib import Path

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.plot.level_contours import contour_figure
from skewproof.sensitivity.surfaces.grid import surface
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
metrics = study_metrics(**params.metrics)
for count, (key, metric) in enumerate(metrics.items(), start=1):
    metric = bounded(metric)
    surfaces = {
        level: surface(metric, Level.parse(level), params.positives, grid=params.grid)
        for level in params.levels
    }
    paths = [path for path in snakemake.output if Path(path).stem == key]
    write_figure(contour_figure(metric, surfaces), paths, params.made_from)
    log.info("%d of %d: %s", count, len(metrics), key)
