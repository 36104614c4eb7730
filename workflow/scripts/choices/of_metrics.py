"""Choices of every n-th metric of the config on each curve."""

from skewproof_studies.choices.points import binormal_curves, chosen, rarer_and_rarer
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
metrics = list(study_metrics(**params.metrics).values())[
    int(snakemake.wildcards.part) :: params.parts
]
levels = rarer_and_rarer(params.levels)
choices = chosen(metrics, binormal_curves(params.curves), levels, params.positives)
for name, table in choices._asdict().items():
    write_table(table, snakemake.output[name])
