"""The command ``skewproof find``."""

import pytest

from skewproof.audits.finding import find


@pytest.mark.slow
def test_find_on_the_command_line(run, parsed):
    assert run("find", "Youden's J") == (0, find("Youden's J").to_text(), "")
    assert parsed("find", "Dice") == find("Dice").to_dict()


@pytest.mark.parametrize(
    "name",
    ["LLM judge", "Rogan-Gladen", "partial verification", "Begg-Greenes", "Prediction-powered"],
)
def test_methods_for_labels_of_some_rows(printed, name):
    text = " ".join(printed("find", name).split())
    assert "estimate_from_labels" in text
    assert "Prevalence.from_predictions" in text
