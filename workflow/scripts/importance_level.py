"""Importance scores of every metric at one level."""

import pandas as pd

from _files import start_log, write_table
from skewproof.design import INPUTS
from skewproof.indices import sobol_indices
from skewproof.levels import Level
from skewproof.metrics import get_metric


def main(snakemake) -> None:
    log, params = start_log(snakemake.log[0]), snakemake.params
    level, positives = Level.parse(params.level), float(params.positives)
    indices = sobol_indices(
        [get_metric(key) for key in params.metrics],
        level,
        positives,
        seed=params.seed,
        **params.sobol,
    )
    sizes = (positives, level.negatives(positives))
    scores = pd.DataFrame(
        [
            (key, params.level, *sizes, name, s1, s1_conf)
            for key, *both in zip(params.metrics, indices.s1, indices.s1_conf, strict=True)
            for name, s1, s1_conf in zip(INPUTS, *both, strict=True)
        ],
        columns=["metric", "level", "positives", "negatives", "input", "s1", "s1_conf"],
    )
    points = pd.DataFrame(
        {
            "metric": params.metrics,
            "level": params.level,
            "base_points": 2 ** params.sobol["log2_samples"],
            "undefined_base_points": indices.undefined,
            "undefined": params.sobol["undefined"],
        }
    )
    log.info("%d metrics at %s", len(points), level)
    write_table(scores, snakemake.output.scores)
    write_table(points, snakemake.output.points)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
