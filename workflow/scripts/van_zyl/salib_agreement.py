"""Comparison of SALib's importance scores with the study's; a difference ends the run."""

import pandas as pd

from skewproof_studies.pipeline.writing.files import start
from skewproof_studies.pipeline.writing.tables import read_table, write_table
from skewproof_studies.van_zyl.salib.agreement import refuse_disagreement, salib_agreement

log, source = start(snakemake), snakemake.input
salib = pd.concat([read_table(path) for path in source.salib])
agreement = salib_agreement(salib, read_table(source.scores))
refuse_disagreement(agreement, snakemake.params.own)
log.info("%d numbers, largest %g", len(agreement), agreement["difference"].abs().max())
write_table(agreement, snakemake.output[0])
