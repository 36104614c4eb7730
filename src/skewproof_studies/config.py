"""Check of a configuration before any computation: its files, its schema, and what several keys
say together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import islice
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from skewproof.core.arguments import is_finite
from skewproof.core.levels import Level
from skewproof.core.messages import LONGEST_LINE, MOST_LINES, SEPARATOR, listed, shortened, shown
from skewproof.core.registry import nearest
from skewproof_studies.burduk import config as burduk
from skewproof_studies.classifiers import config as classifiers
from skewproof_studies.mullick import config as mullick
from skewproof_studies.settings.faults import fault
from skewproof_studies.survey import config as survey
from skewproof_studies.tharwat import config as tharwat
from skewproof_studies.van_zyl import config as van_zyl

STUDIES = (
    *("van_zyl", "burduk", "mullick", "survey", "tharwat", "classifiers", "atlas", "choices"),
    "made_for_imbalance",
)
"""Packages of the studies, each with a schema of its part of the configuration."""

CHECKS = (van_zyl, burduk, mullick, survey, tharwat, classifiers)
"""Modules that check what a schema can't say."""

MOST_VALUES = 10_000
"""Largest number of values in a configuration; keys, lists and mappings are counted, too."""

MOST_TEXT = 200_000
"""Largest number of characters of all keys and texts below a key."""

DEEPEST = 10
"""Largest number of nested lists and mappings below a key."""

MOST_DIGITS = 300
"""Largest number of digits of a whole number: Python writes no number of more than 4300."""

