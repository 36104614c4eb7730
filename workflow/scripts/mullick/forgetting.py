"""Types of the measures of many classes, and those that forget the rare classes."""

import pandas as pd

from skewproof_studies.mullick.forgetting.class_weights import types_table, weights_of_the_rarest
from skewproof_studies.mullick.forgetting.crossings import summarize_forgetting
from skewproof_studies.mullick.forgetting.figure import forgetting_figure
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, output = start(snakemake), snakemake.output
table = pd.concat(map(read_table, snakemake.input.tables), ignore_index=True)
types = types_table(table, alpha=snakemake.params.alpha)
weights = weights_of_the_rarest(table)
forgetting = pd.concat(map(read_table, snakemake.input.crossings), ignore_index=True)
log.info("%d crossings", len(forgetting))
write_table(table, output.sensitivity)
write_table(types, output.types)
write_table(weights, output.weights)
write_table(forgetting, output.forgetting)
write_text(summarize_forgetting(types, weights, forgetting), output.summary)
write_figure(forgetting_figure(weights, forgetting), output.figure, snakemake.params.made_from)
