"""Curves: of one point (Figs. 1 and 2), of the exact indices, of the error of the sampled ones."""

from _figures import write_figure
from _files import start
from _frames import read_table
from skewproof.curves import convergence_figure, sweep_figure
from skewproof.figures import pr_point_figure, roc_point_figure


def main(snakemake) -> None:
    start(snakemake)
    source, output = snakemake.input, snakemake.output
    write_figure(roc_point_figure(), output.roc)
    write_figure(pr_point_figure(), output.pr)
    write_figure(sweep_figure(read_table(source.sweep)), output.sweep)
    write_figure(convergence_figure(read_table(source.convergence)), output.convergence)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
