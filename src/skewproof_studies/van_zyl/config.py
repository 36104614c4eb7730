"""The part of a configuration for van Zyl and Engelbrecht's study, and its checks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from skewproof.core.levels import Level
from skewproof.core.registry import nearest
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.resampling import SALIB_DRAWS
from skewproof_studies.settings.faults import fault
from skewproof_studies.van_zyl.paper import PAPER_METRICS

SALIB_LOG2_SAMPLES = 20
"""Base-2 logarithm of the largest number of base points for which SALib may compute all
half-widths: with 100 resamples, it needs more than 10 GB there."""

METRIC_GROUPS = {
    "paper": PAPER_METRICS,
    "all": (*PAPER_METRICS, *(key for key in METRICS if key not in PAPER_METRICS)),
}
"""Lists of metrics that a configuration may name, each in row order."""


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that involve several keys of a configuration that fits its schema."""
    known = [*METRICS, *_own_keys(config)]
    yield from _unknown("metrics", config["metrics"], known, "a registered metric")
    drawn = config["figures"].get("metrics")
    studied = studied_metrics(config)
    yield from _unknown("figures.metrics", drawn, studied, "one of the study's metrics")
    yield from _sample_faults(config)
    start, end = (Level.parse(config["sweep"][key]) for key in ("from", "to"))
    if not start.negatives(1) < end.negatives(1):
        expected = f"a level with more negatives for each positive than sweep.from = {start}"
        yield fault("sweep.to", str(end), expected)
    datasets = config["real_world"]["datasets"]
    files = [key for key, dataset in datasets.items() if "file" in dataset]
    for key, dataset in datasets.items():
        whole = dataset.get("undersampled")
        if whole is not None and whole not in files:
            expected = f"the key of a data set that has a file{nearest(whole, files)}"
            yield fault(f"real_world.datasets.{key}.undersampled", whole, expected)


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
    return [name for key in config["extra_metrics"] for name in (key, f"{key}_i")]


def _unknown(name: str, keys: object, known: Collection[str], kind: str) -> Iterator[str]:
    """Yield the faults of a list's keys that are not known; another value names a group."""
    for index, key in enumerate(keys if isinstance(keys, list) else []):
        if key not in known:
            yield fault(f"{name}[{index}]", key, f"the key of {kind}{nearest(key, known)}")


def _sample_faults(config: Mapping[str, Any]) -> Iterator[str]:
    first, last = config["convergence"]["log2_samples"]
    if first > last:
        yield fault("convergence.log2_samples", [first, last], "the smaller number first")
    log2_samples, resamples = (config["sobol"][key] for key in ("log2_samples", "resamples"))
    most = min(SALIB_LOG2_SAMPLES, (SALIB_DRAWS // resamples).bit_length() - 1)
    if config["sobol"]["half_widths"] == "salib" and log2_samples > most:
        settings = f"sobol.half_widths = salib and sobol.resamples = {resamples}"
        yield fault("sobol.log2_samples", log2_samples, f"at most {most} with {settings}")
