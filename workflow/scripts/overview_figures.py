"""Figures of all metrics at a glance."""

from _figures import write_figure
from _files import start
from _frames import read_table
from skewproof.overviews import ranking_figure, verdict_figure


def main(snakemake) -> None:
    start(snakemake)
    source, output = snakemake.input, snakemake.output
    write_figure(verdict_figure(read_table(source.verdicts)), output.verdicts)
    figure = ranking_figure(
        read_table(source.ranking),
        read_table(source.robustness, dtype={"value": str}),
        read_table(source.exact),
        baseline=snakemake.params.baseline,
    )
    write_figure(figure, output.ranking)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
