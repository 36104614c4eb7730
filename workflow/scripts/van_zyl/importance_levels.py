"""Importance scores of metrics at some levels: sample, values and analysis in one."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.sampled import sobol_indices
from skewproof_studies.pipeline.importance import write_importance
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.settings.definitions import study_metrics


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    registry = study_metrics(params.own_metrics)
    metrics, positives = [bounded(registry[key]) for key in params.metrics], float(params.positives)
    found = {}
    for level in map(Level.parse, params.levels):
        found[level] = sobol_indices(
            metrics, level, positives, seed=params.seed, total=False, **params.sobol
        )
        log.info("%d metrics at %s", len(metrics), level)
    write_importance(snakemake, found)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
