"""Distances of the shuffles of likely seeds from Table 11, on one data set."""

import pandas as pd
from sklearn.linear_model import LogisticRegression

from skewproof_studies.pipeline.data_files import read_recorded
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.real_data.shuffle_search import (
    SEARCH_COLUMNS,
    candidates,
    shuffle_distances,
)

log, params, dataset = start(snakemake), snakemake.params, snakemake.wildcards.dataset
data = read_recorded(snakemake.input[0], params.source)
printed = read_table(snakemake.input.printed, dtype=str)
values = printed[(printed["table"] == "11") & (printed["column"] == dataset)]
rows = []
if data is not None and len(values):
    distances = shuffle_distances(
        data,
        dict(zip(values["row"], values["printed"], strict=True)),
        LogisticRegression(**params.logistic_regression),
        count=params.folds,
        states=candidates(params.seeds),
    )
    for row in distances:
        rows.append({"dataset": dataset, **row})
        log.info("random_state %s: %g", row["random_state"], row["distance"])
write_table(pd.DataFrame(rows, columns=SEARCH_COLUMNS), snakemake.output[0])
