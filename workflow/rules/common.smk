"""What the rules share: the config's check, paths, and which package modules a script uses."""

import csv
import fcntl
import os
import threading
from functools import cache
from modulefinder import ModuleFinder
from pathlib import Path

import yaml

from skewproof import config as configuration
from skewproof.config import metric_files, studied_metrics
from skewproof.paper import importance_table_name


def workflow_file(path):
    """A file of the project, relative to the folder of the run (which `--directory` may change)."""
    return os.path.relpath(Path(workflow.basedir) / path)


def check_config(config, schema):
    configuration.check_config(config, yaml.safe_load(Path(schema).read_text()))
    if config["extra_metrics"]:
        from skewproof.extra import register_extra

        register_extra(config["extra_metrics"])


def script_modules(script):
    """The project's modules that a script imports, directly or not, and those of the config's own
    metrics: inputs of its rule, found once some job needs them."""
    return lambda wildcards: modules_of(script)


@cache
def modules_of(script):
    roots = [workflow_file("src"), workflow_file("workflow/scripts")]
    finder = ModuleFinder(path=roots)
    finder.run_script(workflow_file(f"workflow/scripts/{script}.py"))
    if config["extra_metrics"]:
        finder.import_hook("skewproof.extra")
    modules = [
        os.path.relpath(module.__file__)
        for name, module in finder.modules.items()
        if module.__file__ and name != "__main__"
    ]
    return sorted(modules + metric_files(config))


def package_data(package, extension):
    """Files of one kind that a part of the package reads: inputs of its rules."""
    folder = Path(workflow_file("src/skewproof")) / package
    return sorted(map(str, folder.glob(f"*.{extension}")))


def path_part(level):
    """A level as part of a path, where a colon is not welcome everywhere."""
    return level.replace(":", "_")


def level_name(wildcards):
    return wildcards.level.replace("_", ":")


def compared_levels():
    return [level for level in config["levels"] if level != config["baseline"]]


def batches(items, size):
    return [items[start : start + size] for start in range(0, len(items), size)]


def hold_folder():
    """Let no second run work in this folder. The system drops the lock with the process."""
    global held
    held = open(".snakemake/skewproof.lock", "w")
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise WorkflowError("another run is at work in this folder; wait for its end")


def end_at_once():
    """Stop the timers with which Snakemake limits its rate: the run's end waits for them, a second."""
    for thread in threading.enumerate():
        if isinstance(thread, threading.Timer):
            thread.cancel()


def file_of(dataset):
    """The key of the data set whose file this one is made from."""
    return config["real_world"]["datasets"][dataset].get("undersampled", dataset)


def source_record(wildcards):
    return f"results/real_world/{file_of(wildcards.dataset)}/source.csv"


def attempt(wildcards):
    """One more than last time if the file was missing then, so that it is looked for again."""
    record = Path(f"results/real_world/{wildcards.dataset}/source.csv")
    if not record.exists():
        return 1
    (row,) = csv.DictReader(record.open())
    return int(row["attempt"]) + (not row["path"])


def data_folders():
    """Where a data file is looked for, and last where one is downloaded to."""
    named = os.environ.get("SKEWPROOF_DATA_DIR")
    return [*([named] if named else []), config["real_world"]["data_dir"], "downloads"]


wildcard_constraints:
    level=r"[0-9]+_[0-9]+",
    metric=r"[a-z0-9_]+",


onstart:
    hold_folder()


onsuccess:
    end_at_once()
