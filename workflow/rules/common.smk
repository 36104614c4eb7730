"""What the rules share: the config's check, paths, and what a result says of itself."""

import csv
import os
from pathlib import Path

from snakemake.logging import logger

from skewproof.core.formulas.metrics import FormulaError
from skewproof.core.messages import SEPARATOR, listed
from skewproof_studies.config import ConfigError, check_config
from skewproof_studies.pipeline.known_metrics import known_metrics
from skewproof_studies.pipeline.tracking.left_jobs import LeftJobsError, cancel_left_jobs
from skewproof_studies.pipeline.tracking.manifest import changed_results
from skewproof_studies.pipeline.tracking.one_run import hold, unwritable
from skewproof_studies.pipeline.writing import provenance as origin
from skewproof_studies.pipeline.writing.files import write_text

# Snakemake takes braces in a path for wildcards; where the study itself runs, paths are relative.
if set("{}") & set(os.path.relpath(PROJECT)):
    raise WorkflowError(
        f"{PROJECT}: expected a folder without braces for a workflow that another uses"
    )


def path_part(level):
    """A level as part of a path, where a colon is not welcome everywhere."""
    return level.replace(":", "_")


def compared_levels(levels=None):
    return [level for level in levels or config["levels"] if level != config["baseline"]]


with (PROJECT / "workflow/report/contents.csv").open(encoding="utf-8") as file:
    CONTENTS = {
        row["result"]: row | {"place": place} for place, row in enumerate(csv.DictReader(file))
    }
REPORTED = {}


def reported(path, result, content=None):
    """Put a result into the report if it is there, as its row of contents.csv says."""
    if result not in CONTENTS:
        raise WorkflowError(f"{result}: expected a row of workflow/report/contents.csv")
    if Path(in_this_run(path)).is_file():
        REPORTED[path] = CONTENTS[result] | ({"content": content} if content else {})
    return path


def formats(name, result=None, content=None):
    """A figure in every format of the config, one of them for the report."""
    chosen = config["figures"]["formats"]
    best = next(format for format in ("png", "svg", "pdf") if format in chosen)
    paths = expand(name + ".{format}", format=chosen)
    reported(f"{name}.{best}", result or name, content)
    return paths


def table_files(name):
    """A table for machines, for the eye and for LaTeX."""
    return expand(name + ".{extension}", extension=["csv", "md", "tex"])


def made_from(*keys):
    """What a figure or table says of the config: its seed, and a digest of the keys it depends on."""
    return origin.made_from(config | {"metrics": METRICS}, keys)


try:
    config.update(check_config(config))
    # What there is to know of a study's own metrics is found once, before any job.
    OWN_METRICS = known_metrics(config["extra_metrics"])
except ConfigError as error:
    refuse(str(error))
except FormulaError as error:
    refuse(listed(str(error).splitlines()))


def look_for_changed_results():
    """Stop where a result was changed since it was written."""
    closed = unwritable(Path(folder) for folder in (".", ".snakemake"))
    if closed:
        raise WorkflowError(
            f"{closed.resolve()}: no permission to write here, as a dry run does, too"
        )
    try:
        changed = listed(changed_results())
    except OSError as error:
        raise WorkflowError(str(error))
    if changed:
        raise WorkflowError(
            f"These results are not what was written there; remove them to have them made anew:"
            f"{SEPARATOR}{changed}"
        )


if STARTS_JOBS:
    look_for_changed_results()


def hold_folder():
    """Let no second run work in this folder."""
    global held
    held = hold(Path(".snakemake/skewproof.lock"))
    if held is None:
        raise WorkflowError("another run is at work in this folder; wait for its end")
    try:
        left = cancel_left_jobs()
    except LeftJobsError as error:
        raise WorkflowError(str(error))
    if left:
        logger.warning(f"Cancelled {len(left)} jobs that an earlier run left in Slurm")


wildcard_constraints:
    level=r"[0-9]+_[0-9]+",
    metric=r"[a-z0-9_]+",
