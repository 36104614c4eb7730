"""Every key of the schema beside every kind of wrong value: refused in a sentence, or valid.

The keys are those that the schema has, so that a new one is tested without an edit here.
"""

import datetime
import json
import math
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from skewproof_studies.config import ConfigError, check_config, config_schema

BYTES = 2000

WRONG = {
    "negative": -1,
    "zero": 0,
    "negative zero": -0.0,
    "fraction": 0.5,
    "true": True,
    "false": False,
    "NaN": math.nan,
    "infinite": math.inf,
    "minus infinite": -math.inf,
    "large": 1e300,
    "huge": 10**19,
    "hundreds of digits": 10**400,
    "empty text": "",
    "text": "text",
    "number as text": "1",
    "long text": "é" * 9000,
    "control characters": "text\x00\n\u202e",
    "null": None,
    "empty list": [],
    "list": [1],
    "list of null": [None],
    "list of NaN": [math.nan],
    "list of a list": [[1]],
    "empty mapping": {},
    "mapping": {"text": 1},
    "date": datetime.date(2026, 5, 1),
    "time": datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC),
    "bytes": b"text",
    "set": {"text"},
}
"""Values that YAML can contain, by their kind."""

NEVER = ("NaN", "infinite", "minus infinite", "hundreds of digits", "date", "time", "bytes", "set")
"""Kinds that no key takes, nor a list in it."""


def part_of(schema, value, key):
    """Return the schema of a mapping's entry."""
    choices = [schema, *schema.get("anyOf", ())]
    fitting = (one for one in choices if set(value) <= set(one.get("properties", ())))
    whole = next(fitting, schema)
    others = whole.get("additionalProperties")
    return whole.get("properties", {}).get(key, others if isinstance(others, dict) else {})


def one_of_each_kind(config):
    """Reduce mappings by name in a config to one entry of those with the same keys."""

    def cut(value, schema):
        if not isinstance(value, dict):
            return value
        by_name = isinstance(schema.get("additionalProperties"), dict)
        entries, kinds = {}, set()
        for key, part in value.items():
            kind = (*part, part.get("distribution")) if isinstance(part, dict) else key
            if not by_name or kind not in kinds:
                kinds.add(kind)
                entries[key] = cut(part, part_of(schema, value, key))
        return entries

    return cut(config, config_schema())


def small_config():
    """Make the study's config with one entry of each kind, and with a metric of its own."""
    path = Path(__file__).parents[3] / "config/paper.yaml"
    config = yaml.safe_load(path.read_text(encoding="utf-8"))
    datasets = config["real_world"]["datasets"]
    config = one_of_each_kind(config) | {"extra_metrics": {"own": "tp/P"}}
    wholes = [one.get("undersampled") for one in config["real_world"]["datasets"].values()]
    config["real_world"]["datasets"] |= {whole: datasets[whole] for whole in wholes if whole}
    return config


CONFIG = small_config()


def keys_of(schema, value, path=()):
    """List paths of keys and of first entries of lists, with the part of the schema for each."""
    if path:
        yield path, schema
    if isinstance(value, dict):
        for key, part in value.items():
            yield from keys_of(part_of(schema, value, key), part, (*path, key))
    elif isinstance(value, list) and value:
        yield from keys_of(schema.get("items", {}), value[0], (*path, 0))


KEYS = dict(keys_of(config_schema(), CONFIG))


def name_of(path):
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return "".join(parts).removeprefix(".")


def with_value(place, path, value):
    """Copy a config with another value at a path."""
    if not path:
        return value
    changed = place.copy()
    changed[path[0]] = with_value(place[path[0]], path[1:], value)
    return changed


def at(path):
    place = CONFIG
    for part in path:
        place = place[part]
    return place


def is_of_the_type(value, schema, present):
    """Return whether a value has a JSON type of a schema, or the type of the present value."""
    if "$ref" in schema:
        schema = config_schema()["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        return any(is_of_the_type(value, one, present) for one in schema["anyOf"])
    if "enum" in schema or "const" in schema:
        chosen = schema.get("enum", [schema.get("const")])
        return any(value == one and type(value) is type(one) for one in chosen)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    match schema.get("type"):
        case "integer":
            return number and math.isfinite(value) and value == int(value)
        case "number":
            return number and math.isfinite(value)
        case None:
            both = number and isinstance(present, int | float)
            return both or type(value) is type(present)
        case kind:
            types = {"string": str, "array": list, "object": dict, "boolean": bool}
            return isinstance(value, types[kind])


def test_the_keys_are_all_of_the_schema():
    """Keys of mappings by name are found, too; an empty list in the config would hide its keys."""

    def declared(schema, path=()):
        for key, part in schema.get("properties", {}).items():
            yield (*path, key)
            yield from declared(part, (*path, key))

    assert check_config(CONFIG)
    assert set(declared(config_schema())) - set(KEYS) == set()
    lists = [path for path, schema in KEYS.items() if schema.get("type") == "array"]
    assert [path for path in lists if (*path, 0) not in KEYS] == []


def refusal(config):
    """Return the message that refuses a config, or None."""
    try:
        check_config(config)
    except ConfigError as error:
        return str(error)
    return None


@pytest.mark.parametrize("path", KEYS, ids=name_of)
@pytest.mark.slow
def test_a_key_beside_every_kind_of_wrong_value(path):
    for kind, value in WRONG.items():
        changed = with_value(CONFIG, path, value)
        message = refusal(changed)
        if message is None:
            assert kind not in NEVER
            assert is_of_the_type(value, KEYS[path], at(path)), kind
            assert Draft202012Validator(config_schema()).is_valid(changed), kind
        else:
            heading, *faults = message.splitlines()
            assert len(message.encode()) <= BYTES, kind
            assert heading == "the configuration can't be used:"
            assert all(map(is_a_sentence, faults)), (kind, faults)
            assert any(names(fault.strip(), path, value) for fault in faults), (kind, faults)


def spellings(value):
    """List how a value, or one inside it, begins in a message; a decimal may be a whole number."""
    yield json.dumps(value, default=str, ensure_ascii=False)
    yield repr(value)
    if isinstance(value, float) and value.is_integer():
        yield str(int(value))
    if isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from spellings(part)


def names(fault, path, value):
    """Return whether a line names the key, or the list that has it as an entry, and its value.

    For keys that are unknown or missing in a mapping, the value is the key itself. A value that is
    too large is named by the first key alone.
    """
    if ": too large; " in fault:
        return fault.startswith(path[0])
    places = [path, path[:-1]] if isinstance(path[-1], int) else [path]
    named = any(fault.startswith(name_of(place)) for place in places)
    others = ("missing; ", "unknown key; ")
    return named and any(
        text in fault for text in (*(one[:5] for one in spellings(value)), *others)
    )


def is_a_sentence(fault):
    """Return whether a line names a key and what is expected, or counts the lines left out."""
    fault = fault.strip()
    named = ": " in fault and "expected" in fault
    return named or (fault.startswith("and ") and fault.endswith(" more"))
