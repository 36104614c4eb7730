"""Distortion of two measures, by the test set and by the number of classes."""

from skewproof_studies.mullick.example_1 import (
    distortion_figure,
    printed_values,
    simulated_auroc_ova,
    simulated_precision,
    summarize_distortions,
)
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import write_table

log, params, output = start(snakemake), snakemake.params, snakemake.output
options = {"size": params.instances, "seed": params.seed}
precisions = simulated_precision(sorted(params.representatives), **options)
areas = simulated_auroc_ova(**options)
printed = printed_values()
log.info("%d printed values, %d agree", len(printed), printed["agrees"].sum())
write_table(printed, output.printed)
write_table(precisions, output.precision)
write_table(areas, output.area)
write_text(summarize_distortions(printed), output.summary)
write_figure(distortion_figure(precisions, areas), output.figure, params.made_from)
