"""Jobs of an earlier run that continue in Slurm without it.

A run that is killed does not cancel its jobs. Their results would replace those of the next run's
jobs, which may have another configuration.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

from skewproof.core.messages import shortened

TRACE = Path(".snakemake/slurm_logs")
"""Folder that Snakemake's plugin for Slurm creates before it sends the first job."""

TIMEOUT = 60
"""Number of seconds that Slurm has to answer."""

_NAME = re.compile(r"(?:.*_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Pattern of the plugin's job names: the run's UUID, with a prefix if one is set."""


class LeftJobsError(Exception):
    """Jobs of an earlier run that may still write; the message says what to do."""


def cancel_left_jobs(patience: float = 120) -> list[str]:
    """Cancel Snakemake's jobs in Slurm for this folder, and wait until they end.

    A run calls this function once it holds the lock of the folder, before its first job. Jobs of
    other folders and users stay, and so does the job that this process runs in.

    Parameters
    ----------
    patience
        Number of seconds in which canceled jobs have to end.

    Returns
    -------
    Ids of the canceled jobs; an empty list if no run of this folder used Slurm, or if this machine
    has no Slurm.

    Raises
    ------
    LeftJobsError
        If Slurm does not answer, or if jobs do not end.
    """
    if not TRACE.is_dir() or shutil.which("squeue") is None:
        return []
    found = left = _jobs_of(Path.cwd())
    if found:
        _ask("scancel", *found)
    end = time.monotonic() + patience
    while left:
        if time.monotonic() > end:
            raise LeftJobsError(
                f"jobs {shortened(' '.join(left), 200)} of an earlier run are still in Slurm"
                f" {patience} s after they were canceled; start again once squeue no longer"
                " lists them"
            )
        time.sleep(1)
        left = _jobs_of(Path.cwd())
    return found


def _jobs_of(folder: Path) -> list[str]:
    """Return the ids of the jobs that Snakemake sent to Slurm from a folder and that have not
    ended."""
    jobs = []
    for line in _ask("squeue", "--me", "--noheader", "--format=%i|%j|%Z").splitlines():
        job, name, place = line.split("|", 2)
        here = Path(place).resolve() == folder
        if here and _NAME.fullmatch(name) and job != os.environ.get("SLURM_JOB_ID"):
            jobs.append(job)
    return jobs


def _ask(*command: str) -> str:
    """Return the output of a Slurm program."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=TIMEOUT)
    except (OSError, subprocess.SubprocessError) as error:
        said = shortened(str(getattr(error, "stderr", None) or error).strip(), 200)
        raise LeftJobsError(
            f"{command[0]}: {said}; jobs of an earlier run may still be running; start again once"
            f" Slurm answers or, if there are none, remove {TRACE}"
        ) from error
    return done.stdout
