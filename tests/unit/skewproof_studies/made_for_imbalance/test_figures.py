import pandas as pd

from skewproof_studies.made_for_imbalance.figures import SHOWN, kinds_figure
from skewproof_studies.made_for_imbalance.measures import compared_measures
from skewproof_studies.made_for_imbalance.robustness import EXACTLY, KINDS, LOST, NOT_EVERYWHERE

METRICS = ["accuracy", "f1", "mcc", "optimized_precision", "balanced_accuracy"]
REGISTRY = compared_measures(
    {"keys": METRICS, "definitions": {}}, ["robust_f", "robust_mcc", "p4", "precision"]
)


def test_a_row_for_each_measure_with_the_kind_in_words():
    rows = [(key, kind, EXACTLY, "") for key in ("f1", "mcc") for kind in KINDS]
    rows[5] = ("mcc", "choice", LOST, NOT_EVERYWHERE)
    kinds = pd.DataFrame(rows, columns=["measure", "kind", "kept", "evidence"])
    (axes,) = kinds_figure(kinds, REGISTRY, ["mcc", "f1"]).axes
    texts = [text.get_text() for text in axes.texts]
    assert texts == [EXACTLY, EXACTLY, "on some curves", EXACTLY, EXACTLY, EXACTLY]
    assert [label.get_text() for label in axes.get_yticklabels()] == [
        REGISTRY[key].name for key in ("mcc", "f1")
    ]
    assert len(set(SHOWN)) == 10
    assert set(SHOWN) <= set(REGISTRY)
