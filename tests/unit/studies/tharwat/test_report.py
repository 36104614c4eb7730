import pandas as pd

from skewproof.studies.tharwat.report import claim_report, examples_report


def test_report_on_the_examples(comparison, iris):
    text = examples_report(comparison, iris)
    assert "Of 262 printed numbers 260 agree to the last digit." in text
    assert "| 2.9.1 imbalanced | OP " in text
    assert "| setosa     |" in text
    assert "false negatives are positives, and stay FN." in text


def test_report_on_the_examples_without_disagreements(comparison, iris):
    text = examples_report(comparison[comparison["agrees"]], iris)
    assert "## Disagreements\n\nNone.\n\n## Areas" in text


def test_report_on_the_claims(rows):
    shares = pd.DataFrame({"level": ["1:10"], "mean_shift": [0.5], "largest_shift": [0.6]})
    text = claim_report(rows, shares)
    assert "24 do as it says at every level; of 3 it says nothing" in text
    assert "| AGF       | 2.8       | nothing  | differs   |          |" in text
