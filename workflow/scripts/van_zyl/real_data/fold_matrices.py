"""Confusion matrices of logistic regressions on a data set, for every fold of every shuffle."""

import pandas as pd

from skewproof_studies.pipeline.data_files import read_recorded
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.seeds import random_state
from skewproof_studies.van_zyl.real_data.datasets import undersampled
from skewproof_studies.van_zyl.real_data.folds import MATRIX_COLUMNS, fold_matrices

log, params = start(snakemake), snakemake.params
data = read_recorded(snakemake.input[0], params.source)
matrices, characteristics = [], []
if data is not None:
    # The import takes a second, and is not needed without data.
    from sklearn.linear_model import LogisticRegression

    for shuffle in range(1 + params.shuffles):
        matrices.append(
            fold_matrices(
                data,
                LogisticRegression(**params.logistic_regression),
                count=params.folds,
                seed=params.seed,
                shuffle=shuffle,
                undersample=params.undersample,
            )
        )
        log.info("shuffle %d of %d", shuffle, params.shuffles)
    if params.undersample:
        data = undersampled(data, random_state(params.seed, 0))
    instances, attributes = data.features.shape
    positives = int(data.positive.sum())
    row = [snakemake.wildcards.dataset, instances, attributes, positives]
    characteristics.append([*row, params.source["reference"]])
table = pd.concat(matrices) if matrices else pd.DataFrame(columns=MATRIX_COLUMNS)
table.insert(0, "dataset", snakemake.wildcards.dataset)
write_table(table, snakemake.output.matrices)
columns = ["dataset", "instances", "attributes", "positives", "reference"]
write_table(pd.DataFrame(characteristics, columns=columns), snakemake.output.characteristics)
