"""Path of the file of a data set; a missing file is a notice and does not end the run."""

import sys

from skewproof_studies.pipeline.data_files import MissingDataError, digest_notice, obtain
from skewproof_studies.pipeline.writing.files import start, write_rows

log, params = start(snakemake), snakemake.params
path, reason = "", ""
try:
    data_file = obtain(params.source, params.folders, log, insecure=params.insecure_urls)
    path = str(data_file)
    log.info("%s", path)
    notice = digest_notice(data_file, params.source)
    if notice:
        log.warning("%s", notice)
        print(f"{snakemake.wildcards.dataset}: {notice}", file=sys.stderr)
except MissingDataError as error:
    reason = str(error)
    log.warning("missing: %s", reason)
    print(f"{snakemake.wildcards.dataset} is left out. {reason}", file=sys.stderr)
columns = ["dataset", "file", "git_blob", "path", "attempt", "reason"]
source = [params.source["file"], params.source["git_blob"]]
row = [snakemake.wildcards.dataset, *source, path, params.attempt, reason]
write_rows(columns, [row], snakemake.output[0])
