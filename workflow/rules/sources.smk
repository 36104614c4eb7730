"""The project's files as inputs, and how they reach machines that share no files with this one.

There Snakemake sends sources ahead of a job: what git tracks, and the files that are named here.
"""

import json
import os
import sys
from functools import cache
from pathlib import Path

from snakemake.io import sourcecache_entry
from snakemake.settings.types import SharedFSUsage
from snakemake.sourcecache import LocalSourceFile

PROJECT = Path(workflow.current_basedir.get_path_or_uri(secret_free=True)).parents[1]

SOURCES_ARE_SHARED = SharedFSUsage.SOURCES in workflow.storage_settings.shared_fs_usage

if workflow.remote_exec and not SOURCES_ARE_SHARED:
    # What came with the job runs, in its script too, and not what is installed there.
    sys.path.insert(0, str(PROJECT / "src"))
    search_path = [sys.path[0], os.environ.get("PYTHONPATH")]
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, search_path))

from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.pipeline.tracking.sources import files_run_by

# Where this run's results are: another Snakefile that uses this one as a module may set a prefix.
in_this_run = workflow.modifier.path_modifier.replace_prefix
PREFIXED = in_this_run("results") != "results"


def source(path):
    """A file as an input that is here, also where a storage has all others."""
    if workflow.storage_settings.default_storage_provider is None:
        return path
    return sourcecache_entry(path, path)


def project_file(path):
    """A file of the project as an input: relative to the run's folder, so that a study can be moved,
    but where a prefix would be put before it."""
    return source(str(PROJECT / path) if PREFIXED else os.path.relpath(PROJECT / path))


def script_modules(script):
    """The project's files that a script runs: inputs of its rule, found once some job needs them."""
    return lambda wildcards: list(files_of_script(script))


@cache
def files_of_script(script):
    path = PROJECT / f"workflow/scripts/{script}.py"
    return [project_file(file.relative_to(PROJECT)) for file in files_run_by(path, PROJECT / "src")]


def send(paths):
    """Have files sent with the sources, where these are sent."""
    if workflow.is_main_process and not SOURCES_ARE_SHARED:
        # Snakemake offers no public way for files that git does not track.
        workflow._included.update((str(path), LocalSourceFile(str(path))) for path in paths)


def told(name, find):
    """What is found where the run was started: sent to jobs that cannot find it themselves."""
    if SOURCES_ARE_SHARED:
        return find()
    path = Path(f".snakemake/skewproof_told/{name}.json")
    if workflow.is_main_process:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(json.dumps(find()), path)
        send([path])
    return json.loads(path.read_text(encoding="utf-8"))


for folder in ("src", "resources", "workflow"):
    send(path for path in (PROJECT / folder).rglob("*.*") if path.suffix != ".pyc")
