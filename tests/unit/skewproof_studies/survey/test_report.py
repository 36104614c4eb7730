"""The report on clusterings and rankings."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from skewproof_studies.survey.report import survey_report
from written import check_written

pytestmark = pytest.mark.slow  # they wait for tables that take long


def test_the_whole_report(cluster_tables, ranking_tables, model):
    finite = adjusted_rand_score([0] * 10 + [1] * 10, [1] + [0] * 9 + [1] * 9 + [0])
    text = survey_report(*cluster_tables, *ranking_tables, model=model)
    assert f"adjusted Rand index {finite:.4g} instead of 0.64" in text
    assert f"at 1:10 they are a share of {np.exp(-60 / 11):.2g} of all" in text
    check_written(Path(__file__).with_name("report.txt"), sampled_as_in_the_tests=text)


def test_sampled_indices_far_from_the_exact_ones_are_named(cluster_tables, ranking_tables, model):
    indices, shifts = cluster_tables
    far = indices.assign(sampled_s1=2.0, sampled_st=indices["st"])
    text = survey_report(far, shifts, *ranking_tables, model=model)
    assert (
        "Of the 48 sampled indices in `cluster_indices.csv` 24 are within 4 standard errors"
        " of the exact ones; the others are purity 1:1 smaller s1, purity 1:1 larger s1" in text
    )
    far.loc[1:, "sampled_s1"] = indices["s1"]
    text = survey_report(far, shifts, *ranking_tables, model=model)
    assert "of the exact ones; the other is purity 1:1 smaller s1. Standard" in text
    exact = far.assign(sampled_s1=indices["s1"])
    text = survey_report(exact, shifts, *ranking_tables, model=model)
    assert "`cluster_indices.csv` 48 are within 4 standard errors of the exact ones.\n" in text
