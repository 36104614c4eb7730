import pytest

from skewproof_studies.burduk.border import border_shares
from skewproof_studies.burduk.claim import claim_in_the_tables, claim_shares
from skewproof_studies.burduk.report import hmnc_report

pytestmark = pytest.mark.slow


def test_report(comparison, rows, reactions_at_a_tenth):
    shares = claim_shares(reactions_at_a_tenth, 0.1).assign(imbalance_ratio=0.1)
    borders = border_shares(0.1).assign(imbalance_ratio=0.1)
    options = claim_in_the_tables(rows[100]), shares, borders
    text = hmnc_report(comparison, *options)
    assert "Of the 189 printed entries 189 were computed, and 188 agree." in text
    assert r"| \|psi1-psi3\| | g_mean   |" in text
    assert "| psi4        |        1000 |         100 |         7 |          2 |" in text
    assert "In the tables it does in 4 of 4 pairs" in text
    assert "where u > $\\frac{\\sqrt{N} v}{\\sqrt{P}}$. If single instances" in text
    assert "u > $\\frac{N v}{P}$, that is, where TP > TN. Both borders" in text
    assert "the difference of both formulas to 0." in text
    assert "slope $- \\frac{v}{u}$, and that of HMNC has $- \\frac{N v^{2}}{P u^{2}}$" in text
    assert "slopes are $- \\frac{TN}{TP}$ and $- \\frac{TN^{2}}{TP^{2}}$" in text
    text = hmnc_report(comparison[comparison["agrees"].astype(bool)], *options)
    assert "were computed, and 188 agree.\n\nNone disagrees.\n\n## Can the printed" in text
