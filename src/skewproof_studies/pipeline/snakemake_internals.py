"""All that the workflow uses of Snakemake beyond its documentation; tested with Snakemake 9.27.1.

Where a later version of Snakemake breaks the rules, this is the file to look at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from snakemake.io import sourcecache_entry


def sent_with_sources(path: str) -> Any:
    """An input that jobs find among the sources, and not in the storage of results."""
    return sourcecache_entry(path, path)


def jobs_share_files(workflow: Any) -> bool:
    """Whether jobs see the folder of the project and of the run, as they do on one machine."""
    shared = {str(usage) for usage in workflow.storage_settings.shared_fs_usage}
    return {"sources", "input-output"} <= shared


def starts_jobs(workflow: Any) -> bool:
    """Whether this process is the one that was started by hand, and not one of its jobs."""
    return bool(workflow.is_main_process)


def paths_of_run(workflow: Any) -> Callable[[str], str]:
    """A function that puts before a path the prefix that another workflow may set for a module."""
    prefixed: Callable[[str], str] = workflow.modifier.path_modifier.replace_prefix
    return prefixed


def config_files(workflow: Any, default: str) -> list[str]:
    """The files that the config comes from; none where another workflow passes it to a module."""
    if workflow.modifier.skip_configfile:
        return []
    return [default, *map(str, workflow.overwrite_configfiles)]


def add_inputs(
    workflow: Any, folder: Path, name: str, inputs_of: Callable[[Path], Iterable[str]]
) -> None:
    """Give every rule whose script is below a folder further inputs, under a name of their own.

    What `inputs_of` finds for a script is found once some job of the rule is considered.
    """
    for rule in workflow.rules:
        if not rule.script or name in rule.input.keys():  # noqa: SIM118  a list with names
            continue
        script = Path(rule.basedir.get_path_or_uri(secret_free=True), rule.script).resolve()
        if script.is_relative_to(folder):
            rule.input_modifier = rule.output_modifier  # which a rule without inputs lacks
            rule.set_input(**{name: _function_of_wildcards(inputs_of, script)})


def _function_of_wildcards(
    inputs_of: Callable[[Path], Iterable[str]], script: Path
) -> Callable[[Any], list[str]]:
    return lambda wildcards: list(inputs_of(script))


def not_made_by_a_rule(workflow: Any, files: Iterable[str]) -> list[str]:
    """Those of some files that no rule makes."""
    rules = [rule for rule in workflow.rules if rule.products()]
    return [file for file in files if not any(rule.is_producer(file) for rule in rules)]


def taken_by_rules(workflow: Any) -> set[str]:
    """The files that rules take without wildcards and functions."""
    return {str(file) for rule in workflow.rules for file in rule.input if not callable(file)}
