"""Parts that the rules share: the check of the config, paths, and the provenance of a result."""

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

# Snakemake reads braces in a path as wildcards. In the project's own folder paths are relative.
if set("{}") & set(os.path.relpath(PROJECT)):
    raise WorkflowError(
        f"{PROJECT}: expected a folder without braces, since another workflow uses this one"
    )


def path_part(level):
    """Return a level as part of a path; not every system allows a colon there."""
    return level.replace(":", "_")


def compared_levels(levels=None):
    return [level for level in levels or config["levels"] if level != config["baseline"]]


with (PROJECT / "workflow/report/contents.csv").open(encoding="utf-8") as file:
    CONTENTS = {
        row["result"]: row | {"place": place} for place, row in enumerate(csv.DictReader(file))
    }
REPORTED = {}


def reported(path, result, content=None):
    """Add an existing result to the report as its row of contents.csv says."""
    if result not in CONTENTS:
        raise WorkflowError(f"{result}: expected a row in workflow/report/contents.csv")
    if Path(in_this_run(path)).is_file():
        REPORTED[path] = CONTENTS[result] | ({"content": content} if content else {})
    return path


def formats(name, result=None, content=None):
    """Return the paths of a figure in every format of the config, and report one of them."""
    chosen = config["figures"]["formats"]
    best = next(format for format in ("png", "svg", "pdf") if format in chosen)
    paths = expand(name + ".{format}", format=chosen)
    reported(f"{name}.{best}", result or name, content)
    return paths


def table_files(name):
    """Return the paths of a table as data, as Markdown and as LaTeX."""
    return expand(name + ".{extension}", extension=["csv", "md", "tex"])


def made_from(*keys):
    """Describe the config for a result: its seed, and a digest of the keys it depends on."""
    return origin.made_from(config | {"metrics": METRICS}, keys)


try:
    config.update(check_config(config))
    # A study's own metrics are examined once, before any job.
    OWN_METRICS = known_metrics(config["extra_metrics"])
except ConfigError as error:
    refuse(str(error))
except FormulaError as error:
    refuse(listed(str(error).splitlines()))


def look_for_changed_results():
    """Stop if a result has changed since it was written."""
    closed = unwritable(Path(folder) for folder in (".", ".snakemake"))
    if closed:
        raise WorkflowError(
            f"{closed.resolve()}: no permission to write here, which even a dry run needs"
        )
    try:
        changed = listed(changed_results())
    except OSError as error:
        raise WorkflowError(str(error))
    if changed:
        raise WorkflowError(
            f"These results have changed since they were written; remove them to compute them again:"
            f"{SEPARATOR}{changed}"
        )


if STARTS_JOBS:
    look_for_changed_results()


def hold_folder():
    """Lock this folder against a second run."""
    global held
    held = hold(Path(".snakemake/skewproof.lock"))
    if held is None:
        raise WorkflowError("another run is active in this folder; wait until it ends")
    try:
        left = cancel_left_jobs()
    except LeftJobsError as error:
        raise WorkflowError(str(error))
    if left:
        logger.warning(f"Canceled {len(left)} jobs that an earlier run left in Slurm")


wildcard_constraints:
    level=r"[0-9]+_[0-9]+",
    metric=r"[a-z0-9_]+",
