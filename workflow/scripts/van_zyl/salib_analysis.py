"""SALib's importance scores of metrics at one level, from their values."""

import numpy as np

from skewproof.core.levels import Level
from skewproof.sensitivity.sampling.sampled import SampledIndices
from skewproof_studies.pipeline.importance import write_importance
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.van_zyl.salib.chain import salib_analysis


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    level = Level.parse(params.level)
    options = {name: params.sobol[name] for name in ("resamples", "confidence", "undefined")}
    analyses = []
    for key, path in zip(params.metrics, snakemake.input["values"], strict=True):
        values = np.load(path, mmap_mode="r")
        analyses.append(salib_analysis(key, values, level, seed=params.seed, **options))
        log.info("%s at %s", key, level)
    indices = SampledIndices(*map(np.array, zip(*analyses, strict=True)))
    write_importance(snakemake, {level: indices})


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
