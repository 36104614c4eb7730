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
    indices, shifts = cluster_tables
    exact = indices.assign(sampled_s1=indices["s1"], sampled_st=indices["st"])
    far_off = {"all_of_s1_are_far": exact.assign(sampled_s1=2.0), "none_is_far": exact}
    far_off["one_is_far"] = exact.assign(sampled_s1=exact["s1"].where(exact.index > 0, 2.0))
    check_written(
        Path(__file__).with_name("report.txt"),
        sampled_as_in_the_tests=text,
        **{
            name: "\n".join(
                line
                for line in survey_report(far, shifts, *ranking_tables, model=model).splitlines()
                if "cluster_indices.csv" in line
            )
            for name, far in far_off.items()
        },
    )


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
