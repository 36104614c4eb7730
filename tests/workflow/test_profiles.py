"""The profile for Slurm, in which rules are listed by hand."""

import re

import yaml

from study import PROJECT

PROFILE = yaml.safe_load((PROJECT / "profiles/slurm/config.yaml").read_text())

RULES = {
    name
    for path in (PROJECT / "workflow/rules").rglob("*.smk")
    for name in re.findall(r"^rule (\w+):", path.read_text(), re.MULTILINE)
}


def test_the_rules_of_the_profile_are_there():
    named = {*PROFILE["groups"], *PROFILE["set-resources"]}
    assert len(named) > 10
    assert named <= RULES
