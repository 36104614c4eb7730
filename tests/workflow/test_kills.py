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

HELD = """
import os, time
import numpy as np

def held(c):
    end = time.monotonic() + {patience}
    if np.size(c.tp) == {points}:  # the sample of a level
        while os.path.exists(os.environ.get("HELD_BY", "")) and time.monotonic() < end:
            time.sleep(0.01)
    return c.tpr
"""
"""A metric whose values at the sample of a level are not written as long as a file is there."""

PATIENCE = 120


@pytest.fixture(scope="session")
def undisturbed(made_once):
    """A study that was left alone."""

    def make(place):
        create(place).run("--cores", "2", *TARGETS)

    return made_once("undisturbed", make)


def create(folder, **variables):
    metrics = {"metrics": ["f1"], "extra_metrics": {"held": "mine.py:held"}}
    study = Study.create(folder, SMALL | metrics, **variables)
    points = 4 * 2 ** SMALL["sobol"]["log2_samples"]
    (study.folder / "mine.py").write_text(HELD.format(points=points, patience=PATIENCE))
    return study


@pytest.fixture
def hold(tmp_path):
    """A file that holds the jobs of a study until it is removed."""
    path = tmp_path / "hold"
    path.touch()
    return path


@pytest.fixture
def held(hold, tmp_path):
    """A study whose jobs are held while they write the values at a level."""
    return create(tmp_path / "study", HELD_BY=str(hold))


def written_now(study):
    """List the files of held jobs."""
    return list((study.folder / "results/metric_values").glob("*.unfinished"))


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
    """Unlock, and run without holding jobs."""
    study.variables = {}
    study.run("--unlock")
    study.run("--cores", "2", *TARGETS)


def assert_same(study, undisturbed):
    """Check that a study has the bytes of another one, and that nothing is left to do."""
    assert study.planned(*TARGETS) == []
    assert study.results() == undisturbed.produced()


@pytest.mark.parametrize("first", [True, False], ids=["jobs end first", "jobs end last"])
def test_the_main_process_alone_is_killed_and_its_jobs_go_on(undisturbed, held, hold, first):
    run = held.start("--cores", "2", *TARGETS)
    wait_until(lambda: written_now(held), run)
    jobs = jobs_of(run)
    run.kill()
    run.wait()
    if first:
        hold.unlink()
        psutil.wait_procs(jobs)
    run_again(held)
    if not first:
        assert any(job.is_running() for job in jobs)
        hold.unlink()
        psutil.wait_procs(jobs)
    assert_same(held, undisturbed)


def test_the_run_and_its_jobs_are_killed_while_a_result_is_written(undisturbed, held):
    run = held.start("--cores", "2", *TARGETS)
    wait_until(lambda: written_now(held), run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert written_now(held)
    run_again(held)
    assert_same(held, undisturbed)


@pytest.mark.parametrize("array", ["samples", "metric_values"])
def test_the_run_is_killed_while_it_deletes_temporary_files(undisturbed, tmp_path, array):
    study = create(tmp_path / "study")
    arrays = study.folder / "results" / array
    run = study.start("--cores", "2", *TARGETS)
    wait_until(lambda: list(arrays.glob("[!.]*.npy")), run)
    first = next(arrays.glob("[!.]*.npy"))
    wait_until(lambda: not first.exists(), run)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    run_again(study)
    assert_same(study, undisturbed)


def test_two_runs_do_not_share_a_folder(undisturbed, held, hold):
    run = held.start("--cores", "2", *TARGETS)
    wait_until(lambda: written_now(held), run)
    assert "Directory cannot be locked" in held.run("--cores", "2", *TARGETS, fails=True)
    hold.unlink()
    assert run.wait() == 0
    assert_same(held, undisturbed)
