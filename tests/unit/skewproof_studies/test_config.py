"""A configuration is accepted, or refused in a sentence for each fault.

A table has the sentences; every key of the schema is tried beside every kind of wrong value, so
that a new key is tested without an edit here; and some of the mutants of tests/fuzz/configs.py.
"""

import datetime
import math
from copy import deepcopy
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from fuzz.configs import BYTES, TEXT, check, mutant, shared_lists
from skewproof.core.messages import shown
from skewproof.metrics import METRICS
from skewproof_studies.config import (
    ConfigError,
    check_config,
    config_schema,
    refuse_duplicate_keys,
)
from skewproof_studies.van_zyl.config import drawn_metrics
from skewproof_studies.van_zyl.paper import PAPER_METRICS
from written import check_written

CONFIG = yaml.safe_load(TEXT)


def changed(changes):
    """Copy the config with other values, by keys such as sobol__resamples; ... removes a key."""
    config = deepcopy(CONFIG)
    for key, value in changes.items():
        *parents, last = key.split("__")
        place = config
        for parent in parents:
            place = place[parent]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return config


def refusal(config):
    """List the faults for which a config is refused, in a short message, or none."""
    message = "the configuration can't be used:"
    try:
        check_config(config)
    except ConfigError as error:
        message = str(error)
    heading, *lines = message.splitlines()
    assert heading == "the configuration can't be used:"
    assert len(message.encode()) <= BYTES
    return [line.strip() for line in lines]


def faults(**changes):
    return refusal(changed(changes))


def test_the_papers_config_has_the_schema_s_defaults_and_is_fine():
    assert check_config(CONFIG) == CONFIG
    Draft202012Validator.check_schema(config_schema())

    def compare(schema, value, path):
        for key, part in schema.get("properties", {}).items():
            if "default" in part:
                assert part["default"] == value[key], f"{path}{key}"
            compare(part, value[key], f"{path}{key}.")

    compare(config_schema(), CONFIG, "")


BOX = {"distribution": "box", "tpr": [0.5, 1], "fpr": [0, 0.1]}
CHANGES = [
    {"sed": 2},
    {"metrics": ["f1", "acuracy"]},
    {"metrics": ["f1", 3]},
    {"metrics": ["f1", "mcc", "f1"]},
    {"statistics__replicates": 1},
    {"statistics__smallest_difference": 0},
    {"statistics__scrambles": ...},
    {"robustness__undefined": ["drop"]},
    {"robustness__undefined": [0, "omit", 0.0]},
    {"robustness__positives": []},
    {"metrics": []},
    {"mullick_experiment__problems__iris_2_1__classes": [[2], [3]]},
    {"mullick_experiment__problems__iris_2_1__classes": [[2], [1, 2]]},
    {"mullick__ratios": [10, 2]},
    {"survey__items": 5},
    {"burduk__negatives": [10, 2000]},
    {"levels": 3},
    {"levels": ["1:1", None]},
    {"levels": ["1:1", "1:0"]},
    {"levels": ["1:1", "2:4"]},
    {"levels": ["1:1", "1:2", "1:1"]},
    {"levels": ["1:1", "1:1000001"]},
    {"levels": ["1:1", "1000:1"]},
    {"baseline": "1:3"},
    {"baseline": ...},
    {"sobol__log2_samples": 21, "sobol__half_widths": "salib", "sobol__resamples": 2},
    {"sobol__log2_samples": 14, "sobol__half_widths": "salib", "sobol__resamples": 10_000},
    {"sobol__half_widths": "batched"},
    {"sobol__keep_samples": "yes"},
    {"sobol__shards": 2},
    {"sobol": 16},
    {"sweep__from": "1:0"},
    {"sweep__to": "10000:1"},
    {"convergence__levels": ["2:2"]},
    {"convergence__log2_samples": [9, 6]},
    {"convergence__log2_samples": [9]},
    {"figures__metrics": "f1"},
    {"figures__metrics": ["mcc", "markednes"]},
    {"figures__metrics": [["mcc"]]},
    {"figures__metrics": ["mcc", "mcc"]},
    {"extra_metrics": 3},
    {"atlas__measures": ["f1", "acuracy"]},
    {"atlas__orderings": ["2:2"]},
    {"atlas__map": ["1:1", 3]},
    {"atlas__label_errors__levels": ["1:1", "1:1"]},
    {"choices__measures": ["f1", "f1"]},
    {"choices__measures": []},
    {"choices__curves": {}},
    {"choices__curves__d1": {"d": 1, "b": 1, "c": 1}},
    {"choices__curves__d1": {"d": -1, "b": 1}},
    {"choices__curves__D 1": {"d": 1, "b": 1}},
    {"real_world__datasets": {}},
    {"real_world__datasets__D1": 3},
    {"real_world__datasets__D1__git_blob": "143e"},
    *({"real_world__datasets__D1__file": file} for file in ("../13_fraud.npz", "..", ".")),
    {"real_world__datasets__D1__url": "ftp://host/file"},
    {"real_world__datasets__1D": {"name": "one", "undersampled": "D5"}},
    {"real_world__datasets__D6__undersampled": "D55"},
    {"real_world__datasets__D6__undersampled": None},
    {"mullick_experiment__problems": {}},
    {"mullick_experiment__problems__iris_2_1__data": ["iris"]},
    {"positives": True},
    {"a\tb": 1},
    {"levels": ["1:1", "1:99999999999999999999"]},
    {"levels": ["1:1", "1:" + "9" * 5000]},
    {"levels": ["1:1", "1:2\n"]},
    {"real_world__datasets": {5: {}}},
    {"extra_metrics": {5: "tp/fp"}},
    {"extra_metrics": {"x": "t" * 100_000}},
    {"mullick_experiment__problems__iris_2_1__classes": [[[1]], [2]]},
    {"real_world__datasets__D1__sha256": "0"},
    {"mullick__ratios": [2, math.nan]},
    *({"real_world__datasets__D1__name": f"x{sign}"} for sign in "\0\ud800\x1b\x7f"),
    {"real_world__datasets": {"D\ud800": 1}},
    {"seed": -1, "sobol__resamples": ..., "levels": ["1:0", "1:1", "1:1"]},
    {"survey__items": 5, "metrics": ["acuracy", "f"], "baseline": "1:3"},
    {"sobol__log2_samples": ..., "sobol__resamples": ...},
    {"classifiers": ["box"]},
    *({"classifiers": {name: BOX}} for name in ("My own", "uniform")),
    *(
        {"classifiers": {"mine": described}}
        for described in (
            *(3, {}, BOX | {"distribution": "boxs"}, {"distribution": "box", "tpr": [0, 1]}),
            *(BOX | {"auc": [0, 1]}, BOX | {"tpr": [1, 0.5]}, BOX | {"tpr": [0, math.inf]}),
            {"distribution": "beta", "tpr": [8, 2], "fpr": ["1", 9]},
            {"distribution": "measured", "file": 3},
        )
    ),
]
"""A change of each kind, and those that tests/fuzz/configs.py has found."""


