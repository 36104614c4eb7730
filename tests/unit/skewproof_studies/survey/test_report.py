"""The report on clusterings and rankings."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from skewproof_studies.survey.report import survey_report

pytestmark = pytest.mark.slow  # they wait for tables that take long


def test_report(cluster_tables, ranking_tables, model):
    text = survey_report(*cluster_tables, *ranking_tables, model=model)
    assert "independent Poisson numbers with a total mean of 60" in text
    assert "Scores are binormal, and k = 5." in text
    assert f"at 1:10 they are a share of {np.exp(-60 / 11):.2g} of all" in text
    assert "| purity          | 0.75" in text
    assert "The clusters are infinite: a level is the ratio of their sizes" in text
    finite = adjusted_rand_score([0] * 10 + [1] * 10, [1] + [0] * 9 + [1] * 9 + [0])
    assert f"adjusted Rand index {finite:.4g} instead of 0.64" in text
    assert "cluster purity 0.9 instead of 0.9" in text
    assert "Lists without a relevant item are left out" in text
    assert (
        "They hold over this distribution only: AUC uniform from 1/2 to 1, odds of relevance"
        " independent of it and log-uniform from 1:1 to 1:10." in text
    )


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
