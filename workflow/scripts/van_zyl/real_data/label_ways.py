"""In how many ways five classifiers label the instances of a data set."""

import pandas as pd

from skewproof.core.seeds import random_state
from skewproof.pipeline.data_files import read_recorded
from skewproof.pipeline.files import start
from skewproof.pipeline.tables import write_table
from skewproof.studies.van_zyl.real_data.datasets import undersampled
from skewproof.studies.van_zyl.real_data.flips import label_ways
from skewproof.studies.van_zyl.real_data.folds import classifiers, held_out_predictions


def main(snakemake) -> None:
    log, params = start(snakemake), snakemake.params
    data = read_recorded(snakemake.input[0], params.source)
    chosen = classifiers(params.logistic_regression, params.seed)
    if data is None:
        write_table(pd.DataFrame(columns=["positive", *chosen, "count"]), snakemake.output[0])
        return
    if params.undersample:
        data = undersampled(data, random_state(params.seed, 0))
    predictions = {}
    for number, (name, classifier) in enumerate(chosen.items(), start=1):
        predictions[name] = held_out_predictions(
            data, classifier, count=params.folds, seed=params.seed
        )
        log.info("%s, %d of %d", name, number, len(chosen))
    write_table(label_ways(data.positive, predictions), snakemake.output[0])


if __name__ == "__main__":
    main(snakemake)  # noqa: F821
