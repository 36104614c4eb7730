"""Check of a configuration before any computation: schema, levels, and each study's part."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import islice
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from skewproof.core.messages import MOST_LINES, SEPARATOR, listed, shortened
from skewproof.core.registry import nearest
from skewproof_studies.atlas import config as atlas
from skewproof_studies.burduk import config as burduk
from skewproof_studies.choices import config as choices
from skewproof_studies.classifiers import config as classifiers
from skewproof_studies.mullick import config as mullick
from skewproof_studies.settings.faults import fault, level_fault, level_list_faults, shape_faults
from skewproof_studies.settings.yaml_text import TextError, read_yaml
from skewproof_studies.survey import config as survey
from skewproof_studies.tharwat import config as tharwat
from skewproof_studies.van_zyl import config as van_zyl

STUDIES = (van_zyl, burduk, mullick, survey, tharwat, classifiers, atlas, choices)


class ConfigError(ValueError):
    """A configuration that no study can be run with; the message lists its faults, one per line."""


@cache
def config_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of a whole configuration, with all checks of single
    keys."""
    packages = ["skewproof_studies", *(study.__name__.rpartition(".")[0] for study in STUDIES)]
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C loader is ten times as fast
    properties: dict[str, Any] = {}
    for package in packages:
        text = resources.files(package).joinpath("config.schema.yaml").read_text(encoding="utf-8")
        properties |= yaml.load(text, Loader=loader)["properties"]
    return {
        "$schema": Draft202012Validator.META_SCHEMA["$id"],
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def read_config(text: str) -> dict[str, Any]:
    """Read a configuration from YAML or JSON.

    Raises
    ------
    ConfigError
        If the text can't be read, or if a key occurs twice, in which case YAML would keep the last
        value.
    """
    try:
        config = read_yaml(text)
    except TextError as error:
        raise ConfigError(f"the configuration can't be read:{SEPARATOR}{error}") from None
    _raise_any(shape_faults(config))
    return config


def check_config(config: Mapping[str, Any]) -> dict[str, Any]:
    """Check a configuration as read from YAML.

    Returns
    -------
    The configuration, with numbers such as 10.0 converted to integers where the schema asks for
    them.

    Raises
    ------
    ConfigError
        If anything is wrong. The message has one line per fault, each with the key, the value and
        what is expected.
    """
    _raise_any(shape_faults(config))
    checked = _with_whole_numbers(config, config_schema())
    _raise_any(dict.fromkeys(_all_faults(checked)))
    return checked


def _raise_any(faults: Iterable[str]) -> None:
    found = listed(faults)
    if found:
        raise ConfigError(f"the configuration can't be used:{SEPARATOR}{found}")


def _all_faults(config: Mapping[str, Any]) -> Iterator[str]:
    errors = _Validator(config_schema()).iter_errors(config)
    for error in sorted(islice(errors, 2 * MOST_LINES), key=lambda error: error.path):
        yield from _schema_faults(error)
    yield from _level_faults(config)
    for study in STUDIES:
        yield from study.faults(config)


def _with_whole_numbers(value: Any, schema: Mapping[str, Any]) -> Any:
    if isinstance(value, Mapping):
        parts, other = schema.get("properties", {}), schema.get("additionalProperties")
        other = other if isinstance(other, Mapping) else {}
        return {
            key: _with_whole_numbers(part, parts.get(key, other)) for key, part in value.items()
        }
    if isinstance(value, list):
        return [_with_whole_numbers(part, schema.get("items", {})) for part in value]
    whole = schema.get("type") == "integer" and isinstance(value, float) and value.is_integer()
    return int(value) if whole else value


def _is_finite_number(_: object, value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and not (isinstance(value, float) and not math.isfinite(value))


def _different(validator: Any, unique: bool, values: Any, _: Any) -> Iterator[ValidationError]:
    """Check the keyword uniqueItems in linear time."""
    if unique and isinstance(values, list):
        different = {one if isinstance(one, str | int | float) else repr(one) for one in values}
        if len(different) < len(values):
            yield ValidationError("an entry occurs twice")


_Validator = extend(
    Draft202012Validator,
    {"uniqueItems": _different},
    type_checker=Draft202012Validator.TYPE_CHECKER.redefine("number", _is_finite_number),
)


def _schema_faults(error: ValidationError) -> Iterator[str]:
    key = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
    ).removeprefix(".")
    prefix = f"{key}." if key else ""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        for unknown in sorted(map(str, set(error.instance) - set(known))):
            spelling = nearest(unknown, known)
            name = shortened(f"{prefix}{unknown}")
            yield f"{name}: unknown key; expected one of {', '.join(known)}{spelling}"
    elif error.validator == "required":
        for missing in error.validator_value:
            if missing not in error.instance:
                expected = _expected(error.schema["properties"][missing])
                yield f"{prefix}{missing}: missing; expected {expected}"
    else:
        yield fault(key or "configuration", error.instance, _expected(error.schema))


def _expected(schema: Mapping[str, Any]) -> str:
    """Describe in words what a schema expects."""
    if "anyOf" in schema:
        return " or ".join(map(_expected, schema["anyOf"]))
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        least, most = schema["minItems"], schema["maxItems"]
        if least == most:
            return f"a list of {least} entries"
        if least == 0:
            return f"a list of at most {most} entries"
        different = " different" if schema.get("uniqueItems") else ""
        entries = "entry" if least == 1 else "entries"
        return f"a list of at least {least}{different} {entries} and at most {most}"
    if schema.get("type") == "object" and schema["properties"]:
        return "the keys " + ", ".join(schema["properties"])
    if schema.get("type") not in ("integer", "number"):
        return str(schema["description"])
    bounds = {
        "minimum": "of at least",
        "exclusiveMinimum": "above",
        "maximum": "of at most",
        "exclusiveMaximum": "below",
    }
    noun = "a whole number" if schema["type"] == "integer" else "a number"
    return f"{noun} " + " and ".join(
        f"{bounds[key]} {schema[key]}" for key in bounds if key in schema
    )


def _level_faults(config: Mapping[str, Any]) -> Iterator[str]:
    levels = config.get("levels")
    yield from level_list_faults("levels", levels)
    if "baseline" not in config:
        return
    baseline = config["baseline"]
    wrong = level_fault("baseline", baseline)
    if wrong:
        yield wrong
    elif isinstance(levels, list) and baseline not in levels:
        known = shortened(", ".join(map(str, levels)), 200)
        yield fault("baseline", baseline, f"one of the levels {known}")
