"""Exact indices of every metric as curves over imbalance."""

from skewproof.core.levels import Level
from skewproof.core.scales import bounded
from skewproof.metrics import study_metrics
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.sensitivity.sweep import sweep


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    registry = study_metrics(params.own_metrics)
    table = sweep(
        [bounded(registry[key]) for key in params.metrics],
        float(params.positives),
        start=Level.parse(params.sweep["from"]),
        stop=Level.parse(params.sweep["to"]),
        points_per_decade=params.sweep["points_per_decade"],
    )
    log.info("%d points", len(table))
    write_table(table, snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
