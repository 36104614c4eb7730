"""What Tharwat says of each measure under imbalance, beside a proof or a counterexample."""

from skewproof.core.levels import Level
from skewproof.pipeline.files import start, write_text
from skewproof.pipeline.tables import read_table, write_table
from skewproof.studies.tharwat.claims import (
    adjusted_g_mean_of_shares,
    claim_report,
    claim_rows,
    shifts_of,
)


def main(snakemake) -> None:
    log, params, output = start(snakemake), snakemake.params, snakemake.output
    levels, baseline = [Level.parse(level) for level in params.levels], Level.parse(params.baseline)
    claims = read_table(snakemake.input.claims, dtype={"section": str})
    rows = claim_rows(claims, levels, baseline, params.positives)
    write_table(rows, output.table)
    log.info("%d claims at %d levels", len(claims), len(levels))
    shares = rows.loc[rows["metric"] == "adjusted_g_mean", ["level"]].copy()
    metric = adjusted_g_mean_of_shares()
    shares[["mean_shift", "largest_shift"]] = [
        shifts_of(metric, level, baseline, params.positives) for level in levels
    ]
    write_text(claim_report(rows, shares), output.report)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
