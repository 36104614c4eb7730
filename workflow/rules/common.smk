"""Parts that the rules share: the check of the config, paths, code, and the origin of a result."""

import csv
import sys
import time
from pathlib import Path

from snakemake_interface_logger_plugins.common import LogEvent

try:
    from skewproof.core.formulas.metrics import FormulaError
    from skewproof.core.messages import listed
    from skewproof_studies.config import ConfigError, check_config, refuse_duplicate_keys
    from skewproof_studies.pipeline.writing import provenance as origin
    from skewproof_studies.settings.own_metrics import resolved
    from skewproof_studies.van_zyl.config import drawn_metrics, studied_metrics
    from skewproof_studies.van_zyl.paper import importance_table_name
except ModuleNotFoundError as error:
    sys.exit(
        f"The workflow needs the module {error.name}: run `make reproduce`, or"
        ' `pip install --editable ".[audit,figures,explorer]" --group reproduce` in its folder'
    )

PROJECT = Path(workflow.snakefile).resolve().parents[2]
if set("{}") & set(str(PROJECT)):
    sys.exit(f"{PROJECT}: expected a folder without braces, which Snakemake reads as wildcards")

try:
    for path in workflow.configfiles:
        refuse_duplicate_keys(path)
    config.update(check_config(config))
    OWN_METRICS = resolved(config["extra_metrics"])
except ConfigError as error:
    sys.exit(str(error))
except FormulaError as error:
    sys.exit(listed(str(error).splitlines()))

METRICS = {"keys": studied_metrics(config), "definitions": OWN_METRICS}
DRAWN_METRICS = METRICS | {"keys": drawn_metrics(config)}
"""The study's metrics as :func:`skewproof_studies.settings.definitions.study_metrics` takes them."""


def project_file(path):
    """Return a file of the project, which jobs also find where they do not share its folder."""
    return workflow.source_path(f"../../{path}")


def code_of(*studies):
    """Return a digest of the library and of some studies; an edit runs the rules that have it again."""
    shared = ("pipeline", "reporting", "settings")
    folders = ["skewproof", *(f"skewproof_studies/{name}" for name in (*shared, *studies))]
    return origin.code_digest(PROJECT / "src", folders)


def path_part(level):
    """Return a level as part of a path; not every system allows a colon there."""
    return level.replace(":", "_")


def level_of(wildcards):
    return wildcards.level.replace("_", ":")


def of_levels(path):
    """Return the paths at all levels."""
    return expand(path, level=map(path_part, config["levels"]))


def kept_or_temporary(path):
    """Mark an array of a level as temporary, unless the config keeps it."""
    return path if config["sobol"]["keep_samples"] else temp(path)


def importance_table_title(level):
    number = importance_table_name(level).removeprefix("a")
    printed = f" (Table A.{number})" if number.isdigit() else ""
    return f"Importance scores at {level}{printed}"


def attempt(wildcards):
    """Return one more than last time if a data file was missing then, to search for it again."""
    record = RUN_FOLDER / f"results/real_world/{wildcards.dataset}/source.csv"
    if not record.exists():
        return 1
    (row,) = csv.DictReader(record.open())
    return int(row["attempt"]) + (not row["path"])


COMPARED_LEVELS = [level for level in config["levels"] if level != config["baseline"]]


def formats(name):
    """Return the paths of a figure in every format of the config."""
    return expand(name + ".{format}", format=config["figures"]["formats"])


def table_files(name):
    """Return the paths of a table as data, as Markdown and as LaTeX."""
    return expand(name + ".{extension}", extension=["csv", "md", "tex"])


def made_from(*keys):
    """Describe the config for a result: its seed, and a digest of the keys it depends on."""
    return origin.made_from(config | {"metrics": METRICS["keys"]}, keys)


STARTED = time.time()


def one_line_per_job(record):
    """Shorten Snakemake's messages on a job to the time and the message of its rule."""
    message = getattr(record, "rule_msg", None)
    if message and record.event is LogEvent.JOB_INFO:
        record.msg, record.event = f"{time.strftime('%H:%M:%S')} {message}", None
    return not str(record.msg).startswith(("Select jobs", "Execute ", "Removing temporary"))


def print_new_pages():
    """Name the pages and the folders of figures that this run has made."""
    pages = [path for path in Path("results").rglob("*") if path.suffix in (".md", ".html")]
    figures = [path for path in Path("figures").rglob("*") if path.is_file()]
    new = [path for path in (*pages, *figures) if path.stat().st_mtime >= STARTED]
    named = {
        path.parent if path in figures or path.parent.name == "tables" else path for path in new
    }
    if named:
        print(f"New results to open: {', '.join(sorted(map(str, named)))}")


wildcard_constraints:
    level=r"[0-9]+_[0-9]+",
