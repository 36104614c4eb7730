"""Proof or counterexample for every metric at every level."""

from skewproof.core.levels import Level
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
baseline, rows = Level.parse(params.baseline), []
for key, metric in study_metrics(**params.metrics).items():
    for level in params.levels:
        shown = invariance(metric, Level.parse(level), baseline, params.positives)
        point, values = shown.point or ("", ""), shown.values or ("", "")
        rows.append((key, level, shown.verdict, shown.formula or "", *point, *values))
    log.info("%s at %d levels", key, len(params.levels))
columns = ["metric", "level", "verdict", "formula", "u", "v", "baseline_value", "level_value"]
write_rows(columns, rows, snakemake.output[0])
