"""Ranking of all metrics by how much imbalance changes them."""

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.verdicts.robustness import ranking

start(snakemake)
table = ranking(
    read_table(snakemake.input.robustness, dtype={"value": str, "type": str}),
    read_table(snakemake.input.exact),
    baseline=snakemake.params.baseline,
)
write_table(table, snakemake.output[0])
