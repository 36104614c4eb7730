"""Report of the paper's discrepancies."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.van_zyl.discrepancies.report import discrepancies, discrepancy_report

log = start(snakemake)
source = snakemake.input
checks = discrepancies(
    read_table(source.printed, dtype=str),
    read_table(source.half_widths),
    read_table(source.real_world, dtype=str),
)
log.info("%d of %d shown", sum(check.shown for check in checks), len(checks))
write_text(discrepancy_report(checks), snakemake.output[0])
