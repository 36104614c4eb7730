"""Classes of measures that order classifiers alike at one level."""

import pandas as pd

from skewproof.core.levels import Level
from skewproof_studies.atlas.classes import partition
from skewproof_studies.atlas.orderings import Orderings
from skewproof_studies.atlas.values import SampledRates
from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import write_table
from skewproof_studies.settings.measures import chosen_measures

log, params, output = start(snakemake), snakemake.params, snakemake.output
registry = chosen_measures(params.measures)
level = Level.parse(params.level)
rates = SampledRates.drawn(params.classifiers, level, params.positives, params.seed)
partitioned = partition(list(registry), Orderings(registry, rates).judge)
classes = pd.DataFrame(partitioned.first.items(), columns=["measure", "class"])
log.info("%d classes", classes["class"].nunique())
write_table(classes, output.classes)
write_table(partitioned.evidence.assign(level=params.level), output.evidence)
