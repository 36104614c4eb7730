"""Comparison of SALib's importance scores with this project's; a difference ends the run."""

import pandas as pd

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.salib.agreement import refuse_disagreement, salib_agreement

log = start(snakemake)
indices = pd.concat(map(read_table, snakemake.input), ignore_index=True)
agreement = salib_agreement(indices)
refuse_disagreement(agreement, snakemake.params.own_metrics)
log.info("%d numbers, largest %g", len(agreement), agreement["difference"].abs().max())
write_table(agreement, snakemake.output[0])
