"""Effect of the share of relevant items on measures of a ranked list."""

from skewproof.audits.choosing.poisson_lists import RankingModel, ranking_shifts
from skewproof.core.levels import Level
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.survey.ranking_imbalance import ranking_sensitivity

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
