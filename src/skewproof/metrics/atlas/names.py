"""Names that packages have for measures, and communities for registered metrics: data."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.resources import files

from skewproof.core.metric import Metric
from skewproof.metrics.atlas.entry import IMBALANCE, Entry, Name

REMARKS = {
    "adjusted_g_mean": "Tharwat has the number of the negatives; Batuwita and Palade (2009), and"
    " pycm, have their share.",
    "cohen_kappa": "Van Zyl and Engelbrecht scale it to [0, 1]; binsdpy has the root of another sum"
    " below.",
    "discriminant_power": "By natural logarithms; pycm has those to the base 10.",
    "fowlkes_mallows": "Fowlkes and Mallows, and scikit-learn, count pairs of instances.",
    "markedness": "Van Zyl and Engelbrecht scale it to [0, 1], the mean of both predictive values.",
    "mcc": "Van Zyl and Engelbrecht, and miseval, scale it to [0, 1].",
    "optimized_precision": "Van Zyl and Engelbrecht scale it to [0, 1].",
    "scott_pi": "binsdpy has 2 + tn for 2tn below.",
}
"""Where sources disagree on the formula of a registered metric."""


def listed_names() -> dict[str, tuple[Name, ...]]:
    """The names of names.csv, by key of the measure."""
    found: dict[str, tuple[Name, ...]] = {}
    text = files("skewproof.metrics.atlas").joinpath("names.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        name = Name(row["community"], row["name"], row["source"])
        found[row["key"]] = (*found.get(row["key"], ()), name)
    return found


def registered_entries(metrics: Mapping[str, Metric]) -> dict[str, Entry]:
    """An entry for each registered metric, whose direction is that of its declaration."""
    return {
        key: Entry(
            (IMBALANCE(metric.name, metric.source),),
            REMARKS.get(key, ""),
            "lower" if metric.lower_is_better else "higher",
        )
        for key, metric in metrics.items()
    }


def completed(entries: Mapping[str, Entry]) -> dict[str, Entry]:
    """Entries with the listed names behind their own; a name of both has both sources."""
    listed = listed_names()
    return {key: _with(entry, listed.get(key, ())) for key, entry in entries.items()}


def _with(entry: Entry, listed: tuple[Name, ...]) -> Entry:
    sources: dict[tuple[str, str], list[str]] = {}
    for name in (*entry.names, *listed):
        known = sources.setdefault((name.community, name.name), [])
        known += [part for part in name.source.split("; ") if part not in known]
    names = (Name(*identity, "; ".join(parts)) for identity, parts in sources.items())
    return entry._replace(names=tuple(names))
