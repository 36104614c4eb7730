"""Class sizes, numbers of base points and policies that are refused, wherever they are taken."""

import inspect
import re

import numpy as np
import pytest
from scipy.stats import qmc

import skewproof
from skewproof.core.levels import Level
from skewproof.core.messages import shown
from skewproof.core.metric import Metric
from skewproof.metrics import METRICS
from skewproof.sensitivity.classifiers import MeasuredClassifiers
from skewproof.sensitivity.label_errors.indices import half_share_ratios, label_error_indices
from skewproof.sensitivity.label_errors.samples import sampled_label_error_indices
from skewproof.sensitivity.options import MOST_LOG2_SAMPLES
from skewproof.sensitivity.proofs.invariance import invariance
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.quadrature.sweep import sweep
from skewproof.sensitivity.sampling.convergence import convergence
from skewproof.sensitivity.sampling.replicates import replicated_indices
from skewproof.sensitivity.sampling.sampled import merged_indices, sobol_indices, sobol_sums
from skewproof.sensitivity.surfaces.grid import deviation, surface
from skewproof.sensitivity.surfaces.shift import mean_shift

LEVEL, BALANCED = Level(1, 2), Level(1, 1)
OPTIONS = {"log2_samples": 4, "resamples": 2, "seed": 1}
SEVERAL = OPTIONS | {"log2_samples": [4]}
SCRAMBLES = {"log2_samples": 4, "seed": 1}


def never(_):
    raise AssertionError("evaluated before its options were looked at")


UNSEEN = Metric("unseen", "f", "made for a test", "here", never)
MEASURED = MeasuredClassifiers.from_frame({"tpr": [0.9], "fpr": [0.1]})

OF_POSITIVES = {
    "sobol_indices": lambda size: sobol_indices([UNSEEN], LEVEL, size, **OPTIONS),
    "sobol_sums": lambda size: sobol_sums([UNSEEN], LEVEL, size, **OPTIONS),
    "replicated_indices": lambda size: replicated_indices(
        [UNSEEN], LEVEL, size, replicates=2, **SCRAMBLES
    ),
    "convergence": lambda size: convergence([UNSEEN], [LEVEL], size, **SEVERAL, confidence=0.9),
    "exact_indices": lambda size: exact_indices([UNSEEN], positives=size, negatives=1),
    "of measured classifiers": lambda size: exact_indices(
        [UNSEEN], positives=size, negatives=1, classifiers=MEASURED
    ),
    "values": lambda size: MEASURED.values(UNSEEN, size, 1),
    "sweep": lambda size: sweep([UNSEEN], size, start=BALANCED, stop=LEVEL, points_per_decade=1),
    "mean_shift": lambda size: mean_shift(UNSEEN, LEVEL, BALANCED, size),
    "surface": lambda size: surface(UNSEEN, LEVEL, size, grid=3),
    "label_error_indices": lambda size: label_error_indices([UNSEEN], positives=size, negatives=1),
    "half_share_ratios": lambda size: half_share_ratios(
        [UNSEEN], positives=size, first=BALANCED, last=LEVEL
    ),
    "sampled_label_error_indices": lambda size: sampled_label_error_indices(
        [UNSEEN], LEVEL, size, scrambles=2, **SCRAMBLES
    ),
}

OF_SAMPLES = {
    "convergence": lambda power: convergence(
        [UNSEEN], [LEVEL], 100, **SEVERAL | {"log2_samples": [4, power]}, confidence=0.9
    ),
    "sobol_indices": lambda power: sobol_indices(
        [UNSEEN], LEVEL, 100, **OPTIONS | {"log2_samples": power}
    ),
    "sobol_sums": lambda power: sobol_sums(
        [UNSEEN], LEVEL, 100, **OPTIONS | {"log2_samples": power}
    ),
    "merged_indices": lambda power: merged_indices([], [UNSEEN], LEVEL, log2_samples=power),
    "replicated_indices": lambda power: replicated_indices(
        [UNSEEN], LEVEL, 100, log2_samples=power, replicates=2, seed=1
    ),
    "sampled_label_error_indices": lambda power: sampled_label_error_indices(
        [UNSEEN], LEVEL, 100, log2_samples=power, scrambles=2, seed=1
    ),
}

