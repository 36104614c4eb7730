"""Confusion matrices of four classifiers on one problem, for every test set of every fold."""

import pandas as pd

from skewproof_studies.mullick.experiment.protocol import (
    experiment_matrices,
    load_problem,
    problem_sizes,
)
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table

log, params, name = start(snakemake), snakemake.params, snakemake.wildcards.problem
problem = load_problem(**params.problem)
protocol = {"folds": params.folds, "seed": params.seed, "name": name}
sizes = problem_sizes(problem, **protocol)
sizes.insert(0, "problem", name)
matrices = []
for run in range(1, 1 + params.runs):
    matrices.append(experiment_matrices(problem, params.options, **protocol, run=run))
    log.info("run %d of %d", run, params.runs)
table = pd.concat(matrices)
table.insert(0, "problem", name)
table.insert(1, "classes", len(sizes))
write_table(table, snakemake.output.matrices)
write_table(sizes, snakemake.output.sizes)
