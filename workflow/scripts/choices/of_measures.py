"""Choices of every n-th measure of the atlas on each curve."""

from skewproof_studies.choices.points import binormal_curves, chosen, rarer_and_rarer
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
registry = chosen_measures(params.measures)
measures = [registry[key] for key in list(registry)[int(snakemake.wildcards.part) :: params.parts]]
levels = rarer_and_rarer(params.levels)
choices = chosen(measures, binormal_curves(params.curves), levels, params.positives)
for name, table in choices._asdict().items():
    write_table(table, snakemake.output[name])
