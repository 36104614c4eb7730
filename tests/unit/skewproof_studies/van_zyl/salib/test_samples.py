"""The sample of a level, compared with SALib's."""

import numpy as np
import pytest
from SALib.sample import sobol as salib_sample

from skewproof.core.levels import Level
from skewproof_studies.van_zyl.salib.samples import sample


@pytest.mark.parametrize("log2_samples", [5, 14])
@pytest.mark.slow
def test_design_is_salibs(log2_samples):
    expected = salib_sample.sample(
        {"num_vars": 2, "names": ["tp", "fp"], "bounds": [[0, 100], [0, 1000]]},
        2**log2_samples,
        calc_second_order=False,
        seed=np.random.default_rng([0, 1, 10]),
    )
    found = sample(Level.parse("1:10"), 100, log2_samples=log2_samples, seed=0)
    np.testing.assert_array_equal(found, expected)
