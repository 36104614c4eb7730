"""Proof or counterexample for every metric at every level."""

from skewproof.core.levels import Level
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof_studies.pipeline.writing.files import start, write_rows
from skewproof_studies.settings.definitions import study_metrics

log, params = start(snakemake), snakemake.params
registry = study_metrics(params.own_metrics)
baseline, rows = Level.parse(params.baseline), []
for key in params.metrics:
    for level in params.levels:
        shown = invariance(registry[key], Level.parse(level), baseline, params.positives)
        point, values = shown.point or ("", ""), shown.values or ("", "")
        rows.append((key, level, shown.verdict, shown.formula or "", *point, *values))
    log.info("%s at %d levels", key, len(params.levels))
columns = ["metric", "level", "verdict", "formula", "u", "v", "baseline_value", "level_value"]
write_rows(columns, rows, snakemake.output[0])
