from skewproof.metrics.atlas import ATLAS
from skewproof_studies.settings.measures import chosen_measures


def test_measures_are_chosen_by_a_list():
    assert list(chosen_measures(["f1", "accuracy"])) == ["accuracy", "f1"]
    assert chosen_measures("all") is ATLAS
