import asyncio
import logging
import threading
from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_slurm import Executor as Slurm

from skewproof_studies.pipeline.snakemake_internals import (
    look_for_ended_jobs_regularly,
    schedule_when_jobs_end,
)


@pytest.mark.parametrize(("limit", "kept"), [((100, 1), False), ((5, 1), True), ((100, 60), True)])
def test_a_limit_on_submissions_is_kept_unless_it_is_the_default(limit, kept):
    limiter = SimpleNamespace(max_jobs=limit[0], timespan=limit[1])
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=limiter))
    schedule_when_jobs_end(workflow)
    assert workflow.scheduler.job_rate_limiter is (limiter if kept else None)


def test_no_limit_stays_none():
    workflow = SimpleNamespace(scheduler=SimpleNamespace(job_rate_limiter=None))
    schedule_when_jobs_end(workflow)
    assert workflow.scheduler.job_rate_limiter is None


@pytest.fixture
def on_slurm():
    """A run on Slurm, as far as its looks for ended jobs need it."""
    executor = object.__new__(Slurm)  # without a cluster
    executor.workflow = SimpleNamespace(
        local_exec=False,
        executor_plugin=SimpleNamespace(
            common_settings=SimpleNamespace(init_seconds_before_status_checks=0)
        ),
        executor_settings=SimpleNamespace(init_seconds_before_status_checks=40),
        remote_execution_settings=SimpleNamespace(seconds_between_status_checks=10),
        scheduler=SimpleNamespace(_executor=executor),
    )
    executor.logger = logging.getLogger()
    executor.lock, executor.active_jobs, executor.wait = threading.Lock(), [], True
    return executor.workflow


def seconds_after_looks(workflow, monkeypatch):
    """List the seconds that an executor waits after each of its first three looks."""
    executor, waited = workflow.scheduler._executor, []

    async def sleep(seconds):
        waited.append(seconds)
        executor.wait = len(waited) < 4

    monkeypatch.setattr(asyncio, "sleep", sleep)
    asyncio.run(executor._wait_for_jobs())
    return waited[1:]


def test_slurms_plugin_has_an_interval_of_its_own(on_slurm, monkeypatch):
    assert seconds_after_looks(on_slurm, monkeypatch) == [40, 40, 40]


def test_slurm_is_asked_for_ended_jobs_as_often_as_the_profile_says(on_slurm, monkeypatch):
    look_for_ended_jobs_regularly(on_slurm)
    assert seconds_after_looks(on_slurm, monkeypatch) == [10, 10, 10]


def test_a_run_on_one_machine_looks_for_no_jobs():
    executor = SimpleNamespace()
    scheduler = SimpleNamespace(_executor=executor)
    look_for_ended_jobs_regularly(SimpleNamespace(local_exec=True, scheduler=scheduler))
    assert not vars(executor)
