"""Changes of areas under curves with imbalance, exact and in samples."""

from skewproof.core.levels import Level
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.tharwat.areas import area_study, areas_figure

log, params = start(snakemake), snakemake.params
areas = area_study(
    params.separation,
    [Level.parse(level) for level in params.levels],
    Level.parse(params.baseline),
    positives=params.positives,
    replicates=params.replicates,
    seed=params.seed,
)
log.info("%d areas", areas["area"].nunique())
write_table(areas, snakemake.output.areas)
write_figure(areas_figure(areas, params.separation), snakemake.output.figure, params.made_from)
