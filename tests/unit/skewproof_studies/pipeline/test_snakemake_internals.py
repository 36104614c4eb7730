from types import SimpleNamespace

import pytest

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


def test_a_run_on_one_machine_looks_for_no_jobs():
    executor = SimpleNamespace()
    scheduler = SimpleNamespace(_executor=executor)
    look_for_ended_jobs_regularly(SimpleNamespace(local_exec=True, scheduler=scheduler))
    assert not vars(executor)
