"""Batches of levels and metrics; a new level or metric does not repeat the others."""

import gc
import json

from skewproof_studies.pipeline.batches import LARGEST, batched, merged, parted, read_batches
from skewproof_studies.pipeline.writing.files import write_text
from skewproof_studies.pipeline.known_metrics import definitions_of
from skewproof_studies.van_zyl.config import definition_files, studied_metrics

# A graph of a thousand jobs has no garbage; the search for it takes a sixth of a dry run.
gc.set_threshold(10_000)

METRICS = studied_metrics(config)

BATCHES_FILE = Path(in_this_run("results/batches.json"))
# Jobs that do not share files have no record of earlier starts.
RECORDED = read_batches(BATCHES_FILE if JOBS_SHARE_FILES else None)
LEVEL_BATCHES = batched(config["levels"], RECORDED["levels"], largest=LARGEST["levels"])
METRIC_BATCHES = batched(METRICS, RECORDED["metrics"], largest=LARGEST["metrics"])


def record_batches():
    if not JOBS_SHARE_FILES:
        return
    batches = {
        "levels": merged(RECORDED["levels"], LEVEL_BATCHES),
        "metrics": merged(RECORDED["metrics"], METRIC_BATCHES),
    }
    BATCHES_FILE.parent.mkdir(exist_ok=True)
    write_text(json.dumps(batches, indent=1) + "\n", BATCHES_FILE)


def metrics_of(wildcards):
    return METRIC_BATCHES[wildcards.metric_batch]


def levels_of(wildcards):
    return LEVEL_BATCHES[wildcards.level_batch]


def compared_levels_of(wildcards):
    return compared_levels(levels_of(wildcards))


def own_metrics(metrics):
    """Return the definitions of the config's own metrics among some metrics."""
    return definitions_of(metrics, OWN_METRICS)


def own_files(metrics):
    """Return the files with definitions of these metrics, relative to the run's folder."""
    return code(definition_files(own_metrics(metrics)))


def own_files_of(wildcards):
    return own_files(metrics_of(wildcards))


def in_words(things, kind):
    return ", ".join(things) if len(things) < 4 else f"{len(things)} {kind}"


METRICS_OF_BATCH = {
    "metrics": metrics_of,
    "own_metrics": lambda wildcards: own_metrics(metrics_of(wildcards)),
    "what": lambda wildcards: in_words(metrics_of(wildcards), "metrics"),
}
"""Parameters of a rule for a batch of metrics; "what" names the metrics in its message."""


def at_levels(levels):
    """Return the parameters of a rule for levels; "where" names them in its message."""
    return {
        "levels": levels,
        "where": lambda wildcards: in_words(levels(wildcards), "levels"),
        "positives": config["positives"],
    }


def parts(name):
    """Return the files with a name in all batches of levels and metrics."""
    return expand(
        f"results/batches/{{level_batch}}_{{metric_batch}}/{name}.csv",
        level_batch=LEVEL_BATCHES,
        metric_batch=METRIC_BATCHES,
    )


def parts_of_metrics(name):
    """Return the files with a name in all batches of metrics."""
    return expand(f"results/batches/{{metric_batch}}/{name}.csv", metric_batch=METRIC_BATCHES)


wildcard_constraints:
    level_batch=r"[0-9]+",
    metric_batch=r"[0-9]+",
    part=r"[0-9]+",
    shard=r"[0-9]+",
    shards=r"[0-9]+",
