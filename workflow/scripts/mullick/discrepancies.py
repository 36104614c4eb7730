"""Report of the discrepancies of Mullick et al."""

from skewproof_studies.mullick.discrepancies import discrepancies, discrepancy_report
from skewproof_studies.pipeline.writing.files import start, write_text

log = start(snakemake)
checks = discrepancies()
log.info("%d of %d known discrepancies shown", sum(check.shown for check in checks), len(checks))
write_text(discrepancy_report(checks), snakemake.output[0])
