"""The page on printed scores states what was measured."""

import pandas as pd

from study import PROJECT

NUMBERS = ("a single score", "two", "three", "four")


def measured(name):
    return pd.read_csv(PROJECT / f"docs/images/printed_scores_{name}.csv")


def test_the_share_of_changed_digits_that_are_refuted():
    """Whatever mlscorecheck refutes is refuted."""
    page = (PROJECT / "docs/guide/can_these_scores_be.md").read_text()
    table = measured("single")
    assert table["true and refuted"].sum() == 0
    assert f"Of {table['matrices'].sum():,} random matrices, none was refuted" in page
    for number, row in zip(NUMBERS, table.itertuples(), strict=True):
        assert f"{row[4]:,} of {row[2]:,}{' were refuted' * (row[1] == 1)} by {number}" in page
    true, changed = measured("folds").itertuples()
    assert true.impossible == 0
    assert f"{changed.impossible} of {sum(changed[2:])} were refuted" in page
    (row,) = measured("agreement").to_dict("records")
    assert row["only there"] == 0
    assert row["only here"] == row["where the matrix of mlscorecheck misses a digit"]
