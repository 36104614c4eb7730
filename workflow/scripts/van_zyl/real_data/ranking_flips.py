"""Which classifier wins under each metric and under its normalized variant."""

import pandas as pd

from skewproof.metrics import study_metrics
from skewproof.pipeline.figures import write_figure
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.van_zyl.real_data.flips import FLIP_COLUMNS, ranking_flips
from skewproof.studies.van_zyl.real_data.flips_figure import ranking_flips_figure


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    registry = study_metrics(params.own_metrics)
    parts = [pd.DataFrame(columns=["dataset", *FLIP_COLUMNS])]
    for dataset, path in zip(params.datasets, snakemake.input.ways, strict=True):
        ways = read_table(path)
        if len(ways):
            part = ranking_flips(
                ways, params.metrics, draws=params.draws, seed=params.seed, registry=registry
            )
            part.insert(0, "dataset", dataset)
            parts.append(part)
            log.info("%s: %d flips of %d", dataset, part["flips"].sum(), part["flips"].count())
    flips = pd.concat(parts[1:] or parts, ignore_index=True)
    write_table(flips, snakemake.output.flips)
    write_figure(ranking_flips_figure(flips, registry=registry), snakemake.output.figure)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
