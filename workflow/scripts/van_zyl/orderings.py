"""Metrics of the rates that order classifiers alike."""

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.verdicts.orderings import (
    count_orderings,
    invariant_metrics,
    orderings,
)

log, params = start(snakemake), snakemake.params
keys = invariant_metrics(read_table(snakemake.input.invariance))
table = orderings(keys, registry=study_metrics(**params.metrics), seed=params.seed)
log.info("%d metrics, %d orderings", len(table), count_orderings(table))
write_table(table, snakemake.output[0])