def test_faults():
    lines = [f"{shown(changes)}\n    {'; '.join(faults(**changes))}" for changes in CHANGES]
    check_written(Path(__file__).with_name("faults.txt"), faults="\n".join(lines) + "\n")


def test_metrics_of_the_figures():
    chosen = CONFIG | {"metrics": ["mcc", "f1"], "figures": {"formats": ["png"]}}
    assert drawn_metrics(check_config(chosen)) == ["mcc", "f1"]
    own = {"extra_metrics": {"own": "tp/P"}, "figures": {"metrics": ["own_i", "f1"]}}
    own["figures"]["formats"] = ["png"]
    assert drawn_metrics(check_config(chosen | own)) == ["f1", "own_i"]
    every = drawn_metrics(check_config(chosen | {"metrics": "all"}))
    assert every[:24] == list(PAPER_METRICS)
    assert sorted(every) == sorted(METRICS)


def test_whole_numbers_written_as_decimals_are_whole_numbers():
    config = changed(
        {
            "seed": 1.0,
            "sobol__log2_samples": 10.0,
            "convergence__log2_samples": [6.0, 18],
            "mullick_experiment__problems__iris_2_1__classes": [[2.0], [1]],
            "real_world__logistic_regression__C": 1.0,
        }
    )
    checked = check_config(config)
    whole = [
        checked["seed"],
        checked["sobol"]["log2_samples"],
        *checked["convergence"]["log2_samples"],
        *checked["mullick_experiment"]["problems"]["iris_2_1"]["classes"][0],
    ]
    assert whole == [1, 10, 6, 18, 2]
    assert {type(number) for number in whole} == {int}
    assert isinstance(checked["real_world"]["logistic_regression"]["C"], float)


def endless():
    levels = ["1:1"]
    levels.append(levels)
    return levels


def nested(depth, width=1):
    value = ["1:1"]
    for _ in range(depth):
        value = [value] * width
    return value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("levels", endless()),
        ("levels", nested(10_000)),
        ("levels", nested(9, width=9)),
        ("levels", ["1:1"] * 10_000),
        ("levels", ["x" * 100_000] * 3),
        ("seed", 10**300),
        ("seed", 10**5000),
        ("extra_metrics", {10**5000: "tp"}),
    ],
    ids=["endless", "deep", "wide", "long", "text", "digits", "unprintable", "key"],
)
def test_a_value_that_is_too_large_to_check(key, value):
    (line,) = faults(**{key: value})
    assert line.startswith(f"{key}: too large; expected at most 10 nested lists or mappings, ")


def test_values_that_are_just_small_enough():
    assert all("too large" not in line for line in faults(levels=nested(9), seed=10**300 - 1))


