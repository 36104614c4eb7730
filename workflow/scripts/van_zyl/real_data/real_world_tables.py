"""Tables 9 to 11, and comparison of their printed entries with the computed ones."""

from pathlib import Path

import pandas as pd

from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_layout, write_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.real_data.comparison import (
    check_witnesses,
    compare_real_world,
    summarize_real_world,
)
from skewproof_studies.van_zyl.real_data.folds import fold_means, pooled, scores, spread
from skewproof_studies.van_zyl.real_data.tables import (
    characteristics_table,
    fold_notes,
    hyperparameter_table,
    missing_notes,
    value_table,
)


def _collected(paths) -> pd.DataFrame:
    """Combine the tables, without empty ones of missing data sets, which would change the types."""
    tables = [read_table(path) for path in paths]
    return pd.concat([table for table in tables if len(table)] or tables[:1], ignore_index=True)


log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = study_metrics(**params.metrics)
matrices = _collected(snakemake.input.matrices)
characteristics = _collected(snakemake.input.characteristics)
missing = missing_notes(_collected(snakemake.input.sources), params.datasets)
values = scores(matrices, list(registry), registry=registry)
means = fold_means(values)
shuffled, table_means = spread(means), means[means["shuffle"] == 0]
pool = scores(pooled(matrices).query("shuffle == 0"), list(registry), registry=registry)
notes = (*fold_notes(table_means, matrices, registry=registry), *missing)
names = {key: dataset["name"] for key, dataset in params.datasets.items()}
tables = {
    "9": characteristics_table(characteristics, names, notes=missing),
    "10": hyperparameter_table(params.logistic_regression),
    "11": value_table(
        table_means,
        caption="Real world dataset, each metric scaled to [0, 1].",
        notes=notes,
        registry=registry,
    ),
    "11_pooled": value_table(
        pool,
        caption="Real world dataset, each metric scaled to [0, 1], of the predictions of all"
        " folds together.",
        notes=missing,
        registry=registry,
    ),
}
for path in map(Path, output.tables):
    write_layout(tables[path.stem.removeprefix("table_")], path, params.made_from)
first = values.loc[values["shuffle"] == 0, ["dataset", "metric", "fold", "value"]]
write_table(first, output.values)
write_table(shuffled, output.spread)
printed = read_table(snakemake.input.printed, dtype=str)
witnesses = check_witnesses(printed, read_table(snakemake.input.witnesses))
comparison = compare_real_world(
    printed,
    characteristics=characteristics,
    logistic_regression=params.logistic_regression,
    means=table_means,
    pooled=pool,
    spread=shuffled,
)
log.info("%d printed entries, %d agree", len(comparison), comparison["agrees"].sum())
write_table(comparison, output.comparison)
write_text(summarize_real_world(comparison, means, notes, witnesses), output.summary)
