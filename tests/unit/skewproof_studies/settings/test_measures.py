import pytest

from skewproof.metrics.atlas import ATLAS
from skewproof_studies.settings.measures import chosen_measures, measure_faults


def test_measures_are_chosen_by_a_list():
    assert list(chosen_measures(["f1", "accuracy"])) == ["accuracy", "f1"]
    assert chosen_measures("all") is ATLAS


@pytest.mark.parametrize(
    ("measures", "fault"),
    [
        (["f1", "acuracy"], "did you mean 'accuracy'?"),
        (["f1", "f1"], 'here[1] = "f1": expected each entry only once'),
        ([3, "f1"], "here[0] = 3: expected the key of a measure"),
    ],
)
def test_faults_of_a_list(measures, fault):
    (found,) = measure_faults("here", measures)
    assert fault in found


def test_what_is_no_list_is_for_the_schema():
    assert not list(measure_faults("here", "all"))
    assert not list(measure_faults("here", None))
