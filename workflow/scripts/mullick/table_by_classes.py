"""A table of every measure for one number of classes: indices by class, or the crossings."""

from skewproof.multiclass import MEASURES
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.studies.mullick.crossing_table import crossing_table
from skewproof.studies.mullick.forgetting import Sampling, sensitivity_table

TABLES = {"sensitivity": sensitivity_table, "crossings": crossing_table}
"""What computes a table, by the name of the output."""


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    ((name, path),) = snakemake.output.items()
    table = TABLES[name](
        list(MEASURES.values()),
        int(snakemake.wildcards.classes),
        params.ratios,
        Sampling(**params.sampling, seed=params.seed),
    )
    log.info("%d rows of %s", len(table), name)
    write_table(table, path)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
