"""The command ``skewproof audit``."""

import pytest

from skewproof.audits.auditing import audit


@pytest.mark.slow
def test_audit_on_the_command_line(run, parsed, tmp_path):
    figure = tmp_path / "card.png"
    found = parsed("audit", "tp/P - fp/N", "--figure", str(figure))
    assert found == audit("tp/P - fp/N").to_dict()
    assert figure.read_bytes().startswith(b"\x89PNG")
    assert run("audit", "f1") == (0, audit("f1").to_text(), "")
    assert run("audit", "f1", "--at", "0.003") == (0, audit("f1", at=0.003).to_text(), "")
    assert run("audit", "f1", "--markdown") == (0, audit("f1").to_markdown(), "")


@pytest.mark.slow
def test_a_score_of_probabilities(run, refused):
    card = audit("log_loss", at="1:5000")
    assert run("audit", "neg_log_loss", "--at", "1:5000") == (0, card.to_text(), "")
    assert run("find", "log loss") == (0, audit("log_loss").to_text(), "")
    errors = refused("audit", "log_loss", "--figure", "card.png")
    assert "--figure = 'card.png': expected no figure" in errors
