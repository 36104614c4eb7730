"""In how many ways five classifiers label the instances of a data set."""

import pandas as pd

from _data import read_recorded
from _files import start
from _frames import write_table
from skewproof.datasets import undersampled
from skewproof.ranking import label_ways
from skewproof.real_world import classifiers, held_out_predictions
from skewproof.seeds import random_state


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
