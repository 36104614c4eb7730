"""The report on clusterings and rankings, and the figures."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, average_precision_score

from figure_text import figure_text
from skewproof.audits.choosing.evidence import Evidence
from skewproof.audits.choosing.tree import Examined, leaves, load_tree
from skewproof.core.levels import Level
from skewproof.curves.macro_curve import area_under_macro_curve
from skewproof_studies.survey.choosing_figure import tree_figure
from skewproof_studies.survey.imbalance_figure import imbalance_figure
from skewproof_studies.survey.report import (
    AUC_OF_CLASSES,
    binormal_areas,
    macro_areas,
    survey_report,
)
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


@pytest.mark.parametrize("sizes", [(1, 1, 1), (1, 4, 4)])
@pytest.mark.slow
def test_areas_of_infinitely_many_scores_are_those_of_many(sizes):
    random = np.random.default_rng(4)
    classes = np.repeat([0, 1, 2], np.array(sizes) * 20_000)
    distance = np.array([0.953873, 1.465738, 2.326174])  # sqrt(2) times the normal quantiles
    membership = np.eye(3, dtype=int)[classes]
    scores = random.normal(size=membership.shape) + membership * distance
    macro, mean = binormal_areas(AUC_OF_CLASSES, sizes)
    assert macro == pytest.approx(area_under_macro_curve(membership, scores), abs=0.004)
    expected = average_precision_score(membership, scores, average="macro")
    assert mean == pytest.approx(expected, abs=0.004)


def test_areas_at_levels():
    areas = macro_areas([Level(1, 1), Level(1, 10)])
    assert areas["level"].tolist() == ["1:1", "1:10"]
    row = areas.loc[1, ["macro_curve", "mean_of_areas"]].tolist()
    assert row == list(binormal_areas(AUC_OF_CLASSES, (1, 10, 10)))
    # Both areas are equal where the classes have the same recalls at every threshold.
    macro, mean = binormal_areas((0.8, 0.8, 0.8), (1, 10, 100))
    assert macro == pytest.approx(mean, rel=1e-12)
