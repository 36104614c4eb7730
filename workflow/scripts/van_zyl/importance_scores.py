"""Importance scores of every metric at every level, and the undefined points of their samples."""

import pandas as pd

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, params = start(snakemake), snakemake.params
table = pd.concat(map(read_table, snakemake.input), ignore_index=True)
scores = ["metric", "level", "positives", "negatives", "input", "s1", "s1_conf"]
write_table(table[scores], snakemake.output.scores)
points = table.drop_duplicates(["metric", "level"])[["metric", "level", "undefined_base_points"]]
points.insert(2, "base_points", 2**params.log2_samples)
points.insert(3, "undefined", params.undefined)
write_table(points, snakemake.output.points)
log.info("%d importance scores", len(table))