OF_POLICIES = {
    "convergence": lambda policy: convergence(
        [UNSEEN], [LEVEL], 100, **SEVERAL, confidence=0.9, undefined=policy
    ),
    "sobol_indices": lambda policy: sobol_indices(
        [UNSEEN], LEVEL, 100, **OPTIONS, undefined=policy
    ),
    "sobol_sums": lambda policy: sobol_sums([UNSEEN], LEVEL, 100, **OPTIONS, undefined=policy),
    "merged_indices": lambda policy: merged_indices(
        [], [UNSEEN], LEVEL, log2_samples=4, undefined=policy
    ),
    "replicated_indices": lambda policy: replicated_indices(
        [UNSEEN], LEVEL, 100, replicates=2, **SCRAMBLES, undefined=policy
    ),
    "deviation": lambda policy: deviation(np.zeros(1), np.zeros(1), undefined=policy),
}

ARGUMENTS = {"positives": OF_POSITIVES, "log2_samples": OF_SAMPLES, "undefined": OF_POLICIES}

WRONG_SIZES = [0, -1, np.nan, np.inf, True, "100", None, 10**400, 1j]


def refused(call, value, name, expected):
    with pytest.raises(ValueError, match=f"^{name} = ") as caught:
        call(value)
    message = str(caught.value)
    assert message.endswith(f": expected {expected}")
    assert repr(value)[:80] in message
    assert len(message) < 200


@pytest.mark.parametrize("size", WRONG_SIZES, ids=shown)
@pytest.mark.parametrize("call", OF_POSITIVES.values(), ids=OF_POSITIVES)
def test_a_positive_class_without_size(call, size):
    refused(call, size, "positives", "a finite number above 0")


@pytest.mark.parametrize("call", [exact_indices, label_error_indices])
def test_a_negative_class_without_size(call):
    expected = r"^negatives = -1: expected a finite number above 0$"
    with pytest.raises(ValueError, match=expected):
        call([UNSEEN], positives=1, negatives=-1)


@pytest.mark.parametrize("size", [*WRONG_SIZES, 100.5, 10**9 + 1], ids=shown)
def test_a_proof_is_for_a_whole_number_of_positives(size):
    def call(positives):
        return invariance(UNSEEN, LEVEL, BALANCED, positives)

    refused(call, size, "positives", "a whole number of at least 1 and of at most 1000000000")


@pytest.mark.parametrize("power", [1.5, -1, 31, 400, True, np.nan, "8", None], ids=repr)
@pytest.mark.parametrize("call", OF_SAMPLES.values(), ids=OF_SAMPLES)
def test_numbers_of_base_points_that_no_sequence_has(call, power):
    refused(call, power, "log2_samples", "a whole number of at least 0 and of at most 30")


def test_the_most_base_points_are_all_of_a_sequence():
    assert qmc.Sobol(4).maxn == 2**MOST_LOG2_SAMPLES


@pytest.mark.parametrize("policy", ["omitt", "0.5", None, True, np.nan, -np.inf], ids=repr)
@pytest.mark.parametrize("name", OF_POLICIES)
def test_policies_that_there_are_not(name, policy):
    policies = "'omit'" if name == "deviation" else "'error', 'omit'"
    refused(OF_POLICIES[name], policy, "undefined", f"{policies} or a finite number")


def test_a_policy_of_samples_is_none_of_grids():
    refused(OF_POLICIES["deviation"], "error", "undefined", "'omit' or a finite number")


@pytest.mark.parametrize("size", [np.float32(50), np.int64(50), 0.5], ids=repr)
def test_numbers_of_any_type_are_sizes(size):
    one = METRICS["accuracy"]
    found = exact_indices([one], positives=size, negatives=2 * size)
    np.testing.assert_allclose(found.s1, [[0.2, 0.8]], atol=1e-12)
    assert sobol_indices([one], LEVEL, size, **OPTIONS).s1.shape == (1, 2)


@pytest.mark.slow
@pytest.mark.parametrize("argument", ARGUMENTS)
def test_every_public_function_of_the_room_is_tried(argument):
    functions = {
        name: one
        for name in skewproof.__all__
        if inspect.isfunction(one := getattr(skewproof, name))
        and one.__module__.startswith("skewproof.sensitivity.")
    }
    taking = {
        name for name, one in functions.items() if argument in inspect.signature(one).parameters
    }
    assert taking - {"invariance"} <= set(ARGUMENTS[argument])
    assert "sobol_indices" in taking


def test_the_message_has_a_start_of_a_long_value():
    with pytest.raises(ValueError, match=re.escape("... (102 characters): expected")):
        deviation(np.zeros(1), np.zeros(1), undefined="x" * 100)
