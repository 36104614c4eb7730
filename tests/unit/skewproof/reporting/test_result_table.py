import pandas as pd
import pytest

from skewproof.reporting.result_table import ResultTable

SENTENCE = "F1 fell because positives became rarer, and no change of the classifier can be shown"


def lines_of(table):
    return repr(table).splitlines()


def test_as_many_leading_columns_as_fit_in_80_are_shown():
    columns = {f"column_{number}": [0.5] for number in range(20)}
    shown = lines_of(ResultTable(columns))
    assert max(map(len, shown)) <= 80
    first = [f"column_{number}" for number in range(8)]  # 8 columns of 8 characters and 7 gaps
    assert shown[0].split() == first
    assert "not shown: column_8, column_9," in " ".join(shown)


def test_texts_are_wrapped_and_never_cut():
    table = ResultTable({"metric": ["f1"], "value": [0.25], "sentence": [SENTENCE]})
    words = " ".join(lines_of(table)).split()
    assert [word for word in words if word in SENTENCE.split()] == SENTENCE.split()


def test_empty_columns_are_named_but_not_shown():
    table = ResultTable({"value": [0.25], "remark": [""], "low": [0.125]})
    assert lines_of(table)[0].split() == ["value", "low"]
    assert lines_of(table)[-1] == "[1 row, 3 columns; not shown: remark]"


@pytest.mark.parametrize(("rows", "shown"), [(60, 60), (61, 11)])
def test_long_tables_show_their_ends(rows, shown):
    table = ResultTable({"value": range(rows)})
    body = lines_of(table)[2:-2]
    assert len(body) == shown
    assert body[0].split() == ["0"]
    assert body[-1].split() == [str(rows - 1)]


def test_a_table_without_rows_has_its_size_alone():
    assert repr(ResultTable({"value": []})) == "[0 rows, 1 columns; not shown: value]"


def test_html_escapes_texts_and_has_the_same_columns():
    html = ResultTable({"metric": ["<b>"], "value": [0.25], "remark": [""]})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "0.2500" in html
    assert "<b>" not in html
    assert "not shown: remark" in html


def test_what_pandas_makes_of_it_is_an_ordinary_frame():
    table = ResultTable({"value": [0.25, 0.5]})
    for made in (table[table["value"] > 0.3], table.copy(), table.to_frame()):
        assert type(made) is pd.DataFrame
