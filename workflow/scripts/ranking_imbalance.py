"""What the share of relevant items does to measures of a ranked list."""

from _files import start
from _frames import write_table
from skewproof.absolute.ranking_imbalance import (
    RankingModel,
    ranking_sensitivity,
    ranking_shifts,
)
from skewproof.levels import Level


def main(snakemake) -> None:
    start(snakemake)
    params = snakemake.params
    levels, baseline = [Level.parse(level) for level in params.levels], Level.parse(params.baseline)
    model = RankingModel(params.length, params.k)
    write_table(ranking_shifts(model, levels, baseline), snakemake.output.shifts)
    indices = ranking_sensitivity(
        model,
        levels,
        replicates=params.replicates,
        log2_samples=params.log2_samples,
        seed=params.seed,
    )
    write_table(indices, snakemake.output.indices)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
