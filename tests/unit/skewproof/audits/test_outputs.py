"""Whole outputs of audits on one page, to be read aloud after a change."""

from pathlib import Path

import pytest

from skewproof.audits.auditing import audit
from skewproof.audits.choosing.tree import choose
from skewproof.audits.choosing.worth import metrics_by_worth
from skewproof.audits.finding import find
from skewproof.audits.printed_scores import printed, printed_means
from written import check_written


def said():
    """Yield calls with the texts of their results on a terminal."""
    for metric, at in (
        ("f1", 0.003),
        ("tp/P - fp/N", 0.003),
        ("mcc_f1", "1:1"),
        ("positive_likelihood_ratio", None),
        ("min(fp, 1)", None),
        ("max(0, fp - 100)*tp/P", "1:1"),
        ("log_loss_skill", 0.003),
    ):
        yield f"audit({metric!r}, at={at!r})", audit(metric, at=at).to_text()
    yield 'find("Dice")', find("Dice").to_text()
    imbalanced = {"problem": "classification", "balance": "imbalanced", "classes": "two"}
    for answers in (
        {"problem": "ranking", "goal": "false-negatives"},
        imbalanced | {"goal": "positive-class"},
        imbalanced | {"balance": "balanced", "classes": "many", "thresholds": "one"},
    ):
        yield f"choose(**{answers})", choose(**answers).to_text()
    for worth, at, rates in ((1000, "1:50", [0.9, 0.1]), (1, 0.02, None)):
        listed = metrics_by_worth(worth, at=at, rates=rates, metrics=["accuracy", "precision"])
        yield f"metrics_by_worth({worth}, at={at!r}, rates={rates})", listed.to_text()
    sizes = {"positives": 100, "negatives": 200}
    for scores in (
        {"accuracy": "0.9033", "recall": "0.85", "AUC": "0.95"},
        {"accuracy": "0.9512", "recall": "0.85", "specificity": "0.93"},
        {"accuracy": "0.8"},
    ):
        yield f"printed({scores}, ...)", repr(printed(scores, **sizes))
    means = {"recall": "0.851", "AUC": "0.9"}
    yield f"printed_means({means}, ...)", repr(printed_means(means, **sizes))


@pytest.mark.slow
def test_outputs_are_those_that_are_written_and_fit_a_terminal():
    outputs = {call: text.rstrip() + "\n" for call, text in said()}
    page = {"a page": audit("mcc_f1", at="1:1").to_markdown()}
    check_written(Path(__file__).with_name("outputs.txt"), **outputs, **page)
    assert max(len(line) for text in outputs.values() for line in text.splitlines()) <= 80
