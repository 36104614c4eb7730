"""Table and report of the effect of wrong labels on measures, and a figure of registered ones."""

import pandas as pd

from skewproof.metrics import METRICS
from skewproof_studies.atlas.label_errors import (
    CROSSING_TYPES,
    SHARE_TYPES,
    label_error_report,
)
from skewproof_studies.atlas.label_errors_figure import label_errors_figure
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_table

start(snakemake)
source, output, params = snakemake.input, snakemake.output, snakemake.params
parts = [read_table(path, dtype=SHARE_TYPES) for path in source.shares]
shares = pd.concat(parts, ignore_index=True)
write_table(shares, output.shares)
crossings = read_table(source.levels, dtype=CROSSING_TYPES)
text = label_error_report(shares, crossings, levels=params.levels, **params.ranges)
write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
registered = shares[shares["measure"].isin(METRICS)]
write_figure(
    label_errors_figure(
        shares if registered.empty else registered, params.levels[0], params.levels[-1]
    ),
    output.figure,
    params.made_from,
)
