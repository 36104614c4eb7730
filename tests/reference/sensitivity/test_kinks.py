"""Metrics with kinks, compared with nested adaptive quadrature that ignores the kinks.

An error estimate must be above the error, by what the reference itself is unsure of. The references
are stored: ``kinked_indices.py`` computes them.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from skewproof.sensitivity.quadrature.exact import exact_indices

sys.path.insert(0, str(Path(__file__).parent))
from kinked_indices import POSITIVES, TABLE, function_of, metric_of, moments

REFERENCE = pd.read_csv(TABLE)


@pytest.mark.parametrize(("kind", "least_resolved"), [("plausible", 0.95), ("nested", 0.85)])
def test_no_estimate_is_below_the_error(kind, least_resolved):
    rows, resolved = REFERENCE[REFERENCE["kind"] == kind], 0
    for row in rows.itertuples():
        found = exact_indices(
            [metric_of(row.formula)], positives=POSITIVES, negatives=row.negatives
        )
        if np.isnan(found.mean[0]):
            continue
        resolved += 1
        error = max(
            np.abs(found.s1[0] - [row.s1_tp, row.s1_fp]).max(),
            abs(found.mean[0] - row.mean) / row.variance**0.5,
            abs(found.variance[0] / row.variance - 1),
        )
        claimed = found.index_error[0] + row.doubt
        assert error <= claimed, (
            f"{row.formula} at N = {row.negatives:g}: {error:.1e} > {claimed:.1e}"
        )
    assert resolved >= least_resolved * len(rows)


def test_the_reference_of_a_kink_in_closed_form():
    """|u + v - 1| has the mean 1/3, the variance 1/18 and both indices 1/10."""
    mean, variance, s1, apart = moments(function_of(metric_of("abs(tp/P - tn/N)"), 1e3), cuts=14)
    np.testing.assert_allclose([mean, variance, *s1], [1 / 3, 1 / 18, 0.1, 0.1], rtol=1e-12)
    assert apart <= 1e-12
