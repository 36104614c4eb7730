"""Provenance of the results."""

import json

from skewproof_studies.pipeline.writing.files import start, write_text

start(snakemake)
write_text(json.dumps(snakemake.params.provenance, indent=2) + "\n", snakemake.output[0])
