"""Importance scores of every metric at one level."""

from skewproof.core.confusion import INPUTS
from skewproof.core.levels import Level
from skewproof.metrics import analyzed
from skewproof.pipeline.files import start, write_rows
from skewproof.sensitivity.sampled import sobol_indices


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    level, positives = Level.parse(params.level), float(params.positives)
    metrics = [analyzed(key) for key in params.metrics]
    indices = sobol_indices(metrics, level, positives, seed=params.seed, **params.sobol)
    log.info("%d metrics at %s", len(metrics), level)

    negatives = level.negatives(positives)
    scores = [
        (key, level, positives, negatives, name, s1, s1_conf)
        for key, *both in zip(params.metrics, indices.s1, indices.s1_conf, strict=True)
        for name, s1, s1_conf in zip(INPUTS, *both, strict=True)
    ]
    columns = ["metric", "level", "positives", "negatives", "input", "s1", "s1_conf"]
    write_rows(columns, scores, snakemake.output.scores)

    sample = (2 ** params.sobol["log2_samples"], params.sobol["undefined"])
    points = [
        (key, level, *sample, undefined)
        for key, undefined in zip(params.metrics, indices.undefined, strict=True)
    ]
    columns = ["metric", "level", "base_points", "undefined", "undefined_base_points"]
    write_rows(columns, points, snakemake.output.points)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
