"""Measures of the experiment's matrices, its findings, and Figures 3 to 5."""

import pandas as pd

from skewproof_studies.mullick.experiment.figures import (
    figure_3,
    figure_4,
    figure_5,
    problem_labels,
)
from skewproof_studies.mullick.experiment.findings import findings
from skewproof_studies.mullick.experiment.report import experiment_report, size_table
from skewproof_studies.mullick.experiment.statistics import (
    losses,
    lost_classes,
    mean_performance,
    measure_values,
    minima,
    variability,
    with_a_lost_class,
)
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table

log, output = start(snakemake), snakemake.output
matrices = pd.concat(map(read_table, snakemake.input.matrices), ignore_index=True)
values = measure_values(matrices)
log.info("%d values of measures", len(values))
tables = {
    "performance": mean_performance(values),
    "variability": variability(values),
    "minima": minima(values),
    "lost_classes": lost_classes(values),
    "losses": losses(values, measure_values(with_a_lost_class(matrices))),
}
for name, table in tables.items():
    write_table(table, output[name])
paper_findings = findings(tables["variability"], tables["minima"], tables["lost_classes"])
write_table(paper_findings, output.findings)
sizes = size_table(pd.concat(map(read_table, snakemake.input.sizes), ignore_index=True))
write_text(experiment_report(paper_findings, sizes, tables), output.report)
labels = problem_labels(sizes)
write_figure(figure_3(tables["variability"], labels), output.figure_3, snakemake.params.made_from)
write_figure(figure_4(tables["variability"], labels), output.figure_4, snakemake.params.made_from)
write_figure(figure_5(tables["minima"], labels), output.figure_5, snakemake.params.made_from)
