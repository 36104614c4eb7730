"""Tharwat's examples, Table 1 and the Iris experiment, compared with the printed numbers."""

from pathlib import Path

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_layout, write_table
from skewproof_studies.tharwat.discrepancies import discrepancies, discrepancy_report
from skewproof_studies.tharwat.examples import compare_with_printed
from skewproof_studies.tharwat.iris import iris_experiment, iris_results
from skewproof_studies.tharwat.report import examples_report
from skewproof_studies.tharwat.twenty_samples import table_of_thresholds

log, params, output = start(snakemake), snakemake.params, snakemake.output
given = snakemake.input
# Digits are read as text, so that their number is known.
texts = [read_table(path, dtype=str) for path in (given.printed, given.table, given.remarks)]
comparison = compare_with_printed(*texts)
log.info("%d of %d agree", comparison["agrees"].sum(), len(comparison))
iris = iris_results(iris_experiment(folds=params.folds, seed=params.seed))
write_table(comparison, output.comparison)
write_table(iris, output.iris)
write_text(examples_report(comparison, iris), output.report)
write_text(discrepancy_report(discrepancies(comparison)), output.discrepancies)
for path in map(Path, output.tables):
    write_layout(table_of_thresholds(), path, params.made_from)
