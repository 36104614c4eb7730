"""Intervals between the looks of Slurm's plugin for ended jobs; no cluster is needed."""

import asyncio
import logging
import threading
from types import SimpleNamespace

import pytest
from snakemake_executor_plugin_slurm import Executor as Slurm

from skewproof_studies.pipeline.snakemake_internals import look_for_ended_jobs_regularly


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
