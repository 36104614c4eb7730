"""Robustness, best points and numbers by level of every n-th measure."""

import pandas as pd

from skewproof_studies.made_for_imbalance.measures import compared_measures
from skewproof_studies.made_for_imbalance.numbers import kept_rows, level_rows
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table

log, params = start(snakemake), snakemake.params
measures = list(compared_measures(params.metrics, params.measures).values())
tables = {"kinds": [], "points": [], "levels": []}
for measure in measures[int(snakemake.wildcards.part) :: params.parts]:
    kinds, points = kept_rows(measure)
    tables["kinds"] += kinds
    tables["points"] += points
    tables["levels"] += level_rows(measure)
    log.info("%s", measure.key)
for name, rows in tables.items():
    write_table(pd.DataFrame(rows), snakemake.output[name])
