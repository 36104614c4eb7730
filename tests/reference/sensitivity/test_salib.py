"""Every number of the fused estimator, compared with SALib's, which takes a metric at a time.

At full size SALib recomputes one metric per level in every run, which test_full_size.py checks.
"""

import numpy as np
import pytest

from skewproof.core.levels import DEFAULT_LEVELS
from skewproof.core.scales import bounded
from skewproof.metrics import METRICS
from skewproof.sensitivity.sampling.sampled import SampledIndices, sobol_indices
from skewproof_studies.van_zyl.salib.indices import salib_analysis
from skewproof_studies.van_zyl.salib.values import metric_values, sample

OPTIONS = {"resamples": 100, "confidence": 0.95, "seed": 0}


def compare(level, log2_samples):
    metrics = [bounded(metric) for metric in METRICS.values()]
    ours = sobol_indices(metrics, level, 100, log2_samples=log2_samples, **OPTIONS)
    points = sample(level, 100, log2_samples=log2_samples, seed=OPTIONS["seed"])
    analyses = [
        salib_analysis(one.key, metric_values(one, points, level, 100), level, **OPTIONS)
        for one in metrics
    ]
    theirs = SampledIndices(*map(np.array, zip(*analyses, strict=True)))
    for own, other in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(own, other, rtol=0, atol=1e-12)


@pytest.mark.parametrize("level", DEFAULT_LEVELS, ids=str)
def test_every_number_is_salibs(level):
    compare(level, 12)
