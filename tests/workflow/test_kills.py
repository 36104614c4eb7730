"""Runs that are killed at chosen moments, and two runs at once.

The next run, after `snakemake --unlock`, gives the bytes of a run that was left alone.
"""

import os
import signal
import time

import psutil
import pytest

from study import SMALL, Study

TARGETS = ("results/p_values.csv", "results/salib_agreement.csv")

SLOW = """
import os, time
import numpy as np

def slow(c):
    if np.size(c.tp) == {points}:  # the sample of a level
        time.sleep(float(os.environ.get("SECONDS_PER_LEVEL", 0)))
    return c.tpr
"""
"""A metric whose values at the sample of a level take as long to write as a test asks."""

PATIENCE = 120


@pytest.fixture(scope="session")
def undisturbed(made_once):
    """A study that was left alone."""

    def make(place):
        slow_study(place).run("--cores", "2", *TARGETS)

    return made_once("undisturbed", make)


def slow_study(folder, **variables):
    metrics = {"metrics": ["f1"], "extra_metrics": {"slow": "mine.py:slow"}}
    study = Study.create(folder, SMALL | metrics, **variables)
    points = 4 * 2 ** SMALL["sobol"]["log2_samples"]
    (study.folder / "mine.py").write_text(SLOW.format(points=points))
    return study


def writing(folder):
    return list(folder.rglob("*.unfinished"))


def wait_until(condition, run):
    """Ask without a pause, so that a test goes on within a millisecond."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert run.poll() is None, "the run ended before the moment came"
        assert time.monotonic() < end


def jobs_of(run):
    """List the processes of a run's jobs."""
    return psutil.Process(run.pid).children(recursive=True)


def run_again(study):
    """Unlock, and run without slowness."""
    study.variables = {}
    study.run("--unlock")
    study.run("--cores", "2", *TARGETS)


def assert_same(study, undisturbed):
    """Check that a study has the bytes of another one, and that nothing is left to do."""
    assert study.planned(*TARGETS) == []
    assert study.results() == undisturbed.produced()


@pytest.mark.parametrize("seconds", [1, 45], ids=["jobs end first", "jobs end last"])
def test_the_main_process_alone_is_killed_and_its_jobs_go_on(undisturbed, tmp_path, seconds):
    study = slow_study(tmp_path / "study", SECONDS_PER_LEVEL=str(seconds))
    run = study.start("--cores", "2", *TARGETS)
    wait_until(lambda: writing(study.folder), run)
    jobs = jobs_of(run)
    run.kill()
    run.wait()
    assert any(job.is_running() for job in jobs)
    if seconds == 1:
        psutil.wait_procs(jobs)
    run_again(study)
    psutil.wait_procs(jobs)
    assert_same(study, undisturbed)


def test_the_run_and_its_jobs_are_killed_while_a_result_is_written(undisturbed, tmp_path):
    study = slow_study(tmp_path / "study", SECONDS_PER_LEVEL=str(PATIENCE))
    run = study.start("--cores", "2", *TARGETS)
    wait_until(lambda: writing(study.folder), run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert writing(study.folder)
    run_again(study)
    assert_same(study, undisturbed)


@pytest.mark.parametrize("array", ["samples", "metric_values"])
def test_the_run_is_killed_while_it_deletes_temporary_files(undisturbed, tmp_path, array):
    study = slow_study(tmp_path / "study")
    arrays = study.folder / "results" / array
    run = study.start("--cores", "2", *TARGETS)
    wait_until(lambda: list(arrays.glob("[!.]*.npy")), run)
    first = next(arrays.glob("[!.]*.npy"))
    wait_until(lambda: not first.exists(), run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    run_again(study)
    assert_same(study, undisturbed)


def test_two_runs_do_not_share_a_folder(undisturbed, tmp_path):
    study = slow_study(tmp_path / "study", SECONDS_PER_LEVEL="20")
    run = study.start("--cores", "2", *TARGETS)
    wait_until(lambda: writing(study.folder), run)
    assert "Directory cannot be locked" in study.run("--cores", "2", *TARGETS, fails=True)
    assert run.wait() == 0
    assert_same(study, undisturbed)
