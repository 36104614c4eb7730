"""Jobs left in Slurm, with stand-ins for its programs; tests/cluster has the real ones."""

import os

import pytest

from skewproof_studies.pipeline.tracking import left_jobs
from skewproof_studies.pipeline.tracking.left_jobs import LeftJobsError, cancel_left_jobs

RUN = "be8b8a68-7bab-4f95-a97d-ef9f9fd1c891"

SCANCEL = """
echo "$@" >> cancelled
: > jobs
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a trace of Slurm, whose squeue prints the file `jobs`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)
    monkeypatch.setattr(left_jobs.time, "sleep", lambda seconds: None)
    left_jobs.TRACE.mkdir(parents=True)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    (tmp_path / "bin").mkdir()
    program(tmp_path, "squeue", "cat jobs")
    program(tmp_path, "scancel", SCANCEL)
    return tmp_path


def program(folder, name, script):
    path = folder / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def listed(folder, *jobs):
    (folder / "jobs").write_text("".join(f"{job}\n" for job in jobs))


def test_jobs_of_this_folder_are_cancelled(folder):
    listed(folder, f"1|{RUN}|{folder}", f"2|skewproof_{RUN}|{folder}")
    assert cancel_left_jobs() == ["1", "2"]
    assert (folder / "cancelled").read_text() == "1 2\n"


def test_the_working_folder_counts_by_where_it_is(folder):
    (folder / "link").symlink_to(folder)
    listed(folder, f"7|{RUN}|{folder}/link")
    assert cancel_left_jobs() == ["7"]


def test_others_stay(folder, monkeypatch):
    monkeypatch.setenv("SLURM_JOB_ID", "3")
    listed(folder, f"1|{RUN}|/elsewhere", f"2|my analysis|{folder}", f"3|{RUN}|{folder}")
    assert cancel_left_jobs() == []
    assert not (folder / "cancelled").exists()


def test_a_folder_without_a_trace_asks_nobody(folder):
    left_jobs.TRACE.rmdir()
    program(folder, "squeue", "exit 1")
    assert cancel_left_jobs() == []


def test_a_machine_without_slurm(folder, monkeypatch):
    monkeypatch.setenv("PATH", str(folder))
    assert cancel_left_jobs() == []


def test_jobs_that_do_not_end(folder):
    program(folder, "scancel", "exit 0")
    listed(folder, f"1|{RUN}|{folder}")
    with pytest.raises(LeftJobsError, match=r"^jobs 1 of an earlier run are still in Slurm 0 s"):
        cancel_left_jobs(patience=0)


def test_slurm_that_does_not_answer(folder):
    program(folder, "squeue", "echo slurm_load_jobs error: Unable to contact >&2; exit 1")
    expected = (
        r"^squeue: slurm_load_jobs error: Unable to contact; .* remove \.snakemake/slurm_logs$"
    )
    with pytest.raises(LeftJobsError, match=expected):
        cancel_left_jobs()
