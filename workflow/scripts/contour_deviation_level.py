"""Contour deviation of every metric at one level from the baseline level."""

import pandas as pd

from _files import start_log, write_table
from skewproof.contours import deviation, surface
from skewproof.levels import Level
from skewproof.metrics import get_metric


def main(snakemake) -> None:
    log, params = start_log(snakemake.log[0]), snakemake.params
    rows = []
    for key in params.metrics:
        here, baseline = (
            surface(get_metric(key), Level.parse(level), params.positives, grid=params.grid)
            for level in (params.level, params.baseline)
        )
        result = deviation(here.values, baseline.values, undefined=params.undefined)
        rows.append((key, params.level, *result))
        log.info("%s: %d undefined points", key, result.undefined_points)
    columns = ["metric", "level", "sigma", "points", "undefined_points"]
    write_table(pd.DataFrame(rows, columns=columns), snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
