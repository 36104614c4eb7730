"""Importance scores of every metric at one level."""

import pandas as pd

from _files import start_log, write_table
from skewproof.confusion import ConfusionMatrix
from skewproof.design import INPUTS, saltelli_design
from skewproof.indices import first_order
from skewproof.levels import Level
from skewproof.metrics import get_metric


def main(snakemake) -> None:
    log, params = start_log(snakemake.log[0]), snakemake.params
    level, positives = Level.parse(params.level), float(params.positives)
    negatives = level.negatives(positives)
    design = saltelli_design(level, positives, log2_samples=params.log2_samples, seed=params.seed)
    matrix = ConfusionMatrix.from_tp_fp(*design.T, positives=positives, negatives=negatives)
    log.info("%d sample points at %s", len(design), level)

    rows = []
    for count, key in enumerate(params.metrics, start=1):
        try:
            scores = first_order(
                get_metric(key)(matrix),
                resamples=params.resamples,
                confidence=params.confidence,
                seed=params.seed,
            )
        except ValueError as error:
            raise ValueError(f"{key} at {level}: {error}") from error
        for name, s1, s1_conf in zip(INPUTS, *scores, strict=True):
            rows.append((key, str(level), positives, negatives, name, s1, s1_conf))
        log.info("%d of %d: %s", count, len(params.metrics), key)
    columns = ["metric", "level", "positives", "negatives", "input", "s1", "s1_conf"]
    write_table(pd.DataFrame(rows, columns=columns), snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
