"""Effect of prevalence on every n-th measure."""

import pandas as pd

from skewproof.core.levels import Level
from skewproof_studies.atlas.prevalence import COLUMNS, measure_rows
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params = start(snakemake), snakemake.params
registry = chosen_measures(params.measures)
levels, baseline = [*map(Level.parse, params.levels)], Level.parse(params.baseline)
rows = []
for key in list(registry)[int(snakemake.wildcards.part) :: params.parts]:
    rows += measure_rows(registry[key], levels, baseline, params.positives, params.seed)
    log.info("%s: %s", key, rows[-1]["order_invariant"])
write_table(pd.DataFrame(rows, columns=COLUMNS), snakemake.output[0])
