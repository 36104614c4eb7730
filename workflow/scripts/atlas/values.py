"""Classes of measures that are equal, or linear functions of each other."""

import pandas as pd

from skewproof_studies.atlas.classes import Functions, partition
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
registry = chosen_measures(params.measures)
functions = Functions(registry, params.seed)
table = pd.DataFrame({"measure": list(registry)})
for name, judge in (("equal", functions.equal), ("affine", functions.affine)):
    table[name] = table["measure"].map(partition(list(registry), judge).first)
    log.info("%s: %d classes", name, table[name].nunique())
write_table(table, snakemake.output[0])
