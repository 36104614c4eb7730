"""Where the project's files and this run's results are, and which of both jobs can see."""

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
    """A file of the project as an input, which is in no storage and under no prefix."""
    file = os.path.relpath(PROJECT / path)
    # A local input would keep its job from the cluster where no files are shared.
    return local(file) if JOBS_SHARE_FILES else internals.sent_with_sources(file)


def code(files):
    """Files of code as inputs, where jobs share them; elsewhere jobs run what is installed there."""
    return [local(str(file)) for file in files] if JOBS_SHARE_FILES else []


def code_of_script(script):
    """The project's files that a script runs."""
    return code(os.path.relpath(file) for file in files_run_by(script, PROJECT / "src"))
