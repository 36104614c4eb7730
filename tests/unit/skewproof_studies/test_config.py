import math
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from fuzz.configs import check, mutant, shared_lists
from skewproof_studies.config import ConfigError, check_config, config_schema, read_config
from skewproof_studies.van_zyl.config import drawn_metrics

PROJECT = Path(__file__).parents[3]
TEXT = (PROJECT / "config/paper.yaml").read_text(encoding="utf-8")
CONFIG = yaml.safe_load(TEXT)


def faults(**changes):
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
    with pytest.raises(ConfigError) as caught:
        check_config(config)
    return [line.strip() for line in str(caught.value).splitlines()[1:]]


def test_the_papers_config_is_fine():
    assert read_config(TEXT) == CONFIG
    assert check_config(CONFIG) == CONFIG


def test_defaults_of_the_schema_are_those_of_the_config():
    def compare(schema, value, path):
        for key, part in schema.get("properties", {}).items():
            if "default" in part:
                assert part["default"] == value[key], f"{path}{key}"
            compare(part, value[key], f"{path}{key}.")

    compare(config_schema(), CONFIG, "")


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"sed": 2}, "sed: unknown key; expected one of levels, baseline, positives, seed, figures, metrics, extra_metrics,"
         " sobol, sweep, convergence, significance, statistics, contours, robustness, real_world, burduk, mullick, mullick_experiment, survey, tharwat, classifiers, atlas, choices; did you mean 'seed'?"),
        ({"metrics": ["f1", "acuracy"]}, 'metrics[1] = "acuracy": expected the key of a registered'
         " metric; did you mean 'accuracy'?"),
        ({"metrics": ["f1", 3]}, "metrics[1] = 3: expected the key of a registered metric"),
        ({"metrics": ["f1", "mcc", "f1"]}, 'metrics[2] = "f1": expected each entry only once;'
         " metrics[0] is the same"),
        ({"statistics__replicates": 1}, "statistics.replicates = 1: expected a whole number of at"
         " least 2 and of at most 10000"),
        ({"statistics__smallest_difference": 0}, "statistics.smallest_difference = 0: expected a"
         " number above 0 and below 1"),
        ({"statistics__scrambles": ...}, "statistics.scrambles: missing; expected a whole number of"
         " at least 1 and of at most 10000"),
        ({"robustness__undefined": ["drop"]}, 'robustness.undefined[0] = "drop": expected omit or a'
         " number of at least 0 and of at most 1"),
        ({"robustness__positives": []}, "robustness.positives = []: expected a list of at least 1"
         " different entry and at most 100"),
        ({"metrics": []}, "metrics = []: expected one of paper, all or a list of at least 1 entry and at most 5000"),
        ({"mullick_experiment__problems__iris_2_1__classes": [[2], [3]]},
         "mullick_experiment.problems.iris_2_1.classes = [[2], [3]]: expected the labels 0 to 2 of iris,"
         " each at most once"),
        ({"mullick_experiment__problems__iris_2_1__classes": [[2], [1, 2]]},
         "mullick_experiment.problems.iris_2_1.classes = [[2], [1, 2]]: expected the labels 0 to 2 of"
         " iris, each at most once"),
        ({"mullick__ratios": [10, 2]}, "mullick.ratios = [10, 2]: expected numbers in ascending order"),
        ({"survey__items": 5}, "survey.k = 10: expected at most survey.items = 5"),
        ({"burduk__negatives": [10, 2000]}, "burduk.negatives[1] = 2000: expected at most burduk.positives"
         " = 1000, the size of the majority class"),
        ({"levels": ["1:1", "1:0"]}, "levels[1] = '1:0': expected a quoted \"P:N\" of two positive"
         ' whole numbers, such as "1:50"'),
        ({"levels": ["1:1", "2:4"]}, "levels[1] = '2:4': expected lowest terms, \"1:2\""),
        ({"levels": ["1:1", "1:2", "1:1"]}, 'levels[2] = "1:1": expected each entry only once;'
         " levels[0] is the same"),
        ({"baseline": "1:3"}, 'baseline = "1:3": expected one of the levels 1:1, 1:2, 1:10, 1:100,'
         " 1:1000"),
        ({"sobol__log2_samples": 21, "sobol__estimator": "salib"}, "sobol.log2_samples = 21: expected"
         " at most 20 with sobol.estimator = salib"),
        ({"sobol__shards": 32}, "sobol.shards = 32: expected at most 16 with sobol.log2_samples ="
         " 16"),
        ({"sobol__shards": 2, "sobol__undefined": "omit"}, "sobol.shards = 2: expected 1 with"
         " sobol.undefined = omit, which needs all base points in one job"),
        ({"sobol__shards": 2, "sobol__estimator": "salib"}, "sobol.shards = 2: expected 1 with"
         " sobol.estimator = salib"),
        ({"sweep__from": "1:0"}, "sweep.from = '1:0': expected a quoted \"P:N\" of two positive whole"
         ' numbers, such as "1:50"'),
        ({"convergence__levels": ["2:2"]}, "convergence.levels[0] = '2:2': expected lowest terms,"
         ' "1:1"'),
        ({"sweep__to": "10000:1"}, 'sweep.to = "10000:1": expected a level with more negatives for'
         " each positive than sweep.from = 1000:1"),
        ({"convergence__levels": ["1:1", "1:1"]}, 'convergence.levels[1] = "1:1": expected each entry'
         " only once; convergence.levels[0] is the same"),
        ({"convergence__log2_samples": [9, 6]}, "convergence.log2_samples = [9, 6]: expected the"
         " smaller number first"),
        ({"figures__metrics": "f1"}, 'figures.metrics = "f1": expected all or a list of at most 5000'
         " entries"),
        ({"figures__metrics": ["mcc", "markednes"]}, 'figures.metrics[1] = "markednes": expected the key'
         " of one of the study's metrics; did you mean 'markedness'?"),
        ({"figures__metrics": [["mcc"]]}, 'figures.metrics[0] = ["mcc"]: expected the key of one of the'
         " study's metrics"),
        ({"figures__metrics": ["mcc", "mcc"]}, 'figures.metrics[1] = "mcc": expected each entry only once;'
         " figures.metrics[0] is the same"),
        ({"extra_metrics": 3}, "extra_metrics = 3: expected formulas or functions by key"),
        ({"real_world__datasets": {}}, "real_world.datasets = {}: expected at least one data set by key"),
        ({"real_world__datasets__D1": 3}, "real_world.datasets.D1 = 3: expected the keys of a file or of"
         " an undersampled data set"),
        ({"real_world__datasets__D1__git_blob": "143e"}, 'real_world.datasets.D1.git_blob = "143e":'
         " expected 40 digits from 0 to 9 and a to f, in quotes"),
        ({"real_world__datasets__D1__file": "../13_fraud.npz"}, "real_world.datasets.D1.file ="
         ' "../13_fraud.npz": expected a file name without a folder'),
        ({"real_world__datasets__D1__url": "ftp://host/file"}, "real_world.datasets.D1.url ="
         ' "ftp://host/file": expected an address that starts with https://, or, with real_world.insecure_urls, with http://'),
        ({"real_world__datasets__1D": {"name": "one", "undersampled": "D5"}}, 'real_world.datasets = "1D":'
         " expected a key of letters, digits and underscores that starts with a letter"),
        ({"real_world__datasets__D6__undersampled": "D55"}, "real_world.datasets.D6.undersampled ="
         ' "D55": expected the key of a data set that has a file; did you mean \'D5\'?'),
        ({"mullick_experiment__problems": {}}, "mullick_experiment.problems = {}: expected at least one"
         " problem by key"),
        ({"sobol": 16}, "sobol = 16: expected the keys log2_samples, resamples, confidence,"
         " undefined, estimator, shards"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_fault(changes, fault):
    """A case of each kind; test_config_keys has every key beside every kind of wrong value."""
    assert fault in faults(**changes)


def test_figures_of_all_metrics_where_nothing_is_said_of_them():
    config = CONFIG | {"figures": {"formats": ["png"]}, "metrics": ["mcc", "f1"]}
    assert drawn_metrics(check_config(config)) == ["mcc", "f1"]


def test_figures_of_some_metrics_and_of_ones_own():
    changes = {"extra_metrics": {"own": "tp/P"}, "metrics": ["mcc", "f1"]}
    figures = {"formats": ["png"], "metrics": ["own_i", "f1"]}
    assert drawn_metrics(check_config(CONFIG | changes | {"figures": figures})) == ["f1", "own_i"]


def test_shards_are_one_where_nothing_is_said_of_them():
    config = deepcopy(CONFIG)
    del config["sobol"]["shards"]
    assert check_config(config) == config


@pytest.mark.parametrize(("value", "text"), [(True, "true"), ("2", '"2"')])
def test_a_fault_is_told_once_that_a_schema_tells_twice(value, text):
    """A value is refused by its type, and by the list of values."""
    expected = f"sobol.shards = {text}: expected one of 1, 2, 4, 8, 16, 32, 64"
    assert faults(sobol__shards=value) == [expected]


@pytest.mark.parametrize("changes", [{"shards": 16}, {"log2_samples": 24, "shards": 64.0}])
def test_as_many_shards_as_chunks(changes):
    checked = check_config(CONFIG | {"sobol": CONFIG["sobol"] | changes})
    assert checked["sobol"]["shards"] == changes["shards"]


def test_every_fault_is_listed_at_once():
    found = faults(seed=-1, metrics=["acuracy"], levels=["1:0", "1:1"])
    assert [fault.split(" ")[0] for fault in found] == ["seed", "levels[0]", "metrics[0]"]


@pytest.mark.parametrize(
    "key",
    [
        "significance__alpha",
        "sobol__confidence",
        "sobol__undefined",
        "contours__undefined",
        "statistics__smallest_difference",
        "real_world__logistic_regression__C",
        "tharwat__separation",
        "seed",
    ],
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.slow
def test_what_is_no_finite_number_is_in_no_bounds(key, value):
    (found,) = faults(**{key: value})
    written = {math.nan: "NaN", math.inf: "Infinity", -math.inf: "-Infinity"}[value]
    assert found.startswith(f"{key.replace('__', '.')} = {written}: expected ")


@pytest.mark.parametrize("ratios", [[2, math.nan], [math.nan], [math.inf]])
def test_ratios_that_are_no_finite_numbers(ratios):
    assert any("mullick.ratios[" in one for one in faults(mullick__ratios=ratios))


def test_whole_numbers_written_as_decimals_are_whole_numbers():
    config = deepcopy(CONFIG)
    config["seed"] = 1.0
    config["sobol"]["log2_samples"] = 10.0
    config["convergence"]["log2_samples"] = [6.0, 18]
    config["mullick_experiment"]["problems"]["iris_2_1"]["classes"] = [[2.0], [1]]
    config["real_world"]["logistic_regression"]["C"] = 1.0
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


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"levels": None}, "levels = null: expected a list of at least 2 entries and at most 1000"),
        ({"levels": ["1:1", None]}, 'levels[1] = None: expected a quoted "P:N" of two positive whole numbers, such as "1:50"'),
        ({"baseline": None}, 'baseline = None: expected a quoted "P:N" of two positive whole numbers, such as "1:50"'),
        ({"sweep__from": None}, 'sweep.from = None: expected a quoted "P:N" of two positive whole numbers, such as "1:50"'),
        ({"sweep__to": None}, 'sweep.to = None: expected a quoted "P:N" of two positive whole numbers, such as "1:50"'),
        ({"convergence__levels": None}, "convergence.levels = null: expected a list of at least 1 entry and at most 100"),
        ({"levels": ["1:1", "1:99999999999999999999"]}, "levels[1] = '1:99999999999999999999': expected numbers of at most 1000000000"),
        ({"levels": ["1:1", "1:" + "9" * 5000]}, "levels[1] = '1:" + "9" * 77 + "... (5004 characters): expected numbers of at most 1000000000"),
        ({"levels": ["1:1", "1:2\n"]}, "levels[1] = '1:2\\n': expected a quoted \"P:N\" of two positive whole numbers, such as \"1:50\""),
        ({"levels": ["1:1", "1:1000001"]}, 'levels[1] = "1:1000001": expected 1 to 100000000 negatives for positives = 100, here 100000100'),
        ({"levels": ["1:1", "1000:1"]}, 'levels[1] = "1000:1": expected 1 to 100000000 negatives for positives = 100, here 0'),
        ({"seed": 10**400}, "seed: a number with hundreds of digits; expected fewer"),
        ({"seed": 10**5000}, "seed: a number with hundreds of digits; expected fewer"),
        ({"real_world__datasets": {5: {}}}, "real_world.datasets: key 5: expected text of at most 100 characters, quoted if needed"),
        ({"extra_metrics": {5: "tp/fp"}}, "extra_metrics: key 5: expected text of at most 100 characters, quoted if needed"),
        ({"extra_metrics": {"x": "t" * 100_000}}, 'extra_metrics.x = "' + "t" * 79 + '... (100002 characters): expected text of at most 10000 characters'),
        ({"mullick_experiment__problems__iris_2_1__classes": [[[1]], [2]]}, "mullick_experiment.problems.iris_2_1.classes[0][0] = [1]: expected a whole number of at least 0 and of at most 9"),
        ({"mullick_experiment__problems__iris_2_1__data": ["iris"]}, 'mullick_experiment.problems.iris_2_1.data = ["iris"]: expected one of breast_cancer, digits, iris, wine'),
        ({"real_world__datasets__D6__undersampled": None}, "real_world.datasets.D6.undersampled = null: expected the key of a data set that has a file"),
        ({"real_world__datasets__D5": 3}, 'real_world.datasets.D6.undersampled = "D5": expected the key of a data set that has a file'),
        ({"real_world__datasets__D1__file": ".."}, 'real_world.datasets.D1.file = "..": expected a file name without a folder'),
        ({"real_world__datasets__D1__file": "."}, 'real_world.datasets.D1.file = ".": expected a file name without a folder'),
        ({"real_world__datasets__D1__sha256": "0"}, 'real_world.datasets.D1.sha256 = "0": expected 64 digits from 0 to 9 and a to f, in quotes'),
        ({"real_world__insecure_urls": 1}, "real_world.insecure_urls = 1: expected true or false: whether"),
        ({"a\tb": 1}, "a\\tb: unknown key"),
        ({"positives": -1}, "positives = -1: expected a whole number of at least 1 and of at most 1000000000"),
        ({"positives": True}, "positives = true: expected a whole number of at least 1 and of at most 1000000000"),
        ({"positives": False}, "positives = false: expected a whole number of at least 1 and of at most 1000000000"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_what_was_accepted_once_and_then_a_traceback(changes, expected):
    """Every failure that tests/fuzz/configs.py has found stays here."""
    assert any(found.startswith(expected) for found in faults(**changes))


def test_a_list_that_contains_itself():
    endless = ["1:1"]
    endless.append(endless)
    (found,) = faults(levels=endless)
    assert found.startswith("levels[1]")
    assert found.endswith("expected at most 10 nested lists or mappings")


@pytest.mark.slow
def test_aliases_are_counted_before_they_are_followed():
    with pytest.raises(ConfigError, match=r"keys and values: expected at most 20000"):
        read_config(TEXT.replace('levels: ["1:1"', 'levels_: ["1:1"') + shared_lists(7))
    shared = ["1:1"]
    for _ in range(7):
        shared = [shared] * 9
    (found,) = faults(levels=shared)
    assert found.startswith("configuration: more than 10000 values")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("seed: 1\nlevels: []\nseed: 2\n", "line 3: key 'seed' is already on line 1"),
        ("sobol: {resamples: 1, resamples: 2}", "line 1: key 'resamples' is already on line 1"),
        ('{"seed": 1, "seed": 2}', "key 'seed' occurs twice in a mapping"),
        ("a: &a [*a]", "line 1: a value that contains itself: expected plain values"),
        ("[1, 2]: 3", "line 1: a list or mapping as a key: expected text"),
        (
            "seed: !!python/name:os.system x",
            "line 1: 'x' is tagged !!python/name:os.system: expected a plain value",
        ),
        ("seed: !own [1]", "line 1: a list is tagged !own: expected a plain value"),
        (
            "seed: 2001-13-01",
            "line 1: '2001-13-01' is read as !!timestamp: expected a date, such as",
        ),
        ('seed: !!int ""', "line 1: '' is read as !!int: expected a whole number"),
        ("x: 1\nseed: !!int abc", "line 2: 'abc' is read as !!int: expected a whole number"),
        ("seed: !!int [1]", "line 1: a list is read as !!int: expected a whole number"),
        ('!!int "": 1', "line 1: '' is read as !!int: expected a whole number"),
        (
            "seed: !!timestamp 2001",
            "line 1: '2001' is read as !!timestamp: expected a date, such as",
        ),
        (
            "seed: !!timestamp {=: 2001}",
            "line 1: a mapping is read as !!timestamp: expected a date",
        ),
        ('seed: !!float ""', "line 1: '' is read as !!float: expected a number"),
        ("seed: !!bool x", "line 1: 'x' is read as !!bool: expected true or false"),
        ("seed: !!binary é", "line 1: 'é' is read as !!binary: expected text in base64"),
        ("seed: !!str [1]", "line 1: a list is read as !!str: expected text"),
        ("seed: [1", "line 1: "),
        ("a: " + "[" * 5000, "lists or mappings nested too deeply"),
        ("# " + "x" * 200_000, "more than 200000 characters: expected fewer"),
        ("__use_yte__: [", "line 1: "),
        (
            "positives: 010",
            "line 1: '010' is a number in base 8: expected \"010\" for text, or 10 for",
        ),
        ("positives: -0_17", "'-0_17' is a number in base 8: expected \"-0_17\" for text, or 17"),
        (
            "a: 1\npositives: 1:30",
            "line 2: '1:30' is a number in base 60: expected \"1:30\" for text",
        ),
        ("levels: [1:10]", "line 1: '1:10' is a number in base 60: expected \"1:10\" for text"),
        ("positives: 1:30.5", "line 1: '1:30.5' is a number in base 60"),
        ("010: 1", "line 1: '010' is a number in base 8"),
        ("seed: 1\x00", "special characters are not allowed"),
        ("just text", "expected a mapping of keys to values"),
    ],
)
@pytest.mark.slow
def test_texts_that_are_refused(text, message):
    with pytest.raises(ConfigError) as caught:
        read_config(text)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("10", 10), ("0", 0), ("-0", 0), ("0.5", 0.5), ("00.5", 0.5), ("0x1F", 31), ("1_000", 1000)],
)
def test_numbers_that_are_read_as_they_are_written(text, value):
    assert read_config(f"positives: {text}") == {"positives": value}


