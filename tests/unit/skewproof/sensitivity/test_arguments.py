"""Every function refuses invalid arguments, in the same words and before any work."""

from pathlib import Path

import numpy as np
from scipy.stats import qmc

from skewproof.core.levels import Level
from skewproof.core.metric import Metric
from skewproof.sensitivity.classifiers import UNIFORM, MeasuredClassifiers
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
from written import check_written, refusals


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
    exact_indices: SIZES | {"classifiers": MEASURED},
    grid_matrix: {"level": LEVEL, "positives": 100, "grid": 3},
    half_share_ratios: {"metrics": [UNSEEN], "positives": 1, "first": BALANCED, "last": LEVEL},
    invariance: METRIC | {"baseline": BALANCED},
    label_error_indices: SIZES,
    mean_shift: METRIC | {"baseline": BALANCED, "classifiers": MEASURED},
    MEASURED.values: {"metric": UNSEEN, "positives": 100, "negatives": 200},
    replicated_indices: SEVERAL | SAMPLE | {"replicates": 2},
    sampled_label_error_indices: SEVERAL | {"log2_samples": 4, "seed": 1, "scrambles": 2},
    sobol_indices: SEVERAL | RESAMPLED | {"threads": 1, "confidence": 0.9, "classifiers": UNIFORM},
    surface: METRIC | {"grid": 3},
    sweep: {"metrics": [UNSEEN], "positives": 1, "start": BALANCED, "stop": LEVEL}
    | {"points_per_decade": 1},
}

WRONG = {
    "positives": [0, 10**400],
    "negatives": [-1, np.inf],
    "log2_samples": [-1, 31],
    "undefined": ["omitt", np.nan],
    "confidence": [0, 1],
    "seed": [-1, (1, -1)],
    "resamples": [1, 10**6 + 1],
    "threads": [0],
    "grid": [1, 10_001],
    "classifiers": ["box"],
}
FURTHER = {
    convergence: [("log2_samples", [8, 31]), ("log2_samples", []), ("metrics", []), ("levels", [])],
    deviation: [("undefined", "error")],
    invariance: [("positives", 100.5), ("positives", 10**9 + 1)],
    sobol_indices: [("metrics", [])],
}
UNCHECKED = {(replicated_indices, "seed"), (sampled_label_error_indices, "seed")}


def test_what_does_not_fit_is_refused_before_any_work():
    written = {}
    for function, valid in VALID.items():
        cases = [
            (argument, value)
            for argument in sorted(valid.keys() & WRONG)
            if (function, argument) not in UNCHECKED
            for value in WRONG[argument]
        ]
        cases += FURTHER.get(function, [])
        call = lambda case, function=function: function(**VALID[function] | dict([case]))  # noqa: E731
        written[function.__qualname__] = refusals(call, cases)
    check_written(Path(__file__).with_name("no_arguments.txt"), **written)


def test_sobol_points_end_where_scipys_do():
    assert qmc.Sobol(4).maxn == 2**MOST_LOG2_SAMPLES
