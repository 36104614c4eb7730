"""Report and figure of the effect of imbalance on measures of clusterings and rankings."""

from skewproof.audits.choosing.poisson_lists import RankingModel
from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.survey.imbalance_figure import imbalance_figure
from skewproof_studies.survey.report import survey_report

start(snakemake)
source, params = snakemake.input, snakemake.params
tables = [
    read_table(path)
    for path in (
        source.cluster_indices,
        source.cluster_shifts,
        source.ranking_indices,
        source.ranking_shifts,
    )
]
model = RankingModel(params.length, params.k)
write_text(survey_report(*tables, model=model), snakemake.output.report)
write_figure(imbalance_figure(*tables), snakemake.output.figure, params.made_from)
