"""Report of the discrepancies of Mullick et al."""

from skewproof_studies.mullick.discrepancies import discrepancies, discrepancy_report
from skewproof_studies.pipeline.writing.files import start, write_text

log = start(snakemake)
found = discrepancies()
log.info("%d of %d known discrepancies shown", sum(one.shown for one in found), len(found))
write_text(discrepancy_report(found), snakemake.output[0])
