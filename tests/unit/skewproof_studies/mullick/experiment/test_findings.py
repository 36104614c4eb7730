"""The findings of Section 5, counted."""

import pytest

from skewproof_studies.mullick.experiment.findings import findings


@pytest.mark.slow
def test_precision_moves_most_and_a_finding_that_fails_is_not_counted(evaluated):
    holds = evaluated.found.set_index("finding")
    assert holds.loc["Precision changes most of the six", ["holds", "of"]].tolist() == [1, 1]
    tables = evaluated.tables
    moved = tables["variability"]
    moved = moved.assign(sd=moved["sd"].where(moved["index"] != "g_mean", 9.0))
    found = findings(moved, tables["minima"], tables["lost_classes"]).set_index("finding")
    assert found.loc["Precision changes most of the six", "holds"] == 0
    assert found.loc["AURPC-OVA changes most of the five", "holds"] == 0


@pytest.mark.slow
def test_a_study_of_two_classes_alone_has_no_problem_of_more(evaluate, toy):
    found = evaluate(toy[toy["classes"] == 2]).found
    counts = found.groupby("section")["of"].sum().to_dict()
    assert counts == {"5.3": 8, "5.4": 0, "5.5": 0, "5.6": 0}
