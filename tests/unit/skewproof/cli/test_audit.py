"""The command ``skewproof audit``."""

import pytest

from skewproof.audits.auditing import audit


@pytest.mark.slow
def test_audit_on_the_command_line(run, parsed):
    assert parsed("audit", "tp/P - fp/N") == audit("tp/P - fp/N").to_dict()
    card = audit("f1", at=0.003)
    assert run("audit", "f1", "--at", "0.003") == (0, card.to_text(), "")
    assert run("audit", "f1", "--at", "0.003", "--markdown") == (0, card.to_markdown(), "")


@pytest.mark.slow
def test_a_score_of_probabilities(run):
    card = audit("log_loss", at="1:5000")
    assert run("audit", "neg_log_loss", "--at", "1:5000") == (0, card.to_text(), "")
    assert run("find", "log loss") == (0, audit("log_loss").to_text(), "")
