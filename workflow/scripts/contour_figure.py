"""Contours of one metric at every level."""

from _figures import write_figure
from _files import start_log
from skewproof.contours import surface
from skewproof.figures import contour_figure
from skewproof.levels import Level
from skewproof.metrics import get_metric


def main(snakemake) -> None:
    log, params = start_log(snakemake.log[0]), snakemake.params
    metric = get_metric(snakemake.wildcards.metric)
    surfaces = {
        level: surface(metric, Level.parse(level), params.positives, grid=params.grid)
        for level in params.levels
    }
    log.info("surfaces at %s", ", ".join(surfaces))
    write_figure(contour_figure(metric, surfaces), snakemake.output)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
