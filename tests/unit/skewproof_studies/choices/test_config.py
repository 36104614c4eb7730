from pathlib import Path

import pytest
import yaml

from skewproof_studies.choices.config import curve_label, faults, rarer_and_rarer
from skewproof_studies.config import ConfigError, check_config

PROJECT = Path(__file__).parents[4]
CONFIG = yaml.safe_load((PROJECT / "config/paper.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("choices", "fault"),
    [
        ({"measures": ["f1", "acuracy"]}, 'choices.measures[1] = "acuracy": expected the key of'),
        ({"measures": []}, "choices.measures = []: expected all or a list of at least 1 entry"),
        ({"curves": {}}, "choices.curves = {}: expected at least one curve"),
        ({"curves": {"d1": {"d": 1}}}, "choices.curves.d1.b: missing; expected a number of at"),
        ({"curves": {"d1": {"d": 1, "b": 0}}}, "choices.curves.d1.b = 0: expected a number of at"),
        ({"curves": {"d1": {"d": -1, "b": 1}}}, "choices.curves.d1.d = -1: expected a number of"),
        (
            {"curves": {"d1": {"d": 1, "b": 1, "c": 1}}},
            "choices.curves.d1.c: unknown key; expected",
        ),
        ({"curves": {"D 1": {"d": 1, "b": 1}}}, "expected a name of lower-case letters"),
    ],
)
@pytest.mark.slow
def test_faults_of_a_configuration(choices, fault):
    with pytest.raises(ConfigError) as caught:
        check_config(CONFIG | {"choices": CONFIG["choices"] | choices})
    (found,) = [line.strip() for line in str(caught.value).splitlines()[1:]]
    assert fault in found


def test_the_config_of_the_project_has_no_fault():
    assert not list(faults(CONFIG))


def test_levels_rise_and_curves_are_named_for_the_eye():
    assert [str(level) for level in rarer_and_rarer(["1:10", "7:3", "1:1"])] == [
        "7:3",
        "1:1",
        "1:10",
    ]
    assert curve_label({"d": 2, "b": 0.7}) == "d = 2, b = 0.7"
