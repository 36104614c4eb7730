"""Tests between independent scrambles of every metric at every level."""

from skewproof.core.levels import Level
from skewproof.metrics import analyzed
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.sensitivity.replicates import replicated_indices, sound_tests


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    metrics, groups = [analyzed(key) for key in params.metrics], {}
    for level in params.levels:
        groups[level] = replicated_indices(
            metrics,
            Level.parse(level),
            float(params.positives),
            log2_samples=params.statistics["log2_samples"],
            replicates=params.statistics["replicates"],
            seed=params.seed,
            undefined=params.undefined,
        )
        log.info("%d scrambles at %s", len(groups[level]), level)
    table = sound_tests(
        groups,
        params.metrics,
        baseline=params.baseline,
        smallest_difference=params.statistics["smallest_difference"],
        alpha=params.alpha,
    )
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
