"""What imbalance does to measures of clusterings and rankings, as a report and a figure."""

from _figures import write_figure
from _files import start, write_text
from _frames import read_table
from skewproof.absolute.ranking_imbalance import RankingModel
from skewproof.absolute.survey_report import report, survey_figure


def main(snakemake) -> None:
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
    write_text(report(*tables, model=model), snakemake.output.report)
    write_figure(survey_figure(*tables), snakemake.output.figure)


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
