"""All uses of Snakemake's internals in the workflow, tested with Snakemake 9.27.1.

If a later version of Snakemake breaks the rules, look here first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from snakemake.io import sourcecache_entry


def sent_with_sources(path: str) -> Any:
    """Return an input that jobs find among the sources, not in the storage of results."""
    return sourcecache_entry(path, path)


def jobs_share_files(workflow: Any) -> bool:
    """Return whether jobs see the folders of the project and of the run, as on a single machine."""
    shared = {str(usage) for usage in workflow.storage_settings.shared_fs_usage}
    return {"sources", "input-output"} <= shared


def starts_jobs(workflow: Any) -> bool:
    """Return whether this process was started by hand and is not one of its jobs."""
    return bool(workflow.is_main_process)


def schedule_when_jobs_end(workflow: Any) -> None:
    """Let the scheduler look for the next jobs when a job ends, and at no other time.

    With Snakemake's default limit of 100 submissions a second, every look is repeated a second
    later, and so on until the run ends. The end of each job starts such a series of its own, so
    that the scheduler takes ever more of a core. Any other limit is kept. Compare
    https://github.com/snakemake/snakemake/pull/3744.
    """
    limit = workflow.scheduler.job_rate_limiter
    if limit is not None and (limit.max_jobs, limit.timespan) == (100, 1):
        workflow.scheduler.job_rate_limiter = None


def look_for_ended_jobs_regularly(workflow: Any) -> None:
    """Let the executor of a cluster look for ended jobs as often as the profile says.

    After each look that finds no ended job Slurm's plugin waits ten seconds longer, up to three
    minutes, whatever `seconds-between-status-checks` says. An interrupted run ends only after this
    wait.
    """
    if workflow.local_exec:
        return
    seconds = workflow.remote_execution_settings.seconds_between_status_checks

    async def sleep() -> None:
        await asyncio.sleep(seconds)

    workflow.scheduler._executor.sleep = sleep


def paths_of_run(workflow: Any) -> Callable[[str], str]:
    """Return a function that adds to a path the prefix that another workflow may set for a
    module."""
    prefixed: Callable[[str], str] = workflow.modifier.path_modifier.replace_prefix
    return prefixed


def config_files(workflow: Any, default: str) -> list[str]:
    """Return the files of the configuration; none if another workflow passes it to a module."""
    if workflow.modifier.skip_configfile:
        return []
    return [default, *map(str, workflow.overwrite_configfiles)]


def add_inputs(
    workflow: Any, folder: Path, name: str, inputs_of: Callable[[Path], Iterable[str]]
) -> None:
    """Add inputs, under a name of their own, to every rule whose script is below a folder.

    `inputs_of` is called for a script as soon as a job of the rule is considered.
    """
    for rule in workflow.rules:
        if not rule.script or name in rule.input.keys():  # noqa: SIM118  a list with names
            continue
        script = Path(rule.basedir.get_path_or_uri(secret_free=True), rule.script).resolve()
        if script.is_relative_to(folder):
            rule.input_modifier = rule.output_modifier  # a rule without inputs lacks it
            rule.set_input(**{name: _function_of_wildcards(inputs_of, script)})


def _function_of_wildcards(
    inputs_of: Callable[[Path], Iterable[str]], script: Path
) -> Callable[[Any], list[str]]:
    return lambda wildcards: list(inputs_of(script))


def not_made_by_a_rule(workflow: Any, files: Iterable[str]) -> list[str]:
    """Return the files that no rule makes."""
    rules = [rule for rule in workflow.rules if rule.products()]
    return [file for file in files if not any(rule.is_producer(file) for rule in rules)]


def taken_by_rules(workflow: Any) -> set[str]:
    """Return the files that rules take without wildcards and functions."""
    return {str(file) for rule in workflow.rules for file in rule.input if not callable(file)}
