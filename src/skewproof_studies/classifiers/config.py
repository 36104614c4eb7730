"""This study's part of a configuration and its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skewproof.core.messages import shortened
from skewproof.core.registry import nearest
from skewproof.sensitivity.classifiers import Classifiers
from skewproof_studies.settings.faults import fault

UNIFORM = "uniform"
"""Name of the distribution that all others are compared with."""

MEASURED = "measured"

FAMILIES: Mapping[str, Callable[..., Classifiers]] = {
    "box": Classifiers.box,
    "beta": Classifiers.beta,
    "binormal": Classifiers.binormal,
}

KEYS = {
    "box": ("tpr", "fpr"),
    "beta": ("tpr", "fpr"),
    "binormal": ("auc", "threshold"),
    MEASURED: ("file",),
}
"""Keys of each kind of distribution besides its name."""

LONGEST_PATH = 1000


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Return the faults of this study's part of a configuration that involve several keys."""
    named = config.get("classifiers")
    for name, described in named.items() if isinstance(named, Mapping) else ():
        key = f"classifiers.{name}"
        if name == UNIFORM:
            yield f"{key}: expected another name; this one is reserved for all pairs of rates"
        elif isinstance(described, Mapping):
            yield from _faults_of_one(key, described)


def _faults_of_one(key: str, described: Mapping[str, Any]) -> Iterator[str]:
    if "distribution" not in described:
        yield f"{shortened(key)}.distribution: missing; expected one of {', '.join(KEYS)}"
        return
    kind = described["distribution"]
    if not isinstance(kind, str) or kind not in KEYS:
        spelling = nearest(kind, KEYS) if isinstance(kind, str) else ""
        yield fault(f"{key}.distribution", kind, f"one of {', '.join(KEYS)}{spelling}")
        return
    expected = ("distribution", *KEYS[kind])
    for missing in [one for one in expected if one not in described]:
        yield f"{shortened(key)}.{missing}: missing; {kind} has the keys {', '.join(expected)}"
    for unknown in [one for one in described if one not in expected]:
        yield f"{shortened(key)}.{unknown}: unknown key; {kind} has the keys {', '.join(expected)}"
    if set(described) != set(expected):
        return
    if kind == MEASURED:
        file = described["file"]
        if not isinstance(file, str) or not file.endswith(".csv") or len(file) > LONGEST_PATH:
            yield fault(f"{key}.file", file, "the path of a CSV file with the columns tpr and fpr")
        return
    try:
        family(described)
    except ValueError as error:
        yield f"{shortened(key)}.{error}"


def family(described: Mapping[str, Any]) -> Classifiers:
    """Return the distribution that a configuration describes, unless it is measured.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """
    options = {name: described[name] for name in KEYS[described["distribution"]]}
    return FAMILIES[described["distribution"]](**options)
