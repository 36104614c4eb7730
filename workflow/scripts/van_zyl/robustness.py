"""Contour deviations under other choices."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.verdicts.robustness import choices

log, params = start(snakemake), snakemake.params
table = choices(
    [bounded(metric) for metric in study_metrics(**params.metrics).values()],
    [Level.parse(level) for level in params.levels],
    Level.parse(params.baseline),
    params.positives,
    grid=params.contours["grid"],
    undefined=params.contours["undefined"],
    grids=params.robustness["grids"],
    policies=params.robustness["undefined"],
    class_sizes=params.robustness["positives"],
)
log.info("%d deviations", len(table))
write_table(table, snakemake.output[0])
