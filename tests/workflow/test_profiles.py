"""The profiles for clusters, whose rules are named by hand."""

import re

import pytest
import yaml

from study import PROJECT

PROFILES = {
    name: yaml.safe_load((PROJECT / f"profiles/{name}/config.yaml").read_text())
    for name in ("slurm", "kubernetes")
}

RULES = {
    name
    for path in (PROJECT / "workflow/rules").rglob("*.smk")
    for name in re.findall(r'^ *(?:rule (?=.*:$)|.* else ")(\w+)', path.read_text(), re.MULTILINE)
}


@pytest.mark.parametrize("profile", PROFILES)
def test_the_rules_of_a_profile_are_there(profile):
    named = {*PROFILES[profile]["groups"], *PROFILES[profile]["set-resources"]}
    assert len(named) > 20
    assert named <= RULES


def test_the_same_rules_start_together_everywhere():
    assert PROFILES["kubernetes"]["groups"] == PROFILES["slurm"]["groups"]
