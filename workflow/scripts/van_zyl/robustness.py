"""Contour deviations under other choices, and a ranking of all metrics."""

from skewproof.core.levels import Level
from skewproof.metrics import analyzed
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.van_zyl.robustness import choices, ranking


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    table = choices(
        [analyzed(key) for key in params.metrics],
        [Level.parse(level) for level in params.levels],
        Level.parse(params.baseline),
        params.positives,
        grid=params.contours["grid"],
        undefined=params.contours["undefined"],
        grids=params.robustness["grids"],
        policies=params.robustness["undefined"],
        class_sizes=params.robustness["positives"],
    )
    log.info("%d deviations", len(table))
    write_table(table, snakemake.output.robustness)
    exact = read_table(snakemake.input.exact)
    write_table(ranking(table, exact, baseline=params.baseline), snakemake.output.ranking)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
