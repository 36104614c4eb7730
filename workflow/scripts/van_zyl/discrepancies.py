"""Report of the paper's discrepancies."""

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.van_zyl.discrepancies.report import discrepancies, discrepancy_report

log = start(snakemake)
source = snakemake.input
found = discrepancies(
    read_table(source.printed, dtype=str),
    read_table(source.half_widths),
    read_table(source.real_world, dtype=str),
)
log.info("%d of %d shown", sum(one.shown for one in found), len(found))
write_text(discrepancy_report(found), snakemake.output[0])
