"""Comparison of printed numbers with computed ones."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.paper_tables.comparison import compare_tables, summarize_comparison

log, source = start(snakemake), snakemake.input
comparison = compare_tables(
    read_table(source.printed, dtype=str),
    read_table(source.remarks, dtype=str),
    scores=read_table(source.scores),
    p_values=read_table(source.p_values),
    deviations=read_table(source.deviations),
    types=read_table(source.types),
    exact=read_table(source.exact),
    baseline=snakemake.params.baseline,
    alpha=snakemake.params.alpha,
)
log.info("%d printed numbers, %d agree", len(comparison), comparison["agrees"].sum())
write_table(comparison, snakemake.output.comparison)
summary = summarize_comparison(comparison, read_table(source.salib))
write_text(summary, snakemake.output.summary)
