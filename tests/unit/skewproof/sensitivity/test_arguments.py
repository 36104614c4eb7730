"""Every function refuses invalid arguments, in the same words and before any work."""

import inspect

import numpy as np
import pytest
from scipy.stats import qmc

import skewproof
from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.classifiers import MeasuredClassifiers
from skewproof.sensitivity.label_errors.indices import half_share_ratios, label_error_indices
from skewproof.sensitivity.label_errors.samples import sampled_label_error_indices
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.sweep import sweep
from skewproof.sensitivity.sampling.convergence import convergence
from skewproof.sensitivity.sampling.replicates import replicated_indices
from skewproof.sensitivity.sampling.saltelli import MOST_LOG2_SAMPLES
from skewproof.sensitivity.sampling.sampled import sobol_indices
from skewproof.sensitivity.surfaces.grid import deviation, grid_matrix, surface
from skewproof.sensitivity.surfaces.shift import mean_shift


def never(_):
    raise AssertionError("evaluated before its arguments were checked")


UNSEEN = Metric("unseen", "f", "made for a test", "here", never)
LEVEL, BALANCED = Level(1, 2), Level(1, 1)
MEASURED = MeasuredClassifiers.from_frame({"tpr": [0.9], "fpr": [0.1]})

METRIC = {"metric": UNSEEN, "level": LEVEL, "positives": 100}
SEVERAL = {"metrics": [UNSEEN], "level": LEVEL, "positives": 100}
SIZES = {"metrics": [UNSEEN], "positives": 100, "negatives": 200}
SAMPLE = {"log2_samples": 4, "seed": 1, "undefined": "error"}
RESAMPLED = SAMPLE | {"resamples": 2}
POINT = np.zeros(1)

VALID = {
    convergence: {"metrics": [UNSEEN], "levels": [LEVEL], "positives": 100}
    | RESAMPLED
    | {"log2_samples": [4], "confidence": 0.9},
    deviation: {"values": POINT, "reference": POINT, "undefined": "omit"},
    exact_indices: SIZES,
    grid_matrix: {"level": LEVEL, "positives": 100, "grid": 3},
    half_share_ratios: {"metrics": [UNSEEN], "positives": 1, "first": BALANCED, "last": LEVEL},
    invariance: METRIC | {"baseline": BALANCED},
    label_error_indices: SIZES,
    mean_shift: METRIC | {"baseline": BALANCED},
    MEASURED.values: {"metric": UNSEEN, "positives": 100, "negatives": 200},
    replicated_indices: SEVERAL | SAMPLE | {"replicates": 2},
    sampled_label_error_indices: SEVERAL | {"log2_samples": 4, "seed": 1, "scrambles": 2},
    sobol_indices: SEVERAL | RESAMPLED | {"threads": 1, "confidence": 0.9},
    surface: METRIC | {"grid": 3},
    sweep: {"metrics": [UNSEEN], "positives": 1, "start": BALANCED, "stop": LEVEL}
    | {"points_per_decade": 1},
}

SIZE = "a finite number above 0", [0, -1, np.nan, np.inf, True, "100", None, 10**400, 1j]
WRONG = {
    "positives": SIZE,
    "negatives": SIZE,
    "log2_samples": ("a whole number from 0 to 30", [1.5, -1, 31, 400, True, np.nan, "8", None]),
    "undefined": (
        "'error', 'omit' or a finite number",
        ["omitt", "0.5", None, True, np.nan, -np.inf],
    ),
    "confidence": ("a number above 0 and below 1", [0, 1, np.nan, "0.9", None, True]),
    "seed": ("a whole number of at least 0, or a tuple of such", [None, -1, True, 1.0, (1, -1)]),
    "resamples": (
        "0 or a whole number of at least 2 and at most 1,000,000",
        [1, -1, 2.0, None, 2**63],
    ),
    "threads": ("a whole number of at least 1", [0, 1.5, True, None]),
    "grid": (
        "a whole number from 2 to 10,000",
        [0, 1, -1, True, 1.5, 3.0, np.nan, "3", None, 10_001, 10**400],
    ),
}
OWN_WORDS = {
    (invariance, "positives"): (
        "a whole number from 1 to 1,000,000,000",
        [*SIZE[1], 100.5, 10**9 + 1],
    ),
    (deviation, "undefined"): ("'omit' or a finite number", ["error", "x" * 100, None, np.nan]),
    (convergence, "log2_samples"): ("a list of at least one whole number", [8, None, "8", []]),
}
UNCHECKED = {(replicated_indices, "seed"), (sampled_label_error_indices, "seed")}
CASES = [
    (function, argument)
    for function, valid in VALID.items()
    for argument in sorted(valid.keys() & WRONG)
    if (function, argument) not in UNCHECKED
]


def refusal(function, **options):
    try:
        function(**VALID[function] | options)
    except ValueError as error:
        return str(error)
    pytest.fail(f"{options} is not refused")


@pytest.mark.parametrize(
    ("function", "argument"), CASES, ids=[f"{one.__name__}-{name}" for one, name in CASES]
)
@pytest.mark.slow
def test_what_does_not_fit_is_refused_before_any_work(function, argument):
    expected, values = OWN_WORDS.get((function, argument), WRONG[argument])
    for value in values:
        message = refusal(function, **{argument: value})
        assert message.startswith(f"{argument} = {repr(value)[:80]}")
        assert message.endswith(f": expected {expected}"), value
        assert len(message) < 200, value


def test_measured_classifiers_have_sizes_too():
    message = refusal(exact_indices, classifiers=MEASURED, positives=0)
    assert message == "positives = 0: expected a finite number above 0"


def test_each_of_several_numbers_of_base_points_fits():
    message = refusal(convergence, log2_samples=[4, 31])
    assert message == "log2_samples = 31: expected a whole number from 0 to 30"
    assert qmc.Sobol(4).maxn == 2**MOST_LOG2_SAMPLES


@pytest.mark.parametrize("option", ["metrics", "levels"])
def test_there_is_something_to_compute(option):
    functions = [one for one in (convergence, sobol_indices) if option in VALID[one]]
    for function in functions:
        message = refusal(function, **{option: []})
        assert message in (
            f"{option} is empty: expected at least one",
            f"{option} = []: expected at least one",
        )


@pytest.mark.parametrize("size", [np.float32(50), np.int64(50), 0.5], ids=repr)
@pytest.mark.slow
def test_numbers_of_any_type_are_sizes(size):
    options = {"log2_samples": 4, "resamples": 2, "seed": 1}
    one = METRICS["accuracy"]
    found = exact_indices([one], positives=size, negatives=2 * size)
    np.testing.assert_allclose(found.s1, [[0.2, 0.8]], atol=1e-12)
    assert sobol_indices([one], LEVEL, size, **options).s1.shape == (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("argument", ["positives", "log2_samples", "undefined", "confidence"])
def test_every_public_function_of_the_room_is_tried(argument):
    taking = {
        name
        for name in skewproof.sensitivity.__all__
        if inspect.isfunction(one := getattr(skewproof.sensitivity, name))
        and one.__module__.startswith("skewproof.sensitivity.")
        and argument in inspect.signature(one).parameters
    }
    assert "sobol_indices" in taking
    assert taking <= {function.__name__ for function, name in CASES if name == argument}
