"""Report of the survey's discrepancies."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.survey.discrepancies.report import discrepancies, discrepancy_report

log = start(snakemake)
found = discrepancies()
log.info("%d of %d shown", sum(one.shown for one in found), len(found))
write_text(discrepancy_report(found), snakemake.output[0])
