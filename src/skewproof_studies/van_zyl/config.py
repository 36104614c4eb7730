"""The part of a configuration for van Zyl and Engelbrecht's study, and its checks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level
from skewproof.core.registry import nearest
from skewproof.metrics import METRICS
from skewproof_studies.settings.faults import (
    LONGEST_KEY,
    fault,
    level_fault,
    level_list_faults,
    repetitions,
    value_at,
)
from skewproof_studies.van_zyl.paper import PAPER_METRICS

METRIC_GROUPS = {
    "paper": PAPER_METRICS,
    "all": (*PAPER_METRICS, *(key for key in METRICS if key not in PAPER_METRICS)),
}
"""Lists of metrics that a configuration may name, each in row order."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    yield from _metric_faults(config)
    yield from _figure_faults(config)
    yield from _sweep_faults(config)
    yield from _sample_faults(config)
    yield from _dataset_faults(config)


def studied_metrics(config: Mapping[str, Any]) -> list[str]:
    """Return the keys of a study's metrics: those of its group or list, then its own with their
    variants."""
    metrics = config["metrics"]
    chosen = METRIC_GROUPS[metrics] if isinstance(metrics, str) else metrics
    return list(dict.fromkeys([*chosen, *_own_keys(config)]))


def drawn_metrics(config: Mapping[str, Any]) -> list[str]:
    """Return the keys of the metrics whose contours are drawn, in the study's order."""
    studied, drawn = studied_metrics(config), config["figures"].get("metrics", "all")
    return studied if drawn == "all" else [key for key in studied if key in set(drawn)]


def _own_keys(config: Mapping[str, Any]) -> list[str]:
    own = config.get("extra_metrics")
    return [name for key in own for name in (key, f"{key}_i")] if isinstance(own, Mapping) else []


def _metric_faults(config: Mapping[str, Any]) -> Iterator[str]:
    metrics, known = config.get("metrics"), dict.fromkeys([*METRICS, *_own_keys(config)])
    for index, key in enumerate(metrics if isinstance(metrics, list) else []):
        if not isinstance(key, str) or key not in known:
            spelling = nearest(key[:LONGEST_KEY], known) if isinstance(key, str) else ""
            expected = f"the key of a registered metric{spelling}"
            yield fault(f"metrics[{index}]", key, expected)
    yield from repetitions("metrics", metrics)


def _figure_faults(config: Mapping[str, Any]) -> Iterator[str]:
    drawn, metrics = value_at(config, "figures.metrics"), config.get("metrics")
    chosen = METRIC_GROUPS.get(metrics, ()) if isinstance(metrics, str) else metrics
    if not isinstance(drawn, list) or not isinstance(chosen, list | tuple):
        return
    studied = [key for key in (*chosen, *_own_keys(config)) if isinstance(key, str)]
    for index, key in enumerate(drawn):
        if not isinstance(key, str) or key not in studied:
            spelling = nearest(key[:LONGEST_KEY], studied) if isinstance(key, str) else ""
            yield fault(
                f"figures.metrics[{index}]", key, f"the key of one of the study's metrics{spelling}"
            )
    yield from repetitions("figures.metrics", drawn)


def _sweep_faults(config: Mapping[str, Any]) -> Iterator[str]:
    levels = value_at(config, "convergence.levels")
    yield from level_list_faults("convergence.levels", levels)
    ends = {}
    for key in ("from", "to"):
        sweep = config.get("sweep")
        if isinstance(sweep, Mapping) and key in sweep:
            wrong = level_fault(f"sweep.{key}", sweep[key])
            if wrong:
                yield wrong
            else:
                ends[key] = Level.parse(sweep[key])
    if len(ends) == 2 and not ends["from"].negatives(1) < ends["to"].negatives(1):
        expected = f"a level with more negatives for each positive than sweep.from = {ends['from']}"
        yield fault("sweep.to", str(ends["to"]), expected)


def _sample_faults(config: Mapping[str, Any]) -> Iterator[str]:
    match value_at(config, "convergence.log2_samples"):
        case [int(first), int(last)] if first > last:
            yield fault("convergence.log2_samples", [first, last], "the smaller number first")


def _dataset_faults(config: Mapping[str, Any]) -> Iterator[str]:
    datasets = value_at(config, "real_world.datasets")
    if not isinstance(datasets, Mapping):
        return
    known = [key for key, one in datasets.items() if isinstance(one, Mapping) and "file" in one]
    for key, dataset in datasets.items():
        if isinstance(dataset, Mapping) and "undersampled" in dataset:
            whole = dataset["undersampled"]
            if whole not in known:
                spelling = nearest(whole[:LONGEST_KEY], known) if isinstance(whole, str) else ""
                expected = f"the key of a data set that has a file{spelling}"
                yield fault(f"real_world.datasets.{key}.undersampled", whole, expected)