@pytest.mark.parametrize(
    "changes",
    [
        {"sobol__half_widths": "salib", "sobol__keep_samples": True},
        {"real_world__datasets__D1__name": "Größe\n\t中 😀"},
    ],
    ids=["salib with the paper's size", "letters of any language and line breaks"],
)
def test_accepted(changes):
    config = changed(changes)
    assert check_config(config) == config


def test_many_faults_are_counted_in_a_short_message():
    lines = faults(levels=["é" * 70] * 40)
    no_levels, repeated = 40, 39
    assert lines[-1] == f"and {no_levels + repeated - len(lines[:-1])} more"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nlevels: []\nseed: 2\n", "line 3: key 'seed' is already on line 1: expected"),
        ("x: [{sobol: {resamples: 1, resamples: 2}}]", "line 1: key 'resamples' is already on"),
        ('{"seed": 1,\n "seed": 2}', "line 2: key 'seed' is already on line 1: expected each key"),
        ("seed: [1", ": expected YAML: "),
    ],
)
def test_files_that_are_refused(tmp_path, text, message):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        refuse_duplicate_keys(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "base: &base {x: 1, y: 2}\nmine: {<<: *base, x: 3}\n",
        "1: one\n'1': text\n",
        "[1, 2]: 3\n",
        "a: &a [*a]",
        shared_lists(9),
        "",
        TEXT,
    ],
    ids=["merged", "types", "list", "endless", "aliases", "empty", "the paper's"],
)
def test_files_without_duplicate_keys(tmp_path, text):
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    refuse_duplicate_keys(path)


WRONG = {
    "negative": [-1],
    "zero": [0, -0.0],
    "fraction": [0.5],
    "truth": [True, False],
    "not finite": [math.nan, math.inf, -math.inf],
    "large": [1e300, 10**19],
    "hundreds of digits": [10**400],
    "text": ["", "text", "1", "é" * 9000, "text\x00\n\u202e"],
    "null": [None],
    "list": [[], [1]],
    "list of what is no entry": [[None], [math.nan], [[1]]],
    "mapping": [{}, {"text": 1}],
    "no JSON": [
        datetime.date(2026, 5, 1),
        datetime.datetime(2026, 5, 1, 12, tzinfo=datetime.UTC),
        b"text",
        {"text"},
    ],
}
"""Values that YAML can contain, by their kind; each key is tried beside one of each, in turn."""

NEVER = ("not finite", "hundreds of digits", "no JSON")
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
    datasets = CONFIG["real_world"]["datasets"]
    config = one_of_each_kind(CONFIG) | {"extra_metrics": {"own": "tp/P"}}
    wholes = [one.get("undersampled") for one in config["real_world"]["datasets"].values()]
    config["real_world"]["datasets"] |= {whole: datasets[whole] for whole in wholes if whole}
    return config


SMALL = small_config()


def keys_of(schema, value, path=()):
    """List paths of keys and of first entries of lists, with the part of the schema for each."""
    if path:
        yield path, schema
    if isinstance(value, dict):
        for key, part in value.items():
            yield from keys_of(part_of(schema, value, key), part, (*path, key))
    elif isinstance(value, list) and value:
        yield from keys_of(schema.get("items", {}), value[0], (*path, 0))


KEYS = dict(keys_of(config_schema(), SMALL))


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


def test_the_keys_are_all_of_the_schema():
    """Keys of mappings by name are found, too; an empty list in the config would hide its keys."""

    def declared(schema, path=()):
        for key, part in schema.get("properties", {}).items():
            yield (*path, key)
            yield from declared(part, (*path, key))

    assert check_config(SMALL)
    assert set(declared(config_schema())) - set(KEYS) == set()
    lists = [path for path, schema in KEYS.items() if schema.get("type") == "array"]
    assert [path for path in lists if (*path, 0) not in KEYS] == []


def names(fault, path):
    """Return whether a line names the key, or the list that has it as an entry."""
    if ": too large; " in fault:
        return fault.startswith(path[0])
    keys = [path, path[:-1]] if isinstance(path[-1], int) else [path]
    return any(fault.startswith(name_of(key)) for key in keys)


@pytest.mark.parametrize("path", KEYS, ids=name_of)
@pytest.mark.slow
def test_a_key_beside_every_kind_of_wrong_value(path):
    turn = list(KEYS).index(path)
    for kind, values in WRONG.items():
        value = values[turn % len(values)]
        broken = with_value(SMALL, path, value)
        lines = refusal(broken)
        if lines:
            assert all("expected" in line or line.endswith(" more") for line in lines), kind
            assert any(names(line, path) for line in lines), (kind, lines)
        else:
            assert kind not in NEVER
            assert Draft202012Validator(config_schema()).is_valid(broken), kind


@pytest.mark.slow
def test_a_sample_of_broken_configs():
    for number in range(100):
        outcome = check(mutant(1, number))
        assert outcome in ("accepted", "refused", "unreadable"), f"number {number}"
