"""Check a study's configuration before any work: its schema, its levels, and each study's part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from skewproof.core.faults import fault, level_list_faults
from skewproof.core.levels import Level
from skewproof.core.registry import nearest
from skewproof.studies.burduk import config as burduk
from skewproof.studies.mullick import config as mullick
from skewproof.studies.survey import config as survey
from skewproof.studies.tharwat import config as tharwat
from skewproof.studies.van_zyl import config as van_zyl

STUDIES = (van_zyl, burduk, mullick, survey, tharwat)


class ConfigError(ValueError):
    """A configuration that no study can be run with; the message lists every fault."""


@cache
def config_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a whole configuration: all that concerns a single key."""
    packages = ["skewproof", *(study.__name__.rpartition(".")[0] for study in STUDIES)]
    properties: dict[str, Any] = {}
    for package in packages:
        text = resources.files(package).joinpath("config.schema.yaml").read_text(encoding="utf-8")
        properties |= yaml.safe_load(text)["properties"]
    return {
        "$schema": Draft202012Validator.META_SCHEMA["$id"],
        "type": "object",
        "additionalProperties": False,
        "required": list(properties),
        "properties": properties,
    }


def check_config(config: Mapping[str, Any]) -> None:
    """Check a configuration as read from YAML.

    Raises
    ------
    ConfigError
        If anything is wrong; a line a fault, each with the key, the value and what is expected.
    """
    validator = Draft202012Validator(config_schema())
    errors = sorted(validator.iter_errors(config), key=lambda error: error.path)
    faults = [one for error in errors for one in _schema_faults(error)]
    faults += _level_faults(config)
    for study in STUDIES:
        faults += study.faults(config)
    if faults:
        raise ConfigError("the configuration can't be used:\n  " + "\n  ".join(faults))


def _schema_faults(error: ValidationError) -> Iterator[str]:
    key = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path
    ).removeprefix(".")
    prefix = f"{key}." if key else ""
    if error.validator == "additionalProperties":
        known = error.schema["properties"]
        for unknown in sorted(map(str, set(error.instance) - set(known))):
            yield f"{prefix}{unknown}: unknown key; expected one of {', '.join(known)}" + nearest(
                unknown, known
            )
    elif error.validator == "required":
        for missing in error.validator_value:
            if missing not in error.instance:
                expected = _expected(error.schema["properties"][missing])
                yield f"{prefix}{missing}: missing; expected {expected}"
    else:
        yield fault(key or "configuration", error.instance, _expected(error.schema))


def _expected(schema: Mapping[str, Any]) -> str:
    """What a schema asks for, in words."""
    if "anyOf" in schema:
        return " or ".join(map(_expected, schema["anyOf"]))
    if "const" in schema:
        return str(schema["const"])
    if "enum" in schema:
        return "one of " + ", ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        least = schema["minItems"]
        if least == schema.get("maxItems"):
            return f"a list of {least} entries"
        different = " different" if schema.get("uniqueItems") else ""
        return f"a list of at least {least}{different} {'entry' if least == 1 else 'entries'}"
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
    levels, baseline = config.get("levels"), config.get("baseline")
    yield from level_list_faults("levels", levels)
    if baseline is None:
        return
    try:
        Level.parse(baseline)
    except ValueError as error:
        yield f"baseline = {error}"
        return
    if isinstance(levels, list) and baseline not in levels:
        yield fault("baseline", baseline, f"one of the levels {', '.join(map(str, levels))}")
