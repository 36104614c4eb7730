"""Printed numbers beside computed ones."""

from skewproof.pipeline.files import start, write_text
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.van_zyl.comparison import compare_tables
from skewproof.studies.van_zyl.comparison_summary import summarize_comparison


def main(snakemake) -> None:
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
    summary = summarize_comparison(
        comparison, read_table(source.salib), estimator=snakemake.params.estimator
    )
    write_text(summary, snakemake.output.summary)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
