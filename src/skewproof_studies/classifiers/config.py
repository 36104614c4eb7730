"""This study's part of a configuration and its checks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from skewproof.core.messages import shortened
from skewproof.sensitivity.classifiers import Classifiers

UNIFORM = "uniform"
"""Name of the distribution that all others are compared with."""

FAMILIES: Mapping[str, Callable[..., Classifiers]] = {
    "box": Classifiers.box,
    "beta": Classifiers.beta,
    "binormal": Classifiers.binormal,
}


def faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield the faults that a configuration has although it fits its schema."""
    for name, described in config["classifiers"].items():
        if described["distribution"] in FAMILIES:
            try:
                family(described)
            except ValueError as error:
                yield f"classifiers.{shortened(name)}.{error}"


def family(described: Mapping[str, Any]) -> Classifiers:
    """Return the distribution that a configuration describes, unless it is measured.

    Raises
    ------
    ValueError
        If a number is outside its range.
    """
    options = {key: value for key, value in described.items() if key != "distribution"}
    return FAMILIES[described["distribution"]](**options)
