"""Held-out scores of five classifiers, and counts of the ways in which they label instances."""

import numpy as np
import pandas as pd

from skewproof_studies.pipeline.data_files import read_recorded
from skewproof_studies.pipeline.writing.files import start, write_whole
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.seeds import random_state
from skewproof_studies.van_zyl.real_data.datasets import undersampled
from skewproof_studies.van_zyl.real_data.flips import label_ways

log, params, output = start(snakemake), snakemake.params, snakemake.output
data = read_recorded(snakemake.input[0], params.source)
if data is None:
    ways, columns = pd.DataFrame(columns=["positive", "count"]), np.empty((0, 2))
else:
    # Importing scikit-learn takes a second, and is not needed without data.
    from skewproof_studies.van_zyl.real_data.folds import (
        DEFAULT_CUTOFF,
        classifiers,
        fold_numbers,
        held_out_scores,
    )

    if params.undersample:
        data = undersampled(data, random_state(params.seed, 0))
    options = {"count": params.folds, "seed": params.seed}
    scores, chosen = {}, classifiers(params.logistic_regression, params.seed)
    for number, (name, classifier) in enumerate(chosen.items(), start=1):
        scores[name] = held_out_scores(data, classifier, **options)
        log.info("%s, %d of %d", name, number, len(chosen))
    predictions = {name: probabilities > DEFAULT_CUTOFF for name, probabilities in scores.items()}
    ways = label_ways(data.positive, predictions)
    columns = np.column_stack([data.positive, fold_numbers(data, **options), *scores.values()])
write_table(ways, output.ways)
write_whole(output.scores, lambda file: np.save(file, columns))
