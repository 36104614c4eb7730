"""The report on clusterings and rankings, and the figures."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from figure_text import figure_text
from skewproof.audits.choosing.evidence import Evidence
from skewproof.audits.choosing.tree import Examined, leaves, load_tree
from skewproof_studies.survey.choosing_figure import tree_figure
from skewproof_studies.survey.imbalance_figure import imbalance_figure
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


def test_the_figures(cluster_tables, ranking_tables, catalog):
    branch = load_tree().answers["clustering"].following
    keys = {key for _, advice in leaves(branch) for key in advice.measures}
    evidence = {
        key: Evidence("", kind, shift, "fails", condition_2=None, condition_3=None, proof="")
        for key, kind, shift in (("adjusted_rand", 1, 0.283), ("rand", 5, 0.0))
    }
    measures = {key: Examined(catalog[key], evidence.get(key)) for key in keys}
    check_written(
        Path(__file__).with_name("figures.txt"),
        clusterings_and_rankings=figure_text(imbalance_figure(*cluster_tables, *ranking_tables)),
        tree_of_clusterings=figure_text(tree_figure(branch, measures)),
    )
