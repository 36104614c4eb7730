"""Tharwat's claims on each measure under imbalance, with a proof or a counterexample."""

from skewproof.core.levels import Level
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.tharwat.claims import (
    adjusted_g_mean_of_shares_shifts,
    adjusted_g_mean_shifts,
    claim_rows,
    total_areas,
)
from skewproof_studies.tharwat.report import claim_report

log, params, output = start(snakemake), snakemake.params, snakemake.output
levels, baseline = [Level.parse(level) for level in params.levels], Level.parse(params.baseline)
claims = read_table(snakemake.input.claims, dtype={"section": str})
rows = claim_rows(claims, levels, baseline, params.positives)
write_table(rows, output.table)
log.info("%d claims at %d levels", len(claims), len(levels))
of_numbers = adjusted_g_mean_shifts(levels, baseline)
write_table(of_numbers, output.adjusted_g_mean)
of_shares = adjusted_g_mean_of_shares_shifts(levels, baseline, params.positives)
total = total_areas()
write_table(total, output.total)
write_text(claim_report(rows, of_numbers, of_shares, total), output.report)
