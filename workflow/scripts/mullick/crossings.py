"""At which ratios every measure gives the rarest class half of a fair share, for some classes."""

from skewproof.multiclass import MEASURES
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.studies.mullick.crossing_table import crossing_table


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    table = crossing_table(
        list(MEASURES.values()),
        int(snakemake.wildcards.classes),
        params.largest,
        log2_samples=params.log2_samples,
        replicates=params.replicates,
        seed=params.seed,
    )
    log.info("%d crossings", len(table))
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
