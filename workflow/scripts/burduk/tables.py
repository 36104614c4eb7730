"""Comparison of Burduk's tables with the printed ones, his theorem, and a check of his claim."""

from pathlib import Path

import pandas as pd

from skewproof.audits.auditing import audit
from skewproof.metrics import get_metric
from skewproof_studies.burduk.claim import claim_in_the_tables, claim_shares, reactions
from skewproof_studies.burduk.discrepancies import discrepancies, discrepancy_report
from skewproof_studies.burduk.report import hmnc_report
from skewproof_studies.burduk.tables import (
    HMNC,
    classifier_rows,
    classifier_table,
    compare_with_printed,
    imbalance_ratio,
)
from skewproof_studies.burduk.theorem_and_slopes import border_shares
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_layout, write_table

log, params, output = start(snakemake), snakemake.params, snakemake.output
tables, rows, shares, pairs, borders = {}, [], [], [], []
for number, negatives in enumerate(params.negatives, start=1):
    sizes = {"positives": params.positives, "negatives": negatives}
    ratio = imbalance_ratio(**sizes)
    rows.append(classifier_rows(**sizes).assign(**sizes))
    tables[f"table_{number}"] = classifier_table(rows[-1], **sizes)
    pairs.append(claim_in_the_tables(rows[-1]))
    share = claim_shares(reactions(**sizes, grid=params.grid), ratio)
    shares.append(share.assign(imbalance_ratio=ratio))
    borders.append(border_shares(ratio).assign(imbalance_ratio=ratio))
    log.info("%d negatives", negatives)
for path in map(Path, output.tables):
    write_layout(tables[path.stem], path, params.made_from)
printed = read_table(snakemake.input.printed)
comparison = compare_with_printed(printed, pd.concat(rows))
write_table(comparison, output.comparison)
measured, bordered = (pd.concat(parts, ignore_index=True) for parts in (shares, borders))
write_table(measured, output.shares)
write_table(bordered, output.borders)
write_text(hmnc_report(comparison, pd.concat(pairs), measured, bordered), output.report)
checks = discrepancies(printed, comparison, measured)
log.info("%d discrepancies", sum(check.shown for check in checks))
write_text(discrepancy_report(checks), output.discrepancies)
write_text(audit(get_metric(HMNC)).to_markdown(), output.card)
