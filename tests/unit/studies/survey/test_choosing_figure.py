"""The drawn decision trees."""

from skewproof.studies.survey.choosing import leaves, load_tree
from skewproof.studies.survey.choosing_figure import tree_figure


def test_figure_has_every_answer_and_measure(examine):
    branch = load_tree().answers["clustering"].following
    keys = {key for _, advice in leaves(branch) for key in advice.measures}
    figure = tree_figure(branch, {key: examine(key) for key in keys})
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert {"known", "unknown", "corrected", "uncorrected", "instances", "pairs"} <= set(texts)
    assert {examine(key).entry.name for key in keys} <= set(texts)
    shift = examine("adjusted_rand").evidence.shift
    assert f"{shift:.2f}" in texts
