from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from skewproof.config import ConfigError, check_config, config_schema

PROJECT = Path(__file__).parents[2]
CONFIG = yaml.safe_load((PROJECT / "config.yaml").read_text())


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
    check_config(CONFIG)


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
         " sobol, sweep, convergence, significance, statistics, contours, robustness, real_world, burduk, mullick, mullick_experiment, survey, tharwat; did you mean 'seed'?"),
        ({"sobol__log2_sample": 2}, "sobol.log2_sample: unknown key; expected one of log2_samples,"
         " resamples, confidence, undefined, estimator; did you mean 'log2_samples'?"),
        ({"metrics": ["f1", "acuracy"]}, 'metrics[1] = "acuracy": expected the key of a registered'
         " metric; did you mean 'accuracy'?"),
        ({"metrics": ["f1", 3]}, "metrics[1] = 3: expected the key of a registered metric"),
        ({"metrics": ["f1", "mcc", "f1"]}, 'metrics[2] = "f1": expected an entry only once;'
         " metrics[0] has it"),
        ({"statistics__replicates": 1}, "statistics.replicates = 1: expected a whole number of at"
         " least 2 and of at most 10000"),
        ({"statistics__smallest_difference": 0}, "statistics.smallest_difference = 0: expected a"
         " number above 0 and below 1"),
        ({"statistics__scrambles": ...}, "statistics.scrambles: missing; expected a whole number of"
         " at least 1 and of at most 10000"),
        ({"robustness__grids": [1]}, "robustness.grids[0] = 1: expected a whole number of at least 2"
         " and of at most 2000"),
        ({"robustness__undefined": ["drop"]}, 'robustness.undefined[0] = "drop": expected omit or a'
         " number of at least 0 and of at most 1"),
        ({"robustness__positives": []}, "robustness.positives = []: expected a list of at least 1"
         " different entry"),
        ({"metrics": []}, "metrics = []: expected one of paper, all or a list of at least 1 entry"),
        ({"metrics": "f1"}, 'metrics = "f1": expected one of paper, all or a list of at least 1 entry'),
        ({"mullick_experiment__problems__iris_2_1__classes": [[2], [3]]},
         "mullick_experiment.problems.iris_2_1.classes = [[2], [3]]: expected the labels 0 to 2 of iris,"
         " each at most once"),
        ({"mullick_experiment__problems__iris_2_1__classes": [[2], [1, 2]]},
         "mullick_experiment.problems.iris_2_1.classes = [[2], [1, 2]]: expected the labels 0 to 2 of"
         " iris, each at most once"),
        ({"mullick__ratios": [10, 2]}, "mullick.ratios = [10, 2]: expected rising numbers"),
        ({"mullick__classes": [1]}, "mullick.classes[0] = 1: expected a whole number of at least 2 and of"
         " at most 50"),
        ({"survey__k": 0}, "survey.k = 0: expected a whole number of at least 1 and of at most 100"),
        ({"survey__items": 5}, "survey.k = 10: expected at most survey.items = 5"),
        ({"burduk__negatives": [10, 2000]}, "burduk.negatives[1] = 2000: expected at most burduk.positives"
         " = 1000, the size of the majority class"),
        ({"tharwat__replicates": 1}, "tharwat.replicates = 1: expected a whole number of at least 2 and of"
         " at most 10000"),
        ({"tharwat__separation": -1}, "tharwat.separation = -1: expected a number of at least 0 and of at"
         " most 10"),
        ({"tharwat__folds": ...}, "tharwat.folds: missing; expected a whole number of at least 2 and of at"
         " most 50"),
        ({"levels": ["1:1", "1:0"]}, "levels[1] = '1:0': expected a quoted \"P:N\" of two positive"
         ' whole numbers, such as "1:50"'),
        ({"levels": ["1:1", "1:x"]}, "levels[1] = '1:x': expected a quoted \"P:N\" of two positive"
         ' whole numbers, such as "1:50"'),
        ({"levels": ["1:1", 70]}, 'levels[1] = 70: expected a quoted "P:N" of two positive whole'
         ' numbers, such as "1:50"'),
        ({"levels": ["1:1", "2:4"]}, "levels[1] = '2:4': expected lowest terms, \"1:2\""),
        ({"levels": ["1:1", "1:2", "1:1"]}, 'levels[2] = "1:1": expected an entry only once;'
         " levels[0] has it"),
        ({"levels": []}, "levels = []: expected a list of at least 2 entries"),
        ({"levels": ["1:1"]}, 'levels = ["1:1"]: expected a list of at least 2 entries'),
        ({"baseline": "1:3"}, 'baseline = "1:3": expected one of the levels 1:1, 1:2, 1:10, 1:100,'
         " 1:1000"),
        ({"baseline": ...}, 'baseline: missing; expected one of the levels, with which the others'
         " are compared"),
        ({"seed": -1}, "seed = -1: expected a whole number of at least 0"),
        ({"seed": None}, "seed = null: expected a whole number of at least 0"),
        ({"positives": 0}, "positives = 0: expected a whole number of at least 1 and of at most"
         " 1000000000"),
        ({"sobol__log2_samples": 3}, "sobol.log2_samples = 3: expected a whole number of at least 4"
         " and of at most 20"),
        ({"sobol__log2_samples": 21}, "sobol.log2_samples = 21: expected a whole number of at least"
         " 4 and of at most 20"),
        ({"sobol__resamples": 1}, "sobol.resamples = 1: expected a whole number of at least 2 and of"
         " at most 10000"),
        ({"sobol__resamples": 10001}, "sobol.resamples = 10001: expected a whole number of at least"
         " 2 and of at most 10000"),
        ({"sobol__resamples": "many"}, 'sobol.resamples = "many": expected a whole number of at'
         " least 2 and of at most 10000"),
        ({"sobol__confidence": 1}, "sobol.confidence = 1: expected a number above 0 and below 1"),
        ({"significance__alpha": 0}, "significance.alpha = 0: expected a number above 0 and below 1"),
        ({"contours__grid": 1}, "contours.grid = 1: expected a whole number of at least 2 and of at"
         " most 2000"),
        ({"contours__undefined": "skip"}, 'contours.undefined = "skip": expected omit or a number of'
         " at least 0 and of at most 1"),
        ({"sobol__undefined": "skip"}, 'sobol.undefined = "skip": expected one of error, omit or a'
         " number of at least 0 and of at most 1"),
        ({"sobol__estimator": "numpy"}, 'sobol.estimator = "numpy": expected one of batched, salib'),
        ({"sweep__from": "1:0"}, "sweep.from = '1:0': expected a quoted \"P:N\" of two positive whole"
         ' numbers, such as "1:50"'),
        ({"sweep__to": "10000:1"}, 'sweep.to = "10000:1": expected a level with more negatives for'
         " each positive than sweep.from = 1000:1"),
        ({"sweep__points_per_decade": 0}, "sweep.points_per_decade = 0: expected a whole number of at"
         " least 1 and of at most 100"),
        ({"convergence__levels": ["2:2"]}, "convergence.levels[0] = '2:2': expected lowest terms,"
         ' "1:1"'),
        ({"convergence__levels": ["1:1", "1:1"]}, 'convergence.levels[1] = "1:1": expected an entry'
         " only once; convergence.levels[0] has it"),
        ({"convergence__log2_samples": [6]}, "convergence.log2_samples = [6]: expected a list of 2"
         " entries"),
        ({"convergence__log2_samples": [9, 6]}, "convergence.log2_samples = [9, 6]: expected the"
         " smaller number first"),
        ({"convergence__log2_samples": [6, 21]}, "convergence.log2_samples[1] = 21: expected a whole"
         " number of at least 4 and of at most 20"),
        ({"figures__formats": ["png", "gif"]}, 'figures.formats[1] = "gif": expected one of png, pdf,'
         " svg"),
        ({"figures__formats": []}, "figures.formats = []: expected a list of at least 1 different"
         " entry"),
        ({"extra_metrics": 3}, "extra_metrics = 3: expected formulas or functions by key"),
        ({"real_world__folds": 1}, "real_world.folds = 1: expected a whole number of at least 2 and of at"
         " most 100"),
        ({"real_world__logistic_regression__C": 0}, "real_world.logistic_regression.C = 0: expected a"
         " number above 0 and of at most 1000000000"),
        ({"real_world__datasets": {}}, "real_world.datasets = {}: expected at least one data set by key"),
        ({"real_world__datasets__D1": 3}, "real_world.datasets.D1 = 3: expected the keys of a file or of"
         " an undersampled data set"),
        ({"real_world__datasets__D1__git_blob": "143e"}, 'real_world.datasets.D1.git_blob = "143e":'
         " expected 40 digits from 0 to 9 and a to f, in quotes"),
        ({"real_world__datasets__D1__file": "../13_fraud.npz"}, "real_world.datasets.D1.file ="
         ' "../13_fraud.npz": expected a file name without a folder'),
        ({"real_world__datasets__D1__url": "ftp://host/file"}, "real_world.datasets.D1.url ="
         ' "ftp://host/file": expected an address that starts with https://, http:// or file://'),
        ({"real_world__datasets__D1__format": "arff"}, 'real_world.datasets.D1.format = "arff": expected'
         " one of npz, csv"),
        ({"real_world__datasets__D1__license": ...}, "real_world.datasets.D1.license: missing; expected"
         " the name of a license"),
        ({"real_world__datasets__1D": {"name": "one", "undersampled": "D5"}}, 'real_world.datasets = "1D":'
         " expected a key of letters, digits and underscores that starts with a letter"),
        ({"real_world__datasets__D6__undersampled": "D55"}, "real_world.datasets.D6.undersampled ="
         ' "D55": expected the key of a data set that has a file; did you mean \'D5\'?'),
        ({"mullick_experiment__runs": 1}, "mullick_experiment.runs = 1: expected a whole number of at least 2"
         " and of at most 1000"),
        ({"mullick_experiment__problems": {}}, "mullick_experiment.problems = {}: expected at least one"
         " problem by key"),
        ({"mullick_experiment__problems__iris_2_1__data": "mnist"}, "mullick_experiment.problems.iris_2_1.data"
         ' = "mnist": expected one of breast_cancer, digits, iris, wine'),
        ({"mullick_experiment__problems__iris_2_1__classes": [[1, 2]]}, "mullick_experiment.problems.iris_2_1"
         ".classes = [[1, 2]]: expected a list of at least 2 entries"),
        ({"mullick_experiment__problems__iris_2_1__classes": [[], [1]]}, "mullick_experiment.problems.iris_2_1"
         ".classes[0] = []: expected a list of at least 1 different entry"),
        ({"mullick_experiment__problems__iris_2_1__imbalance_ratio": 0.5}, "mullick_experiment.problems"
         ".iris_2_1.imbalance_ratio = 0.5: expected a number of at least 1 and of at most 1000"),
        ({"sobol": ...}, "sobol: missing; expected the keys log2_samples, resamples, confidence,"
         " undefined, estimator"),
        ({"sobol": 16}, "sobol = 16: expected the keys log2_samples, resamples, confidence,"
         " undefined, estimator"),
    ],
)  # fmt: skip
@pytest.mark.slow
def test_fault(changes, fault):
    assert fault in faults(**changes)


def test_every_fault_is_listed_at_once():
    found = faults(seed=-1, metrics=["acuracy"], levels=["1:0", "1:1"])
    assert [fault.split(" ")[0] for fault in found] == ["seed", "levels[0]", "metrics[0]"]
