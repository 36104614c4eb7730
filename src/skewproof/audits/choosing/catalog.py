"""Measures of the survey as data."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from skewproof.core.extras import extra

SECTIONS = ("2.1", "2.2", "2.3", "2.4", "3", "4", "5")
"""Sections of the survey that have measures."""


@dataclass(frozen=True)
class CatalogEntry:
    """A measure of the survey; a field that the survey leaves open is None.

    Attributes
    ----------
    key, name
        Self-explaining name, and name in words.
    section
        Section of the survey that has it.
    problem, balance, classes, error_type
        Use that the survey sees for it: learning problem, balanced or imbalanced data, two or many
        classes, and the type of error for which it is appropriate.
    chance_corrected
        Whether it is corrected for chance, according to the survey.
    range
        Smallest and largest value, or None for a curve.
    formula
        Formula in LaTeX, or None if the survey only names the measure.
    reference
        Source that the survey cites, and the number of the survey's equation.
    input
        Input of the function.
    function
        The function as module:name; None if neither this package nor scikit-learn has it.
    options
        Arguments of the function without which it is another measure; may be empty.
    examined
        Stand-in for the function when the effect of imbalance is examined; may be empty. `metric`
        is a key, a formula, or module:name of a measure of a clustering or a ranking or of a
        function of a confusion matrix; `as` describes it.
    note
        Further remarks.
    """

    key: str
    name: str
    section: str
    problem: str
    balance: str | None
    classes: str | None
    chance_corrected: bool
    error_type: str | None
    range: tuple[float, float] | None
    formula: str | None
    reference: str
    input: str
    function: str | None
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    examined: Mapping[str, str] = dataclasses.field(default_factory=dict)
    note: str = ""

    @property
    def short_name(self) -> str:
        """Name without its part in parentheses."""
        return self.name.split(" (")[0]

    @property
    def function_with_options(self) -> str:
        """The function as module:name with the options, or "none"."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.options.items())
        return f"{self.function or 'none'}{f' with {options}' if options else ''}"


def read_yaml(name: str) -> Any:
    """Read a YAML file of this package."""
    with extra("the catalog of measures"):
        import yaml
    file = resources.files("skewproof.audits.choosing").joinpath(name)
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C takes a tenth of the time
    return yaml.load(file.read_text(encoding="utf-8"), Loader=loader)


def load_catalog() -> dict[str, CatalogEntry]:
    """Load every measure of the survey by its key, in the survey's order."""
    catalog = {}
    for key, fields in read_yaml("catalog.yaml").items():
        ends = fields["range"] and tuple(map(float, fields["range"]))
        catalog[key] = CatalogEntry(key, **fields | {"range": ends})
    return catalog


def resolve(path: str) -> Callable[..., Any]:
    """Return the function at module:name."""
    module, name = path.split(":")
    return getattr(importlib.import_module(module), name)
