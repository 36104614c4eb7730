"""Places of the project's files and of this run's results, and whether jobs can see them."""

import os
from pathlib import Path

from skewproof_studies.pipeline import snakemake_internals as internals
from skewproof_studies.pipeline.tracking.sources import files_run_by

PROJECT = Path(workflow.snakefile).resolve().parents[2]
STARTS_JOBS = internals.starts_jobs(workflow)
JOBS_SHARE_FILES = internals.jobs_share_files(workflow)

# Another Snakefile that uses this one as a module may set a prefix for all results.
in_this_run = internals.paths_of_run(workflow)


def project_file(path):
    """Return a file of the project as an input that is in no storage and under no prefix."""
    file = os.path.relpath(PROJECT / path)
    # Without shared files, a local input would keep its job from the cluster.
    return local(file) if JOBS_SHARE_FILES else internals.sent_with_sources(file)


def code(files):
    """Return files of code as inputs if jobs share them; other jobs run the code installed there."""
    return [local(str(file)) for file in files] if JOBS_SHARE_FILES else []


def code_of_script(script):
    """Return the project's files that a script runs."""
    return code(os.path.relpath(file) for file in files_run_by(script, PROJECT / "src"))
