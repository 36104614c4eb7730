"""Which of the metrics of the rates order classifiers alike."""

from skewproof.metrics import study_metrics
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.van_zyl.orderings import count_orderings, invariant_metrics, orderings


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    keys = invariant_metrics(read_table(snakemake.input.invariance))
    table = orderings(keys, registry=study_metrics(params.own_metrics), seed=params.seed)
    log.info("%d metrics, %d orderings", len(table), count_orderings(table))
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
