"""Measures of the survey as data."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

from skewproof.core.extras import extra
from skewproof.core.registry import nearest

SECTIONS = ("2.1", "2.2", "2.3", "2.4", "3", "4", "5")
"""Sections of the survey that have measures."""

LEARNING_PROBLEMS = ("classification", "clustering", "ranking", "images", "text", "graphs")

DATA_BALANCES = ("balanced", "imbalanced", None)

CLASS_NUMBERS = ("two", "many", None)

ERROR_TYPES = ("type 1", "type 2", "both", "adjustable", None)

FUNCTION_INPUTS = (
    "two-class matrix",
    "multi-class matrix",
    "labels",
    "scores",
    "class scores",
    "clusters",
    "instances and clusters",
    "ranked list",
    "ranked lists",
    "masks",
    "texts",
)

_CHOICES: Mapping[str, tuple[str | bool | None, ...]] = {
    "section": SECTIONS,
    "problem": LEARNING_PROBLEMS,
    "balance": DATA_BALANCES,
    "classes": CLASS_NUMBERS,
    "chance_corrected": (True, False),
    "error_type": ERROR_TYPES,
    "input": FUNCTION_INPUTS,
}


class CatalogError(ValueError):
    """Invalid data of a measure; the message names the measure, the field and the value."""


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
    return parse_catalog(read_yaml("catalog.yaml"))


def parse_catalog(data: Any) -> dict[str, CatalogEntry]:
    """Check the data of the measures.

    Parameters
    ----------
    data
        The fields of each measure by its key, as read from YAML.

    Raises
    ------
    CatalogError
        If a field is missing or unknown, or has a wrong value.
    """
    if not isinstance(data, Mapping) or not data:
        raise CatalogError(f"{type(data).__name__}: expected the fields of measures by their key")
    return {str(key): _parse_entry(str(key), fields) for key, fields in data.items()}


def _parse_entry(key: str, data: Any) -> CatalogEntry:
    fields = {
        field.name: field for field in dataclasses.fields(CatalogEntry) if field.name != "key"
    }
    if not isinstance(data, Mapping):
        raise CatalogError(f"{key} = {data!r}: expected the fields {', '.join(fields)}")
    for name in data:
        if name not in fields:
            raise CatalogError(f"{key}.{name}: unknown field{nearest(str(name), fields)}")
    needed = [name for name in fields if name not in ("options", "examined", "note")]
    for name in needed:
        if name not in data:
            raise CatalogError(f"{key}.{name}: missing")
    for name, choices in _CHOICES.items():
        if data[name] not in choices or isinstance(data[name], bool) != (True in choices):
            expected = ", ".join(str(choice) for choice in choices)
            raise CatalogError(f"{key}.{name} = {data[name]!r}: expected one of {expected}")
    _check_texts(key, data)
    return CatalogEntry(key, **{**data, "range": _parse_range(key, data["range"])})


def _check_texts(key: str, data: Mapping[str, Any]) -> None:
    for name in ("name", "reference", "formula", "function", "note"):
        value = data.get(name, "")
        if not isinstance(value, str) and (value is not None or name in ("name", "reference")):
            raise CatalogError(f"{key}.{name} = {value!r}: expected text")
    function = data["function"]
    if function is not None and len(function.split(":")) != 2:
        raise CatalogError(f"{key}.function = {function!r}: expected module:name")
    if not isinstance(data.get("options", {}), Mapping):
        raise CatalogError(f"{key}.options = {data['options']!r}: expected arguments by name")
    match data.get("examined", {}):
        case {"metric": str(), "as": str(), **rest} | {**rest} if not rest:
            pass
        case other:
            raise CatalogError(f"{key}.examined = {other!r}: expected the texts metric and as")


def _parse_range(key: str, value: Any) -> tuple[float, float] | None:
    if value is None:
        return None
    match value:
        case [int() | float() as low, int() | float() as high] if low < high:
            return float(low), float(high)
    raise CatalogError(f"{key}.range = {value!r}: expected the smaller and the larger end")


def resolve(path: str) -> Callable[..., Any]:
    """Return the function at module:name.

    Raises
    ------
    CatalogError
        If there is no such module, or no such name in it.
    """
    module, name = path.split(":")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise CatalogError(f"{path}: expected a function, but {error}") from error