@pytest.mark.parametrize("sign", ["\\0", "\\uD800", "\\x1b", "\\x7f"])
def test_characters_that_no_file_can_have_are_refused_with_the_key(sign):
    for text, place in (
        (
            f'real_world: {{datasets: {{D1: {{name: "x{sign}"}}}}}}',
            "real_world.datasets.D1.name = ",
        ),
        (f'real_world: {{datasets: {{"D{sign}": 1}}}}', "real_world.datasets: key 'D"),
    ):
        with pytest.raises(ConfigError) as caught:
            read_config(text)
        assert place in str(caught.value)
        str(caught.value).encode()


def test_a_name_may_have_letters_of_any_language_and_line_breaks():
    (name,) = read_config('name: "Größe\\n\\t中 \\U0001F600"').values()
    assert name == "Größe\n\t中 😀"


def test_many_faults_are_counted_in_a_short_message():
    with pytest.raises(ConfigError) as caught:
        check_config(CONFIG | {"levels": ["é" * 70] * 40})
    *first, last = str(caught.value).splitlines()
    assert len(str(caught.value).encode()) <= 2000
    faulty, repeated, baseline, heading = 40, 39, 1, 1
    assert last == f"  and {faulty + repeated + baseline - (len(first) - heading)} more"


@pytest.mark.slow
def test_a_sample_of_broken_configs():
    for number in range(300):
        assert check(mutant(1, number)) in ("accepted", "refused"), f"number {number}"
