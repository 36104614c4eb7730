import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.sampling.convergence import convergence
from skewproof.sensitivity.sampling.sampled import sobol_indices

CHOSEN = [METRICS[key] for key in ("accuracy", "mcc", "f1_i")]
OPTIONS = {"resamples": 20, "confidence": 0.9, "seed": 1}


@pytest.mark.slow
def test_convergence_measures_the_distance_from_the_exact_index():
    levels = [Level.parse(text) for text in ("1:10", "7:3")]
    table = convergence(CHOSEN, levels, 100, log2_samples=range(5, 7), **OPTIONS)
    exact = exact_indices(CHOSEN, positives=100, negatives=levels[1].negatives(100))
    sampled = sobol_indices(CHOSEN, levels[1], 100, log2_samples=6, total=False, **OPTIONS)
    rows = table[(table["level"] == "7:3") & (table["log2_samples"] == 6)]
    assert rows["metric"].tolist() == [key for key in ("accuracy", "mcc", "f1_i") for _ in "12"]
    assert rows["input"].tolist() == ["tp", "fp"] * 3
    assert rows["error"].tolist() == np.abs(sampled.s1 - exact.s1).ravel().tolist()
    assert rows["s1_conf"].tolist() == sampled.s1_conf.ravel().tolist()
    assert len(table) == 4 * len(rows)
