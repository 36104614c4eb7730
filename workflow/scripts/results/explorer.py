"""The explorer."""

from skewproof.explorer.page import explorer_page
from skewproof_studies.pipeline.writing.files import start, write_text

start(snakemake)
write_text(explorer_page(), snakemake.output[0])
