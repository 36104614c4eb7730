"""A small study on a Slurm of one node, disturbed while it runs: `make test-slurm`."""

import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from cluster.slurm import PROGRAMS, OneMachine, answers, impossible, wait_until
from needs import needs
from storage import s3

from study import SMALL, Study

QUICKLY = ("--slurm-init-seconds-before-status-checks=1", "--latency-wait=5")
"""The profile waits longer, as a cluster of many wants it."""

PROFILE = ("--profile", "profiles/slurm", *QUICKLY)

CONFIG = SMALL | {"levels": ["1:1", "1:10"], "metrics": ["accuracy", "f1", "f1_i"]}

INDICES = [f"results/indices/{level}.csv" for level in ("1_1", "1_10")]

COMPARED = ("results/comparison.csv", "results/provenance.json")
"""Targets that take single jobs, a group of rules, and the one job that needs shared files."""

SLOWLY = """
import os, pathlib, time
pathlib.Path(f"started.{os.getpid()}").touch()
time.sleep(float(os.environ.get("SECONDS_BEFORE_WORK", 0)))
"""
"""Lines before a script that keep its jobs at work until a test needs them."""

NOTHING_SHARED = (
    "--shared-fs-usage=none",
    "--job-deploy-sources",
    "--precommand=cd $(mktemp --directory)",
)

PATIENCE = 300


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    pytest.importorskip("snakemake_executor_plugin_slurm")
    for program in PROGRAMS:
        needs(program, "slurm-wlm")
    reason = impossible()
    if reason:
        pytest.skip(reason)
    with OneMachine(tmp_path_factory.mktemp("slurm")) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def local(tmp_path_factory):
    """Run the small study without a cluster."""
    study = Study.create(tmp_path_factory.mktemp("local") / "study", CONFIG)
    study.run("--cores", "2", "all", "conclusions")
    return study


def jobs(state):
    """List the ids of the cluster's jobs in a state."""
    return answers("squeue", "--noheader", f"--states={state}", "--format=%i").split()


def megabytes_of_jobs_like(job):
    """List the memory requested by all jobs with the rules of one, those sent again included."""
    lines = answers("squeue", "--noheader", "--states=all", "--format=%i|%k|%m").splitlines()
    asked = [line.split("|") for line in lines]
    (rules,) = [comment for number, comment, _ in asked if number == job]
    return [int(memory.rstrip("M")) for _, comment, memory in asked if comment == rules]


def log_of(study):
    """Read the messages of Snakemake's runs in a folder."""
    return "".join(path.read_text() for path in (study.folder / ".snakemake/log").glob("*.log"))


@contextmanager
def running(study, *targets):
    """Start a run on the cluster, and end it even if the test fails."""
    run = study.start(*PROFILE, *targets)
    try:
        yield run
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)


@pytest.fixture
def at_work(slurm, tmp_path):
    """A study, a run of it whose first jobs stay at work, and the processes of their scripts."""
    study = Study.create(tmp_path / "study", CONFIG)
    script = study.folder / "workflow/scripts/van_zyl/sobol_indices.py"
    script.write_text(script.read_text().replace("\nfrom", SLOWLY + "\nfrom", 1))
    study.variables["SECONDS_BEFORE_WORK"] = str(PATIENCE)
    with running(study, *INDICES) as run:
        wait_until(lambda: len(processes_of(study)) == len(INDICES), PATIENCE)
        assert len(jobs("RUNNING")) == len(INDICES)
        yield study, run, processes_of(study)


def processes_of(study):
    return [int(path.suffix[1:]) for path in study.folder.glob("started.*")]


def are_gone(processes):
    return not any(os.path.exists(f"/proc/{process}") for process in processes)


def assert_made_as_in(local, study, *targets):
    """Check that targets have the files of a local run."""
    found, expected = study.produced(), local.produced()
    assert set(targets) <= set(found)
    assert found == {name: expected[name] for name in found}
    assert study.planned(*targets) == []


def test_a_cancelled_job_and_a_node_whose_daemon_dies(slurm, local, tmp_path):
    study = Study.create(tmp_path / "study", CONFIG)
    with running(study, *COMPARED) as run:
        wait_until(lambda: jobs("RUNNING"), PATIENCE)
        cancelled = jobs("RUNNING")[0]
        subprocess.run(["scancel", cancelled], check=True)
        wait_until(lambda: study.count() > 3 and jobs("RUNNING"), PATIENCE)
        slurm.kill_node()
        time.sleep(3)
        slurm.start_node()
        assert run.wait(PATIENCE) == 0
    assert re.search(rf"JOB {cancelled} ON \w+ CANCELLED", log_of(study))
    assert set(megabytes_of_jobs_like(cancelled)) == {1500, 3000}
    assert_made_as_in(local, study, *COMPARED)
    assert "/group_tables_" in log_of(study)


def test_snakemake_interrupted_and_started_again(at_work, local):
    study, run, processes = at_work
    run.send_signal(signal.SIGINT)
    assert run.wait(PATIENCE) != 0
    wait_until(lambda: are_gone(processes))
    assert not jobs("RUNNING,PENDING")
    study.variables["SECONDS_BEFORE_WORK"] = "0"
    study.run(*PROFILE, *INDICES)
    assert_made_as_in(local, study, *INDICES)


def test_snakemake_killed_and_started_again_with_another_seed(at_work, local, tmp_path):
    """Its jobs go on, with the old seed, until they are cancelled by hand.

    Nothing recorded from which config they made what they have finished, hence --forceall.
    """
    study, run, processes = at_work
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    left = jobs("RUNNING")
    assert len(left) == len(INDICES)
    subprocess.run(["scancel", *left], check=True)
    wait_until(lambda: are_gone(processes))
    study.variables["SECONDS_BEFORE_WORK"] = "0"
    study.configure(seed=2)
    study.run("--unlock")
    study.run(*PROFILE, "--forceall", *INDICES)

    other = local.copy(tmp_path / "local")
    other.configure(seed=2)
    other.run("--cores", "2", *INDICES)
    assert_made_as_in(other, study, *INDICES)


def test_all_and_conclusions_where_jobs_share_no_files(slurm, local, tmp_path):
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    study = Study.create(tmp_path / "study", CONFIG, PATH=path)
    for command in (("init", "--quiet"), ("add", ".")):  # what git tracks is sent to the jobs
        subprocess.run(["git", *command], cwd=study.folder, check=True)
    with s3() as storage:
        study.variables |= storage.variables
        study.run(*PROFILE, *NOTHING_SHARED, *storage.options, "all", "conclusions")
        assert storage.produced() == local.produced()
