"""Curves of one point (Figs. 1 and 2), of exact indices and of the errors of sampled ones."""

from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.figures.index_figures import convergence_figure, sweep_figure
from skewproof_studies.van_zyl.figures.point_figures import pr_point_figure, roc_point_figure

start(snakemake)
source, output = snakemake.input, snakemake.output
registry = study_metrics(**snakemake.params.metrics)
write_figure(roc_point_figure(), output.roc, snakemake.params.made_from)
write_figure(pr_point_figure(), output.pr, snakemake.params.made_from)
sweep, convergence = read_table(source.sweep), read_table(source.convergence)
write_figure(sweep_figure(sweep, registry=registry), output.sweep, snakemake.params.made_from)
write_figure(
    convergence_figure(convergence, registry=registry),
    output.convergence,
    snakemake.params.made_from,
)
