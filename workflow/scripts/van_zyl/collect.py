"""Combined tables of all batches, under each name of the output."""

from pathlib import Path

from skewproof_studies.pipeline.writing.collecting import collected
from skewproof_studies.pipeline.writing.files import start, write_text

log, params = start(snakemake), snakemake.params
first = params.get("as_first_seen", [])
for name, path in snakemake.output.items():
    paths = snakemake.input[name]
    parts = [paths] if isinstance(paths, str) else paths
    texts = [Path(part).read_text(encoding="utf-8") for part in parts]
    write_text(collected(texts, params.order, as_first_seen=first), path)
    log.info("%s: %d parts", name, len(texts))
