"""Measures of the atlas that choose alike, in every n-th group, and their orderings."""

from skewproof_studies.choices.groups import dealt_out, group_table
from skewproof_studies.choices.points import in_order, rarer_and_rarer
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
registry = chosen_measures(params.measures)
points = in_order(map(read_table, snakemake.input.points), list(registry))
group_points = dealt_out(points, int(snakemake.wildcards.part), params.parts)
levels = rarer_and_rarer(params.levels)
groups = group_table(group_points, registry, levels, params.positives, params.seed)
write_table(groups, snakemake.output[0])
log.info("%d measures in %d groups", len(groups), groups["group"].nunique())
