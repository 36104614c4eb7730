"""Overview figures of all metrics."""

from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.figures.verdict_figures import ranking_figure, verdict_figure

start(snakemake)
source, output = snakemake.input, snakemake.output
registry = study_metrics(**snakemake.params.metrics)
verdicts = read_table(source.verdicts)
write_figure(
    verdict_figure(verdicts, registry=registry), output.verdicts, snakemake.params.made_from
)
figure = ranking_figure(
    read_table(source.ranking),
    read_table(source.robustness, dtype={"value": str}),
    read_table(source.exact),
    baseline=snakemake.params.baseline,
    registry=registry,
)
write_figure(figure, output.ranking, snakemake.params.made_from)
