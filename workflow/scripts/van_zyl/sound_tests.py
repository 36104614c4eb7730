"""Tests between independent scrambles of every metric at every level."""

from skewproof.sensitivity.sampling.replicates import groups_by_level, sound_tests
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table

start(snakemake)
params = snakemake.params
replicates = read_table(snakemake.input.replicates)
table = sound_tests(
    groups_by_level(replicates),
    replicates["metric"].unique(),
    baseline=params.baseline,
    smallest_difference=params.smallest_difference,
    alpha=params.alpha,
)
write_table(table, snakemake.output[0])
