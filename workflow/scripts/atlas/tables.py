"""The tables of the atlas, and its report."""

import pandas as pd

from skewproof.metrics.atlas import ATLAS, CATALOG
from skewproof_studies.atlas.report import atlas_report
from skewproof_studies.atlas.tables import class_table, measure_table
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.provenance import made_by
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, params, output = start(snakemake), snakemake.params, snakemake.output
parts = [read_table(path, dtype={"type": str}) for path in snakemake.input.measures]
measures = measure_table(pd.concat(parts), ATLAS, CATALOG)
orderings = {
    level: read_table(path)
    for level, path in zip(params.orderings, snakemake.input.classes, strict=True)
}
classes = class_table(read_table(snakemake.input.functions[0]), orderings, measures)
evidence = pd.concat(map(read_table, snakemake.input.evidence))
write_table(measures, output.measures)
write_table(classes, output.classes)
write_table(evidence, output.orderings)
log.info("%d measures", len(classes))
text = atlas_report(
    classes, measures, levels=params.levels, baseline=params.baseline, catalog=CATALOG
)
write_text(f"<!-- {made_by()}; {params.made_from} -->\n{text}", output.report)
