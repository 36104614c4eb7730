"""Proof or counterexample for every metric at every level."""

from skewproof.core.levels import Level
from skewproof.metrics import study_metrics
from skewproof.pipeline.files import start, write_rows
from skewproof.sensitivity.invariance import invariance


def main(snakemake) -> None:
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


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
