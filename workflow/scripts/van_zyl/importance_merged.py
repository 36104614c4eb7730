"""Importance scores of metrics at one level from the sums of its shards."""

from collections.abc import Iterable, Iterator

import numpy as np

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.sensitivity.sampling.sampled import merged_indices
from skewproof.sensitivity.sampling.sums import Sums
from skewproof_studies.pipeline.importance import write_importance
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.settings.definitions import study_metrics


def read_shards(paths: Iterable[str]) -> Iterator[Sums]:
    for path in paths:
        with np.load(path) as shard:
            yield Sums(**shard)


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    registry, level = study_metrics(params.own_metrics), Level.parse(params.level)
    indices = merged_indices(
        read_shards(snakemake.input.shards),
        [bounded(registry[key]) for key in params.metrics],
        level,
        **{key: params.sobol[key] for key in ("log2_samples", "confidence", "undefined")},
    )
    log.info("%d metrics at %s", len(params.metrics), level)
    write_importance(snakemake, {level: indices})


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
