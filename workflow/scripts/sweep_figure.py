"""Exact indices over imbalance."""

from _figures import write_figure
from _files import start_log
from _frames import read_table
from skewproof.curves import sweep_figure


def main(snakemake) -> None:
    start_log(snakemake.log[0])
    figure = sweep_figure(read_table(snakemake.input.sweep))
    write_figure(figure, snakemake.output)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
