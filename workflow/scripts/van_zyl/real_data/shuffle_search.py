"""Distances of the shuffles of likely seeds from Table 11, on all data sets."""

import pandas as pd

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.real_data.shuffle_search import summarize_search

log = start(snakemake)
tables = [read_table(path, dtype={"random_state": str}) for path in snakemake.input.parts]
table = pd.concat([part for part in tables if len(part)] or tables[:1], ignore_index=True)
log.info("%d shuffles of all data sets", len(table))
write_table(table, snakemake.output.table)
write_text(summarize_search(table), snakemake.output.summary)
