"""Tharwat's figures 5 to 14, redrawn."""

from pathlib import Path

from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.tharwat.curve_figures import (
    CURVE_FIGURES,
    iris_curves_figure,
    iris_matrices_figure,
)
from skewproof_studies.tharwat.iris import iris_experiment, iris_results

log, params = start(snakemake), snakemake.params
experiment = iris_experiment(folds=params.folds, seed=params.seed)
figures = {name: draw() for name, draw in CURVE_FIGURES.items()}
figures["figure_13"] = iris_curves_figure(experiment)
figures["figure_14"] = iris_matrices_figure(iris_results(experiment))
for name, figure in figures.items():
    write_figure(
        figure, [path for path in snakemake.output if Path(path).stem == name], params.made_from
    )
log.info("%d figures", len(figures))
