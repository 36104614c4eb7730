"""Error of the sampled indices against the number of base points."""

from _figures import write_figure
from _files import start_log
from _frames import read_table
from skewproof.curves import convergence_figure


def main(snakemake) -> None:
    start_log(snakemake.log[0])
    figure = convergence_figure(read_table(snakemake.input.convergence))
    write_figure(figure, snakemake.output)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
