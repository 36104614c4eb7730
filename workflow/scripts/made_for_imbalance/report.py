"""Tables, costs, report and picture of what measures keep as positives become rare."""

import pandas as pd

from skewproof import interval
from skewproof_studies.made_for_imbalance.measures import compared_measures
from skewproof_studies.made_for_imbalance.numbers import call_table, cost_table
from skewproof_studies.made_for_imbalance.parameters import worth_table
from skewproof_studies.made_for_imbalance.report import SHOWN, imbalance_report, kinds_figure
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = compared_measures(params.metrics, params.measures)
ranks = {key: rank for rank, key in enumerate(registry)}
tables = {}
for name in ("kinds", "points", "levels"):
    parts = pd.concat(map(read_table, snakemake.input[name]))
    tables[name] = parts.sort_values(
        "measure", key=lambda column: column.map(ranks), kind="stable", ignore_index=True
    )
tables["costs"] = cost_table(registry, interval)
tables["calls"] = call_table(registry)
tables["worths"] = worth_table()
for name, table in tables.items():
    write_table(table, output[name])
text = imbalance_report(**tables)
write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
shown = [key for key in SHOWN if key in registry]
write_figure(kinds_figure(tables["kinds"], registry, shown), output.figure, params.made_from)
log.info("%d measures", len(registry))
