"""Every function refuses invalid arguments, in the same words and before any work."""

import numpy as np
import pytest
from scipy.stats import qmc

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
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

SIZE = "a finite number above 0"
WRONG = {
    "positives": (SIZE, [0, 10**400]),
    "negatives": (SIZE, [-1, np.inf]),
    "log2_samples": ("a whole number from 0 to 30", [-1, 31]),
    "undefined": ("'error', 'omit' or a finite number", ["omitt", np.nan]),
    "confidence": ("a number above 0 and below 1", [0, 1]),
    "seed": ("a whole number of at least 0, or a tuple of such", [-1, (1, -1)]),
    "resamples": ("0 or a whole number of at least 2 and at most 1,000,000", [1, 10**6 + 1]),
    "threads": ("a whole number of at least 1", [0]),
    "grid": ("a whole number from 2 to 10,000", [1, 10_001]),
}
OWN_WORDS = {
    (invariance, "positives"): ("a whole number from 1 to 1,000,000,000", [100.5, 10**9 + 1]),
    (deviation, "undefined"): ("'omit' or a finite number", ["error", np.nan]),
    (convergence, "log2_samples"): ("a list of at least one whole number", [8, []]),
}
UNCHECKED = {(replicated_indices, "seed"), (sampled_label_error_indices, "seed")}
CASES = [
    (function, {argument: value}, *OWN_WORDS.get((function, argument), WRONG[argument])[:1])
    for function, valid in VALID.items()
    for argument in sorted(valid.keys() & WRONG)
    if (function, argument) not in UNCHECKED
    for value in OWN_WORDS.get((function, argument), WRONG[argument])[1]
]


@pytest.mark.parametrize(
    ("function", "wrong", "expected"),
    [
        *CASES,
        (exact_indices, {"positives": 0, "classifiers": MEASURED}, SIZE),
        (convergence, {"log2_samples": [4, MOST_LOG2_SAMPLES + 1]}, WRONG["log2_samples"][0]),
        (convergence, {"metrics": []}, "at least one"),
        (convergence, {"levels": []}, "at least one"),
        (sobol_indices, {"metrics": []}, "at least one"),
        *(
            (function, {"classifiers": "box"}, "Classifiers or MeasuredClassifiers")
            for function in (exact_indices, mean_shift, sobol_indices)
        ),
    ],
)
def test_what_does_not_fit_is_refused_before_any_work(function, wrong, expected):
    with pytest.raises(ValueError, match=f"^{next(iter(wrong))} (=|is) .*: expected ") as caught:
        function(**VALID[function] | wrong)
    assert str(caught.value).endswith(f": expected {expected}")


def test_sobol_points_end_where_scipys_do():
    assert qmc.Sobol(4).maxn == 2**MOST_LOG2_SAMPLES
