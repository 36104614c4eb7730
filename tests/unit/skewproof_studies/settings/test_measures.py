from skewproof.metrics.atlas import ATLAS
from skewproof_studies.settings.measures import chosen_measures


def test_measures_are_chosen_by_a_list():
    assert list(chosen_measures(["f1", "accuracy"])) == ["accuracy", "f1"]
    assert chosen_measures("all") is ATLAS
    members = chosen_measures(["robust_mcc(d=0.05)", "f1", "net_benefit_0_2"])
    assert list(members) == ["f1", "robust_mcc_0_05", "net_benefit_0_2"]
