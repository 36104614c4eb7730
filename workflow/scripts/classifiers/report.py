"""Tables, report and figure of all distributions of classifiers."""

import pandas as pd

from skewproof_studies.classifiers.report import classifiers_report, distributions_figure
from skewproof_studies.classifiers.tables import exchanges_by_distribution
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.definitions import study_metrics

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = study_metrics(**params.metrics)
indices, shifts = (
    # Integers with missing values.
    pd.concat([read_table(path, dtype={"rank": "Int64"}) for path in paths])
    for paths in (snakemake.input.indices, snakemake.input.shifts)
)
words = dict(zip(shifts["distribution"], shifts["classifiers"], strict=True))
log.info("%d distributions", len(words))
for table, path in ((indices, output.indices), (shifts, output.shifts)):
    write_table(table.drop(columns="classifiers"), path)
write_table(exchanges_by_distribution(shifts), output.exchanges)
report = classifiers_report(
    words,
    shifts,
    indices,
    read_table(snakemake.input.invariance),
    baseline=params.baseline,
    registry=registry,
)
write_text(report, output.report)
level = shifts["level"].iloc[-1]
figure = distributions_figure(shifts, indices, level=level, registry=registry)
write_figure(figure, output.figure, params.made_from)
