import pandas as pd
import pytest

from skewproof_studies.tharwat.report import claim_report, examples_report

pytestmark = pytest.mark.slow  # they wait for tables that take long


def test_report_on_the_examples(comparison, iris):
    text = examples_report(comparison, iris)
    assert "Of 262 printed numbers 260 agree to the last digit." in text
    assert "| 2.9.1 imbalanced | OP " in text
    assert "        0 | optimized_precision" in text
    assert "| setosa     |" in text
    assert "`discrepancies.md`" in text
    text = examples_report(comparison[comparison["agrees"]], iris)
    assert "## Disagreements\n\nNone.\n\n## Can the printed scores be?" in text
    assert "optimized_precision" not in text


def test_report_on_the_claims(rows):
    shares = pd.DataFrame({"level": ["1:10"], "mean_shift": [0.5], "largest_shift": [0.6]})
    shifts = [(1, "1:10", 0.1, 0.2), (5, "1:10", 0.3, 0.4)]
    numbers = pd.DataFrame(shifts, columns=["positives", "level", "mean_shift", "largest_shift"])
    total = pd.DataFrame({"example": ["Table 1"], "auc_total": [0.68]})
    text = claim_report(rows, numbers, shares, total)
    assert "24 of these behave as it says at every level. It says nothing of 3." in text
    assert "| AGF       | 2.8       | nothing  | differs   |          |" in text
    assert "all levels and all classifiers, for 100 positives" in text
    assert "| 5           | 0.4    |" in text
    assert "| Table 1   |      0.6800 |" in text
