import subprocess
import sys

import pytest

from skewproof.metrics.atlas import ATLAS
from skewproof_studies.atlas import config
from skewproof_studies.settings.measures import chosen_measures

pytestmark = pytest.mark.slow


def test_measures_are_chosen_by_a_list():
    assert list(chosen_measures(["f1", "accuracy"])) == ["accuracy", "f1"]
    assert chosen_measures("all") is ATLAS


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"measures": ["f1", "acuracy"]}, "did you mean 'accuracy'?"),
        ({"measures": ["f1", "f1"]}, 'atlas.measures[1] = "f1": expected an entry only once'),
        ({"measures": [3, "f1"]}, "atlas.measures[0] = 3: expected the key of a measure"),
        ({"orderings": ["2:2"]}, "atlas.orderings[0]"),
        ({"map": ["1:1", 3]}, "atlas.map[1]"),
    ],
)
def test_faults_of_a_configuration(changes, fault):
    good = {"measures": "all", "orderings": ["1:1"], "map": ["1:1"], "classifiers": 40}
    assert not list(config.faults({"atlas": good}))
    (found,) = config.faults({"atlas": good | changes})
    assert fault in found


def test_checking_a_config_reads_no_declaration_of_the_atlas():
    code = "import sys, skewproof_studies.config; print('skewproof.metrics.atlas' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
