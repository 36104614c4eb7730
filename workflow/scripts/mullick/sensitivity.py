"""Sensitivity of every measure to the errors on each class, for one number of classes."""

from skewproof.multiclass import MEASURES
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.studies.mullick.forgetting import sensitivity_table


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    table = sensitivity_table(
        list(MEASURES.values()),
        int(snakemake.wildcards.classes),
        params.ratios,
        log2_samples=params.log2_samples,
        replicates=params.replicates,
        seed=params.seed,
    )
    log.info("%d indices by class", len(table))
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
