"""Table of every measure for one number of classes: indices by class, or crossings."""

from skewproof.multiclass.lookup import MEASURES
from skewproof_studies.mullick.forgetting.class_weights import Sampling, sensitivity_table
from skewproof_studies.mullick.forgetting.crossings import crossing_table
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table

TABLES = {"sensitivity": sensitivity_table, "crossings": crossing_table}
"""Functions that compute a table, by the name of the output."""


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
