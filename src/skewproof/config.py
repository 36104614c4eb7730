"""Check a study's configuration before any work: its schema, its levels and its metrics."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from skewproof.levels import Level
from skewproof.metrics import REGISTRY
from skewproof.paper import METRICS
from skewproof.registry import nearest

GROUPS = {"paper": METRICS, "all": (*METRICS, *(key for key in REGISTRY if key not in METRICS))}
"""Lists of metrics that a config may name, each in row order."""


CLASSES = {"breast_cancer": 2, "digits": 10, "iris": 3, "wine": 3}
"""How many classes each data set has that scikit-learn ships; their labels count from 0."""


class ConfigError(ValueError):
    """A configuration that no study can be run with; the message lists every fault."""


def check_config(config: Mapping[str, Any], schema: Mapping[str, Any]) -> None:
    """Check a configuration.

    Parameters
    ----------
    config
        The configuration as read from YAML.
    schema
        Its JSON Schema (draft 2020-12), for all that concerns a single key.

    Raises
    ------
    ConfigError
        If anything is wrong; a line a fault, each with the key, the value and what is expected.
    """
    errors = sorted(Draft202012Validator(schema).iter_errors(config), key=lambda error: error.path)
    faults = [fault for error in errors for fault in _schema_faults(error)]
    faults += _level_faults(config)
    faults += _metric_faults(config)
    faults += _sample_faults(config)
    faults += _dataset_faults(config)
    faults += _minority_faults(config)
    faults += _ratio_faults(config)
    faults += _problem_faults(config)
    faults += _list_faults(config)
    if faults:
        raise ConfigError("the configuration can't be used:\n  " + "\n  ".join(faults))


def studied_metrics(config: Mapping[str, Any]) -> list[str]:
    """Keys of a study's metrics: those of its group or list, then its own with their variants."""
    metrics = config["metrics"]
    chosen = GROUPS[metrics] if isinstance(metrics, str) else metrics
    return list(dict.fromkeys([*chosen, *_own_keys(config)]))


def metric_files(config: Mapping[str, Any]) -> list[str]:
    """The files with functions that define a study's own metrics."""
    definitions = config["extra_metrics"].values()
    return sorted({text.split(":")[0] for text in definitions if ".py:" in text})


def _own_keys(config: Mapping[str, Any]) -> list[str]:
    own = config.get("extra_metrics")
    return [name for key in own for name in (key, f"{key}_i")] if isinstance(own, Mapping) else []


def _fault(key: str, value: object, expected: str) -> str:
    return f"{key} = {json.dumps(value, ensure_ascii=False, default=str)}: expected {expected}"


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
                fault = f"{prefix}{missing}: missing; expected {expected}"
                yield fault
    else:
        yield _fault(key or "configuration", error.instance, _expected(error.schema))


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
    lists = [(key, _get(config, key)) for key in ("levels", "convergence.levels")]
    named = [(key, _get(config, key)) for key in ("baseline", "sweep.from", "sweep.to")]
    named += [
        (f"{key}[{index}]", level)
        for key, levels in lists
        if isinstance(levels, list)
        for index, level in enumerate(levels)
    ]
    good = {}
    for key, text in named:
        if text is not None:
            try:
                good[key] = Level.parse(text)
            except ValueError as error:
                yield f"{key} = {error}"
    for key, levels in lists:
        yield from _repetitions(key, levels)
    levels, baseline = config.get("levels"), config.get("baseline")
    if isinstance(levels, list) and "baseline" in good and baseline not in levels:
        yield _fault("baseline", baseline, f"one of the levels {', '.join(map(str, levels))}")
    start, stop = good.get("sweep.from"), good.get("sweep.to")
    if start and stop and not start.negatives(1) < stop.negatives(1):
        expected = f"a level with more negatives for each positive than sweep.from = {start}"
        yield _fault("sweep.to", str(stop), expected)


def _sample_faults(config: Mapping[str, Any]) -> Iterator[str]:
    match _get(config, "convergence.log2_samples"):
        case [int(first), int(last)] if first > last:
            yield _fault("convergence.log2_samples", [first, last], "the smaller number first")


def _dataset_faults(config: Mapping[str, Any]) -> Iterator[str]:
    datasets = _get(config, "real_world.datasets")
    for key, dataset in datasets.items() if isinstance(datasets, Mapping) else []:
        if isinstance(dataset, Mapping) and "undersampled" in dataset:
            whole = dataset["undersampled"]
            if "file" not in (_get(datasets, str(whole)) or {}):
                known = [name for name in datasets if "file" in (_get(datasets, str(name)) or {})]
                expected = "the key of a data set that has a file" + nearest(str(whole), known)
                yield _fault(f"real_world.datasets.{key}.undersampled", whole, expected)


def _minority_faults(config: Mapping[str, Any]) -> Iterator[str]:
    majority, sizes = (_get(config, f"burduk.{key}") for key in ("positives", "negatives"))
    for index, size in enumerate(sizes if isinstance(sizes, list) else []):
        if isinstance(size, int) and isinstance(majority, int) and size > majority:
            expected = f"at most burduk.positives = {majority}, the size of the majority class"
            yield _fault(f"burduk.negatives[{index}]", size, expected)


def _ratio_faults(config: Mapping[str, Any]) -> Iterator[str]:
    ratios = _get(config, "mullick.ratios")
    numbers = isinstance(ratios, list) and all(isinstance(ratio, int | float) for ratio in ratios)
    if numbers and ratios != sorted(ratios):
        yield _fault("mullick.ratios", ratios, "rising numbers")


def _problem_faults(config: Mapping[str, Any]) -> Iterator[str]:
    problems = _get(config, "mullick_experiment.problems")
    for key, problem in problems.items() if isinstance(problems, Mapping) else []:
        classes, data = _get(problem, "classes"), _get(problem, "data")
        if data not in CLASSES or not isinstance(classes, list):
            continue
        labels = [label for joined in classes if isinstance(joined, list) for label in joined]
        if len(set(labels)) < len(labels) or not set(labels) <= set(range(CLASSES[data])):
            expected = f"the labels 0 to {CLASSES[data] - 1} of {data}, each at most once"
            yield _fault(f"mullick_experiment.problems.{key}.classes", classes, expected)


def _list_faults(config: Mapping[str, Any]) -> Iterator[str]:
    k, items = (_get(config, f"survey.{key}") for key in ("k", "items"))
    if isinstance(k, int) and isinstance(items, int) and k > items:
        yield _fault("survey.k", k, f"at most survey.items = {items}")


def _metric_faults(config: Mapping[str, Any]) -> Iterator[str]:
    metrics, known = config.get("metrics"), [*REGISTRY, *_own_keys(config)]
    for index, key in enumerate(metrics if isinstance(metrics, list) else []):
        if key not in known:
            expected = "the key of a registered metric" + nearest(str(key), known)
            yield _fault(f"metrics[{index}]", key, expected)
    yield from _repetitions("metrics", metrics)


def _get(config: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key, or None."""
    value: Any = config
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def _repetitions(key: str, values: object) -> Iterator[str]:
    if not isinstance(values, list):
        return
    for index, value in enumerate(values):
        if value in values[:index]:
            first = values.index(value)
            yield _fault(f"{key}[{index}]", value, f"an entry only once; {key}[{first}] has it")
