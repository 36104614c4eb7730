from skewproof.core.confusion import ConfusionMatrix
from skewproof_studies.made_for_imbalance.measures import compared_measures

METRICS = {"keys": ["f1", "f1_i", "mcc"], "definitions": {}}


def test_metrics_proposals_and_variants_are_compared_once_each():
    found = compared_measures(METRICS, ["f1", "robust_f(d0=1)", "mcc"])
    assert list(found) == ["f1", "f1_i", "mcc", "robust_f_1", "robust_f_1_i", "mcc_i"]
    # A variant is the measure of the rates.
    matrix = ConfusionMatrix.from_rates(0.8, 0.03, positives=7, negatives=9000)
    found = compared_measures(METRICS, ["precision", "robust_f(d0=1)"])
    assert round(float(found["precision_i"](matrix)), 12) == round(0.8 / 0.83, 12)
    assert round(float(found["robust_f_1_i"](matrix)), 12) == round(4 * 0.8 / (2 + 1 + 0.83), 12)
