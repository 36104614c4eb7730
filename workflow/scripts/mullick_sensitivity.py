"""Sensitivity of every index to the errors on each class, for one number of classes."""

from _files import start
from _frames import write_table
from skewproof.multiclass.forgetting import sensitivity_table
from skewproof.multiclass.indices import INDICES


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    table = sensitivity_table(
        list(INDICES.values()),
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
