"""Levels at which wrong labels contribute half of a measure's variance."""

from skewproof.core.levels import Level
from skewproof_studies.atlas.label_errors import half_share_table, scaled
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
table = half_share_table(
    scaled(list(chosen_measures(params.measures).values())),
    params.positives,
    Level.parse(params.levels[0]),
    Level.parse(params.levels[-1]),
    **params.ranges,
)
log.info("%d crossings", len(table))
write_table(table, snakemake.output[0])
