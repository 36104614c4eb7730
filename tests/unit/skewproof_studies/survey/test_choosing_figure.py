"""The drawn decision trees."""

from skewproof.audits.choosing.evidence import Evidence
from skewproof.audits.choosing.tree import Examined, leaves, load_tree
from skewproof_studies.survey.choosing_figure import tree_figure


def found(kind, shift):
    return Evidence("", kind, shift, "fails", condition_2=None, condition_3=None, proof="")


def test_figure_has_every_answer_and_measure(catalog):
    branch = load_tree().answers["clustering"].following
    keys = {key for _, advice in leaves(branch) for key in advice.measures}
    evidence = {"adjusted_rand": found(1, 0.283), "rand": found(5, 0.0)}
    figure = tree_figure(branch, {key: Examined(catalog[key], evidence.get(key)) for key in keys})
    (axes,) = figure.axes
    texts = [text.get_text() for text in axes.texts]
    assert {"known", "unknown", "corrected", "uncorrected", "instances", "pairs"} <= set(texts)
    assert {catalog[key].name for key in keys} <= set(texts)
    assert "0.28" in texts
    assert "0.00" not in texts
    markers = [line.get_marker() for line in axes.lines if line.get_marker() != "None"]
    assert sorted(markers) == ["X", "o"]
    assert figure.get_suptitle().replace("\n", " ") == next(leaves(branch))[1].origin