BOUNDS = {
    "minimum": "of at least",
    "exclusiveMinimum": "above",
    "maximum": "of at most",
    "exclusiveMaximum": "below",
}
"""Words for the keywords of a number's schema."""

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The YAML loader in C if there is one: it is ten times as fast."""


class ConfigError(ValueError):
    """A configuration that no study can be run with; the message lists its faults, one per line."""


@cache
def config_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a whole configuration, with all checks of single
    keys."""
    packages = ["skewproof_studies", *(f"skewproof_studies.{study}" for study in STUDIES)]
    schemas = [
        yaml.load((resources.files(package) / "config.schema.yaml").read_text("utf-8"), LOADER)
        for package in packages
    ]
    properties = {key: part for schema in schemas for key, part in schema["properties"].items()}
    return {
        "$schema": Draft202012Validator.META_SCHEMA["$id"],
        "$defs": schemas[0]["$defs"],
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def refuse_duplicate_keys(path: str | Path) -> None:
    """Check that no mapping in a configuration file has a key twice.

    YAML keeps the last value of such a key, and so does Snakemake.

    Raises
    ------
    ConfigError
        If a mapping has a key twice, or if the file is not YAML. The message names the file and the
        line.
    """
    name = shortened(str(path), LONGEST_LINE)
    try:
        nodes = [yaml.compose(Path(path).read_text(encoding="utf-8"), LOADER)]
    except yaml.YAMLError as error:
        reason = shortened(" ".join(str(error).split()), LONGEST_LINE)
        raise ConfigError(f"{name}: expected YAML: {reason}") from None
    examined = set()
    while nodes:
        node = nodes.pop()
        if id(node) in examined:  # an alias, which may be inside its own value
            continue
        examined.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif isinstance(node, yaml.MappingNode):
            nodes += [value for _, value in node.value]
            lines: dict[tuple[str, str], int] = {}
            for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
                line = key.start_mark.line + 1
                if (key.tag, key.value) in lines:
                    first = lines[key.tag, key.value]
                    raise ConfigError(
                        f"{name}, line {line}: key {shown(key.value)} is already on line {first}:"
                        " expected each key once"
                    )
                lines[key.tag, key.value] = line


def check_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Check a configuration as Snakemake has read it.

    Returns
    -------
    The configuration, with numbers such as 10.0 converted to integers where the schema asks for
    them.

    Raises
    ------
    ConfigError
        If anything is wrong. The message has one line per fault, each with the key, the value and
        what is expected: faults of size, or else of the schema, or else those that involve several
        keys.
    """
    schema = config_schema()
    _raise_any(_size_faults(config))
    checked = _with_whole_numbers(config, schema)
    errors = _Validator(schema, format_checker=FORMATS).iter_errors(checked)
    lines = (line for error in errors for line in _schema_faults(error))
    _raise_any(dict.fromkeys(islice(lines, 10 * MOST_LINES)))
    _raise_any(_faults_of_several_keys(checked))
    return checked


def _raise_any(faults: Iterable[str]) -> None:
    lines = listed(faults)
    if lines:
        raise ConfigError(f"the configuration can't be used:{SEPARATOR}{lines}")


def _size_faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a fault at the first key whose value is too large to be checked in a moment."""
    left = MOST_VALUES
    for key, value in config.items():
        parts = list(islice(_parts(value, 0), left + 1))
        left -= len(parts)
        text = sum(len(part) for part, _ in parts if isinstance(part, str))
        long = any(isinstance(part, int) and abs(part) >= 10**MOST_DIGITS for part, _ in parts)
        deepest = max(depth for _, depth in parts)
        if left < 0 or text > MOST_TEXT or long or deepest > DEEPEST:
            yield (
                f"{shortened(_text(key))}: too large; expected at most {DEEPEST} nested lists or"
                f" mappings, {MOST_TEXT} characters, numbers of {MOST_DIGITS} digits, and with all"
                f" other keys {MOST_VALUES} values"
            )
            return


def _parts(value: object, depth: int) -> Iterator[tuple[object, int]]:
    """Yield a value and its keys and values with their depths, down to the first too deep ones."""
    yield value, depth
    if depth <= DEEPEST and isinstance(value, Mapping | list):
        inside = [*value, *value.values()] if isinstance(value, Mapping) else value
        for part in inside:
            yield from _parts(part, depth + 1)


def _with_whole_numbers(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        parts, others = schema.get("properties", {}), schema.get("additionalProperties") or {}
        return {
            key: _with_whole_numbers(part, parts.get(key, others)) for key, part in value.items()
        }
    if isinstance(value, list):
        return [_with_whole_numbers(part, schema.get("items", {})) for part in value]
    whole = schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


FORMATS = FormatChecker(formats=())
"""Formats of the schema for which it takes a parser or a registry."""


@FORMATS.checks("level", raises=ValueError)  # type: ignore[untyped-decorator]
def _is_level(value: object) -> bool:
    if isinstance(value, str):
        Level.parse(value)
    return True


@FORMATS.checks("measure", raises=ValueError)  # type: ignore[untyped-decorator]
def _is_measure(value: object) -> bool:
    # Imported here, since most configurations name none of these hundreds of declarations.
    from skewproof.metrics.atlas import ATLAS
    from skewproof.metrics.atlas.families import family_member

    if isinstance(value, str) and value not in ATLAS and family_member(value) is None:
        spelling = nearest(value, ATLAS)
        raise ValueError(f"{shown(value)}: expected the key of a measure of the atlas{spelling}")
    return True


def _repetitions(_: object, unique: bool, values: Any, __: object) -> Iterator[ValidationError]:
    """Yield an error at each text or number that a list has before."""
    first: dict[object, int] = {}
    for index, value in enumerate(values if unique and isinstance(values, list) else []):
        if isinstance(value, str | int | float) and first.setdefault(value, index) < index:
            yield ValidationError("each entry only once", path=[index], instance=value)


_Validator = extend(
    Draft202012Validator,
    {"uniqueItems": _repetitions},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine_many(
        {
            "number": lambda _, value: is_finite(value),
            "integer": lambda _, value: is_finite(value) and value == int(value),
        }
    ),
)


def _schema_faults(error: ValidationError) -> Iterator[str]:
    path = error.absolute_path
    parts = (f"[{part}]" if isinstance(part, int) else f".{_text(part)}" for part in path)
    key = "".join(parts).removeprefix(".")
    prefix = f"{key}." if key else ""
    inside = [deeper for deeper in error.context or () if deeper.path]
    match error.validator:
        case "additionalProperties":
            known = error.schema["properties"]
            for unknown in (name for name in error.instance if name not in known):
                expected = f"expected one of {', '.join(known)}{nearest(unknown, known)}"
                yield f"{shortened(prefix + _text(unknown))}: unknown key; {expected}"
        case "required":
            for missing in (name for name in error.validator_value if name not in error.instance):
                expected = _expected(error.schema["properties"][missing])
                yield f"{shortened(prefix + missing)}: missing; expected {expected}"
        case "anyOf" if inside:  # of the choices, only a list has entries
            for deeper in inside:
                yield from _schema_faults(deeper)
        case "format":
            yield f"{shortened(key)} = {error.cause}"
        case "uniqueItems":
            yield fault(key, error.instance, error.message)
        case _:
            yield fault(key, error.instance, _expected(error.schema))


def _text(key: object) -> str:
    return key if isinstance(key, str) else shown(key)


def _expected(schema: Mapping[str, Any]) -> str:
    """Describe in words what a schema expects."""
    match schema:
        case {"anyOf": choices}:
            return " or ".join(map(_expected, choices))
        case {"const": value}:
            return str(value)
        case {"enum": values}:
            return "one of " + ", ".join(map(str, values))
        case {"type": "array", "minItems": least, "maxItems": most}:
            size = str(least) if least == most else f"{least} to {most}"
            return f"a list of {size} entries"
        case {"type": "boolean"}:
            return "true or false"
        case {"type": "object", "properties": parts, "additionalProperties": False}:
            return "the keys " + ", ".join(parts)
        case {"type": "integer" | "number" as kind}:
            noun = "a whole number" if kind == "integer" else "a number"
            bounds = (f"{words} {schema[key]}" for key, words in BOUNDS.items() if key in schema)
            return f"{noun} {' and '.join(bounds)}"
    return str(schema["description"])


def _faults_of_several_keys(config: Mapping[str, Any]) -> Iterator[str]:
    levels = config["levels"]
    if config["baseline"] not in levels:
        known = shortened(", ".join(levels), 200)
        yield fault("baseline", config["baseline"], f"one of the levels {known}")
    for study in CHECKS:
        yield from study.faults(config)
