import numpy as np

from skewproof.sensitivity.sampling.adjustment import benjamini_hochberg, holm


def test_holm_by_hand():
    """Sorted 0.01, 0.02, 0.03, 0.04 times 4, 3, 2, 1, never falling."""
    np.testing.assert_allclose(
        holm([[0.04, 0.01], [0.03, 0.02]]), [[0.06, 0.04], [0.06, 0.06]], rtol=1e-12
    )
    np.testing.assert_array_equal(holm([0.9, 0.8]), [1, 1])


def test_benjamini_hochberg_by_hand():
    """Sorted 0.01, 0.02, 0.03, 0.04 times 4/1, 4/2, 4/3, 4/4; never above what is after."""
    np.testing.assert_allclose(benjamini_hochberg([0.04, 0.01, 0.03, 0.02]), [0.04] * 4, rtol=1e-12)
    np.testing.assert_allclose(benjamini_hochberg([0.5, 0.01]), [0.5, 0.02], rtol=1e-12)
