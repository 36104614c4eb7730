"""Report of the survey's discrepancies."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.survey.discrepancies.report import discrepancies, discrepancy_report

log = start(snakemake)
checks = discrepancies()
log.info("%d of %d shown", sum(check.shown for check in checks), len(checks))
write_text(discrepancy_report(checks), snakemake.output[0])
