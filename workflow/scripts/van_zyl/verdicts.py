"""Table of the verdicts, and comparison of the claimed with the true errors."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.verdicts.summary import summarize_verdicts
from skewproof_studies.van_zyl.verdicts.verdicts import half_widths, verdicts

log, params, source = start(snakemake), snakemake.params, snakemake.input
scores, exact = read_table(source.scores), read_table(source.exact)
registry = study_metrics(**params.metrics)
table = verdicts(
    scores=scores,
    p_values=read_table(source.p_values),
    deviations=read_table(source.deviations),
    invariance=read_table(source.invariance),
    exact=exact,
    tests=read_table(source.tests),
    scrambles=read_table(source.scrambles),
    baseline=params.baseline,
    alpha=params.alpha,
    registry=registry,
)
log.info("%d verdicts, %d agree", len(table), table["agree"].sum())
widths = half_widths(scores, exact)
write_table(table, snakemake.output.verdicts)
write_table(widths, snakemake.output.half_widths)
summary = summarize_verdicts(
    table,
    widths,
    read_table(source.robustness, dtype={"value": str, "type": str}),
    read_table(source.orderings),
    replicates=params.statistics["replicates"],
    log2_samples=params.statistics["log2_samples"],
    smallest_difference=params.statistics["smallest_difference"],
    registry=registry,
)
write_text(summary, snakemake.output.summary)
