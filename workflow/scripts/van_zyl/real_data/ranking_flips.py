"""Best classifiers under each metric and its variant, at one cut-off and at tuned ones."""

import numpy as np
import pandas as pd

from skewproof_studies.pipeline.writing.figures import write_figure
from skewproof_studies.pipeline.writing.files import start, write_text
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.settings.definitions import study_metrics
from skewproof_studies.van_zyl.real_data.cutoffs import HeldOut, moved_flips
from skewproof_studies.van_zyl.real_data.flips import FLIP_COLUMNS, ranking_flips
from skewproof_studies.van_zyl.real_data.flips_summary import ranking_flips_figure, summarize_flips

log, params, source = start(snakemake), snakemake.params, snakemake.input
registry = study_metrics(**params.metrics)
options = {"draws": params.draws, "seed": params.seed, "registry": registry}
tables = {"flips": [], "moved": []}
for dataset, ways, scores in zip(params.datasets, source.ways, source.scores, strict=True):
    labels = read_table(ways)
    if len(labels):
        names = [name for name in labels if name not in ("positive", "count")]
        columns = np.load(scores)
        positive, fold = columns[:, 0].astype(bool), columns[:, 1].astype(np.int64)
        held = HeldOut(positive, fold, dict(zip(names, columns[:, 2:].T, strict=True)))
        parts = {
            "flips": ranking_flips(labels, list(registry), **options),
            "moved": moved_flips(held, list(registry), **options),
        }
        for name, part in parts.items():
            part.insert(0, "dataset", dataset)
            tables[name].append(part)
            log.info("%s, %s: %d of %d", dataset, name, part["flips"].sum(), len(part))
nothing = pd.DataFrame(columns=["dataset", *FLIP_COLUMNS])
flips, moved = (pd.concat(parts or [nothing], ignore_index=True) for parts in tables.values())
write_table(flips, snakemake.output.flips)
write_table(moved, snakemake.output.moved)
write_text(summarize_flips(flips, moved, registry=registry), snakemake.output.summary)
write_figure(
    ranking_flips_figure(flips, registry=registry), snakemake.output.figure, params.made_from
)
