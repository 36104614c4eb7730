"""Rows with exact and sampled indices."""

import numpy as np
import pytest

from skewproof.core.levels import Level
from skewproof.metrics import METRICS
from skewproof.sensitivity.quadrature.exact import exact_indices
from skewproof.sensitivity.sampling.replicates import ReplicatedIndices, scrambled_indices
from skewproof_studies.survey.exact_and_sampled import index_rows


@pytest.mark.slow
def test_rows_are_of_the_metric_at_its_place():
    metrics = [METRICS["accuracy"], METRICS["mcc"]]
    found = exact_indices(metrics, positives=100, negatives=200)
    estimates = list(
        scrambled_indices(metrics, Level(1, 2), 100, log2_samples=6, replicates=4, seed=1)
    )
    sampled = ReplicatedIndices.of(estimates)
    rows = index_rows({"measure": "mcc"}, ("kept", "lost"), found, sampled, 1)
    assert list(rows) == [
        *("measure", "input", "s1", "st", "error_estimate"),
        *("sampled_s1", "s1_standard_error", "sampled_st", "st_standard_error"),
    ]
    assert rows["input"].tolist() == ["kept", "lost"]
    assert (rows["measure"] == "mcc").all()
    np.testing.assert_array_equal(rows[["s1", "st"]].T, [found.s1[1], found.st[1]])
    totals = np.array([one.st[1] for one in estimates])
    np.testing.assert_allclose(rows["sampled_st"], totals.mean(axis=0))
    np.testing.assert_allclose(rows["st_standard_error"], totals.std(axis=0, ddof=1) / 2)
    unknown = index_rows({}, ("tp", "fp"), found, ReplicatedIndices.unknown(metrics=1))
    assert unknown.isna().sum().sum() == 8
