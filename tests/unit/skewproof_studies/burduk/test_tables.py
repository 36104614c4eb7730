import pandas as pd

from skewproof_studies.burduk.tables import (
    classifier_rows,
    classifier_table,
    compare_with_printed,
    imbalance_ratio,
)
from skewproof_studies.reporting.table import to_markdown


def test_every_printed_entry_comes_out_but_the_one_misprint(comparison, printed, rows):
    assert len(comparison) == 3 * 9 * 7
    (misprint,) = comparison[~comparison["agrees"].astype(bool)].itertuples()
    assert (misprint.negatives, misprint.row, misprint.metric) == (10, "|psi1-psi3|", "g_mean")
    assert (misprint.printed, round(misprint.computed, 10)) == (0.09, 0.2)
    # Other class sizes are not compared.
    others = classifier_rows(1000, 20).assign(positives=1000, negatives=20)
    computed = pd.concat([rows[10].assign(positives=1000, negatives=10), others])
    counts = compare_with_printed(printed, computed).groupby("negatives")["agrees"].count()
    assert counts.to_dict() == {10: 63, 100: 0, 250: 0}
    table = to_markdown(classifier_table(rows[10], positives=1000, negatives=10))
    assert "Four classifiers and their differences at IR = 0.01, P = 1000, N = 10." in table
    assert r"| $\lvert \Psi_1-\Psi_2 \rvert$ |" in table


def test_a_printed_half_is_of_two_decimals(printed, rows):
    """He leaves zeros at the end out, which does not make 0.5 a number of one decimal."""
    half = printed.query("negatives == 10 and row == 'psi1' and metric == 'hmnc'")
    computed = rows[10].assign(positives=1000, negatives=10)
    assert half["printed"].tolist() == [0.5]
    for value, agrees in ((0.5049, True), (0.5051, False)):
        found = compare_with_printed(half, computed.assign(hmnc=value))
        assert found["agrees"].tolist() == [agrees]


def test_imbalance_ratio_takes_no_side():
    assert imbalance_ratio(10, 1000) == imbalance_ratio(1000, 10) == 0.01
