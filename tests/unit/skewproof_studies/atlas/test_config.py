import subprocess
import sys

import pytest

from skewproof_studies.atlas import config

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"measures": ["f1", "acuracy"]}, "did you mean 'accuracy'?"),
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
