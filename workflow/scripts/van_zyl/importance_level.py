"""Importance scores of metrics at one level: sample, values and analysis in one."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import study_metrics
from skewproof.pipeline.files import start
from skewproof.pipeline.importance import write_importance
from skewproof.sensitivity.sampled import sobol_indices


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    registry, level = study_metrics(params.own_metrics), Level.parse(params.level)
    indices = sobol_indices(
        [bounded(registry[key]) for key in params.metrics],
        level,
        float(params.positives),
        seed=params.seed,
        total=False,
        **params.sobol,
    )
    log.info("%d metrics at %s", len(params.metrics), level)
    write_importance(snakemake, level, indices.s1, indices.s1_conf, indices.undefined)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
